/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.c - the answer's JSON as lines and tables for people (record.h). They also see the terms
 * of CPL, compared with those at another height, and the intervals that follow from deviations.
 */
#include "report.h"

#include "record.h"
#include "si.h"

static const struct cli_meaning meanings[] = {
    {"T", NULL, "trapezoids per stage"},
    {"passes", NULL, "T / ConcurBlks"},
    {"ConcurBlks", NULL, "thread blocks that run at once"},
    {"LoadSten", NULL, "cycles per stage: loading the tiles"},
    {"IterMem", NULL, "cycles per stage: loads within the stencil"},
    {"Commit", NULL, "cycles per stage: storing the results"},
    {"MemAcc", NULL, "cycles per stage: device memory"},
    {"MiscComp", NULL,
     "cycles per trapezoid: instructions once per thread; with fences not in CPT"},
    {"IterComp", NULL, "cycles per trapezoid: instructions of the stencil"},
    {"CPT", NULL, "cycles per trapezoid: computation"},
    {"GlbSync", NULL, "cycles per stage: synchronising the blocks"},
    {"CPS", NULL, "cycles per stage"},
    {"CPL", NULL, "cycles per loop, CPS / h"},
    {"dCPL_dh", NULL, "cycles per loop^2; negative: a larger height is better"},
    {"CostEffect", NULL, "committed over operated elements"},
    {"seconds_per_loop", "s", "CPL / ClockRate"},
    {"continuous", NULL, "height that minimises CPL"},
    {"truncated", NULL, "the paper's rule for it"},
    {"integer", NULL, "whole height with the smallest CPL"},
    {"height_max", NULL, "largest height that leaves a tile"},
    {"speedup", NULL, "over h = 1"},
    {"delta", NULL, "cycles per block: fences over restarts, launches left out (Eq. 23)"},
    {"choice", NULL, "by the smaller CPL, each mode at its best height"},
    {"by_delta", NULL, "by the sign of delta"},
    {"overhead", NULL, "cycles per stage: fences over restarts (Eq. 21)"},
    {"gain", NULL, "over the other mode"},
    {"gain over naive", NULL, "of the first candidate, over the best block without local memory"},
    {"cpl", NULL, "cycles per loop there; below, percent per percent of a parameter"},
    {"roofline", "s", "a plain kernel's loop by bandwidth alone"},
    {"smooth", ",", "loops before the correction and after it"},
    {"seconds", "s", "a cycle"},
    {"interval", "s", "of 95 %"},
    {"seconds_depth_1", "s", "with depth 1 on all levels"},
    {"fixed_depth", NULL, "best depth for all levels"},
    {"seconds_fixed", "s", "with that on all levels"},
    {NULL, NULL, NULL},
};

/* The terms of a prediction, with the star of Eq. 24, which means per loop, and their shares; and
 * if there is another height, how CPL changes by each from the lower height to the higher. */
static json_t *terms_of(const gzi_run *run, const gz_prediction *p, const gz_prediction *other)
{
    const gz_prediction *low = other && other->height < p->height ? other : p;
    const gz_prediction *high = low == p ? other : p;
    json_t *rows = json_array();
    for (int k = 0; k < p->term_count; k++) {
        json_t *row =
            json_pack("{s:o, s:f, s:o}", "component",
                      json_sprintf("%s*", gz_term_name(run->cfg.model, k)), "cycles per loop",
                      p->term[k], "share", json_sprintf("%.1f %%", 100 * p->term[k] / p->cpl));
        if (other) {
            json_object_set_new(row, other == low ? "at height 1" : "at height 2",
                                json_real(other->term[k]));
            json_object_set_new(
                row, "change",
                json_sprintf("%+.1f %%", 100 * (high->term[k] - low->term[k]) / low->cpl));
        }
        json_object_set_new(row, "meaning", json_string(gz_term_meaning(run->cfg.model, k)));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* The best height compared with height 1, or with 2 if 1 is the best and 2 leaves a tile. */
static json_t *comparison(const gzi_run *run, const gz_optimum *best)
{
    gz_prediction other;
    int height = best->integer > 1 ? 1 : 2;
    bool is_there = height <= best->height_max &&
                    gz_predict(&run->dev, &run->app, &run->cfg, height, &other, NULL) == GZ_OK;
    return terms_of(run, &best->prediction, is_there ? &other : NULL);
}

static json_t *mode_row(const char *mode, const gz_optimum *best)
{
    return json_pack("{s:s, s:i, s:f, s:f, s:f, s:f}", "mode", mode, "height", best->integer,
                     "continuous", best->continuous, "speedup", best->speedup, "CPL",
                     best->prediction.cpl, "seconds_per_loop", best->prediction.seconds_per_loop);
}

/* Adds a parameter's symbol and value to its elasticities. */
static void state_parameter(const gzi_run *run, json_t *row)
{
    int param = gz_param_by_name(json_string_value(json_object_get(row, "parameter")));
    json_object_set_new(row, "symbol", json_string(gz_param_about(param)->symbol));
    json_object_set_new(row, "value",
                        json_real(gz_param_value(&run->dev, &run->app, &run->cfg, param)));
    json_object_set_new(row, "unit", json_string(gz_param_about(param)->unit));
}

/* Puts what people see in place of some members. */
static void adapt(const gzi_question *q, const gzi_answer *a, json_t *object)
{
    static const char *const lists[GZI_KIND_COUNT] = {
        [GZI_SENSITIVITY] = "parameters", [GZI_TUNE] = "candidates", [GZI_VCYCLE] = "levels"};
    json_t *row, *list = lists[q->kind] ? json_object_get(object, lists[q->kind]) : NULL;
    size_t k;
    json_array_foreach(list, k, row)
    {
        json_object_del(row, "piece");
        json_object_del(row, "smooth_at_depth");
        if (q->kind == GZI_SENSITIVITY)
            state_parameter(&q->run, row);
    }
    json_object_del(object, "left_out"); /* which standard error says */
    if (q->kind == GZI_TUNE && json_object_get(object, "gain")) {
        json_object_set(object, "gain over naive", json_object_get(object, "gain"));
        json_object_del(object, "gain");
    }
    if (q->kind == GZI_PREDICT)
        json_object_set_new(object, "components", terms_of(&q->run, &a->prediction, NULL));
    if (q->kind == GZI_OPTIMIZE)
        json_object_set_new(json_object_get(object, "prediction"), "components",
                            comparison(&q->run, &a->optimum));
    if (q->kind == GZI_CHOOSE) {
        json_object_del(object, "fence");
        json_object_set_new(object, "restart",
                            json_pack("[o, o]", mode_row("restart", &a->choice.restart),
                                      mode_row("fence", &a->choice.fence)));
    }
}

/* Adds members; those of an object in its place. */
static void add_members(struct cli_record *record, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (json_is_object(value))
            add_members(record, value);
        else
            cli_record_add(record, key, NULL, json_incref(value), NULL);
    }
}

static void add_spread(struct cli_record *record, const gz_uncertainty *spread)
{
    cli_record_add(record, "CPL within", NULL, NULL,
                   "%.6g to %.6g in 95 %%, with the model's own standard deviation of %g %%",
                   spread->cpl[0], spread->cpl[1], 100 * spread->form_sd);
    cli_record_add(record, "a loop within", NULL, NULL, "%s to %s",
                   cli_si(spread->seconds[0], "s").text, cli_si(spread->seconds[1], "s").text);
    cli_record_add(record, "best height within", NULL, NULL, "%.6g to %.6g; whole: %d to %d",
                   spread->height[0], spread->height[1], spread->integer[0], spread->integer[1]);
}

int report_answer(FILE *to, const gzi_question *question, const gzi_answer *answer, json_t *object)
{
    struct cli_record record;
    cli_record_new(&record);
    record.meanings = meanings;
    if (answer->spread)
        json_object_del(object, "interval");
    adapt(question, answer, object);
    add_members(&record, object);
    if (answer->spread)
        add_spread(&record, answer->spread);
    int failed = cli_record_write(&record, false, to);
    cli_record_free(&record);
    return failed;
}
