/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jacobi_variants - the four versions of the course project that `jacobi` comes from, and
 * trapezoids of several heights: measured, and what the model makes of them, over the grid's size.
 * Why did its shared memory lose to global memory at one loop per launch, and from which height on
 * does a tile pay?
 *
 * The model has a term for all that the two versions differ in. The shared one is a trapezoid of
 * height 1: a tile of the block and its ghost cells is loaded [Eq. 8] by instructions once per
 * thread [Eq. 15]. The global one has neither; what it reads is IterMem [Eq. 10], whose
 * NumElemPerOp is the neighbours of a cell without a cache, and 1 with a cache that keeps them
 * until they were read.
 */
#include "device_study.h"
#include "modelled.h"

#include <math.h>
#include <string.h>

/* Cells along an edge, up to the first that is 0; the last that a device takes is looked at
 * closely. */
static const int gpu_edges[] = {64, 128, 256, 512, 1024, 2048, 4096, 0};
static const int cpu_edges[] = {32, 64, 128, 256, 512, 1024, 2048, 0};
static const int small_edges[] = {32, 64, 0};

/* The project's block; a column's group has as many lines as it has rows. */
static const int block[3] = {32, 32, 1};
/* A CPU's tiles have long rows, because they are what it vectorises. */
static const int gpu_tile[3] = {32, 32, 1}, cpu_tile[3] = {258, 66, 1};
/* What is timed on every grid. */
static const struct {
    gz_variant variant;
    int height;
} ways[] = {{GZK_SERIAL, 1},    {GZK_COLUMN, 1},    {GZK_CELL, 1},
            {GZK_SHARED, 1},    {GZK_TRAPEZOID, 1}, {GZK_TRAPEZOID, 2},
            {GZK_TRAPEZOID, 4}, {GZK_TRAPEZOID, 8}, {GZK_TRAPEZOID, 16}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Whole stages for every height. */
static const long loops = 16;
/* All ways alternate, and the least of a way's medians counts, so that what else the machine does
 * for a while meets all alike or none. */
static const int turns = 3;

/* Loads of neighbours as the stencil's body spells them. */
static int neighbours(const struct gzk_stencil *stencil)
{
    int count = 0;
    for (const char *at = strstr(stencil->body, "AT("); at; at = strstr(at + 1, "AT("))
        count++;
    return count;
}

/* ------------------------------------------------------------------------------------- the rows */

static void model_row(device_study *s, const char *version, const char *kind, const char *part,
                      int edge, int h, double seconds)
{
    study_row(&s->table, STUDY_TEXT(version, kind, part),
              STUDY_NUMBERS(edge, h, seconds, seconds, seconds));
}

/* The parts of one loop's predicted time, s; of the tile's load, the committed cells are its own
 * and the rest ghost cells. */
enum { SYNC, OWN, GHOST, COMMIT, MISC_COMP, ITER_COMP, ITER_MEM, PARTS };
static const char *const part_names[PARTS] = {
    "GlbSync", "LoadSten-own", "LoadSten-ghost", "Commit", "MiscComp", "IterComp", "IterMem"};
typedef struct parts {
    double of[PARTS];
} parts;

static double sum(const parts *p)
{
    double seconds = 0;
    for (int k = 0; k < PARTS; k++)
        seconds += p->of[k];
    return seconds;
}

static parts parts_of(const device_study *s, const gz_app *app, const gz_config *cfg,
                      const gz_prediction *p)
{
    double cycle = 1 / s->table.device.clock_rate.value, own = 1;
    for (int i = 0; i < app->dim; i++)
        own *= 1 - app->halo_width[i] * p->height / cfg->block_len[i];
    return (parts){{[SYNC] = cycle * p->term[GZ_TERM_GLB_SYNC],
                    [OWN] = cycle * p->term[GZ_TERM_LOAD_STEN] * own,
                    [GHOST] = cycle * p->term[GZ_TERM_LOAD_STEN] * (1 - own),
                    [COMMIT] = cycle * p->term[GZ_TERM_COMMIT],
                    [MISC_COMP] = cycle * p->term[GZ_TERM_MISC_COMP],
                    [ITER_COMP] = cycle * p->term[GZ_TERM_ITER_COMP],
                    [ITER_MEM] = cycle * p->term[GZ_TERM_ITER_MEM]}};
}

/* The model of a version with a tile. Zero if it has none. */
static int predict_tile(device_study *s, const device_grid *grid, const struct gzk_config *config,
                        parts *out)
{
    gz_config cfg;
    gz_prediction p;
    gzk_to_model(config, GZ_MODEL_MENG2011, &cfg);
    cfg.beyond = 1;
    if (!study_predict(&s->table, &s->table.device, &grid->app, &cfg, config->height, &p))
        return 0;
    *out = parts_of(s, &grid->app, &cfg, &p);
    return 1;
}

/* The shared version's block is what it commits; the model's has the ghost cells with it. */
static int predict_shared(device_study *s, const device_grid *grid, const struct gzk_config *config,
                          parts *out)
{
    struct gzk_config tile = *config;
    for (int i = 0; i < config->stencil->dim; i++)
        tile.block[i] += 2 * config->stencil->radius[i];
    return predict_tile(s, grid, &tile, out);
}

/* The same without the tile: a computed cell loads `reads` elements from device memory. */
static int predict_cell(device_study *s, const device_grid *grid, const struct gzk_config *config,
                        int reads, parts *out)
{
    device_grid direct = *grid;
    direct.app.elements_per_op.value = reads;
    if (!predict_shared(s, &direct, config, out))
        return 0;
    out->of[OWN] = out->of[GHOST] = out->of[MISC_COMP] = 0;
    return 1;
}

static void component_rows(device_study *s, const char *version, int edge, int h, const parts *p)
{
    for (int k = 0; k < PARTS; k++)
        model_row(s, version, "component", part_names[k], edge, h, p->of[k]);
}

/* ------------------------------------------------------------------------------------- one size */

/* What is found at a size; 0 for what was not measured or predicted. */
typedef struct findings {
    device_time times[WAYS];
    parts cached, uncached, tile; /* the model of cell, twice, and of shared */
    parts predicted[WAYS];        /* of the trapezoids */
} findings;

static struct gzk_config way(const device_study *s, const device_grid *grid, int k)
{
    bool trapezoid = ways[k].variant == GZK_TRAPEZOID;
    const int *tile = s->device->info.is_cpu ? cpu_tile : gpu_tile;
    struct gzk_config config =
        device_grid_config(grid, trapezoid ? tile : block, ways[k].height, loops);
    config.variant = ways[k].variant;
    return config;
}

static bool has_tile(const struct gzk_config *config)
{
    return config->variant == GZK_TRAPEZOID &&
           config->height <= gzk_max_height(config->stencil, config->block);
}

static void measure(device_study *s, device_grid *grid, findings *f)
{
    for (int turn = 0; turn < turns; turn++)
        for (int k = 0; k < WAYS; k++) {
            struct gzk_config config = way(s, grid, k);
            device_time t, *best = &f->times[k];
            if ((config.variant != GZK_TRAPEZOID || has_tile(&config)) &&
                device_grid_time(grid, &config, &t) &&
                (best->runs == 0 || t.seconds < best->seconds))
                *best = t;
        }
}

static void size_rows(device_study *s, device_grid *grid, int edge, findings *f)
{
    struct gzk_config config = device_grid_config(grid, block, 1, loops);
    for (int k = 0; k < WAYS; k++)
        if (f->times[k].runs > 0)
            study_row(&s->table, STUDY_TEXT(gzk_variants[ways[k].variant].name, "measured", "all"),
                      STUDY_NUMBERS(edge, ways[k].height, f->times[k].seconds, f->times[k].low,
                                    f->times[k].high));
    if (predict_shared(s, grid, &config, &f->tile))
        model_row(s, "shared", "model", "all", edge, 1, sum(&f->tile));
    if (predict_cell(s, grid, &config, 1, &f->cached))
        model_row(s, "cell", "model", "all", edge, 1, sum(&f->cached));
    if (predict_cell(s, grid, &config, neighbours(grid->stencil), &f->uncached))
        model_row(s, "cell", "uncached", "all", edge, 1, sum(&f->uncached));
    for (int k = 0; k < WAYS; k++) {
        config = way(s, grid, k);
        if (has_tile(&config) && predict_tile(s, grid, &config, &f->predicted[k]))
            model_row(s, "trapezoid", "model", "all", edge, ways[k].height, sum(&f->predicted[k]));
    }
}

/* Where the time of one loop goes, on the largest grid. */
static void explain(device_study *s, int edge, const findings *f)
{
    int best = -1;
    component_rows(s, "cell", edge, 1, &f->cached);
    component_rows(s, "cell-uncached", edge, 1, &f->uncached);
    component_rows(s, "shared", edge, 1, &f->tile);
    for (int k = 0; k < WAYS; k++)
        if (sum(&f->predicted[k]) > 0 &&
            (best < 0 || sum(&f->predicted[k]) < sum(&f->predicted[best])))
            best = k;
    if (best >= 0)
        component_rows(s, "trapezoid", edge, ways[best].height, &f->predicted[best]);
}

void device_study_rows(device_study *s)
{
    const int *edges = s->small ? small_edges : s->device->info.is_cpu ? cpu_edges : gpu_edges;
    const int *tile = s->device->info.is_cpu ? cpu_tile : gpu_tile;
    study_note(
        &s->table,
        "blocks: cell and shared %dx%d threads, a cell each; column %d threads, a line each; "
        "trapezoids' starting tile %dx%d, threads as the device likes; serial one thread of "
        "the host",
        block[0], block[1], block[1], tile[0], tile[1]);
    for (; *edges; edges++) {
        device_grid grid;
        findings f = {0};
        device_grid_open(s, "jacobi", *edges, loops, &grid);
        measure(s, &grid, &f);
        size_rows(s, &grid, *edges, &f);
        if (!edges[1])
            explain(s, *edges, &f);
        device_grid_close(&grid);
    }
}

const char *const study_own = gzs_jacobi_variants_txt;
