/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paramfile.c - reads device and application files (JSON), and finds the built-in ones.
 *
 * jansson checks the syntax and refuses duplicate keys and trailing text, with line and column.
 * Its result is then checked against the table of quantities.h; for the place of such an
 * error the text is searched once more for the key in question, since jansson's values carry no
 * positions.
 */
#include "builtin.h"
#include "fail.h"
#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "input.h"
#include "nearest.h"
#include "quantities.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Larger files are refused: no parameter file is that large, and /dev/zero has no end. */
#define FILE_SIZE_MAX ((size_t)1 << 20)

/* A text being read, and where to report what is wrong with it. */
struct reader {
    const char *text;
    size_t size;
    const char *label;
    gz_error *error;
    size_t object; /* position of the object that the keys in messages belong to */
};

/* ------------------------------------------------------------------------------------ positions */

static size_t skip_space(const struct reader *r, size_t at)
{
    while (at < r->size && strchr(" \t\r\n", r->text[at]))
        at++;
    return at;
}

/* The value at `*at`, which the caller releases; moves `*at` to what follows it. NULL if memory is
 * short. */
static json_t *take_value(const struct reader *r, size_t *at)
{
    json_error_t end;
    json_t *value =
        json_loadb(r->text + *at, r->size - *at,
                   JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_DISABLE_EOF_CHECK, &end);
    *at = value ? skip_space(r, *at + (size_t)end.position) : r->size;
    return value;
}

/* The position of key `wanted` of the object at `object`, and in `*value` its value's; those of the
 * object if there is no such member. `text` is JSON that jansson has accepted. */
static size_t find_key(const struct reader *r, size_t object, const char *wanted, size_t *value)
{
    size_t key = skip_space(r, object + 1);
    while (key < r->size && r->text[key] == '"') {
        size_t at = key;
        json_t *name = take_value(r, &at);
        int found = name && strcmp(json_string_value(name), wanted) == 0;
        json_decref(name);
        *value = at = skip_space(r, at + 1); /* past the colon */
        if (found)
            return key;
        json_decref(take_value(r, &at));
        key = skip_space(r, at + 1); /* past the comma, or the brace */
    }
    return *value = object;
}

static size_t find_member(const struct reader *r, size_t object, const char *key)
{
    size_t value;
    find_key(r, object, key, &value);
    return value;
}

/* Fails with the line and column of the byte at `at`. */
static gz_status fail_at_byte(const struct reader *r, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < r->size; i++) {
        column = r->text[i] == '\n' ? 1 : column + 1;
        line += r->text[i] == '\n';
    }
    return gzi_fail(r->error, GZ_EFORMAT, "%.120s:%zu:%zu: %s", r->label, line, column, what);
}

/* Fails with the line and column of the value at a path of up to two keys from the reader's object;
 * the second or both may be NULL. */
__attribute__((format(printf, 4, 5))) static gz_status
fail_at(const struct reader *r, const char *outer, const char *inner, const char *format, ...)
{
    if (!r->error)
        return GZ_EFORMAT;
    size_t at = r->object;
    if (outer)
        at = find_member(r, at, outer);
    if (inner && at < r->size && r->text[at] == '{')
        at = find_member(r, at, inner);
    char what[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail_at_byte(r, at, what);
}

/* --------------------------------------------------------------------------------------- values */

/* What files of earlier versions state and no model has any more: passed over. */
static int is_retired(const char *key)
{
    static const char *const keys[] = {
        "barrier_warp",    "block_deal",     "block_latency",       "cache_exchange",
        "chain_time",      "issue_time",     "line_store",          "naive_row_time",
        "row_time",        "row_time_fence", "short_row_bandwidth", "stage_fence_block",
        "stream_row_time", "term_norm"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(keys[k], key) == 0)
            return 1;
    return 0;
}

/* An object with only the known keys and retired ones; `known` ends with NULL. It is the reader's
 * object, or its member `outer`. */
static gz_status check_keys(const struct reader *r, json_t *object, const char *outer,
                            const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t k = 0;
        while (known[k] && strcmp(known[k], key) != 0)
            k++;
        if (known[k] || is_retired(key))
            continue;
        char what[160];
        snprintf(what, sizeof what, "unknown key \"%.60s\"%s%s", key, outer ? " in " : "",
                 outer ? outer : "");
        size_t owner = outer ? find_member(r, r->object, outer) : r->object, unused;
        return fail_at_byte(r, find_key(r, owner, key, &unused), what);
    }
    return GZ_OK;
}

static gz_status read_string(const struct reader *r, const json_t *object, const char *key,
                             char *out, size_t size)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value))
        return fail_at(r, key, NULL, "%s must be a string", key);
    if (json_string_length(value) >= size || json_string_length(value) == 0)
        return fail_at(r, key, NULL, "%s must be a string of 1 to %zu bytes", key, size - 1);
    snprintf(out, size, "%s", json_string_value(value));
    return GZ_OK;
}

/* The note of the file, which may be absent. */
static gz_status read_file_note(const struct reader *r, const json_t *root)
{
    const json_t *note = json_object_get(root, "note");
    if (note && !json_is_string(note))
        return fail_at(r, "note", NULL, "note must be a string");
    return GZ_OK;
}

static gz_status check_schema(const struct reader *r, const json_t *root, const char *schema)
{
    const char *found = json_string_value(json_object_get(root, "schema"));
    if (found && strcmp(found, schema) == 0)
        return GZ_OK;
    return fail_at(r, "schema", NULL, "schema must be \"%s\"", schema);
}

/* A number in the range of its spec, at `outer`.`inner` of the text. */
static gz_status read_number(const struct reader *r, const json_t *value, const gzi_spec *spec,
                             const char *outer, const char *inner, double *out)
{
    char range[96];
    gzi_range_text(spec->range, range, sizeof range);
    if (!json_is_number(value))
        return fail_at(r, outer, inner, "%s must be a number, %s", spec->key, range);
    *out = json_number_value(value);
    if (!gzi_in_range(spec->range, *out) || (spec->range->whole && *out != floor(*out)))
        return fail_at(r, outer, inner, "%s is %.9g: must be %s", spec->key, *out, range);
    return GZ_OK;
}

static gz_status read_origin(const struct reader *r, const json_t *value, const char *key,
                             gz_origin *out)
{
    const char *text = json_string_value(value);
    int origin = gz_by_name(GZ_ORIGINS, text);
    if (origin > GZ_ORIGIN_NONE) {
        *out = (gz_origin)origin;
        return GZ_OK;
    }
    return fail_at(r, key, "origin",
                   "origin of %s must be one of paper, vendor, query, measured, counted, fitted, "
                   "default",
                   key);
}

/* A quantity as an object: value and unit, and origin if a device states it. */
static gz_status read_quantity(const struct reader *r, json_t *object, const gzi_spec *spec,
                               int origin_needed, gz_quantity *out)
{
    static const char *const known[] = {"value", "unit", "origin", "sd", "meaning", "note", NULL};
    *out = (gz_quantity){.origin = GZ_ORIGIN_NONE};
    if (!json_is_object(object))
        return fail_at(r, spec->key, NULL, "%s must be an object with value, unit%s", spec->key,
                       origin_needed ? " and origin" : "");
    gz_status status = check_keys(r, object, spec->key, known);
    if (!status)
        status =
            read_number(r, json_object_get(object, "value"), spec, spec->key, "value", &out->value);
    if (status)
        return status;
    const char *unit = json_string_value(json_object_get(object, "unit"));
    if (!unit || strcmp(unit, spec->about.unit) != 0)
        return fail_at(r, spec->key, "unit", "unit of %s is %s%.40s%s: must be \"%s\"", spec->key,
                       unit ? "\"" : "", unit ? unit : "missing", unit ? "\"" : "",
                       spec->about.unit);
    const json_t *origin = json_object_get(object, "origin");
    if (origin || origin_needed) {
        status = read_origin(r, origin, spec->key, &out->origin);
        if (status)
            return status;
    }
    const json_t *sd = json_object_get(object, "sd");
    if (sd && !(json_is_number(sd) && json_number_value(sd) >= 0))
        return fail_at(r, spec->key, "sd", "sd of %s must be a number, at least 0", spec->key);
    out->sd = sd ? json_number_value(sd) : 0;
    static const char *const strings[] = {"meaning", "note"};
    for (int k = 0; k < 2; k++) {
        const json_t *string = json_object_get(object, strings[k]);
        if (string && !json_is_string(string))
            return fail_at(r, spec->key, strings[k], "%s of %s must be a string", strings[k],
                           spec->key);
    }
    return GZ_OK;
}

/* ---------------------------------------------------------------------------------------- files */

/* The keys of the quantities of a place, from `spec` on, behind the `n` that are in `known`
 * already; ends the list. */
static void add_keys(const gzi_spec *spec, enum gzi_place place, const char **known, size_t n)
{
    for (; spec->place; spec++)
        if (spec->place == place)
            known[n++] = spec->key;
    known[n] = NULL;
}

/* Reads one quantity of a device, or of an application (`owner`) outside or inside its profile; the
 * reader's object is `object`. In an application a quantity of unit 1 may be a plain number. */
static gz_status read_member(const struct reader *r, const json_t *object, const gzi_spec *spec,
                             void *owner)
{
    int in_device = spec->place == GZI_DEVICE;
    gz_quantity *out = (gz_quantity *)(void *)((char *)owner + spec->offset);
    json_t *value = json_object_get(object, spec->key);
    if (!value && spec->optional)
        return GZ_OK;
    if (!value && in_device)
        return fail_at(r, NULL, NULL, "quantity %s (%s) is missing", spec->key, spec->about.unit);
    if (!value)
        return fail_at(r, NULL, NULL, "quantity %s is missing", spec->key);
    if (in_device || json_is_object(value) || strcmp(spec->about.unit, "1") != 0)
        return read_quantity(r, value, spec, in_device, out);
    return read_number(r, value, spec, spec->key, NULL, &out->value);
}

/* Reads all quantities of a place from `spec` on. */
static gz_status read_members(const struct reader *r, const json_t *object, const gzi_spec *spec,
                              enum gzi_place place, void *owner)
{
    gz_status status = GZ_OK;
    for (; spec->place && !status; spec++)
        if (spec->place == place)
            status = read_member(r, object, spec, owner);
    return status;
}

/* What options and other files call the file of that label: its name without folder and ".json";
 * that of its folder if it is called device.json. */
static void key_of(const char *label, char key[GZ_NAME_SIZE])
{
    const char *slash = strrchr(label, '/'), *name = slash ? slash + 1 : label;
    size_t length = strlen(name);
    if (slash && slash > label && strcmp(name, "device.json") == 0) {
        for (name = slash; name > label && name[-1] != '/';)
            name--;
        length = (size_t)(slash - name);
    } else if (length > 5 && strcmp(name + length - 5, ".json") == 0) {
        length -= 5;
    }
    snprintf(key, GZ_NAME_SIZE, "%.*s", (int)(length < GZ_NAME_SIZE ? length : GZ_NAME_SIZE - 1),
             name);
}

/* What drivers call the device, which may be absent. */
static gz_status check_drivers(const struct reader *r, const json_t *root)
{
    const json_t *list = json_object_get(root, "drivers"), *name;
    size_t k;
    int sound = !list || json_array_size(list) > 0;
    json_array_foreach(list, k, name) sound = sound && json_string_length(name) > 0;
    return sound ? GZ_OK
                 : fail_at(r, "drivers", NULL,
                           "drivers must be an array of one or more strings, none of them empty");
}

/* What all kinds of files begin with: the schema, no key but the known ones, a name and perhaps a
 * note. */
static gz_status read_head(const struct reader *r, json_t *root, const char *schema,
                           const char *const *known, char *name)
{
    gz_status status = check_schema(r, root, schema);
    if (!status)
        status = check_keys(r, root, NULL, known);
    if (!status)
        status = read_string(r, root, "name", name, GZ_NAME_SIZE);
    return status ? status : read_file_note(r, root);
}

static gz_status read_device(const struct reader *r, json_t *root, void *into)
{
    gz_device *dev = into;
    const char *known[GZ_PARAM_CAPACITY + 5] = {"schema", "name", "note", "drivers"};
    add_keys(gzi_quantities, GZI_DEVICE, known, 4);
    *dev = (gz_device){.name = ""};
    key_of(r->label, dev->key);
    gz_status status = read_head(r, root, "gzmodel-device-1", known, dev->name);
    if (!status)
        status = check_drivers(r, root);
    return status ? status : read_members(r, root, gzi_quantities, GZI_DEVICE, dev);
}

/* Halo widths; their number is the dimensionality. */
static gz_status read_halo(const struct reader *r, const json_t *root, gz_app *app)
{
    const json_t *array = json_object_get(root, "halo_width");
    size_t dim = json_array_size(array);
    if (dim < 1 || dim > GZ_MAX_DIM)
        return fail_at(r, "halo_width", NULL,
                       "halo_width must be an array of 1 to 3 whole numbers, one a dimension");
    double widest = 0;
    for (size_t i = 0; i < dim; i++) {
        gz_status status =
            read_number(r, json_array_get(array, i), gzi_quantities + GZ_P_HALO_WIDTH + i,
                        "halo_width", NULL, &app->halo_width[i]);
        if (status)
            return status;
        widest = fmax(widest, app->halo_width[i]);
    }
    if (widest == 0)
        return fail_at(r, "halo_width", NULL,
                       "halo_width is 0 in every dimension: must be at least 1 in one");
    app->dim = (int)dim;
    return GZ_OK;
}

/* The name of the device of the profiling run: in the profile, or, as older files have it, outside.
 */
static gz_status read_profile_device(const struct reader *r, const struct reader *inside,
                                     const json_t *root, const json_t *profile, gz_app *app)
{
    int outside_too = json_object_get(root, "device") != NULL;
    if (json_object_get(profile, "device")) {
        if (outside_too)
            return fail_at(r, "device", NULL, "device is stated twice, here and in profile");
        return read_string(inside, profile, "device", app->profile_device,
                           sizeof app->profile_device);
    }
    return outside_too
               ? read_string(r, root, "device", app->profile_device, sizeof app->profile_device)
               : GZ_OK;
}

static gz_status read_app(const struct reader *r, json_t *root, void *into)
{
    gz_app *app = into;
    const char *known[GZ_PARAM_CAPACITY + 7] = {"schema",  "name",   "halo_width",
                                                "profile", "device", "note"};
    const char *in_profile[GZ_PARAM_CAPACITY + 2] = {"device"};
    add_keys(gzi_quantities, GZI_APP, known, 6);
    add_keys(gzi_quantities, GZI_PROFILE, in_profile, 1);

    *app = (gz_app){.name = ""};
    key_of(r->label, app->key);
    json_t *profile = json_object_get(root, "profile");
    gz_status status = read_head(r, root, "gzmodel-app-1", known, app->name);
    if (!status)
        status = read_halo(r, root, app);
    if (!status && !json_is_object(profile))
        status = fail_at(r, "profile", NULL, "profile must be an object");
    if (!status)
        status = check_keys(r, profile, "profile", in_profile);
    struct reader inside = *r;
    inside.object = find_member(r, r->object, "profile");
    if (!status)
        status = read_profile_device(r, &inside, root, profile, app);
    if (!status)
        status = read_members(r, root, gzi_quantities, GZI_APP, app);
    return status ? status : read_members(&inside, profile, gzi_quantities, GZI_PROFILE, app);
}

/* Parses the text; NULL and a message if it is not JSON or not an object. */
static json_t *parse(const struct reader *r, gz_status *status)
{
    json_error_t where;
    if (r->size >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) {
        *status = gzi_fail(
            r->error, GZ_EFORMAT,
            "%.120s:1:1: begins with a byte-order mark: save it as UTF-8 without one", r->label);
        return NULL;
    }
    json_t *root =
        json_loadb(r->text, r->size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &where);
    *status = GZ_OK;
    if (!root && json_error_code(&where) == json_error_out_of_memory)
        *status = gzi_fail(r->error, GZ_ENOMEM, "%.120s: out of memory", r->label);
    else if (!root)
        *status = gzi_fail(r->error, GZ_EFORMAT, "%.120s:%d:%d: %s", r->label,
                           where.line > 0 ? where.line : 1, where.column > 0 ? where.column : 1,
                           where.text);
    else if (!json_is_object(root))
        *status = fail_at(r, NULL, NULL, "must be a JSON object");
    if (*status) {
        json_decref(root);
        return NULL;
    }
    return root;
}

/* Reads the JSON of a file into a structure; its root is the reader's object. */
typedef gz_status read_root(const struct reader *r, json_t *root, void *into);

static gz_status parse_text(const char *text, size_t size, const char *label, read_root *read,
                            void *into, gz_error *error)
{
    if (!text || !label || !into)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    struct reader r = {text, size, label, error, 0};
    r.object = skip_space(&r, 0);
    gz_status status;
    json_t *root = parse(&r, &status);
    if (!status)
        status = read(&r, root, into);
    json_decref(root);
    return status;
}

gz_status gz_device_parse(const char *text, size_t size, const char *label, gz_device *dev,
                          gz_error *error)
{
    return parse_text(text, size, label, read_device, dev, error);
}

gz_status gz_app_parse(const char *text, size_t size, const char *label, gz_app *app,
                       gz_error *error)
{
    return parse_text(text, size, label, read_app, app, error);
}

/* Reads a whole file into memory that the caller frees. */
static gz_status read_file(const char *path, char **text, size_t *size, gz_error *error)
{
    FILE *file = gzi_open_input(path);
    if (!file)
        return gzi_fail(error, GZ_EIO, "%.200s: %s", path, gzi_open_why(errno));
    *text = malloc(FILE_SIZE_MAX + 1);
    *size = *text ? fread(*text, 1, FILE_SIZE_MAX + 1, file) : 0;
    gz_status status = GZ_OK;
    if (!*text)
        status = gzi_fail(error, GZ_ENOMEM, "%.200s: out of memory", path);
    else if (ferror(file))
        status = gzi_fail(error, GZ_EIO, "%.200s: %s", path, gzi_open_why(errno));
    else if (*size > FILE_SIZE_MAX)
        status =
            gzi_fail(error, GZ_EFORMAT,
                     "%.200s: more than %zu bytes: a parameter file must have at most that many",
                     path, FILE_SIZE_MAX);
    fclose(file);
    if (status)
        free(*text);
    return status;
}

/* The device whose applications are taken for devices that have none of their own; and the paper's.
 */
static const char default_device[] = "generic-gpu", papers_device[] = "gtx280";

/* The entry of that name in any case, of a device if that is given; NULL if there is none. */
static const struct gzi_builtin *find_builtin(const struct gzi_builtin *list, const char *device,
                                              const char *name)
{
    for (; list->name; list++)
        if (strcasecmp(list->name, name) == 0 && (!device || strcmp(list->device, device) == 0))
            return list;
    return NULL;
}

/* Writes the names of the built-ins that are at least so near to `asked`, 0 for all, with "..." in
 * the place of what has no room; how many there are. */
static int list_names(const struct gzi_builtin *list, const char *device, const char *asked,
                      int nearness, char *names, size_t size)
{
    static const char more[] = ", ...";
    size_t used = 0;
    int count = 0;
    for (names[0] = '\0'; list->name; list++) {
        if ((device && strcmp(list->device, device) != 0) ||
            gzi_nearness(asked, list->name) < nearness)
            continue;
        count++;
        if (used + strlen(list->name) + 2 + sizeof more > size) {
            memcpy(names + used, more, sizeof more);
            break;
        }
        used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "", list->name);
    }
    return count;
}

/* No file of that name: a path that names no file, or a misspelt built-in; says which may be meant,
 * or else which there are. */
static gz_status unknown_name(const char *kind, const struct gzi_builtin *list, const char *device,
                              const char *name, gz_error *error)
{
    char names[300];
    int nearness = 2;
    while (!list_names(list, device, name, nearness, names, sizeof names) && nearness > 0)
        nearness--;
    if (nearness > 0)
        return gzi_fail(error, GZ_EUNKNOWN,
                        "%.120s: no such file, and no built-in %s: did you mean %s?", name, kind,
                        names);
    return gzi_fail(error, GZ_EUNKNOWN, "%.120s: no such file, and no built-in %s (those are: %s)",
                    name, kind, names);
}

/* A kind of files: its built-in ones, those of one device for messages, and its reader. */
struct kind {
    const char *name;
    const struct gzi_builtin *list;
    const char *device;
    read_root *read;
};
static const struct kind devices = {"device", gzi_builtin_devices, NULL, read_device},
                         apps = {"application", gzi_builtin_apps, default_device, read_app};

/* Opens a file whose name is no built-in's. */
static gz_status open_file(const struct kind *kind, const char *path, void *into, gz_error *error)
{
    char *text = NULL;
    size_t size = 0;
    gz_status status = read_file(path, &text, &size, error);
    if (status)
        return status == GZ_EIO && errno == ENOENT
                   ? unknown_name(kind->name, kind->list, kind->device, path, error)
                   : status;
    status = parse_text(text, size, path, kind->read, into, error);
    free(text);
    return status;
}

/* Opens a built-in, or a file. */
static gz_status open_any(const struct kind *kind, const char *name_or_path, void *into,
                          gz_error *error)
{
    const struct gzi_builtin *found = find_builtin(kind->list, NULL, name_or_path);
    return found
               ? parse_text(found->text, strlen(found->text), name_or_path, kind->read, into, error)
               : open_file(kind, name_or_path, into, error);
}

gz_status gz_device_open(const char *name_or_path, gz_device *dev, gz_error *error)
{
    if (!name_or_path)
        return gzi_fail(error, GZ_EARGUMENT, "no device named (a null pointer)");
    return open_any(&devices, name_or_path, dev, error);
}

/* A network has few quantities, which nothing else uses. */
static const gzi_range at_least_0 = {0, 1e300, 0, 0}, positive = {0, 1e300, 1, 0};
#define QUANTITY(member, unit_, range_, optional_)                                                 \
    {                                                                                              \
        .place = GZI_DEVICE, .about = {.unit = unit_}, .key = #member,                             \
        .offset = offsetof(gz_network, member), .range = &range_, .optional = optional_            \
    }
static const gzi_spec network_quantities[] = {
    QUANTITY(latency, "s", at_least_0, 0),
    QUANTITY(message_cost, "s", at_least_0, 0),
    QUANTITY(bandwidth, "B/s", positive, 0),
    QUANTITY(pack_bandwidth, "B/s", positive, 1),
    {.place = GZI_NOWHERE},
};
#undef QUANTITY

static gz_status read_network(const struct reader *r, json_t *root, void *into)
{
    gz_network *net = into;
    const char *known[sizeof network_quantities / sizeof *network_quantities + 3] = {
        "schema", "name", "note"};
    add_keys(network_quantities, GZI_DEVICE, known, 3);
    *net = (gz_network){.name = ""};
    gz_status status = read_head(r, root, "gzmodel-network-1", known, net->name);
    return status ? status : read_members(r, root, network_quantities, GZI_DEVICE, net);
}

gz_status gz_network_open(const char *name_or_path, gz_network *net, gz_error *error)
{
    static const struct kind networks = {"network", gzi_builtin_networks, NULL, read_network};
    if (!name_or_path || !net)
        return gzi_fail(error, GZ_EARGUMENT, "no network named (a null pointer)");
    return open_any(&networks, name_or_path, net, error);
}

/* Whether a text names a file and cannot be a built-in's key. */
static int is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

/* Opens the application `name` in the folder of the file of a device. GZ_EUNKNOWN, and nothing
 * said, if there is none. */
static gz_status open_beside(const char *device, const char *name, gz_app *app, gz_error *error)
{
    const char *slash = strrchr(device, '/');
    size_t folder = slash ? (size_t)(slash - device) + 1 : 0;
    size_t size = folder + strlen(name) + sizeof ".json";
    char *path = malloc(size);
    if (!path)
        return gzi_fail(error, GZ_ENOMEM, "%.120s: out of memory", name);
    snprintf(path, size, "%.*s%s.json", (int)folder, device, name);
    gz_status status = strcmp(path, device) == 0 || access(path, F_OK) != 0
                           ? GZ_EUNKNOWN
                           : open_file(&apps, path, app, error);
    free(path);
    return status;
}

/* Adds what a stencil reads, which no device changes, to an application whose file does not say so:
 * from the built-in one of its name, if that is as wide. */
static gz_status complete(const char *name, gz_app *app, gz_error *error)
{
    static const char *const facts[] = {"tile_reads",   "own_column",  "column_reads",
                                        "coefficients", "older_state", "fields"};
    const struct gzi_builtin *found = find_builtin(gzi_builtin_apps, default_device, name);
    gz_app same;
    if (!found || !isnan(gz_app_get(app, "tile_reads")))
        return GZ_OK;
    gz_status status = gz_app_parse(found->text, strlen(found->text), name, &same, error);
    if (status || same.dim != app->dim ||
        memcmp(same.halo_width, app->halo_width, sizeof same.halo_width) != 0)
        return status;
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        int param = gz_param_by_name(facts[k]);
        gz_quantity *own = gz_param_quantity(NULL, app, param);
        if (!gz_quantity_stated(own))
            *own = *gz_param_quantity(NULL, &same, param);
    }
    return GZ_OK;
}

/* Whether no device is named, or one that does not state how many threads a warp has, which only
 * the paper's model describes. */
static int is_of_2011(const char *device)
{
    gz_device dev;
    return !device ||
           (gz_device_open(device, &dev, NULL) == GZ_OK && !gz_quantity_stated(&dev.warp_size));
}

gz_status gz_app_open(const char *name_or_path, const char *device, gz_app *app, gz_error *error)
{
    if (!name_or_path)
        return gzi_fail(error, GZ_EARGUMENT, "no application named (a null pointer)");
    if (!app)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    if (is_path(name_or_path))
        return open_file(&apps, name_or_path, app, error);
    const struct gzi_builtin *found = NULL;
    if (device && find_builtin(gzi_builtin_devices, NULL, device)) {
        found = find_builtin(gzi_builtin_apps, device, name_or_path);
    } else if (device) {
        gz_status status = open_beside(device, name_or_path, app, error);
        if (status != GZ_EUNKNOWN)
            return status ? status : complete(name_or_path, app, error);
    }
    if (!found && is_of_2011(device))
        found = find_builtin(gzi_builtin_apps, papers_device, name_or_path);
    if (!found)
        found = find_builtin(gzi_builtin_apps, default_device, name_or_path);
    if (!found)
        return open_file(&apps, name_or_path, app, error);
    gz_status status = gz_app_parse(found->text, strlen(found->text), name_or_path, app, error);
    return status ? status : complete(name_or_path, app, error);
}

/* The device at `index`, or the application at `index` of those of `device`, if that is given; the
 * null entry past the last. */
static const struct gzi_builtin *builtin_of(const char *device, size_t index)
{
    const struct gzi_builtin *list = device ? gzi_builtin_apps : gzi_builtin_devices;
    for (; list->name; list++)
        if ((!device || strcmp(list->device, device) == 0) && index-- == 0)
            break;
    return list;
}

const char *gz_builtin_name(const char *device, size_t index)
{
    return builtin_of(device, index)->name;
}

const char *gz_builtin_text(const char *device, size_t index)
{
    return builtin_of(device, index)->text;
}

/* Drivers of before 2021 leave the vendor's name out. */
static const char *without_vendor(const char *name)
{
    static const char vendor[] = "NVIDIA ";
    return strncmp(name, vendor, sizeof vendor - 1) == 0 ? name + sizeof vendor - 1 : name;
}

/* Whether the file lists the driver's name. */
static int answers_to(const char *text, const char *driver_name)
{
    /* Few files hold the name at all, so that few are parsed. */
    if (!strstr(text, without_vendor(driver_name)))
        return 0;
    json_t *root = json_loads(text, 0, NULL);
    const json_t *name;
    size_t k;
    int found = 0;
    json_array_foreach(json_object_get(root, "drivers"), k, name) found =
        found || strcmp(without_vendor(json_string_value(name)), without_vendor(driver_name)) == 0;
    json_decref(root);
    return found;
}

const char *gz_builtin_of_driver(const char *driver_name)
{
    const struct gzi_builtin *entry = gzi_builtin_devices;
    while (driver_name && entry->name && !answers_to(entry->text, driver_name))
        entry++;
    return driver_name ? entry->name : NULL;
}
