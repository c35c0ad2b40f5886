/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "modelled.h"

/* How the levels on the device are smoothed, as the model has it. */
static int take_ways(const struct gzk_device *device, const struct gzm_setup *setup,
                     const struct gzk_stencil *smoother, gz_vcycle_request *request,
                     struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, true);
    int status = 0;

    request->levels = sizes.count;
    for (int k = 0; k < sizes.on_device && status == 0; k++) {
        struct gzk_config config = gzm_smoothing(smoother, sizes.of[k], gzm_most_loops(setup));
        status = gzm_choose(device, &setup->way[k], &config, error);
        if (status == 0 && gzk_to_model(&config, GZ_MODEL_AUTO, &request->way[k]))
            request->depth[k] = config.height;
    }
    return status;
}

int gzm_expect(const struct gzk_device *device, gz_cycle cycle, const struct gzm_setup *setup,
               double host_s, gz_vcycle_time *time, struct gzk_error *error)
{
    const struct gzm_problem problem = gzm_cycled(setup);
    const struct gzk_given given = {.syncs = 1U << GZ_SYNC_RESTART};
    struct gzk_stencil smoother;
    gz_vcycle_request request = {.cycle = cycle, .tail = (double)setup->tail, .tail_s = host_s};
    struct gzk_chooser chooser;

    *time = (gz_vcycle_time){0};
    if (!device)
        return 0;
    for (int after = 0; after < 2; after++)
        request.loops[after] = (int)gzm_visit_loops(setup, after);
    gzm_smoother_of(&problem, &smoother);
    request.fused = !setup->separate;
    request.mixed = setup->mixed;
    const struct gzk_config finest = {.stencil = &smoother,
                                      .size = {problem.size[0], problem.size[1], problem.size[2]}};
    int status = take_ways(device, setup, &smoother, &request, error);
    if (status == 0)
        status = gzk_chooser_open(&chooser, device, &smoother, NULL, NULL, GZ_MODEL_AUTO, error);
    if (status == 0)
        request.smoother = gzk_chooser_request(&chooser, &finest, &given);
    if (status == 0 && gz_vcycle(&chooser.model, &chooser.app, &request, time, NULL) != GZ_OK)
        *time = (gz_vcycle_time){0};
    return status;
}
