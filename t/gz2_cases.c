/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_cases.h"

#include "quantities.h"
#include "tap.h"

#include <stdlib.h>

/* Random edges: padded in all dimensions, or others in each. */
static void random_edges(unsigned long long *state, gz_edge edge[3])
{
    for (int i = 0; i < 3; i++)
        edge[i] = (gz_edge)gz2_whole(state, 0, 2);
}

/* The most elements of the state that a cell can read. */
static int state_reads(const gz_shape *s)
{
    int most = 1;
    for (int i = 0; i < s->dim; i++)
        most = s->reads.own_column ? most + 2 * s->radius[i] : most * (2 * s->radius[i] + 1);
    most *= s->fields > 1 ? s->fields : 1;
    return s->reads.state < most ? s->reads.state : most;
}

double gz2_uniform(unsigned long long *state, double lo, double hi)
{
    unsigned long long z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return lo + (hi - lo) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int gz2_whole(unsigned long long *state, int lo, int hi)
{
    return lo + (int)gz2_uniform(state, 0, hi - lo + 1);
}

double gz2_logarithmic(unsigned long long *state, double lo, double hi)
{
    return exp(gz2_uniform(state, log(lo), log(hi)));
}

unsigned long long gz2_seed(unsigned long long usual)
{
    const char *given = getenv("GZ_SEED");
    unsigned long long seed = given ? strtoull(given, NULL, 10) : usual;
    tap_note("seed %llu", seed);
    return seed;
}

/* A value that each parameter may have, by its name. */
static const char likely[] =
    " stage_launch 5e-6 stage_graph 1e-6 stage_fence 1e-6 copy_cell 1e-9 copy_row 1e-8 "
    "load_latency 3e-7 barrier_latency 3e-8 shared_bandwidth 1e-11 cache_bandwidth 3e-11 "
    "effective_bandwidth 1e-10 cell_time 1e-9 stream_copy 3e-11 stream_bandwidth 1e-10 "
    "naive_bandwidth 1e-10 stream_cell_time 3e-10 naive_cell_time 1e-9 copy_edge 1e-9 "
    "rest_time 1e-9 core_exchange 3e-11 ahead_bandwidth 1e-10 run_launch 2e-5 "
    "run_fence 5e-6 stream_row 3e-9 naive_row 2e-9 stream_rest_time 5e-10 "
    "instruction_latency 3e-9 issue_rate 2e-10 fp64_rate 1e-9 stage_insts 100 "
    "load_insts 30 step_insts 20 compute_insts 30 stream_stage_insts 200 "
    "stream_load_insts 10 stream_step_insts 10 stream_compute_insts 40 "
    "naive_stage_insts 50 naive_compute_insts 70 fp64_insts 8 ";

static double likely_value(int parameter)
{
    char name[40];
    snprintf(name, sizeof name, " %s ", gz_param_about(GZI_P_OWN + parameter)->name);
    const char *at = strstr(likely, name);
    return at ? strtod(at + strlen(name), NULL) : 0;
}

void gz2_random_model(unsigned long long *state, gzi_gz2 *model)
{
    int gpu = gz2_whole(state, 0, 1);

    *model = (gzi_gz2){0};
    model->device = (gzi_gz2_device){
        .units = gpu ? gz2_whole(state, 2, 132) : gz2_whole(state, 1, 8),
        .warp = gpu ? 32 : 1,
        .blocks = gpu ? 32 : 1,
        .threads = gpu ? 2048 : 0,
        .registers = gpu ? 65536 : 0,
        .local_unit = gpu ? 2e5 : 0,
        .local_group = gpu ? 1e5 : 2e6,
        .local_step = gpu ? 128 : 0,
        .vector = gpu ? 0 : 32,
        .sharpness = gpu ? 8 : 4,
    };
    unsigned long long own = *state; /* a sequence of its own */
    model->stencil = (gz_shape){
        .dim = gz2_whole(state, 1, 3),
        .bytes = gz2_whole(state, 1, 2) * 4,
        .coefficient_arrays = gz2_whole(state, 1, 3) - 1,
        .step_arrays = gz2_whole(state, 0, 2) == 0,
        .reads.state = gz2_whole(state, 1, 27),
        .coefficients = gz2_whole(&own, 0, 8),
    };
    model->registers = gz2_whole(state, 16, 64);
    model->stencil.reads.own_column = gz2_whole(&own, 1, 3) > 1;
    model->stencil.older = model->stencil.coefficient_arrays > 0 && gz2_whole(&own, 1, 3) > 2;
    model->stencil.coefficient_arrays -= model->stencil.older;
    if (!model->stencil.older && gz2_whole(&own, 1, 3) > 2)
        model->stencil.fields = gz2_whole(&own, 2, 3);
    random_edges(state, model->stencil.edge);
    for (int i = 0; i < model->stencil.dim; i++)
        model->stencil.radius[i] = gz2_whole(state, i == 0, 2);
    int reads = model->stencil.reads.state;
    model->stencil.reads.state = state_reads(&model->stencil);
    model->stencil.reads.arrays = reads - model->stencil.reads.state;
    model->stencil.reads.column =
        gz2_whole(&own, 0, 2 * model->stencil.radius[model->stencil.dim - 1] + 1);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        int on_cpu = gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_WORK ||
                     gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_SYNC ||
                     j == GZI_GZ2_EFFECTIVE_BANDWIDTH || j == GZI_GZ2_STREAM_BANDWIDTH ||
                     j == GZI_GZ2_NAIVE_BANDWIDTH || j == GZI_GZ2_AHEAD_BANDWIDTH ||
                     j == GZI_GZ2_CORE_EXCHANGE;
        model->value[j] = (gpu || on_cpu) && gz2_whole(state, 0, 4)
                              ? likely_value(j) * gz2_logarithmic(state, 0.1, 10)
                              : 0;
    }
    model->value[GZI_GZ2_EFFECTIVE_CACHE] = gz2_logarithmic(state, 1e4, 1e7);
}

void gz2_random_config(unsigned long long *state, const gzi_gz2 *model, double tiles,
                       gzi_gz2_config *config)
{
    int dim = model->stencil.dim, warp = model->device.warp;
    static const int most[] = {0, 12, 8, 3};
    double each = pow(tiles, 1.0 / dim);

    *config = (gzi_gz2_config){.grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = {1, 1, 1}};
    config->height = gz2_whole(state, 1, most[dim]);
    config->sync = (gz_sync)gz2_whole(state, 0, 2);
    config->loops = config->height * gz2_whole(state, 1, 20);
    config->run_share = gz2_whole(state, 0, 2) ? 1 / config->loops : 0;
    for (int i = 0; i < dim; i++) {
        int tile = gz2_whole(state, 1, dim == 1 ? 200 : dim == 2 ? 40 : 12);
        config->block[i] = tile + 2 * model->stencil.radius[i] * config->height;
        config->grid[i] = gz2_whole(state, 1, (int)(tile * gz2_uniform(state, 1, each)) + 1);
        if (warp > 1)
            config->threads[i] = i == 0 ? gz2_whole(state, 1, 64) : gz2_whole(state, 1, 6);
    }
}

void gz2_random_variant(unsigned long long *state, const gzi_gz2 *model, gzi_gz2_config *config)
{
    int last = model->stencil.dim - 1, which = gz2_whole(state, 0, 2);

    if (which == GZ_VARIANT_NAIVE) {
        for (int i = 0; i <= last; i++)
            config->block[i] -= 2 * model->stencil.radius[i] * config->height;
        config->height = 1;
        config->variant = GZ_VARIANT_NAIVE;
    } else if (which == GZ_VARIANT_STREAM && last > 0) {
        config->piece = gz2_whole(state, 0, (int)config->grid[last]);
        /* At most as many pieces as there were tiles, or so. */
        while (config->piece > 0 && config->grid[last] / config->piece > 30)
            config->piece *= 2;
        config->threads[last] = 1;
        config->variant = GZ_VARIANT_STREAM;
    }
}
