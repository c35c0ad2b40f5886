/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers that a thread of a streamed tile takes with its planes in rings, as NVRTC allots
 * them without a GPU, are those estimated (gzi_ring_registers): 0.65 to 1.35 times as many for
 * sm_75 to sm_90, in the median within a tenth; for sm_100, for which it unrolls less, 0.5 to 1.5
 * times as many. The height plays no part.
 */
#include "backend.h"
#include "kernel_text.h"
#include "numbers.h"
#include "nvrtc.h"
#include "registry.h"
#include "tap.h"
#include "tiles.h"

enum { MOST = 200, WARP = 32, PLANES = 32, GRID = 512 };

/* Targets, threads and heights: all targets at one of each, the others for one target. */
static const struct {
    int capability, threads, height;
} cases[] = {{75, 256, 3}, {80, 256, 3},  {90, 256, 3}, {100, 256, 3},
             {80, 512, 3}, {80, 1024, 3}, {80, 256, 1}, {80, 256, 6}};
enum { CASES = sizeof cases / sizeof *cases };

/* A tile of one cell for each thread in two dimensions, of four or more in three. */
static struct gzk_config config_of(const struct gzk_stencil *stencil, int threads, int height)
{
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_STREAM,
                                .height = height,
                                .layout = GZK_LAYOUT_RING,
                                .size = {GRID, GRID, 1},
                                .block = {threads, 1, 1},
                                .threads = {threads, 1, 1}};
    int last = stencil->dimensions - 1;
    if (last == 2) {
        config.size[2] = GRID;
        config.threads[0] = WARP;
        config.threads[1] = threads / WARP;
        config.block[0] = 2 * WARP;
        config.block[1] = 2 * config.threads[1] + 2 * stencil->radius[1] * height;
    }
    config.block[last] = PLANES + 2 * stencil->radius[last] * height;
    return config;
}

/* Registers over the estimate; NaN if there is no kernel. */
static double measured(const struct gzk_stencil *stencil, int at)
{
    struct gzk_config config = config_of(stencil, cases[at].threads, cases[at].height);
    char *text = gzk_kernel_text(&config, gzk_cuda.prelude);
    struct gzk_compiled compiled;
    struct gzk_error error = {.text = ""};
    int status = gzk_nvrtc_compile(text, cases[at].capability, true, &compiled, &error);
    free(text);
    if (status != 0) {
        tap_note("%s, sm_%d: %s", stencil->name, cases[at].capability, error.text);
        return (double)NAN;
    }
    int registers = gzk_compiled_number(&compiled, " registers");
    const gzi_tile tile = gzk_tile_of(&config);
    double estimated = gzi_ring_registers(&tile);
    tap_note("%-8s sm_%-3d %4d threads height %d: %3d registers, estimated %.0f", stencil->name,
             cases[at].capability, cases[at].threads, cases[at].height, registers, estimated);
    gzk_compiled_free(&compiled);
    return registers > 0 ? registers / estimated : (double)NAN;
}

int main(void)
{
    static const double most = 1.35, least = 0.65, most_100 = 1.5, least_100 = 0.5, middle = 0.1,
                        by_height = 1.25;
    double ratio[MOST], other[MOST];
    int n = 0, n_other = 0, wrong = 0, wrong_other = 0, tall = 0;

    if (gzk_nvrtc_version() == 0)
        tap_skip_all("no NVRTC");
    tap_plan(5);
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        double own[CASES];
        if (gzk_stencils[s]->dimensions < 2)
            continue;
        for (int k = 0; k < CASES; k++) {
            own[k] = measured(gzk_stencils[s], k);
            if (cases[k].capability < 100) {
                ratio[n++] = own[k];
                wrong += !(own[k] >= least && own[k] <= most);
            } else {
                other[n_other++] = own[k];
                wrong_other += !(own[k] >= least_100 && own[k] <= most_100);
            }
        }
        tall += !(own[CASES - 1] <= by_height * own[CASES - 2]);
    }
    tap_ok(n >= 70 && n_other >= 10, "%d kernels, and %d for sm_100", n, n_other);
    cli_sort(ratio, (size_t)n);
    cli_sort(other, (size_t)n_other);
    tap_ok(wrong == 0, "registers are %.2f to %.2f times the estimate", ratio[0], ratio[n - 1]);
    double median = cli_quantile(ratio, (size_t)n, 0.5);
    tap_ok(fabs(median - 1) <= middle, "%.3f in the median", median);
    tap_ok(wrong_other == 0, "for sm_100 %.2f to %.2f times", other[0], other[n_other - 1]);
    tap_ok(tall == 0, "those of height 6 are about those of height 1");
    return tap_done();
}
