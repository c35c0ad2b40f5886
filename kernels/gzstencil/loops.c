/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"
#include "numbers.h"

#include <string.h>

/* Copies the cells of the grid outside the domain. */
static void copy_field_border(const gz_stencil_run *run, void *to, const void *from)
{
    const int *size = run->data.size, y_rim = gzs_rim_of(run->stencil, 1),
              z_rim = gzs_rim_of(run->stencil, 2);
    size_t bytes = run->element_bytes, row = (size_t)size[0] * bytes, at = 0;
    size_t end = (size_t)gzs_rim_of(run->stencil, 0) * bytes;

    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++, at += row) {
            bool outer = y < y_rim || y >= size[1] - y_rim || z < z_rim || z >= size[2] - z_rim ||
                         2 * end >= row;
            memcpy((char *)to + at, (const char *)from + at, outer ? row : end);
            if (!outer)
                memcpy((char *)to + at + row - end, (const char *)from + at + row - end, end);
        }
}

/* The same of all fields of a state, which lie `to_bytes` and `from_bytes` apart. */
static void copy_border(const gz_stencil_run *run, void *to, size_t to_bytes, const void *from,
                        size_t from_bytes)
{
    for (int f = 0; f < gzi_fields(&run->stencil->shape); f++)
        copy_field_border(run, (char *)to + (size_t)f * to_bytes,
                          (const char *)from + (size_t)f * from_bytes);
}

/* Puts the borders, and what kept cells hold if there are two buffers, where the kernels look for
 * them. */
static void set_borders(gz_stencil_run *run)
{
    size_t constants = (size_t)run->facts->constant_arrays;
    size_t first = (size_t)run->stencil->coefficient_arrays;
    size_t fields = (size_t)gzi_fields(&run->stencil->shape),
           apart = run->data.cells * run->element_bytes;
    size_t stride = run->data.stride * run->element_bytes;

    if (run->known->keeps) {
        gzk_host_copy(gzs_aux_array(run, constants), run->data.state, run->state_bytes,
                      gzs_host_threads());
        gzk_host_copy(gzs_aux_array(run, constants + 1), run->other, run->state_bytes,
                      gzs_host_threads());
    }
    if (gzk_border_arrays(run->stencil) > 0) {
        copy_border(run, gzs_aux_array(run, first), stride, run->data.state, apart);
        copy_border(run, gzs_aux_array(run, first + fields), stride,
                    run->facts->buffers >= 2 ? run->other : run->data.state, apart);
    }
}

int gzs_outdo(gz_stencil_run *run, double loop_s, struct gzk_error *error)
{
    run->trial.loop_s = loop_s;
    if (gzs_way_goes(run->known, &run->way, (double)run->at, loop_s))
        return 0;
    run->trial.given_up = true;
    return gzk_fail(error, GZK_FAILED, "the device was tried: they are expected to be faster");
}

/* At least, of a loop of a stage that took so long: the first may be cold, or finish compiling. */
static double loop_of(double seconds, bool first, long height)
{
    const double long_s = 0.02, of_short = 8, of_long = 2;
    double longer = !first ? 1 : seconds < long_s ? of_short : of_long;
    return seconds / longer / (double)height;
}

/* Tries the device by two stages, if there are many. */
static int try_device(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    enum { STAGES = 2, MANY = 8 };
    long height = run->choice.config.height;
    double seconds = 0;
    int status = run->choice.tried_s > 0 ? gzs_outdo(run, run->choice.tried_s, error) : 0;
    for (int i = 0; i < STAGES && loops >= MANY * height && status == 0; i++) {
        status = gzk_plan_advance(run->plan, run->at, height, &gzk_never, &seconds, error);
        run->at += height;
        run->trial.done += height;
        run->seconds += seconds;
        if (status == 0)
            status = gzs_outdo(run, loop_of(seconds, i == 0, height), error);
    }
    return status;
}

int gzs_advance(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    struct gzs_divided *divided = run->divided;
    struct gzk_halo_spent spent = {0};
    int status = run->trial.on ? try_device(run, loops, error) : 0;
    loops -= run->trial.on ? run->trial.done : 0;
    run->trial.on = false;
    if (status == 0)
        status = gzk_halo_advance(divided ? divided->halo : NULL, run->plan, run->at,
                                  run->at + loops, &gzk_never, &spent, error);
    if (divided)
        status = gzk_exchange_all(&divided->exchange, status, error);
    run->at += loops;
    run->seconds += spent.loops_s + spent.exchange_s[0] + spent.exchange_s[1];
    if (run->at > 0)
        run->choice.measured_s = run->seconds / (double)run->at;
    return status;
}

static int fetch(gz_stencil_run *run, int age, struct gzk_error *error)
{
    struct gzk_session *session = run->session;
    void *to = run->copy[age] ? run->copy[age] : gzk_session_place(session, age);
    if (!to)
        to = age == 0 ? run->data.state : run->other;
    run->result[age] = to;
    if (run->divided)
        return gzs_divided_read(run->divided, session, age, to, error);
    return gzk_session_read_age(session, age, to, error);
}

int gzs_fetch(gz_stencil_run *run, struct gzk_error *error)
{
    int status = fetch(run, 0, error);
    if (status == 0 && run->stencil->older && run->at > 0)
        status = fetch(run, 1, error);
    return status == 0 ? gzk_session_seen(run->session, error) : status;
}

/* What the kernels compute on. */
static const struct gzk_data *grid_of(const gz_stencil_run *run)
{
    return run->divided ? &run->divided->own : &run->data;
}

/* What is expected of a run whose data end it: what the one before took, or else the most. */
static long ending_of(const gz_stencil_run *run)
{
    if (!run->facts->measure)
        return 0;
    long loops = gzs_way_loops(run->known, run->data.size);
    return loops > 0 && loops < run->loops ? loops : run->loops;
}

/* Prepares the arrays and chooses how they are to be run. */
static int prepare(gz_stencil_run *run, struct gzk_error *error)
{
    const struct gz_stencil *facts = run->facts;
    bool watches = run->watch.count > 0;
    int status = 0;

    set_borders(run);
    if (watches)
        status = gzs_watch_make(run, error);
    if (status == 0 && run->divided)
        status = gzs_divided_put(run->divided, gzs_device, &run->data, error);
    run->made_s -= cli_now();
    if (status == 0 && !run->chosen)
        status = gzs_choose(gzs_device, run->stencil, grid_of(run), facts->height,
                            facts->contract != 0, watches, ending_of(run), &run->choice, error);
    run->made_s += cli_now();
    run->chosen = status == 0;
    return status;
}

/* Begins with the arrays as they are, where the device can. */
static int begin_in_place(gz_stencil_run *run, struct gzk_error *error)
{
    bool pairs = run->stencil->older && gzk_variants[run->choice.config.variant].any_height;
    for (int i = 0; i < 2 && pairs && gzs_device->info.is_cpu && !run->next[i]; i++)
        if (!(run->next[i] = gzs_new_array(run->state_bytes)))
            return gzk_fail(error, GZK_FAILED, "out of memory");
    void *const place[4] = {run->data.state, run->other, run->next[0], run->next[1]};
    return gzk_session_in_place(gzs_device, run->stencil, &run->data, place, &run->session, error);
}

int gzs_start(gz_stencil_run *run, struct gzk_error *error)
{
    int status = prepare(run, error);
    if (status == 0)
        status = run->open
                     ? gzk_session_new(gzs_device, run->stencil, grid_of(run), &run->session, error)
                     : begin_in_place(run, error);
    if (status == 0 && run->watch.count > 0)
        status = gzk_session_watch(run->session, &run->watch.told, error);
    run->made_s -= cli_now();
    if (status == 0) /* compiling may take longer than all loops */
        status = gzk_plan_new(run->session, &run->choice.config, &run->plan, error);
    run->made_s += cli_now();
    return status;
}

void gzs_leave_device(gz_stencil_run *run)
{
    if (run->divided)
        gzs_divided_leave(run->divided);
    gzk_plan_free(run->plan);
    gzk_session_free(run->session);
    run->plan = NULL;
    run->session = NULL;
}

static int run_on_device(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    int status = gzs_start(run, error);
    if (status == 0)
        status = gzs_advance(run, loops, error);
    if (status == 0)
        status = gzs_fetch(run, error);
    gzs_leave_device(run);
    return status;
}

void gzs_turn_back(gz_stencil_run *run)
{
    if (!run->trial.given_up || run->way.way == GZS_ON_HOST)
        return;
    gzs_way_tried(run->known, run->data.size, run->loops, GZS_ON_DEVICE, 0, run->trial.loop_s);
    run->way.way = GZS_ON_HOST;
    run->usual = run->faster = true;
    run->trial = (struct trial){0};
    run->begun_s = cli_now();
}

bool gzs_finish(gz_stencil_run *run)
{
    run->done = true;
    run->original = run->checking;
    return !run->checking;
}

int gz_stencil_execute(gz_stencil_run *run)
{
    if (!enter_ready(run))
        return 0;
    bool results = gzs_on_device(run, run_on_device, run->loops) && gzs_finish(run);
    gzs_turn_back(run);
    leave(run);
    return results;
}
