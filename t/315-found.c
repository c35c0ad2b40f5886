/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cells of a loop measure together, as streamed tiles find it: the largest or the sum over
 * all cells, each counted once, whatever threads share a row, on a grid that is no multiple of a
 * tile. Sums of doubles by several threads have the order of their tree.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

#include <math.h>

/* The grid, its tiles of height 2, and the most threads. */
enum { NX = 45, NY = 37, BX = 20, BY = 18, ACROSS = 3, DOWN = 3, THREADS = 7 };

/* The same of two states. */
static double found(int measure, const float *to, const float *from, size_t cells)
{
    double all = 0;
    for (size_t i = 0; i < cells; i++) {
        double far = fabs((double)to[i] - (double)from[i]);
        all = measure < 3 ? fmax(all, far) : all + (measure == 3 ? far : to[i] > from[i]);
    }
    return all;
}

/* The sum of so many threads or tiles, as restart_measured.knl joins them. */
static double joined(double *of, int count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (int i = 0, apart = (count + 1) / 2; i + apart < count; i++)
            of[i] += of[i + apart];
    return of[0];
}

/* The sum by so many threads a row, in that order. */
static double sum_in_order(const float *to, const float *from, int threads)
{
    double tiles[THREADS] = {0};
    for (int tile = 0; tile < ACROSS * DOWN; tile++) {
        int x0 = tile % ACROSS * (BX - 4), y0 = tile / ACROSS * (BY - 4);
        double of[THREADS] = {0};
        for (int y = y0; y < y0 + BY - 4 && y < NY; y++)
            for (int x = x0; x < x0 + BX - 4 && x < NX; x++) /* a row's first cell lies before x0 */
                of[(x - x0 + (x0 > 0)) % threads] +=
                    fabs((double)to[y * NX + x] - (double)from[y * NX + x]);
        tiles[tile % threads] += joined(of, threads);
    }
    return joined(tiles, threads);
}

/* Whether each of two loops of a stage finds what the states before and after it tell. */
static bool finds(struct gzk_device *device, int measure, int threads, struct gzk_error *error)
{
    struct gzk_stencil stencil = *gzk_stencil_find("poisson");
    char body[2000];
    struct gzk_config config = {.stencil = &stencil,
                                .variant = GZK_STREAM,
                                .height = 2,
                                .loops = 2,
                                .size = {NX, NY, 1},
                                .block = {BX, BY, 1},
                                .threads = {threads, 1, 1},
                                .cpu = threads == 1 && device->info.is_cpu};
    struct gzk_data data;
    struct gzk_session *session = NULL;
    struct gzk_plan *plan = NULL;
    union gzk_found got[2] = {{0}, {0}};
    double want[2] = {-1, -1}, seconds;
    static const char *const values[] = {"fabs((double)NEW - OLD)", "fabs(NEW - OLD)",
                                         "fabs((double)NEW - OLD)", "NEW > OLD"};

    if (snprintf(body, sizeof body, "%s\nGZ_MEASURE\n{\n    return %s;\n}\n", stencil.body,
                 values[measure - 1]) < 0 ||
        gzk_data_new(&data, &stencil, config.size, config.loops, 1) != 0)
        exit(1);
    stencil.body = body;
    stencil.measure = measure;
    float *states = calloc(3 * data.cells, sizeof *states);
    memcpy(states, data.state, data.cells * sizeof *states);
    int status = gzk_session_new(device, &stencil, &data, &session, error);
    status = status == 0 ? gzk_plan_new(session, &config, &plan, error) : status;
    status = status == 0 ? gzk_session_reset(session, error) : status;
    for (int loop = 0; loop < 2 && status == 0; loop++) {
        float *to = states + ((size_t)loop + 1) * data.cells;
        status = gzk_plan_advance(plan, loop, 1, &gzk_never, &seconds, error);
        status = status == 0 ? gzk_session_read(session, to, error) : status;
        want[loop] = measure == 3 && threads > 1 ? sum_in_order(to, to - data.cells, threads)
                                                 : found(measure, to, to - data.cells, data.cells);
    }
    status = status == 0 ? gzk_session_reset(session, error) : status;
    status = status == 0 ? gzk_plan_advance(plan, 0, 2, &gzk_never, &seconds, error) : status;
    status = status == 0 ? gzk_plan_found(plan, 2, got, error) : status;
    bool equal = status == 0;
    for (int loop = 0; loop < 2; loop++) {
        double number = measure == 4 ? (double)got[loop].whole : got[loop].number;
        equal = equal && fabs(number - want[loop]) <=
                             (measure == 3 && threads == 1 ? 1e-12 * want[loop] : 0);
    }
    gzk_plan_free(plan);
    gzk_session_free(session);
    gzk_data_free(&data);
    free(states);
    return equal;
}

int main(void)
{
    static const char *const names[] = {"the largest double", "the largest float",
                                        "the sum of doubles", "the sum of whole numbers"};
    struct gzk_device *device = test_device_open_for_bits();
    struct gzk_error error = {.text = ""};
    for (int measure = 1; measure <= 4; measure++)
        for (int threads = 1; threads <= THREADS; threads += THREADS - 1)
            if (tap_bulk(threads > 1 && measure % 2 == 0, 1))
                tap_ok(finds(device, measure, threads, &error), "%s by %d threads a row %s",
                       names[measure - 1], threads, error.text);
    gzk_device_close(device);
    return tap_done();
}
