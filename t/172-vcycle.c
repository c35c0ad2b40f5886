/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 172-vcycle - a multigrid cycle's time: visits; what it is the sum of; depths and the one best
 * depth against trying all; a visit's stages by gz_predict; bytes and launches of what runs between
 * levels and of the tail, by search/vcycle.md; limits; and requests that are refused.
 */
#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "model_device.h"
#include "tap.h"
#include "tolerance.h"

static gz_device cpu;
static gz_app star, gsrb;

static gz_vcycle_request request_of(double length, int before, int after)
{
    return (gz_vcycle_request){
        .smoother = {.data_length = {length, length, length}, .syncs = 1u << GZ_SYNC_RESTART},
        .loops = {before, after},
        .tail = 4096};
}

/* The cycle's time; NaN if it is refused. */
static double seconds_of(const gz_device *dev, const gz_app *app, const gz_vcycle_request *request,
                         gz_vcycle_time *out)
{
    gz_error error;
    gz_status status = gz_vcycle(dev, app, request, out, &error);
    if (status)
        tap_note("%s: %s", gz_name(GZ_STATUSES, status), error.text);
    return status ? (double)NAN : out->seconds;
}

static int near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static void visits(void)
{
    static const double expected[3][4] = {{1, 1, 1, 1}, {1, 2, 4, 4}, {1, 2, 3, 3}};
    int wrong = 0;
    for (int cycle = 0; cycle < 3; cycle++) {
        gz_vcycle_time t;
        gz_vcycle_request r = request_of(48, 2, 2);
        r.cycle = (gz_cycle)cycle;
        seconds_of(&cpu, &star, &r, &t);
        wrong += t.levels != 5;
        r.levels = 4;
        seconds_of(&cpu, &star, &r, &t);
        wrong += t.levels != 4;
        for (int k = 0; k < 4; k++)
            wrong += t.level[k].visits != expected[cycle][k] ||
                     t.level[k].data_length[2] != 48 / ldexp(1, k) ||
                     t.level[k].tail != (k > 0 && (k == 3 || t.level[k].data_length[0] <= 16));
    }
    tap_ok(wrong == 0, "sizes, visits and tails of V, W and F: %d wrong", wrong);
}

/* ----------------------------------------------------------------------------------- the choice */

static double parts_of(const gz_vcycle_time *t)
{
    double sum = 0;
    for (int k = 0; k < t->levels; k++)
        for (int part = 0; part < GZ_PART_COUNT; part++)
            sum += t->level[k].seconds[part];
    return sum;
}

static void sums(void)
{
    gz_vcycle_time t, each;
    gz_vcycle_request r = request_of(128, 5, 3);
    double least = HUGE_VAL, least_fixed = HUGE_VAL, one = 0;
    int best_fixed = 0, wrong = 0;

    r.tail = 32768;
    r.cycle = GZ_CYCLE_F;
    double all = seconds_of(&cpu, &gsrb, &r, &t);
    tap_ok(near(all, parts_of(&t), TOL_VALUE), "a cycle is the sum of its parts");
    for (int first = 1; first <= 5; first++)
        for (int second = 1; second <= 5; second++) {
            gz_vcycle_request given = r;
            given.depth[0] = first;
            given.depth[1] = second;
            double seconds = seconds_of(&cpu, &gsrb, &given, &each);
            least = fmin(least, seconds);
            if (first == second && seconds < least_fixed) {
                least_fixed = seconds;
                best_fixed = first;
            }
            one = first * second == 1 ? seconds : one;
            wrong += each.level[0].depth != first || each.level[1].depth != second;
            wrong += each.level[0].seconds[GZ_PART_SMOOTH] != t.level[0].smooth_at[first - 1] ||
                     !isnan(each.level[0].smooth_at[5]);
        }
    tap_ok(near(all, least, TOL_TIE), "its depths, %d and %d, are the best of 25", t.level[0].depth,
           t.level[1].depth);
    tap_ok(wrong == 0, "given depths are taken: %d wrong", wrong);
    tap_ok(near(t.shallow_s, one, TOL_TIE) && near(t.fixed_s, least_fixed, TOL_TIE) &&
               t.fixed == best_fixed,
           "depth 1, and the best depth for all levels, %d", t.fixed);
    for (int k = 0; k < 2; k++) {
        r.way[k] = t.level[k].config;
        r.depth[k] = t.level[k].depth;
    }
    tap_ok(near(all, seconds_of(&cpu, &gsrb, &r, &each), TOL_TIE), "the same tiles, given");
}

/* 7 loops at depth 3: two stages of 3 and one of 1; and 2 loops in one stage. */
static void stages(void)
{
    gz_vcycle_time t;
    gz_vcycle_request r = request_of(64, 7, 2);
    gz_prediction p[3];
    static const double loops[] = {7, 7, 2}, heights[] = {3, 1, 2}, times[] = {6, 1, 2};
    double sum = 0;

    r.depth[0] = 3;
    seconds_of(&cpu, &star, &r, &t);
    for (int k = 0; k < 3; k++) {
        gz_config cfg = t.level[0].config;
        cfg.loops = loops[k];
        gz_predict(&cpu, &star, &cfg, heights[k], &p[k], NULL);
        sum += times[k] * p[k].seconds_per_loop;
    }
    tap_ok(near(sum, t.level[0].seconds[GZ_PART_SMOOTH], TOL_VALUE), "a visit's stages");
}

/* ------------------------------------------------------------------------------- between levels */

/* A CPU whose plain loops take memory's time and launches alone, and a stencil of four arrays. */
static void between(void)
{
    gz_device dev = a_bare_cpu(2, 1e6);
    gz_app app = gsrb;
    gz_vcycle_request r = request_of(64, 2, 2);
    gz_vcycle_time t;
    const double bandwidth = 1.5e10, launch = 3e-5, cells = 64.0 * 64 * 64;
    const double bytes = app.element_size.value * cells, arrays = app.stencil_arrays.value;

    gz_set(&dev, "effective_cache", 1e3);
    gz_set(&dev, "run_launch", launch);
    gz_set(&dev, "naive_bandwidth", bandwidth);
    gz_set(&dev, "naive_row", 0);
    gz_app_set(&app, "naive_cell_time", 0);
    app.tile_reads = quantity(10);
    r.smoother.variants = 1u << GZ_VARIANT_NAIVE;
    seconds_of(&dev, &app, &r, &t);
    const double *s = t.level[0].seconds;
    tap_ok(near(s[GZ_PART_RESTRICT] - launch, bytes * (arrays + 0.25) / bandwidth, 1e-12),
           "restriction moves A + 1/4 arrays");
    tap_ok(near(s[GZ_PART_PROLONG] - launch, bytes * 2.125 / bandwidth, 1e-12),
           "interpolation moves 2 + 1/8");
    tap_ok(near(s[GZ_PART_NORM] - launch, bytes * (arrays + 1.0 / 64) / bandwidth, 1e-12),
           "the norm moves A and a number a row");
    double coarse = t.level[1].seconds[GZ_PART_RESTRICT];
    tap_ok(near(8 * (coarse - launch), s[GZ_PART_RESTRICT] - launch, 1e-12),
           "an eighth of the bytes a level further");
    /* Ten elements are read for a cell, by interpolation five. */
    gz_set(&dev, "naive_bandwidth", 1e300);
    gz_app_set(&app, "naive_cell_time", 1e-9);
    seconds_of(&dev, &app, &r, &t);
    tap_ok(near(s[GZ_PART_RESTRICT] - launch, cells / 2 * 1e-9, 1e-12) &&
               near(s[GZ_PART_PROLONG] - launch, cells / 4 * 1e-9, 1e-12),
           "elements are computed in proportion to what is read");
    /* The tail of 8^3: one core, a launch; visits of 4 loops, restriction and half a loop. */
    r = request_of(16, 2, 2);
    r.tail = 512;
    r.levels = 3;
    r.smoother.variants = 1u << GZ_VARIANT_NAIVE;
    seconds_of(&dev, &app, &r, &t);
    double w = 512e-9, c = ceil(4 / 3.14159265358979323846 * log(2000)), bottom = 2 * c * w / 8;
    tap_ok(near(t.level[1].seconds[GZ_PART_TAIL], launch + (4 + 1 + 0.5) * w, 1e-12) &&
               near(t.level[2].seconds[GZ_PART_TAIL], bottom, 1e-12),
           "the tail's levels on one core");
    r.cycle = GZ_CYCLE_W;
    seconds_of(&dev, &app, &r, &t);
    tap_ok(near(t.level[1].seconds[GZ_PART_TAIL], 2 * (launch + (4 + 1 + 0.5) * w), 1e-12),
           "twice by a W-cycle");
    r.tail_s = 1e-3;
    seconds_of(&dev, &app, &r, &t);
    tap_ok(near(t.level[1].seconds[GZ_PART_TAIL], 2e-3, TOL_VALUE) &&
               t.level[2].seconds[GZ_PART_TAIL] == 0,
           "a tail whose time is known");
}

/* A level of streamed tiles restricts as one more loop of a stage, without a launch. */
static void fused(void)
{
    gz_vcycle_request r = request_of(128, 2, 2);
    gz_vcycle_time apart, together;
    gz_prediction low, high;
    r.smoother.variants = 1u << GZ_VARIANT_STREAM;
    r.depth[0] = 2;
    seconds_of(&cpu, &gsrb, &r, &apart);
    r.fused = 1;
    seconds_of(&cpu, &gsrb, &r, &together);
    const double *a = apart.level[0].seconds, *b = together.level[0].seconds;
    gz_config cfg = apart.level[0].config;
    cfg.loops = 2;
    gz_predict(&cpu, &gsrb, &cfg, 2, &low, NULL);
    cfg.loops = 3;
    for (int i = 0; i < 3; i++)
        cfg.block_len[i] += gsrb.halo_width[i];
    gz_predict(&cpu, &gsrb, &cfg, 3, &high, NULL);
    double more = 3 * high.seconds_per_loop - 2 * low.seconds_per_loop;
    tap_ok(near(b[GZ_PART_NORM], more, 1e-12) && b[GZ_PART_SMOOTH] == a[GZ_PART_SMOOTH],
           "fused: the norm takes one more loop of a stage");
    tap_ok(near(b[GZ_PART_RESTRICT], more + a[GZ_PART_RESTRICT] - a[GZ_PART_NORM], 1e-12) &&
               b[GZ_PART_PROLONG] > 0 && b[GZ_PART_PROLONG] < b[GZ_PART_RESTRICT],
           "restriction the coarse arrays as well, interpolation less");
    r.loops[1] = 4;
    seconds_of(&cpu, &gsrb, &r, &together);
    tap_ok(near(together.level[0].seconds[GZ_PART_NORM], a[GZ_PART_NORM], TOL_VALUE),
           "the norm of a visit of two launches is taken apart");
}

/* --------------------------------------------------------------------------------------- limits */

static void limits(void)
{
    gz_vcycle_time none, some, t;
    gz_vcycle_request r = request_of(64, 0, 0);
    double last = seconds_of(&cpu, &star, &r, &none), rising = 1;

    tap_ok(none.level[0].seconds[GZ_PART_SMOOTH] == 0 && none.level[0].depth == 0 &&
               none.fixed == 0 && near(none.shallow_s, none.seconds, TOL_VALUE),
           "no loops");
    for (int loops = 1; loops <= 6; loops++) {
        r.loops[0] = r.loops[1] = loops;
        double now = seconds_of(&cpu, &star, &r, &some);
        rising *= now > last;
        last = now;
    }
    tap_ok(rising > 0, "more loops take longer");
    tap_ok(some.level[0].seconds[GZ_PART_RESTRICT] == none.level[0].seconds[GZ_PART_RESTRICT] &&
               some.level[0].seconds[GZ_PART_PROLONG] == none.level[0].seconds[GZ_PART_PROLONG],
           "but not between levels");
    r.levels = 1;
    tap_ok(seconds_of(&cpu, &star, &r, &t) > 0 && t.fixed == 0 && t.levels == 1,
           "one level is solved");

    /* Twice the clock and the bandwidth: half the time, by cycles alone. */
    gz_device dev;
    gz_app app;
    gz_device_open("gtx280", &dev, NULL);
    gz_app_open("poisson", "gtx280", &app, NULL);
    r = request_of(256, 4, 4);
    double slow = seconds_of(&dev, &app, &r, &some);
    dev.clock_rate.value *= 2;
    dev.mem_bandwidth.value *= 2;
    tap_ok(near(slow, 2 * seconds_of(&dev, &app, &r, &t), 1e-12), "by the model of 2011, too");
}

static void intervals(void)
{
    gz_vcycle_time t, wide;
    gz_vcycle_request r = request_of(64, 2, 2);
    gz_device exact = cpu;
    for (int k = 0; k < gz_param_count(); k++)
        if (gz_param_quantity(&exact, NULL, k))
            gz_param_quantity(&exact, NULL, k)->sd = 0;
    seconds_of(&exact, &star, &r, &t);
    tap_ok(t.interval[0] == t.seconds && t.interval[1] == t.seconds, "no deviations, no interval");
    exact.sm_count = cpu.sm_count;
    gz_quantity *launch = quantity_of(&exact, NULL, "run_launch");
    launch->sd = launch->value / 10;
    seconds_of(&exact, &star, &r, &t);
    r.z = 3.92;
    seconds_of(&exact, &star, &r, &wide);
    /* Launches of run_launch alone: three of the finest and two visits to smooth on two levels, the
     * tail's. */
    double width = t.seconds * log(t.interval[1] / t.seconds);
    tap_ok(width > 0 &&
               near(2 * width, wide.seconds * log(wide.interval[1] / wide.seconds), 1e-9) &&
               width > 1.96 * 5 * launch->sd,
           "deviations of launches add up: %g", width / 1.96 / launch->sd);
}

static void bad_input(void)
{
    gz_vcycle_request good = request_of(64, 2, 2);
    gz_vcycle_time t;
    gz_error error = {{0}};
    gz_vcycle_request r[8];
    for (int k = 0; k < 8; k++)
        r[k] = good;
    r[0].cycle = (gz_cycle)7;
    r[1].levels = GZ_MAX_LEVELS + 1;
    r[2].loops[1] = -1;
    r[3].depth[2] = GZ_MAX_DEPTH + 1;
    r[4].tail = (double)NAN;
    r[5].tail_s = -1;
    r[6].way[1].block_len[0] = 10; /* without a depth */
    r[7].z = HUGE_VAL;
    int right = 0;
    for (int k = 0; k < 8; k++)
        right += gz_vcycle(&cpu, &star, &r[k], &t, &error) == GZ_EARGUMENT && error.text[0] &&
                 gz_vcycle(&cpu, &star, &r[k], &t, NULL) == GZ_EARGUMENT;
    tap_ok(right == 8, "what is out of range: %d of 8", right);
    good.smoother.data_length[1] = (double)NAN;
    tap_ok(gz_vcycle(&cpu, &star, &good, &t, &error) == GZ_ECONFIG && strstr(error.text, "level 0"),
           "a grid of no size: %s", error.text);
    /* A depth that the least tile has no room for. */
    good = request_of(64, 12, 12);
    good.depth[0] = 12;
    good.smoother.limits.shared_bytes = 4000;
    good.smoother.variants = 1u << GZ_VARIANT_TRAPEZOID;
    tap_ok(gz_vcycle(&cpu, &star, &good, &t, &error) == GZ_EHEIGHT &&
               strstr(error.text, "level 0: depth 12"),
           "a depth that does not fit: %s", error.text);
    good.depth[0] = 0;
    tap_ok(gz_vcycle(&cpu, &star, &good, &t, &error) == GZ_OK && isnan(t.level[0].smooth_at[11]) &&
               t.level[0].smooth_at[0] > 0,
           "is left out of the choice");
}

int main(void)
{
    gz_device_open("generic-cpu", &cpu, NULL);
    gz_app_open("star7", "generic-cpu", &star, NULL);
    gz_app_open("gsrb", "generic-cpu", &gsrb, NULL);
    visits();
    sums();
    stages();
    between();
    fused();
    limits();
    intervals();
    bad_input();
    return tap_done();
}
