/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "remember.h"

#include "diskcache.h"
#include "files.h"
#include "variants.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gzk_mark gzk_stencil_mark(const struct gzk_stencil *stencil)
{
    struct gzk_mark mark;
    uint64_t sum = gzk_sum(GZK_SUM_OF_NONE, stencil->body, strlen(stencil->body));
    sum = gzk_sum(sum, stencil->edge, (size_t)stencil->dimensions * sizeof *stencil->edge);
    sum = gzk_sum(sum, &stencil->type, sizeof stencil->type);
    snprintf(mark.text, sizeof mark.text, "%016llx", (unsigned long long)sum);
    return mark;
}

/* ------------------------------------------------------------------------------------- reading */

/* A whole number from 1 on; 0 if there is none. */
static int whole(const json_t *value)
{
    json_int_t x = json_integer_value(value);
    return x >= 1 && x <= INT_MAX ? (int)x : 0;
}

/* So many whole numbers; false if there are not. */
static bool read_extents(const json_t *array, int n, int out[3])
{
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < n; i++)
        out[i] = whole(json_array_get(array, (size_t)i));
    return (int)json_array_size(array) == n && out[0] && out[1] && out[2];
}

static bool read_text(const json_t *root, const char *key, char *out, size_t size)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text && snprintf(out, size, "%s", text) < (int)size;
}

static int variant_of(const char *name)
{
    for (int k = 0; name && k < gzk_variant_count; k++)
        if (strcmp(gzk_variants[k].name, name) == 0 && !gzk_variants[k].on_host)
            return k;
    return -1;
}

static bool read_wise(const json_t *object, int dimensions, struct gzk_wise *wise)
{
    int variant = variant_of(json_string_value(json_object_get(object, "variant")));
    int sync = gz_by_name(GZ_SYNCS, json_string_value(json_object_get(object, "sync")));
    double seconds = json_number_value(json_object_get(object, "measured_seconds_per_loop"));
    *wise = (struct gzk_wise){.variant = (gz_variant)variant,
                              .sync = (gz_sync)sync,
                              .height = whole(json_object_get(object, "height")),
                              .seconds_per_loop = seconds};
    return variant >= 0 && sync >= 0 && wise->height && seconds > 0 &&
           read_extents(json_object_get(object, "block"), dimensions, wise->block) &&
           read_extents(json_object_get(object, "threads"), dimensions, wise->threads);
}

static bool are_same(const struct gzk_wise *a, const struct gzk_wise *b)
{
    return a->variant == b->variant && a->sync == b->sync && a->height == b->height &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

void gzk_wisdom_add(struct gzk_wisdom *w, const struct gzk_wise *wise)
{
    int at = w->count;
    for (int k = 0; k < w->count; k++)
        if (are_same(wise, &w->best[k]))
            return;
    while (at > 0 && wise->seconds_per_loop < w->best[at - 1].seconds_per_loop)
        at--;
    if (at == GZK_MOST_WISE)
        return;
    w->count += w->count < GZK_MOST_WISE;
    for (int k = w->count - 1; k > at; k--)
        w->best[k] = w->best[k - 1];
    w->best[at] = *wise;
}

static bool read_all(const json_t *root, struct gzk_wisdom *w)
{
    const json_t *size = json_object_get(root, "size");
    const json_t *candidates = json_object_get(root, "candidates");
    w->dimensions = (int)json_array_size(size);
    w->loops = whole(json_object_get(root, "loops"));
    if (w->dimensions < 1 || w->dimensions > 3 || !w->loops ||
        !read_extents(size, w->dimensions, w->size) ||
        !read_text(root, "app", w->app, sizeof w->app) ||
        !read_text(root, "device", w->address, sizeof w->address) ||
        !read_text(root, "device_name", w->device, sizeof w->device) ||
        !read_text(root, "driver", w->driver, sizeof w->driver) ||
        !read_text(root, "stencil", w->stencil, sizeof w->stencil) ||
        !read_wise(json_object_get(root, "best"), w->dimensions, &w->best[0]))
        return false;
    w->count = 1;
    for (size_t k = 0; k < json_array_size(candidates); k++) {
        struct gzk_wise wise;
        if (!read_wise(json_array_get(candidates, k), w->dimensions, &wise))
            continue;
        /* What was found to be best stays the first. */
        wise.seconds_per_loop = fmax(wise.seconds_per_loop, w->best[0].seconds_per_loop);
        gzk_wisdom_add(w, &wise);
    }
    return true;
}

int gzk_wisdom_read(const char *path, struct gzk_wisdom *wisdom, struct gzk_error *error)
{
    char why[300];
    size_t size = 0;
    json_error_t where;
    int status = 0;
    *wisdom = (struct gzk_wisdom){.count = 0};
    char *text = cli_read_text(path, &size, why, sizeof why);
    if (!text)
        return gzk_fail(error, GZK_INVALID, "%s: %s", path, why);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        status = gzk_fail(error, GZK_INVALID, "%s:%d: %s", path, where.line, where.text);
    else if (!read_all(root, wisdom))
        status = gzk_fail(error, GZK_INVALID,
                          "%s: must be what gzrun --tune -o FILE.json has written", path);
    json_decref(root);
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------- writing */

void gzk_wisdom_begin(const struct gzk_config *config, const struct gzk_device_info *device,
                      struct gzk_wisdom *w)
{
    const struct gzk_stencil *stencil = config->stencil;
    *w = (struct gzk_wisdom){.dimensions = stencil->dimensions, .loops = config->loops};
    memcpy(w->size, config->size, sizeof w->size);
    snprintf(w->app, sizeof w->app, "%s", stencil->name);
    snprintf(w->address, sizeof w->address, "%s", device->address);
    snprintf(w->device, sizeof w->device, "%s", device->name);
    snprintf(w->driver, sizeof w->driver, "%s", device->driver);
    snprintf(w->stencil, sizeof w->stencil, "%s", gzk_stencil_mark(stencil).text);
}

json_t *gzk_extents_json(const int extents[3], int dimensions)
{
    json_t *array = json_array();
    for (int i = 0; i < dimensions; i++)
        json_array_append_new(array, json_integer(extents[i]));
    return array;
}

static json_t *wise_object(const struct gzk_wise *wise, int dimensions)
{
    return json_pack("{s:o, s:o, s:i, s:s, s:s, s:f}", "block",
                     gzk_extents_json(wise->block, dimensions), "threads",
                     gzk_extents_json(wise->threads, dimensions), "height", wise->height, "sync",
                     gz_name(GZ_SYNCS, wise->sync), "variant", gzk_variants[wise->variant].name,
                     "measured_seconds_per_loop", wise->seconds_per_loop);
}

/* A file beside it, which then takes its name. */
static bool write_whole(const char *path, const json_t *object)
{
    size_t room = strlen(path) + 30;
    char *temporary = malloc(room);
    if (!temporary)
        return false;
    snprintf(temporary, room, "%s.%ld", path, (long)getpid());
    bool written =
        json_dump_file(object, temporary, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0 &&
        rename(temporary, path) == 0;
    if (!written)
        unlink(temporary);
    free(temporary);
    return written;
}

int gzk_wisdom_write(const char *path, const struct gzk_wisdom *w, struct gzk_error *error)
{
    json_t *candidates = json_array();
    for (int k = 0; k < w->count; k++)
        json_array_append_new(candidates, wise_object(&w->best[k], w->dimensions));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:o, s:o, s:f}", "app", w->app, "stencil", w->stencil,
        "device", w->address, "device_name", w->device, "driver", w->driver, "size",
        gzk_extents_json(w->size, w->dimensions), "loops", (json_int_t)w->loops, "candidates",
        candidates, "best", wise_object(&w->best[0], w->dimensions), "expected_gain", w->gain);
    bool written = object && write_whole(path, object);
    json_decref(object);
    return written ? 0 : gzk_fail(error, GZK_FAILED, "%s: cannot be written", path);
}

/* --------------------------------------------------------------------------------------- using */

int gzk_wisdom_check(const struct gzk_wisdom *w, const struct gzk_stencil *stencil,
                     const int size[3], struct gzk_error *error)
{
    if (strcmp(w->stencil, gzk_stencil_mark(stencil).text) != 0 ||
        w->dimensions != stencil->dimensions)
        return gzk_fail(error, GZK_INVALID, "made for another text of %s than this one", w->app);
    if (size && memcmp(w->size, size, sizeof w->size) != 0)
        return gzk_fail(error, GZK_INVALID,
                        "made for size %dx%dx%d, not for %dx%dx%d: tune for this one", w->size[0],
                        w->size[1], w->size[2], size[0], size[1], size[2]);
    return 0;
}

bool gzk_wisdom_is_of(const struct gzk_wisdom *w, const struct gzk_device_info *device)
{
    return strcmp(w->device, device->name) == 0 && strcmp(w->driver, device->driver) == 0;
}

void gzk_wisdom_apply(const struct gzk_wise *wise, struct gzk_config *config)
{
    config->variant = wise->variant;
    config->sync = wise->sync;
    config->height = wise->height;
    memcpy(config->block, wise->block, sizeof config->block);
    memcpy(config->threads, wise->threads, sizeof config->threads);
}

struct gzk_wise gzk_wisdom_of(const struct gzk_config *config, double seconds_per_loop)
{
    struct gzk_wise wise = {.variant = config->variant,
                            .sync = config->sync,
                            .height = config->height,
                            .seconds_per_loop = seconds_per_loop};
    memcpy(wise.block, config->block, sizeof wise.block);
    memcpy(wise.threads, config->threads, sizeof wise.threads);
    return wise;
}
