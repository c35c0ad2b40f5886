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
    static const int capabilities[] = {75, 80, 90, 100};
    enum { KERNELS = sizeof kernels / sizeof *kernels, CAPABILITIES = 4 };
    struct gzk_error error = {0};
    struct gzk_compiled compiled;
    if (gzk_nvrtc_version() == 0)
        tap_skip_all("there is no NVRTC");
    for (size_t k = 0; k < KERNELS; k++)
        for (size_t c = 0; c < CAPABILITIES; c++) {
            const struct gzc_source *source = find(k);
            char *text = source ? gzc_kernel_text(gzk_cuda.prelude, source, 256, 8) : NULL;
            error.text[0] = '\0';
            int status = text ? gzk_nvrtc_compile(text, capabilities[c], false, &compiled, &error)
                              : GZK_FAILED;
            tap_ok(status == 0 && strstr(compiled.ptx, kernels[k].kept) &&
                       !strstr(compiled.ptx, ".f64") == !kernels[k].type,
                   "%s for sm_%d keeps %s, and uses double precision only if it is to %s",
                   kernels[k].name, capabilities[c], kernels[k].kept, error.text);
            if (status == 0)
                gzk_compiled_free(&compiled);
            free(text);
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
