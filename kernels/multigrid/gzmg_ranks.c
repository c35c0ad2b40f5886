/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_parts.h"

#include "tiles.h"

#include <string.h>

int gzm_ranks_join(struct gzk_exchange *exchange, struct gzm_options *options)
{
    options->division.exchange = exchange;
    if (!options->ranks_given) {
        exchange->ranks = 1;
        return CLI_DONE;
    }
    int status = gzk_exchange_join(exchange, "gzmg", options->request, &options->device);
    options->quiet |= exchange->rank > 0;
    return status;
}

void gzm_ranks_abandon(struct gzk_exchange *exchange, const struct gzk_error *error)
{
    if (exchange->ranks > 1)
        gzk_exchange_abandon(exchange, cli_fail(error->status, "%s", error->text));
}

void gzm_ranks_sum(struct gzk_exchange *exchange, struct gzm_level_report *levels, int count)
{
    for (int k = 0; k < count; k++) {
        struct gzm_level_report *level = &levels[k];
        uint64_t sent[] = {(uint64_t)level->messages, (uint64_t)level->bytes};
        gzk_exchange_total(exchange, sent, 2);
        gzk_exchange_largest(exchange, &level->spent.seconds[GZM_EXCHANGE], 1);
        level->messages = (long)sent[0];
        level->bytes = (double)sent[1];
    }
}

/* ------------------------------------------------------------------------------------- division */

/* Lowers the depths that are not given, which are the most that help and fit, to the model's. */
static int choose_depths(const struct gzk_device *device, const struct gzm_setup *setup,
                         const int given[GZM_MAX_LEVELS], struct gzm_division *division,
                         struct gzk_error *error)
{
    const struct gzk_given restart = {.syncs = 1U << GZ_SYNC_RESTART};
    struct gzk_stencil smoother;
    struct gzk_config run = {.stencil = &smoother, .loops = gzm_most_depth(setup)};
    struct gzk_chooser chooser;
    gz_network net;
    gz_error why;

    gzm_smoother_of(&setup->problem, &smoother);
    int status = gzk_chooser_open(&chooser, device, &smoother, NULL, NULL, GZ_MODEL_AUTO, error);
    if (status == 0 && gz_network_open("infiniband-ndr", &net, &why) != GZ_OK)
        status = gzk_fail(error, GZK_FAILED, "%s", why.text);
    for (int k = 0; k < division->levels && status == 0; k++) {
        memcpy(run.size, division->split[k].size, sizeof run.size);
        gz_ranks_request request = {.run = gzk_chooser_request(&chooser, &run, &restart),
                                    .ranks = division->exchange->ranks};
        gz_ranks_time time;
        memcpy(request.layout, division->layout, sizeof request.layout);
        if (given[k] == 0 &&
            gz_ranks_optimize(&chooser.model, &chooser.app, &net, &request, &time, NULL) == GZ_OK &&
            time.depth < division->depth[k])
            division->depth[k] = time.depth;
    }
    return status;
}

int gzm_ranks_divide(const struct gzk_device *device, struct gzm_options *options)
{
    struct gzm_division *division = &options->division;
    const struct gzm_division given = *division;
    struct gzk_exchange *exchange = division->exchange;
    struct gzk_error error = {0};

    if (!options->ranks_given)
        return CLI_DONE;
    /* The first rank's tail and depths are those of all, whose devices may differ. */
    gzk_exchange_tell(exchange, &options->setup.tail, sizeof options->setup.tail);
    int status = gzk_layout_check(division->layout, 3, exchange->ranks, &error);
    if (status == 0)
        status = gzm_divide(&options->setup, division, &error);
    if (status == 0 && exchange->rank == 0)
        status = choose_depths(device, &options->setup, given.depth, division, &error);
    if (status != 0 && exchange->rank == 0)
        cli_fail(status, "%s", error.text);
    status = gzk_exchange_agree(exchange, status);
    if (status != 0)
        return status;
    gzk_exchange_tell(exchange, division->depth, sizeof division->depth);
    status = gzm_divide(&options->setup, division, &error);
    gzk_exchange_arrange(exchange, division->layout, division->split[0].periodic);
    options->setup.division = division;
    return status;
}
