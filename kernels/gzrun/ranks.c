/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modes.h"

#include "collect.h"
#include "common.h"
#include "data.h"
#include "defaults.h"
#include "halo.h"
#include "interrupt.h"
#include "memory.h"
#include "numbers.h"
#include "own_grid.h"
#include "result.h"
#include "si.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One rank's run. Steps return an exit status, after they said what was wrong; all ranks agree on
 * it after each. */
struct job {
    struct gzk_options *options; /* of the whole grid */
    struct gzk_exchange exchange;
    struct gzk_where where;
    struct gzk_split split;
    struct gzk_domain part;
    struct gzk_data grid; /* on ranks that need it; else it has no arrays */
    struct gzk_initial initial;
    struct gzk_own_grid own;
    struct gzk_options own_options; /* on the own grid */
    struct gzk_session *session;
    struct gzk_plan *plan;
    struct gzk_halo *halo;
    struct gzk_halo_spent spent; /* by the last run */
    struct gzk_ranks_result ranks;
    struct gzk_result result;
};

static bool is_first(const struct job *job)
{
    return job->exchange.rank == 0;
}

/* What is wrong for all ranks alike is said once. */
static int complain_once(const struct job *job, const struct gzk_error *error)
{
    return is_first(job) ? gzk_complain(error) : error->status;
}

/* ------------------------------------------------------------------------------------- division */

/* Halos are of one field. */
static int check_stencil(const struct gzk_options *options, struct gzk_error *error)
{
    const struct gzk_stencil *stencil = options->config.stencil;
    if (gzi_fields(&stencil->shape) > 1)
        return gzk_fail(error, GZK_INVALID,
                        "--ranks: %s has %d fields, which are not divided among ranks",
                        stencil->name, gzi_fields(&stencil->shape));
    return 0;
}

/* Layout and depth by the model, unless they are given. */
static int predict(const struct job *job, gz_network *net, gz_ranks_time *time,
                   struct gzk_error *error)
{
    const struct gzk_options *options = job->options;
    const struct gzk_config *config = &options->config;
    const struct gzk_given given = {.variants = gzk_model_variant(config->variant),
                                    .syncs = 1U << config->sync};
    struct gzk_chooser chooser;
    gz_error why;

    int status = gzk_where_chooser(&job->where, config->stencil, GZ_MODEL_AUTO, &chooser, error);
    if (status == 0)
        status = gzk_chooser_complete(&chooser, error);
    if (status != 0)
        return status;
    gz_ranks_request request = {.run = gzk_chooser_request(&chooser, config, &given),
                                .ranks = job->exchange.ranks,
                                .depth = (int)options->rank_depth};
    memcpy(request.layout, options->ranks, sizeof request.layout);
    if (gz_network_open(options->network ? options->network : "infiniband-ndr", net, &why) ||
        gz_ranks_optimize(&chooser.model, &chooser.app, net, &request, time, &why))
        return gzk_fail(error, GZK_INVALID, "--ranks: %s", why.text);
    return 0;
}

static void say_choice(const struct job *job, const gz_network *net, const gz_ranks_time *time)
{
    const struct gzk_options *options = job->options;
    if (!options->quiet)
        fprintf(stderr,
                "gzrun: chose ranks %s, rank depth %ld: predicted %s a loop with network %s\n",
                gzk_extents_text(options->ranks, options->config.stencil->dim).text,
                options->rank_depth, cli_si(time->seconds_per_loop, "s").text, net->name);
}

/* Rank 0 chooses for all, whose devices may differ. */
static int choose(struct job *job)
{
    struct gzk_options *options = job->options;
    gz_network net;
    gz_ranks_time time = {.depth = 0};
    struct gzk_error error;
    int status = CLI_DONE;

    if (is_first(job) && predict(job, &net, &time, &error) != 0)
        status = gzk_complain(&error);
    status = gzk_exchange_agree(&job->exchange, status);
    if (status != CLI_DONE)
        return status;
    gzk_exchange_tell(&job->exchange, &time, sizeof time);
    for (int d = 0; d < 3; d++)
        options->ranks[d] = time.layout[d] > 0 ? time.layout[d] : 1;
    options->rank_depth = time.depth;
    if (options->height_given && options->rank_depth < options->config.height)
        options->rank_depth = options->config.height;
    if (options->rank_depth > options->config.loops)
        options->rank_depth = options->config.loops;
    if (is_first(job))
        say_choice(job, &net, &time);
    return CLI_DONE;
}

static int divide(struct job *job)
{
    struct gzk_options *options = job->options;
    const struct gzk_config *config = &options->config;
    struct gzk_error error = {0};

    int status = check_stencil(options, &error);
    if (status == 0 && options->ranks[0] > 0)
        status =
            gzk_layout_check(options->ranks, config->stencil->dim, job->exchange.ranks, &error);
    if (status == 0 && (options->rank_depth == 0 || options->ranks[0] == 0)) {
        status = choose(job);
        if (status != CLI_DONE)
            return status;
    }

    if (status == 0 && options->rank_depth > config->loops)
        options->rank_depth = config->loops;
    if (status == 0 && options->height_given && config->height > options->rank_depth &&
        options->rank_depth < config->loops)
        status = gzk_fail(&error, GZK_INVALID,
                          "height %d: must be at most the rank depth, %ld, after which halos are "
                          "exchanged",
                          config->height, options->rank_depth);
    if (status == 0)
        status = gzk_split_make(config->stencil, config->size, options->ranks, options->rank_depth,
                                &job->split, &error);
    if (status != 0)
        return complain_once(job, &error);
    gzk_exchange_arrange(&job->exchange, options->ranks, job->split.periodic);
    gzk_domain_of(&job->split, job->exchange.rank, &job->part);
    return 0;
}

/* --------------------------------------------------------------------------------------- device */

static int open_device(struct job *job)
{
    return gzk_where_open(job->options, &job->where);
}

/* Fills in what the command line leaves open, for the own grid. */
static void settle(struct job *job)
{
    struct gzk_options *own = &job->own_options;
    struct gzk_config *config = &own->config;

    /* Between two exchanges a rank makes a run of its own. */
    long loops = config->loops;
    config->loops = own->rank_depth;
    bool chosen = gzk_choose_open(&job->where, own);
    config->loops = loops;
    if (chosen)
        return;
    gzk_settle_on_device(own, &job->where.device->info, config);
    if (config->height > own->rank_depth) {
        config->height = (int)own->rank_depth;
        own->height_given = true;
        gzk_settle_on_device(own, &job->where.device->info, config);
    }
}

/* Refuses what does not fit before anything is made: all ranks of a machine share its memory. */
static int check_memory(struct job *job)
{
    const struct gzk_device_info *info = &job->where.device->info;
    struct gzk_error error = {0};
    double ranks = job->exchange.node_rank + 1;

    gzk_exchange_largest(&job->exchange, &ranks, 1);
    job->own_options = *job->options;
    memcpy(job->own_options.config.size, job->part.size, sizeof job->part.size);
    struct gzk_memory needed = gzk_memory_needed(&job->own_options.config, 1);
    needed.host *= ranks;
    needed.device *= info->is_cpu ? ranks : 1;
    if (ranks > 1)
        needed.remedy = "these are the arrays of all ranks on this machine: give a smaller --size "
                        "or fewer --loops";
    return gzk_memory_check(&needed, info, &error) == 0 ? CLI_DONE : gzk_complain(&error);
}

/* The whole grid's data, where they are compared with, read from files, or made by a stencil that
 * makes no parts. */
static int make_whole(struct job *job)
{
    const struct gzk_options *options = job->options;
    const struct gzk_config *config = &options->config;
    bool cut = options->input_count > 0 || !config->stencil->fills_parts;

    job->initial = (struct gzk_initial){.loops = config->loops, .seed = options->seed};
    if (cut)
        job->initial.grid = &job->grid;
    if (cut || (options->verify && is_first(job)))
        return gzk_make_data(options, NULL, options->verify ? 3 : 1, &job->grid);
    memcpy(job->grid.size, config->size, sizeof config->size);
    job->grid.cells = gzk_cells(config->size);
    return CLI_DONE;
}

static int make_grids(struct job *job)
{
    struct gzk_options *options = job->options;
    struct gzk_error error = {0};
    int status = make_whole(job);

    if (status != CLI_DONE)
        return status;
    if (gzk_own_grid_make(options->config.stencil, &job->initial, &job->split, &job->part,
                          &job->own, &error) != 0)
        return gzk_complain(&error);
    job->own_options.config.stencil = &job->own.stencil;
    if (!options->block_given)
        gzk_default_block(&job->own_options.config);
    settle(job);
    return CLI_DONE;
}

/* Compiles, and puts the own grid on the device. */
static int prepare(struct job *job)
{
    struct gzk_device *device = job->where.device;
    const struct gzk_config *config = &job->own_options.config;
    struct gzk_error error = {0};
    const struct gzk_program *program;

    gzk_show(job->options, "compiling");
    int status = gzk_device_program(device, config, &program, &error);
    if (status == 0)
        status = gzk_session_new(device, config->stencil, &job->own.data, &job->session, &error);
    if (status == 0)
        status = gzk_plan_new(job->session, config, &job->plan, &error);
    if (status == 0)
        status = gzk_halo_new(device, job->session, &job->exchange, &job->split, config->stencil,
                              (int)job->options->rank_depth, 1, &job->halo, &error);
    if (status != 0)
        return gzk_complain(&error);
    device->backend->report(program, &job->result.build);
    job->result.geometry = *gzk_plan_geometry(job->plan);
    return 0;
}

static int prepare_in_turn(struct job *job)
{
    gzk_exchange_turn(&job->exchange, true);
    int status = prepare(job);
    gzk_exchange_turn(&job->exchange, false);
    return status;
}

/* -------------------------------------------------------------------------------------- results */

/* What all ranks spent and sent. */
static void sum_up(struct job *job)
{
    const struct gzk_halo_spent *spent = &job->spent;
    double loops = (double)job->options->config.loops;
    uint64_t exchanges = (uint64_t)spent->exchanges;
    double seconds[] = {spent->loops_s, spent->exchange_s[1], spent->exchange_s[0]};
    uint64_t sent[] = {exchanges * (uint64_t)gzk_halo_messages(job->halo),
                       exchanges * gzk_halo_bytes(job->halo)};

    gzk_exchange_largest(&job->exchange, seconds, 3);
    gzk_exchange_total(&job->exchange, sent, 2);
    job->ranks = (struct gzk_ranks_result){.ranks = job->exchange.ranks,
                                           .depth = job->options->rank_depth,
                                           .interior_s = seconds[0] / loops,
                                           .exchange_s = seconds[1] / loops,
                                           .pack_s = seconds[2] / loops,
                                           .messages = (double)sent[0] / loops,
                                           .bytes = (double)sent[1] / loops};
    memcpy(job->ranks.layout, job->split.ranks, sizeof job->ranks.layout);
}

/* Whether anything is asked for that needs the whole state. */
static bool needs_state(const struct gzk_options *options)
{
    return options->verify || options->output || options->t4;
}

/* Compares a state with the serial reference, into the result. */
static int compare(struct job *job, const void *state, struct gzk_error *error)
{
    const struct gzk_config *config = &job->options->config;
    struct gzk_serial serial = {config->stencil, &job->grid, config->loops};
    void *reference = malloc(gzk_state_bytes(config->stencil, &job->grid));
    int status = reference
                     ? gzk_reference_run(&serial, reference, &cli_interrupted, error)
                     : gzk_fail(error, GZK_FAILED, "out of host memory for the serial reference");
    if (status == 0) {
        gzk_compare(&serial, state, reference, config->contract, &job->result.comparison);
        job->result.compared = true;
    }
    free(reference);
    return status;
}

/* On rank 0, compares and writes. */
static int write(struct job *job, const void *state, struct gzk_error *error)
{
    struct gzk_options *options = job->options;
    struct gzk_config *config = &options->config, *own = &job->own_options.config;
    int size[3];

    /* The tiles are those of the own grid. */
    memcpy(size, config->size, sizeof size);
    const struct gzk_stencil *stencil = config->stencil;
    *config = *own;
    config->stencil = stencil;
    memcpy(config->size, size, sizeof size);
    job->result.options = options;
    job->result.device = &job->where.device->info;
    job->result.bandwidth = gzk_measured_bandwidth(&job->where);
    job->result.ranks = &job->ranks;
    if (options->verify && compare(job, state, error) != 0)
        return error->status;
    gzk_show(options, "");
    return gzk_result_write(&job->result, &job->grid, state);
}

static int finish(struct job *job)
{
    size_t bytes = (size_t)job->options->config.stencil->bytes;
    struct gzk_error error = {0};
    bool all = needs_state(job->options);
    void *own = malloc(bytes * job->own.data.cells);
    void *grid = all && is_first(job) ? malloc(bytes * job->grid.cells) : NULL;

    int status = own && (grid || !all || !is_first(job))
                     ? gzk_session_read(job->session, own, &error)
                     : gzk_fail(&error, GZK_FAILED, "out of host memory");
    if (status != 0)
        gzk_complain(&error);
    status = gzk_exchange_agree(&job->exchange, status);
    if (status == 0 && all)
        status = gzk_collect(&job->exchange, &job->split, bytes, own, grid, &error);
    if (status == 0) {
        job->result.checksum = gzk_domain_checksum(&job->split, &job->part, bytes, own);
        gzk_exchange_total(&job->exchange, &job->result.checksum, 1);
        sum_up(job);
        if (is_first(job))
            status = write(job, grid, &error);
    }
    if (error.status != 0)
        gzk_complain(&error);
    free(own);
    free(grid);
    return status;
}

/* Runs all loops from the initial state, on all ranks together; `seconds` are the longest rank's.
 * After a failure the others wait for messages that will not come. */
static int run_once(void *of, const volatile sig_atomic_t *stop, double *seconds,
                    struct gzk_error *error)
{
    struct job *job = of;
    const long loops = job->options->config.loops, depth = job->options->rank_depth;

    job->spent = (struct gzk_halo_spent){0};
    int status = gzk_session_reset(job->session, error);
    gzk_halo_renew(job->halo);
    gzk_exchange_agree(&job->exchange, 0); /* so that all begin together */
    double begin = cli_now();
    for (long loop = 0; loop < loops && status == 0; loop += depth)
        status =
            gzk_halo_advance(job->halo, job->plan, loop,
                             loop + depth < loops ? loop + depth : loops, stop, &job->spent, error);
    if (status != 0)
        return status;
    *seconds = cli_now() - begin;
    gzk_exchange_largest(&job->exchange, seconds, 1);
    return 0;
}

static int measure(struct job *job)
{
    struct gzk_effort effort = gzk_effort_of(job->options);
    struct gzk_error error = {0};

    gzk_show(job->options, "timing");
    int status = gzk_time_runs(run_once, job, job->options->config.loops, &effort,
                               &job->result.timing, &error);
    if (status != 0) {
        status = gzk_complain(&error);
        gzk_exchange_abandon(&job->exchange, status);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------ all */

static void end(struct job *job)
{
    gzk_halo_free(job->halo);
    gzk_plan_free(job->plan);
    gzk_session_free(job->session);
    gzk_where_close(&job->where);
    gzk_own_grid_free(&job->own);
    gzk_data_free(&job->grid);
    gzk_exchange_close(&job->exchange);
}

int gzk_run_ranks(struct gzk_options *options)
{
    static int (*const steps[])(struct job *) = {open_device,     divide,  check_memory, make_grids,
                                                 prepare_in_turn, measure, finish};
    static struct job job; /* static for its options and times */
    static struct gzk_compilers compilers;

    job.options = options;
    job.where.compilers = &compilers;
    int status = gzk_exchange_join(&job.exchange, "gzrun", options->request, &options->device);
    options->quiet |= job.exchange.rank > 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && status == CLI_DONE; k++)
        status = gzk_exchange_agree(&job.exchange, steps[k](&job));
    end(&job);
    return status;
}
