/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages without loops, by which calibrate times the copying of tiles, copy: after any number of
 * them every cell of every stencil is, bit for bit, what it was, at every edge, on grids that are
 * no multiple of a tile; and a run after them gives what it gives without them.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

static const int grids[4][3] = {{0}, {101, 1, 1}, {29, 37, 1}, {13, 17, 11}};

/* Bytes of the state that differ; -1 if the device failed. */
static long differing(struct gzk_session *session, const void *want, size_t bytes,
                      struct gzk_error *error)
{
    unsigned char *got = malloc(bytes);
    long n = 0;
    if (gzk_session_read(session, got, error) != 0)
        n = -1;
    for (size_t i = 0; i < bytes && n >= 0; i++)
        n += got[i] != ((const unsigned char *)want)[i];
    free(got);
    return n;
}

static void check(struct gzk_device *device, const struct gzk_stencil *stencil, int height)
{
    struct gzk_config config = {.stencil = stencil, .height = height, .loops = height};
    struct gzk_data data;
    struct gzk_session *session = NULL;
    struct gzk_plan *plan = NULL;
    struct gzk_error error = {.text = ""};
    double seconds = 0;
    long wrong[4] = {-1, -1, -1, -1};

    memcpy(config.size, grids[stencil->dim], sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_threads(&config, device->info.max_threads, device->info.is_cpu);
    if (gzk_data_new(&data, stencil, config.size, config.loops, 1) != 0)
        exit(1);
    size_t bytes = gzk_state_bytes(stencil, &data);
    void *after = calloc(1, bytes);
    int status = gzk_session_new(device, stencil, &data, &session, &error);
    if (status == 0)
        status = gzk_plan_new(session, &config, &plan, &error);
    if (status == 0)
        status = gzk_plan_run(plan, &gzk_never, &seconds, &error);
    if (status == 0)
        status = gzk_session_read(session, after, &error);
    if (status == 0)
        status = gzk_session_reset(session, &error);
    for (int count = 1; count <= 3 && status == 0; count++) {
        status = gzk_plan_copy(plan, count, &gzk_never, &seconds, &error);
        if (status == 0 && seconds > 0)
            wrong[count - 1] = differing(session, data.state, bytes, &error);
    }
    if (status == 0)
        status = gzk_plan_run(plan, &gzk_never, &seconds, &error);
    if (status == 0)
        wrong[3] = differing(session, after, bytes, &error);
    tap_ok(status == 0 && wrong[0] == 0 && wrong[1] == 0 && wrong[2] == 0 && wrong[3] == 0,
           "%s at height %d: %ld, %ld, %ld bytes differ after copies, %ld after a run %s",
           stencil->name, height, wrong[0], wrong[1], wrong[2], wrong[3], error.text);
    free(after);
    gzk_plan_free(plan);
    gzk_session_free(session);
    gzk_data_free(&data);
}

int main(void)
{
    struct gzk_device *device = test_device_open_for_bits();
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        const struct gzk_stencil *stencil = gzk_stencils[s];
        if (tap_bulk(s % 3 == 0, 1))
            check(device, stencil, 1);
        if (tap_bulk(s % 3 == 1, 1))
            check(device, stencil, gzk_max_height(stencil, stencil->default_block));
    }
    gzk_device_close(device);
    return tap_done();
}
