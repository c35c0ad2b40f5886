/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_parts.h"

#include "tiles.h"

#include <math.h>
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

/* The inputs of the model. */
struct model {
    struct gzk_chooser chooser;
    gz_network net;
};

/* Keeps `smoother`. */
static int describe(const struct gzk_device *device, const struct gzm_options *options,
                    struct gzk_stencil *smoother, struct model *model)
{
    struct gzk_error error;
    gz_error why;

    gzm_smoother_of(&options->setup.problem, smoother);
    if (gzk_chooser_open(&model->chooser, device, smoother, NULL, NULL, GZ_MODEL_AUTO, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    return gz_network_open(options->network, &model->net, &why) == GZ_OK
               ? CLI_DONE
               : cli_fail(CLI_BAD_INPUT, "--network: %s", why.text);
}

/* The time of a visit to each level, with the best depth, which is set, unless one is given;
 * infinite if the layout does not fit. */
static double visits(const struct model *model, const struct gzm_setup *setup,
                     struct gzm_division *what)
{
    const struct gzk_given restart = {.syncs = 1U << GZ_SYNC_RESTART};
    struct gzk_config run = {.stencil = model->chooser.stencil, .loops = gzm_most_depth(setup)};
    struct gzm_division division = *what;
    struct gzk_error error;
    double sum = gzm_divide(setup, &division, &error) == 0 ? 0 : HUGE_VAL;

    for (int k = 0; k < division.levels && isfinite(sum); k++) {
        int most = division.depth[k], given = what->depth[k];
        memcpy(run.size, division.split[k].size, sizeof run.size);
        gz_ranks_request request = {.run = gzk_chooser_request(&model->chooser, &run, &restart),
                                    .ranks = what->exchange->ranks,
                                    .depth = given < most ? given : most};
        gz_ranks_time time;
        memcpy(request.layout, what->layout, sizeof request.layout);
        if (gz_ranks_optimize(&model->chooser.model, &model->chooser.app, &model->net, &request,
                              &time, NULL) != GZ_OK)
            sum = HUGE_VAL;
        sum += (double)run.loops * time.seconds_per_loop;
        if (given == 0)
            what->depth[k] = time.depth < most ? time.depth : most;
    }
    return sum;
}

/* Layout and depths with the shortest visits. */
static int optimize(const struct model *model, const struct gzm_setup *setup,
                    struct gzm_division *what)
{
    const struct gzm_division given = *what;
    const int ranks = what->exchange->ranks;
    double least = HUGE_VAL;
    bool free = what->layout[0] == 0;

    for (int x = 1; x <= ranks; x++)
        for (int y = 1; x * y <= ranks; y++) {
            struct gzm_division tried = given;
            const int layout[3] = {x, y, ranks / (x * y)};
            if (x * y * layout[2] != ranks ||
                (!free && memcmp(layout, given.layout, sizeof layout) != 0))
                continue;
            memcpy(tried.layout, layout, sizeof layout);
            double seconds = visits(model, setup, &tried);
            if (seconds < least) {
                least = seconds;
                *what = tried;
            }
        }
    return isfinite(least) || !free
               ? CLI_DONE
               : cli_fail(CLI_BAD_INPUT,
                          "--ranks auto: no layout of %d ranks fits levels of %s: must be fewer, "
                          "or a larger --size",
                          ranks, gzk_extents_text(setup->problem.size, 3).text);
}

static bool is_open(const struct gzm_setup *setup, const struct gzm_division *what)
{
    bool open = what->layout[0] == 0;
    for (int k = 0; k < gzm_sizes(setup, true).on_device; k++)
        open |= what->depth[k] == 0;
    return open;
}

/* The first rank chooses for all, whose devices may differ. */
static int choose(const struct gzk_device *device, struct gzm_options *options)
{
    struct gzm_division *what = &options->division;
    struct gzk_stencil smoother;
    struct model model;
    int status = CLI_DONE;

    if (what->exchange->rank == 0)
        status = describe(device, options, &smoother, &model);
    if (status == CLI_DONE && what->exchange->rank == 0)
        status = optimize(&model, &options->setup, what);
    gzk_exchange_tell(what->exchange, what->layout, sizeof what->layout);
    gzk_exchange_tell(what->exchange, what->depth, sizeof what->depth);
    return gzk_exchange_agree(what->exchange, status);
}

int gzm_ranks_divide(const struct gzk_device *device, struct gzm_options *options)
{
    struct gzm_division *division = &options->division;
    struct gzk_exchange *exchange = division->exchange;
    struct gzk_error error;
    int status = 0;

    if (!options->ranks_given)
        return CLI_DONE;
    if (division->layout[0] > 0)
        status = gzk_layout_check(division->layout, 3, exchange->ranks, &error);
    if (status == 0 && is_open(&options->setup, division)) {
        status = choose(device, options);
        if (status != CLI_DONE)
            return status;
    }
    if (status == 0)
        status = gzm_divide(&options->setup, division, &error);
    if (status != 0)
        return exchange->rank == 0 ? cli_fail(status, "%s", error.text) : status;
    gzk_exchange_arrange(exchange, division->layout, division->split[0].periodic);
    options->setup.division = division;
    return CLI_DONE;
}
