/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ask.c - gz_ask: a request as JSON, and the answer of `gzmodel --json` to it, for languages that
 * have no structures.
 */
#include "answer.h"
#include "fail.h"

#include <math.h>
#include <stddef.h>
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

/* The kinds of members of a request, and how each is stored. */
enum as {
    NUMBER,  /* double */
    LENGTHS, /* double[GZ_MAX_DIM]: an array of one number a dimension, or one number for all */
    WHOLE,   /* int[places], from `least` to `most`: an array, whose last number is also that of all
                places after it, or one number for all */
    NAME,    /* int, the value of that name in `kind` */
    TEXT,    /* const char * */
    FLAG,    /* int */
    OTHER    /* read by read_question */
};

/* A member, and where in the question it goes; what it leaves open is as gzi_usual has it. */
struct member {
    const char *key;
    enum as as;
    size_t at;
    gz_kind kind;
    int least, most, places;
};

#define MEMBER(key_, as_, at_) .key = key_, .as = as_, .at = offsetof(gzi_question, at_)
static const struct member in_root[] = {
    {MEMBER("sync", NAME, run.cfg.sync), .kind = GZ_SYNCS},
    {MEMBER("tau", NAME, run.cfg.tau), .kind = GZ_TAUS},
    {MEMBER("model", NAME, run.cfg.model), .kind = GZ_MODELS},
    {MEMBER("variant", NAME, run.cfg.variant), .kind = GZ_VARIANTS},
    {MEMBER("beyond", FLAG, run.cfg.beyond)},
    {MEMBER("size", LENGTHS, run.cfg.data_length)},
    {MEMBER("block", LENGTHS, run.cfg.block_len)},
    {MEMBER("threads", LENGTHS, run.cfg.threads)},
    {MEMBER("piece", NUMBER, run.cfg.stream_len)},
    {MEMBER("loops", NUMBER, run.cfg.loops)},
    {MEMBER("height", NUMBER, height)},
    {MEMBER("top", WHOLE, top), .least = 1, .most = GZI_ANSWER_MOST, .places = 1},
    {MEMBER("cycle", NAME, vcycle.cycle), .kind = GZ_CYCLES},
    {MEMBER("smooth", WHOLE, vcycle.loops), .most = 1000, .places = 2},
    {MEMBER("depth", WHOLE, vcycle.depth), .least = 1, .most = GZ_MAX_DEPTH,
     .places = GZ_MAX_LEVELS},
    {MEMBER("levels", WHOLE, vcycle.levels), .least = 1, .most = GZ_MAX_LEVELS, .places = 1},
    {MEMBER("tail", NUMBER, vcycle.tail)},
    {MEMBER("ranks", WHOLE, ranks), .least = 1, .most = GZI_ANSWER_RANKS,
     .places = GZI_ANSWER_COUNTS},
    {MEMBER("network", TEXT, network)},
    {.key = "do", .as = OTHER},
    {.key = "device", .as = OTHER},
    {.key = "app", .as = OTHER},
    {.key = "set", .as = OTHER},
    {.key = "limits", .as = OTHER},
    {0}};
static const struct member in_limits[] = {
    {MEMBER("threads", NUMBER, tune.limits.threads)},
    {MEMBER("shared_bytes", NUMBER, tune.limits.shared_bytes)},
    {MEMBER("height_max", NUMBER, tune.limits.height_max)},
    {MEMBER("block_step", LENGTHS, tune.limits.block_step)},
    {0}};
#undef MEMBER

static gz_status read_lengths(const struct reader *q, const json_t *value, const char *key,
                              double out[GZ_MAX_DIM])
{
    int dim = q->asked.run.app.dim,
        sound = !json_is_array(value) || (int)json_array_size(value) == dim;
    for (int i = 0; i < dim && sound; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, (size_t)i) : value;
        sound = json_is_number(one);
        out[i] = json_number_value(one);
    }
    return sound ? GZ_OK : refuse(q, key, "a number, or an array of one number for each dimension");
}

static gz_status read_whole(const struct reader *q, const json_t *value, const struct member *m,
                            int *out)
{
    int given = json_is_array(value) ? (int)json_array_size(value) : 1;
    if (given < 1 || given > m->places)
        return refuse(q, m->key, "a number, or an array with no more than there are places");
    for (int k = 0; k < m->places; k++) {
        const json_t *one = json_is_array(value)
                                ? json_array_get(value, (size_t)(k < given ? k : given - 1))
                                : value;
        double number = json_number_value(one);
        if (!json_is_number(one) || !(number >= m->least && number <= m->most) ||
            number != floor(number))
            return gzi_fail(q->error, GZ_EFORMAT, "request: %s must be %s from %d to %d", m->key,
                            m->places > 1 ? "whole numbers" : "a whole number", m->least, m->most);
        out[k] = (int)number;
    }
    return GZ_OK;
}

static gz_status read_member(struct reader *q, const json_t *value, const struct member *m)
{
    void *at = (char *)&q->asked + m->at;
    const char *text = json_string_value(value);
    int number;
    switch (m->as) {
    case NUMBER:
        *(double *)at = json_number_value(value);
        return json_is_number(value) ? GZ_OK : refuse(q, m->key, "a number");
    case LENGTHS:
        return read_lengths(q, value, m->key, at);
    case WHOLE:
        return read_whole(q, value, m, at);
    case NAME:
        number = gz_by_name(m->kind, text);
        memcpy(at, &number, sizeof number);
        return number >= 0 ? GZ_OK
                           : gzi_fail(q->error, GZ_EFORMAT, "request: %s \"%.60s\" is unknown",
                                      m->key, text ? text : "");
    case TEXT:
        *(const char **)at = text;
        return text ? GZ_OK : refuse(q, m->key, "a name or a path");
    case FLAG:
        *(int *)at = json_is_true(value);
        return json_is_boolean(value) ? GZ_OK : refuse(q, m->key, "true or false");
    default:
        return GZ_OK;
    }
}

/* Reads an object, whose members are all among these. */
static gz_status read_members(struct reader *q, const json_t *object, const struct member *members)
{
    const char *key;
    json_t *value;
    gz_status status = GZ_OK;
    json_object_foreach((json_t *)object, key, value)
    {
        const struct member *m = members;
        while (m->key && strcmp(m->key, key) != 0)
            m++;
        status = m->key ? read_member(q, value, m)
                        : gzi_fail(q->error, GZ_EFORMAT, "request: unknown key \"%.60s\"", key);
        if (status)
            return status;
    }
    return status;
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

/* All of a question; the model is settled, but for a search. */
static gz_status read_question(struct reader *q)
{
    const json_t *bounds = json_object_get(q->root, "limits");
    const json_t *ranks = json_object_get(q->root, "ranks");
    gzi_question *asked = &q->asked;
    *asked = gzi_usual();
    asked->kind = gzi_kind_by_name(json_string_value(json_object_get(q->root, "do")));
    asked->search = !json_object_get(q->root, "block");
    asked->rank_counts = json_is_array(ranks) ? (int)json_array_size(ranks) : 1;
    if (asked->kind == GZI_KIND_COUNT)
        return refuse(q, "do", "predict, optimize, choose, sensitivity, tune, vcycle or ranks");
    if (asked->kind == GZI_RANKS && !ranks)
        return refuse(q, "ranks", "a number, or an array of numbers");
    if (bounds && !json_is_object(bounds))
        return refuse(q, "limits", "an object");
    gz_status status = read_file(q, "device", 0);
    if (!status)
        status = read_file(q, "app", 1);
    if (!status)
        status = read_members(q, q->root, in_root);
    if (!status)
        status = read_members(q, bounds, in_limits);
    if (!status)
        status = read_set(q);
    if (status)
        return status;
    if (json_object_get(q->root, "sync"))
        asked->tune.syncs = 1u << asked->run.cfg.sync;
    if (json_object_get(q->root, "variant"))
        asked->tune.variants = 1u << asked->run.cfg.variant;
    gzi_answer_settle(&asked->run, asked->run.cfg.model);
    return GZ_OK;
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
