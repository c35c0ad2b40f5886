/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multigrid's kernels compile for NVIDIA's architectures, without a GPU: those between two levels
 * and the smoothers in tiles, of every operator; hardly anything is spilled, and no double
 * precision is in what is float.
 */
#include "levels.h"
#include "operators.h"
#include "problem.h"
#include "test_nvrtc.h"
#include "tiles.h"

/* An H100, as its vendor describes it. */
static const struct gzk_device_info device = {
    .units = 132, .local_bytes = 227 << 10, .max_threads = 1024};

/* ptxas may spill a few registers to run more blocks at once; that is its choice. */
enum { few_bytes = 32 };

/* Whether a text, which it frees, compiles as it should, and has doubles or not. */
static bool compiles(char *text, int capability, bool has_doubles)
{
    struct gzk_compiled compiled;
    if (!nvrtc_compiles(text, capability, false, &compiled))
        return false;
    int spilled = ptxas_number(&compiled, " bytes spill stores");
    bool doubles = ptx_has_double(compiled.ptx);
    tap_note("sm_%d %3d registers, %d bytes spilled", capability,
             ptxas_number(&compiled, " registers"), spilled);
    gzk_compiled_free(&compiled);
    return spilled <= few_bytes && doubles == has_doubles;
}

static void check(const struct gzm_problem *problem, int capability)
{
    struct gzk_stencil residual, smoother;
    gzm_stencil_of(problem, GZM_DO_RESIDUAL, &residual);
    residual.coefficients = GZM_COEFS;
    gzm_smoother_of(problem, &smoother);
    const struct gzk_config between = gzm_between(&residual, problem->size, &device, 0);
    bool all = true, is_double = problem->type == GZK_DOUBLE;
    for (int k = 0; k < GZM_KERNELS; k++) {
        const struct gzk_program_spec spec =
            gzm_between_spec(&between, gzk_cuda.prelude, (enum gzm_kernel)k);
        all = compiles((char *)spec.text, capability, is_double) && all;
    }
    const char *what = problem->op == GZM_7_POINT || problem->op == GZM_VARIABLE
                           ? gzm_edge_names[problem->edges]
                           : "periodic";
    tap_ok(all, "%s, %s: the kernels between levels", gzm_operator_names[problem->op], what);
    struct gzk_config tile = {.stencil = &smoother,
                              .variant = GZK_TRAPEZOID,
                              .size = {64, 64, 64},
                              .block = {32, 12, 12},
                              .height = 2};
    gzk_default_threads(&tile, device.max_threads, false);
    tap_ok(compiles(gzk_kernel_text(&tile, gzk_cuda.prelude), capability, is_double),
           "%s, %s: the smoother", gzm_operator_names[problem->op], what);
}

int main(void)
{
    struct gzm_problem problems[] = {
        {.op = GZM_7_POINT, .edges = GZM_DIRICHLET, .type = GZK_DOUBLE},
        {.op = GZM_VARIABLE, .edges = GZM_NEUMANN, .type = GZK_FLOAT},
        {.op = GZM_13_POINT, .smoother = GZM_JACOBI, .type = GZK_DOUBLE},
        {.op = GZM_27_POINT, .smoother = GZM_JACOBI, .type = GZK_FLOAT},
        {.op = GZM_125_POINT, .smoother = GZM_JACOBI, .type = GZK_DOUBLE}};
    enum { PROBLEMS = sizeof problems / sizeof *problems };
    needs_nvrtc();
    int each = tap_bulk(1, NVRTC_CAPABILITIES);
    for (int k = tap_bulk(1, 0); k < PROBLEMS; k += tap_bulk(2, 1))
        for (int c = 0; c < each; c++) {
            memcpy(problems[k].size, (int[]){128, 128, 128}, sizeof problems[k].size);
            check(&problems[k], nvrtc_capabilities[(k + c) % NVRTC_CAPABILITIES]);
        }
    return tap_done();
}
