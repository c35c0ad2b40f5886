/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "contents.h"
#include "insts.h"
#include "nvrtc.h"

#include <stdio.h>

int gzc_count_for_target(const struct gzk_stencil *stencil, const char *target,
                         struct gzc_app_file *app, struct gzk_error *error)
{
    struct gzk_inst_value values[GZK_INST_VALUES];
    struct gzk_insts insts;
    int capability, read = 0;
    if (sscanf(target, "sm_%3d%n", &capability, &read) != 1 || target[read])
        return gzk_fail(error, GZK_INVALID, "--target %.40s: must be sm_80, sm_90 or the like",
                        target);
    int status = gzk_count_insts(stencil, capability, &insts, error);
    if (status != 0)
        return status;
    *app = (struct gzc_app_file){.elements = GZK_INSTS_ELEMENTS, .sm_count = 1};
    gzc_describe_stencil(stencil, app);
    snprintf(app->device, sizeof app->device, "%s", target);
    snprintf(app->note, sizeof app->note,
             "warp instructions of an inner warp, counted in the machine code that NVRTC %d.%d "
             "makes for %s: gz-calibrate --target %s -a %s",
             gzk_nvrtc_version() / 1000, gzk_nvrtc_version() % 1000 / 10, target, target,
             stencil->name);
    int n = gzk_inst_values(stencil, &insts, values);
    for (int k = 0; k < n; k++)
        app->entries[values[k].param] =
            gzc_entry_of(values[k].value, 0, GZ_ORIGIN_COUNTED, "%s", values[k].note);
    app->entries[GZ_P_BANK_CONFLICT_RATE] =
        gzc_entry_of(0, 0, GZ_ORIGIN_DEFAULT, "not in machine code");
    return 0;
}
