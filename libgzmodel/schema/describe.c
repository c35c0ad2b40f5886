/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * describe - the texts that follow from the table of quantities: what the two JSON Schemas say of
 * them, the lists in gzmodel-files(5), and the table of gz2's page. For developers (`make texts`);
 * not installed. It reads a text and prints it with those parts rewritten; a test compares both.
 *
 *     describe device < device.schema.json
 *     describe app < app.schema.json
 *     describe manual < gzmodel-files.5
 *     describe page < README.md
 */
#include "quantities.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- schemas */

static json_t *number(double value)
{
    return fabs(value) <= 1e15 ? json_integer((json_int_t)value) : json_real(value);
}

/* What a value may be. */
static json_t *range_of(const gzi_range *range)
{
    json_t *schema = json_pack("{s:s}", "type", "number");
    if (range->whole)
        json_object_set_new(schema, "multipleOf", number(1));
    json_object_set_new(schema, range->above_min ? "exclusiveMinimum" : "minimum",
                        number(range->min));
    json_object_set_new(schema, "maximum", number(range->max));
    return schema;
}

/* A quantity; in an application one of unit 1 may be a plain number. */
static json_t *property_of(const gzi_spec *spec)
{
    int has_symbol = spec->about.group == GZ_GROUP_MODEL;
    json_t *text = json_sprintf("%s%s%s", has_symbol ? spec->about.symbol : "",
                                has_symbol ? ": " : "", spec->about.meaning);
    json_t *quantity =
        json_pack("{s:[{s:s}], s:{s:o, s:{s:s}}}", "allOf", "$ref", "#/definitions/quantity",
                  "properties", "value", range_of(spec->range), "unit", "const", spec->about.unit);
    if (spec->place == GZI_DEVICE || strcmp(spec->about.unit, "1") != 0)
        json_object_set_new(quantity, "description", text);
    else
        quantity = json_pack("{s:[o,o], s:o}", "anyOf", range_of(spec->range), quantity,
                             "description", text);
    return quantity;
}

/* Rewrites the quantities of a place in the schema of the object that holds them. */
static void describe_quantities(json_t *schema, enum gzi_place place)
{
    json_t *properties = json_object_get(schema, "properties"), *property;
    json_t *required = json_object_get(schema, "required");
    const char *key;
    void *next;
    json_object_foreach_safe(properties, next, key, property)
    {
        if (json_object_get(property, "allOf") || json_object_get(property, "anyOf"))
            json_object_del(properties, key);
    }
    for (size_t i = json_array_size(required); i-- > 0;)
        if (!json_object_get(properties, json_string_value(json_array_get(required, i))))
            json_array_remove(required, i);
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++) {
        if (spec->place != place)
            continue;
        json_object_set_new(properties, spec->key, property_of(spec));
        if (!spec->optional)
            json_array_append_new(required, json_string(spec->key));
    }
}

/* The schema at a path of keys, which NULL ends. */
static json_t *schema_at(json_t *root, const char *const *path)
{
    for (; *path; path++)
        root = json_object_get(root, *path);
    return root;
}

/* On one line if that is not long; else a member a line. */
static void print(const json_t *value, int indent)
{
    enum { LONG = 120 };
    char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    const char *key, *before = "{";
    json_t *member;
    if (!json_is_object(value) || strlen(line) <= LONG) {
        fputs(line, stdout);
    } else {
        json_object_foreach((json_t *)value, key, member)
        {
            printf("%s\n%*s\"%s\": ", before, indent + 2, "", key);
            print(member, indent + 2);
            before = ",";
        }
        printf("\n%*s}", indent, "");
    }
    free(line);
}

static int put_schema(enum gzi_place place)
{
    static const char *const profile[] = {"properties", "profile", NULL},
                             *const halo[] = {"properties", "halo_width", NULL},
                             *const origin[] = {"definitions", "quantity", "properties", "origin",
                                                NULL};
    json_t *root = json_loadf(stdin, 0, NULL), *origins = json_array();
    for (int k = GZ_ORIGIN_NONE + 1; gz_name(GZ_ORIGINS, k); k++)
        json_array_append_new(origins, json_string(gz_name(GZ_ORIGINS, k)));
    json_object_set_new(schema_at(root, origin), "enum", origins);
    describe_quantities(root, place);
    if (place == GZI_APP) {
        describe_quantities(schema_at(root, profile), GZI_PROFILE);
        json_object_set_new(schema_at(root, halo), "items",
                            range_of(gzi_quantities[GZ_P_HALO_WIDTH].range));
    }
    if (!root)
        return fputs("describe: the schema is no JSON\n", stderr), 2;
    print(root, 0);
    putchar('\n');
    json_decref(root);
    return 0;
}

/* --------------------------------------------------------------------------------------- manual */

static void put_item(const gzi_spec *spec)
{
    char range[96];
    gzi_range_text(spec->range, range, sizeof range);
    printf(".It Li %s\n%s%s%s%s.\n%s, %s.\n", spec->key, spec->optional ? "Optional.\n" : "",
           spec->about.group == GZ_GROUP_MODEL ? spec->about.symbol : "",
           spec->about.group == GZ_GROUP_MODEL ? ": " : "", spec->about.meaning, spec->about.unit,
           range);
}

/* gz2's times, rates and sizes: rows of a table in Markdown. */
static int put_parameters(void)
{
    puts("| symbol | key | unit | meaning |\n|---|---|---|---|");
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++) {
        int count = strcmp(spec->about.unit, "1") == 0 && strlen(spec->about.symbol) > 1;
        if (strncmp(spec->about.meaning, "gz2", 3) == 0 && !count)
            printf("| %s | `%s` | %s | %s |\n", spec->about.symbol, spec->key, spec->about.unit,
                   spec->about.meaning + strcspn(spec->about.meaning, ":,") + 2);
    }
    return 1;
}

/* The items of a list by its name; zero if there is no such list. */
static int put_list(const char *name)
{
    static const struct {
        const char *name;
        enum gzi_place place;
        int records; /* those that are recorded only, or the others */
    } lists[] = {{"device", GZI_DEVICE, 0},
                 {"record", GZI_DEVICE, 1},
                 {"application", GZI_APP, 0},
                 {"profile", GZI_PROFILE, 0}};
    if (strcmp(name, "gz2") == 0)
        return put_parameters();
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (strcmp(name, lists[k].name) == 0) {
            for (const gzi_spec *spec = gzi_quantities; spec->place; spec++)
                if (spec->place == lists[k].place &&
                    (spec->about.group == GZ_GROUP_RECORD) == lists[k].records)
                    put_item(spec);
            return 1;
        }
    return 0;
}

/* Copies a page, but for what is between `begin`NAME and `end`, which is rewritten. */
static int put_page(const char *begin, const char *end)
{
    char line[1000];
    int inside = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, end) == 0)
            inside = 0;
        if (!inside)
            fputs(line, stdout);
        if (strncmp(line, begin, strlen(begin)) == 0) {
            char *name = line + strlen(begin);
            name[strcspn(name, " \n")] = '\0';
            inside = 1;
            if (!put_list(name)) {
                fprintf(stderr, "describe: there is no list \"%s\"\n", name);
                return 2;
            }
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "manual") == 0)
        return put_page(".\\\" list ", ".\\\" end\n");
    if (argc == 2 && strcmp(argv[1], "page") == 0)
        return put_page("<!-- list ", "<!-- end -->\n");
    if (argc == 2 && strcmp(argv[1], "device") == 0)
        return put_schema(GZI_DEVICE);
    if (argc == 2 && strcmp(argv[1], "app") == 0)
        return put_schema(GZI_APP);
    return fputs("usage: describe device|app|manual|page < TEXT\n", stderr), 2;
}
