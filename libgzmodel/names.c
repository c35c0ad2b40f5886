/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * names.c - the names of the enumerations' values, for files, options and people, and the
 * version.
 */
#include "gzmodel/searches.h"
#include "model.h"
#include "tiling.h"

#include <string.h>

static const char *const syncs[] = {
    [GZ_SYNC_RESTART] = "restart", [GZ_SYNC_FENCE] = "fence", [GZ_SYNC_GRAPH] = "graph"};

static const char *const taus[] = {[GZ_TAU_PRINTED] = "printed", [GZ_TAU_SCALED] = "scaled"};

static const char *const stops[] = {[GZ_STOP_INTERIOR] = "interior",
                                    [GZ_STOP_LOWER] = "lower",
                                    [GZ_STOP_UPPER] = "upper",
                                    [GZ_STOP_WHOLE] = "whole"};

static const char *const origins[] = {
    [GZ_ORIGIN_NONE] = "none",         [GZ_ORIGIN_PAPER] = "paper",
    [GZ_ORIGIN_VENDOR] = "vendor",     [GZ_ORIGIN_QUERY] = "query",
    [GZ_ORIGIN_MEASURED] = "measured", [GZ_ORIGIN_COUNTED] = "counted",
    [GZ_ORIGIN_FITTED] = "fitted",     [GZ_ORIGIN_DEFAULT] = "default"};

/* The statuses, by minus their number, and what each means. */
#define STATUSES(S)                                                                                \
    S(GZ_OK, "success")                                                                            \
    S(GZ_EARGUMENT, "a null pointer or an unknown enumeration value was passed")                   \
    S(GZ_EDEVICE, "a device quantity is missing, not finite or out of its range")                  \
    S(GZ_EAPP, "an application quantity is missing, not finite or out of its range")               \
    S(GZ_ECONFIG, "a grid or block length is not finite or out of its range")                      \
    S(GZ_EBLOCK, "the block is no longer than the halo, so no tile is left at height 1")           \
    S(GZ_ETHREADS, "the block has more threads than the device allows")                            \
    S(GZ_EHEIGHT, "the height leaves no tile, or the bounds leave no height")                      \
    S(GZ_EOVERFLOW, "a result is not a finite number")                                             \
    S(GZ_ECONVERGE, "the optimality condition could not be met")                                   \
    S(GZ_EIO, "a file could not be read")                                                          \
    S(GZ_EFORMAT, "a file does not follow its schema")                                             \
    S(GZ_EUNKNOWN, "there is no built-in of that name, and no such file")                          \
    S(GZ_ELIMITS, "the limits on the tile are out of range or leave no tile")                      \
    S(GZ_ENOMEM, "out of memory")                                                                  \
    S(GZ_EMODEL, "the model does not describe that")
#define NAME(status, text) [-(status)] = #status,
#define MEANING(status, text) [-(status)] = text,
static const char *const statuses[] = {STATUSES(NAME)};
static const char *const meanings[] = {STATUSES(MEANING)};

static const char *const cycles[] = {[GZ_CYCLE_V] = "v", [GZ_CYCLE_W] = "w", [GZ_CYCLE_F] = "f"};

static const char *const parts[] = {[GZ_PART_SMOOTH] = "smooth",
                                    [GZ_PART_RESTRICT] = "restrict",
                                    [GZ_PART_PROLONG] = "prolong",
                                    [GZ_PART_NORM] = "norm",
                                    [GZ_PART_TAIL] = "tail"};

/* The tables, by kind; models and variants have tables of their own. */
#define TABLE(names)                                                                               \
    {                                                                                              \
        names, (int)(sizeof names / sizeof *names)                                                 \
    }
static const struct {
    const char *const *names;
    int count;
} tables[] = {
    [GZ_SYNCS] = TABLE(syncs),           [GZ_TAUS] = TABLE(taus),
    [GZ_STOPS] = TABLE(stops),           [GZ_ORIGINS] = TABLE(origins),
    [GZ_STATUSES] = TABLE(statuses),     [GZ_MODELS] = {NULL, GZI_MODELS},
    [GZ_VARIANTS] = {NULL, GZI_TILINGS}, [GZ_CYCLES] = TABLE(cycles),
    [GZ_PARTS] = TABLE(parts),
};

static int is_kind(gz_kind kind)
{
    return (unsigned)kind < sizeof tables / sizeof *tables;
}

/* The name of place k of a kind; NULL if there is none. */
static const char *at(gz_kind kind, long long k)
{
    if (!is_kind(kind) || k < 0 || k >= tables[kind].count)
        return NULL;
    if (kind == GZ_MODELS && k == GZ_MODEL_AUTO)
        return "auto";
    if (kind == GZ_MODELS)
        return gzi_models[k] ? gzi_models[k]->name : NULL;
    if (kind == GZ_VARIANTS)
        return gzi_tilings[k] ? gzi_tilings[k]->name : NULL;
    return tables[kind].names[k];
}

static long long place_of(gz_kind kind, long value)
{
    return kind == GZ_STATUSES ? -(long long)value : value;
}

const char *gz_name(gz_kind kind, long value)
{
    return at(kind, place_of(kind, value));
}

int gz_by_name(gz_kind kind, const char *wanted)
{
    for (int k = 0; wanted && is_kind(kind) && k < tables[kind].count; k++) {
        const char *found = at(kind, k);
        if (found && strcmp(found, wanted) == 0)
            return (int)place_of(kind, k);
    }
    return GZ_NO_VALUE;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *gz_version(void)
{
    return TEXT(GZ_VERSION_MAJOR) "." TEXT(GZ_VERSION_MINOR) "." TEXT(GZ_VERSION_PATCH);
}

const char *gz_strerror(gz_status status)
{
    return gz_name(GZ_STATUSES, status) ? meanings[-status] : "unknown status";
}

const char *gz_term_name(gz_model model, int term)
{
    const gzi_model *found = gzi_model_of(model);
    return found && term >= 0 && term < found->term_count ? found->terms[term].name : NULL;
}

const char *gz_term_meaning(gz_model model, int term)
{
    const gzi_model *found = gzi_model_of(model);
    return found && term >= 0 && term < found->term_count ? found->terms[term].meaning : NULL;
}
