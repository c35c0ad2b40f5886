/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_result.h"

#include "data.h"
#include "record.h"
#include "si.h"

#include <string.h>

/* Below this share of the first residual, rounding disturbs the factors. */
static const double floors[] = {[GZK_FLOAT] = 1e-4, [GZK_DOUBLE] = 1e-11};

/* ---------------------------------------------------------------------------------------- facts */

/* Adds the members of `more`, which goes. */
static void add(json_t *object, json_t *more)
{
    json_object_update(object, more);
    json_decref(more);
}

static json_t *sweeps_of(const struct gzm_result *result)
{
    const int *sweeps = result->options->setup.sweeps;
    return json_pack("[ii]", sweeps[0], sweeps[1]);
}

/* What a level took in all. */
static double seconds_of(const struct gzm_level_report *level)
{
    double sum = level->exchange_s;
    for (int part = 0; part < GZM_PARTS; part++)
        sum += level->seconds[part];
    return sum;
}

/* What a level would have taken in all with depth 1, smoothing as much slower as the model expects.
 */
static double shallow_seconds(const struct gzm_result *result, int k)
{
    const struct gzm_level_report *l = &result->level[k];
    const gz_vcycle_level *e = &result->expected.level[k];
    double slower = l->on_host ? 1 : e->smooth_at[0] / e->seconds[GZ_PART_SMOOTH];
    return seconds_of(l) + (slower - 1) * l->seconds[GZM_SMOOTH];
}

static json_t *measured_parts(const struct gzm_result *result, const struct gzm_level_report *level)
{
    static const char *const parts[] = {"smooth", "restrict", "prolong", "norm", "solve"};
    json_t *object = json_object();
    for (int part = 0; part < GZM_PARTS; part++)
        json_object_set_new(object, parts[part], cli_json_number(level->seconds[part]));
    if (result->options->ranks_given)
        json_object_set_new(object, "exchange", cli_json_number(level->exchange_s));
    return object;
}

/* In a cycle; depth 1 of smoothing alone. */
static json_t *predicted_parts(const gz_vcycle_level *level)
{
    json_t *object = json_object();
    for (int part = 0; part < GZ_PART_COUNT; part++)
        json_object_set_new(object, gz_name(GZ_PARTS, part), cli_json_number(level->seconds[part]));
    json_object_set_new(object, "smooth_at_depth_1", cli_json_number(level->smooth_at[0]));
    return object;
}

static json_t *way_object(const struct gzk_way *way)
{
    const struct gzk_config *config = &way->config;
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:f, s:f}", "variant",
                     gzk_variants[config->variant].name, "depth", config->height, "block",
                     cli_json_extents(config->block, 3), "threads",
                     cli_json_extents(config->threads, 3), "seconds_per_loop",
                     cli_json_number(way->predicted.seconds_per_loop), "measured_seconds_per_loop",
                     way->seconds_per_loop, "spread", way->spread);
}

/* What --tune found for a level; the gain over the model's own choice. */
static json_t *tuning_object(const struct gzk_ways *ways)
{
    json_t *candidates = json_array();
    const struct gzk_way *first = NULL, *best = gzk_ways_best(ways);
    int failed = 0;
    for (size_t k = 0; k < ways->runs; k++) {
        const struct gzk_way *way = &ways->way[ways->measured[k]];
        failed += way->tries == 0;
        if (way->tries == 0)
            continue;
        first = first ? first : way;
        json_array_append_new(candidates, way_object(way));
    }
    return json_pack("{s:o, s:o, s:o, s:f, s:i, s:i}", "candidates", candidates, "predicted_best",
                     way_object(first), "best", way_object(best), "gain",
                     first->seconds_per_loop / best->seconds_per_loop, "failed", failed, "of",
                     (int)ways->count);
}

static json_t *level_object(const struct gzm_result *result, int k)
{
    const struct gzm_level_report *l = &result->level[k];
    bool on_host = l->on_host;
    json_t *object = json_pack("{s:o, s:s, s:s?, s:i, s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "size",
                               cli_json_extents(l->size, 3), "on", on_host ? "host" : "device",
                               "variant", on_host ? NULL : gzk_variants[l->config.variant].name,
                               "depth", on_host ? 1 : l->config.height, "block",
                               on_host ? json_null() : cli_json_extents(l->config.block, 3),
                               "visits", (int)l->visits, "launches", (int)l->launches, "sweeps",
                               sweeps_of(result), "seconds", cli_json_number(seconds_of(l)),
                               "seconds_depth_1", cli_json_number(shallow_seconds(result, k)),
                               "seconds_by_part", measured_parts(result, l));
    if (result->options->ranks_given)
        add(object, json_pack("{s:i, s:i, s:i, s:o}", "rank_depth", l->rank_depth, "exchanges",
                              (int)l->exchanges, "messages", (int)l->messages, "bytes",
                              cli_json_number(l->bytes)));
    if (result->expected.levels > 0)
        json_object_set_new(object, "predicted_by_part",
                            predicted_parts(&result->expected.level[k]));
    if (result->options->tune && !on_host)
        json_object_set_new(object, "tuning", tuning_object(&result->tuning.level[k]));
    return object;
}

static json_t *rates_array(const struct gzm_result *result)
{
    json_t *array = json_array();
    for (int k = 0; k < GZM_MOST_SWEEPS; k++) {
        const struct gzm_rate *rate = &result->rates[k];
        json_array_append_new(
            array, json_pack("{s:i, s:o, s:o, s:o}", "sweeps", k + 1, "factor",
                             cli_json_number(rate->factor), "predicted_seconds_per_cycle",
                             cli_json_number(rate->seconds), "predicted_seconds_per_digit",
                             cli_json_number(rate->per_digit)));
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

/* The request. */
static json_t *problem_object(const struct gzm_result *result)
{
    const struct gzm_options *options = result->options;
    const struct gzm_problem *p = &options->setup.problem;
    const int *ranks = options->ranks;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:o, s:s, s:b, s:o, s:s}", "operator", gzm_operator_names[p->op],
        "edges", gzm_edge_names[p->edges], "smoother", gzm_smoother_names[p->smoother], "type",
        options->type, "lambda", p->lambda, "size", cli_json_extents(p->size, 3), "cycle",
        gz_name(GZ_CYCLES, options->effort.cycle), "full", options->effort.full, "sweeps",
        sweeps_of(result), "device", result->device ? result->device->address : "host");
    if (options->ranks_given)
        add(object, json_pack("{s:i, s:s}", "ranks", ranks[0] * ranks[1] * ranks[2], "layout",
                              gzk_extents_text(ranks, 3).text));
    return object;
}

json_t *gzm_result_json(const struct gzm_result *result)
{
    const struct gzm_options *options = result->options;
    const struct gzm_history *h = &result->history;
    const int *size = options->setup.problem.size;
    double cells = (double)size[0] * size[1] * size[2];
    json_t *object = problem_object(result), *residuals = json_array(), *levels = json_array();

    for (int k = 1; k <= h->cycles; k++)
        json_array_append_new(residuals, cli_json_number(h->residual[k] / h->residual[0]));
    for (int k = 0; k < result->levels; k++)
        json_array_append_new(levels, level_object(result, k));
    add(object,
        json_pack("{s:f, s:i, s:o, s:o, s:o, s:b, s:b, s:s?, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "tolerance", options->effort.tolerance, "cycles", h->cycles, "first_residual",
                  cli_json_number(h->residual[0]), "residuals", residuals, "factor",
                  cli_json_number(gzm_factor(h, floors[options->setup.problem.type])), "converged",
                  h->converged, "at_rounding", h->at_rounding, "reason",
                  h->converged ? NULL : h->why.text, "error", cli_json_number(result->error),
                  "seconds", cli_json_number(h->seconds), "dof_per_second",
                  cli_json_number(cells / h->seconds), "verified",
                  result->verified ? json_boolean(result->equal) : json_null(), "levels", levels,
                  "predicted", cycle_object(&result->expected)));
    if (options->tune)
        json_object_set_new(object, "tuning_seconds", json_real(result->tuning.seconds));
    if (options->choose_sweeps)
        json_object_set_new(object, "sweeps_tried", rates_array(result));
    return object;
}

/* ----------------------------------------------------------------------------------------- text */

enum { CELL = 200, NAMES = 17, COLUMN = 11 };

/* A value in a few characters: extents with x between, times and rates with SI prefixes. */
static const char *text_of(const char *key, const json_t *value, bool is_time, char text[CELL])
{
    size_t length = 0;

    snprintf(text, CELL, "%s",
             json_is_string(value)  ? json_string_value(value)
             : json_is_true(value)  ? "true"
             : json_is_false(value) ? "false"
                                    : "-");
    if (json_is_integer(value))
        snprintf(text, CELL, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value)) {
        double real = json_real_value(value);
        if (is_time || strstr(key, "seconds"))
            snprintf(text, CELL, "%s", cli_si(real, "s").text);
        else if (strcmp(key, "dof_per_second") == 0)
            snprintf(text, CELL, "%s", cli_si(real, "DOF/s").text);
        else
            snprintf(text, CELL, "%.6g", real);
    }
    for (size_t i = 0; i < json_array_size(value) && length < CELL; i++)
        length += (size_t)snprintf(text + length, CELL - length, "%s%lld",
                                   i == 0                        ? ""
                                   : json_array_size(value) == 3 ? "x"
                                                                 : ",",
                                   (long long)json_integer_value(json_array_get(value, i)));
    return text;
}

static bool is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_object(json_array_get(value, 0));
}

/* The keys, or the values, of a row. */
static void print_row(json_t *cells, bool heads, bool are_times, FILE *stream)
{
    char text[CELL];
    const char *key;
    json_t *value;

    json_object_foreach(cells, key, value) if (is_scalar(value))
        fprintf(stream, "%-*s ", COLUMN, heads ? key : text_of(key, value, are_times, text));
    fprintf(stream, "\n");
}

/* A list of objects, or objects that are members `of` these behind their size: a row each. */
static void print_table(const json_t *list, const char *of, FILE *stream)
{
    char text[CELL];

    fprintf(stream, "\n");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *row = json_array_get(list, i), *cells = of ? json_object_get(row, of) : row;
        for (int heads = i == 0; heads >= 0 && cells; heads--) {
            if (of)
                fprintf(stream, "%-*s ", NAMES,
                        heads ? of : text_of("size", json_object_get(row, "size"), false, text));
            print_row(cells, heads, of && strstr(of, "by_part"), stream);
        }
    }
}

static void print_tables(const json_t *list, FILE *stream)
{
    const char *key;
    json_t *value;

    print_table(list, NULL, stream);
    json_object_foreach(json_array_get(list, 0), key, value) if (json_is_object(value))
        print_table(list, key, stream);
}

/* A value, or several in a line. */
static void print_line(const char *key, json_t *value, FILE *stream)
{
    char text[CELL];
    const char *inner;
    json_t *of;

    fprintf(stream, "%-*s", NAMES, key);
    if (json_is_real(json_array_get(value, 0)))
        for (size_t i = 0; i < json_array_size(value); i++)
            fprintf(stream, " %.3g", json_real_value(json_array_get(value, i)));
    else if (!json_is_object(value))
        fprintf(stream, " %s", text_of(key, value, false, text));
    // cppcheck-suppress unknownMacro
    json_object_foreach(value, inner, of)
        fprintf(stream, " %s %s", inner, text_of(inner, of, false, text));
    fprintf(stream, "\n");
}

void gzm_result_print(json_t *report, FILE *stream)
{
    const char *key;
    json_t *value;

    json_object_foreach(report, key, value) if (is_scalar(value) || json_is_object(value))
        print_line(key, value, stream);
    json_object_foreach(report, key, value) if (json_is_object(json_array_get(value, 0)))
        print_tables(value, stream);
}
