/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fence. One whose blocks do not all run at once ends and says so, instead of hanging: far more
 * groups than the device holds (PoCL has threads for two) are made to wait for each other, with a
 * short time limit. On CUDA, a cooperative launch of them all is refused if it has one group too
 * many; the wait itself is tried by a launch that is not cooperative. And while its 32-bit counter
 * passes 2^32, which a long run does, no group leaves before all have arrived, and every group sees
 * what the others wrote before.
 */
#include "kernel_text.h"
#include "registry.h"
#include "test_device.h"

enum { CELLS = 64 * 8 };

static void waits_in_vain(struct gzk_device *device)
{
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
        .args = {gzk_arg_buffer(buffers[0]), gzk_arg_buffer(buffers[1]), gzk_arg_buffer(buffers[2]),
                 gzk_arg_buffer(buffers[3]), gzk_arg_int(CELLS), gzk_arg_int(1), gzk_arg_int(1),
                 gzk_arg_long(CELLS), gzk_arg_long(0), gzk_arg_long(config.loops),
                 gzk_arg_buffer(buffers[4]), gzk_arg_long(100000), gzk_arg_buffer(buffers[1]),
                 gzk_arg_buffer(buffers[0])}};
    status |=
        device->backend->run(device, program, &launch, 1, cuda ? GZ_SYNC_RESTART : GZ_SYNC_FENCE,
                             &gzk_never, &seconds, &error);
    tap_ok(status == 0, "the launch ends");
    status = device->backend->read(device, buffers[4], barrier, sizeof barrier, &error);
    tap_ok(status == 0 && barrier[1] != 0, "and its flag is raised");
    if (cuda) {
        launch.groups = resident + 1;
        status = device->backend->run(device, program, &launch, 1, GZ_SYNC_FENCE, &gzk_never,
                                      &seconds, &error);
        tap_ok(status == GZK_FAILED && strstr(error.text, "error 720"),
               "one group too many is refused: %s", error.text);
        launch.groups = resident;
        status = device->backend->fill(device, buffers[4], 0, sizeof barrier, &error);
        launch.args[11].l = INT64_C(3000000000);
        status |= device->backend->run(device, program, &launch, 1, GZ_SYNC_FENCE, &gzk_never,
                                       &seconds, &error);
        status |= device->backend->read(device, buffers[4], barrier, sizeof barrier, &error);
        tap_ok(status == 0 && barrier[1] == 0, "and as many as are resident wait for each other");
    }
    for (int i = 0; i < 5; i++)
        device->backend->buffer_free(device, buffers[i]);
}

/* ------------------------------------------------------------------------------ the counter */

enum { ROUNDS = 100, GROUPS = 2, THREADS = 32 };

/* Each group (the second is slow) writes the round's number, waits, looks at the others' numbers,
 * and waits again. Every thread writes and reads, though only the first synchronises. */
static const char kernel[] =
    "GZ_KERNEL gz_wrap(volatile GZ_GLOBAL gz_counter *arrivals, volatile GZ_GLOBAL int *data,\n"
    "                  volatile GZ_GLOBAL int *wrong, int rounds, gz_long start, gz_long "
    "patience)\n"
    "{\n"
    "    GZ_LOCAL_INT(lost);\n"
    "    gz_counter target = (gz_counter)start;\n"
    "    int alone = 0, bad = 0;\n"
    "    for (int round = 1; round <= rounds && !alone; round++) {\n"
    "        for (int i = 0; i < 5000 * GZ_GROUP; i++)\n"
    "            bad += data[GZ_GROUP * GZ_THREADS + GZ_THREAD] == -2;\n"
    "        data[GZ_GROUP * GZ_THREADS + GZ_THREAD] = round;\n"
    "        target += (gz_counter)GZ_GROUPS;\n"
    "        alone = gz_barrier_groups(arrivals, target, patience, lost);\n"
    "        for (int g = 0; g < GZ_GROUPS; g++)\n"
    "            bad += data[g * GZ_THREADS + GZ_THREADS - 1 - GZ_THREAD] != round;\n"
    "        target += (gz_counter)GZ_GROUPS;\n"
    "        alone = alone || gz_barrier_groups(arrivals, target, patience, lost);\n"
    "    }\n"
    "    wrong[GZ_GROUP * GZ_THREADS + GZ_THREAD] = bad + 1000 * alone;\n"
    "}\n";

/* Runs all rounds from the counter's value `start`; returns how much was wrong, or -1. */
static int run_rounds(struct gzk_device *device, const struct gzk_program *program, uint32_t start,
                      uint32_t *end)
{
    const struct gzk_backend *backend = device->backend;
    struct gzk_buffer *buffers[3] = {NULL};
    struct gzk_error error = {0};
    uint32_t barrier[2] = {start, 0};
    int wrong[GROUPS * THREADS], sum = 0, status = 0;
    double seconds;
    for (int b = 0; b < 3 && status == 0; b++) {
        status = backend->buffer_new(device, sizeof wrong, &buffers[b], &error);
        if (status == 0)
            status = backend->fill(device, buffers[b], 0xFF, sizeof wrong, &error);
    }
    if (status == 0)
        status = backend->write(device, buffers[0], barrier, sizeof barrier, &error);
    struct gzk_launch launch = {.groups = GROUPS,
                                .count = 6,
                                .args = {gzk_arg_buffer(buffers[0]), gzk_arg_buffer(buffers[1]),
                                         gzk_arg_buffer(buffers[2]), gzk_arg_int(ROUNDS),
                                         gzk_arg_long(start), gzk_arg_long(INT64_C(5000000000))}};
    if (status == 0)
        status =
            backend->run(device, program, &launch, 1, GZ_SYNC_FENCE, &gzk_never, &seconds, &error);
    if (status == 0)
        status = backend->read(device, buffers[2], wrong, sizeof wrong, &error);
    if (status == 0)
        status = backend->read(device, buffers[0], barrier, sizeof barrier, &error);
    for (int b = 0; b < 3; b++)
        backend->buffer_free(device, buffers[b]);
    if (status != 0) {
        tap_note("%s", error.text);
        return -1;
    }
    for (int i = 0; i < GROUPS * THREADS; i++)
        sum += abs(wrong[i]);
    *end = barrier[0];
    return sum;
}

static void wraps(struct gzk_device *device)
{
    /* Before the wrap, across it, across the sign, and where the target alone has passed it. */
    static const uint32_t starts[] = {0, UINT32_MAX - 5, UINT32_MAX, UINT32_C(1) << 31,
                                      UINT32_MAX - 2 * GROUPS * ROUNDS + 1};
    enum { STARTS = sizeof starts / sizeof *starts };
    struct gzk_config config = {.stencil = gzk_stencil_find("poisson"),
                                .sync = GZ_SYNC_FENCE,
                                .size = {32, 1, 1},
                                .block = {8, 4, 1},
                                .threads = {8, 4, 1},
                                .height = 1,
                                .loops = 1};
    struct gzk_error error = {0};
    struct gzk_program *program = NULL;

    char *stencil = gzk_kernel_text(&config, device->backend->prelude);
    size_t size = stencil ? strlen(stencil) + sizeof kernel : 0;
    char *text = size ? malloc(size) : NULL;
    if (!text)
        exit(1);
    snprintf(text, size, "%s%s", stencil, kernel);
    struct gzk_program_spec spec = {.text = text, .name = "gz_wrap", .threads = THREADS};
    int status = device->backend->program_new(device, &spec, &program, &error);
    tap_ok(status == 0, "the kernel is built %s", error.text);
    for (int s = 0; s < STARTS; s++) {
        uint32_t end = 0;
        int wrong = status == 0 ? run_rounds(device, program, starts[s], &end) : -1;
        tap_ok(wrong == 0, "from %lu: every group waits for the others (%d wrong)",
               (unsigned long)starts[s], wrong);
        tap_ok(end == starts[s] + 2U * GROUPS * ROUNDS, "from %lu: the counter ends at %lu",
               (unsigned long)starts[s], (unsigned long)end);
    }
    if (program)
        device->backend->program_free(device, program);
    free(text);
    free(stencil);
}

int main(void)
{
    setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
    struct gzk_device *device = test_device_open();
    waits_in_vain(device);
    wraps(device);
    gzk_device_close(device);
    return tap_done();
}
