/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * answer.c - results as JSON, for the command and for gz_ask.
 */
#include "answer.h"
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

gz_error gzi_answer_why(const gzi_run *run)
{
    gz_error why;
    gz_config cfg = run->cfg;
    cfg.model = run->asked;
    gz_model_for(&run->dev, &run->app, &cfg, &why);
    return why;
}

json_t *gzi_answer_context(const gzi_run *run, unsigned parts)
{
    double threads[GZ_MAX_DIM];
    threads_of(&run->cfg, threads);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s}", "app", key_of(run->app.key, run->app.name),
                               "device", key_of(run->dev.key, run->dev.name), "model",
                               gz_name(GZ_MODELS, run->cfg.model), "why", gzi_answer_why(run).text);
    if (!object)
        return NULL;
    json_object_set_new(object, "size", lengths_json(run->cfg.data_length, run->app.dim));
    if (parts & GZI_ANSWER_TILE) {
        json_object_set_new(object, "variant", json_string(gz_name(GZ_VARIANTS, run->cfg.variant)));
        json_object_set_new(object, "block", lengths_json(run->cfg.block_len, run->app.dim));
        json_object_set_new(object, "threads", lengths_json(threads, run->app.dim));
        if (run->cfg.stream_len > 0)
            json_object_set_new(object, "piece", json_real(run->cfg.stream_len));
    }
    if (parts & GZI_ANSWER_SYNC)
        json_object_set_new(object, "sync", json_string(gz_name(GZ_SYNCS, run->cfg.sync)));
    json_object_set_new(object, "tau", json_string(gz_name(GZ_TAUS, run->cfg.tau)));
    return object;
}

static json_t *interval_json(const gz_uncertainty *s)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:[f,f], s:[f,f], s:[f,f], s:[i,i]}", "z", s->z,
                     "cpl_sd", s->cpl_sd, "seconds_sd", s->seconds_sd, "height_sd", s->height_sd,
                     "cpl", s->cpl[0], s->cpl[1], "seconds", s->seconds[0], s->seconds[1], "height",
                     s->height[0], s->height[1], "integer", s->integer[0], s->integer[1]);
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

json_t *gzi_answer_predict(const gzi_run *run, const gz_prediction *p, const gz_uncertainty *spread)
{
    json_t *object;
    if (run->cfg.model == GZ_MODEL_MENG2011)
        object = json_pack(
            "{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:o}",
            "T", p->t, "passes", p->passes, "ConcurBlks", p->concur_blks, "LoadSten", p->load_sten,
            "IterMem", p->iter_mem, "Commit", p->commit, "MemAcc", p->mem_acc, "MiscComp",
            p->misc_comp, "IterComp", p->iter_comp, "CPT", p->cpt, "GlbSync", p->glb_sync, "CPS",
            p->cps, "CPL", p->cpl, "dCPL_dh", slope_json(p), "CostEffect", p->cost_effect,
            "seconds_per_loop", p->seconds_per_loop, "components", terms_json(run, p));
    else
        object = json_pack("{s:f, s:f, s:f, s:o, s:f, s:o}", "T", p->t, "CPS", p->cps, "CPL",
                           p->cpl, "dCPL_dh", slope_json(p), "seconds_per_loop",
                           p->seconds_per_loop, "components", terms_json(run, p));
    return with_interval(object, spread);
}

static json_t *optimum_json(const gzi_run *run, const gz_optimum *o)
{
    return json_pack("{s:{s:f, s:i, s:i}, s:i, s:f, s:i, s:o}", "height", "continuous",
                     o->continuous, "truncated", o->truncated, "integer", o->integer, "height_max",
                     o->height_max, "speedup", o->speedup, "evaluations", o->evaluations,
                     "prediction", gzi_answer_predict(run, &o->prediction, NULL));
}

/* The first of gz_tune. */
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
        run->cfg = best.config;
    return status;
}

gz_status gzi_answer_optimum(gzi_run *run, int search, gz_optimum *out, gz_error *error)
{
    int last = run->app.dim - 1;
    gz_status status = search ? find_tile(run, error) : GZ_OK;
    if (!status)
        status = gz_optimize(&run->dev, &run->app, &run->cfg, NULL, out, error);
    if (!status && search && run->cfg.variant == GZ_VARIANT_STREAM)
        run->cfg.block_len[last] = run->cfg.stream_len + run->app.halo_width[last] * out->integer;
    return status;
}

json_t *gzi_answer_optimize(const gzi_run *run, const gz_optimum *optimum,
                            const gz_uncertainty *spread)
{
    return with_interval(optimum_json(run, optimum), spread);
}

json_t *gzi_answer_choose(const gzi_run *run, const gz_choice *choice)
{
    return json_pack(
        "{s:o, s:o, s:f, s:s, s:s, s:f, s:f}", "restart", optimum_json(run, &choice->restart),
        "fence", optimum_json(run, &choice->fence), "delta", choice->delta, "choice",
        gz_name(GZ_SYNCS, choice->choice), "by_delta", gz_name(GZ_SYNCS, choice->by_delta),
        "overhead", choice->overhead, "gain", choice->gain);
}

double gzi_plain(double elasticity)
{
    return elasticity == 0 ? 0 : elasticity;
}

int gzi_rank_params(const gzi_run *run, const gz_sensitivity *s, int order[GZ_PARAM_CAPACITY])
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

json_t *gzi_answer_sensitivity(const gzi_run *run, const gz_sensitivity *s)
{
    int order[GZ_PARAM_CAPACITY], n = gzi_rank_params(run, s, order), failed = 0;
    json_t *list = json_array();
    for (int k = 0; k < n; k++) {
        int p = order[k];
        failed |= json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "parameter",
                                                        gz_param_about(p)->name, "cpl",
                                                        gzi_plain(s->cpl[p]), "height",
                                                        gzi_plain(s->height_elasticity[p]))) != 0;
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:f, s:f, s:o}", "height", s->height, "cpl", s->cpl_at_height, "parameters",
                     list);
}

gz_status gzi_answer_ideas(const gzi_run *run, const gz_tune_request *request,
                           gz_candidate *candidates, size_t n, size_t *found,
                           gz_error unpredicted[GZ_VARIANT_CAPACITY], gz_error *error)
{
    gz_status status =
        gz_ideas(&run->dev, &run->app, request, candidates, n, found, unpredicted, error);
    while (!status && *found > 0 && isnan(candidates[*found - 1].seconds_per_loop))
        --*found;
    /* Nothing is predicted: gz_tune says why. */
    return status || *found > 0
               ? status
               : gz_tune(&run->dev, &run->app, request, candidates, n, found, error);
}

double gzi_answer_roofline(const gzi_run *run)
{
    const gz_quantity *own = gzi_own(&run->dev, NULL, GZI_GZ2_EFFECTIVE_BANDWIDTH);
    const gz_quantity *stated = gzi_stated(own) ? own : &run->dev.mem_bandwidth;
    double cache = gz_get(&run->dev, "effective_cache");
    double bytes = run->app.element_size.value *
                   (run->app.stencil_arrays.value + run->app.elements_per_op.value + 1);
    if (run->cfg.model != GZ_MODEL_GZ2 || gzi_is_cpu(&run->dev))
        return 0;
    for (int i = 0; i < run->app.dim; i++)
        bytes *= run->cfg.data_length[i];
    return bytes > cache ? bytes / stated->value : 0;
}

const gz_candidate *gzi_answer_naive(const gz_candidate *candidates, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (candidates[k].config.variant == GZ_VARIANT_NAIVE)
            return candidates + k;
    return NULL;
}

json_t *gzi_answer_tune(const gzi_run *run, const gz_candidate *candidates, size_t n,
                        const gz_error unpredicted[GZ_VARIANT_CAPACITY])
{
    json_t *list = json_array();
    for (size_t k = 0; list && k < n; k++) {
        const gz_candidate *c = candidates + k;
        json_t *one = json_pack("{s:o, s:o, s:i, s:s, s:s, s:f, s:[f,f]}", "block",
                                lengths_json(c->config.block_len, run->app.dim), "threads",
                                lengths_json(c->config.threads, run->app.dim), "height", c->height,
                                "sync", gz_name(GZ_SYNCS, c->config.sync), "variant",
                                gz_name(GZ_VARIANTS, c->config.variant), "seconds_per_loop",
                                c->seconds_per_loop, "interval", c->interval[0], c->interval[1]);
        if (one && c->config.variant == GZ_VARIANT_STREAM)
            json_object_set_new(one, "piece", json_real(c->config.stream_len));
        if (json_array_append_new(list, one) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    json_t *why = json_object();
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++)
        if (unpredicted[v].text[0])
            json_object_set_new(why, gz_name(GZ_VARIANTS, v), json_string(unpredicted[v].text));
    json_t *answer = json_pack("{s:o, s:o}", "candidates", list, "left_out", why);
    const gz_candidate *naive = gzi_answer_naive(candidates, n);
    double roofline = gzi_answer_roofline(run);
    if (answer && roofline > 0)
        json_object_set_new(answer, "roofline", json_real(roofline));
    if (answer && roofline > 0 && naive)
        json_object_set_new(answer, "gain",
                            json_real(naive->seconds_per_loop / candidates[0].seconds_per_loop));
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

json_t *gzi_answer_vcycle(const gzi_run *run, const gz_vcycle_request *request,
                          const gz_vcycle_time *time)
{
    json_t *levels = json_array();
    for (int k = 0; k < time->levels; k++)
        if (json_array_append_new(levels, vcycle_level(run, &time->level[k])) != 0) {
            json_decref(levels);
            return NULL;
        }
    return json_pack("{s:s, s:[i,i], s:f, s:[f,f], s:f, s:i, s:f, s:o}", "cycle",
                     gz_name(GZ_CYCLES, request->cycle), "smooth", request->loops[0],
                     request->loops[1], "seconds", time->seconds, "interval", time->interval[0],
                     time->interval[1], "seconds_depth_1", time->shallow_s, "fixed_depth",
                     time->fixed, "seconds_fixed", time->fixed_s, "levels", levels);
}

/* One number of ranks; `one_s` is a loop's time on the first. */
static json_t *rank_row(const gzi_run *run, int ranks, const gz_ranks_time *t, double one_s)
{
    char layout[64];
    int length = snprintf(layout, sizeof layout, "%d", t->layout[0]);
    for (int i = 1; i < run->app.dim; i++)
        length += snprintf(layout + length, sizeof layout - (size_t)length, "x%d", t->layout[i]);
    return json_pack("{s:i, s:s, s:i, s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "ranks", ranks,
                     "layout", layout, "rank_depth", t->depth, "height", t->height, "variant",
                     gz_name(GZ_VARIANTS, t->config.variant), "way",
                     ranks == 1                ? "none"
                     : t->way == GZ_WAY_DIRECT ? "direct"
                                               : "sweep",
                     "seconds_per_loop", t->seconds_per_loop, "interior_seconds", t->interior_s,
                     "exchange_seconds", t->exchange_s, "speedup", one_s / t->seconds_per_loop,
                     "messages", t->messages / t->depth, "bytes", t->bytes / t->depth);
}

gz_status gzi_answer_divide(const gzi_run *run, const gz_tune_request *search, const char *network,
                            const int *ranks, int n, gz_network *net, gz_ranks_time *times,
                            gz_error *error)
{
    gz_ranks_request request = {.run = *search};
    gz_status status = gz_network_open(network ? network : GZI_ANSWER_NETWORK, net, error);
    for (int k = 0; k < n && !status; k++) {
        request.ranks = ranks[k];
        status = gz_ranks_optimize(&run->dev, &run->app, net, &request, &times[k], error);
    }
    return status;
}

json_t *gzi_answer_ranks(const gzi_run *run, const gz_network *net, const int *ranks,
                         const gz_ranks_time *times, int n)
{
    json_t *results = json_array();
    for (int k = 0; k < n; k++)
        if (json_array_append_new(
                results, rank_row(run, ranks[k], &times[k], times[0].seconds_per_loop)) != 0) {
            json_decref(results);
            return NULL;
        }
    return json_pack("{s:s, s:s, s:o}", "network", net->name, "measured", "no: predicted",
                     "results", results);
}

gz_status gzi_answer_spread(const gzi_run *run, double h, gz_uncertainty *room,
                            const gz_uncertainty **spread, gz_error *error)
{
    *spread = gzi_states_sd(&run->dev, &run->app) ? room : NULL;
    return *spread ? gz_propagate(&run->dev, &run->app, &run->cfg, h, GZI_ANSWER_Z, room, error)
                   : GZ_OK;
}
