/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adaptive selection on a device: the result is that of any other run, though the height changes;
 * the heights are those that the library's gz_adapt gives for the times that were measured.
 */
#include "adaptive.h"
#include "gzmodel/searches.h"
#include "registry.h"
#include "serial.h"
#include "test_device.h"

enum { LOOPS = 41 };

/* Whether the library gives these heights for these times. */
static int replayed(const struct gzk_adaptive *run, int start, int most)
{
    gz_adapt state;
    int left = LOOPS;
    double seconds = 0;
    gz_adapt_start(&state, start, most, 0, NULL);
    for (int k = 0; k < run->stages; k++) {
        if (run->stage[k].height != gz_adapt_next(&state, left) || !(run->stage[k].seconds > 0))
            return 0;
        gz_adapt_report(&state, run->stage[k].height, run->stage[k].seconds, NULL);
        seconds += run->stage[k].seconds;
        left -= run->stage[k].height;
    }
    return left == 0 && run->seconds == seconds && run->settled == (state.settled != 0) &&
           run->height == (state.best ? state.best : start);
}

static void check(struct gzk_device *device, const char *name, struct gzk_config *config)
{
    static struct gzk_adaptive run;
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_error error = {0};
    struct gzk_comparison comparison;
    config->stencil = gzk_stencil_find(name);
    if (gzk_data_new(&data, config->stencil, config->size, LOOPS, 1) != 0 ||
        gzk_session_new(device, config->stencil, &data, &session, &error) != 0)
        exit(1);
    size_t bytes = data.cells * (size_t)config->stencil->bytes;
    void *state = malloc(bytes), *reference = malloc(bytes);
    int most = gzk_max_height(config->stencil, config->block);
    if (!state || !reference)
        exit(1);
    struct gzk_serial serial = {config->stencil, &data, LOOPS};
    gzk_reference_run(&serial, reference, NULL, &error);
    for (config->height = 1; config->height <= most; config->height += most - 1) {
        int status = gzk_adaptive_run(session, config, most, &gzk_never, &run, &error);
        if (status == 0)
            status = gzk_session_read(session, state, &error);
        gzk_compare(&serial, state, reference, false, &comparison);
        tap_ok(status == 0 && comparison.wrong == 0, "%s from %d: the reference's result%s", name,
               config->height, error.text);
        tap_ok(replayed(&run, config->height, most), "%s from %d: %d stages as gz_adapt says", name,
               config->height, run.stages);
    }
    config->height = most + 1;
    tap_ok(gzk_adaptive_run(session, config, most, &gzk_never, &run, &error) == GZK_INVALID &&
               strstr(error.text, "whole number from 1 to") != NULL,
           "%s: refuses to start above the highest", name);
    config->height = 1;
    config->sync = GZ_SYNC_FENCE;
    tap_ok(gzk_adaptive_run(session, config, most, &gzk_never, &run, &error) == GZK_INVALID &&
               strstr(error.text, "restart") != NULL,
           "%s: refuses fences", name);
    config->sync = GZ_SYNC_RESTART;
    gzk_session_free(session);
    gzk_data_free(&data);
    free(state);
    free(reference);
}

int main(void)
{
    struct gzk_config flat = {
        .size = {1000, 1, 1}, .block = {32, 1, 1}, .threads = {1, 1, 1}, .loops = LOOPS};
    struct gzk_config square = {
        .size = {50, 41, 1}, .block = {14, 12, 1}, .threads = {1, 1, 1}, .loops = LOOPS};
    struct gzk_config cube = {
        .size = {17, 16, 15}, .block = {8, 8, 8}, .threads = {1, 1, 1}, .loops = LOOPS};
    struct gzk_device *device = test_device_open_for_bits();
    check(device, "pathfinder", &flat);
    check(device, "hotspot", &square);
    check(device, "gsrb", &cube);
    if (tap_bulk(0, 1))
        check(device, "cell", &cube);
    gzk_device_close(device);
    return tap_done();
}
