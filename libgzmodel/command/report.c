/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.c - see report.h.
 */
#include "report.h"

#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ pieces */

/* A number for people: six digits, and no exponent for what is still easy to read without. */
static const char *number(double value, char text[32])
{
    double size = fabs(value);
    snprintf(text, 32, size >= 1e5 && size < 1e13 ? "%.0f" : "%.6g", value);
    return text;
}

/* A name from a file, whose control characters must not reach a terminal. */
static const char *printable(const char *name, char text[GZ_NAME_SIZE])
{
    size_t i = 0;
    for (; i < GZ_NAME_SIZE - 1 && name[i]; i++)
        text[i] = (unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i];
    text[i] = '\0';
    return text;
}

static void print_lengths(FILE *to, const double *length, int dim)
{
    char text[96];
    cli_lengths_text(dim, length, text, sizeof text);
    fputs(text, to);
}

static const char *sync_phrase(gz_sync sync)
{
    static const char *const phrases[] = {[GZ_SYNC_RESTART] = "kernel restarts",
                                          [GZ_SYNC_FENCE] = "memory fences",
                                          [GZ_SYNC_GRAPH] = "kernels restarted from a graph"};
    return phrases[sync];
}

/* What is predicted; `modes` in place of the configuration's synchronisation unless NULL. */
static void print_run(FILE *to, const struct report_run *run, const char *modes)
{
    char app[GZ_NAME_SIZE], dev[GZ_NAME_SIZE];
    fprintf(to, "%s (D = %d) on %s\n", printable(run->app.name, app), run->app.dim,
            printable(run->dev.name, dev));
    fprintf(to, "grid ");
    print_lengths(to, run->cfg.data_length, run->app.dim);
    fprintf(to, ", block ");
    print_lengths(to, run->cfg.block_len, run->app.dim);
    fprintf(to, ", %s%s\n\n", modes ? modes : sync_phrase(run->cfg.sync),
            run->cfg.tau == GZ_TAU_SCALED ? ", instructions scaled by tau" : "");
}

/* The six components, so that they can be walked through. */
struct component {
    const char *symbol, *meaning;
    size_t offset;
};

#define COMPONENTS 6
static const struct component components[COMPONENTS] = {
    {"GlbSync*", "synchronising the blocks", offsetof(gz_components, glb_sync)},
    {"LoadSten*", "loading the tiles", offsetof(gz_components, load_sten)},
    {"Commit*", "storing the results", offsetof(gz_components, commit)},
    {"MiscComp*", "instructions once per thread and stage", offsetof(gz_components, misc_comp)},
    {"IterComp*", "instructions of the stencil", offsetof(gz_components, iter_comp)},
    {"IterMem*", "loads within the stencil", offsetof(gz_components, iter_mem)},
};

static double component_of(const gz_prediction *prediction, int k)
{
    const char *base = (const char *)&prediction->components;
    return *(const double *)(const void *)(base + components[k].offset);
}

/* Indices of the components, the largest |key| first; equal ones in their own order. */
static void rank_components(const double key[COMPONENTS], int order[COMPONENTS])
{
    for (int k = 0; k < COMPONENTS; k++)
        order[k] = k;
    for (int k = 1; k < COMPONENTS; k++)
        for (int at = k; at > 0 && fabs(key[order[at - 1]]) < fabs(key[order[at]]); at--) {
            int smaller = order[at - 1];
            order[at - 1] = order[at];
            order[at] = smaller;
        }
}

static void print_spread(FILE *to, const gz_uncertainty *spread)
{
    char low[32], high[32];
    fprintf(to, "\nFrom the stated standard deviations, within %g of them:\n", spread->z);
    fprintf(to, "  CPL           %s to %s cycles per loop\n", number(spread->cpl[0], low),
            number(spread->cpl[1], high));
    fprintf(to, "  time          %s to %s s per loop\n", number(spread->seconds[0], low),
            number(spread->seconds[1], high));
    fprintf(to, "  best height   %.6g to %.6g; whole: %d to %d\n", spread->height[0],
            spread->height[1], spread->integer[0], spread->integer[1]);
}

/* Names what most of the time goes into. */
static void print_dominant(FILE *to, const gz_prediction *prediction)
{
    double value[COMPONENTS];
    int order[COMPONENTS];
    for (int k = 0; k < COMPONENTS; k++)
        value[k] = component_of(prediction, k);
    rank_components(value, order);
    fprintf(to, "%s has the largest part, %.1f %%: %s.\n", components[order[0]].symbol,
            100 * value[order[0]] / prediction->cpl, components[order[0]].meaning);
}

/* ----------------------------------------------------------------------------------- predict */

static void print_quantity(FILE *to, const char *symbol, double value, const char *unit,
                           const char *meaning)
{
    char text[32];
    fprintf(to, "%-11s %14s  %-14s %s\n", symbol, number(value, text), unit, meaning);
}

void report_predict(FILE *to, const struct report_run *run, const gz_prediction *p,
                    const gz_uncertainty *spread)
{
    print_run(to, run, NULL);
    fprintf(to, "%-11s %14s  %-14s %s\n", "symbol", "value", "unit", "meaning");
    print_quantity(to, "h", p->height, "loop", "trapezoid height");
    print_quantity(to, "T", p->t, "1", "trapezoids per stage");
    print_quantity(to, "ConcurBlks", p->concur_blks, "1", "thread blocks that run at once");
    print_quantity(to, "passes", p->passes, "1", "T / ConcurBlks");
    print_quantity(to, "LoadSten", p->load_sten, "cycle", "loading the tiles, per stage");
    print_quantity(to, "IterMem", p->iter_mem, "cycle", "loads within the stencil, per stage");
    print_quantity(to, "Commit", p->commit, "cycle", "storing the results, per stage");
    print_quantity(to, "MemAcc", p->mem_acc, "cycle", "device memory, per stage");
    print_quantity(to, "MiscComp", p->misc_comp, "cycle",
                   run->cfg.sync == GZ_SYNC_FENCE
                       ? "instructions once per thread; with fences paid once, not in CPT"
                       : "instructions once per thread, per trapezoid");
    print_quantity(to, "IterComp", p->iter_comp, "cycle",
                   "instructions of the stencil, per trapezoid");
    print_quantity(to, "CPT", p->cpt, "cycle", "computation per trapezoid");
    print_quantity(to, "GlbSync", p->glb_sync, "cycle", "synchronising the blocks, per stage");
    print_quantity(to, "CPS", p->cps, "cycle", "cycles per stage");
    print_quantity(to, "CPL", p->cpl, "cycle/loop", "cycles per loop, CPS / h");
    print_quantity(to, "dCPL/dh", p->dcpl_dh, "cycle/loop^2",
                   p->dcpl_dh < 0 ? "negative: a larger height is better"
                                  : "not negative: no larger height is better");
    print_quantity(to, "CostEffect", p->cost_effect, "1", "committed over operated elements");
    print_quantity(to, "time", p->seconds_per_loop, "s/loop", "CPL / ClockRate");

    fprintf(to, "\n%-11s %14s  %6s\n", "component", "cycle/loop", "share");
    for (int k = 0; k < COMPONENTS; k++) {
        char text[32];
        double value = component_of(p, k);
        fprintf(to, "%-11s %14s  %4.1f %%  %s\n", components[k].symbol, number(value, text),
                100 * value / p->cpl, components[k].meaning);
    }
    fprintf(to, "\n");
    print_dominant(to, p);
    if (spread)
        print_spread(to, spread);
}

static json_t *interval_json(const gz_uncertainty *s)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:[f,f], s:[f,f], s:[f,f], s:[i,i]}", "z", s->z,
                     "cpl_sd", s->cpl_sd, "seconds_sd", s->seconds_sd, "height_sd", s->height_sd,
                     "cpl", s->cpl[0], s->cpl[1], "seconds", s->seconds[0], s->seconds[1], "height",
                     s->height[0], s->height[1], "integer", s->integer[0], s->integer[1]);
}

/* Adds the interval, where there is one; returns `object`, or NULL after releasing it. */
static json_t *with_interval(json_t *object, const gz_uncertainty *spread)
{
    if (object && spread && json_object_set_new(object, "interval", interval_json(spread)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *report_predict_json(const gz_prediction *p, const gz_uncertainty *spread)
{
    const gz_components *c = &p->components;
    json_t *parts = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "GlbSync", c->glb_sync, "LoadSten",
                              c->load_sten, "Commit", c->commit, "MiscComp", c->misc_comp,
                              "IterComp", c->iter_comp, "IterMem", c->iter_mem);
    json_t *object =
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
                  "s:f, s:o}",
                  "T", p->t, "passes", p->passes, "ConcurBlks", p->concur_blks, "LoadSten",
                  p->load_sten, "IterMem", p->iter_mem, "Commit", p->commit, "MemAcc", p->mem_acc,
                  "MiscComp", p->misc_comp, "IterComp", p->iter_comp, "CPT", p->cpt, "GlbSync",
                  p->glb_sync, "CPS", p->cps, "CPL", p->cpl, "dCPL_dh", p->dcpl_dh, "CostEffect",
                  p->cost_effect, "seconds_per_loop", p->seconds_per_loop, "components", parts);
    return with_interval(object, spread);
}

/* ---------------------------------------------------------------------------------- optimize */

/* Lists the components that fall (sign -1) or rise (sign +1), the largest change first. */
static void print_changes(FILE *to, const double change[COMPONENTS], double sign, double cpl)
{
    int order[COMPONENTS], any = 0;
    rank_components(change, order);
    for (int k = 0; k < COMPONENTS; k++)
        if (sign * change[order[k]] > 0) {
            fprintf(to, "%s%s %+.1f %%", any ? ", " : "", components[order[k]].symbol,
                    100 * change[order[k]] / cpl);
            any = 1;
        }
    if (!any)
        fprintf(to, "nothing");
}

/* What a greater height saves and costs, in shares of CPL at the smaller one. */
static void print_trade(FILE *to, const gz_prediction *low, const gz_prediction *high)
{
    double change[COMPONENTS];
    for (int k = 0; k < COMPONENTS; k++)
        change[k] = component_of(high, k) - component_of(low, k);
    fprintf(to, "\nh = %g against h = %g, in shares of the latter's CPL:\n  saves ", high->height,
            low->height);
    print_changes(to, change, -1, low->cpl);
    fprintf(to, "\n  costs ");
    print_changes(to, change, 1, low->cpl);
    fprintf(to, "\n  in all %+.1f %%\n", 100 * (high->cpl / low->cpl - 1));
}

/* The two predictions side by side, the smaller height first. */
static void print_comparison(FILE *to, const gz_prediction *best, const gz_prediction *other)
{
    const gz_prediction *low = best, *high = other;
    if (other->height < best->height) {
        low = other;
        high = best;
    }
    char a[32], b[32];
    snprintf(a, sizeof a, "h = %g", low->height);
    snprintf(b, sizeof b, "h = %g", high->height);
    fprintf(to, "\n%-11s %14s %14s  cycles per loop\n", "component", a, b);
    for (int k = 0; k < COMPONENTS; k++)
        fprintf(to, "%-11s %14s %14s  %s\n", components[k].symbol, number(component_of(low, k), a),
                number(component_of(high, k), b), components[k].meaning);
    fprintf(to, "%-11s %14s %14s\n", "CPL", number(low->cpl, a), number(high->cpl, b));
    print_trade(to, low, high);
}

void report_optimize(FILE *to, const struct report_run *run, const gz_optimum *optimum,
                     const gz_prediction *other, const gz_tile *tile, const gz_uncertainty *spread)
{
    char text[32];
    print_run(to, run, NULL);
    if (tile) {
        fprintf(to, "best block           ");
        print_lengths(to, tile->block_len, run->app.dim);
        fprintf(to, "   among the whole ones within the device's limits (%ld searched)\n",
                tile->shapes);
    }
    fprintf(to, "best height          %-10d the whole height with the smallest CPL\n",
            optimum->integer);
    fprintf(to, "continuous           %-10.6g the minimiser of CPL\n", optimum->continuous);
    fprintf(to, "truncated            %-10d the paper's rule\n", optimum->truncated);
    fprintf(to, "highest              %-10d the largest height that leaves a tile\n",
            optimum->height_max);
    fprintf(to, "speedup              %-10.4g over h = 1\n", optimum->speedup);
    fprintf(to, "CPL                  %-10s cycles per loop\n",
            number(optimum->prediction.cpl, text));
    fprintf(to, "time                 %-10s s per loop\n",
            number(optimum->prediction.seconds_per_loop, text));
    if (other)
        print_comparison(to, &optimum->prediction, other);
    fprintf(to, "\nAt h = %d, ", optimum->integer);
    print_dominant(to, &optimum->prediction);
    if (spread)
        print_spread(to, spread);
}

static json_t *optimum_json(const gz_optimum *o)
{
    return json_pack("{s:{s:f, s:i, s:i}, s:i, s:f, s:i, s:o}", "height", "continuous",
                     o->continuous, "truncated", o->truncated, "integer", o->integer, "height_max",
                     o->height_max, "speedup", o->speedup, "evaluations", o->evaluations,
                     "prediction", report_predict_json(&o->prediction, NULL));
}

json_t *report_optimize_json(const struct report_run *run, const gz_optimum *optimum,
                             const gz_tile *tile, const gz_uncertainty *spread)
{
    json_t *object = optimum_json(optimum);
    json_t *block = object && tile ? json_array() : NULL;
    int failed = object && tile && !block;
    for (int i = 0; block && i < run->app.dim; i++)
        failed |= json_array_append_new(block, json_integer((json_int_t)tile->block_len[i])) != 0;
    if (block && json_object_set_new(object, "block", block) != 0)
        failed = 1;
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return with_interval(object, spread);
}

/* ------------------------------------------------------------------------------------ choose */

static void print_mode(FILE *to, const char *name, const gz_optimum *optimum)
{
    char text[32];
    fprintf(to, "%-8s %7d %11.6g %9.4g %14s %14.6g\n", name, optimum->integer, optimum->continuous,
            optimum->speedup, number(optimum->prediction.cpl, text),
            optimum->prediction.seconds_per_loop);
}

void report_choose(FILE *to, const struct report_run *run, const gz_choice *choice)
{
    char text[32];
    print_run(to, run, "restarts against fences");
    fprintf(to, "%-8s %7s %11s %9s %14s %14s\n", "mode", "height", "continuous", "speedup",
            "cycle/loop", "s/loop");
    print_mode(to, "restart", &choice->restart);
    print_mode(to, "fence", &choice->fence);
    fprintf(to, "\ndelta     %s cycles per block (Eq. 23): speaks for %s\n",
            number(choice->delta, text), gz_sync_name(choice->by_delta));
    fprintf(to, "overhead  %s cycles per stage that fences cost more than restarts (Eq. 21)\n",
            number(choice->overhead, text));
    fprintf(to, "choice    %s: at its best height %.4g times as fast as the other\n",
            gz_sync_name(choice->choice), choice->gain);
    if (choice->choice != choice->by_delta)
        fprintf(to, "The two differ: delta leaves out the launch that a fence saves, and that each "
                    "mode has a best height of its own.\n");
}

json_t *report_choose_json(const gz_choice *choice)
{
    return json_pack("{s:o, s:o, s:f, s:s, s:s, s:f, s:f}", "restart",
                     optimum_json(&choice->restart), "fence", optimum_json(&choice->fence), "delta",
                     choice->delta, "choice", gz_sync_name(choice->choice), "by_delta",
                     gz_sync_name(choice->by_delta), "overhead", choice->overhead, "gain",
                     choice->gain);
}

/* ------------------------------------------------------------------------------- sensitivity */

/* Zero without a sign: a parameter that does not enter has no direction. */
static double plain(double elasticity)
{
    return elasticity == 0 ? 0 : elasticity;
}

/* The parameters that exist in this run, ranked; returns how many. */
static int rank_params(const struct report_run *run, const gz_sensitivity *s,
                       int order[GZ_PARAM_CAPACITY])
{
    int n = 0;
    for (int p = 0; p < gz_param_count(); p++) {
        if (gz_param_group_of(p) != GZ_GROUP_MODEL ||
            isnan(gz_param_value(&run->dev, &run->app, &run->cfg, p)))
            continue;
        int at = n++;
        for (; at > 0 && fabs(s->cpl[order[at - 1]]) < fabs(s->cpl[p]); at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
    return n;
}

void report_sensitivity(FILE *to, const struct report_run *run, const gz_sensitivity *s)
{
    int order[GZ_PARAM_CAPACITY], n = rank_params(run, s, order);
    char text[32];
    print_run(to, run, NULL);
    fprintf(to, "at the minimiser h* = %.6g, CPL = %s cycles per loop\n\n", s->height,
            number(s->cpl_at_height, text));
    fprintf(to, "%-20s %-22s %14s %-6s %9s %9s\n", "parameter", "symbol", "value", "unit", "of CPL",
            "of h*");
    for (int k = 0; k < n; k++) {
        int p = order[k];
        double value = gz_param_value(&run->dev, &run->app, &run->cfg, p);
        fprintf(to, "%-20s %-22s %14s %-6s %9.4f %9.4f\n", gz_param_name(p), gz_param_symbol(p),
                number(value, text), gz_param_unit(p), plain(s->cpl[p]),
                plain(s->height_elasticity[p]));
    }
    fprintf(to,
            "\nElasticities: 1 %% more of the parameter changes CPL (h* being adapted) and h* by "
            "so many percent.\n");
}

json_t *report_sensitivity_json(const struct report_run *run, const gz_sensitivity *s)
{
    int order[GZ_PARAM_CAPACITY], n = rank_params(run, s, order), failed = 0;
    json_t *list = json_array();
    for (int k = 0; k < n; k++) {
        int p = order[k];
        failed |=
            json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "parameter", gz_param_name(p),
                                                  "cpl", plain(s->cpl[p]), "height",
                                                  plain(s->height_elasticity[p]))) != 0;
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:f, s:f, s:o}", "height", s->height, "cpl", s->cpl_at_height, "parameters",
                     list);
}

/* -------------------------------------------------------------------------------------- list */

void report_device_line(FILE *to, const char *key, const gz_device *dev)
{
    char name[GZ_NAME_SIZE];
    fprintf(to, "  %-12s %s: %g multiprocessors at %.4g GHz, %.4g GB/s, launch %.4g cycles\n", key,
            printable(dev->name, name), dev->sm_count.value, dev->clock_rate.value / 1e9,
            dev->mem_bandwidth.value / 1e9, dev->launch_overhead.value);
}

void report_app_line(FILE *to, const char *key, const gz_app *app)
{
    char name[GZ_NAME_SIZE];
    fprintf(to, "  %-12s %s: D = %d, halo ", key, printable(app->name, name), app->dim);
    print_lengths(to, app->halo_width, app->dim);
    fprintf(to, ", arrays loaded per tile %g, elements loaded per operation %g\n",
            app->stencil_arrays.value, app->elements_per_op.value);
}
