/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "multigrid.h"

#include "between.h"
#include "data.h"
#include "memory.h"
#include "numbers.h"
#include "operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gzm_cycle_names[] = {"v", "w", "f", NULL};

/* A level on the host has its arrays there, in `data` and `other`; one on the device in its
 * session. The first on the host has both, through which it is reached. */
struct level {
    struct gzk_data data;
    bool on_host;
    void *other, *work; /* of the coarsest: for the solver */
    struct gzk_config config;
    struct gzk_session *session;
    struct gzk_plan *plan;
    long visits;
    double seconds[GZM_PARTS];
};

struct gzm {
    struct gzm_setup setup;
    struct gzk_device *device;
    const struct gzm_verbs *verbs;
    struct gzm_grid grid; /* but for its data */
    size_t bytes;         /* of an element */
    struct gzk_stencil smoother, residual;
    int count;
    struct level levels[GZM_MAX_LEVELS];
    /* The kernels between levels, and what the last of them writes. */
    struct gzk_config between;
    struct gzk_program *programs[GZM_KERNELS];
    struct gzk_buffer *maxima;
    void *host_maxima;
    size_t most_maxima;
};

static const volatile sig_atomic_t never;

/* ------------------------------------------------------------------------------------- opening */

static double cells_of(const int size[3])
{
    return (double)size[0] * size[1] * size[2];
}

static bool halves(const int size[3])
{
    for (int i = 0; i < 3; i++)
        if (size[i] % 2 != 0 || size[i] < 4)
            return false;
    return true;
}

int gzm_sizes(const struct gzm_setup *setup, bool has_device, int sizes[GZM_MAX_LEVELS][3],
              bool on_host[GZM_MAX_LEVELS])
{
    int most = setup->most_levels > 0 && setup->most_levels < GZM_MAX_LEVELS ? setup->most_levels
                                                                             : GZM_MAX_LEVELS;
    int count = 1;
    memcpy(sizes[0], setup->problem.size, sizeof sizes[0]);
    for (; count < most && halves(sizes[count - 1]); count++)
        for (int i = 0; i < 3; i++)
            sizes[count][i] = sizes[count - 1][i] / 2;
    /* The coarsest is solved on the host whatever its size. */
    for (int k = 0; k < count; k++)
        on_host[k] = !has_device || k == count - 1 || cells_of(sizes[k]) <= (double)setup->tail;
    return count;
}

struct gzk_memory gzm_memory(const struct gzm_setup *setup, const struct gzk_device_info *device)
{
    struct gzk_memory all = {.remedy = "give a smaller --size"};
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    int count = gzm_sizes(setup, device != NULL, sizes, on_host);
    double bytes = (double)gzk_type_bytes(setup->problem.type);
    double aux = setup->problem.op == GZM_VARIABLE ? 2 : 1;
    for (int k = 0; k < count; k++) {
        double cells = bytes * cells_of(sizes[k]);
        bool on_device = !on_host[k];
        if (on_device)
            all.device += (2 + aux) * cells;
        else
            all.host += (2 + aux + (k == count - 1 ? 3 : 0)) * cells;
        if (on_device)
            all.buffer = fmax(all.buffer, aux * cells);
    }
    /* While a level is made, its data; and right-hand side, guess and result of the caller. */
    all.host += (3 + 1 + aux) * bytes * cells_of(sizes[0]);
    return all;
}

/* The arrays of a level in host memory. */
static int make_data(struct gzm *mg, struct level *level, const int size[3],
                     struct gzk_error *error)
{
    struct gzk_data *data = &level->data;
    memcpy(data->size, size, sizeof data->size);
    data->cells = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    data->stride = (data->cells + 31) / 32 * 32;
    data->loops = 1;
    data->state = calloc(data->cells, mg->bytes);
    data->aux = calloc(data->stride * (size_t)mg->smoother.coefficient_arrays, mg->bytes);
    data->coefficients = calloc(GZK_MAX_COEFFICIENTS, mg->bytes);
    if (!data->state || !data->aux || !data->coefficients)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a level of %zu elements",
                        data->cells);
    gzm_set_coefficients(&mg->setup.problem, size, data->coefficients);
    return 0;
}

static struct gzm_grid grid_of(const struct gzm *mg, const struct level *level)
{
    struct gzm_grid grid = mg->grid;
    grid.data = &level->data;
    return grid;
}

/* The second array, beta, of a level's data. */
static void *beta_of(const struct gzm *mg, const struct level *level)
{
    return (char *)level->data.aux + level->data.stride * mg->bytes;
}

/* Chooses the smoother's plan; of no sweeps there is none. */
static int make_plan(struct gzm *mg, struct level *level, const struct gzm_way *way,
                     struct gzk_error *error)
{
    const struct gzm_setup *setup = &mg->setup;
    int sweeps = setup->sweeps[0] > setup->sweeps[1] ? setup->sweeps[0] : setup->sweeps[1];
    struct gzk_config *config = &level->config;

    *config = (struct gzk_config){.stencil = &mg->smoother,
                                  .sync = GZ_SYNC_RESTART,
                                  .height = 1,
                                  .loops = (long)sweeps * gzm_loops(&setup->problem)};
    memcpy(config->size, level->data.size, sizeof config->size);
    int status = gzm_choose(mg->device, way, config, error);
    return status == 0 ? gzk_plan_new(level->session, config, &level->plan, error) : status;
}

/* Makes level k from its data, which then go unless it stays on the host. */
static int make_level(struct gzm *mg, int k, struct gzk_error *error)
{
    struct level *level = &mg->levels[k];
    bool last = k == mg->count - 1, reached = k > 0 && !mg->levels[k - 1].on_host;
    int status = 0;

    if (!level->on_host || reached) {
        status = gzk_session_new(mg->device, &mg->smoother, &level->data, &level->session, error);
        if (status == 0)
            status = gzk_session_reset(level->session, error);
    }
    if (status == 0 && !level->on_host) {
        gzk_data_free(&level->data);
        return make_plan(mg, level, &mg->setup.way[k], error);
    }
    if (status == 0) {
        level->other = calloc(level->data.cells, mg->bytes);
        level->work = last ? calloc(3 * level->data.cells, mg->bytes) : NULL;
        if (!level->other || (last && !level->work))
            status = gzk_fail(error, GZK_FAILED, "out of host memory for a level of %zu elements",
                              level->data.cells);
    }
    return status;
}

/* All levels, the data of each made from the one before. */
static int make_levels(struct gzm *mg, const void *beta, struct gzk_error *error)
{
    int sizes[GZM_MAX_LEVELS][3], status = 0;
    bool on_host[GZM_MAX_LEVELS];

    mg->count = gzm_sizes(&mg->setup, mg->device != NULL, sizes, on_host);
    for (int k = 0; k < mg->count; k++)
        mg->levels[k].on_host = on_host[k];
    if (on_host[0])
        mg->device = NULL;
    status = make_data(mg, &mg->levels[0], sizes[0], error);
    if (status == 0 && mg->setup.problem.op == GZM_VARIABLE)
        memcpy(beta_of(mg, &mg->levels[0]), beta, mg->levels[0].data.cells * mg->bytes);
    for (int k = 0; k < mg->count && status == 0; k++) {
        if (k + 1 < mg->count)
            status = make_data(mg, &mg->levels[k + 1], sizes[k + 1], error);
        if (status == 0 && k + 1 < mg->count && mg->setup.problem.op == GZM_VARIABLE) {
            const struct gzm_grid grid = grid_of(mg, &mg->levels[k]);
            mg->verbs->restrict_to(&grid, beta_of(mg, &mg->levels[k]),
                                   beta_of(mg, &mg->levels[k + 1]));
        }
        if (status == 0)
            status = make_level(mg, k, error);
    }
    return status;
}

static int groups(const struct gzm *mg, const struct level *level, int i)
{
    return (level->data.size[i] - 1) / mg->between.block[i] + 1;
}

static int make_kernels(struct gzm *mg, struct gzk_error *error)
{
    const struct gzk_backend *backend = mg->device->backend;
    int status = 0;

    mg->between =
        gzm_between(&mg->residual, mg->setup.problem.size, &mg->device->info, mg->setup.threads);
    for (int k = 0; k < GZM_KERNELS && status == 0; k++) {
        const struct gzk_program_spec spec =
            gzm_between_spec(&mg->between, backend->prelude, (enum gzm_kernel)k);
        status = spec.text ? backend->program_new(mg->device, &spec, &mg->programs[k], error)
                           : gzk_fail(error, GZK_FAILED, "out of host memory");
        free((char *)spec.text);
    }
    const struct level *finest = &mg->levels[0];
    mg->most_maxima = 1;
    for (int i = 0; i < 3; i++)
        mg->most_maxima *= (size_t)groups(mg, finest, i);
    mg->host_maxima = calloc(mg->most_maxima, mg->bytes);
    if (status == 0 && !mg->host_maxima)
        status = gzk_fail(error, GZK_FAILED, "out of host memory");
    return status == 0
               ? backend->buffer_new(mg->device, mg->most_maxima * mg->bytes, &mg->maxima, error)
               : status;
}

static int check_setup(const struct gzk_device *device, const struct gzm_setup *setup,
                       struct gzk_error *error)
{
    enum { MOST_SWEEPS = 100 };
    for (int i = 0; i < 2; i++)
        if (setup->sweeps[i] < 0 || setup->sweeps[i] > MOST_SWEEPS)
            return gzk_fail(error, GZK_INVALID, "%d sweeps: must be 0 to %d", setup->sweeps[i],
                            (int)MOST_SWEEPS);
    if (setup->sweeps[0] + setup->sweeps[1] == 0)
        return gzk_fail(error, GZK_INVALID,
                        "no sweeps before and after the correction: must be one or more");
    int status = gzm_problem_check(&setup->problem, error);
    if (status == 0 && cells_of(setup->problem.size) > 1 << 30)
        status = gzk_fail(error, GZK_INVALID, "a grid of %.0f elements: must be at most %d",
                          cells_of(setup->problem.size), 1 << 30);
    if (status != 0)
        return status;
    const struct gzk_memory needed = gzm_memory(setup, device ? &device->info : NULL);
    return gzk_memory_check(&needed, device ? &device->info : NULL, error);
}

int gzm_open(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
             struct gzm **made, struct gzk_error *error)
{
    int status = check_setup(device, setup, error);
    struct gzm *mg = status == 0 ? calloc(1, sizeof *mg) : NULL;

    if (status != 0)
        return status;
    if (!mg)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    mg->setup = *setup;
    if (!mg->setup.stop)
        mg->setup.stop = &never;
    mg->device = device;
    mg->bytes = gzk_type_bytes(setup->problem.type);
    mg->verbs = setup->problem.type == GZK_FLOAT ? &gzm_verbs_float : &gzm_verbs_double;
    mg->grid = gzm_grid_of(&setup->problem);
    gzm_smoother_of(&setup->problem, &mg->smoother);
    gzm_stencil_of(&setup->problem, GZM_DO_RESIDUAL, &mg->residual);
    mg->residual.coefficients = GZM_COEFS;
    status = make_levels(mg, beta, error);
    if (status == 0 && mg->device)
        status = make_kernels(mg, error);
    if (status != 0) {
        gzm_close(mg);
        return status;
    }
    *made = mg;
    return 0;
}

void gzm_close(struct gzm *mg)
{
    if (!mg)
        return;
    for (int k = 0; k < mg->count; k++) {
        struct level *level = &mg->levels[k];
        gzk_plan_free(level->plan);
        gzk_session_free(level->session);
        gzk_data_free(&level->data);
        free(level->other);
        free(level->work);
    }
    for (int k = 0; k < GZM_KERNELS && mg->device; k++)
        mg->device->backend->program_free(mg->device, mg->programs[k]);
    if (mg->device)
        mg->device->backend->buffer_free(mg->device, mg->maxima);
    free(mg->host_maxima);
    free(mg);
}

/* --------------------------------------------------------------------------------------- verbs */

/* Launches a kernel between levels on a fine level, with up to two more arrays. */
static int launch(struct gzm *mg, const struct level *level, enum gzm_kernel kernel,
                  struct gzk_buffer *first, struct gzk_buffer *second, struct gzk_error *error)
{
    struct gzk_launch what = {.groups = groups(mg, level, 0),
                              .groups_y = groups(mg, level, 1),
                              .groups_z = groups(mg, level, 2)};
    double seconds;
    gzk_session_arguments(level->session, &what);
    what.args[what.count++] = (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = first};
    if (second)
        what.args[what.count++] = (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = second};
    return mg->device->backend->run(mg->device, mg->programs[kernel], &what, 1, GZ_SYNC_RESTART,
                                    mg->setup.stop, &seconds, error);
}

/* Copies an array of a level between host and device. */
static int copy_out(struct gzm *mg, const struct level *level, const struct gzk_buffer *from,
                    void *to, struct gzk_error *error)
{
    return mg->device->backend->read(mg->device, from, to, level->data.cells * mg->bytes, error);
}
static int copy_in(struct gzm *mg, const struct level *level, const void *from,
                   struct gzk_buffer *to, struct gzk_error *error)
{
    return mg->device->backend->write(mg->device, to, from, level->data.cells * mg->bytes, error);
}

static void swap(struct level *level)
{
    void *state = level->data.state;
    level->data.state = level->other;
    level->other = state;
}

/* One verb on the host, from the state into the other array. */
static void sweep_on_host(const struct gzm *mg, struct level *level, enum gzm_verb verb, long loop)
{
    const struct gzm_grid grid = grid_of(mg, level);
    mg->verbs->sweep(&grid, verb, loop, level->data.state, level->other);
}

static int smooth(struct gzm *mg, struct level *level, int sweeps, struct gzk_error *error)
{
    long loops = (long)sweeps * gzm_loops(&mg->setup.problem);
    double begin = cli_now(), seconds;
    int status = 0;

    if (level->on_host)
        for (long loop = 0; loop < loops; loop++) {
            sweep_on_host(
                mg, level,
                mg->setup.problem.smoother == GZM_JACOBI ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
            swap(level);
        }
    else
        status = gzk_plan_advance(level->plan, 0, loops, mg->setup.stop, &seconds, error);
    level->seconds[GZM_SMOOTH] += cli_now() - begin;
    return status;
}

/* The residual's restriction as the right-hand side of the next level, whose state becomes 0. */
static int restrict_from(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (level->on_host) {
        const struct gzm_grid grid = grid_of(mg, level);
        sweep_on_host(mg, level, GZM_DO_RESIDUAL, 0);
        mg->verbs->restrict_to(&grid, level->other, coarse->data.aux);
    } else {
        const struct gzk_arrays to = gzk_session_arrays(coarse->session);
        status = launch(mg, level, GZM_RESTRICT_KERNEL, to.aux, to.state, error);
        if (status == 0 && coarse->on_host)
            status = copy_out(mg, coarse, to.aux, coarse->data.aux, error);
    }
    if (coarse->on_host)
        memset(coarse->data.state, 0, coarse->data.cells * mg->bytes);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}

/* Adds the next level's state. */
static int prolong_to(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (level->on_host) {
        const struct gzm_grid grid = grid_of(mg, level);
        mg->verbs->prolong(&grid, coarse->data.state, level->data.state);
    } else {
        struct gzk_buffer *from = gzk_session_arrays(coarse->session).state;
        if (coarse->on_host)
            status = copy_in(mg, coarse, coarse->data.state, from, error);
        if (status == 0)
            status = launch(mg, level, GZM_PROLONG_KERNEL, from, NULL, error);
    }
    level->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}

/* The coarsest level, to a share of its residual that no cycle's factor comes near. */
static void solve_bottom(const struct gzm *mg, struct level *level)
{
    static const double share = 1e-3;
    const struct gzm_grid grid = grid_of(mg, level);
    double begin = cli_now();
    mg->verbs->solve(&grid, gzm_is_singular(&mg->setup.problem), share, level->data.state,
                     level->work);
    level->seconds[GZM_BOTTOM] += cli_now() - begin;
}

/* ------------------------------------------------------------------------------------ interface */

int gzm_put(struct gzm *mg, const void *f, const void *u, struct gzk_error *error)
{
    struct level *finest = &mg->levels[0];
    const struct gzm_grid grid = grid_of(mg, finest);
    size_t bytes = finest->data.cells * mg->bytes;
    void *copy = calloc(finest->data.cells, mg->bytes);
    int status = 0;

    if (!copy)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (f)
        memcpy(copy, f, bytes);
    if (f && mg->setup.problem.filter)
        mg->verbs->filter(&grid, gzm_filter_of(&mg->setup.problem), f, copy);
    if (f && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(copy, finest->data.cells);
    if (finest->on_host)
        memcpy(finest->data.aux, copy, bytes);
    else
        status = copy_in(mg, finest, copy, gzk_session_arrays(finest->session).aux, error);
    memset(copy, 0, bytes);
    if (u)
        memcpy(copy, u, bytes);
    if (finest->on_host)
        memcpy(finest->data.state, copy, bytes);
    else if (status == 0)
        status = copy_in(mg, finest, copy, gzk_session_arrays(finest->session).state, error);
    free(copy);
    return status;
}

int gzm_get(struct gzm *mg, void *u, struct gzk_error *error)
{
    const struct level *finest = &mg->levels[0];
    int status = 0;

    if (finest->on_host)
        memcpy(u, finest->data.state, finest->data.cells * mg->bytes);
    else
        status = gzk_session_read(finest->session, u, error);
    if (status == 0 && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(u, finest->data.cells);
    return status;
}

int gzm_norm(struct gzm *mg, double *norm, struct gzk_error *error)
{
    struct level *finest = &mg->levels[0];
    struct gzm_grid grid = grid_of(mg, finest);
    double begin = cli_now();
    int status = 0;

    if (finest->on_host) {
        sweep_on_host(mg, finest, GZM_DO_RESIDUAL, 0);
        *norm = mg->verbs->norm(&grid, finest->other);
    } else {
        const struct gzk_data maxima = {.cells = mg->most_maxima};
        grid.data = &maxima;
        status = launch(mg, finest, GZM_NORM_KERNEL, mg->maxima, NULL, error);
        if (status == 0)
            status = mg->device->backend->read(mg->device, mg->maxima, mg->host_maxima,
                                               mg->most_maxima * mg->bytes, error);
        *norm = mg->verbs->norm(&grid, mg->host_maxima);
    }
    finest->seconds[GZM_NORM] += cli_now() - begin;
    return status;
}

static int cycle_at(struct gzm *mg, int k, enum gzm_cycle cycle, struct gzk_error *error)
{
    struct level *level = &mg->levels[k];
    bool twice = cycle != GZM_V && k + 2 < mg->count;
    int status = *mg->setup.stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;

    level->visits++;
    if (status != 0 || k == mg->count - 1) {
        if (status == 0)
            solve_bottom(mg, level);
        return status;
    }
    status = smooth(mg, level, mg->setup.sweeps[0], error);
    if (status == 0)
        status = restrict_from(mg, level, error);
    if (status == 0)
        status = cycle_at(mg, k + 1, cycle, error);
    if (status == 0 && twice)
        status = cycle_at(mg, k + 1, cycle == GZM_F ? GZM_V : cycle, error);
    if (status == 0)
        status = prolong_to(mg, level, error);
    return status == 0 ? smooth(mg, level, mg->setup.sweeps[1], error) : status;
}

int gzm_cycle(struct gzm *mg, enum gzm_cycle cycle, struct gzk_error *error)
{
    return cycle_at(mg, 0, cycle, error);
}

int gzm_full(struct gzm *mg, enum gzm_cycle cycle, struct gzk_error *error)
{
    /* The residual of 0 is the right-hand side. */
    int status = 0;
    struct level *finest = &mg->levels[0];
    if (finest->on_host)
        memset(finest->data.state, 0, finest->data.cells * mg->bytes);
    else
        status = mg->device->backend->fill(mg->device, gzk_session_arrays(finest->session).state, 0,
                                           finest->data.cells * mg->bytes, error);
    for (int k = 0; k + 1 < mg->count && status == 0; k++)
        status = restrict_from(mg, &mg->levels[k], error);
    for (int k = mg->count - 1; k >= 0 && status == 0; k--) {
        status = cycle_at(mg, k, cycle, error);
        if (status == 0 && k > 0)
            status = prolong_to(mg, &mg->levels[k - 1], error);
    }
    return status;
}

enum gzk_type gzm_type(const struct gzm *mg)
{
    return mg->setup.problem.type;
}

int gzm_levels(const struct gzm *mg)
{
    return mg->count;
}

void gzm_report(const struct gzm *mg, int k, struct gzm_level_report *report)
{
    const struct level *level = &mg->levels[k];
    *report = (struct gzm_level_report){
        .on_host = level->on_host, .config = level->config, .visits = level->visits};
    memcpy(report->size, level->data.size, sizeof report->size);
    memcpy(report->seconds, level->seconds, sizeof report->seconds);
}
