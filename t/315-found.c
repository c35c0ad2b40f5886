/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cells of a loop measure together, as streamed tiles find it: the largest or the sum over
 * all cells, each counted once, whatever threads share a row, on a grid that is no multiple of a
 * tile.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

#include <math.h>

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

/* Whether each of two loops of a stage finds what the states before and after it tell. */
static bool finds(struct gzk_device *device, int measure, int threads, struct gzk_error *error)
{
    struct gzk_stencil stencil = *gzk_stencil_find("poisson");
    char body[2000];
    struct gzk_config config = {.stencil = &stencil,
                                .variant = GZK_STREAM,
                                .height = 2,
                                .loops = 2,
                                .size = {45, 37, 1},
                                .block = {20, 18, 1},
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
        want[loop] = found(measure, to, to - data.cells, data.cells);
    }
    status = status == 0 ? gzk_session_reset(session, error) : status;
    status = status == 0 ? gzk_plan_advance(plan, 0, 2, &gzk_never, &seconds, error) : status;
    status = status == 0 ? gzk_plan_found(plan, 2, got, error) : status;
    bool equal = status == 0;
    for (int loop = 0; loop < 2; loop++) {
        double number = measure == 4 ? (double)got[loop].whole : got[loop].number;
        equal = equal && fabs(number - want[loop]) <= (measure == 3 ? 1e-12 * want[loop] : 0);
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
        for (int threads = 1; threads <= 7; threads += 6)
            if (tap_bulk(threads == 7 && measure % 2 == 0, 1))
                tap_ok(finds(device, measure, threads, &error), "%s by %d threads a row %s",
                       names[measure - 1], threads, error.text);
    gzk_device_close(device);
    return tap_done();
}
