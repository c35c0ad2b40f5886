/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tail.h"

#include "between.h"
#include "embedded.h"
#include "kernel_text.h"
#include "multigrid_texts.h"
#include "operators.h"

#include <stdlib.h>
#include <string.h>

enum { TAIL_V, TAIL_W, TAIL_F }; /* as multigrid.h has the cycles */

/* The steps of all cycles, as the kernel reads them, after where each level's arrays lie. */
struct steps {
    const struct gzm_tail_setup *setup;
    struct gzm_tail *tail;
    int cycle; /* whose steps are being written */
    bool turned[GZM_TAIL_MOST_LEVELS];
    int *numbers;
    size_t count, room;
    bool broken;
};

static void put(struct steps *steps, int number)
{
    if (steps->count == steps->room && !steps->broken) {
        size_t room = 2 * steps->room + 64;
        int *numbers = realloc(steps->numbers, room * sizeof *numbers);
        if (numbers) {
            steps->numbers = numbers;
            steps->room = room;
        } else {
            steps->broken = true;
        }
    }
    if (!steps->broken)
        steps->numbers[steps->count++] = number;
}

static void put_step(struct steps *steps, int what, int level, int more)
{
    put(steps, what);
    put(steps, level);
    put(steps, steps->turned[level]);
    put(steps, more);
}

static void put_loops(struct steps *steps, int level, int after)
{
    for (int loop = 0; loop < steps->setup->loops[after]; loop++) {
        put_step(steps, GZM_STEP_SMOOTH, level, loop);
        steps->turned[level] = !steps->turned[level];
    }
}

static void put_cycle(struct steps *steps, int k, int cycle)
{
    int last = steps->setup->levels - 1;

    steps->tail->visits[steps->cycle][k]++;
    if (k == last) {
        put_step(steps, GZM_STEP_RESIDUAL, k, 0);
        put_step(steps, GZM_STEP_SOLVE, k, gzm_is_singular(steps->setup->problem));
        return;
    }
    put_loops(steps, k, 0);
    put_step(steps, GZM_STEP_RESIDUAL, k, 0);
    put_step(steps, GZM_STEP_RESTRICT, k, 0);
    steps->turned[k + 1] = false;
    put_cycle(steps, k + 1, cycle);
    if (cycle != TAIL_V && k + 1 < last)
        put_cycle(steps, k + 1, cycle == TAIL_F ? TAIL_V : cycle);
    put_step(steps, GZM_STEP_PROLONG, k, steps->turned[k + 1]);
    put_loops(steps, k, 1);
}

/* Elements of a level's arrays in `rest`. */
static size_t elements_of(const struct gzm_tail_setup *setup, int k)
{
    const struct gzk_data *data = setup->data[k];
    size_t arrays = setup->problem->op == GZM_VARIABLE ? 4 : 3;
    return (k > 0 ? arrays * data->stride : 0) + (k == setup->levels - 1 ? 2 * data->cells : 0);
}

static void put_all(struct steps *steps)
{
    struct gzm_tail *tail = steps->tail;
    size_t place = (size_t)steps->setup->levels * GZM_COEFS;

    for (int k = 0; k < steps->setup->levels; k++) {
        put(steps, (int)place);
        place += elements_of(steps->setup, k);
    }
    tail->end[0] = (int)steps->count;
    for (int cycle = TAIL_V; cycle <= TAIL_F; cycle++) {
        memset(steps->turned, 0, sizeof steps->turned);
        steps->cycle = cycle;
        put_cycle(steps, 0, cycle);
        tail->turned[cycle] = steps->turned[0];
        tail->end[cycle + 1] = (int)steps->count;
    }
}

/* The levels' coefficients, and the arrays that do not change. */
static int fill_rest(struct gzk_device *device, const struct gzm_tail_setup *setup,
                     struct gzk_buffer **rest, struct gzk_error *error)
{
    size_t bytes = gzk_type_bytes(setup->problem->type), count = 0;
    size_t arrays = setup->problem->op == GZM_VARIABLE ? 2 : 1;

    for (int k = 0; k < setup->levels; k++)
        count += GZM_COEFS + elements_of(setup, k);
    char *image = calloc(count, bytes), *to = image;
    if (!image)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (int k = 0; k < setup->levels; k++, to += GZM_COEFS * bytes)
        memcpy(to, setup->data[k]->coefficients, GZM_COEFS * bytes);
    for (int k = 0; k < setup->levels; to += elements_of(setup, k++) * bytes)
        if (k > 0)
            memcpy(to + 2 * setup->data[k]->stride * bytes, setup->data[k]->aux,
                   arrays * setup->data[k]->stride * bytes);
    int status = device->backend->buffer_new(device, count * bytes, rest, error);
    if (status == 0)
        status = device->backend->write(device, *rest, image, count * bytes, error);
    free(image);
    return status;
}

struct gzk_program_spec gzm_tail_spec(const struct gzm_problem *problem,
                                      const struct gzk_device_info *device, int threads,
                                      const char *prelude)
{
    enum { GPU_THREADS = 256 };
    static const char again[] = "#undef GZ_UPDATE\n#undef AT\n#undef FIELD\n#undef COEF_AT\n";
    struct gzk_stencil residual, smoother, apply;

    gzm_stencil_of(problem, GZM_DO_RESIDUAL, &residual);
    gzm_stencil_of(problem, GZM_DO_APPLY, &apply);
    gzm_smoother_of(problem, &smoother);
    residual.coefficients = GZM_COEFS;
    const struct gzk_part parts[] = {
        {"operators.h", gzm_operators_h},
        {"smoother", again},
        {"smoother", "#define gz_update_inside gz_smooth_inside\n"
                     "#define gz_update_edge gz_smooth_edge\n"},
        {"access_inside.knl", gzk_access_inside_knl},
        {"smoother", smoother.body},
        {"access_edge.knl", gzk_access_edge_knl},
        {"smoother", smoother.body},
        {"apply", "#undef gz_update_edge\n#define gz_update_edge gz_apply_edge\n"},
        {"apply", apply.body},
        {"residual", "#undef gz_update_edge\n#undef gz_update_inside\n"},
        {"coarse.knl", gzm_coarse_knl},
        {"tail.knl", gzm_tail_knl},
        {"bottom.knl", gzm_bottom_knl},
        {"tail_launch.knl", gzm_tail_launch_knl}};
    struct gzk_config config = gzm_between(&residual, problem->size, device,
                                           threads > 0 || device->is_cpu ? threads : GPU_THREADS);
    return (struct gzk_program_spec){
        .text = gzk_kernel_text_of(&config, prelude, parts, sizeof parts / sizeof *parts),
        .name = "gz_tail",
        .threads = config.threads[0]};
}

static int make_plan(struct gzk_device *device, const struct gzm_tail_setup *setup,
                     struct gzm_tail *tail, struct gzk_error *error)
{
    struct steps steps = {.setup = setup, .tail = tail};
    put_all(&steps);
    size_t bytes = steps.count * sizeof *steps.numbers;
    int status = steps.broken ? gzk_fail(error, GZK_FAILED, "out of host memory")
                              : device->backend->buffer_new(device, bytes, &tail->plan, error);
    if (status == 0)
        status = device->backend->write(device, tail->plan, steps.numbers, bytes, error);
    free(steps.numbers);
    return status;
}

int gzm_tail_new(struct gzk_device *device, const struct gzm_tail_setup *setup,
                 struct gzm_tail *tail, struct gzk_error *error)
{
    const struct gzk_backend *backend = device->backend;

    *tail = (struct gzm_tail){0};
    int status = fill_rest(device, setup, &tail->rest, error);
    if (status == 0)
        status = make_plan(device, setup, tail, error);
    if (status != 0)
        return status;
    const struct gzk_program_spec spec =
        gzm_tail_spec(setup->problem, &device->info, setup->threads, backend->prelude);
    status = spec.text ? backend->program_new(device, &spec, &tail->program, error)
                       : gzk_fail(error, GZK_FAILED, "out of host memory");
    free((char *)spec.text);
    return status;
}

void gzm_tail_free(struct gzk_device *device, struct gzm_tail *tail)
{
    if (!device)
        return;
    device->backend->program_free(device, tail->program);
    device->backend->buffer_free(device, tail->rest);
    device->backend->buffer_free(device, tail->plan);
    *tail = (struct gzm_tail){0};
}

int gzm_tail_run(struct gzk_device *device, const struct gzm_tail *tail, int cycle,
                 struct gzk_session *session, const volatile sig_atomic_t *stop,
                 struct gzk_error *error)
{
    struct gzk_launch launch = {.groups = 1};
    double seconds;

    gzk_session_arguments(session, &launch);
    const struct gzk_arg more[] = {{.kind = GZK_ARG_BUFFER, .buffer = tail->rest},
                                   {.kind = GZK_ARG_BUFFER, .buffer = tail->plan},
                                   {.kind = GZK_ARG_INT, .i = tail->end[cycle]},
                                   {.kind = GZK_ARG_INT, .i = tail->end[cycle + 1]}};
    memcpy(launch.args + launch.count, more, sizeof more);
    launch.count += (int)(sizeof more / sizeof *more);
    int status = device->backend->run(device, tail->program, &launch, 1, GZ_SYNC_RESTART, stop,
                                      &seconds, error);
    if (tail->turned[cycle])
        gzk_session_turn(session);
    return status;
}
