/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the four stencils do not use, but others may: radius 2 and different radii by dimension,
 * double precision, several arrays that do not change and are read at neighbours, several per-step
 * arrays, coefficients, the cell's coordinates and the loop's number, all edge rules. Each stencil
 * here is what a new one costs: a body, a reference, a row.
 */
#include "test_device.h"
#include "timing.h"

static const volatile sig_atomic_t never = 0;

/* The edge rule that the reference is to follow: the one of the stencil under test. */
static enum gzk_edge rule;

/* The coordinate inside the grid that `i` means, or -1 for none. */
static int inside(int i, int extent)
{
    if (i >= 0 && i < extent)
        return i;
    if (rule == GZK_EDGE_CLAMP)
        return i < 0 ? 0 : extent - 1;
    return rule == GZK_EDGE_PERIODIC ? (i % extent + extent) % extent : -1;
}

/* The element at (x, y, z), which may lie outside the grid, of an array of doubles. */
static double at(const struct gzk_data *data, const void *array, int x, int y, int z)
{
    const int *n = data->size;
    x = inside(x, n[0]);
    y = inside(y, n[1]);
    z = inside(z, n[2]);
    return x < 0 || y < 0 || z < 0 ? 0 : ((const double *)array)[(z * n[1] + y) * n[0] + x];
}

static void fill_all(struct gzk_data *data, size_t arrays, uint64_t seed)
{
    for (size_t i = 0; i < data->cells; i++)
        ((double *)data->state)[i] = gzk_random_double(seed, i);
    for (size_t i = 0; i < arrays * data->stride; i++)
        ((double *)data->aux)[i] = gzk_random_double(seed + 1, i);
}

static void set_coefficients(struct gzk_data *data)
{
    ((double *)data->coefficients)[0] = 0.125;
    ((double *)data->coefficients)[1] = 0.3;
}

/* A star of radius 2 in three dimensions with two variable coefficients, in double. */
static const char star_body[] =
    "GZ_UPDATE\n"
    "{\n"
    "    GZ_T far = AT(-2, 0, 0) + AT(2, 0, 0) + AT(0, -2, 0) + AT(0, 2, 0) + AT(0, 0, -2) +\n"
    "               AT(0, 0, 2);\n"
    "    GZ_T flow = COEF_AT(0, 1, 0, 0) * (AT(1, 0, 0) - AT(0, 0, 0)) -\n"
    "                COEF_AT(1, 0, -1, 0) * (AT(0, 0, 0) - AT(0, -1, 0));\n"
    "    return AT(0, 0, 0) * COEF(1) + COEF(0) * (far + flow);\n"
    "}\n";

static void star_fill(struct gzk_data *data, uint64_t seed)
{
    fill_all(data, 2, seed);
}

static void star_reference(const struct gzk_data *data, long loop, const void *u, void *to)
{
    const double *c = data->coefficients, *a = data->aux, *b = a + data->stride;
    double *out = to;
    (void)loop;
    for (int z = 0; z < data->size[2]; z++)
        for (int y = 0; y < data->size[1]; y++)
            for (int x = 0; x < data->size[0]; x++) {
                double far = at(data, u, x - 2, y, z) + at(data, u, x + 2, y, z) +
                             at(data, u, x, y - 2, z) + at(data, u, x, y + 2, z) +
                             at(data, u, x, y, z - 2) + at(data, u, x, y, z + 2);
                double flow =
                    at(data, a, x + 1, y, z) * (at(data, u, x + 1, y, z) - at(data, u, x, y, z)) -
                    at(data, b, x, y - 1, z) * (at(data, u, x, y, z) - at(data, u, x, y - 1, z));
                *out++ = at(data, u, x, y, z) * c[1] + c[0] * (far + flow);
            }
}

/* Red and black cells by turns, as Gauss-Seidel's smoother has them, radius 1 in x and 2 in y, with
 * two per-step arrays. */
static const char turns_body[] =
    "GZ_UPDATE\n"
    "{\n"
    "    if ((CELL_X + CELL_Y + LOOP) % 2 != 0)\n"
    "        return AT(0, 0, 0);\n"
    "    return (AT(-1, 0, 0) + AT(1, 0, 0) + AT(0, -2, 0) + AT(0, 2, 0) +\n"
    "            STEP_AT(0) - STEP_AT(1)) * COEF(0);\n"
    "}\n";

static void turns_fill(struct gzk_data *data, uint64_t seed)
{
    fill_all(data, 2 * (size_t)data->loops, seed);
}

static void turns_reference(const struct gzk_data *data, long loop, const void *u, void *to)
{
    const double *c = data->coefficients;
    const double *per_step = (const double *)data->aux + 2 * (size_t)loop * data->stride;
    double *out = to;
    for (int y = 0; y < data->size[1]; y++)
        for (int x = 0; x < data->size[0]; x++, out++) {
            double here = at(data, u, x, y, 0);
            *out = here;
            if ((x + y + loop) % 2 == 0)
                *out = (at(data, u, x - 1, y, 0) + at(data, u, x + 1, y, 0) +
                        at(data, u, x, y - 2, 0) + at(data, u, x, y + 2, 0) +
                        at(data, per_step, x, y, 0) - at(data, per_step + data->stride, x, y, 0)) *
                       c[0];
        }
}

static const struct gzk_stencil stencils[] = {
    {.name = "star",
     .dimensions = 3,
     .radius = {2, 2, 2},
     .type = GZK_DOUBLE,
     .coefficient_arrays = 2,
     .coefficients = 2,
     .operations = 12,
     .ulp_per_loop = 4,
     .default_size = {11, 5, 13},
     .default_block = {11, 10, 9},
     .body = star_body,
     .set_coefficients = set_coefficients,
     .fill = star_fill,
     .reference = star_reference},
    {.name = "turns",
     .dimensions = 2,
     .radius = {1, 2, 0},
     .type = GZK_DOUBLE,
     .step_arrays = 2,
     .coefficients = 1,
     .operations = 6,
     .ulp_per_loop = 4,
     .default_size = {33, 21, 1},
     .default_block = {10, 13, 1},
     .body = turns_body,
     .set_coefficients = set_coefficients,
     .fill = turns_fill,
     .reference = turns_reference},
};
enum { STENCILS = sizeof stencils / sizeof *stencils };

/* Whether one configuration's result is the reference's. */
static int right(struct gzk_device *device, const struct gzk_config *config)
{
    struct gzk_data data;
    struct gzk_session *session = NULL;
    struct gzk_comparison comparison = {.wrong = 1};
    struct gzk_error error = {0};
    double seconds;

    gzk_data_new(&data, config->stencil, config->size, config->loops, 3);
    double *result = malloc(data.cells * sizeof *result);
    double *reference = malloc(data.cells * sizeof *reference);
    int status = gzk_session_new(device, config->stencil, &data, &session, &error);
    if (status == 0)
        status = gzk_session_run(session, config, &never, &seconds, &error);
    if (status == 0)
        status = gzk_session_read(session, result, &error);
    if (status == 0) {
        struct gzk_serial serial = {config->stencil, &data, config->loops};
        gzk_reference_run(&serial, reference, NULL, &error);
        gzk_compare(&serial, result, reference, config->contract, &comparison);
    }
    if (status != 0 || comparison.wrong > 0)
        tap_note("%s height %d: %s, %zu wrong, first %zu, error %g", config->stencil->name,
                 config->height, status ? error.text : "ran", comparison.wrong,
                 comparison.first_wrong, comparison.max_error);
    gzk_session_free(session);
    gzk_data_free(&data);
    free(result);
    free(reference);
    return status == 0 && comparison.wrong == 0;
}

static void check(struct gzk_device *device, const struct gzk_stencil *stencil)
{
    static const char *const rules[] = {"clamped", "zero", "periodic"};
    struct gzk_config config = {.stencil = stencil, .loops = 7};
    int most = gzk_max_height(stencil, stencil->default_block), good = 1;
    int least = rule == GZK_EDGE_CLAMP ? 1 : most;

    memcpy(config.size, stencil->default_size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    memcpy(config.threads, stencil->dimensions == 3 ? (int[]){4, 3, 2} : (int[]){4, 3, 1},
           sizeof config.threads);
    for (config.height = least; config.height <= most; config.height++)
        good = right(device, &config) && good;
    tap_ok(good, "%s, %s: heights %d to %d, bit for bit", stencil->name, rules[rule], least, most);
    config.height = most;
    config.sync = GZ_SYNC_FENCE;
    tap_ok(right(device, &config), "%s, %s: fence", stencil->name, rules[rule]);
    config.sync = GZ_SYNC_RESTART;
    config.variant = GZK_NAIVE;
    config.height = 1;
    tap_ok(right(device, &config), "%s, %s: the naive kernel", stencil->name, rules[rule]);
    config.variant = GZK_SHARED;
    gzk_default_threads(&config, device->info.max_threads, true);
    tap_ok(right(device, &config), "%s, %s: one loop in local memory", stencil->name, rules[rule]);
}

int main(void)
{
    struct gzk_device *device = test_device_open_for_bits();
    tap_plan(4 * 3 * STENCILS);
    for (size_t i = 0; i < STENCILS; i++)
        for (rule = GZK_EDGE_CLAMP; rule <= GZK_EDGE_PERIODIC; rule++) {
            struct gzk_stencil stencil = stencils[i];
            for (int d = 0; d < 3; d++)
                stencil.edge[d] = rule;
            check(device, &stencil);
        }
    gzk_device_close(device);
    return tap_done();
}
