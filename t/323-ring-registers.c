/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers that a thread of a streamed tile takes with its planes in rings, as NVRTC allots
 * them without a GPU, are those estimated (gzi_ring_registers): 0.65 to 1.35 times as many for
 * sm_75 to sm_90, in the median within a tenth; for sm_100, for which it unrolls less, 0.5 to 1.65
 * times as many. The height plays no part.
 *
 * With columns in registers (gzi_column_registers) they are 0.65 to 1.4 times as many, in the
 * median within a tenth, and nothing is spilled by a kernel with fences either, if it is estimated
 * to have room, but 8 and 24 bytes by wave3d's for sm_90.
 *
 * Every fourth case of a stencil, by turns; with GZ_ALL=2 all.
 */
#include "numbers.h"
#include "registry.h"
#include "test_nvrtc.h"
#include "tiles.h"

enum { MOST = 200, WARP = 32, PLANES = 32, GRID = 512 };

/* Targets, threads and heights: all targets at one of each, the others for one target. */
static const struct {
    int capability, threads, height;
} cases[] = {{75, 256, 3}, {80, 256, 3},  {90, 256, 3}, {100, 256, 3},
             {80, 512, 3}, {80, 1024, 3}, {80, 256, 1}, {80, 256, 6}};
enum { CASES = sizeof cases / sizeof *cases };

/* Whether a case is a stencil's turn; the last two, which are compared, together. */
static bool is_taken(size_t stencil, int at)
{
    return tap_every() || (stencil + (size_t)(at < CASES - 1 ? at : at - 1)) % 4 == 0;
}

/* A tile of one cell for each thread in two dimensions, of four or more in three. */
static struct gzk_config config_of(const struct gzk_stencil *stencil, int threads, int height)
{
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_STREAM,
                                .height = height,
                                .layout = GZI_PLANES_RING,
                                .size = {GRID, GRID, 1},
                                .block = {threads, 1, 1},
                                .threads = {threads, 1, 1}};
    int last = stencil->dim - 1;
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

/* The rows that a thread of a ring computes together where it has as many: those for which half of
 * its registers are enough. */
static int rows_together(const char *stencil, int threads)
{
    struct gzk_config config = config_of(gzk_stencil_find(stencil), threads, 2);
    config.block[1] = 4 * config.threads[1];
    const gzi_tile tile = gzk_tile_of(&config);
    return gzi_rows_together(&tile);
}

/* Likewise of columns, with as many rows for each thread, and restarts or fences. */
static const struct {
    int capability, threads, height, rows;
    gz_sync sync;
} column_cases[] = {{80, 256, 1, 1, GZ_SYNC_RESTART}, {80, 256, 1, 2, GZ_SYNC_RESTART},
                    {75, 256, 2, 2, GZ_SYNC_RESTART}, {90, 256, 2, 2, GZ_SYNC_RESTART},
                    {100, 256, 2, 2, GZ_SYNC_FENCE},  {90, 256, 3, 1, GZ_SYNC_FENCE},
                    {120, 512, 2, 1, GZ_SYNC_FENCE}};
enum { COLUMN_CASES = sizeof column_cases / sizeof *column_cases };

static struct gzk_config columns_of(const struct gzk_stencil *stencil, int at)
{
    int threads = column_cases[at].threads, rows = column_cases[at].rows;
    struct gzk_config config = config_of(stencil, threads, column_cases[at].height);
    config.layout = GZI_PLANES_COLUMNS;
    config.columns = true;
    config.sync = column_cases[at].sync;
    config.block[0] = stencil->dim == 3 ? WARP : rows * threads;
    if (stencil->dim == 3)
        config.block[1] = rows * config.threads[1];
    return config;
}

/* Registers over the estimate; NaN if there is no kernel. `spilled` (may be NULL) is counted up if
 * registers are spilled that were estimated to have room. */
static double measured(const struct gzk_stencil *stencil, struct gzk_config config, int capability,
                       int *spilled)
{
    struct gzk_compiled compiled;
    if (!nvrtc_kernel(&config, capability, true, &compiled))
        return (double)NAN;
    int registers = ptxas_number(&compiled, " registers");
    const gzi_tile tile = gzk_tile_of(&config);
    double estimated = config.columns ? gzi_column_registers(&tile) : gzi_ring_registers(&tile);
    int threads = config.threads[0] * config.threads[1];
    int stack = ptxas_number(&compiled, " bytes stack frame");
    tap_note("%-8s sm_%-3d %4d threads height %d, %.0f columns%s: %3d registers, estimated %.0f, "
             "%d bytes spilled",
             stencil->name, capability, threads, config.height, gzi_thread_columns(&tile),
             config.sync == GZ_SYNC_FENCE ? ", fence" : "", registers, estimated, stack);
    enum { FEW_BYTES = 24 };
    if (spilled)
        *spilled += stack > FEW_BYTES && gzi_columns_fit(&tile);
    gzk_compiled_free(&compiled);
    return registers > 0 ? registers / estimated : (double)NAN;
}

int main(void)
{
    static const double most = 1.35, least = 0.65, most_100 = 1.65, least_100 = 0.5, middle = 0.1,
                        by_height = 1.25, least_columns = 0.65, most_columns = 1.4;
    double ratio[MOST], other[MOST];
    int n = 0, n_other = 0, wrong = 0, wrong_other = 0, tall = 0;

    needs_nvrtc();
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        double own[CASES];
        if (gzk_stencils[s]->dim < 2)
            continue;
        for (int k = 0; k < CASES; k++) {
            if (!is_taken(s, k))
                continue;
            own[k] = measured(gzk_stencils[s],
                              config_of(gzk_stencils[s], cases[k].threads, cases[k].height),
                              cases[k].capability, NULL);
            if (cases[k].capability < 100) {
                ratio[n++] = own[k];
                wrong += !(own[k] >= least && own[k] <= most);
            } else {
                other[n_other++] = own[k];
                wrong_other += !(own[k] >= least_100 && own[k] <= most_100);
            }
        }
        tall += is_taken(s, CASES - 1) && !(own[CASES - 1] <= by_height * own[CASES - 2]);
    }
    tap_ok(n >= (tap_every() ? 70 : 17) && n_other >= 2, "%d kernels, and %d for sm_100", n,
           n_other);
    cli_sort(ratio, (size_t)n);
    cli_sort(other, (size_t)n_other);
    tap_ok(wrong == 0, "registers are %.2f to %.2f times the estimate", ratio[0], ratio[n - 1]);
    double median = cli_quantile(ratio, (size_t)n, 0.5);
    tap_ok(fabs(median - 1) <= middle, "%.3f in the median", median);
    tap_ok(wrong_other == 0, "for sm_100 %.2f to %.2f times", other[0], other[n_other - 1]);
    tap_ok(tall == 0, "those of height 6 are about those of height 1");

    tap_ok(rows_together("star7", 512) == 4 && rows_together("box27", 512) == 4 &&
               rows_together("box27", 1024) == 1 && rows_together("box125", 384) == 2,
           "four rows of box27 are computed together by 512 threads, two of box125 by 384");

    n = wrong = 0;
    int spilled = 0;
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (int k = 0; k < COLUMN_CASES && gzk_stencils[s]->reads.own_column; k++) {
            if ((!tap_every() && (s + (size_t)k) % 3) ||
                gzk_max_height(gzk_stencils[s], columns_of(gzk_stencils[s], k).block) <
                    column_cases[k].height)
                continue;
            ratio[n] = measured(gzk_stencils[s], columns_of(gzk_stencils[s], k),
                                column_cases[k].capability, &spilled);
            wrong += !(ratio[n] >= least_columns && ratio[n] <= most_columns);
            n++;
        }
    cli_sort(ratio, (size_t)n);
    tap_ok(n >= (tap_every() ? 30 : 10) && wrong == 0, "of %d with columns %.2f to %.2f times", n,
           ratio[0], ratio[n - 1]);
    median = cli_quantile(ratio, (size_t)n, 0.5);
    tap_ok(fabs(median - 1) <= middle, "%.3f in the median", median);
    tap_ok(spilled == 0, "no more than a few bytes are spilled by what is estimated to have room");
    return tap_done();
}
