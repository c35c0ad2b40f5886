/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ahead.h"

#include "child.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_PARTS = 8 };

/* The kernels of a stencil's runs take some seconds; longer and something hangs. */
static const double limit_s = 120;

int gzc_ahead_compile(struct gzk_device *device, const struct gzk_stencil *stencil,
                      struct gzk_share share, const volatile sig_atomic_t *stop, int *compiled,
                      struct gzk_error *error)
{
    enum { MOST = GZC_STENCIL_RUNS + GZC_STAGE_RUNS };
    struct gzk_config runs[MOST];
    uint64_t keys[MOST];
    struct gzk_kernels kernels = {keys, 0};
    struct gzk_data data;
    struct gzk_session *session = NULL;
    int n = gzc_runs_plan(device, stencil, GZC_RUNS_STENCIL, runs), size[3];
    long loops = 1;
    *compiled = 0;
    gzk_small_grid(stencil, size);
    for (int i = 0; i < n; i++)
        loops = runs[i].height > loops ? runs[i].height : loops;
    if (gzk_data_new(&data, stencil, size, loops, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    int status = gzk_session_new(device, stencil, &data, &session, error);
    for (int i = 0; i < n && status == 0; i++) {
        *compiled += gzk_compile_ahead(session, &runs[i], share, &kernels, stop);
        if (*stop)
            status = gzk_fail(error, GZK_FAILED, "interrupted");
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    return status;
}

/* One stencil's kernels, in `parts` processes at once. */
static void compile_apart(const struct gzc_request *request, const struct gzk_device *device,
                          const struct gzk_stencil *stencil, int parts)
{
    const char *file = request->stencil_path;
    struct gzc_child children[MOST_PARTS];
    for (int p = 0; p < parts; p++) {
        char which[40];
        snprintf(which, sizeof which, "kernels:%d/%d", p + 1, parts);
        const char *const words[] = {request->program,
                                     "-d",
                                     device->info.address,
                                     file ? "--stencil" : "-a",
                                     file ? file : stencil->name,
                                     "--runs",
                                     which,
                                     NULL};
        children[p] = gzc_child_start("compiling kernels", (char *const *)words);
    }
    for (int p = 0; p < parts; p++) {
        struct gzk_error ignored;
        free(gzc_child_end(&children[p], limit_s, request->stop, &ignored));
    }
}

void gzc_ahead_of_tries(const struct gzc_rounds *rounds)
{
    const struct gzc_request *request = rounds->request;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int parts = cores < MOST_PARTS ? (int)cores : MOST_PARTS;
    if (!gzk_compiles_apart(rounds->device) || parts < 2 || !request->program)
        return;
    for (int a = 0; a < rounds->profile_count && !*request->stop; a++) {
        cli_progress_step(request->progress, 0, "compiling the stencils' kernels");
        compile_apart(request, rounds->device, gzc_profile_stencil(rounds->profiles[a]), parts);
    }
}
