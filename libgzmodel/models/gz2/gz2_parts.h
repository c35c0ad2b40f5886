/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_parts.h - what the files of gz2 share: counts of a tile, their terms, the norm, who takes
 * which tiles.
 */
#ifndef GZI_GZ2_PARTS_H
#define GZI_GZ2_PARTS_H

#include "gz2.h"
#include "gzmodel/parameters.h"

#include <math.h>

/* a(Z) = 1 / (1 + (C / Z)^m), the share of traffic that leaves the last cache, and its derivative
 * by C. */
typedef struct gzi_gz2_level {
    double value, by_cache;
} gzi_gz2_level;

gzi_gz2_level gzi_gz2_level_make(double bytes, double cache, double sharpness);

/* The share of a run's stages of `height` loops that another one comes before: 1 - h / loops. */
double gzi_gz2_between(const gzi_gz2_config *config, double height);

/* Whether a group is one thread of a CPU: a core, which takes tiles that adjoin. */
int gzi_gz2_is_core(const gzi_gz2 *model, const gzi_gz2_config *config);

/* ---------------------------------------------------------------------------------- the layout */

/* The tile as the kernels lay it out. */
gzi_tile gzi_gz2_tile_of(const gzi_gz2 *model, const gzi_gz2_config *config);

/* R, groups of such a tile that one unit holds at once; 0 if none fits. */
double gzi_gz2_resident(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_tile *tile);

static inline double product(const int *values, int n)
{
    double result = 1;
    for (int i = 0; i < n; i++)
        result *= values[i];
    return result;
}

/* The dimensions in which a group has threads: a streamed tile walks along the last. */
static inline int thread_dim(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->stencil.dim - (config->variant == GZ_VARIANT_STREAM);
}

/* Columns that a thread of a streamed tile owns in dimension i across the stream. */
static inline double own_columns(const gzi_gz2_config *config, int i)
{
    return ceil((double)config->block[i] / config->threads[i]);
}

/* ------------------------------------------------------------------------------------- count.c */

/* A stage of a run, and what is the same for all of its tiles. */
typedef struct gzi_gz2_stage {
    const gzi_gz2 *model;
    const gz_shape *stencil; /* the model's */
    const gzi_gz2_config *config;
    const gzi_tile *tile;
    const gzi_geometry *geometry;
    int alone;    /* whether only seconds are needed */
    int core;     /* gzi_gz2_is_core */
    int mean;     /* whether tiles are means of several */
    double cells; /* of the grid */
    double warps; /* of a group */
    gzi_gz2_level stage, run;
    gzi_gz2_level layers;   /* NAIVE on GPUs: of two layers of blocks */
    gzi_gz2_parameter dram; /* the parameter of device memory */
    double transferred;     /* share of the state in the caches that another core holds */
    double prefetched;      /* e, the share of its traffic that is prefetched */
    double short_share;     /* s, how far the tile's rows are short ones */
    double stores;          /* states committed, K; by NAIVE only the new one of two */
} gzi_gz2_stage;

/* A stage of such tiles; with `alone` for seconds alone. */
void gzi_gz2_make_stage(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_tile *tile,
                        const gzi_geometry *geometry, int alone, gzi_gz2_stage *st);

/* The share of its traffic that leaves the last cache, by what a stage of that height touches. */
gzi_gz2_level gzi_gz2_stage_level(const gzi_gz2_stage *st, double height);

/* Device memory's traffic of a tile that commits `committed` cells, `computed` in all loops, and
 * reads `again` cells more than once unless the last cache holds two layers of blocks. */
void gzi_gz2_count_memory(const gzi_gz2_stage *st, double committed, double computed, double again,
                          double count[GZI_GZ2_PARAMETERS]);

/* Iterations of a group's threads over a block, less 2 `shrink` radii in every dimension in which
 * it has threads. */
double gzi_gz2_iterations(const gzi_gz2_stage *st, int shrink);

/* --------------------------------------------------------------------------------------- gpu.c */

/* What is counted of a tile whose extents are of these classes, on a GPU. */
void gzi_gz2_count_on_gpu(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                          double count[GZI_GZ2_PARAMETERS]);

/* ------------------------------------------------------------------------------------- count.c */

/* What is counted of a tile of the classes x, y, z. */
void gzi_gz2_count_class(const gzi_gz2_stage *st, int x, int y, int z,
                         double count[GZI_GZ2_PARAMETERS]);

/* Calls for every class of tiles. */
#define EACH_CLASS(g, x, y, z)                                                                     \
    for (int z = 0; z < (g)->axis[2].classes; z++)                                                 \
        for (int y = 0; y < (g)->axis[1].classes; y++)                                             \
            for (int x = 0; x < (g)->axis[0].classes; x++)

/* -------------------------------------------------------------------------------------- time.c */

/* u(R) of a tile, and in `by` what it changes by with each term. */
double gzi_gz2_group_time(const gzi_gz2_stage *st, const double count[GZI_GZ2_PARAMETERS],
                          double resident, double by[GZI_GZ2_TERMS]);

/* Adds `weight` such groups to the prediction of a stage. */
void gzi_gz2_add_groups(const gzi_gz2_stage *st, const double count[GZI_GZ2_PARAMETERS],
                        double resident, double weight, gzi_gz2_prediction *out);

/* Adds what a stage's synchronisation takes. */
void gzi_gz2_count_sync(const gzi_gz2_stage *st, gzi_gz2_prediction *out);

/* ----------------------------------------------------------------------------------- workers.c */

/* Adds the body of a stage: who takes which tiles. */
void gzi_gz2_share_out(const gzi_gz2_stage *st, gzi_gz2_prediction *out);

/* Whether each worker is looked at on its own. A group of one thread is a CPU's core. */
int gzi_gz2_one_by_one(const gzi_gz2_stage *st, double resident, double workers);

/* Adds waves of groups that are the mean of all. */
void gzi_gz2_waves(const gzi_gz2_stage *st, gzi_gz2_prediction *out);

/* -------------------------------------------------------------------------------- parameters.c */

/* The quantity that the value of a parameter comes from. */
typedef struct gzi_gz2_source {
    int param;     /* the gz_param that the value is proportional to; -1: none */
    int inverse;   /* non-zero: inversely */
    int cycles;    /* non-zero: to cycles, which the clock makes seconds */
    double factor; /* of that proportion */
    double value;
} gzi_gz2_source;

typedef struct gzi_gz2_sources {
    gzi_gz2_source of[GZI_GZ2_PARAMETERS];
} gzi_gz2_sources;

/* The sources of all parameters' values, and the model of these values. */
void gzi_gz2_make_sources(const gz_device *dev, const gz_app *app, gzi_gz2_sources *s);
void gzi_gz2_make_model(const gz_device *dev, const gz_app *app, const gzi_gz2_sources *s,
                        gzi_gz2 *model);

#endif
