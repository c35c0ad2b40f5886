/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * describe - the texts that follow from the table of quantities: the two JSON Schemas the lists
 * of quantities in gzmodel-files(5), and the table of gz2's page. For developers
 * (`make texts`); not installed. A test compares its output with the files.
 *
 *     describe device | describe app      a schema
 *     describe manual < gzmodel-files.5   the page with its lists rewritten
 *     describe page < README.md            gz2's page, with its table rewritten
 */
#include "quantities.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- schemas */

static void put_number(double value)
{
    if (value >= DBL_MAX)
        printf("1.7976931348623157e308");
    else
        printf("%g", value);
}

/* What a value may be. */
static void put_range(const gzi_range *range)
{
    printf("{\"type\": \"number\", %s\"%s\": ", range->whole ? "\"multipleOf\": 1, " : "",
           range->above_min ? "exclusiveMinimum" : "minimum");
    put_number(range->min);
    printf(", \"maximum\": ");
    put_number(range->max);
    printf("}");
}

/* A quantity as an object. */
static void put_object(const gzi_spec *spec, const char *indent)
{
    printf("%s\"allOf\": [{\"$ref\": \"#/definitions/quantity\"}],\n%s\"properties\": {\n%s  "
           "\"value\": ",
           indent, indent, indent);
    put_range(spec->range);
    printf(",\n%s  \"unit\": {\"const\": \"%s\"}\n%s}\n", indent, spec->about.unit, indent);
}

/* A member of a schema; in an application a quantity of unit 1 may be a plain number. */
static void put_property(const gzi_spec *spec, const char *indent)
{
    char inner[20], innermost[20];
    snprintf(inner, sizeof inner, "%s  ", indent);
    snprintf(innermost, sizeof innermost, "%s    ", indent);
    printf("%s\"%s\": {\n%s\"description\": \"%s%s%s\",\n", indent, spec->key, inner,
           spec->about.group == GZ_GROUP_MODEL ? spec->about.symbol : "",
           spec->about.group == GZ_GROUP_MODEL ? ": " : "", spec->about.meaning);
    if (spec->place == GZI_DEVICE || strcmp(spec->about.unit, "1") != 0) {
        put_object(spec, inner);
    } else {
        printf("%s\"anyOf\": [\n%s", inner, innermost);
        put_range(spec->range);
        printf(",\n%s{\n", innermost);
        char deepest[20];
        snprintf(deepest, sizeof deepest, "%s      ", indent);
        put_object(spec, deepest);
        printf("%s}\n%s]\n", innermost, inner);
    }
    printf("%s}", indent);
}

/* The members of a place; `after` follows the last. */
static void put_properties(enum gzi_place place, const char *indent, const char *after)
{
    const char *separator = "";
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++)
        if (spec->place == place) {
            printf("%s", separator);
            put_property(spec, indent);
            separator = ",\n";
        }
    printf("%s\n", after);
}

/* The keys of a place that must be there, each behind a comma. */
static void put_required(enum gzi_place place, const char *indent)
{
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++)
        if (spec->place == place && !spec->optional)
            printf(",\n%s\"%s\"", indent, spec->key);
}

static void put_head(const char *kind, const char *description)
{
    printf("{\n"
           "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
           "  \"title\": \"gzmodel %s file, gzmodel-%s-1\",\n"
           "  \"description\": \"%s What a schema cannot say and the reader checks besides: no key "
           "twice, and names of 63 bytes where maxLength counts characters.\",\n"
           "  \"type\": \"object\",\n"
           "  \"required\": [\n    \"schema\",\n    \"name\"",
           strcmp(kind, "app") == 0 ? "application" : kind, kind, description);
}

static void put_texts(const char *kind)
{
    printf("\n  ],\n"
           "  \"additionalProperties\": false,\n"
           "  \"properties\": {\n"
           "    \"schema\": {\"const\": \"gzmodel-%s-1\"},\n"
           "    \"name\": {\"type\": \"string\", \"minLength\": 1, \"maxLength\": 63},\n"
           "    \"note\": {\"type\": \"string\"},\n",
           kind);
    if (strcmp(kind, "device") == 0)
        printf("    \"drivers\": {\"type\": \"array\", \"minItems\": 1, "
               "\"items\": {\"type\": \"string\", \"minLength\": 1}},\n");
}

/* What is common to all quantities. */
static void put_definitions(const char *required)
{
    printf("  \"definitions\": {\n"
           "    \"quantity\": {\n"
           "      \"type\": \"object\",\n"
           "      \"required\": [%s],\n"
           "      \"additionalProperties\": false,\n"
           "      \"properties\": {\n"
           "        \"value\": true,\n"
           "        \"unit\": {\"type\": \"string\"},\n"
           "        \"origin\": {\"enum\": [",
           required);
    for (int k = GZ_ORIGIN_NONE + 1; gz_name(GZ_ORIGINS, (gz_origin)k); k++)
        printf("%s\"%s\"", k > GZ_ORIGIN_NONE + 1 ? ", " : "", gz_name(GZ_ORIGINS, (gz_origin)k));
    printf("]},\n"
           "        \"sd\": {\n"
           "          \"description\": \"standard deviation, in the unit of the value\",\n"
           "          \"type\": \"number\", \"minimum\": 0, \"maximum\": ");
    put_number(DBL_MAX);
    printf("\n        },\n"
           "        \"meaning\": {\"type\": \"string\"},\n"
           "        \"note\": {\"type\": \"string\"}\n"
           "      }\n"
           "    }\n"
           "  }\n"
           "}\n");
}

static void put_device(void)
{
    put_head("device", "A GPU as Meng and Skadron's model sees it, in SI base units.");
    put_required(GZI_DEVICE, "    ");
    put_texts("device");
    put_properties(GZI_DEVICE, "    ", "");
    printf("  },\n");
    put_definitions("\"value\", \"unit\", \"origin\"");
}

static void put_app(void)
{
    const gzi_spec *halo = gzi_quantities + GZ_P_HALO_WIDTH;
    put_head("app", "A stencil and its one profiling run, as in Table 2 of Meng and Skadron's "
                    "paper. A dimensionless quantity is a plain number or an object with value "
                    "and unit.");
    put_required(GZI_APP, "    ");
    printf(",\n    \"halo_width\",\n    \"profile\"");
    put_texts("app");
    printf("    \"device\": {\n"
           "      \"description\": \"in older files: the device of the profile\",\n"
           "      \"type\": \"string\", \"minLength\": 1, \"maxLength\": 63\n"
           "    },\n"
           "    \"halo_width\": {\n"
           "      \"description\": \"HaloWidth_i: %s; one per dimension, the fastest varying "
           "first\",\n"
           "      \"type\": \"array\",\n"
           "      \"minItems\": 1,\n"
           "      \"maxItems\": %d,\n"
           "      \"items\": ",
           halo->about.meaning, GZ_MAX_DIM);
    put_range(halo->range);
    printf(",\n"
           "      \"contains\": {\"type\": \"number\", \"minimum\": 1}\n"
           "    },\n");
    put_properties(GZI_APP, "    ", ",");
    printf("    \"profile\": {\n"
           "      \"description\": \"what was counted in one profiling run\",\n"
           "      \"type\": \"object\",\n"
           "      \"required\": [");
    const char *separator = "";
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++)
        if (spec->place == GZI_PROFILE && !spec->optional) {
            printf("%s\"%s\"", separator, spec->key);
            separator = ", ";
        }
    printf("],\n"
           "      \"additionalProperties\": false,\n"
           "      \"properties\": {\n"
           "        \"device\": {\n"
           "          \"description\": \"name of the device of the run\",\n"
           "          \"type\": \"string\", \"minLength\": 1, \"maxLength\": 63\n"
           "        },\n");
    put_properties(GZI_PROFILE, "        ", "");
    printf("      }\n"
           "    }\n"
           "  },\n");
    put_definitions("\"value\", \"unit\"");
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
        put_device();
    else if (argc == 2 && strcmp(argv[1], "app") == 0)
        put_app();
    else
        return fputs("usage: describe device|app|manual|page\n", stderr), 2;
    return 0;
}
