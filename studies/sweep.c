/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep.c - all studies that vary one parameter: `sweep NAME` writes the table of that name. Each
 * is a row of the list below: what it says of itself, how the parameter is set, and what is
 * sampled.
 */
#include "study.h"

#include <math.h>
#include <string.h>

/* What a study varies: a copy of the device, of the benchmark, or of its configuration. */
typedef struct point {
    gz_device dev;
    gz_app app;
    gz_config cfg;
    double value; /* of the parameter */
} point;

/* Turns a point, which comes as the device and a benchmark are, into the k-th of the study; k = -1
 * requests `value` alone. Zero: there is no k-th. */
typedef int vary(int k, point *p);

/* A factor for the k-th point about a device's own value, from 1/32 to 32 in quarters of an octave;
 * 1 for k = -1, zero past the last. */
static double octaves(int k)
{
    return k < 0 ? 1 : k <= 40 ? exp2((k - 20) / 4.0) : 0;
}

/* ------------------------------------------------------------------------------- the parameters */

/* gz2's blocks; of those with as many elements the first, the squarest. */
static int vary_tile(int k, point *p)
{
    p->value = k < 0 ? study_threads(&p->app, &p->cfg) : 0;
    for (int tile = 0, n = 0; n <= k; tile++) {
        if (!study_tile(&p->app, tile, &p->cfg))
            return 0;
        if (study_threads(&p->app, &p->cfg) > p->value) {
            p->value = study_threads(&p->app, &p->cfg);
            n++;
        }
    }
    return 1;
}

/* Whole lengths from the smallest that commits a tile; in one dimension a quarter of an octave
 * apart. */
static int vary_block(int k, point *p)
{
    if (p->cfg.model == GZ_MODEL_GZ2)
        return vary_tile(k, p);
    if (k >= 0) {
        double first = p->app.halo_width[0] + 1;
        double len = p->app.dim == 1 ? floor(8 * exp2(k / 4.0)) : first + k;
        study_set_block(&p->app, &p->cfg, len);
    }
    p->value = study_threads(&p->app, &p->cfg);
    return p->value <= p->dev.max_threads_per_block.value;
}

static int vary_ratio(int k, point *p)
{
    gz_prediction one;
    p->app.insts_per_sm_iter.value *= octaves(k);
    if (octaves(k) <= 0 || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.iter_comp * one.t / p->dev.sm_count.value / one.mem_acc;
    return 1;
}

/* In gz2, whatever an instruction costs, of the device and of the stencil. */
static int vary_cpi(int k, point *p)
{
    double factor = octaves(k);
    if (factor <= 0)
        return 0;
    p->dev.cpi.value *= factor;
    study_scale(&p->dev, &p->app, "issue_rate", 1 / factor);
    study_scale(&p->dev, &p->app, "instruction_latency", factor);
    study_scale(&p->dev, &p->app, "cell_time", factor);
    p->value = p->dev.cpi.value;
    return 1;
}

static int set_halo(double halo, point *p)
{
    for (int i = 0; i < p->app.dim; i++)
        p->app.halo_width[i] = halo;
    p->value = halo;
    return 1;
}

static int vary_halo(int k, point *p)
{
    enum { LAST = 16 };
    int step = p->cfg.model == GZ_MODEL_GZ2 ? 2 : 1; /* gz2 has the same halo on both sides */
    return k < LAST / step && set_halo(k < 0 ? p->app.halo_width[0] : (k + 1) * step, p);
}

static int vary_bandwidth(int k, point *p)
{
    p->dev.mem_bandwidth.value *= octaves(k);
    study_scale(&p->dev, &p->app, "effective_bandwidth", octaves(k));
    p->value = p->dev.mem_bandwidth.value;
    return octaves(k) > 0;
}

static int vary_latency(int k, point *p)
{
    p->dev.uncontended_latency.value *= octaves(k);
    study_scale(&p->dev, &p->app, "load_latency", octaves(k));
    p->value = p->dev.uncontended_latency.value;
    return octaves(k) > 0;
}

static int vary_sync(int k, point *p)
{
    gz_prediction one;
    p->dev.launch_overhead.value *= octaves(k);
    p->dev.fence_overhead.value *= octaves(k);
    if (octaves(k) <= 0 || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.glb_sync;
    return 1;
}

/* The range of Fig. 6. */
static int four_grids(int k, point *p)
{
    static const struct {
        const char *app;
        double length[4];
    } grids[] = {{"PathFinder", {100000, 200000, 500000, 1000000}},
                 {"HotSpot", {500, 1000, 1500, 2000}},
                 {"Poisson", {500, 1000, 1500, 2000}},
                 {"Cell", {40, 60, 80, 100}}};
    for (size_t g = 0; k < 4 && g < sizeof grids / sizeof *grids; g++)
        if (strcmp(grids[g].app, p->app.name) == 0) {
            p->value = grids[g].length[k];
            study_set_grid(&p->app, &p->cfg, p->value);
            return 1;
        }
    return 0;
}

static int four_halos(int k, point *p)
{
    return k < 4 && set_halo(2 * (k + 1), p);
}

static int five_blocks(int k, point *p)
{
    static const double blocks[GZ_MAX_DIM][5] = {
        {128, 256, 512, 1024, 2048}, {12, 16, 20, 32, 64}, {8, 16, 32, 48, 64}};
    if (k >= 5)
        return 0;
    p->cfg.beyond = 1;
    p->value = blocks[p->app.dim - 1][k];
    study_set_block(&p->app, &p->cfg, p->value);
    return 1;
}

/* ---------------------------------------------------------------------------------- the studies */

/* How the best height and its speedup move with the parameter. */
#define BEST_COLUMNS(value, unit, meaning)                                                         \
    {                                                                                              \
        {"app", "text", "benchmark"}, {"sync", "text", "synchronisation between stages"},          \
            {"kind", "text", "sweep, or own: the benchmark on this device as it is"},              \
            {value, unit, meaning}, {"h", "loops", "continuous minimiser of CPL, at least 1"},     \
            {"h_best", "loops", "best whole height"},                                              \
            {"speedup", "1", "CPL at h = 1 over CPL at h_best"},                                   \
        {                                                                                          \
            "CPL", "cycles/loop", "cost of one loop at h_best [Eq. 1]"                             \
        }                                                                                          \
    }

/* Curves over the height: kind "curve" samples 1 <= h below the pole, "best" is the best whole
 * height. */
#define CURVE_COLUMNS(value, unit, meaning)                                                        \
    {                                                                                              \
        {"app", "text", "benchmark"}, {"sync", "text", "synchronisation between stages"},          \
            {"kind", "text", "curve: the model over h; best: the best whole height"},              \
            {value, unit, meaning}, {"h", "loops", "trapezoid height"},                            \
            {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"},                                    \
        {                                                                                          \
            "speedup", "1", "CPL at h = 1 over CPL"                                                \
        }                                                                                          \
    }

/* What is sampled: the best height, curves over it with fences, or these also in blocks past the
 * device's limit on threads. */
typedef enum sample { BEST, CURVES, BEYOND } sample;

static const struct sweep {
    study_spec spec;
    vary *vary;
    sample sample;
} sweeps[] = {
    {{.name = "block_size",
      .what = "best height and speedup over the size of the thread block",
      .source = "Meng and Skadron 2011, Sections 5.4.1, 6.4; Eqs. 1-20",
      .models = STUDY_BOTH,
      .columns = BEST_COLUMNS("threads", "1",
                              "threads of the block, which has one length in every dimension")},
     vary_block,
     BEST},
    {{.name = "comp_comm_ratio",
      .what = "best height and speedup over the ratio of computation to communication",
      .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
      .columns = BEST_COLUMNS("ratio", "1",
                              "IterComp T / M over MemAcc at h = 1, varied through InstsPerSM_IC")},
     vary_ratio,
     BEST},
    {{.name = "cpi",
      .what = "best height and speedup over the cycles per instruction",
      .source = "Meng and Skadron 2011, Section 6.4; Eqs. 1-20",
      .models = STUDY_BOTH,
      .columns =
          BEST_COLUMNS("CPI", "cycles", "cycles per warp instruction of one multiprocessor")},
     vary_cpi,
     BEST},
    {{.name = "halo_width",
      .what = "best height and speedup over the halo width",
      .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
      .models = STUDY_BOTH,
      .columns = BEST_COLUMNS("HaloWidth", "elements",
                              "both sides together, the same in every dimension")},
     vary_halo,
     BEST},
    {{.name = "memory_bandwidth",
      .what = "best height and speedup over the memory bandwidth",
      .source = "Meng and Skadron 2011, Sections 6.2, 6.4; Eqs. 1-20",
      .models = STUDY_BOTH,
      .columns = BEST_COLUMNS("MemBandwidth", "B/s", "bandwidth of the device memory")},
     vary_bandwidth,
     BEST},
    {{.name = "memory_latency",
      .what = "best height and speedup over the uncontended memory latency",
      .source = "Meng and Skadron 2011, Sections 6.2, 6.4; Eqs. 1-20",
      .models = STUDY_BOTH,
      .columns =
          BEST_COLUMNS("UncontendedLat", "cycles", "one request's trip to device memory and back")},
     vary_latency,
     BEST},
    {{.name = "sync_latency",
      .what = "best height and speedup over the cost of synchronisation",
      .source = "Meng and Skadron 2011, Section 6.4; Eqs. 1-20",
      .columns = BEST_COLUMNS(
          "GlbSync", "cycles",
          "one synchronisation at h = 1: GlbSync_KnlRestart, or GlbSync_MemFence of T blocks")},
     vary_sync,
     BEST},
    {{.name = "fig10_input_height",
      .what = "cost of one loop over the height at several grid sizes, memory fences",
      .source = "Meng and Skadron 2011, Fig. 10 (a)-(d), Section 6.2; Eqs. 1-18",
      .columns =
          CURVE_COLUMNS("DataLength", "elements", "grid length, the same in every dimension")},
     four_grids,
     CURVES},
    {{.name = "fig11_halo_width",
      .what = "speedup over the height at several halo widths, memory fences",
      .source = "Meng and Skadron 2011, Fig. 11 (a)-(d), Section 6.3; Eqs. 1-18",
      .columns = CURVE_COLUMNS("HaloWidth", "elements",
                               "both sides together, the same in every dimension")},
     four_halos,
     CURVES},
    {{.name = "fig12_beyond_limit",
      .what = "cost of one loop over the height at several block sizes, also beyond the device's "
              "limit, memory fences",
      .source = "Meng and Skadron 2011, Fig. 12 (a)-(d), Section 6.4; Eqs. 1-18",
      .columns = CURVE_COLUMNS("blk_len", "elements", "block length, the same in every dimension")},
     five_blocks,
     BEYOND}};

enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

/* ------------------------------------------------------------------------------------- sampling */

static void best_row(study *s, const point *p, const char *kind)
{
    if (!(p->value > 0)) {
        study_note(s, "left out: %s, %s: the parameter is 0 on this device", p->app.name,
                   gz_name(GZ_SYNCS, p->cfg.sync));
        return;
    }
    gz_optimum best;
    if (study_best(s, &p->dev, &p->app, &p->cfg, &best))
        study_row(s, STUDY_TEXT(p->app.name, gz_name(GZ_SYNCS, p->cfg.sync), kind),
                  STUDY_NUMBERS(p->value, best.continuous, best.integer, best.speedup,
                                best.prediction.cpl));
}

static void best_rows(study *s, const point *base, vary *set)
{
    point p = *base;
    for (int k = 0; set(k, &p); k++, p = *base)
        best_row(s, &p, "sweep");
    p = *base;
    if (set(-1, &p))
        best_row(s, &p, "own");
}

static void curve_rows(study *s, const point *p)
{
    enum { POINTS = 80 };
    const char *sync = gz_name(GZ_SYNCS, p->cfg.sync);
    gz_prediction one, at;
    gz_optimum best;
    if (!study_predict(s, &p->dev, &p->app, &p->cfg, 1, &one) ||
        !study_best(s, &p->dev, &p->app, &p->cfg, &best))
        return;
    for (int k = 0; k < POINTS; k++) {
        double h = study_height(&p->app, &p->cfg, k, POINTS);
        if (h > 0 && study_predict(s, &p->dev, &p->app, &p->cfg, h, &at))
            study_row(s, STUDY_TEXT(p->app.name, sync, "curve"),
                      STUDY_NUMBERS(p->value, h, at.cpl, one.cpl / at.cpl));
    }
    study_row(s, STUDY_TEXT(p->app.name, sync, "best"),
              STUDY_NUMBERS(p->value, best.integer, best.prediction.cpl, best.speedup));
}

static const struct sweep *find(const char *name)
{
    for (int k = 0; k < SWEEPS; k++)
        if (strcmp(sweeps[k].spec.name, name) == 0)
            return sweeps + k;
    return NULL;
}

static void rows(study *s)
{
    const struct sweep *of = find(s->spec->name);
    if (of->sample == BEYOND)
        study_note(s, "blocks of more than %.15g threads are beyond the device's limit",
                   s->device.max_threads_per_block.value);
    for (int b = 0; b < s->n_benchmarks; b++)
        for (int fence = of->sample != BEST; fence < 2; fence++) {
            point base = {.dev = s->device, .app = s->benchmark[b].app, .cfg = s->benchmark[b].cfg};
            base.cfg.sync = fence ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
            point p = base;
            if (of->sample == BEST)
                best_rows(s, &base, of->vary);
            else
                for (int k = 0; of->vary(k, &p); k++, p = base)
                    curve_rows(s, &p);
        }
}

int main(int argc, char **argv)
{
    const struct sweep *of = argc > 1 ? find(argv[1]) : NULL;
    if (of)
        return study_run(argc - 1, argv + 1, &of->spec, rows);
    fprintf(stderr, "sweep: usage: sweep NAME [-d NAME_OR_PATH] [-o FILE], where NAME is");
    for (int k = 0; k < SWEEPS; k++)
        fprintf(stderr, "%s%s", k ? ", " : " ", sweeps[k].spec.name);
    return fputs("\n", stderr), 2;
}
