/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vcycle_measured - a V-cycle's time by level on a device, with every depth that is the same on all
 * levels, with the model's depths, and with those that were fastest; and what the model expected.
 */
#include "multigrid_run.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

enum { TURNS = 4, CYCLES = 4, MOST = 4 };

static const multigrid_kind kinds[] = {
    {"Star7", GZM_7_POINT, GZM_DIRICHLET, GZM_RED_BLACK, false, 2},
    {"Star7vc", GZM_VARIABLE, GZM_DIRICHLET, GZM_RED_BLACK, false, 2},
    {"Box27", GZM_27_POINT, GZM_PERIODIC, GZM_JACOBI, false, 4}};

/* A way to run: each level's seconds in a cycle by part, and the model's. */
typedef struct timed_way {
    int levels, depth[GZM_MAX_LEVELS];
    int extent[GZM_MAX_LEVELS];
    double seconds[GZM_MAX_LEVELS][GZM_PARTS];
    double predicted[GZM_MAX_LEVELS];
} timed_way;

/* The median over the turns of what each part takes in a cycle. */
static void time_way(multigrid_run *run, int turns, timed_way *out)
{
    double took[GZM_MAX_LEVELS][GZM_PARTS][TURNS];
    struct gzm_level_report before, after;
    double last[GZM_MAX_LEVELS][GZM_PARTS];

    out->levels = gzm_levels(run->mg);
    for (int turn = 0; turn < turns; turn++) {
        multigrid_put(run);
        for (int k = 0; k < out->levels; k++) {
            gzm_report(run->mg, k, &before);
            memcpy(last[k], before.seconds, sizeof last[k]);
        }
        for (int cycle = 0; cycle < CYCLES; cycle++)
            multigrid_cycle(run, GZM_V, false);
        for (int k = 0; k < out->levels; k++) {
            gzm_report(run->mg, k, &after);
            out->depth[k] = after.on_host ? 0 : after.config.height;
            out->extent[k] = after.size[0];
            for (int part = 0; part < GZM_PARTS; part++)
                took[k][part][turn] = (after.seconds[part] - last[k][part]) / CYCLES;
        }
    }
    for (int k = 0; k < out->levels; k++)
        for (int part = 0; part < GZM_PARTS; part++) {
            cli_sort(took[k][part], (size_t)turns);
            out->seconds[k][part] = cli_quantile(took[k][part], (size_t)turns, 0.5);
        }
}

static void measure(device_study *s, const multigrid_kind *kind, int extent, const int *depth,
                    timed_way *out)
{
    multigrid_run run;
    gz_vcycle_time time;
    struct gzk_error error;

    multigrid_open(s, kind, extent, depth, &run);
    time_way(&run, s->small ? 1 : TURNS, out);
    if (gzm_expect(s->device, GZM_V, &run.setup, 0, &time, &error) != 0)
        time.levels = 0;
    for (int k = 0; k < out->levels; k++) {
        out->predicted[k] = 0;
        for (int part = 0; part < GZ_PART_COUNT && k < time.levels; part++)
            out->predicted[k] += time.level[k].seconds[part];
    }
    multigrid_close(&run);
}

/* A row a level on the device, and one for all on the host. */
static void rows_of(device_study *s, const char *app, const char *name, const timed_way *way)
{
    double from = 0, predicted = 0;
    for (int k = 0; k < way->levels; k++) {
        const double *t = way->seconds[k];
        double smooth = t[GZM_SMOOTH], between = t[GZM_RESTRICTION] + t[GZM_PROLONGATION];
        double rest = t[GZM_NORM];
        predicted += way->predicted[k];
        if (way->depth[k] == 0) {
            smooth = between = rest = 0;
            for (int j = k; j < way->levels; j++)
                for (int part = 0; part < GZM_PARTS; part++)
                    rest += way->seconds[j][part];
            for (int j = k + 1; j < way->levels; j++)
                predicted += way->predicted[j];
        }
        study_row(&s->table, STUDY_TEXT(app, name),
                  STUDY_NUMBERS(way->extent[k], way->depth[k], smooth, between, rest, from,
                                from + smooth + between + rest, predicted));
        from += smooth + between + rest;
        if (way->depth[k] == 0)
            break;
    }
}

static double cycle_of(const timed_way *way)
{
    double sum = 0;
    for (int k = 0; k < way->levels; k++)
        for (int part = 0; part < GZM_PARTS; part++)
            sum += way->seconds[k][part];
    return sum;
}

static void kind_rows(device_study *s, const multigrid_kind *kind, int extent)
{
    timed_way each[MOST + 1], model, best;
    int depth[GZM_MAX_LEVELS] = {0}, fixed = 1;
    char name[32];

    for (int d = 1; d <= MOST; d++) {
        for (int k = 0; k < GZM_MAX_LEVELS; k++)
            depth[k] = d;
        measure(s, kind, extent, depth, &each[d]);
        fixed = cycle_of(&each[d]) < cycle_of(&each[fixed]) ? d : fixed;
        snprintf(name, sizeof name, "depth %d", d);
        rows_of(s, kind->name, name, &each[d]);
    }
    rows_of(s, kind->name, "one depth", &each[fixed]);
    measure(s, kind, extent, NULL, &model);
    rows_of(s, kind->name, "model", &model);
    for (int k = 0; k < model.levels; k++) {
        depth[k] = 1;
        for (int d = 2; d <= MOST; d++)
            if (each[d].seconds[k][GZM_SMOOTH] < each[depth[k]].seconds[k][GZM_SMOOTH])
                depth[k] = d;
    }
    measure(s, kind, extent, depth, &best);
    rows_of(s, kind->name, "fastest", &best);
}

static void rows(device_study *s)
{
    int extent = s->small ? 32 : 128;
    study_note(&s->table,
               "%d cells a side, double; 4 loops before and after the correction: two "
               "red-black sweeps, or four of Jacobi's (Box27)",
               extent);
    study_note(&s->table,
               "each part's median over %d turns of %d cycles; tiles are those of the "
               "model at that depth; fastest: each level's depth that smoothed it "
               "fastest, run again together",
               TURNS, CYCLES);
    for (size_t k = 0; k < (s->small ? 1 : sizeof kinds / sizeof *kinds); k++)
        kind_rows(s, &kinds[k], extent);
}

int main(int argc, char **argv)
{
    static const study_spec spec = {
        .name = "vcycle_measured",
        .what = "a V-cycle's time by level, measured: one depth for all levels, the model's, and "
                "the fastest",
        .source = "gzmg, gz_vcycle (libgzmodel/search/vcycle.md); P. Basu 2016, Section 4.2",
        .columns = {{"app", "text", "smoother"},
                    {"way", "text",
                     "depth 1 to 4; one depth: the fastest of these; model: gzmg's own choice; "
                     "fastest: by level"},
                    {"extent", "elements", "cells a side of the level; of the host's, the finest"},
                    {"depth", "loops", "of a launch; 0: the levels on the host"},
                    {"smooth", "s", "smoothing in a cycle"},
                    {"between", "s", "residual, restriction, interpolation and correction"},
                    {"rest", "s", "the norm of the finest residual; all of the host's levels"},
                    {"from", "s", "where the level begins in a stack of all, the finest below"},
                    {"to", "s", "and where it ends"},
                    {"predicted", "s", "where it ends by the model"}},
    };
    return device_study_run(argc, argv, &spec, rows);
}
