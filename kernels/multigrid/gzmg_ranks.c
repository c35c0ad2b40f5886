/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_ranks.h"

#include "tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int gzm_ranks_begin(struct gzm_ranks *ranks, struct gzm_options *options)
{
    struct gzk_exchange *exchange = &ranks->exchange;
    struct gzk_error error;

    if (!options->ranks_given)
        return CLI_DONE;
    exchange->request = options->request;
    int status = gzk_exchange_open(exchange, &error);
    if (status != 0) {
        if (exchange->rank == 0)
            cli_fail(status, "%s", error.text);
        gzk_exchange_close(exchange);
        return status;
    }
    if (exchange->ranks > 1) {
        snprintf(ranks->name, sizeof ranks->name, "gzmg: rank %d", exchange->rank);
        cli_set_program(ranks->name);
    }
    options->quiet |= exchange->rank > 0;
    if (!options->device)
        options->device = gzk_device_in_turn(exchange->node_rank, ranks->address);
    ranks->division.exchange = exchange;
    return CLI_DONE;
}

void gzm_ranks_end(struct gzm_ranks *ranks)
{
    gzm_division_free(&ranks->division);
    gzk_exchange_close(&ranks->exchange);
}

bool gzm_ranks_first(const struct gzm_ranks *ranks)
{
    return ranks->exchange.rank == 0;
}

int gzm_ranks_agree(struct gzm_ranks *ranks, int status)
{
    return ranks->exchange.kind ? gzk_exchange_agree(&ranks->exchange, status) : status;
}

void gzm_ranks_abandon(struct gzm_ranks *ranks, const struct gzk_error *error)
{
    if (ranks->exchange.kind && ranks->exchange.ranks > 1)
        ranks->exchange.kind->abandon(&ranks->exchange, cli_fail(error->status, "%s", error->text));
}

void gzm_ranks_sum(struct gzm_ranks *ranks, struct gzm_level_report *levels, int count)
{
    for (int k = 0; k < count && ranks->exchange.kind; k++) {
        struct gzm_level_report *level = &levels[k];
        uint64_t sent[] = {(uint64_t)level->messages, (uint64_t)level->bytes};
        ranks->exchange.kind->total(&ranks->exchange, sent, 2);
        ranks->exchange.kind->largest(&ranks->exchange, &level->exchange_s, 1);
        level->messages = (long)sent[0];
        level->bytes = (double)sent[1];
    }
}

/* ------------------------------------------------------------------------------------- division */

/* What there is to divide, but for layout and depths. */
static struct gzm_divided whole_of(const struct gzm_options *options, bool has_device)
{
    const struct gzm_setup *setup = &options->setup;
    int most = setup->sweeps[0] > setup->sweeps[1] ? setup->sweeps[0] : setup->sweeps[1];
    struct gzm_divided what = {.problem = &setup->problem,
                               .sizes = gzm_sizes(setup, has_device),
                               .loops = most * gzm_loops(&setup->problem)};
    memcpy(what.layout, options->ranks, sizeof what.layout);
    memcpy(what.depth, options->rank_depth, sizeof what.depth);
    return what;
}

/* What the model has to know. */
struct model {
    struct gzk_chooser chooser;
    gz_network net;
    int ranks;
};

/* Keeps `smoother`. */
static int describe(const struct gzm_ranks *ranks, const struct gzk_device *device,
                    const struct gzm_options *options, struct gzk_stencil *smoother,
                    struct model *model)
{
    const char *name = options->network ? options->network : "infiniband-ndr";
    struct gzk_error error;
    gz_error why;

    gzm_smoother_of(&options->setup.problem, smoother);
    model->ranks = ranks->exchange.ranks;
    if (gzk_chooser_open(&model->chooser, device, smoother, NULL, NULL, GZ_MODEL_AUTO, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    return gz_network_open(name, &model->net, &why) == GZ_OK
               ? CLI_DONE
               : cli_fail(CLI_BAD_INPUT, "--network: %s", why.text);
}

/* What a visit to each level takes with the best depth, unless it is given, which is set; infinite
 * if the layout does not fit. */
static double visits(const struct model *model, struct gzm_divided *what)
{
    struct gzm_division division = {.exchange = NULL};
    struct gzk_error error;
    double sum = gzm_divide(what, &division, &error) == 0 ? 0 : HUGE_VAL;

    for (int k = 0; k < division.levels && isfinite(sum); k++) {
        int most = division.depth[k];
        gz_ranks_request request = {
            .run = {.syncs = 1U << GZ_SYNC_RESTART, .loops = gzm_most_depth(what)},
            .ranks = model->ranks,
            .depth = what->depth[k] < most ? what->depth[k] : most};
        gz_ranks_time time;
        for (int d = 0; d < 3; d++) {
            request.layout[d] = what->layout[d];
            request.run.data_length[d] = what->sizes.of[k][d];
        }
        if (gz_ranks_optimize(&model->chooser.model, &model->chooser.app, &model->net, &request,
                              &time, NULL) != GZ_OK)
            sum = HUGE_VAL;
        sum += gzm_most_depth(what) * time.seconds_per_loop;
        if (what->depth[k] == 0)
            what->depth[k] = time.depth < most ? time.depth : most;
    }
    gzm_division_free(&division);
    return sum;
}

/* Layout and depths with the shortest visits. */
static int optimize(const struct model *model, struct gzm_divided *what)
{
    const struct gzm_divided given = *what;
    double least = HUGE_VAL;
    bool free = what->layout[0] == 0;

    for (int x = 1; x <= model->ranks; x++)
        for (int y = 1; x * y <= model->ranks; y++) {
            struct gzm_divided tried = given;
            const int layout[3] = {x, y, model->ranks / (x * y)};
            if (x * y * layout[2] != model->ranks ||
                (!free && memcmp(layout, given.layout, sizeof layout) != 0))
                continue;
            memcpy(tried.layout, layout, sizeof layout);
            double seconds = visits(model, &tried);
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
                          model->ranks, gzk_extents_text(what->sizes.of[0], 3).text);
}

static bool is_open(const struct gzm_divided *what)
{
    bool open = what->layout[0] == 0;
    for (int k = 0; k < what->sizes.on_device; k++)
        open |= what->depth[k] == 0;
    return open;
}

/* The first rank chooses for all, whose devices may differ. */
static int choose(struct gzm_ranks *ranks, const struct gzk_device *device,
                  const struct gzm_options *options, struct gzm_divided *what)
{
    uint64_t choice[3 + GZM_MAX_LEVELS] = {0}, status = CLI_DONE;
    struct gzk_stencil smoother;
    struct model model;

    if (gzm_ranks_first(ranks)) {
        status = (uint64_t)describe(ranks, device, options, &smoother, &model);
        if (status == CLI_DONE)
            status = (uint64_t)optimize(&model, what);
        for (int d = 0; d < 3; d++)
            choice[d] = (uint64_t)what->layout[d];
        for (int k = 0; k < GZM_MAX_LEVELS; k++)
            choice[3 + k] = (uint64_t)what->depth[k];
    }
    ranks->exchange.kind->total(&ranks->exchange, &status, 1);
    ranks->exchange.kind->total(&ranks->exchange, choice, 3 + GZM_MAX_LEVELS);
    for (int d = 0; d < 3; d++)
        what->layout[d] = (int)choice[d];
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        what->depth[k] = (int)choice[3 + k];
    return (int)status;
}

int gzm_ranks_divide(struct gzm_ranks *ranks, const struct gzk_device *device,
                     struct gzm_options *options)
{
    struct gzk_error error;

    if (!options->ranks_given)
        return CLI_DONE;
    struct gzm_divided what = whole_of(options, device != NULL);
    int status =
        what.layout[0] > 0 ? gzk_layout_check(what.layout, 3, ranks->exchange.ranks, &error) : 0;
    if (status == 0 && is_open(&what)) {
        status = choose(ranks, device, options, &what);
        if (status != CLI_DONE)
            return status;
    }
    if (status == 0)
        status = gzm_divide(&what, &ranks->division, &error);
    if (status != 0)
        return gzm_ranks_first(ranks) ? cli_fail(status, "%s", error.text) : status;
    ranks->exchange.kind->arrange(&ranks->exchange, what.layout, ranks->division.split[0].periodic);
    memcpy(options->ranks, what.layout, sizeof what.layout);
    options->setup.division = &ranks->division;
    return CLI_DONE;
}
