/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fence whose blocks do not all run at once ends and says so, instead of hanging: far more
 * groups than the device holds (PoCL has threads for two) are made to wait for each other, with
 * a short time limit. On CUDA, a cooperative launch of them all is refused if it has one group too
 * many; the wait itself is tried by a launch that is not cooperative.
 */
#include "registry.h"
#include "test_device.h"

enum { CELLS = 64 * 8 };

static struct gzk_arg buffer_arg(struct gzk_buffer *buffer)
{
    return (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = buffer};
}

static struct gzk_arg int_arg(int32_t i)
{
    return (struct gzk_arg){.kind = GZK_ARG_INT, .i = i};
}

static struct gzk_arg long_arg(int64_t l)
{
    return (struct gzk_arg){.kind = GZK_ARG_LONG, .l = l};
}

int main(void)
{
    static const volatile sig_atomic_t never = 0;
    struct gzk_config config = {.stencil = gzk_stencil_find("pathfinder"),
                                .sync = GZ_SYNC_FENCE,
                                .size = {CELLS, 1, 1},
                                .block = {10, 1, 1},
                                .threads = {10, 1, 1},
                                .height = 1,
                                .loops = 3};
    const struct gzk_program *program = NULL;
    struct gzk_buffer *buffers[5] = {NULL};
    uint32_t barrier[2] = {0};
    struct gzk_error error = {0};
    double seconds;
    int resident = 0, status = 0;

    setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
    struct gzk_device *device = test_device_open();
    bool cuda = device->backend == &gzk_cuda;
    tap_ok(gzk_device_program(device, &config, &program, &error) == 0, "the kernel is built");
    tap_ok(device->backend->resident(device, program, &resident, &error) == 0 && resident >= 1 &&
               (cuda || resident <= 2),
           "no more groups are resident than the driver has threads (%d)", resident);
    for (int i = 0; i < 5; i++) {
        status |= device->backend->buffer_new(device, 4 * CELLS * sizeof(int), &buffers[i], &error);
        status |= device->backend->fill(device, buffers[i], 0, 4 * CELLS * sizeof(int), &error);
    }

    struct gzk_launch launch = {
        .groups = cuda ? 4 * resident : 64,
        .count = 14,
        .args = {buffer_arg(buffers[0]), buffer_arg(buffers[1]), buffer_arg(buffers[2]),
                 buffer_arg(buffers[3]), int_arg(CELLS), int_arg(1), int_arg(1), long_arg(CELLS),
                 long_arg(0), long_arg(config.loops), buffer_arg(buffers[4]), long_arg(100000),
                 buffer_arg(buffers[1]), buffer_arg(buffers[0])}};
    status |=
        device->backend->run(device, program, &launch, 1, cuda ? GZ_SYNC_RESTART : GZ_SYNC_FENCE,
                             &never, &seconds, &error);
    tap_ok(status == 0, "the launch ends");
    status = device->backend->read(device, buffers[4], barrier, sizeof barrier, &error);
    tap_ok(status == 0 && barrier[1] != 0, "and its flag is raised");
    if (cuda) {
        launch.groups = resident + 1;
        status = device->backend->run(device, program, &launch, 1, GZ_SYNC_FENCE, &never, &seconds,
                                      &error);
        tap_ok(status == GZK_FAILED && strstr(error.text, "error 720"),
               "one group too many is refused: %s", error.text);
        launch.groups = resident;
        status = device->backend->fill(device, buffers[4], 0, sizeof barrier, &error);
        launch.args[11].l = INT64_C(3000000000);
        status |= device->backend->run(device, program, &launch, 1, GZ_SYNC_FENCE, &never, &seconds,
                                       &error);
        status |= device->backend->read(device, buffers[4], barrier, sizeof barrier, &error);
        tap_ok(status == 0 && barrier[1] == 0, "and as many as are resident wait for each other");
    }
    for (int i = 0; i < 5; i++)
        device->backend->buffer_free(device, buffers[i]);
    gzk_device_close(device);
    return tap_done();
}
