/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streamed tiles whose columns lie in registers against the serial reference, bit for bit: the
 * stencils that read other planes in their own column only, and such of radius 1 to 4, in two and
 * three dimensions, with every edge rule in all and in each dimension, that read everything else
 * that a body may read; with one column for each thread and with several, in pieces of a plane, of
 * a few and of all, on grids that are smaller than a tile, not multiples, and one cell wide, with
 * fewer loops than the height, with restart and fence. GZ_SEED in the environment repeats a run;
 * the seed is printed.
 */
#include "data.h"
#include "registry.h"
#include "test_device.h"
#include "tiles.h"
#include "timing.h"

#include <time.h>

static const volatile sig_atomic_t never = 0;

/* ---------------------------------------------------------------------------- stars of any radius
 */

enum { MOST_RADIUS = 4, MOST_LOOPS = 9, COEF_ARRAYS = 2, STEP_ARRAYS = 1, MODULUS = 1024 };

/* The one under test; its reference has no other way to see it. */
static struct gzk_stencil star;

/* What of array `k`, -1 the state, is read at distance d along dimension i, times what. */
static int weight(int k, int i, int d)
{
    return 3 + 2 * d + 5 * i + 7 * k;
}

/* A sum of all cells of the star, of the corners of the coefficient arrays, and of the rest. In
 * three dimensions two cells beside the column are diagonal neighbours in the cell's own plane. */
static void write_body(char *body, size_t room)
{
    static const char *const format[3] = {"%s%d * %s%d, 0, 0)", "%s%d * %s0, %d, 0)",
                                          "%s%d * %s0, 0, %d)"};
    const int *r = star.radius;
    size_t n = (size_t)snprintf(body, room, "GZ_UPDATE\n{\n    int sum = 9 * AT(0, 0, 0)");
    for (int k = -1; k < 1; k++)
        for (int i = 0; i < star.dimensions; i++)
            for (int d = -r[i]; d <= r[i]; d++)
                if (d != 0)
                    n += (size_t)snprintf(body + n, room - n, format[i], " + ", weight(k, i, d),
                                          k < 0 ? "AT(" : "COEF_AT(0, ", d);
    n += (size_t)snprintf(body + n, room - n, " + 11 * COEF_AT(1, %d, %d, %d)", r[0], -r[1], r[2]);
    if (star.dimensions == 3)
        n += (size_t)snprintf(body + n, room - n, " + 13 * AT(%d, %d, 0) + 15 * AT(%d, %d, 0)",
                              r[0], r[1], -r[0], r[1]);
    snprintf(body + n, room - n,
             " + STEP_AT(0) + COEF(0) * CELL_X + COEF(1) * CELL_Y + 19 * CELL_Z + (int)LOOP;\n"
             "    return sum & %d;\n}\n",
             MODULUS - 1);
}

/* Element (x, y, z) of an array, which may lie outside the grid. */
static int element(const struct gzk_data *data, const int *array, int x, int y, int z)
{
    int place[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        int extent = data->size[i];
        if ((place[i] < 0 || place[i] >= extent) &&
            (star.edge[i] == GZK_EDGE_ZERO || star.edge[i] == GZK_EDGE_KEEP))
            return 0;
        if (star.edge[i] == GZK_EDGE_CLAMP)
            place[i] = place[i] < 0 ? 0 : place[i] >= extent ? extent - 1 : place[i];
        else
            place[i] = (place[i] % extent + extent) % extent;
    }
    return array[(place[2] * data->size[1] + place[1]) * data->size[0] + place[0]];
}

static int sum_at(const struct gzk_data *data, const int *from, const int *const coef[2], int x,
                  int y, int z)
{
    const int *r = star.radius;
    int sum = 9 * element(data, from, x, y, z);
    for (int i = 0; i < star.dimensions; i++)
        for (int d = -r[i]; d <= r[i]; d++)
            if (d != 0) {
                int dx = i == 0 ? d : 0, dy = i == 1 ? d : 0, dz = i == 2 ? d : 0;
                sum += weight(-1, i, d) * element(data, from, x + dx, y + dy, z + dz) +
                       weight(0, i, d) * element(data, coef[0], x + dx, y + dy, z + dz);
            }
    sum += 11 * element(data, coef[1], x + r[0], y - r[1], z + r[2]);
    if (star.dimensions == 3)
        sum += 13 * element(data, from, x + r[0], y + r[1], z) +
               15 * element(data, from, x - r[0], y + r[1], z);
    return sum;
}

static bool is_kept(const struct gzk_data *data, const int place[3])
{
    for (int i = 0; i < star.dimensions; i++)
        if (star.edge[i] == GZK_EDGE_KEEP &&
            (place[i] < star.radius[i] || place[i] >= data->size[i] - star.radius[i]))
            return true;
    return false;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    bool keeps = gzk_border_arrays(&star) > 0;
    const int *coef[2] = {data->aux, (const int *)data->aux + data->stride};
    const int *border = coef[0] + (COEF_ARRAYS + (size_t)(loop + 1) % 2) * data->stride;
    const int *step = coef[0] + ((keeps ? 4U : 2U) + (size_t)loop) * data->stride;
    int *out = to;
    size_t i = 0;

    for (int z = 0; z < data->size[2]; z++)
        for (int y = 0; y < data->size[1]; y++)
            for (int x = 0; x < data->size[0]; x++, i++) {
                int sum = sum_at(data, from, coef, x, y, z) + step[i] + 17 * x + 23 * y + 19 * z +
                          (int)loop;
                out[i] = is_kept(data, (int[]){x, y, z}) ? border[i] : sum & (MODULUS - 1);
            }
}

static void set_coefficients(struct gzk_data *data)
{
    int *coefficients = data->coefficients;
    coefficients[0] = 17;
    coefficients[1] = 23;
}

/* Of kept edges, the first buffer's border is the state's. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    bool keeps = gzk_border_arrays(&star) > 0;
    int *state = data->state, *aux = data->aux;
    size_t arrays = COEF_ARRAYS + (keeps ? 2U : 0U) + STEP_ARRAYS * (size_t)data->loops;
    for (size_t i = 0; i < data->cells; i++)
        state[i] = (int)(gzk_random(seed, i) % MODULUS);
    for (size_t i = 0; i < data->stride * arrays; i++)
        aux[i] = (int)(gzk_random(seed + 1, i) % MODULUS);
    if (keeps)
        memcpy(aux + COEF_ARRAYS * data->stride, state, data->cells * sizeof(int));
}

static struct gzk_stencil star_of(int dimensions, int radius, int edge, bool mixed,
                                  const char *body)
{
    return (struct gzk_stencil){
        .abi = GZK_STENCIL_ABI,
        .size = sizeof(struct gzk_stencil),
        .name = "star",
        .summary = "everything that a body may read of its own column",
        .dimensions = dimensions,
        /* other radii across than along */
        .radius = {dimensions == 2 ? 1 + radius % 3 : radius,
                   dimensions == 2 ? radius : 1 + radius % 2, dimensions == 2 ? 0 : radius},
        .type = GZK_INT,
        .edge = {(enum gzk_edge)edge, (enum gzk_edge)((edge + mixed) % gzk_edge_count),
                 (enum gzk_edge)((edge + 2 * mixed) % gzk_edge_count)},
        .coefficient_arrays = COEF_ARRAYS,
        .step_arrays = STEP_ARRAYS,
        .coefficients = 2,
        .reads = {.own_column = true},
        .body = body,
        .set_coefficients = set_coefficients,
        .fill = fill,
        .reference = reference};
}

/* ------------------------------------------------------------------------------------------- runs
 */

enum { GRIDS = 5, LAYOUTS = 3, PIECES = 3 };
static const int grids[4][GRIDS][3] = {
    {{0}},
    {{0}},
    {{29, 37, 1}, {5, 3, 1}, {1, 23, 1}, {50, 1, 1}, {33, 20, 1}},
    {{13, 17, 11}, {2, 3, 4}, {1, 1, 9}, {27, 1, 6}, {21, 14, 1}},
};
static const int pieces[PIECES] = {4, 1, 100};

struct tally {
    int runs, wrong;
};

static void run(struct gzk_device *device, const struct gzk_config *given, const int size[3],
                uint64_t seed, struct tally *tally)
{
    struct gzk_config config = *given;
    long loops[3] = {1, config.height, 2L * config.height + 1};
    struct gzk_session *session = NULL;
    struct gzk_data data = {0};
    struct gzk_error error = {0};
    size_t bytes;

    memcpy(config.size, size, sizeof config.size);
    if (gzk_data_new(&data, config.stencil, size, MOST_LOOPS, seed) != 0 ||
        gzk_session_new(device, config.stencil, &data, &session, &error) != 0) {
        tally->wrong++;
        return;
    }
    bytes = data.cells * gzk_type_bytes(config.stencil->type);
    void *result = malloc(bytes), *expected = malloc(bytes);
    for (int l = 0; l < 3; l++) {
        struct gzk_comparison c = {0};
        double seconds;
        config.loops = loops[l];
        struct gzk_serial serial = {config.stencil, &data, config.loops};
        int status = gzk_session_run(session, &config, &never, &seconds, &error);
        if (status == 0)
            status = gzk_session_read(session, result, &error);
        if (status == 0)
            status = gzk_reference_run(&serial, expected, NULL, &error);
        if (status == 0)
            gzk_compare(&serial, result, expected, false, &c);
        tally->runs++;
        if ((status != 0 || c.wrong > 0) && tally->wrong++ == 0)
            tap_note(
                "%s radius %d edges %d %d %d grid %dx%dx%d block %dx%dx%d threads %dx%d sync %d "
                "height %d loops %ld: %s, %zu wrong, first %zu",
                config.stencil->name, config.stencil->radius[0], (int)config.stencil->edge[0],
                (int)config.stencil->edge[1], (int)config.stencil->edge[2], size[0], size[1],
                size[2], config.block[0], config.block[1], config.block[2], config.threads[0],
                config.threads[1], (int)config.sync, config.height, config.loops,
                status ? error.text : "ran", c.wrong, c.first_wrong);
    }
    free(result);
    free(expected);
    gzk_session_free(session);
    gzk_data_free(&data);
}

/* One column for each thread, several in x, or several in all dimensions across. */
static void set_threads(struct gzk_config *config, int layout)
{
    int axis = gzk_stream_axis(config->stencil);
    for (int i = 0; i < 3; i++)
        config->threads[i] = i >= axis              ? 1
                             : layout == 0          ? config->block[i]
                             : layout == 1 && i > 0 ? config->block[i]
                             : i == 0               ? (config->block[i] + 1) / 2
                                                    : (config->block[i] + 2) / 3;
}

/* A tile that commits a few cells across the stream. */
static void set_tile(struct gzk_config *config, int turn)
{
    int axis = gzk_stream_axis(config->stencil);
    for (int i = 0; i < 3; i++) {
        int ghost = 2 * config->stencil->radius[i] * config->height;
        int inside = i == axis ? pieces[turn % PIECES] : i == 0 && axis == 1 ? 17 : 6 - i;
        config->block[i] = i <= axis ? inside + ghost : 1;
    }
    /* Unrolled by long columns, several of them take a CPU's compiler too long. */
    set_threads(config, config->stencil->radius[axis] > 2 ? 0 : turn % LAYOUTS);
}

static void check(struct gzk_device *device, const struct gzk_stencil *stencil, int height,
                  gz_sync sync, int turn, uint64_t seed, struct tally *tally)
{
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_STREAM,
                                .layout = GZK_LAYOUT_COLUMNS,
                                .columns = true,
                                .sync = sync,
                                .height = height};
    set_tile(&config, turn);
    for (int g = 0; g < GRIDS; g++)
        run(device, &config, grids[stencil->dimensions][g], seed + (uint64_t)g, tally);
}

/* Stars of some radii. Compiling is what takes time, a program for each radius, height and way to
 * synchronise. */
static struct tally check_stars(struct gzk_device *device, int dimensions, int edge, bool mixed,
                                uint64_t seed)
{
    struct tally tally = {0};
    int most = mixed ? 1 : MOST_RADIUS, some = 1 + (edge + 2 * dimensions) % MOST_RADIUS;
    for (int radius = 1; radius <= most; radius++) {
        char body[4000];
        int height = radius == 1 ? 2 + edge % 2 : radius == 2 ? 2 : 1;
        star = star_of(dimensions, radius, edge, mixed, body);
        write_body(body, sizeof body);
        /* One radius with each rule, or two and one of the two largest. */
        if (!mixed && tap_bulk(radius != some, 0))
            continue;
        if (radius > 2 && tap_bulk(0, 1) && (radius + edge + dimensions) % 2)
            continue;
        check(device, &star, height, GZ_SYNC_RESTART, radius + edge + mixed, seed, &tally);
        if (radius == 1 && !mixed)
            check(device, &star, 2, GZ_SYNC_FENCE, radius + edge + 1, seed, &tally);
    }
    return tally;
}

int main(void)
{
    const char *given = getenv("GZ_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    int own = 0;

    struct gzk_device *device = test_device_open_for_bits();
    for (size_t i = 0; i < gzk_stencil_count; i++)
        own += gzk_stencils[i]->reads.own_column;
    tap_plan(own + 2 * 2 * gzk_edge_count);
    tap_note("GZ_SEED=%llu on %s", (unsigned long long)seed, device->info.name);
    for (size_t i = 0; i < gzk_stencil_count; i++)
        if (gzk_stencils[i]->reads.own_column) {
            struct tally tally = {0};
            check(device, gzk_stencils[i], 2, i % 2 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART, (int)i, seed,
                  &tally);
            tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: bit for bit (%d runs)",
                   gzk_stencils[i]->name, tally.runs);
        }
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int edge = 0; edge < 2 * gzk_edge_count; edge++) {
            bool mixed = edge >= gzk_edge_count;
            struct tally tally =
                check_stars(device, dimensions, edge % gzk_edge_count, mixed, seed);
            tap_ok(tally.runs > 0 && tally.wrong == 0,
                   "stars in %d dimensions, edges %s%s: bit for bit (%d runs)", dimensions,
                   gzk_edges[edge % gzk_edge_count].name, mixed ? " in x, then others" : "",
                   tally.runs);
        }
    gzk_device_close(device);
    return tap_done();
}
