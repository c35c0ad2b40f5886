/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels (that of variant cell is the naive one) compile for the NVIDIA architectures that matter,
 * without a GPU, in `make check` a sixth of them for one each, in `make check-all` a third for the
 * oldest and another by turns, with GZ_ALL=2 all for all: no register is spilled at the default
 * block (of trapezoids with 1024 threads, and of columns that are asked to share a multiprocessor's
 * registers, a few are), and no double-precision arithmetic is in the PTX of a stencil that is not
 * in double. A table of registers and memory goes to the diagnostics.
 *
 * Of kernels with a fence, in `make check-all` those of all stencils, the state is never loaded
 * through the cache that is not coherent; one thread executes two fences a barrier, none of them in
 * the loop that waits, and none for the whole system; the wait is bounded by a timer; no shared
 * memory is taken from the tile. If nvdisasm is there, so it is in machine code.
 */
#include "defaults.h"
#include "registry.h"
#include "test_nvrtc.h"

#include <unistd.h>

/* For each a device, for which the tiles of variant stream are chosen: T4, A100, L40, H100, B200,
 * as their vendor describes them; that which differs from others by its local memory is streamed
 * only. */
static const struct {
    int capability, units, local_kib;
    double clock_hz, bandwidth_bytes_s;
    bool streamed_only;
} targets[] = {{75, 40, 64, 1.59e9, 320e9, false},
               {80, 108, 163, 1.41e9, 1555e9, false},
               {89, 142, 99, 2.49e9, 864e9, true},
               {90, 132, 227, 1.98e9, 3352e9, false},
               {100, 148, 227, 1.96e9, 8000e9, false}};
enum { TARGETS = sizeof targets / sizeof *targets };

static const struct {
    const char *name;
    gz_variant variant;
    gz_sync sync;
    gzi_planes layout;
} kinds[] = {{"restart", GZK_TRAPEZOID, GZ_SYNC_RESTART, GZI_PLANES_ANY},
             {"fence", GZK_TRAPEZOID, GZ_SYNC_FENCE, GZI_PLANES_ANY},
             {"naive", GZK_NAIVE, GZ_SYNC_RESTART, GZI_PLANES_ANY},
             {"column", GZK_COLUMN, GZ_SYNC_RESTART, GZI_PLANES_ANY},
             {"shared", GZK_SHARED, GZ_SYNC_RESTART, GZI_PLANES_ANY},
             {"stream", GZK_STREAM, GZ_SYNC_RESTART, GZI_PLANES_ANY},
             {"stream, fence", GZK_STREAM, GZ_SYNC_FENCE, GZI_PLANES_ANY},
             {"stream, ring", GZK_STREAM, GZ_SYNC_RESTART, GZI_PLANES_RING}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ptxas may spill a few registers to run more blocks at once; that is its choice, unless it is
 * told, as of streamed tiles, that one block is enough. */
enum { few_bytes = 64 };

/* The configuration for a target: the default one. */
static struct gzk_config config_of(const struct gzk_stencil *stencil, size_t kind, size_t target)
{
    const struct gzk_device_info device = {.units = targets[target].units,
                                           .local_bytes = (size_t)targets[target].local_kib << 10,
                                           .max_threads = 1024,
                                           .clock_hz = targets[target].clock_hz,
                                           .bandwidth_bytes_s = targets[target].bandwidth_bytes_s};
    struct gzk_config config = {.stencil = stencil,
                                .variant = kinds[kind].variant,
                                .sync = kinds[kind].sync,
                                .height = 1,
                                .layout = kinds[kind].layout};
    memcpy(config.size, stencil->default_size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_block(&config);
    if (gzk_variants[config.variant].streamed) {
        config.height = gzk_default_height(&config, &device);
        gzk_default_tile(&config, &device, 0);
    }
    gzk_default_threads(&config, device.max_threads, false);
    return config;
}

/* Streamed tiles need two dimensions; those of boxes lie in rings anyway. */
static int exists(const struct gzk_stencil *stencil, size_t kind)
{
    if (kinds[kind].layout == GZI_PLANES_RING && !stencil->reads.own_column)
        return 0;
    return stencil->dim > 1 || !gzk_variants[kinds[kind].variant].streamed;
}

/* Whether a stencil's kernel of some kind is compiled, and for which target. */
static bool is_taken(size_t index, size_t kind)
{
    bool fences = kinds[kind].sync == GZ_SYNC_FENCE && tap_bulk(false, true);
    return exists(gzk_stencils[index], kind) &&
           (fences || (index + kind) % (size_t)(tap_every() ? 1 : tap_bulk(12, 3)) == 0);
}

static bool is_target(size_t index, size_t kind, size_t target)
{
    bool streamed = gzk_variants[kinds[kind].variant].streamed;
    size_t one = (index + kind / 3) % TARGETS;
    one += targets[one].streamed_only && !streamed;
    bool taken = target == one || (target == 0 && tap_bulk(false, true)) || tap_every();
    return (streamed || !targets[target].streamed_only) && taken;
}

/* Whether the planes of its streamed tiles are to lie in registers. */
static bool wants_columns(const struct gzk_stencil *stencil, size_t kind)
{
    return kinds[kind].layout == GZI_PLANES_ANY && stencil->reads.own_column;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* The part of `ptx` between the arrival and the second fence, where a group waits. */
static char *waiting(const char *ptx)
{
    const char *from = strstr(ptx, "atom.global.add.u32");
    const char *to = from ? strstr(from, "membar.gl") : NULL;
    return to ? strndup(from, (size_t)(to - from)) : NULL;
}

static void check_fence(const struct gzk_config *config, int capability,
                        const struct gzk_compiled *compiled)
{
    const struct gzk_stencil *stencil = config->stencil;
    const char *ptx = compiled->ptx, *how = gzk_variants[config->variant].name;
    char *loop = waiting(ptx);
    if (!tap_ok(loop != NULL, "%s, %s, sm_%d: arrives, waits, and fences after that", stencil->name,
                how, capability))
        return;
    /* A streamed tile's other arrays have load instructions of their own, which may use it. */
    bool others =
        config->variant == GZK_STREAM && stencil->coefficient_arrays + stencil->step_arrays > 0;
    tap_ok(count(ptx, "ld.global.nc") == 0 || others,
           "no load goes through the cache that is not coherent");
    tap_ok(count(ptx, "membar.gl") == 2 && count(ptx, "membar.sys") == 0 &&
               count(ptx, "fence.sc") + count(ptx, "fence.acq") == 0,
           "two fences a barrier, of the GPU's scope");
    tap_ok(count(loop, "ld.relaxed.gpu") >= 2 && count(ptx, "ld.volatile") == 0 &&
               count(loop, "%globaltimer") == 1,
           "waits with relaxed loads, and looks at the timer");
    tap_ok(strstr(compiled->log, " bytes smem") == NULL && strstr(ptx, "bar.red.or") != NULL,
           "no shared memory besides the tile");
    free(loop);
}

static void check(size_t index, size_t kind)
{
    const struct gzk_stencil *stencil = gzk_stencils[index];
    bool streamed = gzk_variants[kinds[kind].variant].streamed;
    size_t built = 0;
    int spilled = 0, doubles = 0, rings = 0;

    size_t wanted = 0;
    for (size_t c = 0; c < TARGETS; c++) {
        if (!is_target(index, kind, c))
            continue;
        wanted++;
        struct gzk_config config = config_of(stencil, kind, c);
        struct gzk_compiled compiled;
        if (!nvrtc_kernel(&config, targets[c].capability, true, &compiled))
            continue;
        /* Arrays that are not in registers, too, lie in the stack frame. */
        int spills =
            ptxas_number(&compiled, streamed ? " bytes stack frame" : " bytes spill stores");
        tap_note("%-10s %-13s %s height %2d sm_%-3d %3d registers, %2d bytes spilled",
                 stencil->name, kinds[kind].name, config.columns ? "columns" : "", config.height,
                 targets[c].capability, ptxas_number(&compiled, " registers"), spills);
        built++;
        spilled += spills > (streamed && !config.columns ? 0 : few_bytes);
        rings += streamed && config.columns != wants_columns(stencil, kind);
        doubles += ptx_has_double(compiled.ptx);
        if (config.sync == GZ_SYNC_FENCE)
            check_fence(&config, targets[c].capability, &compiled);
        gzk_compiled_free(&compiled);
    }
    tap_ok(wanted > 0 && built == wanted, "%s, %s: compiles for %zu architectures", stencil->name,
           kinds[kind].name, wanted);
    tap_ok(spilled == 0 && rings == 0, "%s, %s: %s is spilled%s", stencil->name, kinds[kind].name,
           streamed && !wants_columns(stencil, kind) ? "nothing" : "hardly anything",
           gzk_variants[kinds[kind].variant].streamed && wants_columns(stencil, kind)
               ? ", with columns in registers"
               : "");
    tap_ok(doubles == 0 || stencil->type == GZK_DOUBLE, "%s, %s: no double precision",
           stencil->name, kinds[kind].name);
}

/* The machine code as text, by NVIDIA's disassembler; NULL if there is none. To be freed. */
static char *disassemble(const struct gzk_compiled *compiled)
{
    const char *given = getenv("NVDISASM"), *home = getenv("CUDA_HOME");
    char path[] = "/tmp/gz-cubin-XXXXXX", command[1000];
    int file = mkstemp(path);
    if (file < 0 || write(file, compiled->cubin, compiled->cubin_bytes) < 0)
        return NULL;
    close(file);
    snprintf(command, sizeof command,
             "PATH=\"$PATH:%.400s/bin:/usr/local/cuda/bin\" %.400s -c %s 2>/dev/null",
             home ? home : "/usr/local/cuda", given ? given : "nvdisasm", path);
    FILE *from = popen(command, "r");
    size_t room = 4 << 20, length = 0;
    char *text = from ? calloc(1, room + 1) : NULL;
    if (text)
        length = fread(text, 1, room, from);
    if (from)
        pclose(from);
    unlink(path);
    if (length == 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void check_machine_code(void)
{
    const struct gzk_stencil *poisson = gzk_stencil_find("poisson");
    struct gzk_config config = {
        .stencil = poisson, .variant = GZK_TRAPEZOID, .sync = GZ_SYNC_FENCE, .height = 1};
    struct gzk_compiled compiled;
    memcpy(config.size, poisson->default_size, sizeof config.size);
    memcpy(config.block, poisson->default_block, sizeof config.block);
    gzk_default_threads(&config, 1024, false);
    if (!tap_ok(nvrtc_kernel(&config, 90, true, &compiled), "poisson with fences compiles"))
        return;
    char *sass = disassemble(&compiled);
    gzk_compiled_free(&compiled);
    if (!sass) {
        tap_skip("no nvdisasm (NVDISASM, PATH, CUDA_HOME/bin)");
        return;
    }
    tap_ok(count(sass, "MEMBAR.SC.GPU") == 2 && count(sass, "MEMBAR") == 2 &&
               count(sass, "CCTL.IVALL") == 2,
           "in machine code: two fences, two invalidations");
    tap_ok(count(sass, ".SYS") == 0 && count(sass, ".CONSTANT") == 0 &&
               count(sass, "SR_GLOBALTIMER") >= 2,
           "in machine code: nothing for the whole system, no constant loads, a timer");
    free(sass);
}

int main(void)
{
    struct gzk_compiled compiled;
    struct gzk_error error = {0};

    needs_nvrtc();
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (size_t kind = 0; kind < KINDS; kind++)
            if (is_taken(s, kind))
                check(s, kind);
    tap_ok(gzk_nvrtc_compile("extern \"C\" __global__ void k(int *x) { *x = 1; }\n", 9999, true,
                             &compiled, &error) == 0 &&
               compiled.cubin_bytes > 1 && strstr(compiled.cubin, ".entry k(") &&
               ((char *)compiled.cubin)[compiled.cubin_bytes - 1] == '\0',
           "for a device newer than NVRTC there is PTX of the newest that it knows");
    gzk_compiled_free(&compiled);
    tap_ok(gzk_nvrtc_compile("this is no program\n", 90, true, &compiled, &error) == GZK_FAILED,
           "a text that does not compile is a failure");
    tap_ok(strchr(error.text, '\n') == NULL && strstr(error.text, "error") != NULL,
           "and the line says why: %s", error.text);
    check_machine_code();
    return tap_done();
}
