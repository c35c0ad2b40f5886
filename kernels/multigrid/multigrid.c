/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "multigrid.h"

#include "between.h"
#include "collect.h"
#include "data.h"
#include "fused.h"
#include "memory.h"
#include "numbers.h"
#include "operators.h"
#include "share.h"
#include "tail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gzm_cycle_names[] = {"v", "w", "f", NULL};
const char *const gzm_tail_names[] = {"auto", "host", "device", NULL};

/* A level on the host has its arrays there, in `data` and `other`; one on the device in its
 * session. The first on the host has both, through which it is reached. */
struct level {
    struct gzk_data data;
    int size[3];            /* of the whole level */
    struct gzm_share share; /* of a level that is divided, whose data are the own grid's */
    bool on_host;
    void *other, *work; /* of the coarsest: for the solver */
    struct gzk_config config;
    struct gzk_session *session;
    struct gzk_plan *plan;
    struct gzm_fused down, up; /* the last launch before the correction, the first one after it */
    long visits, launches;
    double seconds[GZM_PARTS];
};

struct gzm {
    struct gzm_setup setup;
    struct gzk_device *device;
    const struct gzm_verbs *verbs;
    struct gzm_grid grid; /* but for its data */
    size_t bytes;         /* of an element */
    struct gzk_stencil smoother, residual;
    char *bodies[2]; /* their texts, where levels are divided */
    int count;
    struct level levels[GZM_MAX_LEVELS];
    struct gzm_tail tail; /* in place of the host's levels in a cycle */
    /* The kernels between levels, and what the last of them writes. */
    struct gzk_config between;
    struct gzk_program *programs[GZM_KERNELS];
    struct gzk_buffer *maxima;
    void *host_maxima;
    size_t maxima_bytes;
    size_t maxima_there; /* how many the last smoothing launch has left; 0: none */
    /* Of mixed precision, whose own finest level is only this one's: */
    struct gzm *inner; /* the levels in float; else NULL */
    bool rounded;      /* the right-hand side of these is this residual */
    double scale;      /* of the right-hand side, a power of two that makes it fit float; else 1 */
    bool is_inner;     /* of such: nobody asks for its norm */
    /* Largest magnitudes: of A, the right-hand side, and the state; unknown, -1, after a cycle. */
    double norm, rhs, state;
};

static const volatile sig_atomic_t never;

/* ------------------------------------------------------------------------------------- opening */

/* Whether level k is divided among ranks. */
static bool is_divided(const struct gzm_setup *setup, int k)
{
    return setup->division && k < setup->division->levels;
}

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

struct gzm_problem gzm_cycled(const struct gzm_setup *setup)
{
    struct gzm_problem problem = setup->problem;
    if (setup->mixed)
        problem.type = GZK_FLOAT;
    return problem;
}

/* Levels in float, and the finest one in double. */
static struct gzk_memory memory_of_both(const struct gzm_setup *setup,
                                        const struct gzk_device_info *device)
{
    struct gzm_setup inner = *setup;
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    inner.mixed = false;
    inner.problem = gzm_cycled(setup);
    struct gzk_memory all = gzm_memory(&inner, device);
    double cells = (double)gzk_type_bytes(setup->problem.type) * cells_of(setup->problem.size);
    double aux = setup->problem.op == GZM_VARIABLE ? 2 : 1;

    gzm_sizes(setup, device != NULL, sizes, on_host);
    *(on_host[0] ? &all.host : &all.device) += (2 + aux) * cells;
    all.host += (3 + 1 + aux) * cells;
    all.buffer = fmax(all.buffer, on_host[0] ? 0 : aux * cells);
    return all;
}

int gzm_check_tail(const struct gzm_setup *setup, const struct gzk_device_info *device,
                   struct gzk_error *error)
{
    enum { MOST = 1 << 24 }; /* its places are ints */
    int sizes[GZM_MAX_LEVELS][3], first = 0;
    bool in_tail[GZM_MAX_LEVELS];
    int last = gzm_sizes(setup, true, sizes, in_tail) - 1;

    while (!in_tail[first])
        first++;
    if (device->lacks_double)
        return gzk_fail(error, GZK_INVALID,
                        "the tail cannot be on %s: it has no double precision, in which the "
                        "coarsest level is solved",
                        device->address);
    if (first == 0)
        return gzk_fail(error, GZK_INVALID,
                        "a tail of all levels cannot be one launch: must be of fewer elements");
    if (cells_of(sizes[first]) > MOST)
        return gzk_fail(error, GZK_INVALID,
                        "a tail from %s on cannot be one launch: must be of at most %d elements",
                        gzk_extents_text(sizes[first], 3).text, (int)MOST);
    if (cells_of(sizes[last]) > GZM_TAIL_MOST_BOTTOM)
        return gzk_fail(error, GZK_INVALID,
                        "a tail with a coarsest level of %s cannot be one launch: must be of at "
                        "most %d elements there",
                        gzk_extents_text(sizes[last], 3).text, (int)GZM_TAIL_MOST_BOTTOM);
    return 0;
}

/* Elements of level k that lie on this rank, and of the window between it and the next one. */
static double own_cells(const struct gzm_setup *setup, int k, const int size[3])
{
    struct gzk_domain part;
    if (!is_divided(setup, k))
        return cells_of(size);
    gzk_domain_of(&setup->division->split[k], setup->division->exchange->rank, &part);
    return cells_of(part.size) * (1 + 1. / 8);
}

/* Whether a launch of the device computes the tail. */
static bool launches_tail(const struct gzm_setup *setup, const struct gzk_device_info *device)
{
    struct gzk_error why;
    return device && setup->tail_on != GZM_TAIL_ON_HOST &&
           !(setup->tail_on == GZM_TAIL_SUITED && device->is_cpu) &&
           gzm_check_tail(setup, device, &why) == 0;
}

struct gzk_memory gzm_memory(const struct gzm_setup *setup, const struct gzk_device_info *device)
{
    struct gzk_memory all = {.remedy = "give a smaller --size"};
    if (setup->mixed)
        return memory_of_both(setup, device);
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    int count = gzm_sizes(setup, device != NULL, sizes, on_host);
    double bytes = (double)gzk_type_bytes(setup->problem.type);
    double aux = setup->problem.op == GZM_VARIABLE ? 2 : 1;
    bool launched = launches_tail(setup, device);
    for (int k = 0; k < count; k++) {
        double cells = bytes * own_cells(setup, k, sizes[k]);
        bool on_device = !on_host[k];
        if (on_device)
            all.device += (2 + aux) * cells;
        else
            all.host += (2 + aux + (k == count - 1 ? 3 : 0)) * cells;
        if (!on_device && launched)
            all.device += (2 + aux) * cells;
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

/* Copies beta to the finest level; of mixed precision its levels in float see what is left. */
static int take_beta(struct gzm *mg, const void *beta, struct gzk_error *error)
{
    const struct gzk_data *data = &mg->levels[0].data;
    size_t nx = (size_t)data->size[0], ny = (size_t)data->size[1];

    memcpy(beta_of(mg, &mg->levels[0]), beta, data->cells * mg->bytes);
    for (size_t i = 0; i < data->cells; i++) {
        double value = gzk_element(beta, mg->setup.problem.type, i);
        if (!(value > 0 && isfinite(value)))
            return gzk_fail(error, GZK_INVALID,
                            "beta is %g at (%zu, %zu, %zu): must be above 0 and finite", value,
                            i % nx, i / nx % ny, i / nx / ny);
    }
    return 0;
}

static double norm_of_operator(const struct gzm *mg)
{
    const struct level *finest = &mg->levels[0];
    const struct gzm_grid grid = grid_of(mg, finest);
    bool varies = mg->setup.problem.op == GZM_VARIABLE;
    double beta = varies ? mg->verbs->norm(&grid, beta_of(mg, finest)) : 0;
    return gzm_operator_norm(&mg->setup.problem, finest->data.coefficients, beta);
}

/* Leaves of level k's data this rank's own grid. */
static int cut_data(struct gzm *mg, int k, struct gzk_error *error)
{
    const struct gzm_division *division = mg->setup.division;
    struct level *level = &mg->levels[k], own = {.on_host = false};
    struct gzk_domain part;
    int first[3];

    gzk_domain_of(&division->split[k], division->exchange->rank, &part);
    if (gzk_data_room(&own.data, &mg->smoother, part.size, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a rank's level");
    for (int d = 0; d < 3; d++)
        first[d] = part.box.begin[d] - part.lead[d];
    memcpy(own.data.coefficients, level->data.coefficients, GZM_COEFS * mg->bytes);
    gzm_set_place(&mg->setup.problem, first, own.data.coefficients);
    if (mg->setup.problem.op == GZM_VARIABLE)
        gzk_domain_take(&division->split[k], &part, mg->bytes, beta_of(mg, level),
                        beta_of(mg, &own));
    gzk_data_free(&level->data);
    level->data = own.data;
    return 0;
}

/* The loops of a visit before the correction or after it. */
static long loops_of(const struct gzm *mg, int after)
{
    return (long)mg->setup.sweeps[after] * gzm_loops(&mg->setup.problem);
}

/* The launches of a visit to a level on the device that do more than smooth; the finest level's
 * last one takes the norm. */
static int make_fused(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    bool finest = level == mg->levels, all = loops_of(mg, 1) <= level->config.height;
    int status = 0;

    if (mg->setup.separate || level->share.device)
        return 0;
    if (mg->setup.sweeps[0] > 0)
        status = gzm_fused_new(mg->device, &level->config, &mg->residual, false,
                               GZM_RESTRICT_BEHIND, &level->down, error);
    if (status == 0 && mg->setup.sweeps[1] > 0)
        status =
            gzm_fused_new(mg->device, &level->config, &mg->residual, true,
                          finest && all && !mg->is_inner ? GZM_NORM_BEHIND : GZM_NOTHING_BEHIND,
                          &level->up, error);
    return status;
}

static void free_launches(struct gzm *mg, struct level *level)
{
    gzk_plan_free(level->plan);
    level->plan = NULL;
    gzm_fused_free(mg->device, &level->down);
    gzm_fused_free(mg->device, &level->up);
}

/* Chooses how the level is smoothed; there is a plan unless all launches do more than that. */
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
    if (level->share.width > 0 && level->share.width / mg->grid.radius < config->loops)
        config->loops = level->share.width / mg->grid.radius;
    int status = gzm_choose(mg->device, way, config, error);
    if (status == 0)
        status = make_fused(mg, level, error);
    bool alone = config->loops > config->height || (setup->sweeps[0] > 0 && !level->down.program) ||
                 (setup->sweeps[1] > 0 && !level->up.program);
    return status == 0 && alone ? gzk_plan_new(level->session, config, &level->plan, error)
                                : status;
}

/* Makes level k from its data, which then go unless it stays on the host. */
static int make_level(struct gzm *mg, int k, struct gzk_error *error)
{
    struct level *level = &mg->levels[k];
    bool last = k == mg->count - 1, reached = k > 0 && !mg->levels[k - 1].on_host;
    int status = is_divided(&mg->setup, k) ? cut_data(mg, k, error) : 0;

    if (status == 0 && (!level->on_host || reached)) {
        status = gzk_session_new(mg->device, &mg->smoother, &level->data, &level->session, error);
        if (status == 0)
            status = gzk_session_reset(level->session, error);
    }
    if (status == 0 && is_divided(&mg->setup, k))
        status = gzm_share_new(mg->device, level->session, mg->setup.division, k, &mg->smoother,
                               &level->share, error);
    if (status == 0 && !level->on_host) {
        gzk_data_free(&level->data);
        return mg->setup.mixed ? 0 : make_plan(mg, level, &mg->setup.way[k], error);
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
    mg->count = mg->setup.mixed ? 1 : mg->count;
    for (int k = 0; k < mg->count; k++) {
        mg->levels[k].on_host = on_host[k];
        memcpy(mg->levels[k].size, sizes[k], sizeof sizes[k]);
    }
    if (on_host[0])
        mg->device = NULL;
    status = make_data(mg, &mg->levels[0], sizes[0], error);
    if (status == 0 && mg->setup.problem.op == GZM_VARIABLE)
        status = take_beta(mg, beta, error);
    if (status == 0)
        mg->norm = norm_of_operator(mg);
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

static void free_maxima(struct gzm *mg)
{
    if (mg->device)
        mg->device->backend->buffer_free(mg->device, mg->maxima);
    free(mg->host_maxima);
    mg->maxima = mg->host_maxima = NULL;
}

/* Room for what the finest level's norm leaves. */
static int make_maxima(struct gzm *mg, struct gzk_error *error)
{
    const struct level *finest = &mg->levels[0];
    size_t most = 1;
    for (int i = 0; i < 3; i++)
        most *= (size_t)groups(mg, finest, i);
    if (finest->up.program && gzm_fused_maxima(&finest->up) > most)
        most = gzm_fused_maxima(&finest->up);
    free_maxima(mg);
    mg->maxima_bytes = most * mg->bytes;
    mg->host_maxima = calloc(most, mg->bytes);
    return mg->host_maxima
               ? mg->device->backend->buffer_new(mg->device, mg->maxima_bytes, &mg->maxima, error)
               : gzk_fail(error, GZK_FAILED, "out of host memory");
}

/* Mixed precision takes those between double and float, and its levels those between levels. */
static bool needs_kernel(const struct gzm *mg, enum gzm_kernel kernel)
{
    if (kernel == GZM_ROUND_KERNEL || kernel == GZM_CORRECT_KERNEL)
        return mg->setup.mixed;
    return !mg->setup.mixed && !(mg->is_inner && kernel == GZM_NORM_KERNEL);
}

static int make_kernels(struct gzm *mg, struct gzk_error *error)
{
    const struct gzk_backend *backend = mg->device->backend;
    int status = 0;

    mg->between =
        gzm_between(&mg->residual, mg->setup.problem.size, &mg->device->info, mg->setup.threads);
    for (int k = 0; k < GZM_KERNELS && status == 0; k++) {
        if (!needs_kernel(mg, (enum gzm_kernel)k))
            continue;
        const struct gzk_program_spec spec =
            gzm_between_spec(&mg->between, backend->prelude, (enum gzm_kernel)k);
        status = spec.text ? backend->program_new(mg->device, &spec, &mg->programs[k], error)
                           : gzk_fail(error, GZK_FAILED, "out of host memory");
        free((char *)spec.text);
    }
    return status == 0 ? make_maxima(mg, error) : status;
}

/* The tail's levels as one launch. */
static int make_tail(struct gzm *mg, struct gzk_error *error)
{
    const struct gzk_data *data[GZM_MAX_LEVELS];
    struct gzm_tail_setup setup = {.problem = &mg->setup.problem,
                                   .data = data,
                                   .loops = {loops_of(mg, 0), loops_of(mg, 1)},
                                   .threads = mg->setup.threads};
    for (int k = 0; k < mg->count; k++)
        if (mg->levels[k].on_host)
            data[setup.levels++] = &mg->levels[k].data;
    return gzm_tail_new(mg->device, &setup, &mg->tail, error);
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
    if (setup->division && (!device || setup->mixed))
        return gzk_fail(error, GZK_INVALID,
                        "ranks: must have a device each, and a type that is not mixed");
    if (setup->mixed && setup->problem.type != GZK_DOUBLE)
        return gzk_fail(error, GZK_INVALID, "mixed precision of %s: the problem must be double",
                        gzk_type_name(setup->problem.type));
    int status = gzm_problem_check(&setup->problem, error);
    if (status == 0 && cells_of(setup->problem.size) > 1 << 30)
        status = gzk_fail(error, GZK_INVALID, "a grid of %.0f elements: must be at most %d",
                          cells_of(setup->problem.size), 1 << 30);
    if (status == 0 && device && setup->tail_on == GZM_TAIL_ON_DEVICE)
        status = gzm_check_tail(setup, &device->info, error);
    if (status != 0)
        return status;
    const struct gzk_memory needed = gzm_memory(setup, device ? &device->info : NULL);
    return gzk_memory_check(&needed, device ? &device->info : NULL, error);
}

static int make(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
                bool is_inner, struct gzm **made, struct gzk_error *error);

/* The levels in float of mixed precision. */
static int make_inner(struct gzm *mg, struct gzk_device *device, const double *beta,
                      struct gzk_error *error)
{
    struct gzm_setup setup = mg->setup;
    size_t cells = (size_t)cells_of(setup.problem.size);
    bool varies = setup.problem.op == GZM_VARIABLE;
    float *rounded = varies ? malloc(cells * sizeof *rounded) : NULL;

    if (varies && !rounded)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (size_t i = 0; i < cells && varies; i++)
        rounded[i] = (float)beta[i];
    setup.problem = gzm_cycled(&setup);
    setup.mixed = false;
    int status = make(device, &setup, rounded, true, &mg->inner, error);
    free(rounded);
    return status;
}

/* On parts of levels bodies ask for places. */
static int place_bodies(struct gzm *mg, struct gzk_error *error)
{
    struct gzk_stencil *const stencils[] = {&mg->smoother, &mg->residual};
    const char *text = gzm_place_text(&mg->setup.problem);

    for (int k = 0; k < 2 && text; k++) {
        size_t room = strlen(text) + strlen(stencils[k]->body) + 1;
        mg->bodies[k] = malloc(room);
        if (!mg->bodies[k])
            return gzk_fail(error, GZK_FAILED, "out of host memory");
        snprintf(mg->bodies[k], room, "%s%s", text, stencils[k]->body);
        stencils[k]->body = mg->bodies[k];
        stencils[k]->coefficients = GZM_COEFS;
    }
    return 0;
}

static int make(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
                bool is_inner, struct gzm **made, struct gzk_error *error)
{
    struct gzm *mg = calloc(1, sizeof *mg);

    if (!mg)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    mg->setup = *setup;
    if (!mg->setup.stop)
        mg->setup.stop = &never;
    mg->device = device;
    mg->is_inner = is_inner;
    mg->scale = 1;
    mg->bytes = gzk_type_bytes(setup->problem.type);
    mg->verbs = setup->problem.type == GZK_FLOAT ? &gzm_verbs_float : &gzm_verbs_double;
    mg->grid = gzm_grid_of(&setup->problem);
    gzm_smoother_of(&setup->problem, &mg->smoother);
    gzm_stencil_of(&setup->problem, GZM_DO_RESIDUAL, &mg->residual);
    mg->residual.coefficients = GZM_COEFS;
    int status = setup->division ? place_bodies(mg, error) : 0;
    if (status == 0)
        status = make_levels(mg, beta, error);
    if (status == 0 && mg->device)
        status = make_kernels(mg, error);
    if (status == 0 && mg->device && !setup->mixed && launches_tail(setup, &mg->device->info))
        status = make_tail(mg, error);
    if (status == 0 && setup->mixed)
        status = make_inner(mg, device, beta, error);
    if (status != 0) {
        gzm_close(mg);
        return status;
    }
    *made = mg;
    return 0;
}

int gzm_open(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
             struct gzm **made, struct gzk_error *error)
{
    int status = check_setup(device, setup, error);
    struct gzm *mg = NULL;
    if (status == 0)
        status = make(device, setup, beta, false, &mg, error);
    if (setup->division && gzk_exchange_agree(setup->division->exchange, status) != status)
        status = gzk_fail(error, GZK_FAILED, "another rank could not: it has the reason");
    if (status != 0)
        gzm_close(mg);
    else
        *made = mg;
    return status;
}

void gzm_close(struct gzm *mg)
{
    if (!mg)
        return;
    gzm_close(mg->inner);
    for (int k = 0; k < mg->count; k++) {
        struct level *level = &mg->levels[k];
        free_launches(mg, level);
        gzm_share_free(&level->share);
        gzk_session_free(level->session);
        gzk_data_free(&level->data);
        free(level->other);
        free(level->work);
    }
    gzm_tail_free(mg->device, &mg->tail);
    for (int k = 0; k < GZM_KERNELS && mg->device; k++)
        mg->device->backend->program_free(mg->device, mg->programs[k]);
    free_maxima(mg);
    free(mg->bodies[0]);
    free(mg->bodies[1]);
    free(mg);
}

/* --------------------------------------------------------------------------------------- verbs */

/* The elements that count for a norm. */
static void add_box(const struct level *level, struct gzk_launch *what)
{
    const struct gzk_domain *part = &level->share.part;
    bool divided = level->share.device != NULL;
    for (int end = 0; end < 2; end++)
        for (int d = 0; d < 3; d++)
            what->args[what->count++] =
                (struct gzk_arg){.kind = GZK_ARG_INT,
                                 .i = divided ? part->lead[d] + end * part->box.extent[d]
                                              : end * level->data.size[d]};
}

/* Launches a kernel between levels on a fine level, with up to three more arrays, ended by NULL. */
static int launch(struct gzm *mg, struct level *level, enum gzm_kernel kernel,
                  struct gzk_buffer *const more[], struct gzk_error *error)
{
    struct gzk_launch what = {.groups = groups(mg, level, 0),
                              .groups_y = groups(mg, level, 1),
                              .groups_z = groups(mg, level, 2)};
    double seconds;
    level->launches++;
    gzk_session_arguments(level->session, &what);
    for (int i = 0; more[i]; i++)
        what.args[what.count++] = (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = more[i]};
    if (kernel == GZM_NORM_KERNEL || kernel == GZM_ROUND_KERNEL)
        add_box(level, &what);
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

/* Loops [loop, end) of a level that is divided, between exchanges. */
static int smooth_divided(struct gzm *mg, struct level *level, long loop, long end,
                          struct gzk_error *error)
{
    struct gzm_share *share = &level->share;
    int radius = mg->grid.radius, status = 0;

    for (long now; loop < end && status == 0; loop += now) {
        status = gzm_share_need(share, radius, mg->setup.stop, error);
        double begin = cli_now(), seconds;
        now = share->valid / radius < end - loop ? share->valid / radius : end - loop;
        level->launches += (now + level->config.height - 1) / level->config.height;
        if (status == 0)
            status = gzk_plan_advance(level->plan, loop, now, mg->setup.stop, &seconds, error);
        gzm_share_spoil(share, now * radius);
        level->seconds[GZM_SMOOTH] += cli_now() - begin;
    }
    mg->maxima_there = 0;
    return status;
}

/* Loops [loop, end) of a visit. */
static int smooth(struct gzm *mg, struct level *level, long loop, long end, struct gzk_error *error)
{
    double begin = cli_now(), seconds;
    int status = 0;

    if (level->share.device)
        return smooth_divided(mg, level, loop, end, error);
    if (level->on_host)
        for (; loop < end; loop++) {
            sweep_on_host(
                mg, level,
                mg->setup.problem.smoother == GZM_JACOBI ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
            swap(level);
        }
    else {
        long depth = level->config.height;
        level->launches += (end - loop + depth - 1) / depth;
        status = gzk_plan_advance(level->plan, loop, end - loop, mg->setup.stop, &seconds, error);
    }
    mg->maxima_there = 0;
    level->seconds[GZM_SMOOTH] += cli_now() - begin;
    return status;
}

/* The same of a level that is divided; the residual is restricted to the window, with a guess that
 * nobody reads. */
static int restrict_divided(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct gzm_share *share = &level->share;
    struct level *coarse = level + 1;
    int status = gzm_share_need(share, mg->grid.radius, mg->setup.stop, error);
    double begin = cli_now();

    if (status == 0)
        status = launch(
            mg, level, GZM_RESTRICT_KERNEL,
            (struct gzk_buffer *[]){share->window, gzk_session_arrays(level->session).before, NULL},
            error);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    if (status == 0 && coarse->share.device)
        return gzm_share_down(share, &coarse->share, mg->setup.stop, error);
    const struct gzk_arrays to = gzk_session_arrays(coarse->session);
    return status == 0 ? gzm_share_gather(share, to.aux, to.state, mg->setup.stop, error) : status;
}

/* The residual's restriction as the right-hand side of the next level, whose state becomes 0. */
static int restrict_from(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (level->share.device)
        return restrict_divided(mg, level, error);
    if (level->on_host) {
        const struct gzm_grid grid = grid_of(mg, level);
        sweep_on_host(mg, level, GZM_DO_RESIDUAL, 0);
        mg->verbs->restrict_to(&grid, level->other, coarse->data.aux);
    } else {
        const struct gzk_arrays to = gzk_session_arrays(coarse->session);
        status = launch(mg, level, GZM_RESTRICT_KERNEL,
                        (struct gzk_buffer *[]){to.aux, to.state, NULL}, error);
    }
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}

/* What restriction has left on the device, where the next level needs it. */
static int pass_down(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (!coarse->on_host)
        return 0;
    if (!level->on_host)
        status =
            copy_out(mg, coarse, gzk_session_arrays(coarse->session).aux, coarse->data.aux, error);
    memset(coarse->data.state, 0, coarse->data.cells * mg->bytes);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}

/* What interpolation reads, on the device if the level is there. */
static int pass_up(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (!level->on_host && coarse->on_host)
        status = copy_in(mg, coarse, coarse->data.state, gzk_session_arrays(coarse->session).state,
                         error);
    level->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}

/* What a level that is divided interpolates from. */
static int fill_window(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    return coarse->share.device
               ? gzm_share_up(&level->share, &coarse->share, mg->setup.stop, error)
               : gzm_share_spread(&level->share, gzk_session_arrays(coarse->session).state, error);
}

/* Adds the next level's state. */
static int prolong_to(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    struct level *coarse = level + 1;
    bool divided = level->share.device != NULL;
    int status = divided ? fill_window(mg, level, error) : 0;
    double begin = cli_now();

    if (status != 0)
        return status;
    if (level->on_host) {
        const struct gzm_grid grid = grid_of(mg, level);
        mg->verbs->prolong(&grid, coarse->data.state, level->data.state);
    } else {
        struct gzk_buffer *from =
            divided ? level->share.window : gzk_session_arrays(coarse->session).state;
        status = launch(mg, level, GZM_PROLONG_KERNEL, (struct gzk_buffer *[]){from, NULL}, error);
    }
    mg->maxima_there = 0;
    level->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}

/* Loops [loop, loop + loops) in one launch, with what else that does. */
static int smooth_fused(struct gzm *mg, struct level *level, const struct gzm_fused *fused,
                        long loop, long loops, struct gzk_error *error)
{
    const struct gzk_arrays coarse = gzk_session_arrays((level + 1)->session);
    bool down = fused->behind == GZM_RESTRICT_BEHIND;
    double begin = cli_now();
    int status = gzm_fused_run(mg->device, fused, level->session, loop, (int)loops,
                               down ? coarse.aux : coarse.state, down ? coarse.state : mg->maxima,
                               mg->setup.stop, error);
    level->launches++;
    mg->maxima_there = fused->behind == GZM_NORM_BEHIND ? gzm_fused_maxima(fused) : 0;
    level->seconds[GZM_SMOOTH] += cli_now() - begin;
    return status;
}

/* Whether a cycle leaves the next level, and those below, to the tail's launch. */
static bool above_tail(const struct gzm *mg, const struct level *level)
{
    return mg->tail.program && !level->on_host && (level + 1)->on_host;
}

/* From the level's state to the next one's right-hand side. */
static int go_down(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    long loops = loops_of(mg, 0), depth = level->config.height;
    bool fused = level->down.program != NULL;
    long last = fused ? (loops - 1) % depth + 1 : 0;
    int status = smooth(mg, level, 0, loops - last, error);

    if (status == 0)
        status = fused ? smooth_fused(mg, level, &level->down, loops - last, last, error)
                       : restrict_from(mg, level, error);
    return status == 0 && !above_tail(mg, level) ? pass_down(mg, level, error) : status;
}

/* From the next level's state to this one's. */
static int go_up(struct gzm *mg, struct level *level, struct gzk_error *error)
{
    long loops = loops_of(mg, 1), depth = level->config.height;
    bool fused = level->up.program != NULL;
    long first = fused ? (loops < depth ? loops : depth) : 0;
    int status = above_tail(mg, level) ? 0 : pass_up(mg, level, error);

    if (status == 0)
        status = fused ? smooth_fused(mg, level, &level->up, 0, first, error)
                       : prolong_to(mg, level, error);
    return status == 0 && first < loops ? smooth(mg, level, first, loops, error) : status;
}

static void solve_bottom(const struct gzm *mg, struct level *level)
{
    const struct gzm_grid grid = grid_of(mg, level);
    double begin = cli_now();
    mg->verbs->solve(&grid, gzm_is_singular(&mg->setup.problem), level->data.state, level->work);
    level->seconds[GZM_BOTTOM] += cli_now() - begin;
}

/* A visit to the host's levels, from number k on, on the device. */
static int run_tail(struct gzm *mg, int k, enum gzm_cycle cycle, struct gzk_error *error)
{
    struct level *level = &mg->levels[k];
    double begin = cli_now();
    int status =
        gzm_tail_run(mg->device, &mg->tail, (int)cycle, level->session, mg->setup.stop, error);
    for (int i = k; i < mg->count; i++)
        mg->levels[i].visits += mg->tail.visits[cycle][i - k];
    level->launches++;
    level->seconds[GZM_BOTTOM] += cli_now() - begin;
    return status;
}

/* ------------------------------------------------------------------------------------ interface */

/* Of doubles, in which a power of two changes no digit. */
static void rescale(void *array, size_t count, double scale)
{
    for (size_t i = 0; i < count && scale != 1; i++)
        ((double *)array)[i] *= scale;
}

/* The power of two that makes f, and what A makes of u, fit float; 1 if they are 0 or no numbers.
 */
static double scale_of(const struct gzm *mg, const double *f, const double *u)
{
    double per_h2 = (double)mg->setup.problem.size[0] * mg->setup.problem.size[0], most = 0;
    for (size_t i = 0; i < mg->levels[0].data.cells; i++)
        most = fmax(most, fmax(f ? fabs(f[i]) : 0, u ? per_h2 * fabs(u[i]) : 0));
    return most > 0 && isfinite(most) ? ldexp(1, -ilogb(most)) : 1;
}

/* Copies a whole array of the finest level to the device, or what of it this rank has. */
static int put_in(struct gzm *mg, const void *whole, struct gzk_buffer *to, struct gzk_error *error)
{
    const struct level *finest = &mg->levels[0];
    const struct gzm_share *share = &finest->share;

    if (!share->device)
        return copy_in(mg, finest, whole, to, error);
    void *own = malloc(finest->data.cells * mg->bytes);
    if (!own)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    gzk_domain_take(share->split, &share->part, mg->bytes, whole, own);
    int status = copy_in(mg, finest, own, to, error);
    free(own);
    return status;
}

int gzm_put(struct gzm *mg, const void *f, const void *u, struct gzk_error *error)
{
    struct level *finest = &mg->levels[0];
    const struct gzk_data whole = {.size = {finest->size[0], finest->size[1], finest->size[2]},
                                   .cells = (size_t)cells_of(finest->size)};
    struct gzm_grid grid = grid_of(mg, finest);
    size_t bytes = whole.cells * mg->bytes;
    void *copy = calloc(whole.cells, mg->bytes);
    int status = 0;

    grid.data = &whole;
    gzm_share_renew(&finest->share);
    mg->maxima_there = 0;
    mg->rounded = false;
    mg->scale = mg->inner ? scale_of(mg, f, u) : 1;
    if (!copy)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (f)
        memcpy(copy, f, bytes);
    if (f && mg->setup.problem.filter) {
        struct gzm_filter filter;
        gzm_filter_of(&mg->setup.problem, &filter);
        mg->verbs->filter(&grid, &filter, f, copy);
    }
    if (f && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(copy, whole.cells);
    mg->rhs = mg->verbs->norm(&grid, copy);
    mg->state = u ? mg->verbs->norm(&grid, u) : 0;
    rescale(copy, whole.cells, mg->scale);
    if (finest->on_host)
        memcpy(finest->data.aux, copy, bytes);
    else
        status = put_in(mg, copy, gzk_session_arrays(finest->session).aux, error);
    /* A norm that is not computed shows. */
    if (status == 0 && !finest->on_host)
        status = mg->device->backend->fill(mg->device, mg->maxima, 0xFF, mg->maxima_bytes, error);
    memset(copy, 0, bytes);
    if (u)
        memcpy(copy, u, bytes);
    rescale(copy, whole.cells, mg->scale);
    if (finest->on_host)
        memcpy(finest->data.state, copy, bytes);
    else if (status == 0)
        status = put_in(mg, copy, gzk_session_arrays(finest->session).state, error);
    free(copy);
    return status;
}

/* The whole state of ranks, on the first of them. */
static int read_whole(struct gzm *mg, void *u, struct gzk_error *error)
{
    const struct level *finest = &mg->levels[0];
    const struct gzm_share *share = &finest->share;
    void *own = malloc(finest->data.cells * mg->bytes);
    int status = own ? gzk_session_read(finest->session, own, error)
                     : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0)
        status = gzk_collect(share->exchange, share->split, mg->bytes, own, u, error);
    free(own);
    return status;
}

/* The state as cycles leave it. */
static int read_state(struct gzm *mg, void *u, struct gzk_error *error)
{
    const struct level *finest = &mg->levels[0];
    int status = 0;

    if (finest->share.device)
        return read_whole(mg, u, error);
    if (finest->on_host)
        memcpy(u, finest->data.state, finest->data.cells * mg->bytes);
    else
        status = gzk_session_read(finest->session, u, error);
    if (status == 0)
        rescale(u, finest->data.cells, 1 / mg->scale);
    return status;
}

/* Whether this rank has what is collected. */
static bool is_first(const struct gzm *mg)
{
    const struct gzm_share *share = &mg->levels[0].share;
    return !share->device || share->exchange->rank == 0;
}

int gzm_get(struct gzm *mg, void *u, struct gzk_error *error)
{
    int status = read_state(mg, u, error);
    if (status == 0 && is_first(mg) && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(u, (size_t)cells_of(mg->levels[0].size));
    return status;
}

/* The norm's launch; of mixed precision it leaves the right-hand side of cycles, too. */
static int launch_norm(struct gzm *mg, struct gzk_error *error)
{
    struct gzk_buffer *more[] = {mg->maxima, mg->maxima, mg->maxima, NULL};
    if (mg->inner) {
        const struct gzk_arrays inner = gzk_session_arrays(mg->inner->levels[0].session);
        more[1] = inner.aux;
        more[2] = inner.state;
    }
    return launch(mg, &mg->levels[0], mg->inner ? GZM_ROUND_KERNEL : GZM_NORM_KERNEL, more, error);
}

/* The same on the host, of the residual that is there. */
static void round_on_host(const struct gzm *mg)
{
    const struct gzk_data *inner = &mg->inner->levels[0].data;
    const double *residual = mg->levels[0].other;
    for (size_t i = 0; i < inner->cells; i++)
        ((float *)inner->aux)[i] = (float)residual[i];
    memset(inner->state, 0, inner->cells * sizeof(float));
}

/* The largest of all ranks; NaN if there is one. */
static void agree_on(struct gzk_exchange *exchange, double *norm)
{
    double values[2] = {isnan(*norm), isnan(*norm) ? 0 : *norm};
    exchange->kind->largest(exchange, values, 2);
    *norm = values[0] > 0 ? (double)NAN : values[1];
}

double gzm_rhs(const struct gzm *mg)
{
    return mg->rhs;
}

bool gzm_begins_at_zero(const struct gzm *mg)
{
    return mg->state == 0;
}

/* The state's largest magnitude. */
static int measure_state(struct gzm *mg, struct gzk_error *error)
{
    const struct gzk_data whole = {.cells = (size_t)cells_of(mg->levels[0].size)};
    struct gzm_grid grid = mg->grid;
    void *u = malloc(whole.cells * mg->bytes);
    int status = u ? read_state(mg, u, error) : gzk_fail(error, GZK_FAILED, "out of host memory");

    grid.data = &whole;
    if (status == 0)
        mg->state = is_first(mg) ? mg->verbs->norm(&grid, u) : 0;
    if (status == 0 && mg->levels[0].share.device)
        agree_on(mg->levels[0].share.exchange, &mg->state);
    free(u);
    return status;
}

int gzm_rounding(struct gzm *mg, double *residual, struct gzk_error *error)
{
    /* Where cycles of any operator, edges and type end to gain, 0.01 to 1.5 remain up to 32^3. */
    static const double epsilons = 4;
    bool in_float = mg->setup.problem.type == GZK_FLOAT;
    double epsilon = in_float ? (double)FLT_EPSILON : DBL_EPSILON;
    double least = in_float ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN; /* a state's own */
    int status = mg->state < 0 ? measure_state(mg, error) : 0;
    *residual = epsilons * (epsilon * (mg->norm * mg->state + mg->rhs) + mg->norm * least);
    return status;
}

int gzm_norm(struct gzm *mg, double *norm, struct gzk_error *error)
{
    struct level *finest = &mg->levels[0];
    struct gzm_share *share = &finest->share;
    struct gzm_grid grid = grid_of(mg, finest);
    int status = share->device ? gzm_share_need(share, grid.radius, mg->setup.stop, error) : 0;
    double begin = cli_now();
    struct gzk_data maxima = {.cells = mg->maxima_there};

    if (finest->on_host) {
        sweep_on_host(mg, finest, GZM_DO_RESIDUAL, 0);
        *norm = mg->verbs->norm(&grid, finest->other);
        if (mg->inner)
            round_on_host(mg);
    } else {
        grid.data = &maxima;
        if (maxima.cells == 0) {
            maxima.cells = 1;
            for (int i = 0; i < 3; i++)
                maxima.cells *= (size_t)groups(mg, finest, i);
            status = status == 0 ? launch_norm(mg, error) : status;
        }
        if (status == 0)
            status = mg->device->backend->read(mg->device, mg->maxima, mg->host_maxima,
                                               maxima.cells * mg->bytes, error);
        *norm = mg->verbs->norm(&grid, mg->host_maxima);
        if (share->device && status == 0)
            agree_on(share->exchange, norm);
    }
    *norm /= mg->scale;
    mg->rounded = status == 0;
    finest->seconds[GZM_NORM] += cli_now() - begin;
    return status;
}

/* Mixed precision: adds the state of the levels in float. */
static int correct(struct gzm *mg, struct gzk_error *error)
{
    struct level *finest = &mg->levels[0];
    const struct level *inner = &mg->inner->levels[0];
    double begin = cli_now();
    int status = 0;

    mg->rounded = false;
    if (finest->on_host) {
        for (size_t i = 0; i < finest->data.cells; i++)
            ((double *)finest->data.state)[i] += (double)((const float *)inner->data.state)[i];
    } else {
        struct gzk_buffer *more[] = {gzk_session_arrays(inner->session).state, NULL};
        status = launch(mg, finest, GZM_CORRECT_KERNEL, more, error);
    }
    finest->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}

/* Corrects the state by one cycle, or what begins so, for its residual. */
static int refine(struct gzm *mg, enum gzm_cycle cycle,
                  int (*inner)(struct gzm *, enum gzm_cycle, struct gzk_error *),
                  struct gzk_error *error)
{
    double norm;
    int status = mg->rounded ? 0 : gzm_norm(mg, &norm, error);
    if (status == 0)
        status = inner(mg->inner, cycle, error);
    return status == 0 ? correct(mg, error) : status;
}

static int cycle_at(struct gzm *mg, int k, enum gzm_cycle cycle, struct gzk_error *error)
{
    struct level *level = &mg->levels[k];
    int (*below)(struct gzm *, int, enum gzm_cycle, struct gzk_error *) = cycle_at;
    bool twice = cycle != GZM_V && k + 2 < mg->count;
    int status = *mg->setup.stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;

    level->visits++;
    if (status != 0 || k == mg->count - 1) {
        if (status == 0)
            solve_bottom(mg, level);
        return status;
    }
    if (above_tail(mg, level))
        below = run_tail;
    status = go_down(mg, level, error);
    if (status == 0)
        status = below(mg, k + 1, cycle, error);
    if (status == 0 && twice)
        status = below(mg, k + 1, cycle == GZM_F ? GZM_V : cycle, error);
    return status == 0 ? go_up(mg, level, error) : status;
}

int gzm_cycle(struct gzm *mg, enum gzm_cycle cycle, struct gzk_error *error)
{
    mg->state = -1;
    return mg->inner ? refine(mg, cycle, gzm_cycle, error) : cycle_at(mg, 0, cycle, error);
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
    gzm_share_renew(&finest->share);
    mg->rounded = false;
    mg->state = -1;
    if (status == 0 && mg->inner)
        return refine(mg, cycle, gzm_full, error);
    for (int k = 0; k + 1 < mg->count && status == 0; k++) {
        status = restrict_from(mg, &mg->levels[k], error);
        if (status == 0)
            status = pass_down(mg, &mg->levels[k], error);
    }
    for (int k = mg->count - 1; k >= 0 && status == 0; k--) {
        status = cycle_at(mg, k, cycle, error);
        if (status == 0 && k > 0)
            status = pass_up(mg, &mg->levels[k - 1], error);
        if (status == 0 && k > 0)
            status = prolong_to(mg, &mg->levels[k - 1], error);
    }
    return status;
}

int gzm_set_way(struct gzm *mg, int k, const struct gzm_way *way, struct gzk_error *error)
{
    if (mg->inner)
        return gzm_set_way(mg->inner, k, way, error);
    free_launches(mg, &mg->levels[k]);
    mg->maxima_there = 0;
    int status = make_plan(mg, &mg->levels[k], way, error);
    return status == 0 && k == 0 ? make_maxima(mg, error) : status;
}

int gzm_visit(struct gzm *mg, int k, struct gzk_error *error)
{
    if (mg->inner)
        return gzm_visit(mg->inner, k, error);
    mg->state = -1;
    int status = go_down(mg, &mg->levels[k], error);
    return status == 0 ? go_up(mg, &mg->levels[k], error) : status;
}

enum gzk_type gzm_type(const struct gzm *mg)
{
    return mg->setup.problem.type;
}

int gzm_levels(const struct gzm *mg)
{
    return mg->inner ? mg->inner->count : mg->count;
}

static void report_share(const struct gzm_share *share, int depth, struct gzm_level_report *report)
{
    report->rank_depth = depth;
    report->exchanges = share->exchanges;
    report->messages = share->exchanges * gzk_halo_messages(share->halo);
    report->bytes = (double)share->exchanges * (double)gzk_halo_bytes(share->halo);
    report->exchange_s = share->seconds;
}

void gzm_report(const struct gzm *mg, int k, struct gzm_level_report *report)
{
    const struct gzm *cycled = mg->inner ? mg->inner : mg;
    const struct level *level = &cycled->levels[k];
    *report = (struct gzm_level_report){.on_host = level->on_host,
                                        .in_launch = level->on_host && cycled->tail.program,
                                        .config = level->config,
                                        .visits = level->visits,
                                        .launches = level->launches};
    memcpy(report->size, level->size, sizeof report->size);
    memcpy(report->seconds, level->seconds, sizeof report->seconds);
    if (level->share.device)
        report_share(&level->share, mg->setup.division->depth[k], report);
    if (mg->inner && k == 0)
        report->launches += mg->levels[0].launches;
    for (int part = 0; part < GZM_PARTS && mg->inner && k == 0; part++)
        report->seconds[part] += mg->levels[0].seconds[part];
}
