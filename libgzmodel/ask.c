/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ask.c - gz_ask: a request as JSON, and the answer of `gzmodel --json` to it, for languages that
 * have no structures.
 */
#include "answer.h"
#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A question being read. */
struct reader {
    const json_t *root;
    gzi_question asked;
    gz_error *error;
};

static gz_status refuse(const struct reader *q, const char *key, const char *must)
{
    return gzi_fail(q->error, GZ_EFORMAT, "request: %s must be %s", key, must);
}

/* ------------------------------------------------------------------------------------- reading */

/* A number; *out stays if there is none. */
static gz_status read_number(const struct reader *q, const json_t *in, const char *key, double *out)
{
    const json_t *value = json_object_get(in, key);
    if (value && !json_is_number(value))
        return refuse(q, key, "a number");
    if (value)
        *out = json_number_value(value);
    return GZ_OK;
}

/* Lengths: an array of one number a dimension, or one number for all. */
static gz_status read_lengths(const struct reader *q, const json_t *in, const char *key,
                              double out[GZ_MAX_DIM])
{
    const json_t *value = json_object_get(in, key);
    int dim = q->asked.run.app.dim;
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
static gz_status read_name(const struct reader *q, const char *key, gz_kind kind, int usual,
                           int *out)
{
    const json_t *value = json_object_get(q->root, key);
    *out = value ? gz_by_name(kind, json_string_value(value)) : usual;
    return *out >= 0 ? GZ_OK
                     : gzi_fail(q->error, GZ_EFORMAT, "request: %s \"%.60s\" is unknown", key,
                                json_is_string(value) ? json_string_value(value) : "");
}

/* A device or an application: a name, a path, or the contents of a file. */
static gz_status read_file(struct reader *q, const char *key, int is_app)
{
    const json_t *value = json_object_get(q->root, key);
    const char *device = json_string_value(json_object_get(q->root, "device"));
    if (json_is_string(value))
        return is_app ? gz_app_open(json_string_value(value), device, &q->asked.run.app, q->error)
                      : gz_device_open(json_string_value(value), &q->asked.run.dev, q->error);
    if (!json_is_object(value))
        return refuse(q, key, "a name, a path, or an object with the contents of a file");
    char *text = json_dumps(value, JSON_REAL_PRECISION(17));
    if (!text)
        return gzi_fail(q->error, GZ_ENOMEM, "out of memory");
    gz_status status = is_app
                           ? gz_app_parse(text, strlen(text), key, &q->asked.run.app, q->error)
                           : gz_device_parse(text, strlen(text), key, &q->asked.run.dev, q->error);
    free(text);
    return status;
}

/* Quantities that differ from the files', by the names of their parameters. */
static gz_status read_set(struct reader *q)
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
        status = gz_param_set(&q->asked.run.dev, &q->asked.run.app, &q->asked.run.cfg, param,
                              json_number_value(value), q->error);
        if (status)
            return status;
    }
    return status;
}

static gz_status read_config(struct reader *q)
{
    gz_config *cfg = &q->asked.run.cfg;
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
        {"loops", NULL, &cfg->loops},     {"height", NULL, &q->asked.height},
    };
    for (size_t k = 0; k < sizeof members / sizeof *members && !status; k++)
        status = members[k].lengths ? read_lengths(q, q->root, members[k].key, members[k].lengths)
                                    : read_number(q, q->root, members[k].key, members[k].number);
    return status ? status : read_set(q);
}

/* The limits of a search, and the length of its answer. */
static gz_status read_tune(struct reader *q)
{
    const gz_config *cfg = &q->asked.run.cfg;
    const json_t *limits = json_object_get(q->root, "limits");
    double top = (double)q->asked.top;
    if (limits && !json_is_object(limits))
        return refuse(q, "limits", "an object");
    if (json_object_get(q->root, "sync"))
        q->asked.tune.syncs = 1u << cfg->sync;
    if (json_object_get(q->root, "variant"))
        q->asked.tune.variants = 1u << cfg->variant;
    gz_status status = read_number(q, limits, "threads", &q->asked.tune.limits.threads);
    if (!status)
        status = read_number(q, limits, "shared_bytes", &q->asked.tune.limits.shared_bytes);
    if (!status)
        status = read_number(q, limits, "height_max", &q->asked.tune.limits.height_max);
    if (!status)
        status = read_lengths(q, limits, "block_step", q->asked.tune.limits.block_step);
    if (!status)
        status = read_number(q, q->root, "top", &top);
    if (!status && !(top >= 1 && top <= GZI_ANSWER_MOST && top == floor(top)))
        status = refuse(q, "top", "a whole number from 1 to 1000");
    q->asked.top = status ? 0 : (size_t)top;
    q->asked.search = !json_object_get(q->root, "block");
    return status;
}

static gz_status check_keys(const struct reader *q)
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

/* Whole numbers from `least` to `most`: an array of them, or one for all `n` places, of which those
 * after the last are like it. */
static gz_status read_whole(const struct reader *q, const char *key, int least, int most, int n,
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

static gz_status read_vcycle(struct reader *q)
{
    gz_vcycle_request *request = &q->asked.vcycle;
    int cycle;
    gz_status status = read_name(q, "cycle", GZ_CYCLES, GZ_CYCLE_V, &cycle);
    if (!status)
        status = read_whole(q, "smooth", 0, 1000, 2, request->loops);
    if (!status)
        status = read_whole(q, "depth", 1, GZ_MAX_DEPTH, GZ_MAX_LEVELS, request->depth);
    if (!status)
        status = read_whole(q, "levels", 1, GZ_MAX_LEVELS, 1, &request->levels);
    if (!status)
        status = read_number(q, q->root, "tail", &request->tail);
    request->cycle = (gz_cycle)cycle;
    return status;
}

static gz_status read_ranks(struct reader *q)
{
    const json_t *given = json_object_get(q->root, "ranks");
    const json_t *network = json_object_get(q->root, "network");
    q->asked.rank_counts = json_is_array(given) ? (int)json_array_size(given) : 1;
    q->asked.network = json_string_value(network);
    if (!given || (network && !q->asked.network))
        return given ? refuse(q, "network", "a name or a path")
                     : refuse(q, "ranks", "a number, or an array of numbers");
    return read_whole(q, "ranks", 1, GZI_ANSWER_RANKS, GZI_ANSWER_COUNTS, q->asked.ranks);
}

/* All of a question; the model is settled, but for a search. */
static gz_status read_question(struct reader *q)
{
    q->asked = gzi_usual();
    q->asked.kind = gzi_kind_by_name(json_string_value(json_object_get(q->root, "do")));
    if (q->asked.kind == GZI_KIND_COUNT)
        return refuse(q, "do", "predict, optimize, choose, sensitivity, tune, vcycle or ranks");
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
        gzi_answer_settle(&q->asked.run, q->asked.run.cfg.model);
    if (!status && q->asked.kind == GZI_VCYCLE)
        status = read_vcycle(q);
    if (!status && q->asked.kind == GZI_RANKS)
        status = read_ranks(q);
    return status;
}

/* The answer to a question, after what it was computed for. */
static gz_status answer_to(struct reader *q, json_t **json)
{
    gzi_answer *answer = malloc(sizeof *answer);
    gz_status status = answer ? read_question(q) : gzi_fail(q->error, GZ_ENOMEM, "out of memory");
    if (!status)
        status = gzi_answer_to(&q->asked, answer, q->error);
    if (!status)
        *json = gzi_answer_json(&q->asked, answer);
    free(answer);
    return status || *json ? status
                           : gzi_fail(q->error, GZ_EOVERFLOW, "a result is not a finite number");
}

size_t gz_ask(const char *request, char *answer, size_t size)
{
    gz_error error = {"no request given (a null pointer)"};
    json_error_t where;
    json_t *root = request ? json_loads(request, JSON_REJECT_DUPLICATES, &where) : NULL,
           *found = NULL;
    struct reader *q = calloc(1, sizeof *q);
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
