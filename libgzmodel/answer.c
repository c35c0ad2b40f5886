/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * answer.c - see answer.h.
 */
#include "answer.h"
#include "fail.h"
#include "quantities.h"
#include "uncertainty.h"

#include <math.h>
#include <string.h>

/* The threads of a block, one per element if the configuration does not state them. */
static void threads_of(const gz_config *cfg, double threads[GZ_MAX_DIM])
{
    for (int i = 0; i < GZ_MAX_DIM; i++)
        threads[i] = cfg->threads[i] > 0 ? cfg->threads[i] : cfg->block_len[i];
}

/* Whole lengths as an array. */
static json_t *lengths_json(const double *length, int dim)
{
    json_t *array = json_array();
    for (int i = 0; array && i < dim; i++)
        json_array_append_new(array, json_integer((json_int_t)length[i]));
    return array;
}

/* A list of so many values; NULL, after releasing it, if one was not made. */
static json_t *whole(json_t *list, size_t n)
{
    if (json_array_size(list) == n)
        return list;
    json_decref(list);
    return NULL;
}

/* What options call a device or an application; its name if nothing does. */
static const char *key_of(const char *key, const char *name)
{
    return key[0] ? key : name;
}

void gzi_answer_settle(gzi_run *run, gz_model asked)
{
    run->asked = run->cfg.model = asked;
    run->cfg.model = gz_model_for(&run->dev, &run->app, &run->cfg, NULL);
}

/* Why the model is the one that it is. */
static gz_error why_of(const gzi_run *run)
{
    gz_error why;
    gz_config cfg = run->cfg;
    cfg.model = run->asked;
    gz_model_for(&run->dev, &run->app, &cfg, &why);
    return why;
}

/* What an answer says about its run: application, device, model, grid and the 2011 model's reading
 * of tau; with TILE also variant, block and threads; with SYNC the synchronisation. */
enum { RUN = 1, TILE = 2, SYNC = 4 };

static json_t *context_json(const gzi_run *run, unsigned parts)
{
    double threads[GZ_MAX_DIM];
    threads_of(&run->cfg, threads);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s}", "app", key_of(run->app.key, run->app.name),
                               "device", key_of(run->dev.key, run->dev.name), "model",
                               gz_name(GZ_MODELS, run->cfg.model), "why", why_of(run).text);
    if (!object)
        return NULL;
    json_object_set_new(object, "size", lengths_json(run->cfg.data_length, run->app.dim));
    if (parts & TILE) {
        json_object_set_new(object, "variant", json_string(gz_name(GZ_VARIANTS, run->cfg.variant)));
        json_object_set_new(object, "block", lengths_json(run->cfg.block_len, run->app.dim));
        json_object_set_new(object, "threads", lengths_json(threads, run->app.dim));
        if (run->cfg.stream_len > 0)
            json_object_set_new(object, "piece", json_real(run->cfg.stream_len));
    }
    if (parts & SYNC)
        json_object_set_new(object, "sync", json_string(gz_name(GZ_SYNCS, run->cfg.sync)));
    if (run->cfg.model == GZ_MODEL_MENG2011)
        json_object_set_new(object, "tau", json_string(gz_name(GZ_TAUS, run->cfg.tau)));
    return object;
}

static json_t *interval_json(const gz_uncertainty *s)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:[f,f], s:[f,f], s:[f,f], s:[i,i]}", "z", s->z,
                     "cpl_sd", s->cpl_sd, "seconds_sd", s->seconds_sd, "height_sd", s->height_sd,
                     "form_sd", s->form_sd, "cpl", s->cpl[0], s->cpl[1], "seconds", s->seconds[0],
                     s->seconds[1], "height", s->height[0], s->height[1], "integer", s->integer[0],
                     s->integer[1]);
}

/* Adds the interval, if there is one; returns `object`, or NULL after releasing it. */
static json_t *with_interval(json_t *object, const gz_uncertainty *spread)
{
    if (object && spread && json_object_set_new(object, "interval", interval_json(spread)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* The terms by name; NULL if one is not finite. */
static json_t *terms_json(const gzi_run *run, const gz_prediction *p)
{
    json_t *terms = json_object();
    for (int k = 0; terms && k < p->term_count; k++)
        if (json_object_set_new(terms, gz_term_name(run->cfg.model, k), json_real(p->term[k])) !=
            0) {
            json_decref(terms);
            return NULL;
        }
    return terms;
}

/* dCPL/dh, null from a model that has none. */
static json_t *slope_json(const gz_prediction *p)
{
    return isnan(p->dcpl_dh) ? json_null() : json_real(p->dcpl_dh);
}

static json_t *prediction_json(const gzi_run *run, const gz_prediction *p)
{
    if (run->cfg.model == GZ_MODEL_MENG2011)
        return json_pack(
            "{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:o}",
            "T", p->t, "passes", p->passes, "ConcurBlks", p->concur_blks, "LoadSten", p->load_sten,
            "IterMem", p->iter_mem, "Commit", p->commit, "MemAcc", p->mem_acc, "MiscComp",
            p->misc_comp, "IterComp", p->iter_comp, "CPT", p->cpt, "GlbSync", p->glb_sync, "CPS",
            p->cps, "CPL", p->cpl, "dCPL_dh", slope_json(p), "CostEffect", p->cost_effect,
            "seconds_per_loop", p->seconds_per_loop, "components", terms_json(run, p));
    return json_pack("{s:f, s:f, s:f, s:o, s:f, s:o}", "T", p->t, "CPS", p->cps, "CPL", p->cpl,
                     "dCPL_dh", slope_json(p), "seconds_per_loop", p->seconds_per_loop,
                     "components", terms_json(run, p));
}

static json_t *optimum_json(const gzi_run *run, const gz_optimum *o)
{
    return json_pack("{s:{s:f, s:i, s:i}, s:i, s:f, s:i, s:o}", "height", "continuous",
                     o->continuous, "truncated", o->truncated, "integer", o->integer, "height_max",
                     o->height_max, "speedup", o->speedup, "evaluations", o->evaluations,
                     "prediction", prediction_json(run, &o->prediction));
}

static json_t *choose_json(const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_choice *choice = &a->choice;
    return json_pack(
        "{s:o, s:o, s:f, s:s, s:s, s:f, s:f}", "restart", optimum_json(run, &choice->restart),
        "fence", optimum_json(run, &choice->fence), "delta", choice->delta, "choice",
        gz_name(GZ_SYNCS, choice->choice), "by_delta", gz_name(GZ_SYNCS, choice->by_delta),
        "overhead", choice->overhead, "gain", choice->gain);
}

/* Zero without a sign: a parameter that does not enter has no direction. */
static double plain(double elasticity)
{
    return elasticity == 0 ? 0 : elasticity;
}

/* The parameters that exist in a run, by falling |elasticity of CPL|; returns how many. */
static int rank_params(const gzi_run *run, const gz_sensitivity *s, int order[GZ_PARAM_CAPACITY])
{
    int n = 0;
    for (int p = 0; p < gz_param_count(); p++) {
        if (gz_param_about(p)->group != GZ_GROUP_MODEL ||
            isnan(gz_param_value(&run->dev, &run->app, &run->cfg, p)))
            continue;
        int at = n++;
        for (; at > 0 && fabs(s->cpl[order[at - 1]]) < fabs(s->cpl[p]); at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
    return n;
}

static json_t *sensitivity_json(const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_sensitivity *s = &a->sensitivity;
    int order[GZ_PARAM_CAPACITY], n = rank_params(run, s, order);
    json_t *list = json_array();
    for (int k = 0; k < n; k++) {
        int p = order[k];
        json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "parameter",
                                              gz_param_about(p)->name, "cpl", plain(s->cpl[p]),
                                              "height", plain(s->height_elasticity[p])));
    }
    return json_pack("{s:f, s:f, s:o}", "height", s->height, "cpl", s->cpl_at_height, "parameters",
                     whole(list, (size_t)n));
}

static int is_gpu_by_gz2(const gzi_run *run)
{
    return run->cfg.model == GZ_MODEL_GZ2 && !gzi_is_cpu(&run->dev);
}

/* What device memory's bandwidth alone takes a plain kernel, s per loop: each array once, and the
 * result. 0 on a CPU, of the 2011 model, and for a grid that the last cache holds. */
static double roofline_of(const gzi_run *run)
{
    const gz_quantity *own = gzi_own(&run->dev, NULL, GZI_GZ2_EFFECTIVE_BANDWIDTH);
    const gz_quantity *stated = gzi_stated(own) ? own : &run->dev.mem_bandwidth;
    double cache = gz_get(&run->dev, "effective_cache");
    double bytes = run->app.element_size.value *
                   (run->app.stencil_arrays.value + run->app.elements_per_op.value + 1);
    if (!is_gpu_by_gz2(run))
        return 0;
    for (int i = 0; i < run->app.dim; i++)
        bytes *= run->cfg.data_length[i];
    return bytes > cache ? bytes / stated->value : 0;
}

/* The best candidate without local memory; NULL if there is none. */
static const gz_candidate *naive_of(const gz_candidate *candidates, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (candidates[k].way.variant == GZ_VARIANT_NAIVE)
            return candidates + k;
    return NULL;
}

/* A sentence if the first candidate gains more over a plain kernel, or is taller, than anybody has
 * measured on a GPU; else NULL. */
static const char *beyond_of(const gzi_run *run, const gz_candidate *candidates, size_t n)
{
    /* StencilGen's kernels of four time steps on a P100; AN5D's are of 10 at most on a V100, Meng
     * and Skadron's of PathFinder of 20 on a GTX 280. */
    static const double most_gain = 6;
    int most_height = run->app.dim > 1 ? 12 : 20;
    const gz_candidate *naive = naive_of(candidates, n);
    double gain = naive ? naive->seconds_per_loop / candidates[0].seconds_per_loop : 1;
    if (n == 0 || !is_gpu_by_gz2(run) ||
        (gain <= most_gain && candidates[0].way.height <= most_height))
        return NULL;
    return "nobody has measured gains above 6 or heights above 12, in one dimension 20, on a GPU: "
           "measure before you rely on it";
}

static json_t *tune_json(const gzi_question *q, const gzi_answer *a)
{
    const gzi_run *run = &q->run;
    const gz_candidate *candidates = a->tuned.candidates;
    size_t n = a->tuned.count;
    json_t *list = json_array();
    for (size_t k = 0; list && k < n; k++) {
        const gz_candidate *c = candidates + k;
        const gz_config cfg = gz_config_of(&q->tune, c);
        json_t *one = json_pack("{s:o, s:o, s:i, s:s, s:s, s:f, s:[f,f]}", "block",
                                lengths_json(cfg.block_len, run->app.dim), "threads",
                                lengths_json(cfg.threads, run->app.dim), "height", c->way.height,
                                "sync", gz_name(GZ_SYNCS, c->way.sync), "variant",
                                gz_name(GZ_VARIANTS, c->way.variant), "seconds_per_loop",
                                c->seconds_per_loop, "interval", c->interval[0], c->interval[1]);
        if (one && c->way.variant == GZ_VARIANT_STREAM)
            json_object_set_new(one, "piece", json_real((double)c->way.piece));
        json_array_append_new(list, one);
    }
    json_t *why = json_object();
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++)
        if (a->tuned.left_out[v].text[0])
            json_object_set_new(why, gz_name(GZ_VARIANTS, v),
                                json_string(a->tuned.left_out[v].text));
    json_t *answer = json_pack("{s:o, s:o}", "candidates", whole(list, n), "left_out", why);
    const gz_candidate *naive = naive_of(candidates, n);
    double roofline = roofline_of(run);
    if (answer && roofline > 0)
        json_object_set_new(answer, "roofline", json_real(roofline));
    if (answer && roofline > 0 && naive)
        json_object_set_new(answer, "gain",
                            json_real(naive->seconds_per_loop / candidates[0].seconds_per_loop));
    const char *beyond = beyond_of(run, candidates, n);
    if (answer && beyond)
        json_object_set_new(answer, "beyond_measured", json_string(beyond));
    return answer;
}

static json_t *vcycle_level(const gzi_run *run, const gz_vcycle_level *l)
{
    json_t *seconds = json_object(), *depths = json_array();
    for (int part = 0; part < GZ_PART_COUNT; part++)
        if (json_object_set_new(seconds, gz_name(GZ_PARTS, part), json_real(l->seconds[part])) != 0)
            return NULL;
    for (int d = 0; d < GZ_MAX_DEPTH && !isnan(l->smooth_at[d]); d++)
        json_array_append_new(depths, json_real(l->smooth_at[d]));
    json_t *object =
        json_pack("{s:o, s:f, s:b, s:i, s:o, s:o}", "size",
                  lengths_json(l->data_length, run->app.dim), "visits", l->visits, "tail", l->tail,
                  "depth", l->depth, "seconds", seconds, "smooth_at_depth", depths);
    if (object && l->depth > 0) {
        json_object_set_new(object, "variant",
                            json_string(gz_name(GZ_VARIANTS, l->config.variant)));
        json_object_set_new(object, "block", lengths_json(l->config.block_len, run->app.dim));
        json_object_set_new(object, "sync", json_string(gz_name(GZ_SYNCS, l->config.sync)));
    }
    return object;
}

static json_t *vcycle_json(const gzi_question *q, const gzi_answer *a)
{
    const gz_vcycle_request *request = &q->vcycle;
    const gz_vcycle_time *time = &a->cycle;
    json_t *levels = json_array();
    for (int k = 0; k < time->levels; k++)
        json_array_append_new(levels, vcycle_level(&q->run, &time->level[k]));
    return json_pack("{s:s, s:[i,i], s:f, s:[f,f], s:f, s:i, s:f, s:o}", "cycle",
                     gz_name(GZ_CYCLES, request->cycle), "smooth", request->loops[0],
                     request->loops[1], "seconds", time->seconds, "interval", time->interval[0],
                     time->interval[1], "seconds_depth_1", time->shallow_s, "fixed_depth",
                     time->fixed, "seconds_fixed", time->fixed_s, "levels",
                     whole(levels, (size_t)time->levels));
}

/* One number of ranks; `one_s` is a loop's time on the first. */
static json_t *rank_row(const gzi_run *run, int ranks, const gz_ranks_time *t, double one_s)
{
    char layout[64];
    int length = snprintf(layout, sizeof layout, "%d", t->layout[0]);
    for (int i = 1; i < run->app.dim; i++)
        length += snprintf(layout + length, sizeof layout - (size_t)length, "x%d", t->layout[i]);
    return json_pack("{s:i, s:s, s:i, s:i, s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "ranks", ranks,
                     "layout", layout, "rank_depth", t->depth, "height", t->height, "variant",
                     gz_name(GZ_VARIANTS, t->config.variant), "seconds_per_loop",
                     t->seconds_per_loop, "interior_seconds", t->interior_s, "exchange_seconds",
                     t->exchange_s, "speedup", one_s / t->seconds_per_loop, "messages",
                     t->messages / t->depth, "bytes", t->bytes / t->depth);
}

static json_t *ranks_json(const gzi_question *q, const gzi_answer *a)
{
    const gz_ranks_time *times = a->divided.times;
    json_t *results = json_array();
    for (int k = 0; k < q->rank_counts; k++)
        json_array_append_new(results,
                              rank_row(&q->run, q->ranks[k], &times[k], times[0].seconds_per_loop));
    return json_pack("{s:s, s:s, s:o}", "network", a->divided.network.name, "measured",
                     "no: predicted", "results", whole(results, (size_t)q->rank_counts));
}

/* ----------------------------------------------------------------------------------- answering */

/* Intervals cover 95 % of a normal distribution. */
static const double z_of_intervals = 1.96;

gzi_question gzi_usual(void)
{
    return (gzi_question){.kind = GZI_KIND_COUNT,
                          .top = 5,
                          .vcycle = {.loops = {2, 2}, .tail = 4096, .z = z_of_intervals}};
}

/* Intervals for the result at height h, if the device or the application states a standard
 * deviation. */
static gz_status spread_at(const gzi_run *run, double h, gzi_answer *a, gz_error *error)
{
    if (!gzi_states_sd(&run->dev, &run->app))
        return GZ_OK;
    a->spread = &a->room;
    return gz_propagate(&run->dev, &run->app, &run->cfg, h, z_of_intervals, &a->room, error);
}

/* Takes the piece of a streamed tile, if none is given, from its block, ghost zone included. */
static gz_status set_piece(gzi_run *run, double h, gz_error *error)
{
    int last = run->app.dim - 1;
    double block = run->cfg.block_len[last], piece = block - run->app.halo_width[last] * h;
    if (run->cfg.variant != GZ_VARIANT_STREAM || run->cfg.stream_len != 0)
        return GZ_OK;
    if (!(piece >= 1))
        return gzi_fail(error, GZ_EHEIGHT,
                        "the height leaves no piece of the block's %.9g elements along the last "
                        "dimension: must be at least %.9g",
                        block, run->app.halo_width[last] * h + 1);
    run->cfg.stream_len = piece;
    return GZ_OK;
}

static gz_status predict(gzi_question *q, gzi_answer *a, gz_error *error)
{
    gzi_run *run = &q->run;
    gz_status status = set_piece(run, q->height, error);
    if (!status)
        status = gz_predict(&run->dev, &run->app, &run->cfg, q->height, &a->prediction, error);
    return status ? status : spread_at(run, q->height, a, error);
}

static json_t *predict_json(const gzi_question *q, const gzi_answer *a)
{
    json_t *object = with_interval(prediction_json(&q->run, &a->prediction), a->spread);
    if (object)
        json_object_set_new(object, "height", json_real(q->height));
    return object;
}

/* The first of gz_tune for the run's variant and synchronisation. */
static gz_status find_tile(gzi_run *run, gz_error *error)
{
    gz_candidate best;
    size_t found;
    gz_tune_request request = {.model = run->asked,
                               .tau = run->cfg.tau,
                               .syncs = 1u << run->cfg.sync,
                               .variants = 1u << run->cfg.variant,
                               .loops = run->cfg.loops,
                               .stream_len = run->cfg.stream_len};
    memcpy(request.data_length, run->cfg.data_length, sizeof request.data_length);
    memcpy(request.threads, run->cfg.threads, sizeof request.threads);
    gz_status status = gz_tune(&run->dev, &run->app, &request, &best, 1, &found, error);
    if (!status)
        run->cfg = gz_config_of(&request, &best);
    return status;
}

static gz_status optimize(gzi_question *q, gzi_answer *a, gz_error *error)
{
    gzi_run *run = &q->run;
    int last = run->app.dim - 1;
    gz_optimum *best = &a->optimum;
    gz_status status = q->search ? find_tile(run, error) : GZ_OK;
    if (!status)
        status = gz_optimize(&run->dev, &run->app, &run->cfg, NULL, best, error);
    if (!status && q->search && run->cfg.variant == GZ_VARIANT_STREAM)
        run->cfg.block_len[last] = run->cfg.stream_len + run->app.halo_width[last] * best->integer;
    return status ? status : spread_at(run, best->integer, a, error);
}

static json_t *optimize_json(const gzi_question *q, const gzi_answer *a)
{
    return with_interval(optimum_json(&q->run, &a->optimum), a->spread);
}

static gz_status choose(gzi_question *q, gzi_answer *a, gz_error *error)
{
    return gz_choose(&q->run.dev, &q->run.app, &q->run.cfg, &a->choice, error);
}

static gz_status sensitivity(gzi_question *q, gzi_answer *a, gz_error *error)
{
    return gz_sensitivity_at_optimum(&q->run.dev, &q->run.app, &q->run.cfg, &a->sensitivity, error);
}

/* What a search looks for. */
static gz_tune_request search_of(const gzi_question *q)
{
    gz_tune_request request = q->tune;
    request.model = q->run.asked;
    request.tau = q->run.cfg.tau;
    request.loops = q->run.cfg.loops;
    request.z = z_of_intervals;
    memcpy(request.data_length, q->run.cfg.data_length, sizeof request.data_length);
    memcpy(request.block_len, q->run.cfg.block_len, sizeof request.block_len);
    return request;
}

/* The candidates of gz_ideas that the model predicts; without any, gz_tune gives the reason. */
static gz_status tune(gzi_question *q, gzi_answer *a, gz_error *error)
{
    gz_tune_request request = search_of(q);
    gz_candidate *candidates = a->tuned.candidates;
    size_t *count = &a->tuned.count;
    gz_status status = gz_ideas(&q->run.dev, &q->run.app, &request, candidates, (size_t)q->top,
                                count, a->tuned.left_out, error);
    while (!status && *count > 0 && isnan(candidates[*count - 1].seconds_per_loop))
        --*count;
    if (!status && *count == 0)
        status =
            gz_tune(&q->run.dev, &q->run.app, &request, candidates, (size_t)q->top, count, error);
    if (!status)
        q->run.cfg = gz_config_of(&request, candidates);
    return status;
}

static gz_status vcycle(gzi_question *q, gzi_answer *a, gz_error *error)
{
    q->vcycle.smoother = search_of(q);
    return gz_vcycle(&q->run.dev, &q->run.app, &q->vcycle, &a->cycle, error);
}

static gz_status divide(gzi_question *q, gzi_answer *a, gz_error *error)
{
    gz_ranks_request request = {.run = search_of(q)};
    gz_network *net = &a->divided.network;
    gz_status status = gz_network_open(q->network ? q->network : GZI_ANSWER_NETWORK, net, error);
    for (int k = 0; k < q->rank_counts && !status; k++) {
        request.ranks = q->ranks[k];
        status =
            gz_ranks_optimize(&q->run.dev, &q->run.app, net, &request, &a->divided.times[k], error);
    }
    return status;
}

static const struct {
    const char *name;
    gz_status (*answer)(gzi_question *q, gzi_answer *a, gz_error *error);
    json_t *(*json)(const gzi_question *q, const gzi_answer *a);
    unsigned parts; /* of the context that it states */
} kinds[GZI_KIND_COUNT] = {
    [GZI_PREDICT] = {"predict", predict, predict_json, TILE | SYNC},
    [GZI_OPTIMIZE] = {"optimize", optimize, optimize_json, TILE | SYNC},
    [GZI_CHOOSE] = {"choose", choose, choose_json, TILE},
    [GZI_SENSITIVITY] = {"sensitivity", sensitivity, sensitivity_json, TILE | SYNC},
    [GZI_TUNE] = {"tune", tune, tune_json, RUN},
    [GZI_VCYCLE] = {"vcycle", vcycle, vcycle_json, RUN},
    [GZI_RANKS] = {"ranks", divide, ranks_json, RUN},
};

gzi_kind gzi_kind_by_name(const char *name)
{
    int kind = 0;
    while (kind < GZI_KIND_COUNT && !(name && strcmp(kinds[kind].name, name) == 0))
        kind++;
    return (gzi_kind)kind;
}

gz_status gzi_answer_to(gzi_question *question, gzi_answer *answer, gz_error *error)
{
    answer->spread = NULL;
    return kinds[question->kind].answer(question, answer, error);
}

json_t *gzi_answer_json(const gzi_question *question, const gzi_answer *answer)
{
    const gzi_run *run = &question->run;
    json_t *result = kinds[question->kind].json(question, answer),
           *object = result ? context_json(run, kinds[question->kind].parts) : NULL;
    if (object && json_object_update(object, result) != 0) {
        json_decref(object);
        object = NULL;
    }
    if (object && !gz_profile_matches(&run->dev, &run->app))
        json_object_set_new(object, "profile_device", json_string(run->app.profile_device));
    json_decref(result);
    return object;
}
