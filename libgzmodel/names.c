/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * names.c - the names of the enumerations' values, for files, options and people, and the
 * version.
 */
#include "gzmodel/searches.h"
#include "model.h"
#include "tiling.h"

#include <string.h>

typedef struct name {
    const char *name, *summary;
} name;

static const name syncs[] = {
    [GZ_SYNC_RESTART] = {"restart", "kernel restarts"},
    [GZ_SYNC_FENCE] = {"fence", "memory fences"},
    [GZ_SYNC_GRAPH] = {"graph", "kernels restarted from a graph"},
};

static const name taus[] = {
    [GZ_TAU_PRINTED] = {"printed", "instructions as in Eqs. 15 and 16"},
    [GZ_TAU_SCALED] = {"scaled", "instructions scaled by tau, as in Eq. 11"},
};

static const name stops[] = {
    [GZ_STOP_INTERIOR] = {"interior", "dCPL/dh is 0 there"},
    [GZ_STOP_LOWER] = {"lower", "CPL rises from the lower bound on"},
    [GZ_STOP_UPPER] = {"upper", "CPL falls up to the upper bound"},
    [GZ_STOP_WHOLE] = {"whole", "every whole height was tried"},
};

static const name origins[] = {
    [GZ_ORIGIN_NONE] = {"none", "not stated"},
    [GZ_ORIGIN_PAPER] = {"paper", "printed in Meng and Skadron's paper"},
    [GZ_ORIGIN_VENDOR] = {"vendor", "the vendor's data sheet"},
    [GZ_ORIGIN_QUERY] = {"query", "reported by the device's driver"},
    [GZ_ORIGIN_MEASURED] = {"measured", "timed on the device"},
    [GZ_ORIGIN_COUNTED] = {"counted", "read from counters or from a simulator"},
    [GZ_ORIGIN_FITTED] = {"fitted", "fitted to runs of the stencils"},
    [GZ_ORIGIN_DEFAULT] = {"default", "assumed"},
};

/* By minus the status. */
static const name statuses[] = {
    [-GZ_OK] = {"GZ_OK", "success"},
    [-GZ_EARGUMENT] = {"GZ_EARGUMENT", "a null pointer or an unknown enumeration value was passed"},
    [-GZ_EDEVICE] = {"GZ_EDEVICE", "a device quantity is missing, not finite or out of its range"},
    [-GZ_EAPP] = {"GZ_EAPP", "an application quantity is missing, not finite or out of its range"},
    [-GZ_ECONFIG] = {"GZ_ECONFIG", "a grid or block length is not finite or out of its range"},
    [-GZ_EBLOCK] = {"GZ_EBLOCK",
                    "the block is no longer than the halo, so no tile is left at height 1"},
    [-GZ_ETHREADS] = {"GZ_ETHREADS", "the block has more threads than the device allows"},
    [-GZ_EHEIGHT] = {"GZ_EHEIGHT", "the height leaves no tile, or the bounds leave no height"},
    [-GZ_EOVERFLOW] = {"GZ_EOVERFLOW", "a result is not a finite number"},
    [-GZ_ECONVERGE] = {"GZ_ECONVERGE", "the optimality condition could not be met"},
    [-GZ_EIO] = {"GZ_EIO", "a file could not be read"},
    [-GZ_EFORMAT] = {"GZ_EFORMAT", "a file does not follow its schema"},
    [-GZ_EUNKNOWN] = {"GZ_EUNKNOWN", "there is no built-in of that name, and no such file"},
    [-GZ_ELIMITS] = {"GZ_ELIMITS", "the limits on the tile are out of range or leave no tile"},
    [-GZ_ENOMEM] = {"GZ_ENOMEM", "out of memory"},
    [-GZ_EMODEL] = {"GZ_EMODEL", "the model does not describe that"},
};

static const name cycles[] = {
    [GZ_CYCLE_V] = {"v", "each coarser level once"},
    [GZ_CYCLE_W] = {"w", "each coarser level twice from the one before"},
    [GZ_CYCLE_F] = {"f", "an F-cycle and a V-cycle of each coarser level"},
};

static const name parts[] = {
    [GZ_PART_SMOOTH] = {"smooth", "the smoother's loops"},
    [GZ_PART_RESTRICT] = {"restrict", "the residual and its restriction"},
    [GZ_PART_PROLONG] = {"prolong", "the correction, interpolated"},
    [GZ_PART_NORM] = {"norm", "the residual's norm"},
    [GZ_PART_TAIL] = {"tail", "all of a level that one worker computes"},
};

/* The tables, by kind; models and variants have tables of their own. */
#define TABLE(names)                                                                               \
    {                                                                                              \
        names, (int)(sizeof names / sizeof *names)                                                 \
    }
static const struct {
    const name *names;
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

/* Name and summary of place k of a kind; NULL if there is none. */
static name at(gz_kind kind, long long k)
{
    static const name none = {NULL, NULL};
    if (!is_kind(kind) || k < 0 || k >= tables[kind].count)
        return none;
    static const name automatic = {"auto", "gz2 if the files have what it needs, else meng2011"};
    if (kind == GZ_MODELS && k == GZ_MODEL_AUTO)
        return automatic;
    if (kind == GZ_MODELS)
        return gzi_models[k] ? (name){gzi_models[k]->name, gzi_models[k]->summary} : none;
    if (kind == GZ_VARIANTS)
        return gzi_tilings[k] ? (name){gzi_tilings[k]->name, gzi_tilings[k]->summary} : none;
    return tables[kind].names[k];
}

static long long place_of(gz_kind kind, long value)
{
    return kind == GZ_STATUSES ? -(long long)value : value;
}

const char *gz_name(gz_kind kind, long value)
{
    return at(kind, place_of(kind, value)).name;
}

const char *gz_summary(gz_kind kind, long value)
{
    return at(kind, place_of(kind, value)).summary;
}

int gz_by_name(gz_kind kind, const char *wanted)
{
    for (int k = 0; wanted && is_kind(kind) && k < tables[kind].count; k++) {
        const char *found = at(kind, k).name;
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
    const char *text = gz_summary(GZ_STATUSES, status);
    return text ? text : "unknown status";
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
