/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every kernel (that of variant cell is the naive one) compiles for the NVIDIA architectures that
 * matter, without a GPU: no register is
 * spilled at the default block, and no double-precision arithmetic is in the PTX of a stencil
 * that is not in double. A table of registers and memory goes to the diagnostics.
 */
#include "backend.h"
#include "defaults.h"
#include "kernel_text.h"
#include "nvrtc.h"
#include "registry.h"
#include "tap.h"

static const int capabilities[] = {75, 80, 90, 100};
enum { CAPABILITIES = sizeof capabilities / sizeof *capabilities };

static const struct {
    const char *name;
    enum gzk_variant variant;
    gz_sync sync;
} kinds[] = {{"restart", GZK_TRAPEZOID, GZ_SYNC_RESTART}, {"fence", GZK_TRAPEZOID, GZ_SYNC_FENCE},
             {"naive", GZK_NAIVE, GZ_SYNC_RESTART},       {"column", GZK_COLUMN, GZ_SYNC_RESTART},
             {"shared", GZK_SHARED, GZ_SYNC_RESTART},     {"stream", GZK_STREAM, GZ_SYNC_RESTART},
             {"stream, fence", GZK_STREAM, GZ_SYNC_FENCE}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ptxas may spill a few registers to run more blocks at once; that is its choice, unless it is
 * told, as of streamed tiles, that one block is enough. */
enum { few_bytes = 32 };

/* The number in front of `after` in ptxas's account, or 0. */
static int number_before(const char *log, const char *after)
{
    const char *place = log ? strstr(log, after) : NULL;
    while (place && place > log && place[-1] >= '0' && place[-1] <= '9')
        place--;
    return place ? atoi(place) : 0;
}

/* Whether the PTX computes in double precision. Register names like %f64 do not count. */
static int has_double(const char *ptx)
{
    for (const char *place = strstr(ptx, ".f64"); place; place = strstr(place + 1, ".f64"))
        if (place > ptx && place[-1] != '%')
            return 1;
    return 0;
}

/* The tiles of variant stream are chosen for this device: the smallest local memory of the above.
 */
static const struct gzk_device_info device = {
    .units = 40, .local_bytes = 64 << 10, .max_threads = 1024, .cache_bytes = 4 << 20};

/* What is checked of each kernel. */
enum { CHECKS = 3 };

/* Streamed tiles need two dimensions. */
static int exists(const struct gzk_stencil *stencil, size_t kind)
{
    return stencil->dimensions > 1 || !gzk_variants[kinds[kind].variant].streamed;
}

static void check(const struct gzk_stencil *stencil, size_t kind)
{
    struct gzk_config config = {
        .stencil = stencil, .variant = kinds[kind].variant, .sync = kinds[kind].sync, .height = 1};
    int built = 0, spilled = 0, doubles = 0;
    char *text;

    memcpy(config.size, stencil->default_size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_block(&config);
    if (gzk_variants[config.variant].streamed) {
        config.height = gzk_default_height(&config, &device);
        gzk_default_tile(&config, &device, 0);
    }
    gzk_default_threads(&config, 1024, false);
    text = gzk_kernel_text(&config, gzk_cuda.prelude);
    for (size_t c = 0; c < CAPABILITIES; c++) {
        struct gzk_compiled compiled;
        struct gzk_error error = {0};
        if (gzk_nvrtc_compile(text, capabilities[c], true, &compiled, &error) != 0) {
            tap_note("sm_%d: %s", capabilities[c], error.text);
            continue;
        }
        int spills = number_before(compiled.log, " bytes spill stores");
        tap_note("%-10s %-13s height %d sm_%-3d %3d registers, %2d bytes spilled, %2d bytes static "
                 "shared",
                 stencil->name, kinds[kind].name, config.height, capabilities[c],
                 number_before(compiled.log, " registers"), spills,
                 number_before(compiled.log, " bytes smem"));
        built++;
        spilled += spills > (gzk_variants[config.variant].streamed ? 0 : few_bytes);
        doubles += has_double(compiled.ptx);
        gzk_compiled_free(&compiled);
    }
    free(text);
    tap_ok(built == CAPABILITIES, "%s, %s: compiles for every architecture", stencil->name,
           kinds[kind].name);
    tap_ok(spilled == 0, "%s, %s: hardly anything is spilled", stencil->name, kinds[kind].name);
    tap_ok(doubles == 0 || stencil->type == GZK_DOUBLE, "%s, %s: no double precision",
           stencil->name, kinds[kind].name);
}

int main(void)
{
    struct gzk_compiled compiled;
    struct gzk_error error = {0};

    if (gzk_nvrtc_version() == 0)
        tap_skip_all("no NVRTC");
    int checked = 0;
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (size_t kind = 0; kind < KINDS; kind++)
            checked += exists(gzk_stencils[s], kind);
    tap_plan(CHECKS * checked + 2);
    tap_note("NVRTC %d.%d", gzk_nvrtc_version() / 1000, gzk_nvrtc_version() % 1000 / 10);
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (size_t kind = 0; kind < KINDS; kind++)
            if (exists(gzk_stencils[s], kind))
                check(gzk_stencils[s], kind);
    tap_ok(gzk_nvrtc_compile("this is no program\n", 90, true, &compiled, &error) == GZK_FAILED,
           "a text that does not compile is a failure");
    tap_ok(strchr(error.text, '\n') == NULL && strstr(error.text, "error") != NULL,
           "and the line says why: %s", error.text);
    return tap_done();
}
