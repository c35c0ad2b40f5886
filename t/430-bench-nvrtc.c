/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The microbenchmarks' kernels compile by NVRTC for every architecture, and keep what they measure:
 * the compiler has dropped neither the chase, the additions nor the clock's reads.
 */
#include "backend.h"
#include "bench.h"
#include "nvrtc.h"
#include "tap.h"

static const struct {
    const char *name;
    const char *kept; /* must be in the PTX */
} kernels[] = {
    {"copy", "st.global"},        {"sweep", "ld.global"},  {"chase", "ld.global"},
    {"empty", ".entry gz_empty"}, {"add", "add.rn.f32"},   {"chain", "xor.b32"},
    {"ticks", "%globaltimer"},    {"refill", "st.global"}, {"group_barriers", "bar.sync"},
};

static const struct gzc_source *find(const char *name)
{
    for (int b = 0; gzc_benches[b]; b++)
        for (int s = 0; s < GZC_BENCH_SOURCES && gzc_benches[b]->sources[s].name; s++)
            if (strcmp(gzc_benches[b]->sources[s].name, name) == 0)
                return &gzc_benches[b]->sources[s];
    return NULL;
}

int main(void)
{
    static const int capabilities[] = {75, 80, 90, 100};
    enum { KERNELS = sizeof kernels / sizeof *kernels, CAPABILITIES = 4 };
    struct gzk_error error = {0};
    struct gzk_compiled compiled;
    if (gzk_nvrtc_version() == 0)
        tap_skip_all("there is no NVRTC");
    tap_plan(KERNELS * CAPABILITIES + 1);
    for (size_t k = 0; k < KERNELS; k++)
        for (size_t c = 0; c < CAPABILITIES; c++) {
            const struct gzc_source *source = find(kernels[k].name);
            char *text = source ? gzc_kernel_text(gzk_cuda.prelude, source, 256, 8) : NULL;
            error.text[0] = '\0';
            int status = text ? gzk_nvrtc_compile(text, capabilities[c], false, &compiled, &error)
                              : GZK_FAILED;
            tap_ok(status == 0 && strstr(compiled.ptx, kernels[k].kept) &&
                       !strstr(compiled.ptx, ".f64"),
                   "%s for sm_%d keeps %s and uses no double %s", kernels[k].name, capabilities[c],
                   kernels[k].kept, error.text);
            if (status == 0)
                gzk_compiled_free(&compiled);
            free(text);
        }
    int unknown = 0;
    for (int b = 0; gzc_benches[b]; b++)
        for (int s = 0; s < GZC_BENCH_SOURCES && gzc_benches[b]->sources[s].name; s++) {
            int known = 0;
            for (size_t k = 0; k < KERNELS; k++)
                known |= strcmp(kernels[k].name, gzc_benches[b]->sources[s].name) == 0;
            unknown += !known;
        }
    tap_ok(unknown == 0, "this test states what every kernel of a benchmark must keep");
    return tap_done();
}
