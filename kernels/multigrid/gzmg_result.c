/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_result.h"

#include "data.h"
#include "si.h"

#include <jansson.h>
#include <math.h>

/* Below this share of the first residual, rounding disturbs the factors. */
static const double floors[] = {[GZK_FLOAT] = 1e-4, [GZK_DOUBLE] = 1e-11};

static double factor_of(const struct gzm_result *result)
{
    return gzm_factor(&result->history, floors[result->options->setup.problem.type]);
}

static double cells_of(const struct gzm_problem *problem)
{
    return (double)problem->size[0] * problem->size[1] * problem->size[2];
}

static double rate_of(const struct gzm_result *result)
{
    return cells_of(&result->options->setup.problem) / result->history.seconds;
}

/* What a level took in all. */
static double seconds_of(const struct gzm_level_report *level)
{
    double sum = 0;
    for (int part = 0; part < GZM_PARTS; part++)
        sum += level->seconds[part];
    return sum + level->exchange_s;
}

/* What computes a level. */
static const char *place_of(const struct gzm_level_report *level)
{
    return level->on_host ? "host" : "device";
}

static void print_levels(const struct gzm_result *result, FILE *stream)
{
    bool compare = result->options->compare;
    fprintf(stream, "\n%-14s %-10s %5s %-14s %6s %8s %10s %10s %10s %10s%s\n", "level", "variant",
            "depth", "block", "visits", "launches", "smooth", "restrict", "prolong", "norm",
            compare ? "  smooth at depth 1" : "");
    for (int k = 0; k < result->levels; k++) {
        const struct gzm_level_report *l = &result->level[k];
        double smooth = l->seconds[GZM_SMOOTH] + l->seconds[GZM_BOTTOM];
        fprintf(stream, "%-14s ", gzk_extents_text(l->size, 3).text);
        if (l->on_host)
            fprintf(stream, "%-10s %5s %-14s", place_of(l), "", "");
        else
            fprintf(stream, "%-10s %5d %-14s", gzk_variants[l->config.variant].name,
                    l->config.height, gzk_extents_text(l->config.block, 3).text);
        fprintf(stream, " %6ld %8ld %10s %10s %10s %10s", l->visits, l->launches,
                gzk_si(smooth, "s").text, gzk_si(l->seconds[GZM_RESTRICTION], "s").text,
                gzk_si(l->seconds[GZM_PROLONGATION], "s").text,
                gzk_si(l->seconds[GZM_NORM], "s").text);
        if (compare && !l->on_host)
            fprintf(stream, " %s", gzk_si(result->shallow_s[k], "s").text);
        fprintf(stream, "\n");
    }
}

/* Exchanges are this rank's, messages those of all; whole levels are on every rank. */
static void print_exchanges(const struct gzm_result *result, FILE *stream)
{
    fprintf(stream, "\n%-14s %10s %9s %9s %12s %10s\n", "ranks", "rank depth", "exchanges",
            "messages", "bytes", "exchange");
    for (int k = 0; k < result->levels; k++) {
        const struct gzm_level_report *l = &result->level[k];
        fprintf(stream, "%-14s ", gzk_extents_text(l->size, 3).text);
        if (l->rank_depth > 0)
            fprintf(stream, "%10d %9ld %9ld %12.0f %10s\n", l->rank_depth, l->exchanges,
                    l->messages, l->bytes, gzk_si(l->exchange_s, "s").text);
        else
            fprintf(stream, "%10s\n", "whole");
    }
}

static void print_tried(const struct gzm_tried *tried, FILE *stream)
{
    fprintf(stream, " %-10s %5d %-14s %10s", gzk_variants[tried->config.variant].name,
            tried->config.height, gzk_extents_text(tried->config.block, 3).text,
            gzk_si(tried->seconds, "s").text);
}

/* What --tune found. */
static void print_tuning(const struct gzm_tuning *t, FILE *stream)
{
    fprintf(stream, "\ntuned in %s: a loop of a visit, with what runs between levels\n%-14s %8s",
            gzk_si(t->seconds, "s").text, "level", "measured");
    for (int k = 0; k < 2; k++)
        fprintf(stream, " %-10s %5s %-14s %10s", k == 0 ? "the model's" : "fastest", "depth",
                "block", "measured");
    fprintf(stream, " times as fast\n");
    for (int k = 0; k < t->levels; k++) {
        const struct gzm_level_tuning *l = &t->level[k];
        const struct gzm_tried *first = &l->tried[0], *best = &l->tried[l->best];
        fprintf(stream, "%-14s %4d/%-4d", gzk_extents_text(first->config.size, 3).text, l->count,
                l->candidates);
        print_tried(first, stream);
        print_tried(best, stream);
        fprintf(stream, " %.3g\n", first->seconds / best->seconds);
    }
}

/* The tail's levels are one to the model. */
static bool is_first_of_tail(const struct gzm_result *result, int k)
{
    return result->level[k].on_host && (k == 0 || !result->level[k - 1].on_host);
}

/* What a part takes in a cycle by the model, and as measured; the norm is taken once more at first.
 */
static void print_part(const struct gzm_result *result, int k, gz_part part, double measured,
                       FILE *stream)
{
    double cycles = result->history.cycles + (part == GZ_PART_NORM);
    fprintf(stream, " %9s %9s", gzk_si(result->expected.level[k].seconds[part], "s").text,
            gzk_si(measured / cycles, "s").text);
}

/* Of all levels from the first on. */
static double seconds_from(const struct gzm_result *result, int first)
{
    double sum = 0;
    for (int k = first; k < result->levels; k++)
        sum += seconds_of(&result->level[k]);
    return sum;
}

static double expected_of(const gz_vcycle_level *level)
{
    double sum = 0;
    for (int part = 0; part < GZ_PART_COUNT; part++)
        sum += level->seconds[part];
    return sum;
}

static void print_expected(const struct gzm_result *result, FILE *stream)
{
    const gz_vcycle_time *e = &result->expected;
    double tail = 0;

    fprintf(stream, "\na cycle: by the model, and measured\n%-14s %19s %19s %19s %19s %19s %12s\n",
            "level", "smooth", "restrict", "prolong", "norm", "in all", "smooth at 1");
    for (int k = 0; k < e->levels; k++) {
        const double *s = result->level[k].seconds;
        tail += e->level[k].seconds[GZ_PART_TAIL];
        if (result->level[k].on_host)
            continue;
        fprintf(stream, "%-14s", gzk_extents_text(result->level[k].size, 3).text);
        print_part(result, k, GZ_PART_SMOOTH, s[GZM_SMOOTH], stream);
        print_part(result, k, GZ_PART_RESTRICT, s[GZM_RESTRICTION], stream);
        print_part(result, k, GZ_PART_PROLONG, s[GZM_PROLONGATION], stream);
        if (k == 0)
            print_part(result, k, GZ_PART_NORM, s[GZM_NORM], stream);
        else
            fprintf(stream, " %19s", "");
        fprintf(stream, " %9s %9s", gzk_si(expected_of(&e->level[k]), "s").text,
                gzk_si(seconds_of(&result->level[k]) / result->history.cycles, "s").text);
        fprintf(stream, " %12s\n", gzk_si(e->level[k].smooth_at[0], "s").text);
    }
    for (int k = 0; k < e->levels; k++)
        if (is_first_of_tail(result, k))
            fprintf(stream, "%-14s %9s %9s\n", "tail", gzk_si(tail, "s").text,
                    gzk_si(seconds_from(result, k) / result->history.cycles, "s").text);
    fprintf(stream, "%-14s %9s %9s; with depth 1 %s, with depth %d on every level %s\n", "in all",
            gzk_si(e->seconds, "s").text,
            gzk_si(result->history.seconds / result->history.cycles, "s").text,
            gzk_si(e->shallow_s, "s").text, e->fixed, gzk_si(e->fixed_s, "s").text);
}

int gzm_report_text(const struct gzm_result *result, FILE *stream)
{
    const struct gzm_setup *setup = &result->options->setup;
    const struct gzm_problem *p = &setup->problem;
    const struct gzm_history *h = &result->history;

    fprintf(stream, "%-10s %s, %s, %s, %s, lambda %g\n", "problem", gzm_operator_names[p->op],
            gzm_edge_names[p->edges], gzk_extents_text(p->size, 3).text, result->options->type,
            p->lambda);
    if (result->options->random)
        fprintf(stream, "%-10s %llu\n", "seed", (unsigned long long)result->options->seed);
    if (result->device)
        fprintf(stream, "%-10s %s, %s (%s)\n", "device", result->device->address,
                result->device->name, result->device->driver);
    else
        fprintf(stream, "%-10s one thread of the host\n", "device");
    fprintf(stream, "%-10s %s%s, %s %d,%d, interpolation %s\n", "cycle",
            gzm_cycle_names[result->options->effort.cycle],
            result->options->effort.full ? " after full multigrid" : "",
            gzm_smoother_names[p->smoother], setup->sweeps[0], setup->sweeps[1],
            p->constant ? "constant" : "linear");
    if (result->options->ranks_given)
        fprintf(stream, "%-10s %s\n", "ranks", gzk_extents_text(result->options->ranks, 3).text);
    if (result->options->choose_sweeps)
        fprintf(stream, "\n%6s %-8s %-12s %s\n", "sweeps", "factor", "model: cycle", "per digit");
    for (int k = 0; k < GZM_MOST_SWEEPS && result->options->choose_sweeps; k++)
        fprintf(stream, "%6d %-8.3g %-12s %s\n", k + 1, result->rates[k].factor,
                gzk_si(result->rates[k].seconds, "s").text,
                gzk_si(result->rates[k].per_digit, "s").text);
    if (result->options->tune)
        print_tuning(&result->tuning, stream);
    fprintf(stream, "\n%6s %-12s %s\n", "cycle", "residual", "factor");
    for (int k = 0; k <= h->cycles; k++) {
        fprintf(stream, "%6d %-12.6g", k, h->residual[k]);
        if (k > 0)
            fprintf(stream, " %.3g", h->residual[k] / h->residual[k - 1]);
        fprintf(stream, "\n");
    }
    print_levels(result, stream);
    if (result->options->ranks_given)
        print_exchanges(result, stream);
    if (result->expected.levels > 0 && h->cycles > 0)
        print_expected(result, stream);
    fprintf(stream, "\n%-10s %s\n", "converged",
            h->at_rounding ? "true, to rounding"
            : h->converged ? "true"
                           : "false");
    if (h->cycles > 0)
        fprintf(stream, "%-10s %.3g\n", "factor", factor_of(result));
    else
        fprintf(stream, "%-10s none\n", "factor");
    if (isfinite(result->error))
        fprintf(stream, "%-10s %.6g\n", "error", result->error);
    fprintf(stream, "%-10s %s, %s\n", "time", gzk_si(h->seconds, "s").text,
            gzk_si(rate_of(result), "DOF/s").text);
    fprintf(stream, "%-10s %s\n", "verified",
            !result->verified ? "not requested"
            : result->equal   ? "true"
                              : "false");
    return 0;
}

/* A number, or null if it is not finite: JSON has neither NaN nor infinity. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *extents(const int size[3])
{
    return json_pack("[iii]", size[0], size[1], size[2]);
}

static json_t *sweeps_of(const struct gzm_result *result)
{
    const int *sweeps = result->options->setup.sweeps;
    return json_pack("[ii]", sweeps[0], sweeps[1]);
}

/* What a level would have taken in all with depth 1: as measured by --compare, else with smoothing
 * as much slower as the model expects it. */
static double shallow_seconds(const struct gzm_result *result, int k)
{
    const struct gzm_level_report *l = &result->level[k];
    double smooth = l->seconds[GZM_SMOOTH];
    const gz_vcycle_level *e = &result->expected.level[k];
    if (l->on_host)
        return seconds_of(l);
    return seconds_of(l) - smooth +
           (result->options->compare ? result->shallow_s[k]
                                     : smooth * e->smooth_at[0] / e->seconds[GZ_PART_SMOOTH]);
}

/* In a cycle; depth 1 of smoothing alone. */
static json_t *predicted_of(const gz_vcycle_level *level)
{
    json_t *object = json_object();
    for (int part = 0; part < GZ_PART_COUNT; part++)
        json_object_set_new(object, gz_name(GZ_PARTS, part), number(level->seconds[part]));
    json_object_set_new(object, "smooth_at_depth_1", number(level->smooth_at[0]));
    return object;
}

static json_t *tried_object(const struct gzm_tried *tried)
{
    const struct gzk_config *config = &tried->config;
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:f, s:f}", "variant",
                     gzk_variants[config->variant].name, "depth", config->height, "block",
                     extents(config->block), "threads", extents(config->threads),
                     "seconds_per_loop", number(tried->predicted_s), "measured_seconds_per_loop",
                     tried->seconds, "spread", tried->spread);
}

/* What --tune found for a level; the gain over the model's own choice. */
static json_t *tuning_object(const struct gzm_level_tuning *l)
{
    json_t *candidates = json_array();
    for (int k = 0; k < l->count; k++)
        json_array_append_new(candidates, tried_object(&l->tried[k]));
    return json_pack("{s:o, s:o, s:o, s:f, s:i, s:i}", "candidates", candidates, "predicted_best",
                     tried_object(&l->tried[0]), "best", tried_object(&l->tried[l->best]), "gain",
                     l->tried[0].seconds / l->tried[l->best].seconds, "failed", l->failed, "of",
                     l->candidates);
}

static json_t *level_object(const struct gzm_result *result, int k)
{
    static const char *const parts[] = {"smooth", "restrict", "prolong", "norm", "solve"};
    const struct gzm_level_report *l = &result->level[k];
    json_t *object = json_object(), *by_part = json_object();

    json_object_set_new(object, "size", extents(l->size));
    json_object_set_new(object, "on", json_string(place_of(l)));
    json_object_set_new(object, "visits", json_integer(l->visits));
    json_object_set_new(object, "launches", json_integer(l->launches));
    json_object_set_new(object, "sweeps", sweeps_of(result));
    for (int part = 0; part < GZM_PARTS; part++)
        json_object_set_new(by_part, parts[part], number(l->seconds[part]));
    if (result->options->ranks_given) {
        json_object_set_new(by_part, "exchange", number(l->exchange_s));
        json_object_set_new(object, "rank_depth", json_integer(l->rank_depth));
        json_object_set_new(object, "exchanges", json_integer(l->exchanges));
        json_object_set_new(object, "messages", json_integer(l->messages));
        json_object_set_new(object, "bytes", number(l->bytes));
    }
    json_object_set_new(object, "seconds", number(seconds_of(l)));
    json_object_set_new(object, "seconds_by_part", by_part);
    json_object_set_new(object, "seconds_depth_1", number(shallow_seconds(result, k)));
    json_object_set_new(object, "depth", json_integer(l->on_host ? 1 : l->config.height));
    if (result->expected.levels > 0)
        json_object_set_new(object, "predicted_by_part", predicted_of(&result->expected.level[k]));
    if (l->on_host)
        return object;
    json_object_set_new(object, "variant", json_string(gzk_variants[l->config.variant].name));
    json_object_set_new(object, "block", extents(l->config.block));
    if (result->options->tune)
        json_object_set_new(object, "tuning", tuning_object(&result->tuning.level[k]));
    if (result->options->compare)
        json_object_set_new(object, "smooth_at_depth_1", number(result->shallow_s[k]));
    return object;
}

static json_t *rates_array(const struct gzm_result *result)
{
    json_t *array = json_array();
    for (int k = 0; k < GZM_MOST_SWEEPS; k++) {
        json_t *object = json_object();
        json_object_set_new(object, "sweeps", json_integer(k + 1));
        json_object_set_new(object, "factor", number(result->rates[k].factor));
        json_object_set_new(object, "predicted_seconds_per_cycle",
                            number(result->rates[k].seconds));
        json_object_set_new(object, "predicted_seconds_per_digit",
                            number(result->rates[k].per_digit));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *cycle_object(const gz_vcycle_time *time)
{
    return time->levels == 0 ? json_null()
                             : json_pack("{s:f, s:f, s:i, s:f}", "seconds_per_cycle", time->seconds,
                                         "seconds_depth_1", time->shallow_s, "fixed_depth",
                                         time->fixed, "seconds_fixed", time->fixed_s);
}

int gzm_report_json(const struct gzm_result *result, FILE *stream)
{
    const struct gzm_options *options = result->options;
    const struct gzm_problem *p = &options->setup.problem;
    const struct gzm_history *h = &result->history;
    json_t *object = json_object(), *residuals = json_array(), *levels = json_array();

    for (int k = 1; k <= h->cycles; k++)
        json_array_append_new(residuals, number(h->residual[k] / h->residual[0]));
    for (int k = 0; k < result->levels; k++)
        json_array_append_new(levels, level_object(result, k));
    json_object_set_new(object, "operator", json_string(gzm_operator_names[p->op]));
    json_object_set_new(object, "edges", json_string(gzm_edge_names[p->edges]));
    json_object_set_new(object, "smoother", json_string(gzm_smoother_names[p->smoother]));
    json_object_set_new(object, "type", json_string(options->type));
    json_object_set_new(object, "lambda", json_real(p->lambda));
    json_object_set_new(object, "size", extents(p->size));
    json_object_set_new(object, "cycle", json_string(gzm_cycle_names[options->effort.cycle]));
    json_object_set_new(object, "full", json_boolean(options->effort.full));
    json_object_set_new(object, "sweeps", sweeps_of(result));
    json_object_set_new(object, "device",
                        json_string(result->device ? result->device->address : "host"));
    if (options->ranks_given) {
        const int *ranks = options->ranks;
        json_object_set_new(object, "ranks", json_integer(ranks[0] * ranks[1] * ranks[2]));
        json_object_set_new(object, "layout", json_string(gzk_extents_text(ranks, 3).text));
    }
    json_object_set_new(object, "tolerance", json_real(options->effort.tolerance));
    json_object_set_new(object, "cycles", json_integer(h->cycles));
    json_object_set_new(object, "first_residual", number(h->residual[0]));
    json_object_set_new(object, "residuals", residuals);
    json_object_set_new(object, "factor", number(factor_of(result)));
    json_object_set_new(object, "converged", json_boolean(h->converged));
    json_object_set_new(object, "at_rounding", json_boolean(h->at_rounding));
    json_object_set_new(object, "reason", h->converged ? json_null() : json_string(h->why.text));
    json_object_set_new(object, "error", number(result->error));
    json_object_set_new(object, "seconds", number(h->seconds));
    json_object_set_new(object, "dof_per_second", number(rate_of(result)));
    json_object_set_new(object, "verified",
                        result->verified ? json_boolean(result->equal) : json_null());
    json_object_set_new(object, "levels", levels);
    json_object_set_new(object, "predicted", cycle_object(&result->expected));
    if (options->tune)
        json_object_set_new(object, "tuning_seconds", json_real(result->tuning.seconds));
    if (options->choose_sweeps)
        json_object_set_new(object, "sweeps_tried", rates_array(result));
    int bad = json_dumpf(object, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    putc('\n', stream);
    return bad ? GZK_FAILED : 0;
}
