/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streamed tiles on OpenCL against the serial reference, bit for bit: every stencil of two and
 * three dimensions, heights of one tile (all by `make check-all`) and one of a larger, pieces of
 * one plane, of a few, and of all, laid out for a GPU and for a CPU, on grids that are not
 * multiples, smaller than a tile, and one cell wide, with fewer loops than the height. GZ_SEED in
 * the environment repeats a run; the seed is printed.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

#include <time.h>

static const volatile sig_atomic_t never = 0;

/* Stencils that no application has, in two and three dimensions and with each edge rule: they read
 * everything that a body may read, at the ends of radii that differ by dimension. */
static const char probe_2d[] =
    "GZ_UPDATE\n{\n"
    "    int sum = 3 * AT(0, 0, 0) + 5 * AT(-2, 1, 0) + 7 * AT(1, -3, 0) + 9 * AT(2, 3, 0) +\n"
    "              11 * COEF_AT(0, -2, -3, 0) + 13 * COEF_AT(1, 1, 2, 0) + STEP_AT(0) +\n"
    "              15 * STEP_AT(1) + COEF(0) * CELL_X + COEF(1) * CELL_Y + (int)LOOP;\n"
    "    return sum & 1023;\n}\n";
static const char probe_3d[] =
    "GZ_UPDATE\n{\n"
    "    int sum = 3 * AT(0, 0, 0) + 5 * AT(-2, 1, 2) + 7 * AT(1, -1, -2) + 9 * AT(2, 1, -1) +\n"
    "              11 * COEF_AT(0, 2, 1, -2) + 13 * COEF_AT(1, -1, -1, 2) + STEP_AT(0) +\n"
    "              15 * STEP_AT(1) + COEF(0) * CELL_X + COEF(1) * CELL_Y + 19 * CELL_Z +\n"
    "              (int)LOOP;\n"
    "    return sum & 1023;\n}\n";

static void probe_coefficients(struct gzk_data *data)
{
    int *coefficients = data->coefficients;
    coefficients[0] = 17;
    coefficients[1] = 23;
}

static void probe_fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state, *aux = data->aux;
    for (size_t i = 0; i < data->cells; i++)
        state[i] = (int)(gzk_random(seed, i) % 1024);
    for (size_t i = 0; i < data->stride * (2 + 2 * (size_t)data->loops); i++)
        aux[i] = (int)(gzk_random(seed + 1, i) % 1024);
}

/* With the two buffers' borders behind the coefficient arrays, the first buffer's its state. */
static void probe_fill_kept(struct gzk_data *data, uint64_t seed)
{
    int *aux = data->aux;
    probe_fill(data, seed);
    for (size_t i = 0; i < data->stride * 2 * (size_t)data->loops; i++)
        aux[data->stride * 4 + i] = (int)(gzk_random(seed + 2, i) % 1024);
    memcpy(aux + 2 * data->stride, data->state, data->cells * sizeof(int));
}

/* Element (x, y, z) of an array, which may lie outside the grid. */
static int element(const struct gzk_data *data, enum gzk_edge edge, const int *array, int x, int y,
                   int z)
{
    int place[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        int extent = data->size[i];
        if ((place[i] < 0 || place[i] >= extent) &&
            (edge == GZK_EDGE_ZERO || edge == GZK_EDGE_KEEP))
            return 0;
        if (edge == GZK_EDGE_CLAMP)
            place[i] = place[i] < 0 ? 0 : place[i] >= extent ? extent - 1 : place[i];
        else
            place[i] = (place[i] % extent + extent) % extent;
    }
    return array[(place[2] * data->size[1] + place[1]) * data->size[0] + place[0]];
}

/* Whether a cell lies in the grid's border, under kept edges. */
static bool is_kept(const struct gzk_data *data, bool is_3d, int x, int y, int z)
{
    const int *n = data->size;
    int ry = is_3d ? 1 : 3, rz = is_3d ? 2 : 0;
    return x < 2 || x >= n[0] - 2 || y < ry || y >= n[1] - ry || z < rz || z >= n[2] - rz;
}

static void probe_loop(const struct gzk_data *data, enum gzk_edge edge, bool is_3d, long loop,
                       const int *from, int *to)
{
    const int *coef[2] = {data->aux, (const int *)data->aux + data->stride};
    bool keeps = edge == GZK_EDGE_KEEP;
    const int *border = coef[0] + (2 + (size_t)(loop + 1) % 2) * data->stride;
    const int *step = coef[0] + ((keeps ? 4 : 2) + 2 * (size_t)loop) * data->stride;
    size_t i = 0;

    for (int z = 0; z < data->size[2]; z++)
        for (int y = 0; y < data->size[1]; y++)
            for (int x = 0; x < data->size[0]; x++, i++) {
                int sum = 3 * from[i] + step[i] + 15 * step[data->stride + i] + 17 * x + 23 * y +
                          (int)loop;
                if (is_3d)
                    sum += 5 * element(data, edge, from, x - 2, y + 1, z + 2) +
                           7 * element(data, edge, from, x + 1, y - 1, z - 2) +
                           9 * element(data, edge, from, x + 2, y + 1, z - 1) +
                           11 * element(data, edge, coef[0], x + 2, y + 1, z - 2) +
                           13 * element(data, edge, coef[1], x - 1, y - 1, z + 2) + 19 * z;
                else
                    sum += 5 * element(data, edge, from, x - 2, y + 1, 0) +
                           7 * element(data, edge, from, x + 1, y - 3, 0) +
                           9 * element(data, edge, from, x + 2, y + 3, 0) +
                           11 * element(data, edge, coef[0], x - 2, y - 3, 0) +
                           13 * element(data, edge, coef[1], x + 1, y + 2, 0);
                to[i] = keeps && is_kept(data, is_3d, x, y, z) ? border[i] : sum & 1023;
            }
}

#define PROBE(name, edge, is_3d)                                                                   \
    static void name(const struct gzk_data *data, long loop, const void *from, void *to)           \
    {                                                                                              \
        probe_loop(data, edge, is_3d, loop, from, to);                                             \
    }
PROBE(clamp_2d, GZK_EDGE_CLAMP, false)
PROBE(zero_2d, GZK_EDGE_ZERO, false)
PROBE(periodic_2d, GZK_EDGE_PERIODIC, false)
PROBE(keep_2d, GZK_EDGE_KEEP, false)
PROBE(keep_3d, GZK_EDGE_KEEP, true)
PROBE(clamp_3d, GZK_EDGE_CLAMP, true)
PROBE(zero_3d, GZK_EDGE_ZERO, true)
PROBE(periodic_3d, GZK_EDGE_PERIODIC, true)

static const struct {
    const char *name;
    enum gzk_edge edge;
    int dimensions;
    void (*reference)(const struct gzk_data *data, long loop, const void *from, void *to);
} probes[] = {
    {"probe, two dimensions, clamp", GZK_EDGE_CLAMP, 2, clamp_2d},
    {"probe, two dimensions, zero", GZK_EDGE_ZERO, 2, zero_2d},
    {"probe, two dimensions, periodic", GZK_EDGE_PERIODIC, 2, periodic_2d},
    {"probe, two dimensions, keep", GZK_EDGE_KEEP, 2, keep_2d},
    {"probe, three dimensions, keep", GZK_EDGE_KEEP, 3, keep_3d},
    {"probe, three dimensions, clamp", GZK_EDGE_CLAMP, 3, clamp_3d},
    {"probe, three dimensions, zero", GZK_EDGE_ZERO, 3, zero_3d},
    {"probe, three dimensions, periodic", GZK_EDGE_PERIODIC, 3, periodic_3d},
};
enum { PROBES = sizeof probes / sizeof *probes };

static struct gzk_stencil probe(int i)
{
    bool is_3d = probes[i].dimensions == 3;
    return (struct gzk_stencil){.abi = GZK_STENCIL_ABI,
                                .size = sizeof(struct gzk_stencil),
                                .name = probes[i].name,
                                .summary = "everything that a body may read",
                                .dimensions = probes[i].dimensions,
                                .radius = {2, is_3d ? 1 : 3, is_3d ? 2 : 0},
                                .type = GZK_INT,
                                .edge = {probes[i].edge, probes[i].edge, probes[i].edge},
                                .coefficient_arrays = 2,
                                .step_arrays = 2,
                                .coefficients = 2,
                                .body = is_3d ? probe_3d : probe_2d,
                                .set_coefficients = probe_coefficients,
                                .fill =
                                    probes[i].edge == GZK_EDGE_KEEP ? probe_fill_kept : probe_fill,
                                .reference = probes[i].reference};
}

/* By the number of dimensions, for a radius of 1. */
static const int blocks[4][3] = {{0}, {0}, {13, 1, 1}, {9, 11, 1}};
static const int large_blocks[4][3] = {{0}, {0}, {61, 1, 1}, {33, 18, 1}};
enum { GRIDS = 5, PIECES = 3, LAYOUTS = 5, GPU_LAYOUTS = 3 };
static const int pieces[PIECES] = {1, 7, 100};
static const int grids[4][GRIDS][3] = {
    {{0}},
    {{0}},
    {{29, 37, 1}, {5, 3, 1}, {1, 23, 1}, {131, 1, 1}, {66, 20, 1}},
    {{13, 17, 11}, {2, 3, 4}, {1, 1, 9}, {67, 1, 6}, {35, 19, 1}},
};

/* A stencil's grids with what the reference makes of them. */
struct grid {
    struct gzk_data data;
    struct gzk_session *session;
    void *reference[3]; /* after each of the last loop counts */
    long loops[3];
};

struct tally {
    int runs, wrong;
};

static void check(struct grid *grid, int which, struct gzk_config *config, struct tally *tally)
{
    size_t bytes = grid->data.cells * gzk_type_bytes(config->stencil->type);
    void *result = malloc(bytes);
    struct gzk_comparison c = {0};
    struct gzk_error error = {0};
    double seconds;

    tally->runs++;
    config->loops = grid->loops[which];
    memcpy(config->size, grid->data.size, sizeof config->size);
    int status = gzk_session_run(grid->session, config, &never, &seconds, &error);
    if (status == 0)
        status = gzk_session_read(grid->session, result, &error);
    if (status == 0)
        gzk_compare(&(struct gzk_serial){config->stencil, &grid->data, config->loops}, result,
                    grid->reference[which], false, &c);
    if ((status != 0 || c.wrong > 0) && tally->wrong++ == 0)
        tap_note("%s grid %dx%dx%d block %dx%dx%d threads %dx%dx%d sync %d height %d loops %ld cpu "
                 "%d bypass %d: %s, %zu wrong, first %zu, error %g",
                 config->stencil->name, config->size[0], config->size[1], config->size[2],
                 config->block[0], config->block[1], config->block[2], config->threads[0],
                 config->threads[1], config->threads[2], (int)config->sync, config->height,
                 config->loops, config->cpu, config->bypass, status ? error.text : "ran", c.wrong,
                 c.first_wrong, c.max_error);
    free(result);
}

/* The device's: a GPU has no layouts for a CPU, takes only so many threads, and has only so much
 * local memory. */
static bool is_cpu;
static int max_threads;
static size_t local_bytes;

static bool fits(struct gzk_config config)
{
    struct gzk_geometry geometry;
    struct gzk_error ignored;
    memcpy(config.size, grids[config.stencil->dimensions][0], sizeof config.size);
    config.loops = 1;
    return gzk_geometry_make(&config, &geometry, &ignored) == 0 &&
           geometry.local_bytes <= local_bytes;
}

/* How the threads and rows of a configuration are laid out. */
static void lay_out(struct gzk_config *config, int layout)
{
    int axis = config->stencil->dimensions - 1;

    layout %= is_cpu ? LAYOUTS : GPU_LAYOUTS;
    if (layout == 2 && config->block[0] * (axis > 1 ? config->block[1] : 1) > max_threads)
        layout = 0;
    config->cpu = layout >= 3;
    config->bypass = layout == 4;
    for (int i = 0; i < 3; i++)
        config->threads[i] = i >= axis || layout == 1 || config->cpu ? 1
                             : layout == 0                           ? 5 - 2 * i
                                                                     : config->block[i];
}

static void check_grids(struct grid *grids_made, struct gzk_config *config, struct tally *tally)
{
    for (int g = 0; g < GRIDS; g++) {
        struct gzk_error error = {0};
        long loops[3] = {1, config->height, 2L * config->height + 1};
        for (int l = 0; l < 3; l++) {
            struct grid *grid = &grids_made[g];
            if (grid->loops[l] != loops[l]) {
                grid->loops[l] = loops[l];
                gzk_reference_run(&(struct gzk_serial){config->stencil, &grid->data, loops[l]},
                                  grid->reference[l], NULL, &error);
            }
            check(grid, l, config, tally);
        }
    }
}

static void set_block(struct gzk_config *config, const int block[3], int piece)
{
    int axis = config->stencil->dimensions - 1;
    for (int i = 0; i < 3; i++) {
        int radius = config->stencil->radius[i];
        config->block[i] = i < axis    ? block[i] + (radius > 1 ? 4 * (radius - 1) : 0)
                           : i == axis ? piece + 2 * radius * config->height
                                       : 1;
    }
}

/* All heights of a small tile, or the largest of a large tile, each in `layouts` layouts: a program
 * has to be compiled for each, so that layouts and pieces rotate. */
static struct tally check_heights(struct grid *made, struct gzk_config config, bool large,
                                  int layouts)
{
    struct tally tally = {0};
    int turn = large ? 3 : (int)config.sync;
    const int *block = (large ? large_blocks : blocks)[config.stencil->dimensions];
    int radius = config.stencil->radius[0];
    int extent = block[0] + 4 * (radius - 1), most = (extent - 1) / (2 * radius);

    if (config.stencil->dimensions == 3)
        most = (block[1] + 4 * (radius - 1) - 1) / (2 * radius) < most
                   ? (block[1] + 4 * (radius - 1) - 1) / (2 * radius)
                   : most;
    if (config.sync == GZ_SYNC_FENCE && most > 2)
        most = 2;
    for (config.height = large || tap_bulk(1, 0) ? most : 1; config.height <= most; config.height++)
        for (int n = 0; n < layouts; n++, turn++) {
            struct gzk_config tile = config;
            int piece = pieces[(config.height + turn) % PIECES];
            set_block(&tile, block, piece);
            lay_out(&tile, turn);
            while (large && tile.height > 1 && !fits(tile)) {
                tile.height--;
                set_block(&tile, block, piece);
            }
            check_grids(made, &tile, &tally);
        }
    return tally;
}

static int make_grids(struct gzk_device *device, const struct gzk_stencil *stencil, uint64_t seed,
                      struct grid made[GRIDS])
{
    enum { MOST_LOOPS = 64 };
    memset(made, 0, GRIDS * sizeof *made);
    for (int g = 0; g < GRIDS; g++) {
        struct gzk_error error = {0};
        if (gzk_data_new(&made[g].data, stencil, grids[stencil->dimensions][g], MOST_LOOPS,
                         seed + (uint64_t)g) != 0 ||
            gzk_session_new(device, stencil, &made[g].data, &made[g].session, &error) != 0)
            return -1;
        for (int l = 0; l < 3; l++)
            made[g].reference[l] = malloc(made[g].data.cells * gzk_type_bytes(stencil->type));
    }
    return 0;
}

static void free_grids(struct grid made[GRIDS])
{
    for (int g = 0; g < GRIDS; g++) {
        for (int l = 0; l < 3; l++)
            free(made[g].reference[l]);
        gzk_session_free(made[g].session);
        gzk_data_free(&made[g].data);
    }
}

/* One stencil, in small tiles, in large ones and with fences; of these, unless there is time for
 * all, the `turn`-th. */
enum { KINDS = 3 };
static void check_stencil(struct gzk_device *device, const struct gzk_stencil *stencil, int turn,
                          uint64_t seed)
{
    struct gzk_config config = {.stencil = stencil, .variant = GZK_STREAM};
    struct grid made[GRIDS];
    struct tally tally;

    if (make_grids(device, stencil, seed, made) == 0) {
        if (tap_bulk(turn % KINDS == 0, 1)) {
            tally = check_heights(made, config, false, 1);
            tap_ok(tally.runs > 0 && tally.wrong == 0,
                   "%s: restart, small tiles, bit for bit (%d runs)", stencil->name, tally.runs);
        }
        if (tap_bulk(turn % KINDS == 1, 1)) {
            test_device_compile(true);
            tally = check_heights(made, config, true, tap_bulk(1, 2));
            test_device_compile(false);
            tap_ok(tally.runs > 0 && tally.wrong == 0,
                   "%s: restart, large tiles, bit for bit (%d runs)", stencil->name, tally.runs);
        }
        config.sync = GZ_SYNC_FENCE;
        if (tap_bulk(turn % KINDS == 2, 1)) {
            tally = check_heights(made, config, false, 1);
            tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: fence, bit for bit (%d runs)",
                   stencil->name, tally.runs);
        }
    }
    free_grids(made);
}

int main(void)
{
    const char *given = getenv("GZ_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    int streamed = 0;

    struct gzk_device *device = test_device_open_for_bits();
    is_cpu = device->info.is_cpu;
    max_threads = device->info.max_threads;
    local_bytes = device->info.local_bytes;
    for (size_t i = 0; i < gzk_stencil_count; i++)
        streamed += gzk_stencils[i]->dimensions > 1;
    tap_plan(tap_bulk(1, KINDS) * (streamed + PROBES));
    tap_note("GZ_SEED=%llu on %s", (unsigned long long)seed, device->info.name);
    for (size_t i = 0; i < gzk_stencil_count; i++)
        if (gzk_stencils[i]->dimensions > 1)
            check_stencil(device, gzk_stencils[i], (int)i, seed);
    for (int i = 0; i < PROBES; i++) {
        struct gzk_stencil stencil = probe(i);
        check_stencil(device, &stencil, i, seed + 10);
    }
    gzk_device_close(device);
    return tap_done();
}
