/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vcycle_measured - a V-cycle's time by level on a device, with every depth that is the same on all
 * levels, with the model's depths, and with those that were fastest; and what the model expected.
 */
#include "multigrid_run.h"
#include "numbers.h"

#include <math.h>

enum { TURNS = 4, CYCLES = 4, MOST = 4 };

static const multigrid_kind kinds[] = {
    {"Star7", GZM_7_POINT, GZM_DIRICHLET, GZM_RED_BLACK, false, 2},
    {"Star7vc", GZM_VARIABLE, GZM_DIRICHLET, GZM_RED_BLACK, false, 2},
    {"Box27", GZM_27_POINT, GZM_PERIODIC, GZM_JACOBI, false, 4}};

/* A way to run: each level's seconds in a cycle by part, and the model's. */
typedef struct timed_way {
    multigrid_run run;
    int levels, depth[GZM_MAX_LEVELS], extent[GZM_MAX_LEVELS];
    double took[GZM_MAX_LEVELS][GZM_PARTS][TURNS], seconds[GZM_MAX_LEVELS][GZM_PARTS];
    double predicted[GZM_MAX_LEVELS];
} timed_way;

static void take_turn(timed_way *way, int turn)
{
    struct gzm_level_report before[GZM_MAX_LEVELS] = {0}, after;

    multigrid_put(&way->run);
    for (int k = 0; k < way->levels; k++)
        gzm_report(way->run.mg, k, &before[k]);
    for (int cycle = 0; cycle < CYCLES; cycle++)
        multigrid_cycle(&way->run, GZ_CYCLE_V, false);
    for (int k = 0; k < way->levels; k++) {
        gzm_report(way->run.mg, k, &after);
        way->depth[k] = after.on_host ? 0 : after.config.height;
        way->extent[k] = after.size[0];
        for (int part = 0; part < GZM_PARTS; part++)
            way->took[k][part][turn] =
                (after.spent.seconds[part] - before[k].spent.seconds[part]) / CYCLES;
    }
}

static void conclude(device_study *s, timed_way *way, int turns)
{
    gz_vcycle_time time;
    struct gzk_error error;
    if (gzm_expect(s->device, GZ_CYCLE_V, &way->run.setup, 0, &time, &error) != 0)
        time.levels = 0;
    for (int k = 0; k < way->levels; k++) {
        for (int part = 0; part < GZM_PARTS; part++) {
            cli_sort(way->took[k][part], (size_t)turns);
            way->seconds[k][part] = cli_quantile(way->took[k][part], (size_t)turns, 0.5);
        }
        way->predicted[k] = 0;
        for (int part = 0; part < GZ_PART_COUNT && k < time.levels; part++)
            way->predicted[k] += time.level[k].seconds[part];
    }
    multigrid_close(&way->run);
}

/* `n` ways with these depths, by turns. */
static void measure(device_study *s, const multigrid_kind *kind, int n,
                    int depths[][GZM_MAX_LEVELS], timed_way *ways)
{
    int turns = s->small ? 1 : TURNS;
    for (int w = 0; w < n; w++) {
        multigrid_open_by_level(s, kind, s->small ? 32 : 128, depths[w], &ways[w].run);
        ways[w].levels = gzm_levels(ways[w].run.mg);
    }
    for (int turn = 0; turn < turns; turn++)
        for (int w = 0; w < n; w++)
            take_turn(&ways[w], turn);
    for (int w = 0; w < n; w++)
        conclude(s, &ways[w], turns);
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

static void kind_rows(device_study *s, const multigrid_kind *kind)
{
    static const char *const names[] = {"depth 1", "one depth", "model", "fastest"};
    static timed_way each[MOST], chosen[4];
    int depths[MOST][GZM_MAX_LEVELS], compared[4][GZM_MAX_LEVELS], fixed = 0;
    char name[32];

    for (int d = 0; d < MOST; d++)
        for (int k = 0; k < GZM_MAX_LEVELS; k++)
            depths[d][k] = d + 1;
    measure(s, kind, MOST, depths, each);
    for (int d = 0; d < MOST; d++) {
        fixed = cycle_of(&each[d]) < cycle_of(&each[fixed]) ? d : fixed;
        snprintf(name, sizeof name, "each: %d", d + 1);
        rows_of(s, kind->name, name, &each[d]);
    }
    for (int k = 0; k < GZM_MAX_LEVELS; k++) {
        compared[0][k] = compared[3][k] = 1;
        compared[1][k] = fixed + 1;
        compared[2][k] = 0;
        for (int d = 1; d < MOST && k < each[0].levels; d++)
            if (each[d].seconds[k][GZM_SMOOTH] < each[compared[3][k] - 1].seconds[k][GZM_SMOOTH])
                compared[3][k] = d + 1;
    }
    measure(s, kind, 4, compared, chosen);
    for (int w = 0; w < 4; w++)
        rows_of(s, kind->name, names[w], &chosen[w]);
}

void device_study_rows(device_study *s)
{
    int extent = s->small ? 32 : 128;
    study_note(&s->table,
               "%d cells a side, double; 4 loops before and after the correction: two "
               "red-black sweeps, or four of Jacobi's (Box27)",
               extent);
    study_note(&s->table,
               "each part's median over the %d turns of %d cycles that the ways take; tiles are "
               "those of the "
               "model at that depth; fastest: each level's depth that smoothed it fastest",
               TURNS, CYCLES);
    for (size_t k = 0; k < (s->small ? 1 : sizeof kinds / sizeof *kinds); k++)
        kind_rows(s, &kinds[k]);
}

const char *const study_own = gzs_vcycle_measured_txt;
