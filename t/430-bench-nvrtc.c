/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The microbenchmarks' kernels compile by NVRTC for every architecture, and keep what they measure:
 * the compiler has dropped neither the chase, the additions nor the clock's reads.
 */
#include "bench.h"
#include "test_nvrtc.h"

static const struct {
    const char *name;
    const char *kept; /* must be in the PTX */
    const char *type; /* NULL: float */
} kernels[] = {
    {"copy", "st.global", NULL},          {"sweep", "ld.global", NULL},
    {"chase", "ld.global", NULL},         {"empty", ".entry gz_empty", NULL},
    {"add", "add.rn.f32", NULL},          {"chain", "xor.b32", NULL},
    {"ticks", "%globaltimer", NULL},      {"refill", "st.global", NULL},
    {"group_barriers", "bar.sync", NULL}, {"local_reads", "ld.shared.f32", NULL},
    {"add", "add.rn.f64", "double"},
};

/* Whether a kernel's text is that source. */
static int is_of(const struct gzc_source *source, size_t k)
{
    return strcmp(source->name, kernels[k].name) == 0 && !source->type == !kernels[k].type;
}

static const struct gzc_source *find(size_t k)
{
    for (int b = 0; gzc_benches[b]; b++)
        for (int s = 0; s < GZC_BENCH_SOURCES && gzc_benches[b]->sources[s].name; s++)
            if (is_of(&gzc_benches[b]->sources[s], k))
                return &gzc_benches[b]->sources[s];
    return NULL;
}

int main(void)
{
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    struct gzk_compiled compiled;
    needs_nvrtc();
    for (size_t k = 0; k < KERNELS; k++)
        for (int c = 0; c < NVRTC_CAPABILITIES; c++) {
            const struct gzc_source *source = find(k);
            char *text = source ? gzc_kernel_text(gzk_cuda.prelude, source, 256, 8) : NULL;
            bool made = nvrtc_compiles(text, nvrtc_capabilities[c], false, &compiled);
            tap_ok(made && strstr(compiled.ptx, kernels[k].kept) &&
                       ptx_has_double(compiled.ptx) == (kernels[k].type != NULL),
                   "%s for sm_%d keeps %s, and uses double precision only if it is to",
                   kernels[k].name, nvrtc_capabilities[c], kernels[k].kept);
            if (made)
                gzk_compiled_free(&compiled);
        }
    int unknown = 0;
    for (int b = 0; gzc_benches[b]; b++)
        for (int s = 0; s < GZC_BENCH_SOURCES && gzc_benches[b]->sources[s].name; s++) {
            int known = 0;
            for (size_t k = 0; k < KERNELS; k++)
                known |= is_of(&gzc_benches[b]->sources[s], k);
            unknown += !known;
        }
    tap_ok(unknown == 0, "this test states what every kernel of a benchmark must keep");
    return tap_done();
}
