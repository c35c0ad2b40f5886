/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What NVIDIA's compiler makes of the kernels with a fence, in PTX and, if nvdisasm is there, in
 * machine code: the state is never loaded through the cache that is not coherent; one thread
 * executes two fences a barrier, none of them in the loop that waits, and none for the whole
 * system; the wait is bounded by a timer; no shared memory is taken from the tile.
 */
#include "backend.h"
#include "kernel_text.h"
#include "nvrtc.h"
#include "registry.h"
#include "tap.h"

#include <unistd.h>

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static char *compile(const struct gzk_stencil *stencil, gz_variant variant, int capability,
                     struct gzk_compiled *into)
{
    struct gzk_config config = {
        .stencil = stencil, .variant = variant, .sync = GZ_SYNC_FENCE, .height = 1};
    struct gzk_error error = {0};
    memcpy(config.size, stencil->default_size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_threads(&config, 1024, false);
    char *text = gzk_kernel_text(&config, gzk_cuda.prelude);
    if (!text || gzk_nvrtc_compile(text, capability, true, into, &error) != 0) {
        tap_note("%s", error.text);
        free(text);
        return NULL;
    }
    free(text);
    return into->ptx;
}

/* The part of `ptx` between the arrival and the second fence, where a group waits. */
static char *waiting(const char *ptx)
{
    const char *from = strstr(ptx, "atom.global.add.u32");
    const char *to = from ? strstr(from, "membar.gl") : NULL;
    return to ? strndup(from, (size_t)(to - from)) : NULL;
}

static void check(const struct gzk_stencil *stencil, gz_variant variant)
{
    const char *how = gzk_variants[variant].name;
    struct gzk_compiled compiled;
    char *ptx = compile(stencil, variant, 90, &compiled), *loop = ptx ? waiting(ptx) : NULL;
    if (!tap_ok(loop != NULL, "%s, %s: arrives, waits, and fences after that", stencil->name,
                how)) {
        if (ptx)
            gzk_compiled_free(&compiled);
        return;
    }
    /* A streamed tile's other arrays have load instructions of their own, which may use it. */
    bool others = variant == GZK_STREAM && stencil->coefficient_arrays + stencil->step_arrays > 0;
    tap_ok(count(ptx, "ld.global.nc") == 0 || others,
           "%s, %s: no load goes through the cache that is not coherent", stencil->name, how);
    tap_ok(count(ptx, "membar.gl") == 2 && count(ptx, "membar.sys") == 0 &&
               count(ptx, "fence.sc") + count(ptx, "fence.acq") == 0,
           "%s, %s: two fences a barrier, of the GPU's scope", stencil->name, how);
    tap_ok(count(loop, "ld.relaxed.gpu") >= 2 && count(ptx, "ld.volatile") == 0 &&
               count(loop, "%globaltimer") == 1,
           "%s, %s: waits with relaxed loads, and looks at the timer", stencil->name, how);
    tap_ok(strstr(compiled.log, " bytes smem") == NULL && strstr(ptx, "bar.red.or") != NULL,
           "%s, %s: no shared memory besides the tile", stencil->name, how);
    free(loop);
    gzk_compiled_free(&compiled);
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

int main(void)
{
    struct gzk_compiled compiled;
    if (gzk_nvrtc_version() == 0)
        tap_skip_all("no NVRTC");
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (int v = 0; v < 2; v++)
            check(gzk_stencils[s], v == 0 ? GZK_TRAPEZOID : GZK_STREAM);

    char *sass = NULL;
    if (compile(gzk_stencil_find("poisson"), GZK_TRAPEZOID, 90, &compiled)) {
        sass = disassemble(&compiled);
        gzk_compiled_free(&compiled);
    }
    if (!sass) {
        tap_skip("no nvdisasm (NVDISASM, PATH, CUDA_HOME/bin)");
        return tap_done();
    }
    tap_ok(count(sass, "MEMBAR.SC.GPU") == 2 && count(sass, "MEMBAR") == 2 &&
               count(sass, "CCTL.IVALL") == 2,
           "in machine code: two fences, two invalidations");
    tap_ok(count(sass, ".SYS") == 0 && count(sass, ".CONSTANT") == 0 &&
               count(sass, "SR_GLOBALTIMER") >= 2,
           "in machine code: nothing for the whole system, no constant loads, a timer");
    free(sass);
    return tap_done();
}
