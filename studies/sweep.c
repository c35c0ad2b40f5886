/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep.c - all studies that vary one parameter or the height: `sweep NAME` writes the table of
 * that name. Each is a row of the list below and a text in tables/: how the
 * parameter is set, and which heights are sampled.
 */
#include "gzmodel/parameters.h"
#include "paper.h"
#include "study.h"

#include <math.h>
#include <string.h>

/* A quantity that is scaled by a factor or its inverse. */
typedef struct scaled {
    const char *name;
    int inverse;
} scaled;

/* What a study varies: a copy of the device, of the benchmark, or of its configuration; and what
 * is found there. */
typedef struct point {
    gz_device dev;
    gz_app app;
    gz_config cfg;
    const scaled *scaled; /* by vary_scaled */
    double value;         /* of the parameter; NaN: a term is looked at, or none */
    int term;

    double h, h_best;      /* loops */
    gz_prediction one, at; /* at height 1; there */
    double speedup, rest;  /* over height 1; share of the time at height 1 that is left */
    double over;           /* how many times as fast as `at` it was measured; 1: the model's */
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

/* The quantities that the study scales, of the device and of the stencil. */
static int vary_scaled(int k, point *p)
{
    double factor = octaves(k);
    for (const scaled *q = p->scaled; q->name && factor > 0; q++)
        study_scale(&p->dev, &p->app, q->name, q->inverse ? 1 / factor : factor);
    p->value = gz_param_quantity(&p->dev, &p->app, gz_param_by_name(p->scaled->name))->value;
    return factor > 0;
}

static int vary_ratio(int k, point *p)
{
    gz_prediction one;
    if (!vary_scaled(k, p) || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.iter_comp * one.t / p->dev.sm_count.value / one.mem_acc;
    return 1;
}

static int vary_sync(int k, point *p)
{
    gz_prediction one;
    if (!vary_scaled(k, p) || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.glb_sync;
    return 1;
}

static int set_block(double len, point *p)
{
    study_set_block(&p->app, &p->cfg, len);
    p->value = len;
    return 1;
}

static int set_grid(double len, point *p)
{
    study_set_grid(&p->app, &p->cfg, len);
    p->value = len;
    return 1;
}

/* The heights in the captions of Figs. 5 and 6, by dimension as all that follows. */
static const double heights[GZ_MAX_DIM] = {16, 2, 1};

static int fig05_blocks(int k, point *p)
{
    static const struct {
        double first, last, step;
    } of[GZ_MAX_DIM] = {{64, 512, 16}, {10, 22, 1}, {6, 8, 1}};
    int d = p->app.dim - 1;
    p->h = heights[d];
    return set_block(of[d].first + k * of[d].step, p) && p->value <= of[d].last;
}

static int fig06_grids(int k, point *p)
{
    enum { POINTS = 31 };
    static const double of[GZ_MAX_DIM][2] = {{100000, 1000000}, {500, 2000}, {40, 100}};
    static const double of_poisson = 16; /* its block, which is not Fig. 7's */
    int d = p->app.dim - 1;
    p->h = heights[d];
    /* On a device of fewer threads the benchmark's own block is already the smaller one. */
    if (strcmp(p->app.name, "Poisson") == 0 && of_poisson < p->cfg.block_len[0])
        study_set_block(&p->app, &p->cfg, of_poisson);
    return k < POINTS && set_grid(study_linear(of[d][0], of[d][1], k, POINTS), p);
}

/* The range of Fig. 6. */
static int four_grids(int k, point *p)
{
    static const double of[GZ_MAX_DIM][4] = {
        {100000, 200000, 500000, 1000000}, {500, 1000, 1500, 2000}, {40, 60, 80, 100}};
    return k < 4 && set_grid(of[p->app.dim - 1][k], p);
}

static int four_halos(int k, point *p)
{
    return k < 4 && set_halo(2 * (k + 1), p);
}

/* Poisson has as many dimensions as HotSpot. */
static int four_blocks(int k, point *p)
{
    static const double of[GZ_MAX_DIM][4] = {{64, 128, 256, 512}, {10, 14, 18, 22}, {5, 6, 7, 8}};
    return k < 4 && strcmp(p->app.name, "Poisson") != 0 && set_block(of[p->app.dim - 1][k], p);
}

static int five_blocks(int k, point *p)
{
    static const double of[GZ_MAX_DIM][5] = {
        {128, 256, 512, 1024, 2048}, {12, 16, 20, 32, 64}, {8, 16, 32, 48, 64}};
    p->cfg.beyond = 1;
    return k < 5 && set_block(of[p->app.dim - 1][k], p);
}

/* The terms of CPL, for the paper's synthetic benchmark: HotSpot with one more element read per
 * operation, so that IterMem is there. */
static int vary_term(int k, point *p)
{
    p->app.elements_per_op.value = 1;
    p->term = k;
    return gz_term_name(GZ_MODEL_MENG2011, k) != NULL;
}

/* The benchmark's stencil in one, two and three dimensions, on as many elements, in the largest
 * block that the device allows, or 4096 elements by gz2. */
static int vary_dimensions(int k, point *p)
{
    double elements = study_elements(&p->app, &p->cfg), halo = p->app.halo_width[0];
    double of_block = p->cfg.model == GZ_MODEL_GZ2 ? 4096 : p->dev.max_threads_per_block.value;
    if (k >= GZ_MAX_DIM)
        return 0;
    p->cfg = (gz_config){.sync = p->cfg.sync, .model = p->cfg.model};
    p->app.dim = k + 1;
    for (int i = 0; i <= k; i++)
        p->app.halo_width[i] = halo;
    /* The nudge keeps 512^(1/3) at 8. */
    study_set_block(&p->app, &p->cfg, floor(pow(of_block, 1.0 / p->app.dim) + 1e-9));
    study_set_threads(&p->app, &p->cfg);
    study_set_elements(&p->app, &p->cfg, elements);
    return 1;
}

/* ------------------------------------------------------------------------------- the quantities */

/* Of the tile alone, whatever the model. */
static double replication(const point *p)
{
    gz_config paper = {.beyond = 1, .model = GZ_MODEL_MENG2011, .sync = p->cfg.sync};
    gz_prediction at;
    memcpy(paper.data_length, p->cfg.data_length, sizeof paper.data_length);
    memcpy(paper.block_len, p->cfg.block_len, sizeof paper.block_len);
    return gz_predict(&p->dev, &p->app, &paper, p->h, &at, NULL) ? (double)NAN : 1 / at.cost_effect;
}

/* What a column of that name has: one of the list; else the parameter, and where nothing but the
 * height is varied the term of CPL of that name, or the one that is looked at. */
static double number(const point *p, const char *name)
{
    const gz_prediction *at = &p->at;
    double watts_per_element = PAPER_DYNAMIC_POWER_W / study_elements(&p->app, &p->cfg);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"h", p->h},
                   {"h_best", p->h_best},
                   {"CPL", at->cpl / p->over},
                   {"speedup", p->speedup},
                   {"threads", study_threads(&p->app, &p->cfg)},
                   {"elements", study_elements(&p->app, &p->cfg)},
                   {"blk_len", p->cfg.block_len[0]},
                   {"D", p->app.dim},
                   {"CostEffect", at->cost_effect},
                   {"energy", watts_per_element * at->seconds_per_loop / p->over},
                   {"saving", 1 - p->rest}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(numbers[k].name, name) == 0)
            return numbers[k].value;
    if (strcmp(name, "replication") == 0)
        return replication(p);
    if (!isnan(p->value))
        return p->value;
    for (int k = 0; gz_term_name(GZ_MODEL_MENG2011, k); k++)
        if (strcmp(gz_term_name(GZ_MODEL_MENG2011, k), name) == 0)
            return at->term[k];
    return at->term[p->term] / (strcmp(name, "ratio") == 0 ? p->one.term[p->term] : 1);
}

static void put(study *s, const point *p, const char *kind)
{
    const char *const texts[][2] = {{"app", p->app.name},
                                    {"sync", gz_name(GZ_SYNCS, p->cfg.sync)},
                                    {"kind", kind},
                                    {"component", gz_term_name(GZ_MODEL_MENG2011, p->term)}};
    const char *text[STUDY_MAX_COLUMNS];
    double numbers[STUDY_MAX_COLUMNS];
    size_t n_text = 0, n_numbers = 0;
    for (const study_column *c = s->spec.columns; c->name; c++) {
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (strcmp(texts[k][0], c->name) == 0)
                text[n_text++] = texts[k][1];
        if (strcmp(c->unit, "text") != 0)
            numbers[n_numbers++] = number(p, c->name);
    }
    study_row(s, text, n_text, numbers, n_numbers);
}

/* ---------------------------------------------------------------------------------- the studies */

/* What is sampled of a point: the best height over the parameter, beside the device's own; one
 * height; a curve from 1 to below the pole; whole heights; the best of them; what the paper
 * measured. */
enum { SWEEP = 1, ONE = 2, CURVE = 4, BEST = 8, MEASURED = 16 };

enum { RESTARTS = 1 << GZ_SYNC_RESTART, FENCES = 1 << GZ_SYNC_FENCE };

static const struct sweep {
    const char *text; /* tables/NAME.txt */
    vary *vary;       /* NULL: nothing but the height */
    int sample;
    int syncs;        /* 0: restarts, then fences */
    int points;       /* of a curve, whose heights are equally spaced in logarithms */
    double linear;    /* unless this is not 0: equally, to that share of the way to the pole */
    int whole;        /* then all whole ones up to this */
    scaled scaled[5]; /* by vary_scaled: the parameter, and what gz2 has for it */
    const char *note; /* or NULL */
} sweeps[] = {
    {gzs_block_size_txt, .vary = vary_block, .sample = SWEEP},
    {gzs_comp_comm_ratio_txt, .vary = vary_ratio, .sample = SWEEP,
     .scaled = {{"insts_per_sm_iter", 0}}},
    {gzs_cpi_txt, .vary = vary_scaled, .sample = SWEEP,
     .scaled = {{"cpi", 0}, {"issue_rate", 1}, {"instruction_latency", 0}, {"cell_time", 0}}},
    {gzs_halo_width_txt, .vary = vary_halo, .sample = SWEEP},
    {gzs_memory_bandwidth_txt, .vary = vary_scaled, .sample = SWEEP,
     .scaled = {{"mem_bandwidth", 0}, {"effective_bandwidth", 0}}},
    {gzs_memory_latency_txt, .vary = vary_scaled, .sample = SWEEP,
     .scaled = {{"uncontended_latency", 0}, {"load_latency", 0}}},
    {gzs_sync_latency_txt, .vary = vary_sync, .sample = SWEEP,
     .scaled = {{"launch_overhead", 0}, {"fence_overhead", 0}}},
    {gzs_fig05_block_size_txt, .vary = fig05_blocks, .sample = ONE, .syncs = RESTARTS},
    {gzs_fig06_input_size_txt, .vary = fig06_grids, .sample = ONE, .syncs = FENCES},
    {gzs_fig07_height_txt, .sample = CURVE | BEST | MEASURED, .points = 200, .whole = 1000},
    {gzs_fig08_breakdown_txt, .sample = CURVE, .whole = 48},
    {gzs_fig09_components_txt, .vary = vary_term, .sample = CURVE, .points = 120, .linear = 0.98,
     .note = "synthetic benchmark: HotSpot with NumElemPerOp = 1"},
    {gzs_fig10_input_height_txt, .vary = four_grids, .sample = CURVE | BEST, .syncs = FENCES,
     .points = 80},
    {gzs_fig11_halo_width_txt, .vary = four_halos, .sample = CURVE | BEST, .syncs = FENCES,
     .points = 80},
    {gzs_fig12_beyond_limit_txt, .vary = five_blocks, .sample = CURVE | BEST, .syncs = FENCES,
     .points = 80},
    {gzs_cost_efficiency_txt, .vary = four_blocks, .sample = CURVE, .syncs = RESTARTS, .points = 60,
     .linear = 0.999},
    {gzs_energy_txt, .sample = CURVE | BEST | MEASURED, .points = 120,
     .note = "84 W is what the paper's whole machine drew above idle; savings do not depend on it"},
    {gzs_dimensionality_txt, .vary = vary_dimensions, .sample = CURVE | BEST, .points = 60},
};

enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

/* ------------------------------------------------------------------------------------- sampling */

/* The best whole height, as `h` or beside it. */
static void put_best(study *s, point *p, double h, const gz_optimum *best, const char *kind)
{
    p->h = h;
    p->h_best = best->integer;
    p->at = best->prediction;
    p->speedup = best->speedup;
    p->rest = 1 / best->speedup;
    put(s, p, kind);
}

static void sweep_row(study *s, point *p, const char *kind)
{
    gz_optimum best;
    if (!(p->value > 0))
        study_note(s, "left out: %s, %s: the parameter is 0 on this device", p->app.name,
                   gz_name(GZ_SYNCS, p->cfg.sync));
    else if (study_best(s, &p->dev, &p->app, &p->cfg, &best))
        put_best(s, p, best.continuous, &best, kind);
}

/* What the model says at a height, if it is defined there. */
static void put_at(study *s, point *p, double h, const char *kind)
{
    p->h = h;
    if (!study_predict(s, &p->dev, &p->app, &p->cfg, h, &p->at))
        return;
    p->speedup = p->one.cpl / p->at.cpl;
    p->rest = p->at.cpl / p->one.cpl;
    put(s, p, kind);
}

/* The paper's best height and speedup: the model at height 1, and so much faster. */
static void put_measured(study *s, point *p)
{
    const paper_measured *m = s->is_paper_device ? paper_find(p->app.name) : NULL;
    if (!m)
        return;
    p->h = m->height[p->cfg.sync];
    p->at = p->one;
    p->speedup = p->over = m->speedup[p->cfg.sync];
    p->rest = 1 / m->speedup[p->cfg.sync];
    put(s, p, "measured");
}

static double height_of(const struct sweep *of, const point *p, int k)
{
    double pole = gz_pole(&p->app, &p->cfg);
    return of->linear > 0 ? study_linear(1, 1 + of->linear * (pole - 1), k, of->points)
                          : study_height(&p->app, &p->cfg, k, of->points);
}

static void height_rows(study *s, const struct sweep *of, point *p)
{
    gz_optimum best;
    if (!study_predict(s, &p->dev, &p->app, &p->cfg, 1, &p->one) ||
        (of->sample & BEST && !study_best(s, &p->dev, &p->app, &p->cfg, &best)))
        return;
    /* A component that is absent has no curve: MiscComp with fences. */
    if (of->vary == vary_term && p->one.term[p->term] <= 0)
        return;
    for (int k = 0; k < of->points; k++)
        if (height_of(of, p, k) > 0)
            put_at(s, p, height_of(of, p, k), "curve");
    for (int h = 1; h <= of->whole && h <= gz_height_max(&p->app, &p->cfg); h++)
        put_at(s, p, h, "whole");
    if (of->sample & BEST)
        put_best(s, p, best.integer, &best, "best");
    if (of->sample & MEASURED)
        put_measured(s, p);
}

static const struct sweep *find(const char *name)
{
    for (int k = 0; k < SWEEPS; k++)
        if (strcspn(sweeps[k].text, ":") == strlen(name) &&
            strncmp(sweeps[k].text, name, strlen(name)) == 0)
            return sweeps + k;
    return NULL;
}

static void rows_of(study *s, const struct sweep *of, const point *base)
{
    point p = *base;
    for (int k = 0; of->vary ? of->vary(k, &p) : k == 0; k++, p = *base)
        if (of->sample == SWEEP)
            sweep_row(s, &p, "sweep");
        else if (of->sample == ONE)
            put_at(s, &p, p.h, "one");
        else
            height_rows(s, of, &p);
    p = *base;
    if (of->sample == SWEEP && of->vary(-1, &p))
        sweep_row(s, &p, "own");
}

static void rows(study *s)
{
    const struct sweep *of = find(s->spec.name);
    if (of->note)
        study_note(s, "%s", of->note);
    if (of->vary == five_blocks)
        study_note(s, "blocks of more than %.15g threads are beyond the device's limit",
                   s->device.max_threads_per_block.value);
    if (of->vary == vary_dimensions)
        study_note(s, "the same elements, and %s, in every dimensionality",
                   s->model == GZ_MODEL_GZ2 ? "blocks of 4096 of them"
                                            : "the largest block that the device allows");
    for (int b = 0; b < s->n_benchmarks; b++)
        for (int sync = GZ_SYNC_RESTART; sync <= GZ_SYNC_FENCE; sync++) {
            point base = {.dev = s->device,
                          .app = s->benchmark[b].app,
                          .cfg = s->benchmark[b].cfg,
                          .scaled = of->scaled,
                          .value = (double)NAN,
                          .over = 1};
            base.cfg.sync = (gz_sync)sync;
            if (!of->syncs || of->syncs & 1 << sync)
                rows_of(s, of, &base);
        }
}

int main(int argc, char **argv)
{
    const struct sweep *of = argc > 1 ? find(argv[1]) : NULL;
    if (of)
        return study_run(argc - 1, argv + 1, of->text, rows);
    fprintf(stderr, "sweep: usage: sweep NAME [-d NAME_OR_PATH] [-o FILE], where NAME is");
    for (int k = 0; k < SWEEPS; k++)
        fprintf(stderr, "%s%.*s", k ? ", " : " ", (int)strcspn(sweeps[k].text, ":"),
                sweeps[k].text);
    return fputs("\n", stderr), 2;
}
