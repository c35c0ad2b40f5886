/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "remember.h"

#include "defaults.h"
#include "diskcache.h"
#include "files.h"
#include "modelled.h"
#include "record.h"
#include "variants.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A checksum of a stencil's body, edges and type, as text. */
struct mark {
    char text[20];
};

static struct mark mark_of(const struct gzk_stencil *stencil)
{
    struct mark mark;
    uint64_t sum = gzk_sum(GZK_SUM_OF_NONE, stencil->body, strlen(stencil->body));
    sum = gzk_sum(sum, stencil->edge, (size_t)stencil->dim * sizeof *stencil->edge);
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

static void add(struct gzk_wisdom *w, const struct gzk_wise *wise)
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
        add(w, &wise);
    }
    return true;
}

/* `name` is what messages call the text. */
static int parse(const char *name, const char *text, size_t size, struct gzk_wisdom *wisdom,
                 struct gzk_error *error)
{
    json_error_t where;
    int status = 0;
    *wisdom = (struct gzk_wisdom){.count = 0};
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        status = gzk_fail(error, GZK_INVALID, "%s:%d: %s", name, where.line, where.text);
    else if (!read_all(root, wisdom))
        status = gzk_fail(error, GZK_INVALID,
                          "%s: must be what gzrun --tune -o FILE.json has written", name);
    json_decref(root);
    return status;
}

int gzk_wisdom_read(const char *path, struct gzk_wisdom *wisdom, struct gzk_error *error)
{
    char why[300];
    size_t size = 0;
    char *text = cli_read_text(path, &size, why, sizeof why);
    int status = text ? parse(path, text, size, wisdom, error)
                      : gzk_fail(error, GZK_INVALID, "%s: %s", path, why);
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------- writing */

static json_t *way_object(const struct gzk_way *way, int dimensions)
{
    const struct gzk_config *config = &way->config;
    json_t *object = json_pack(
        "{s:o, s:o, s:i, s:s, s:s}", "block", cli_json_extents(config->block, dimensions),
        "threads", cli_json_extents(config->threads, dimensions), "height", config->height, "sync",
        gz_name(GZ_SYNCS, config->sync), "variant", gzk_variants[config->variant].name);
    if (!isnan(way->predicted.seconds_per_loop)) {
        const double *interval = way->predicted.interval;
        json_object_set_new(object, "seconds_per_loop", json_real(way->predicted.seconds_per_loop));
        json_object_set_new(object, "interval", json_pack("[f, f]", interval[0], interval[1]));
    }
    if (way->failed) {
        json_object_set_new(object, "failed", json_string(way->failed));
    } else {
        json_object_set_new(object, "measured_seconds_per_loop", json_real(way->seconds_per_loop));
        json_object_set_new(object, "spread", json_real(way->spread));
    }
    return object;
}

json_t *gzk_ways_json(const struct gzk_ways *ways, const struct gzk_config *run,
                      const struct gzk_device_info *device, json_t *more)
{
    const struct gzk_stencil *stencil = run->stencil;
    json_t *candidates = json_array();
    for (size_t k = 0; k < ways->runs; k++)
        json_array_append_new(candidates, way_object(&ways->way[ways->measured[k]], stencil->dim));
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:I}", "app", stencil->name, "stencil",
                  mark_of(stencil).text, "device", device->address, "device_name", device->name,
                  "driver", device->driver, "size", cli_json_extents(run->size, stencil->dim),
                  "loops", (json_int_t)run->loops);
    json_object_update(object, more);
    json_decref(more);
    json_object_set_new(object, "candidates", candidates);
    json_object_set_new(object, "best", way_object(gzk_ways_best(ways), stencil->dim));
    json_object_set_new(object, "expected_gain", json_real(ways->gain));
    return object;
}

enum { FORMAT = JSON_INDENT(2) | JSON_REAL_PRECISION(17) };

/* Writes a temporary file in the same folder, then renames it. */
int gzk_wisdom_write(const char *path, const struct gzk_ways *ways, const struct gzk_config *run,
                     const struct gzk_device_info *device, struct gzk_error *error)
{
    json_t *object = gzk_ways_json(ways, run, device, NULL);
    char *temporary = cli_text("%s.%ld", path, (long)getpid());
    bool written = object && temporary && json_dump_file(object, temporary, FORMAT) == 0 &&
                   rename(temporary, path) == 0;
    if (!written && temporary)
        unlink(temporary);
    free(temporary);
    json_decref(object);
    return written ? 0 : gzk_fail(error, GZK_FAILED, "%s: cannot be written", path);
}

/* -------------------------------------------------------------------------------------- on disk */

static const struct gzk_cache plans = {"gzstencil", ".plan"};

int gzk_octave(long size)
{
    int power = 0;
    while (power < 62 && 1L << power < size)
        power++;
    return power;
}

/* Everything that what is kept depends on: device, sizes up to the next power of two, stencil. To
 * be freed; NULL if memory is short. */
static char *key_of(const struct gzk_device_info *info, const struct gzk_config *run)
{
    const struct gzk_stencil *s = run->stencil;
    const int *size = run->size, *radius = s->radius;
    const gz_edge *edge = s->edge;
    return cli_text("gzstencil plan 4\n%.100s\n%.300s\n%.300s\n%d %zu %d %d\nsize %d %d %d\n"
                    "%d %d %d %d %d %d %d %d %d %d %d %d %d\n%s",
                    info->address, info->name, info->driver, info->max_threads,
                    (size_t)info->local_bytes, info->is_cpu, info->units, gzk_octave(size[0]),
                    gzk_octave(size[1]), gzk_octave(size[2]), s->dim, (int)s->type, (int)edge[0],
                    (int)edge[1], (int)edge[2], radius[0], radius[1], radius[2],
                    s->coefficient_arrays, s->step_arrays, s->step_values, s->coefficients,
                    run->contract, s->body);
}

bool gzk_recall(const struct gzk_device_info *device, const struct gzk_config *run,
                struct gzk_wisdom *wisdom)
{
    size_t size = 0;
    struct gzk_error ignored;
    char *key = key_of(device, run);
    char *text = key ? gzk_cache_get(&plans, key, &size) : NULL;
    bool there = text && parse("plan", text, size, wisdom, &ignored) == 0;
    free(text);
    free(key);
    return there;
}

void gzk_remember(const struct gzk_device_info *device, const struct gzk_config *run,
                  const struct gzk_ways *ways)
{
    json_t *object = gzk_ways_json(ways, run, device, NULL);
    char *key = key_of(device, run), *text = object ? json_dumps(object, FORMAT) : NULL;
    if (key && text)
        gzk_cache_put(&plans, key, text, strlen(text));
    free(text);
    free(key);
    json_decref(object);
}

/* --------------------------------------------------------------------------------------- using */

int gzk_wisdom_check(const struct gzk_wisdom *w, const struct gzk_stencil *stencil,
                     const int size[3], struct gzk_error *error)
{
    if (strcmp(w->stencil, mark_of(stencil).text) != 0 || w->dimensions != stencil->dim)
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

int gzk_ways_again(const struct gzk_wisdom *w, const struct gzk_config *run,
                   const struct gzk_device_info *device, struct gzk_ways *ways,
                   struct gzk_error *error)
{
    int status = gzk_ways_new((size_t)w->count, ways, error);
    for (int k = 0; k < w->count && status == 0; k++) {
        struct gzk_way *way = &ways->way[ways->count++];
        *way = (struct gzk_way){.config = *run};
        way->config.way = w->best[k].way;
        gzk_default_layout(&way->config, device);
        way->predicted = (gz_candidate){.way = way->config.way,
                                        .model = GZ_MODEL_GZ2,
                                        .seconds_per_loop = w->best[k].seconds_per_loop};
    }
    return status;
}
