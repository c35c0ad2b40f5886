/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An edge rule of its own in each dimension, through OpenCL against a serial reference that spells
 * the rules out, bit for bit: all variants, restart and fence, on grids that are not multiples,
 * smaller than a tile and one cell wide, with fewer loops than the height. A program has to be
 * compiled for each, so a sample of combinations is drawn, a larger one by `make check-all`;
 * GZ_EDGES=all takes all of them. GZ_SEED in the environment repeats a run; the seed is printed.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

#include <time.h>

static const volatile sig_atomic_t never = 0;

enum { RULES = 4, LOOPS = 9, GRIDS = 4 };

/* Everything that a body may read, at the ends of radii that differ by dimension. */
static const char *const bodies[4] = {
    NULL,
    "GZ_UPDATE\n{\n"
    "    int sum = 3 * AT(0, 0, 0) + 5 * AT(-2, 0, 0) + 7 * AT(2, 0, 0) + COEF_AT(0, 2, 0, 0) +\n"
    "              COEF_AT(0, -1, 0, 0) + STEP_AT(0) + COEF(0) * CELL_X + (int)LOOP;\n"
    "    return sum & 1023;\n}\n",
    "GZ_UPDATE\n{\n"
    "    int sum = 3 * AT(0, 0, 0) + 5 * AT(-2, -1, 0) + 7 * AT(2, 1, 0) + 9 * AT(-1, 1, 0) +\n"
    "              11 * AT(0, -1, 0) + COEF_AT(0, 2, -1, 0) + COEF_AT(0, -2, 1, 0) +\n"
    "              STEP_AT(0) + COEF(0) * CELL_X + 23 * CELL_Y + (int)LOOP;\n"
    "    return sum & 1023;\n}\n",
    "GZ_UPDATE\n{\n"
    "    int sum = 3 * AT(0, 0, 0) + 5 * AT(-2, -1, 1) + 7 * AT(2, 1, -1) + 9 * AT(-1, 1, 2) +\n"
    "              11 * AT(1, 0, -2) + COEF_AT(0, 2, -1, -2) + COEF_AT(0, -2, 1, 2) +\n"
    "              STEP_AT(0) + COEF(0) * CELL_X + 23 * CELL_Y + 29 * CELL_Z + (int)LOOP;\n"
    "    return sum & 1023;\n}\n",
};
static const int radii[4][3] = {{0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 2}};

/* The rules that the reference is to follow: those of the stencil under test. */
static enum gzk_edge rule[3];
static int dimensions;

static bool any_kept(void)
{
    bool any = false;
    for (int i = 0; i < dimensions; i++)
        any = any || rule[i] == GZK_EDGE_KEEP;
    return any;
}

static int element(const struct gzk_data *data, const int *array, int x, int y, int z)
{
    int place[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        int n = data->size[i], p = place[i];
        if (p >= 0 && p < n)
            continue;
        if (rule[i] == GZK_EDGE_CLAMP)
            place[i] = p < 0 ? 0 : n - 1;
        else if (rule[i] == GZK_EDGE_PERIODIC)
            place[i] = (p % n + n) % n;
        else
            return 0;
    }
    return array[(place[2] * data->size[1] + place[1]) * data->size[0] + place[0]];
}

static bool is_kept(const struct gzk_data *data, const int at[3])
{
    for (int i = 0; i < dimensions; i++) {
        int r = radii[dimensions][i];
        if (rule[i] == GZK_EDGE_KEEP && (at[i] < r || at[i] >= data->size[i] - r))
            return true;
    }
    return false;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    /* The distances of bodies[dimensions], of the state and of the coefficient array. */
    static const struct {
        int factor, d[3];
        bool coef;
    } reads[4][7] = {
        {{0}},
        {{3, {0}, false}, {5, {-2}, false}, {7, {2}, false}, {1, {2}, true}, {1, {-1}, true}},
        {{3, {0}, false},
         {5, {-2, -1}, false},
         {7, {2, 1}, false},
         {9, {-1, 1}, false},
         {11, {0, -1}, false},
         {1, {2, -1}, true},
         {1, {-2, 1}, true}},
        {{3, {0}, false},
         {5, {-2, -1, 1}, false},
         {7, {2, 1, -1}, false},
         {9, {-1, 1, 2}, false},
         {11, {1, 0, -2}, false},
         {1, {2, -1, -2}, true},
         {1, {-2, 1, 2}, true}},
    };
    static const int weights[3] = {17, 23, 29};
    const int *aux = data->aux;
    const int *border = aux + (1 + (loop + 1) % 2) * (long)data->stride;
    const int *step = aux + ((any_kept() ? 3 : 1) + loop) * (long)data->stride;
    size_t i = 0;

    for (int z = 0; z < data->size[2]; z++)
        for (int y = 0; y < data->size[1]; y++)
            for (int x = 0; x < data->size[0]; x++, i++) {
                const int at[3] = {x, y, z};
                int sum = step[i] + (int)loop;
                for (int k = 0; k < 7; k++)
                    sum += reads[dimensions][k].factor *
                           element(data, reads[dimensions][k].coef ? aux : (const int *)from,
                                   x + reads[dimensions][k].d[0], y + reads[dimensions][k].d[1],
                                   z + reads[dimensions][k].d[2]);
                for (int d = 0; d < dimensions; d++)
                    sum += weights[d] * at[d];
                ((int *)to)[i] = is_kept(data, at) ? border[i] : sum & 1023;
            }
}

static void set_coefficients(struct gzk_data *data)
{
    ((int *)data->coefficients)[0] = 17;
}

/* The first border is the state's, the second has numbers of its own. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state, *aux = data->aux;
    size_t arrays = (any_kept() ? 3 : 1) + (size_t)data->loops;
    for (size_t i = 0; i < data->cells; i++)
        state[i] = (int)(gzk_random(seed, i) % 1024);
    for (size_t i = 0; i < arrays * data->stride; i++)
        aux[i] = (int)(gzk_random(seed + 1, i) % 1024);
    if (any_kept())
        memcpy(aux + data->stride, state, data->cells * sizeof *state);
}

static struct gzk_stencil make_stencil(void)
{
    const int *r = radii[dimensions];
    return (struct gzk_stencil){.abi = GZK_STENCIL_ABI,
                                .size = sizeof(struct gzk_stencil),
                                .name = "edges",
                                .summary = "everything that a body may read",
                                .dimensions = dimensions,
                                .radius = {r[0], r[1], r[2]},
                                .type = GZK_INT,
                                .edge = {rule[0], rule[1], rule[2]},
                                .coefficient_arrays = 1,
                                .step_arrays = 1,
                                .coefficients = 1,
                                .operations = 20,
                                .default_size = {1, 1, 1},
                                .default_block = {1, 1, 1},
                                .body = bodies[dimensions],
                                .set_coefficients = set_coefficients,
                                .fill = fill,
                                .reference = reference};
}

/* ------------------------------------------------------------------------------------- one run */

struct tally {
    int runs, programs, wrong;
};

static void note(const struct gzk_config *c, const char *what, const struct gzk_comparison *found)
{
    char edges[40];
    gzk_edges_text(c->stencil, edges, sizeof edges);
    tap_note("%s: variant %s, sync %d, grid %dx%dx%d, block %dx%dx%d, threads %dx%dx%d, height %d, "
             "loops %ld: %s, %zu wrong, first %zu",
             edges, gzk_variants[c->variant].name, (int)c->sync, c->size[0], c->size[1], c->size[2],
             c->block[0], c->block[1], c->block[2], c->threads[0], c->threads[1], c->threads[2],
             c->height, c->loops, what, found->wrong, found->first_wrong);
}

static void check(struct gzk_device *device, struct gzk_config *config, uint64_t seed,
                  struct tally *tally)
{
    struct gzk_data data;
    struct gzk_session *session = NULL;
    struct gzk_comparison comparison = {0};
    struct gzk_error error = {0};
    double seconds;

    gzk_data_new(&data, config->stencil, config->size, LOOPS, seed);
    int *result = malloc(data.cells * sizeof *result);
    int *expected = malloc(data.cells * sizeof *expected);
    int status = gzk_session_new(device, config->stencil, &data, &session, &error);
    const long loops[3] = {1, config->height + 1, LOOPS};
    for (int k = 0; k < 3 && status == 0; k++) {
        struct gzk_serial serial = {config->stencil, &data, loops[k]};
        config->loops = loops[k];
        status = gzk_session_run(session, config, &never, &seconds, &error);
        if (status == 0)
            status = gzk_session_read(session, result, &error);
        if (status == 0) {
            gzk_reference_run(&serial, expected, NULL, &error);
            gzk_compare(&serial, result, expected, false, &comparison);
        }
        tally->runs++;
        if ((status != 0 || comparison.wrong > 0) && tally->wrong++ < 3)
            note(config, status ? error.text : "ran", &comparison);
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    free(result);
    free(expected);
}

/* ------------------------------------------------------------------------------------ all kinds */

static const int grids[4][GRIDS][3] = {
    {{0}},
    {{53, 1, 1}, {3, 1, 1}, {1, 1, 1}, {24, 1, 1}},
    {{29, 23, 1}, {5, 3, 1}, {1, 14, 1}, {26, 2, 1}},
    {{15, 11, 13}, {3, 2, 4}, {1, 5, 9}, {17, 1, 3}},
};

/* How a variant is run, by draw. */
static struct gzk_config make_config(const struct gzk_stencil *stencil, enum gzk_variant variant,
                                     int draw, bool is_cpu)
{
    struct gzk_config config = {.stencil = stencil, .variant = variant, .height = 1};
    int axis = dimensions - 1;
    for (int i = 0; i < 3; i++) {
        config.block[i] = i < dimensions ? 5 + i : 1;
        config.threads[i] = i < dimensions ? 4 - i : 1;
    }
    if (gzk_variants[variant].any_height) {
        config.height = 1 + draw % 3;
        config.sync = draw / 3 % 4 == 3 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
        for (int i = 0; i < dimensions; i++)
            config.block[i] = 3 + draw % 5 + 2 * stencil->radius[i] * config.height;
    }
    if (gzk_variants[variant].streamed) {
        config.cpu = is_cpu && draw % 2;
        config.bypass = config.cpu && draw % 4 == 3;
        config.threads[axis] = 1;
        for (int i = 0; i < 3 && config.cpu; i++)
            config.threads[i] = 1;
    }
    if (gzk_variants[variant].thread_per_cell)
        memcpy(config.threads, config.block, sizeof config.threads);
    if (gzk_variants[variant].whole_rows)
        config.threads[0] = 1;
    return config;
}

/* One variant under the rules as they are set. */
static void check_variant(struct gzk_device *device, enum gzk_variant variant, int draw,
                          uint64_t seed, struct tally *tally)
{
    struct gzk_stencil stencil = make_stencil();
    struct gzk_config config = make_config(&stencil, variant, draw, device->info.is_cpu);
    tally->programs++;
    for (int g = 0; g < GRIDS; g++) {
        memcpy(config.size, grids[dimensions][g], sizeof config.size);
        if (gzk_variants[variant].whole_rows) {
            if (g > 1)
                continue; /* a program for each grid */
            config.block[0] = config.size[0];
        }
        check(device, &config, seed + (uint64_t)g, tally);
    }
}

static void set_rules(int dim, int number)
{
    dimensions = dim;
    for (int i = 0; i < 3; i++, number /= RULES)
        rule[i] = (enum gzk_edge)(number % RULES);
}

/* Whether a combination is taken by a variant: all if asked for; otherwise every few, from one that
 * is drawn, of the pairs of rules that differ in two dimensions, and of all in three. */
static bool is_taken(enum gzk_variant variant, int dim, int number, uint64_t seed)
{
    const char *asked = getenv("GZ_EDGES");
    if (asked && strcmp(asked, "all") == 0)
        return true;
    bool tiled = gzk_variants[variant].any_height;
    int first = (int)(gzk_random(seed, (uint64_t)variant) % (RULES * RULES * RULES));
    int every = dim == 3 ? tap_bulk(32, 24) : tiled ? tap_bulk(3, 1) : tap_bulk(9, 3);
    bool differ = dim == 3 || (dim == 2 && number % RULES != number / RULES);
    return differ && (number + first) % every == 0;
}

int main(void)
{
    static const enum gzk_variant variants[] = {GZK_TRAPEZOID, GZK_STREAM, GZK_NAIVE,
                                                GZK_COLUMN,    GZK_CELL,   GZK_SHARED};
    static const int combinations[4] = {0, RULES, RULES * RULES, RULES * RULES * RULES};
    enum { VARIANTS = sizeof variants / sizeof *variants };
    const char *given = getenv("GZ_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);

    struct gzk_device *device = test_device_open_for_bits();
    tap_plan(VARIANTS);
    tap_note("GZ_SEED=%llu on %s", (unsigned long long)seed, device->info.name);
    for (int v = 0; v < VARIANTS; v++) {
        struct tally tally = {0};
        for (int dim = 1; dim <= 3; dim++)
            for (int number = 0; number < combinations[dim]; number++) {
                if (!is_taken(variants[v], dim, number, seed) ||
                    (dim == 1 && variants[v] == GZK_STREAM))
                    continue;
                int draw = (int)(gzk_random(seed + 100, (uint64_t)(number + 64 * v)) % 1000);
                set_rules(dim, number);
                check_variant(device, variants[v], draw, seed + 200, &tally);
            }
        tap_ok(tally.programs > 0 && tally.wrong == 0,
               "%s: rules that differ by dimension, bit for bit (%d runs of %d programs)",
               gzk_variants[variants[v]].name, tally.runs, tally.programs);
    }
    gzk_device_close(device);
    return tap_done();
}
