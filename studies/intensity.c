/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * intensity.c - what ghost zones gain over arithmetic intensity.
 *
 * Bytes are those of the dissertation's Table 1.1: every array moved once a loop, and a line
 * allocated for each write to another array. Along a curve the instructions of a loop grow with the
 * flops, and nothing else changes.
 */
#include "box_tile.h"
#include "smoothers.h"
#include "study.h"

#include <string.h>

const char *const study_own = gzs_intensity_txt;

/* Arithmetic of the paper's benchmarks per cell and loop, as our kernels spell it. */
static const struct {
    const char *app;
    double flops;
} benchmarks[STUDY_BENCHMARKS] = {{"PathFinder", 3}, {"HotSpot", 15}, {"Poisson", 5}, {"Cell", 32}};

/* The smoothers, one for each combination of radius and number of arrays. */
static const char *const families[] = {"star7", "star13", "star7vc"};

/* Intensities along a curve, flops per byte. */
enum { POINTS = 120 };
static const double least = 0.05, most = 20;

/* A stencil with its tile: the benchmark's own configuration, or a box. */
typedef struct subject {
    gz_app app;
    const gz_config *cfg; /* NULL: boxes by `rules` */
    box_rules rules;
    const char *tile;
    double flops, bytes;
} subject;

static void put(study *s, const subject *of, const char *kind, double intensity)
{
    gz_app app = of->app;
    gz_optimum best;
    box_tile one, tile;
    double factor = intensity * of->bytes / of->flops;
    app.insts_per_sm_iter.value *= factor;
    double cpl, speedup;
    int h;
    if (of->cfg) {
        if (!study_best(s, &s->device, &app, of->cfg, &best))
            return;
        h = best.integer;
        cpl = best.prediction.cpl;
        speedup = best.speedup;
    } else {
        h = box_tile_height(&s->device, &app, &of->rules, smoother_levels[0], &one, &tile);
        if (h == 0) {
            study_note(s, "left out: %s: no thread block commits a tile", app.name);
            return;
        }
        cpl = tile.prediction.cpl;
        speedup = one.prediction.cpl / cpl;
    }
    study_row(s, STUDY_TEXT(app.name, of->tile, kind),
              STUDY_NUMBERS(intensity, factor * of->flops, of->bytes, h, speedup, cpl));
}

static void curve(study *s, const subject *of)
{
    for (int k = 0; k < POINTS; k++)
        put(s, of, "curve", study_geometric(least, most, k, POINTS));
}

/* Bytes of a stencil that writes to another array. */
static double bytes_of(const gz_app *app)
{
    return app->element_size.value * (app->stencil_arrays.value + app->elements_per_op.value + 2);
}

static int is_family(const char *app)
{
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (strcmp(families[k], app) == 0)
            return 1;
    return 0;
}

static void smoother_rows(study *s, const smoother *smooth, int whole)
{
    subject one = {.tile = whole ? "box" : "block", .flops = smooth->flops};
    study_open_app(s, smooth->app, &one.app);
    one.bytes = smooth->bytes;
    one.rules = (box_rules){SMOOTHER_BOXES, whole, box_tile_room(&s->device, &one.app)};
    if (whole && is_family(smooth->app))
        curve(s, &one);
    put(s, &one, "own", one.flops / one.bytes);
}

void study_rows(study *s)
{
    for (int k = 0; k < STUDY_BENCHMARKS; k++) {
        const study_benchmark *b = study_find(s, benchmarks[k].app);
        if (!b)
            continue;
        subject one = {
            .app = b->app, .cfg = &b->cfg, .tile = "block", .flops = benchmarks[k].flops};
        one.bytes = bytes_of(&b->app);
        curve(s, &one);
        put(s, &one, "own", one.flops / one.bytes);
    }
    for (int whole = 0; whole < 2; whole++)
        for (int k = 0; k < SMOOTHERS; k++)
            smoother_rows(s, &smoothers[k], whole);
}
