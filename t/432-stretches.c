/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stretches that the bandwidth benchmarks divide an array into, computed on the device by the
 * text that they use: each begins on a line of 128 bytes, they cover the array without gap or
 * overlap, and differ by no more than two lines.
 */
#include "bench.h"
#include "test_device.h"

enum { MOST = 4096, LINE = 32 };

static const char probe[] =
    "GZ_KERNEL gz_probe(GZ_GLOBAL gz_long *begins, gz_long count, int parts)\n"
    "{\n"
    "    for (int part = 0; part <= parts; part++)\n"
    "        begins[part] = gz_stretch(count, part, parts);\n"
    "}\n";
int main(void)
{
    static const struct {
        int parts;
        int64_t count;
    } cases[] = {{1056, (8 << 20) / 4}, {1, 1 << 21}, {2, 1 << 21},           {132, (25 << 20) / 4},
                 {4096, 1 << 21},       {7, 1000},    {660, INT64_C(1) << 31}};
    enum { CASES = sizeof cases / sizeof *cases };
    struct gzk_device *device = test_device_open();
    const struct gzk_backend *backend = device->backend;
    struct gzc_source source = {.name = "probe", .text = probe};
    struct gzk_error error = {0};
    struct gzk_program *program = NULL;
    struct gzk_buffer *buffer = NULL;
    static int64_t begins[MOST + 1];

    char *text = gzc_kernel_text(backend->prelude, &source, 1, 1);
    struct gzk_program_spec spec = {.text = text, .name = "gz_probe", .threads = 1};
    int status = text ? backend->program_new(device, &spec, &program, &error) : GZK_FAILED;
    if (status == 0)
        status = backend->buffer_new(device, sizeof begins, &buffer, &error);
    for (int c = 0; c < CASES; c++) {
        int64_t count = cases[c].count, least = count, most = 0;
        int parts = cases[c].parts, crooked = 0;
        struct gzk_launch launch = {
            .groups = 1,
            .count = 3,
            .args = {gzk_arg_buffer(buffer), gzk_arg_long(count), gzk_arg_int(parts)}};
        double seconds;
        if (status == 0)
            status = backend->run(device, program, &launch, 1, GZ_SYNC_RESTART, &gzk_never,
                                  &seconds, &error);
        if (status == 0)
            status = backend->read(device, buffer, begins, sizeof begins, &error);
        for (int p = 0; p < parts; p++) {
            int64_t length = begins[p + 1] - begins[p];
            crooked += begins[p] % LINE != 0;
            if (p < parts - 1 || count % LINE == 0) {
                least = length < least ? length : least;
                most = length > most ? length : most;
            }
        }
        tap_ok(status == 0 && crooked == 0 && begins[0] == 0 && begins[parts] == count &&
                   least >= 0 && most - least <= 2 * LINE,
               "%lld elements in %d stretches, of %lld to %lld%s", (long long)count, parts,
               (long long)least, (long long)most, error.text);
    }
    if (program)
        backend->program_free(device, program);
    backend->buffer_free(device, buffer);
    free(text);
    gzk_device_close(device);
    return tap_done();
}
