/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_parts.h"

#include "data.h"
#include "record.h"

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
    double sum = 0;
    for (int part = 0; part < GZM_PARTS; part++)
        sum += level->spent.seconds[part];
    return sum;
}

/* What a level would have taken in all with depth 1, smoothing as much slower as the model expects.
 */
static double shallow_seconds(const struct gzm_result *result, int k)
{
    const struct gzm_level_report *l = &result->level[k];
    const gz_vcycle_level *e = &result->expected.level[k];
    double slower = l->on_host ? 1 : e->smooth_at[0] / e->seconds[GZ_PART_SMOOTH];
    return seconds_of(l) + (slower - 1) * l->spent.seconds[GZM_SMOOTH];
}

static json_t *measured_parts(const struct gzm_result *result, const struct gzm_level_report *level)
{
    static const char *const parts[] = {"smooth", "restrict", "prolong",
                                        "norm",   "solve",    "exchange"};
    int count = result->options->ranks_given ? GZM_PARTS : GZM_EXCHANGE;
    json_t *object = json_object();
    for (int part = 0; part < count; part++)
        json_object_set_new(object, parts[part], cli_json_number(level->spent.seconds[part]));
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

static json_t *level_object(const struct gzm_result *result, int k)
{
    const struct gzm_level_report *l = &result->level[k];
    bool on_host = l->on_host;
    json_t *object = json_pack(
        "{s:o, s:s, s:s?, s:i, s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "size",
        cli_json_extents(l->size, 3), "on", on_host ? "host" : "device", "variant",
        on_host ? NULL : gzk_variants[l->config.variant].name, "depth",
        on_host ? 1 : l->config.height, "block",
        on_host ? json_null() : cli_json_extents(l->config.block, 3), "visits",
        (int)l->spent.visits, "launches", (int)l->spent.launches, "sweeps", sweeps_of(result),
        "seconds", cli_json_number(seconds_of(l)), "seconds_depth_1",
        cli_json_number(shallow_seconds(result, k)), "seconds_by_part", measured_parts(result, l));
    if (result->options->ranks_given)
        add(object, json_pack("{s:i, s:i, s:i, s:o}", "rank_depth", l->rank_depth, "exchanges",
                              (int)l->spent.exchanges, "messages", (int)l->messages, "bytes",
                              cli_json_number(l->bytes)));
    if (result->expected.levels > 0)
        json_object_set_new(object, "predicted_by_part",
                            predicted_parts(&result->expected.level[k]));
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

/* A fact that people get in any case. */
static void fact(struct cli_record *r, const char *key, const char *unit, json_t *value)
{
    if (json_is_null(value))
        cli_record_add(r, key, unit, value, "-");
    else
        cli_record_add(r, key, unit, value, NULL);
}

/* The request. */
static void add_problem(const struct gzm_result *result, struct cli_record *r)
{
    const struct gzm_options *options = result->options;
    const struct gzm_problem *p = &options->setup.problem;
    const char *device = result->device ? result->device->address : "host";

    fact(r, "operator", NULL, json_string(gzm_operator_names[p->op]));
    fact(r, "edges", NULL, json_string(gzm_edge_names[p->edges]));
    fact(r, "smoother", NULL, json_string(gzm_smoother_names[p->smoother]));
    fact(r, "type", NULL, json_string(gzk_type_name(p->type)));
    fact(r, "lambda", NULL, json_real(p->lambda));
    fact(r, "size", NULL, cli_json_extents(p->size, 3));
    fact(r, "cycle", NULL, json_string(gz_name(GZ_CYCLES, options->effort.cycle)));
    fact(r, "full", NULL, json_boolean(options->effort.full));
    fact(r, "sweeps", ",", sweeps_of(result));
    fact(r, "device", NULL, json_string(device));
    if (!options->ranks_given)
        return;
    const int *ranks = options->setup.division->layout;
    fact(r, "ranks", NULL, json_integer(ranks[0] * ranks[1] * ranks[2]));
    fact(r, "layout", NULL, json_string(gzk_extents_text(ranks, 3).text));
}

static void add_history(const struct gzm_result *result, struct cli_record *r)
{
    const struct gzm_options *options = result->options;
    const struct gzm_problem *p = &options->setup.problem;
    const struct gzm_history *h = &result->history;
    double factor = gzm_factor(h, gzm_floor(p->type));
    double rate = (double)gzk_cells(p->size) / h->seconds;
    json_t *residuals = json_array();

    for (int k = 1; k <= h->cycles; k++)
        json_array_append_new(residuals, cli_json_number(h->residual[k] / h->residual[0]));
    fact(r, "tolerance", NULL, json_real(options->effort.tolerance));
    fact(r, "cycles", NULL, json_integer(h->cycles));
    fact(r, "first_residual", NULL, cli_json_number(h->residual[0]));
    fact(r, "residuals", NULL, residuals);
    fact(r, "factor", NULL, cli_json_number(factor));
    fact(r, "converged", NULL, json_boolean(h->converged));
    fact(r, "at_rounding", NULL, json_boolean(h->at_rounding));
    fact(r, "reason", NULL, h->converged ? json_null() : json_string(h->why.text));
    fact(r, "error", NULL, cli_json_number(result->error));
    fact(r, "seconds", "s", cli_json_number(h->seconds));
    fact(r, "dof_per_second", "DOF/s", cli_json_number(rate));
}

int gzm_result_write(const struct gzm_result *result, bool json, FILE *to)
{
    const struct gzm_options *options = result->options;
    json_t *levels = json_array();
    struct cli_record r;

    for (int k = 0; k < result->levels; k++)
        json_array_append_new(levels, level_object(result, k));
    cli_record_new(&r);
    add_problem(result, &r);
    add_history(result, &r);
    fact(&r, "verified", NULL, result->verified ? json_boolean(result->equal) : json_null());
    fact(&r, "levels", NULL, levels);
    fact(&r, "predicted", NULL, cycle_object(&result->expected));
    if (options->choose_sweeps)
        fact(&r, "sweeps_tried", NULL, rates_array(result));
    int bad = cli_record_write(&r, json, to);
    cli_record_free(&r);
    return bad;
}
