/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ask.c - gz_ask: a question as JSON, and the answer of `gzmodel --json` to it, for languages that
 * have no structures.
 */
#include "answer.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A question being read, and what it asks about. */
struct question {
    const json_t *root;
    gzi_run run;
    double height;
    gz_tune_request tune;
    size_t top;
    gz_error *error;
};

/* Candidates that a search answers unless the question says how many, and at most. */
enum { USUAL_TOP = 5, MOST_TOP = 1000 };

static gz_status refuse(const struct question *q, const char *key, const char *must)
{
    return gzi_fail(q->error, GZ_EFORMAT, "request: %s must be %s", key, must);
}

/* ------------------------------------------------------------------------------------- reading */

/* A number; *out stays if there is none. */
static gz_status read_number(const struct question *q, const json_t *in, const char *key,
                             double *out)
{
    const json_t *value = json_object_get(in, key);
    if (value && !json_is_number(value))
        return refuse(q, key, "a number");
    if (value)
        *out = json_number_value(value);
    return GZ_OK;
}

/* Lengths: an array of one number a dimension, or one number for all. */
static gz_status read_lengths(const struct question *q, const json_t *in, const char *key,
                              double out[GZ_MAX_DIM])
{
    const json_t *value = json_object_get(in, key);
    int dim = q->run.app.dim;
    if (value && !json_is_number(value) && (int)json_array_size(value) != dim)
        return refuse(q, key, "a number, or an array of one number for each dimension");
    for (int i = 0; value && i < dim; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, (size_t)i) : value;
        if (!json_is_number(one))
            return refuse(q, key, "a number, or an array of one number for each dimension");
        out[i] = json_number_value(one);
    }
    return GZ_OK;
}

/* The value of a name; `usual` if there is none. */
static gz_status read_name(const struct question *q, const char *key, gz_kind kind, int usual,
                           int *out)
{
    const json_t *value = json_object_get(q->root, key);
    *out = value ? gz_by_name(kind, json_string_value(value)) : usual;
    return *out >= 0 ? GZ_OK
                     : gzi_fail(q->error, GZ_EFORMAT, "request: %s \"%.60s\" is unknown", key,
                                json_is_string(value) ? json_string_value(value) : "");
}

/* A device or an application: a name, a path, or the contents of a file. */
static gz_status read_file(struct question *q, const char *key, int is_app)
{
    const json_t *value = json_object_get(q->root, key);
    const char *device = json_string_value(json_object_get(q->root, "device"));
    if (json_is_string(value))
        return is_app ? gz_app_open(json_string_value(value), device, &q->run.app, q->error)
                      : gz_device_open(json_string_value(value), &q->run.dev, q->error);
    if (!json_is_object(value))
        return refuse(q, key, "a name, a path, or an object with the contents of a file");
    char *text = json_dumps(value, JSON_REAL_PRECISION(17));
    if (!text)
        return gzi_fail(q->error, GZ_ENOMEM, "out of memory");
    gz_status status = is_app ? gz_app_parse(text, strlen(text), key, &q->run.app, q->error)
                              : gz_device_parse(text, strlen(text), key, &q->run.dev, q->error);
    free(text);
    return status;
}

/* Quantities that differ from the files', by the names of their parameters. */
static gz_status read_set(struct question *q)
{
    const char *name;
    json_t *value, *set = json_object_get(q->root, "set");
    gz_status status = GZ_OK;
    if (set && !json_is_object(set))
        return refuse(q, "set", "an object of numbers by the names of parameters");
    json_object_foreach(set, name, value)
    {
        int param = gz_param_by_name(name);
        if (param < 0 || !json_is_number(value))
            return gzi_fail(q->error, GZ_EFORMAT, "request: set: %.60s: %s", name,
                            param < 0 ? "there is no such parameter" : "must be a number");
        status = gz_param_set(&q->run.dev, &q->run.app, &q->run.cfg, param,
                              json_number_value(value), q->error);
        if (status)
            return status;
    }
    return status;
}

static gz_status read_config(struct question *q)
{
    gz_config *cfg = &q->run.cfg;
    int sync, tau, model, variant;
    gz_status status = read_name(q, "sync", GZ_SYNCS, GZ_SYNC_RESTART, &sync);
    if (!status)
        status = read_name(q, "tau", GZ_TAUS, GZ_TAU_PRINTED, &tau);
    if (!status)
        status = read_name(q, "model", GZ_MODELS, GZ_MODEL_AUTO, &model);
    if (!status)
        status = read_name(q, "variant", GZ_VARIANTS, GZ_VARIANT_TRAPEZOID, &variant);
    if (status)
        return status;
    *cfg = (gz_config){.sync = (gz_sync)sync,
                       .tau = (gz_tau)tau,
                       .model = (gz_model)model,
                       .variant = (gz_variant)variant,
                       .beyond = json_is_true(json_object_get(q->root, "beyond"))};
    const struct {
        const char *key;
        double *lengths, *number;
    } members[] = {
        {"size", cfg->data_length, NULL}, {"block", cfg->block_len, NULL},
        {"threads", cfg->threads, NULL},  {"piece", NULL, &cfg->stream_len},
        {"loops", NULL, &cfg->loops},     {"height", NULL, &q->height},
    };
    for (size_t k = 0; k < sizeof members / sizeof *members && !status; k++)
        status = members[k].lengths ? read_lengths(q, q->root, members[k].key, members[k].lengths)
                                    : read_number(q, q->root, members[k].key, members[k].number);
    return status ? status : read_set(q);
}

/* What a search may try, and how much of it is answered. */
static gz_status read_tune(struct question *q)
{
    const gz_config *cfg = &q->run.cfg;
    const json_t *limits = json_object_get(q->root, "limits");
    double top = USUAL_TOP;
    if (limits && !json_is_object(limits))
        return refuse(q, "limits", "an object");
    q->tune = (gz_tune_request){
        .model = cfg->model, .tau = cfg->tau, .loops = cfg->loops, .z = GZI_ANSWER_Z};
    if (json_object_get(q->root, "sync"))
        q->tune.syncs = 1u << cfg->sync;
    if (json_object_get(q->root, "variant"))
        q->tune.variants = 1u << cfg->variant;
    memcpy(q->tune.data_length, cfg->data_length, sizeof q->tune.data_length);
    memcpy(q->tune.block_len, cfg->block_len, sizeof q->tune.block_len);
    gz_status status = read_number(q, limits, "threads", &q->tune.limits.threads);
    if (!status)
        status = read_number(q, limits, "shared_bytes", &q->tune.limits.shared_bytes);
    if (!status)
        status = read_number(q, limits, "height_max", &q->tune.limits.height_max);
    if (!status)
        status = read_lengths(q, limits, "block_step", q->tune.limits.block_step);
    if (!status)
        status = read_number(q, q->root, "top", &top);
    if (!status && !(top >= 1 && top <= MOST_TOP && top == floor(top)))
        status = refuse(q, "top", "a whole number from 1 to 1000");
    q->top = status ? 0 : (size_t)top;
    return status;
}

static gz_status check_keys(const struct question *q)
{
    static const char *const known[] = {
        "do",    "device",  "app",   "size",   "block",  "threads", "height", "sync", "tau",
        "model", "variant", "piece", "loops",  "beyond", "set",     "limits", "top",  "smooth",
        "cycle", "depth",   "tail",  "levels", "ranks",  "network", NULL};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)q->root, key, value)
    {
        size_t k = 0;
        while (known[k] && strcmp(known[k], key) != 0)
            k++;
        if (!known[k])
            return gzi_fail(q->error, GZ_EFORMAT, "request: unknown key \"%.60s\"", key);
    }
    return GZ_OK;
}

/* All of a question but what it asks; the model is settled, but for a search. */
static gz_status read_question(struct question *q)
{
    gz_status status = check_keys(q);
    if (!status)
        status = read_file(q, "device", 0);
    if (!status)
        status = read_file(q, "app", 1);
    if (!status)
        status = read_config(q);
    if (!status)
        status = read_tune(q);
    if (!status)
        gzi_answer_settle(&q->run, q->run.cfg.model);
    return status;
}

/* ----------------------------------------------------------------------------------- answering */

static gz_status predict(struct question *q, json_t **answer)
{
    const gzi_run *run = &q->run;
    gz_prediction p;
    gz_uncertainty room;
    const gz_uncertainty *spread = NULL;
    gz_status status = gz_predict(&run->dev, &run->app, &run->cfg, q->height, &p, q->error);
    if (!status)
        status = gzi_answer_spread(run, q->height, &room, &spread, q->error);
    if (!status)
        *answer = gzi_answer_predict(run, &p, spread);
    if (*answer)
        json_object_set_new(*answer, "height", json_real(q->height));
    return status;
}

static gz_status optimize(struct question *q, json_t **answer)
{
    gzi_run *run = &q->run;
    gz_optimum best;
    gz_uncertainty room;
    const gz_uncertainty *spread = NULL;
    gz_status status = gzi_answer_optimum(run, !json_object_get(q->root, "block"), &best, q->error);
    if (!status)
        status = gzi_answer_spread(run, best.integer, &room, &spread, q->error);
    if (!status)
        *answer = gzi_answer_optimize(run, &best, spread);
    return status;
}

static gz_status choose(struct question *q, json_t **answer)
{
    const gzi_run *run = &q->run;
    gz_choice choice;
    gz_status status = gz_choose(&run->dev, &run->app, &run->cfg, &choice, q->error);
    if (!status)
        *answer = gzi_answer_choose(run, &choice);
    return status;
}

static gz_status sensitivity(struct question *q, json_t **answer)
{
    const gzi_run *run = &q->run;
    gz_sensitivity found;
    gz_status status = gz_sensitivity_at_optimum(&run->dev, &run->app, &run->cfg, &found, q->error);
    if (!status)
        *answer = gzi_answer_sensitivity(run, &found);
    return status;
}

static gz_status tune(struct question *q, json_t **answer)
{
    gzi_run *run = &q->run;
    gz_error unpredicted[GZ_VARIANT_CAPACITY];
    size_t found = 0;
    gz_candidate *candidates = calloc(q->top, sizeof *candidates);
    if (!candidates)
        return gzi_fail(q->error, GZ_ENOMEM, "out of memory");
    gz_status status =
        gzi_answer_ideas(run, &q->tune, candidates, q->top, &found, unpredicted, q->error);
    if (!status) {
        run->cfg = candidates[0].config;
        *answer = gzi_answer_tune(run, candidates, found, unpredicted);
    }
    free(candidates);
    return status;
}

/* Whole numbers from `least` to `most`: an array of them, or one for all `n` places, of which those
 * after the last are like it. */
static gz_status read_whole(const struct question *q, const char *key, int least, int most, int n,
                            int *out)
{
    const json_t *value = json_object_get(q->root, key);
    int given = json_is_array(value) ? (int)json_array_size(value) : 1;
    if (value && (given < 1 || given > n))
        return refuse(q, key, "a number, or an array with no more than there are places");
    for (int k = 0; value && k < n; k++) {
        const json_t *one = json_is_array(value)
                                ? json_array_get(value, (size_t)(k < given ? k : given - 1))
                                : value;
        if (!json_is_integer(one) || json_integer_value(one) < least ||
            json_integer_value(one) > most)
            return gzi_fail(q->error, GZ_EFORMAT, "request: %s must be whole numbers from %d to %d",
                            key, least, most);
        out[k] = (int)json_integer_value(one);
    }
    return GZ_OK;
}

static gz_status vcycle(struct question *q, json_t **answer)
{
    gz_vcycle_request request = {
        .smoother = q->tune, .loops = {2, 2}, .tail = GZI_ANSWER_TAIL, .z = GZI_ANSWER_Z};
    gz_vcycle_time time;
    int cycle;
    gz_status status = read_name(q, "cycle", GZ_CYCLES, GZ_CYCLE_V, &cycle);
    if (!status)
        status = read_whole(q, "smooth", 0, 1000, 2, request.loops);
    if (!status)
        status = read_whole(q, "depth", 1, GZ_MAX_DEPTH, GZ_MAX_LEVELS, request.depth);
    if (!status)
        status = read_whole(q, "levels", 1, GZ_MAX_LEVELS, 1, &request.levels);
    if (!status)
        status = read_number(q, q->root, "tail", &request.tail);
    request.cycle = (gz_cycle)cycle;
    if (!status)
        status = gz_vcycle(&q->run.dev, &q->run.app, &request, &time, q->error);
    if (!status)
        *answer = gzi_answer_vcycle(&q->run, &request, &time);
    return status;
}

static gz_status ranks(struct question *q, json_t **answer)
{
    int counts[GZI_ANSWER_COUNTS];
    gz_ranks_time times[GZI_ANSWER_COUNTS];
    gz_network net;
    const json_t *given = json_object_get(q->root, "ranks");
    const json_t *network = json_object_get(q->root, "network");
    int n = json_is_array(given) ? (int)json_array_size(given) : 1;
    if (!given || (network && !json_is_string(network)))
        return given ? refuse(q, "network", "a name or a path")
                     : refuse(q, "ranks", "a number, or an array of numbers");
    gz_status status = read_whole(q, "ranks", 1, GZI_ANSWER_RANKS, GZI_ANSWER_COUNTS, counts);
    if (!status)
        status = gzi_answer_divide(&q->run, &q->tune, json_string_value(network), counts, n, &net,
                                   times, q->error);
    if (!status)
        *answer = gzi_answer_ranks(&q->run, &net, counts, times, n);
    return status;
}

static const struct {
    const char *name;
    gz_status (*answer)(struct question *q, json_t **answer);
    unsigned parts; /* of the context that the answer states */
} questions[] = {
    {"predict", predict, GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"optimize", optimize, GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"choose", choose, GZI_ANSWER_TILE},
    {"sensitivity", sensitivity, GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"tune", tune, GZI_ANSWER_RUN},
    {"vcycle", vcycle, GZI_ANSWER_RUN},
    {"ranks", ranks, GZI_ANSWER_RUN},
};

/* The answer to a question, after what it was computed for. */
static gz_status answer_to(struct question *q, json_t **answer)
{
    const char *wanted = json_string_value(json_object_get(q->root, "do"));
    size_t k = 0, n = sizeof questions / sizeof *questions;
    while (k < n && !(wanted && strcmp(questions[k].name, wanted) == 0))
        k++;
    if (k == n)
        return refuse(q, "do", "predict, optimize, choose, sensitivity, tune, vcycle or ranks");
    gz_status status = read_question(q);
    json_t *result = NULL;
    if (!status)
        status = questions[k].answer(q, &result);
    if (status)
        return status;
    *answer = gzi_answer_context(&q->run, questions[k].parts);
    if (!result || !*answer || json_object_update(*answer, result) != 0)
        status = gzi_fail(q->error, GZ_EOVERFLOW, "a result is not a finite number");
    if (!status && !gz_profile_matches(&q->run.dev, &q->run.app))
        json_object_set_new(*answer, "profile_device", json_string(q->run.app.profile_device));
    json_decref(result);
    return status;
}

size_t gz_ask(const char *request, char *answer, size_t size)
{
    gz_error error = {"no request given (a null pointer)"};
    json_error_t where;
    json_t *root = request ? json_loads(request, JSON_REJECT_DUPLICATES, &where) : NULL,
           *found = NULL;
    struct question *q = calloc(1, sizeof *q);
    gz_status status = q ? GZ_EARGUMENT : GZ_ENOMEM;
    if (request && !json_is_object(root))
        status = gzi_fail(&error, GZ_EFORMAT, "request:%d:%d: %s", root ? 1 : where.line,
                          root ? 1 : where.column, root ? "must be a JSON object" : where.text);
    else if (q && root) {
        q->root = root;
        q->error = &error;
        status = answer_to(q, &found);
    }
    if (status) {
        json_decref(found);
        found = json_pack("{s:{s:s, s:s}}", "error", "status", gz_name(GZ_STATUSES, status), "text",
                          error.text);
    }
    char *text = found ? json_dumps(found, GZI_ANSWER_FORMAT) : NULL;
    size_t needed = text ? strlen(text) + 1 : 0;
    if (answer && size > 0)
        memcpy(answer, needed && needed <= size ? text : "", needed <= size && needed ? needed : 1);
    free(text);
    free(q);
    json_decref(found);
    json_decref(root);
    return needed;
}

/* ---------------------------------------------------------------------------------- structures */

size_t gz_struct_size(const char *name)
{
/* clang-format off */
#define SIZE_OF(structure) {#structure, sizeof(structure)}
    /* clang-format on */
    static const struct {
        const char *name;
        size_t size;
    } sizes[] = {SIZE_OF(gz_error),         SIZE_OF(gz_quantity),     SIZE_OF(gz_device),
                 SIZE_OF(gz_app),           SIZE_OF(gz_config),       SIZE_OF(gz_note),
                 SIZE_OF(gz_prediction),    SIZE_OF(gz_jet),          SIZE_OF(gz_curve),
                 SIZE_OF(gz_param_fit),     SIZE_OF(gz_param_info),   SIZE_OF(gz_gradient),
                 SIZE_OF(gz_bounds),        SIZE_OF(gz_optimum),      SIZE_OF(gz_sensitivity),
                 SIZE_OF(gz_choice),        SIZE_OF(gz_uncertainty),  SIZE_OF(gz_tile_limits),
                 SIZE_OF(gz_tune_request),  SIZE_OF(gz_candidate),    SIZE_OF(gz_tuner_request),
                 SIZE_OF(gz_tuner_step),    SIZE_OF(gz_tuner_result), SIZE_OF(gz_vcycle_request),
                 SIZE_OF(gz_vcycle_level),  SIZE_OF(gz_vcycle_time),  SIZE_OF(gz_network),
                 SIZE_OF(gz_ranks_request), SIZE_OF(gz_ranks_time),   SIZE_OF(gz_adapt)};
#undef SIZE_OF
    for (size_t k = 0; name && k < sizeof sizes / sizeof *sizes; k++)
        if (strcmp(sizes[k].name, name) == 0)
            return sizes[k].size;
    return 0;
}
