/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random kernels against the serial reference, bit for bit: stencils of the table and such with
 * random bodies of every type, radii from 0, an edge rule of its own in each dimension, arrays,
 * coordinates, red and black cells; as streamed tiles in rings for a GPU and for a CPU and with
 * columns in registers, as trapezoids and without tiles; with random tiles, pieces, threads and
 * heights, every way to synchronise, on random grids with random loops. What does not fit the
 * device's local memory has to be refused with the largest height that would.
 *
 * GZ_CASES in the environment sets how many kernels are drawn, GZ_SEED the first one's seed; each
 * of the others has the next seed, so that GZ_CASES=1 repeats any.
 */
#include "defaults.h"
#include "registry.h"
#include "test_device.h"
#include "tiles.h"
#include "timing.h"

static const volatile sig_atomic_t never = 0;

enum {
    MODULUS = 1024,
    CASES = 6,
    MANY = 100,
    GRIDS = 3,
    RUNS = 2,
    MOST_READS = 9,
    MOST_LOOPS = 24,
    BODY = 2000
};

/* ---------------------------------------------------------------------------------------- draws */

static uint64_t seed, drawn;

/* A whole number from `least` to `most`. */
static int draw(int least, int most)
{
    return least + (int)(gzk_random(seed, drawn++) % (uint64_t)(most - least + 1));
}

static bool one_in(int n)
{
    return draw(1, n) == 1;
}

/* ------------------------------------------------------------------------------- random stencils
 */

/* A term of the sum: an element of the state (-1) or of a coefficient array, times a weight. */
struct term {
    int array, d[3], weight;
};

/* The stencil under test; its reference has no other way to see it. */
static struct {
    struct gzk_stencil stencil;
    char body[BODY];
    struct term terms[MOST_READS];
    int count;
    int coordinate; /* whose number is added; 3: the loop's */
} made;

/* Element (x, y, z) of an array, as a double, which holds all types' elements. */
static double element(const struct gzk_data *data, const void *array, const int cell[3],
                      const int d[3])
{
    int place[3];
    for (int i = 0; i < 3; i++) {
        int n = data->size[i], p = cell[i] + d[i];
        if (p < 0 || p >= n) {
            if (made.stencil.edge[i] == GZK_EDGE_ZERO || made.stencil.edge[i] == GZK_EDGE_KEEP)
                return 0;
            p = made.stencil.edge[i] == GZK_EDGE_CLAMP ? (p < 0 ? 0 : n - 1) : (p % n + n) % n;
        }
        place[i] = p;
    }
    return gzk_element(array, made.stencil.type,
                       ((size_t)place[2] * (size_t)data->size[1] + (size_t)place[1]) *
                               (size_t)data->size[0] +
                           (size_t)place[0]);
}

static const void *array_of(const struct gzk_data *data, size_t k)
{
    return (const char *)data->aux + k * data->stride * gzk_type_bytes(made.stencil.type);
}

static bool is_kept(const struct gzk_data *data, const int cell[3])
{
    for (int i = 0; i < made.stencil.dimensions; i++)
        if (made.stencil.edge[i] == GZK_EDGE_KEEP &&
            (cell[i] < made.stencil.radius[i] || cell[i] >= data->size[i] - made.stencil.radius[i]))
            return true;
    return false;
}

static void put(void *array, size_t i, double value)
{
    switch (made.stencil.type) {
    case GZK_INT:
        ((int *)array)[i] = (int)value;
        break;
    case GZK_FLOAT:
        ((float *)array)[i] = (float)value;
        break;
    case GZK_DOUBLE:
        ((double *)array)[i] = value;
        break;
    }
}

/* A cell's next value. All elements are multiples of 1/64 of few bits, so that no sum of these
 * rounds in any type, whatever its order; the last step makes them such again. */
static double next(const struct gzk_data *data, long loop, const void *from, const int cell[3])
{
    static const int here[3] = {0};
    const struct gzk_stencil *s = &made.stencil;
    size_t at =
        ((size_t)cell[2] * (size_t)data->size[1] + (size_t)cell[1]) * (size_t)data->size[0] +
        (size_t)cell[0];
    size_t fixed = (size_t)(s->coefficient_arrays + gzk_border_arrays(s));
    double sum = made.coordinate == 3 ? (double)loop : cell[made.coordinate];

    if (s->red_black && (cell[0] + cell[1] + cell[2] + loop) % 2 != 0)
        return element(data, from, cell, here);
    for (int k = 0; k < made.count; k++) {
        const struct term *t = &made.terms[k];
        sum += t->weight *
               element(data, t->array < 0 ? from : array_of(data, (size_t)t->array), cell, t->d);
    }
    for (int k = 0; k < s->step_arrays; k++)
        sum +=
            (2 + k) *
            gzk_element(array_of(data, fixed + (size_t)loop * (size_t)s->step_arrays + (size_t)k),
                        s->type, at);
    for (int k = 0; k < s->coefficients; k++)
        sum += (k + 1) * gzk_element(data->coefficients, s->type, (size_t)k);
    return sum - MODULUS * floor(sum / MODULUS);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const void *border =
        array_of(data, (size_t)made.stencil.coefficient_arrays + (size_t)(loop + 1) % 2);
    size_t i = 0;
    int cell[3];

    for (cell[2] = 0; cell[2] < data->size[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < data->size[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < data->size[0]; cell[0]++, i++)
                put(to, i,
                    is_kept(data, cell) ? gzk_element(border, made.stencil.type, i)
                                        : next(data, loop, from, cell));
}

static double random_value(uint64_t stream, size_t i)
{
    double value = (double)(gzk_random(stream, i) % (64 * MODULUS)) / 64;
    return made.stencil.type == GZK_INT ? floor(value) : value;
}

static void set_coefficients(struct gzk_data *data)
{
    for (size_t k = 0; k < (size_t)made.stencil.coefficients; k++)
        put(data->coefficients, k, (double)(5 + 2 * k));
}

/* The first border is the state's, the second has numbers of its own. */
static void fill(struct gzk_data *data, uint64_t stream)
{
    const struct gzk_stencil *s = &made.stencil;
    size_t arrays = (size_t)(s->coefficient_arrays + gzk_border_arrays(s)) +
                    (size_t)s->step_arrays * (size_t)data->loops;
    size_t bytes = gzk_type_bytes(s->type);

    for (size_t i = 0; i < data->cells; i++)
        put(data->state, i, random_value(stream, i));
    for (size_t i = 0; i < arrays * data->stride; i++)
        put(data->aux, i, random_value(stream + 1, i));
    if (gzk_border_arrays(s) > 0)
        memcpy((char *)data->aux + (size_t)s->coefficient_arrays * data->stride * bytes,
               data->state, data->cells * bytes);
}

static void append(size_t *length, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(size_t *length, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *length += (size_t)vsnprintf(made.body + *length, BODY - *length, format, args);
    va_end(args);
}

/* What the reference computes, in the body's words. */
static void write_body(void)
{
    static const char *const numbers[] = {"CELL_X", "CELL_Y", "CELL_Z", "(int)LOOP"};
    const struct gzk_stencil *s = &made.stencil;
    size_t n = 0;

    append(&n, "GZ_UPDATE\n{\n");
    if (s->red_black)
        append(&n, "    if ((CELL_X + CELL_Y + CELL_Z + LOOP) %% 2 != 0)\n"
                   "        return AT(0, 0, 0);\n");
    append(&n, "    GZ_T sum = %s", numbers[made.coordinate]);
    for (int k = 0; k < made.count; k++) {
        const struct term *t = &made.terms[k];
        append(&n, " +\n        %d * ", t->weight);
        if (t->array < 0)
            append(&n, "AT(%d, %d, %d)", t->d[0], t->d[1], t->d[2]);
        else
            append(&n, "COEF_AT(%d, %d, %d, %d)", t->array, t->d[0], t->d[1], t->d[2]);
    }
    for (int k = 0; k < s->step_arrays; k++)
        append(&n, " + %d * STEP_AT(%d)", 2 + k, k);
    for (int k = 0; k < s->coefficients; k++)
        append(&n, " + %d * COEF(%d)", k + 1, k);
    if (s->type == GZK_INT)
        append(&n, ";\n    return sum & %d;\n}\n", MODULUS - 1);
    else
        append(&n, ";\n    return sum - %d * (GZ_T)(int)(sum / %d);\n}\n", MODULUS, MODULUS);
}

/* Random distances within the radius; of the state, if the stencil is to be a star along the
 * stream, not both along it and across. */
static void draw_term(struct term *t, int array, bool star)
{
    const struct gzk_stencil *s = &made.stencil;
    int axis = gzk_stream_axis(s);
    bool along = array < 0 && star && one_in(2);

    t->array = array;
    t->weight = draw(1, 9);
    for (int i = 0; i < 3; i++) {
        bool none = array < 0 && star && (i == axis) != along;
        /* Often as far as it goes. */
        int end = one_in(2) ? s->radius[i] : -s->radius[i];
        int any = draw(-s->radius[i], s->radius[i]);
        t->d[i] = none ? 0 : one_in(2) ? end : any;
    }
}

/* Whether no term reads the state in another plane and another column. */
static bool reads_own_column(void)
{
    const struct gzk_stencil *s = &made.stencil;
    int axis = gzk_stream_axis(s);
    bool own = s->radius[axis] > 0;
    for (int k = 0; k < made.count; k++) {
        const int *d = made.terms[k].d;
        bool across = axis == 1 ? d[0] != 0 : d[0] != 0 || d[1] != 0;
        own = own && (made.terms[k].array >= 0 || d[axis] == 0 || !across);
    }
    return own;
}

static const struct gzk_stencil *make_stencil(void)
{
    static const int likely_radii[8] = {0, 1, 1, 1, 1, 2, 2, 3};
    struct gzk_stencil *s = &made.stencil;
    bool star = one_in(2);

    *s = (struct gzk_stencil){.abi = GZK_STENCIL_ABI,
                              .size = sizeof *s,
                              .name = "random",
                              .summary = "a random body",
                              .body = made.body,
                              .dimensions = draw(2, 3),
                              .type = (enum gzk_type)draw(GZK_INT, GZK_DOUBLE),
                              .coefficients = draw(0, 2),
                              .coefficient_arrays = one_in(2) ? draw(1, 2) : 0,
                              .step_arrays = one_in(3) ? draw(1, 2) : 0,
                              .operations = 10,
                              .red_black = one_in(5),
                              .default_size = {1, 1, 1},
                              .default_block = {1, 1, 1},
                              .set_coefficients = set_coefficients,
                              .fill = fill,
                              .reference = reference};
    for (int i = 0; i < 3; i++) {
        s->edge[i] = (enum gzk_edge)draw(0, gzk_edge_count - 1);
        s->radius[i] = i < s->dimensions ? likely_radii[draw(0, 7)] : 0;
        s->default_block[i] = 2 * s->radius[i] + 1;
    }
    if (one_in(2))
        s->edge[1] = s->edge[2] = s->edge[0];
    if (s->radius[0] + s->radius[1] + s->radius[2] == 0)
        s->radius[draw(0, 1)] = 1;
    made.coordinate = draw(0, 3);
    made.count = draw(3, MOST_READS);
    for (int k = 0; k < made.count; k++)
        draw_term(&made.terms[k],
                  one_in(3) && s->coefficient_arrays > 0 ? draw(0, s->coefficient_arrays - 1) : -1,
                  star);
    s->reads.own_column = reads_own_column();
    write_body();
    return s;
}

/* ------------------------------------------------------------------------- random configurations
 */

static const struct gzk_stencil *draw_stencil(void)
{
    const struct gzk_stencil *s;
    if (draw(1, 3) > 1)
        return make_stencil();
    do
        s = gzk_stencils[(size_t)draw(0, (int)gzk_stencil_count - 1)];
    while (s->dimensions < 2);
    return s;
}

static int share(int cells, int parts)
{
    return (cells - 1) / parts + 1;
}

/* How the columns and rows of a streamed tile are given to threads. */
static void draw_layout(struct gzk_config *config, const struct gzk_device_info *device)
{
    const struct gzk_stencil *s = config->stencil;
    int axis = gzk_stream_axis(s), kind = draw(0, 4);
    /* What is unrolled for a CPU's compiler has to be short. */
    bool short_columns = config->height * (2 * s->radius[axis] + 1) <= 12;

    config->layout = GZK_LAYOUT_RING;
    if (kind <= 1 && s->reads.own_column && short_columns) {
        config->layout = GZK_LAYOUT_COLUMNS;
        config->columns = true;
        int own = config->height * (2 * s->radius[axis] + 1) <= 6 ? draw(1, 3) : 1;
        for (int i = 0; i < axis; i++)
            config->threads[i] = share(config->block[i], i == 0 ? own : draw(1, 2));
    } else if (kind <= 2 || !device->is_cpu) {
        for (int i = 0; i < axis; i++)
            config->threads[i] = draw(1, config->block[i] + 1);
    } else {
        config->cpu = true;
        config->bypass = one_in(2);
        if (one_in(3) && axis == 2)
            config->threads[1] = draw(1, 4);
        if (config->threads[1] > 1)
            config->bypass = false;
    }
    while (config->threads[0] * config->threads[1] > device->max_threads)
        config->threads[0] = share(config->threads[0], 2);
}

static void draw_config(struct gzk_config *config, const struct gzk_device *device)
{
    static const enum gzk_variant others[] = {GZK_TRAPEZOID, GZK_TRAPEZOID, GZK_NAIVE, GZK_CELL,
                                              GZK_SHARED};
    const struct gzk_stencil *s = draw_stencil();
    int widest = s->radius[0] > 1 || s->radius[1] > 1 || s->radius[2] > 1 ? 3 : 6;

    *config = (struct gzk_config){.stencil = s, .variant = GZK_STREAM, .height = 1};
    if (one_in(5))
        config->variant = others[draw(0, 4)];
    if (gzk_variants[config->variant].any_height) {
        static const gz_sync syncs[] = {GZ_SYNC_RESTART, GZ_SYNC_FENCE, GZ_SYNC_GRAPH};
        config->sync = syncs[draw(0, device->backend == &gzk_cuda ? 2 : 1)];
        config->height = draw(1, widest);
    }
    for (int i = 0; i < 3; i++) {
        int ghost =
            gzk_variants[config->variant].ghost_in_block ? 2 * s->radius[i] * config->height : 0;
        int inside = one_in(4) ? draw(1, 3) : draw(s->radius[i] + 1, s->dimensions == 2 ? 40 : 16);
        config->block[i] = i < s->dimensions ? inside + ghost : 1;
        config->threads[i] = 1;
    }
    if (gzk_variants[config->variant].streamed) {
        draw_layout(config, &device->info);
        return;
    }
    if (gzk_variants[config->variant].thread_per_cell) {
        for (int i = 0; i < 3; i++)
            config->block[i] = i < s->dimensions ? draw(s->radius[i] + 1, 8) : 1;
        memcpy(config->threads, config->block, sizeof config->threads);
        return;
    }
    for (int i = 0; i < s->dimensions; i++)
        config->threads[i] = draw(1, 5);
}

static void draw_grid(const struct gzk_stencil *s, int size[3])
{
    for (int i = 0; i < 3; i++) {
        int kind = draw(0, 5);
        size[i] = i >= s->dimensions ? 1
                  : kind == 0        ? 1
                  : kind == 1        ? draw(2, 5)
                                     : draw(6, s->dimensions == 2 ? 90 : 26);
    }
}

/* ------------------------------------------------------------------------------------------- runs
 */

struct tally {
    int runs, wrong, programs, refused, refused_badly;
    int kinds[5]; /* of streamed tiles: in rings for a GPU, for a CPU, past its cache, in columns;
                     not streamed */
};

static void note(const struct gzk_config *c, long loops, const char *what,
                 const struct gzk_comparison *found)
{
    char edges[40];
    gzk_edges_text(c->stencil, edges, sizeof edges);
    tap_note(
        "GZ_SEED=%llu: %s, radius %d %d %d, edges %s, variant %s, sync %d, grid %dx%dx%d, block "
        "%dx%dx%d, threads %dx%dx%d, height %d, loops %ld, cpu %d, bypass %d, columns %d: %s, "
        "%zu wrong, first %zu",
        (unsigned long long)seed, c->stencil->name, c->stencil->radius[0], c->stencil->radius[1],
        c->stencil->radius[2], edges, gzk_variants[c->variant].name, (int)c->sync, c->size[0],
        c->size[1], c->size[2], c->block[0], c->block[1], c->block[2], c->threads[0], c->threads[1],
        c->threads[2], c->height, loops, c->cpu, c->bypass, c->columns, what, found->wrong,
        found->first_wrong);
}

/* One grid, with two numbers of loops. */
static void run_grid(struct gzk_device *device, struct gzk_config *config, struct tally *tally)
{
    struct gzk_session *session = NULL;
    struct gzk_data data;
    struct gzk_error error = {0};
    size_t bytes;

    draw_grid(config->stencil, config->size);
    if (gzk_data_new(&data, config->stencil, config->size, MOST_LOOPS, seed) != 0) {
        tally->wrong++;
        return;
    }
    bytes = data.cells * gzk_type_bytes(config->stencil->type);
    void *result = malloc(bytes), *expected = malloc(bytes);
    int status = gzk_session_new(device, config->stencil, &data, &session, &error);
    for (int k = 0; k < RUNS && status == 0; k++) {
        struct gzk_comparison comparison = {0};
        double seconds;
        config->loops = k == 0 ? draw(1, config->height) : draw(config->height, 3 * config->height);
        struct gzk_serial serial = {config->stencil, &data, config->loops};
        status = gzk_session_run(session, config, &never, &seconds, &error);
        if (status == 0)
            status = gzk_session_read(session, result, &error);
        if (status == 0)
            status = gzk_reference_run(&serial, expected, NULL, &error);
        if (status == 0)
            gzk_compare(&serial, result, expected, false, &comparison);
        tally->runs++;
        if (comparison.wrong > 0 && tally->wrong++ < 3) {
            note(config, config->loops, "ran", &comparison);
            tap_note("%s", config->stencil->body);
        }
    }
    if (status != 0 && tally->wrong++ < 3)
        note(config, config->loops, error.text, &(struct gzk_comparison){0});
    gzk_session_free(session);
    gzk_data_free(&data);
    free(result);
    free(expected);
}

/* Whether the device has to refuse the tile; if so, whether it does, with a height that fits. */
static bool is_refused(struct gzk_device *device, const struct gzk_config *drawn_config,
                       struct tally *tally)
{
    struct gzk_config config = *drawn_config;
    struct gzk_geometry geometry;
    const struct gzk_program *program;
    struct gzk_error error = {0};
    char says[60] = "smaller --block";

    for (int i = 0; i < 3; i++)
        config.size[i] = 1;
    config.loops = 1;
    if (gzk_geometry_make(&config, &geometry, &error) == 0 &&
        geometry.local_bytes <= device->info.local_bytes)
        return false;
    tally->refused++;
    int most = config.variant == GZK_STREAM
                   ? gzk_stream_max_height(&config, device->info.local_bytes, device->info.is_cpu)
                   : 0;
    if (most > 0)
        snprintf(says, sizeof says, "at most height %d", most);
    if (gzk_device_program(device, &config, &program, &error) != GZK_INVALID ||
        !strstr(error.text, says) || strchr(error.text, '\n')) {
        tally->refused_badly++;
        tap_note("GZ_SEED=%llu: %s", (unsigned long long)seed, error.text);
    }
    return true;
}

static void run_case(struct gzk_device *device, struct tally *tally)
{
    struct gzk_config config;

    drawn = 0;
    draw_config(&config, device);
    if (is_refused(device, &config, tally))
        return;
    tally->programs++;
    tally->kinds[config.variant != GZK_STREAM ? 4
                 : config.columns             ? 3
                 : config.bypass              ? 2
                 : config.cpu                 ? 1
                                              : 0]++;
    for (int g = 0; g < GRIDS; g++)
        run_grid(device, &config, tally);
}

int main(void)
{
    const char *first = getenv("GZ_SEED"), *number = getenv("GZ_CASES");
    uint64_t begin = first ? strtoull(first, NULL, 10) : 1;
    int cases = number ? atoi(number) : tap_bulk(CASES, MANY);
    struct tally tally = {0};

    struct gzk_device *device = test_device_open();
    tap_plan(2);
    tap_note("GZ_SEED=%llu GZ_CASES=%d on %s", (unsigned long long)begin, cases, device->info.name);
    for (int k = 0; k < cases; k++) {
        seed = begin + (uint64_t)k;
        /* Programs are kept by the address of the body, of which there is one. */
        gzk_device_close(device);
        device = test_device_open();
        run_case(device, &tally);
    }
    tap_ok(tally.runs > 0 && tally.wrong == 0,
           "bit for bit: %d runs of %d programs, streamed in rings %d for a GPU, %d for a CPU, %d "
           "past "
           "its cache, %d in columns; %d not streamed",
           tally.runs, tally.programs, tally.kinds[0], tally.kinds[1], tally.kinds[2],
           tally.kinds[3], tally.kinds[4]);
    tap_ok(tally.refused_badly == 0, "what does not fit is refused with a height that does (%d)",
           tally.refused);
    gzk_device_close(device);
    return tap_done();
}
