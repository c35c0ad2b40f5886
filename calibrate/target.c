/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "contents.h"
#include "insts.h"
#include "nvrtc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the 2011 model, whose counts are of one multiprocessor: a million cells on one. */
static const double elements = 1 << 20, warp = 32;

static struct gzc_entry counted(double value, const char *note)
{
    return gzc_entry_of(fmax(value, 0), 0, GZ_ORIGIN_COUNTED, "%s", note);
}

/* The parts of a variant under their names, which begin alike. */
static void put_parts(const char *variant, const double part[GZK_INST_PARTS],
                      struct gzc_app_file *app)
{
    static const char *const names[] = {"stage", "load", "step", "compute"};
    for (int k = 0; k < GZK_INST_PARTS; k++) {
        char name[40];
        snprintf(name, sizeof name, "%s%s_insts", variant, names[k]);
        int param = gz_param_by_name(name);
        if (param >= 0)
            app->entries[param] = counted(part[k], "");
    }
}

int gzc_count_for_target(const struct gzk_stencil *stencil, const char *target,
                         struct gzc_app_file *app, struct gzk_error *error)
{
    struct gzk_insts insts;
    int capability, read = 0;
    if (sscanf(target, "sm_%3d%n", &capability, &read) != 1 || target[read])
        return gzk_fail(error, GZK_INVALID, "--target %.40s: must be sm_80, sm_90 or the like",
                        target);
    int status = gzk_count_insts(stencil, capability, &insts, error);
    if (status != 0)
        return status;
    *app = (struct gzc_app_file){.elements = elements, .sm_count = 1};
    gzc_describe_stencil(stencil, app);
    snprintf(app->device, sizeof app->device, "%s", target);
    snprintf(app->note, sizeof app->note,
             "warp instructions of an inner warp, counted in the machine code that NVRTC %d.%d "
             "makes for %s: gz-calibrate --target %s -a %s",
             gzk_nvrtc_version() / 1000, gzk_nvrtc_version() % 1000 / 10, target, target,
             stencil->name);
    put_parts("", insts.trapezoid, app);
    put_parts("naive_", insts.naive, app);
    if (stencil->dimensions > 1)
        put_parts("stream_", insts.stream, app);
    if (insts.doubles > 0)
        app->entries[gz_param_by_name("fp64_insts")] = counted(insts.doubles, "");
    app->entries[GZ_P_REGISTERS_PER_THREAD] = counted(insts.registers, "of a trapezoid's thread");
    const double *part = insts.trapezoid;
    app->entries[GZ_P_INSTS_PER_SM_MISC] =
        counted((part[GZK_INST_STAGE] + part[GZK_INST_LOAD]) * elements / warp,
                "stage_insts and load_insts, one cell for each thread");
    app->entries[GZ_P_INSTS_PER_SM_ITER] =
        counted((part[GZK_INST_STEP] + part[GZK_INST_COMPUTE]) * elements / warp,
                "step_insts and compute_insts, one cell for each thread");
    app->entries[GZ_P_BANK_CONFLICT_RATE] =
        gzc_entry_of(0, 0, GZ_ORIGIN_DEFAULT, "not in machine code");
    return 0;
}
