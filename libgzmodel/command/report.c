/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.c - see report.h.
 */
#include "report.h"

#include "numbers.h"
#include "si.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ pieces */

struct text {
    char text[GZ_NAME_SIZE];
};

/* A number for people: six digits, and no exponent for what is still easy to read without. */
static struct text number(double value)
{
    struct text of;
    double size = fabs(value);
    snprintf(of.text, sizeof of.text, size >= 1e5 && size < 1e13 ? "%.0f" : "%.6g", value);
    return of;
}

static struct gzk_si_text seconds(double value)
{
    return cli_si(value, "s");
}

/* A name from a file, whose control characters must not reach a terminal. */
static struct text printable(const char *name)
{
    struct text of = {""};
    for (size_t i = 0; i < sizeof of.text - 1 && name[i]; i++)
        of.text[i] = (unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i];
    return of;
}

static struct cli_lengths_text lengths(const gzi_run *run, const double *length)
{
    return cli_lengths_text(run->app.dim, length);
}

/* The threads of a block, unless there is one per element. */
static void print_threads(FILE *to, const gzi_run *run)
{
    int stated = 0;
    double threads[GZ_MAX_DIM];
    gzi_answer_threads(&run->cfg, threads);
    for (int i = 0; i < run->app.dim; i++)
        stated |= run->cfg.threads[i] > 0;
    if (stated)
        fprintf(to, ", threads %s", lengths(run, threads).text);
}

/* Stencil, device and grid. */
static void print_grid(FILE *to, const gzi_run *run)
{
    fprintf(to, "%s (D = %d) on %s\ngrid %s", printable(run->app.name).text, run->app.dim,
            printable(run->dev.name).text, lengths(run, run->cfg.data_length).text);
}

static void print_model(FILE *to, const gzi_run *run)
{
    fprintf(to, "%s\nmodel %s: %s\n\n",
            run->cfg.tau == GZ_TAU_SCALED ? ", instructions scaled by tau" : "",
            gz_name(GZ_MODELS, run->cfg.model), gzi_answer_why(run).text);
}

/* What is predicted; `modes` in place of the configuration's synchronisation unless NULL. */
static void print_run(FILE *to, const gzi_run *run, const char *modes)
{
    print_grid(to, run);
    fprintf(to, ", block %s", lengths(run, run->cfg.block_len).text);
    print_threads(to, run);
    fprintf(to, ", %s", modes ? modes : gz_summary(GZ_SYNCS, run->cfg.sync));
    print_model(to, run);
}

/* What the tables call a term: its name with the star of Eq. 24, which means per loop. */
static struct text symbol_of(const gzi_run *run, int k)
{
    struct text of;
    snprintf(of.text, sizeof of.text, "%s*", gz_term_name(run->cfg.model, k));
    return of;
}

/* Indices of `n` terms, the largest |key| first; equal ones in their own order. */
static void rank_terms(int n, const double *key, int *order)
{
    for (int k = 0; k < n; k++)
        order[k] = k;
    for (int k = 1; k < n; k++)
        for (int at = k; at > 0 && fabs(key[order[at - 1]]) < fabs(key[order[at]]); at--) {
            int smaller = order[at - 1];
            order[at - 1] = order[at];
            order[at] = smaller;
        }
}

static void print_spread(FILE *to, const gz_uncertainty *spread)
{
    fprintf(to,
            "\nWithin %g standard deviations, of the files' quantities and of the model itself "
            "(%g %%):\n",
            spread->z, 100 * spread->form_sd);
    fprintf(to, "  CPL           %s to %s cycles per loop\n", number(spread->cpl[0]).text,
            number(spread->cpl[1]).text);
    fprintf(to, "  time          %s to %s per loop\n", seconds(spread->seconds[0]).text,
            seconds(spread->seconds[1]).text);
    fprintf(to, "  best height   %.6g to %.6g; whole: %d to %d\n", spread->height[0],
            spread->height[1], spread->integer[0], spread->integer[1]);
}

/* Names the component with the largest part of the time. */
static void print_dominant(FILE *to, const gzi_run *run, const gz_prediction *prediction)
{
    const double *value = prediction->term;
    int order[GZ_TERM_CAPACITY];
    rank_terms(prediction->term_count, value, order);
    fprintf(to, "%s has the largest part, %.1f %%: %s.\n", symbol_of(run, order[0]).text,
            100 * value[order[0]] / prediction->cpl, gz_term_meaning(run->cfg.model, order[0]));
}

/* ----------------------------------------------------------------------------------- predict */

static void print_quantity(FILE *to, const char *symbol, double value, const char *unit,
                           const char *meaning)
{
    fprintf(to, "%-11s %14s  %-14s %s\n", symbol, number(value).text, unit, meaning);
}

/* What every model gives; the derivative only if the model has one. */
static void print_stage(FILE *to, const gz_prediction *p)
{
    print_quantity(to, "CPS", p->cps, "cycle", "cycles per stage");
    print_quantity(to, "CPL", p->cpl, "cycle/loop", "cycles per loop, CPS / h");
    if (isfinite(p->dcpl_dh))
        print_quantity(to, "dCPL/dh", p->dcpl_dh, "cycle/loop^2",
                       p->dcpl_dh < 0 ? "negative: a larger height is better"
                                      : "not negative: no larger height is better");
}

static void print_quantities(FILE *to, const gzi_run *run, const gz_prediction *p)
{
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
}

static void print_terms(FILE *to, const gzi_run *run, const gz_prediction *p)
{
    fprintf(to, "\n%-11s %14s  %6s\n", "component", "cycle/loop", "share");
    for (int k = 0; k < p->term_count; k++) {
        fprintf(to, "%-11s %14s  %4.1f %%  %s\n", symbol_of(run, k).text, number(p->term[k]).text,
                100 * p->term[k] / p->cpl, gz_term_meaning(run->cfg.model, k));
    }
    fprintf(to, "\n");
}

static void print_predict(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_prediction *p = &a->prediction;
    int paper = run->cfg.model == GZ_MODEL_MENG2011;
    print_run(to, run, NULL);
    fprintf(to, "%-11s %14s  %-14s %s\n", "symbol", "value", "unit", "meaning");
    print_quantity(to, "h", p->height, "loop", "trapezoid height");
    print_quantity(to, "T", p->t, "1", "trapezoids per stage");
    if (paper)
        print_quantities(to, run, p);
    print_stage(to, p);
    if (paper)
        print_quantity(to, "CostEffect", p->cost_effect, "1", "committed over operated elements");
    fprintf(to, "%-11s %14s  %-14s %s\n", "time", seconds(p->seconds_per_loop).text, "a loop",
            "CPL / ClockRate");
    print_terms(to, run, p);
    print_dominant(to, run, p);
    if (a->spread)
        print_spread(to, a->spread);
}

/* ---------------------------------------------------------------------------------- optimize */

/* Lists the components that fall (sign -1) or rise (sign +1), the largest change first. */
static void print_changes(FILE *to, const gzi_run *run, int n, const double *change, double sign,
                          double cpl)
{
    int order[GZ_TERM_CAPACITY], any = 0;
    rank_terms(n, change, order);
    for (int k = 0; k < n; k++)
        if (sign * change[order[k]] > 0) {
            fprintf(to, "%s%s %+.1f %%", any ? ", " : "", symbol_of(run, order[k]).text,
                    100 * change[order[k]] / cpl);
            any = 1;
        }
    if (!any)
        fprintf(to, "nothing");
}

/* What a greater height saves and costs, in shares of CPL at the smaller one. */
static void print_trade(FILE *to, const gzi_run *run, const gz_prediction *low,
                        const gz_prediction *high)
{
    double change[GZ_TERM_CAPACITY];
    int n = low->term_count;
    for (int k = 0; k < n; k++)
        change[k] = high->term[k] - low->term[k];
    fprintf(to, "\nh = %g compared with h = %g, in shares of the latter's CPL:\n  saves ",
            high->height, low->height);
    print_changes(to, run, n, change, -1, low->cpl);
    fprintf(to, "\n  costs ");
    print_changes(to, run, n, change, 1, low->cpl);
    fprintf(to, "\n  in all %+.1f %%\n", 100 * (high->cpl / low->cpl - 1));
}

/* The best height beside height 1, or 2 if 1 is the best, where there is such a height: the smaller
 * height first. */
static void print_comparison(FILE *to, const gzi_run *run, const gz_optimum *optimum)
{
    gz_prediction other;
    const gz_prediction *low = &optimum->prediction, *high = &other;
    if (optimum->integer > 1) {
        low = &other;
        high = &optimum->prediction;
    }
    double h = optimum->integer > 1 ? 1 : 2;
    if (h > optimum->height_max || gz_predict(&run->dev, &run->app, &run->cfg, h, &other, NULL))
        return;
    char a[32], b[32];
    snprintf(a, sizeof a, "h = %g", low->height);
    snprintf(b, sizeof b, "h = %g", high->height);
    fprintf(to, "\n%-11s %14s %14s  cycles per loop\n", "component", a, b);
    for (int k = 0; k < low->term_count; k++)
        fprintf(to, "%-11s %14s %14s  %s\n", symbol_of(run, k).text, number(low->term[k]).text,
                number(high->term[k]).text, gz_term_meaning(run->cfg.model, k));
    fprintf(to, "%-11s %14s %14s\n", "CPL", number(low->cpl).text, number(high->cpl).text);
    print_trade(to, run, low, high);
}

static void print_optimize(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_optimum *optimum = &a->optimum;
    print_run(to, run, NULL);
    if (q->search)
        fprintf(to,
                "best block           %s   the first of gzmodel tune within the device's limits\n",
                lengths(run, run->cfg.block_len).text);
    if (q->search && run->cfg.variant == GZ_VARIANT_STREAM)
        fprintf(to, "best piece           %-10g planes of the last dimension\n",
                run->cfg.stream_len);
    fprintf(to, "best height          %-10d the whole height with the smallest CPL\n",
            optimum->integer);
    fprintf(to, "continuous           %-10.6g the minimiser of CPL\n", optimum->continuous);
    fprintf(to, "truncated            %-10d the paper's rule\n", optimum->truncated);
    fprintf(to, "highest              %-10d the largest height that leaves a tile\n",
            optimum->height_max);
    fprintf(to, "speedup              %-10.4g over h = 1\n", optimum->speedup);
    fprintf(to, "CPL                  %-10s cycles per loop\n",
            number(optimum->prediction.cpl).text);
    fprintf(to, "time                 %-10s per loop\n",
            seconds(optimum->prediction.seconds_per_loop).text);
    print_comparison(to, run, optimum);
    fprintf(to, "\nAt h = %d, ", optimum->integer);
    print_dominant(to, run, &optimum->prediction);
    if (a->spread)
        print_spread(to, a->spread);
}

/* ------------------------------------------------------------------------------------ choose */

static void print_mode(FILE *to, const char *name, const gz_optimum *optimum)
{
    fprintf(to, "%-8s %7d %11.6g %9.4g %14s %14s\n", name, optimum->integer, optimum->continuous,
            optimum->speedup, number(optimum->prediction.cpl).text,
            seconds(optimum->prediction.seconds_per_loop).text);
}

static void print_choose(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gz_choice *choice = &a->choice;
    print_run(to, &q->run, "restarts and fences");
    fprintf(to, "%-8s %7s %11s %9s %14s %14s\n", "mode", "height", "continuous", "speedup",
            "cycle/loop", "time of loop");
    print_mode(to, "restart", &choice->restart);
    print_mode(to, "fence", &choice->fence);
    fprintf(to, "\ndelta     %s cycles per block (Eq. 23): speaks for %s\n",
            number(choice->delta).text, gz_name(GZ_SYNCS, choice->by_delta));
    fprintf(to, "overhead  %s cycles per stage that fences cost more than restarts (Eq. 21)\n",
            number(choice->overhead).text);
    fprintf(to, "choice    %s: at its best height %.4g times as fast as the other\n",
            gz_name(GZ_SYNCS, choice->choice), choice->gain);
    if (choice->choice != choice->by_delta)
        fprintf(to, "The two differ: delta leaves out the launch that a fence saves, and that each "
                    "mode has a best height of its own.\n");
}

/* ------------------------------------------------------------------------------- sensitivity */

static void print_sensitivity(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_sensitivity *s = &a->sensitivity;
    int order[GZ_PARAM_CAPACITY], n = gzi_rank_params(run, s, order);
    print_run(to, run, NULL);
    fprintf(to, "at the minimiser h* = %.6g, CPL = %s cycles per loop\n\n", s->height,
            number(s->cpl_at_height).text);
    fprintf(to, "%-20s %-22s %14s %-6s %9s %9s\n", "parameter", "symbol", "value", "unit", "of CPL",
            "of h*");
    for (int k = 0; k < n; k++) {
        int p = order[k];
        double value = gz_param_value(&run->dev, &run->app, &run->cfg, p);
        fprintf(to, "%-20s %-22s %14s %-6s %9.4f %9.4f\n", gz_param_about(p)->name,
                gz_param_about(p)->symbol, number(value).text, gz_param_about(p)->unit,
                gzi_plain(s->cpl[p]), gzi_plain(s->height_elasticity[p]));
    }
    fprintf(to, "\nElasticities: the percentage by which CPL (at the new h*) and h* change if the "
                "parameter grows by 1 %%.\n");
}

/* -------------------------------------------------------------------------------------- tune */

static void print_search(FILE *to, const gzi_run *run)
{
    print_grid(to, run);
    print_model(to, run);
}

static void print_tune(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_candidate *candidates = a->tuned.candidates;
    size_t n = a->tuned.count;
    print_search(to, run);
    fprintf(to, "%4s %-14s %-12s %7s %-8s %-10s %12s   %s\n", "rank", "block", "threads", "height",
            "sync", "variant", "time of loop", "interval of 95 %");
    for (size_t k = 0; k < n; k++) {
        const gz_candidate *c = candidates + k;
        const gz_config cfg = gz_config_of(&q->tune, c);

        fprintf(to, "%4zu %-14s %-12s %7d %-8s %-10s %12s   %s to %s\n", k + 1,
                lengths(run, cfg.block_len).text, lengths(run, cfg.threads).text, c->way.height,
                gz_name(GZ_SYNCS, c->way.sync), gz_name(GZ_VARIANTS, c->way.variant),
                seconds(c->seconds_per_loop).text, seconds(c->interval[0]).text,
                seconds(c->interval[1]).text);
    }
    const gz_candidate *naive = gzi_answer_naive(candidates, n);
    double roofline = gzi_answer_roofline(run);
    if (roofline > 0)
        fprintf(to, "\nbandwidth alone takes a plain kernel %s a loop", seconds(roofline).text);
    if (roofline > 0 && naive)
        fprintf(to, ", the best naive block %s: ", seconds(naive->seconds_per_loop).text);
    if (roofline > 0 && naive == candidates)
        fputs("no tile is faster", to);
    else if (roofline > 0 && naive)
        fprintf(to, "the first gains %.3g over it",
                naive->seconds_per_loop / candidates[0].seconds_per_loop);
    if (roofline > 0)
        fputc('\n', to);
    const char *beyond = gzi_answer_beyond(run, candidates, n);
    if (beyond)
        fprintf(to, "%s%s\n", roofline > 0 ? "" : "\n", beyond);
}

static void print_level(FILE *to, const gzi_run *run, const gz_vcycle_level *l)
{
    double all = 0;
    fprintf(to, "%-14s %6g ", lengths(run, l->data_length).text, l->visits);
    if (l->depth > 0)
        fprintf(to, "%5d %-10s %-14s", l->depth, gz_name(GZ_VARIANTS, l->config.variant),
                lengths(run, l->config.block_len).text);
    else
        fprintf(to, "%5s %-10s %-14s", "", l->tail ? "tail" : "", "");
    for (int part = 0; part < GZ_PART_COUNT; part++) {
        fprintf(to, " %10s", seconds(l->seconds[part]).text);
        all += l->seconds[part];
    }
    fprintf(to, " %10s", seconds(all).text);
    if (isnan(l->smooth_at[0]))
        fprintf(to, "\n");
    else
        fprintf(to, " %10s\n", seconds(l->smooth_at[0]).text);
}

static void print_vcycle(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gz_vcycle_request *request = &q->vcycle;
    const gz_vcycle_time *time = &a->cycle;
    print_search(to, &q->run);
    fprintf(to, "%s-cycle, %d loops before the correction and %d after it; time in a cycle\n\n",
            gz_name(GZ_CYCLES, request->cycle), request->loops[0], request->loops[1]);
    fprintf(to, "%-14s %6s %5s %-10s %-14s", "level", "visits", "depth", "variant", "block");
    for (int part = 0; part < GZ_PART_COUNT; part++)
        fprintf(to, " %10s", gz_name(GZ_PARTS, part));
    fprintf(to, " %10s %10s\n", "in all", "at depth 1");
    for (int k = 0; k < time->levels; k++)
        print_level(to, &q->run, &time->level[k]);
    fprintf(to, "\n%-14s %s, %s to %s in 95 %%\n", "a cycle", seconds(time->seconds).text,
            seconds(time->interval[0]).text, seconds(time->interval[1]).text);
    fprintf(to, "%-14s %s, %.3g times as long\n", "with depth 1", seconds(time->shallow_s).text,
            time->shallow_s / time->seconds);
    if (time->fixed > 0)
        fprintf(to, "%-14s %s, %.3g times as long (depth %d)\n", "with one depth",
                seconds(time->fixed_s).text, time->fixed_s / time->seconds, time->fixed);
}

/* -------------------------------------------------------------------------------------- ranks */

static void print_ranks(FILE *to, const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_ranks_time *times = a->divided.times;
    print_search(to, run);
    fprintf(to, "network %s; predicted, time of a loop\n\n", a->divided.network.name);
    fprintf(to, "%9s %-14s %5s %6s %-10s %10s %10s %10s %8s\n", "ranks", "layout", "depth",
            "height", "variant", "computing", "exchange", "in all", "speedup");
    for (int k = 0; k < q->rank_counts; k++) {
        const gz_ranks_time *t = &times[k];
        double layout[GZ_MAX_DIM];
        for (int i = 0; i < run->app.dim; i++)
            layout[i] = t->layout[i];
        fprintf(to, "%9d %-14s %5d %6d %-10s %10s %10s %10s %8.4g\n", q->ranks[k],
                lengths(run, layout).text, t->depth, t->height,
                gz_name(GZ_VARIANTS, t->config.variant), seconds(t->interior_s).text,
                seconds(t->exchange_s).text, seconds(t->seconds_per_loop).text,
                times[0].seconds_per_loop / t->seconds_per_loop);
    }
}

void report_answer(FILE *to, const gzi_question *question, const gzi_answer *answer)
{
    static void (*const print[GZI_KIND_COUNT])(FILE *, const gzi_question *, const gzi_answer *) = {
        [GZI_PREDICT] = print_predict,
        [GZI_OPTIMIZE] = print_optimize,
        [GZI_CHOOSE] = print_choose,
        [GZI_TUNE] = print_tune,
        [GZI_SENSITIVITY] = print_sensitivity,
        [GZI_VCYCLE] = print_vcycle,
        [GZI_RANKS] = print_ranks,
    };
    print[question->kind](to, question, answer);
}

/* -------------------------------------------------------------------------------------- list */

void report_device_line(FILE *to, const char *key, const gz_device *dev)
{
    fprintf(to, "  %-16s %s: %g multiprocessors at %.4g GHz, %.4g GB/s, launch %.4g cycles\n", key,
            printable(dev->name).text, dev->sm_count.value, dev->clock_rate.value / 1e9,
            dev->mem_bandwidth.value / 1e9, dev->launch_overhead.value);
}

void report_app_line(FILE *to, const char *key, const gz_app *app)
{
    fprintf(to,
            "  %-16s %s: D = %d, halo %s, arrays loaded per tile %g, elements loaded per operation "
            "%g\n",
            key, printable(app->name).text, app->dim,
            cli_lengths_text(app->dim, app->halo_width).text, app->stencil_arrays.value,
            app->elements_per_op.value);
}
