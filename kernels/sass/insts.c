/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "insts.h"

#include "backend.h"
#include "data.h"
#include "kernel_text.h"
#include "machine.h"
#include "nvrtc.h"
#include "stencil.h"
#include "tiles.h"
#include "tiling.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILES = 5, /* along each dimension, of which the second and its neighbours are inner ones */
    INNER = 2,
    WARP = 32,
    MOST_ROWS = 16
};

/* ---------------------------------------------------------------------------------------- launches
 */

/* Where the launch's numbers and the kernel's parameters lie in constant bank 0. */
static const struct {
    int capability, threads, parameters;
} banks[] = {{100, 0x360, 0x380}, {90, 0, 0x210}, {0, 0, 0x160}};

static void add(struct gzk_sass_launch *launch, int *at, const void *value, int bytes)
{
    *at = (*at + bytes - 1) / bytes * bytes;
    if (value)
        memcpy(launch->constants + *at, value, (size_t)bytes);
    *at += bytes;
}

/* The launch of one stage of `steps` loops, as plan.c and backend_cuda.c make it: threads and
 * groups by number, then the states, the other arrays, the coefficients by value, extents, stride,
 * first loop and loops. */
static void set_launch(const struct gzk_config *config, int capability, int steps,
                       struct gzk_sass_launch *launch)
{
    enum { BUFFERS = 3, ADDRESS = 1 << 20, STACK = 4096, STACK_AT = 0x28 };
    const struct gzk_stencil *stencil = config->stencil;
    int32_t stack = STACK, numbers[6] = {1, 1, 1, 1, 1, 1};
    int64_t cells = 1, loop = 0;
    size_t bank = 0;
    *launch = (struct gzk_sass_launch){.threads = 1};
    while (banks[bank].capability > capability)
        bank++;
    for (int i = 0; i < 3; i++) {
        launch->threads *= config->threads[i];
        cells *= config->size[i];
        launch->block[i] = i < stencil->dimensions ? INNER : 0;
        numbers[3 + i] = i < stencil->dimensions ? TILES : 1;
    }
    numbers[0] = launch->threads;
    memcpy(launch->constants + banks[bank].threads, numbers, sizeof numbers);
    memcpy(launch->constants + STACK_AT, &stack, sizeof stack);
    int at = banks[bank].parameters;
    for (int k = 0; k < BUFFERS; k++)
        add(launch, &at, &(int64_t){ADDRESS}, sizeof(int64_t));
    for (int k = 0; k < stencil->coefficients || k == 0; k++)
        add(launch, &at, NULL, (int)gzk_type_bytes(stencil->type));
    for (int i = 0; i < 3; i++)
        add(launch, &at, &config->size[i], sizeof(int32_t));
    add(launch, &at, &cells, sizeof cells);
    add(launch, &at, &loop, sizeof loop);
    add(launch, &at, &steps, sizeof(int32_t));
}

int gzk_count_warp(const struct gzk_config *config, int capability, const int *steps, int launches,
                   double *insts, double *doubles, int *registers, struct gzk_error *error)
{
    struct gzk_sass_launch launch;
    struct gzk_sass_counted counted;
    struct gzk_sass_code code;
    struct gzk_compiled compiled;
    char *text = gzk_kernel_text(config, gzk_cuda.prelude);
    const int *threads = config->threads;
    /* Of a trapezoid the first warp has the most iterations in each loop, as `iterations` has them;
     * of a streamed tile the middle one is not cut by the tile's edge. */
    int thread = threads[0] / 2 + threads[0] * (threads[1] / 2 + threads[1] * (threads[2] / 2));
    if (config->variant == GZK_TRAPEZOID)
        thread = 0;
    int status = text ? gzk_nvrtc_compile(text, capability, true, &compiled, error)
                      : gzk_fail(error, GZK_FAILED, "out of host memory");
    free(text);
    if (status != 0)
        return status;
    if (registers)
        *registers = gzk_compiled_number(&compiled, " registers");
    status = gzk_sass_read(compiled.cubin, compiled.cubin_bytes, &code, error);
    gzk_compiled_free(&compiled);
    for (int k = 0; k < launches && status == 0; k++) {
        set_launch(config, capability, steps[k], &launch);
        status = gzk_sass_follow(&code, &launch, thread / WARP * WARP, &counted, error);
        insts[k] = counted.all;
        doubles[k] = counted.doubles;
    }
    free(code.of);
    return status;
}

/* ------------------------------------------------------------------------------------------- tiles
 */

/* A configuration with a few tiles along each dimension. */
static struct gzk_config config_of(const struct gzk_stencil *stencil, enum gzk_variant variant,
                                   int height, const int threads[3], const int cells[3])
{
    struct gzk_config config = {
        .stencil = stencil, .variant = variant, .height = height, .contract = true};
    int reach = variant == GZK_NAIVE ? 0 : height;
    for (int i = 0; i < 3; i++) {
        int there = i < stencil->dimensions;
        config.threads[i] = there ? threads[i] : 1;
        config.block[i] = there ? threads[i] * cells[i] : 1;
        config.size[i] = there ? TILES * (config.block[i] - 2 * stencil->radius[i] * reach) : 1;
    }
    config.loops = height;
    return config;
}

/* Iterations of the threads over the block, less so many radii at each side. */
static double iterations(const struct gzk_config *config, int radii)
{
    double n = 1;
    for (int i = 0; i < config->stencil->dimensions; i++)
        n *= ceil((double)(config->block[i] - 2 * radii * config->stencil->radius[i]) /
                  config->threads[i]);
    return n;
}

/* Threads of a block, in which a tile of one cell for each leaves some to commit; and the cells of
 * eight, more along the rows of few. */
static const int line[3] = {256, 1, 1}, eight_of_line[3] = {8, 1, 1};
static const int plane[3] = {32, 8, 1}, eight_of_plane[3] = {2, 4, 1};
static const int box[3] = {32, 4, 4}, wide_box[3] = {32, 5, 5}, eight_of_box[3] = {2, 2, 2};
static const int one_cell[3] = {1, 1, 1};

static const int *threads_of(const struct gzk_stencil *s)
{
    return s->dimensions == 1   ? line
           : s->dimensions == 2 ? plane
           : s->radius[2] > 1   ? wide_box
                                : box;
}

static const int *eight_of(const struct gzk_stencil *s)
{
    return s->dimensions == 1 ? eight_of_line : s->dimensions == 2 ? eight_of_plane : eight_of_box;
}

/* From stages of one loop and of two: without loops the kernel skips what is written back. */
static int count_trapezoid(const struct gzk_stencil *stencil, int capability, struct gzk_insts *out,
                           struct gzk_error *error)
{
    enum { HEIGHT = 2 };
    static const int steps[HEIGHT] = {1, 2};
    const int *threads = threads_of(stencil), *eight = eight_of(stencil);
    double n[2][HEIGHT], doubles[2][HEIGHT], load[2], each[2], loop[2], once[2];
    int status = 0;
    for (int k = 0; k < 2 && status == 0; k++) {
        /* Just enough for some to be committed, and eight times as many. */
        int cells[3];
        for (int i = 0; i < 3; i++)
            cells[i] = (2 * HEIGHT * stencil->radius[i] / threads[i] + 1) * (k ? eight[i] : 1);
        struct gzk_config config = config_of(stencil, GZK_TRAPEZOID, HEIGHT, threads, cells);
        load[k] = iterations(&config, 0);
        each[k] = iterations(&config, 1);
        status = gzk_count_warp(&config, capability, steps, HEIGHT, n[k], doubles[k],
                                &out->registers, error);
    }
    for (int k = 0; k < 2; k++) {
        loop[k] = n[k][1] - n[k][0];
        once[k] = n[k][0] - loop[k];
    }
    double *part = out->trapezoid;
    part[GZK_INST_COMPUTE] = (loop[1] - loop[0]) / (each[1] - each[0]);
    part[GZK_INST_STEP] = loop[0] - part[GZK_INST_COMPUTE] * each[0];
    part[GZK_INST_LOAD] = (once[1] - once[0]) / (load[1] - load[0]);
    part[GZK_INST_STAGE] = once[0] - part[GZK_INST_LOAD] * load[0];
    out->doubles =
        ((doubles[1][1] - doubles[1][0]) - (doubles[0][1] - doubles[0][0])) / (each[1] - each[0]);
    return status;
}

static int count_naive(const struct gzk_stencil *stencil, int capability, struct gzk_insts *out,
                       struct gzk_error *error)
{
    static const int one = 1;
    /* Cells along the last dimension, as the tuner's threads have them. */
    const int *threads = stencil->dimensions == 3 ? box : threads_of(stencil);
    int along[3] = {1, 1, 1};
    double n[2] = {0}, doubles[2], each[2] = {0};
    int status = 0;
    along[stencil->dimensions - 1] = 8;
    for (int k = 0; k < 2 && status == 0; k++) {
        struct gzk_config config = config_of(stencil, GZK_NAIVE, 1, threads, k ? along : one_cell);
        each[k] = iterations(&config, 0);
        status = gzk_count_warp(&config, capability, &one, 1, &n[k], &doubles[k], NULL, error);
    }
    out->naive[GZK_INST_COMPUTE] = (n[1] - n[0]) / (each[1] - each[0]);
    out->naive[GZK_INST_STAGE] = n[0] - out->naive[GZK_INST_COMPUTE] * each[0];
    return status;
}

/* What a warp of an inner streamed tile does, by part, as gz2 counts it. */
static int stream_parts(const struct gzk_config *config, double parts[GZK_INST_PARTS])
{
    const gzi_tile tile = gzk_tile_of(config);
    int dim = tile.dim;
    gzi_geometry g;
    if (gzi_geometry_make(&gzi_stream, &tile, &g) != 0)
        return -1;
    const gzi_class *of[3];
    for (int i = 0; i < 3; i++) {
        const gzi_axis *axis = &g.axis[i];
        int c = 0;
        while (c + 1 < axis->classes && axis->of[c + 1].first <= INNER)
            c++;
        of[i] = &axis->of[c];
    }
    const gzi_class *along = of[dim - 1];
    double row = ceil((double)tile.block[0] / tile.threads[0]);
    double rows = dim == 3 ? ceil((double)tile.block[1] / tile.threads[1]) : 1;
    parts[GZK_INST_STAGE] = 1;
    parts[GZK_INST_STEP] = along->planes;
    parts[GZK_INST_COMPUTE] = 0;
    if (tile.columns)
        rows = dim == 3 ? of[1]->held / tile.threads[1] : 1;
    parts[GZK_INST_LOAD] = along->loaded * row * rows;
    for (int k = 1; k <= tile.height; k++) {
        double columns = row * (dim == 3 ? of[1]->level[k - 1] / tile.threads[1] : 1);
        parts[GZK_INST_COMPUTE] +=
            along->level[k - 1] * (tile.columns ? columns : gzi_ring_trips(&tile, k));
    }
    return 0;
}

/* Least squares of relative differences, without parts below 0. */
static int solve(int rows, double parts[][GZK_INST_PARTS], const double *n,
                 double found[GZK_INST_PARTS], struct gzk_error *error)
{
    int in[GZK_INST_PARTS] = {1, 1, 1, 1}, again = 1;
    while (again) {
        size_t columns = 0, at = 0;
        double chi;
        for (int j = 0; j < GZK_INST_PARTS; j++)
            columns += (size_t)in[j];
        gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc((size_t)rows, columns);
        gsl_matrix *x = gsl_matrix_alloc((size_t)rows, columns);
        gsl_matrix *covariance = gsl_matrix_alloc(columns, columns);
        gsl_vector *y = gsl_vector_alloc((size_t)rows), *c = gsl_vector_alloc(columns);
        int made = w && x && covariance && y && c;
        for (int i = 0; made && i < rows; i++) {
            at = 0;
            for (int j = 0; j < GZK_INST_PARTS; j++)
                if (in[j])
                    gsl_matrix_set(x, (size_t)i, at++, parts[i][j] / n[i]);
            gsl_vector_set(y, (size_t)i, 1);
        }
        made = made && gsl_multifit_linear(x, y, c, covariance, &chi, w) == 0;
        again = 0;
        at = 0;
        for (int j = 0; j < GZK_INST_PARTS; j++) {
            found[j] = made && in[j] ? gsl_vector_get(c, at++) : 0;
            if (found[j] < 0)
                in[j] = 0, again = 1;
        }
        gsl_multifit_linear_free(w);
        gsl_matrix_free(x);
        gsl_matrix_free(covariance);
        gsl_vector_free(y);
        gsl_vector_free(c);
        if (!made)
            return gzk_fail(error, GZK_FAILED, "the streamed tile's parts cannot be distinguished");
    }
    return 0;
}

static int count_stream(const struct gzk_stencil *stencil, int capability, struct gzk_insts *out,
                        struct gzk_error *error)
{
    static const int planes[] = {12, 36}, cells[][3] = {{1, 2, 1}, {2, 2, 1}, {1, 4, 1}};
    static const int two[3] = {64, 1, 1}, three[3] = {32, 8, 1};
    double parts[MOST_ROWS][GZK_INST_PARTS], n[MOST_ROWS], doubles;
    int last = stencil->dimensions - 1, rows = 0, status = 0;
    for (int h = 1; h <= 2; h++)
        for (int p = 0; p < 2; p++)
            for (int b = 0; b < (last == 2 ? 3 : 2) && status == 0; b++) {
                struct gzk_config c =
                    config_of(stencil, GZK_STREAM, h, last == 2 ? three : two, cells[b]);
                c.block[last] = planes[p] + 2 * stencil->radius[last] * h;
                c.size[last] = TILES * planes[p];
                c.threads[last] = 1;
                c.columns = gzk_stream_takes_columns(&c, false);
                if (stream_parts(&c, parts[rows]) != 0)
                    continue;
                status = gzk_count_warp(&c, capability, &h, 1, &n[rows], &doubles, NULL, error);
                rows++;
            }
    return status == 0 ? solve(rows, parts, n, out->stream, error) : status;
}

int gzk_count_insts(const struct gzk_stencil *stencil, int capability, struct gzk_insts *out,
                    struct gzk_error *error)
{
    *out = (struct gzk_insts){.registers = 0};
    int status = count_trapezoid(stencil, capability, out, error);
    if (status == 0)
        status = count_naive(stencil, capability, out, error);
    if (status == 0 && stencil->dimensions > 1)
        status = count_stream(stencil, capability, out, error);
    return status;
}

/* ------------------------------------------------------------------------------ as quantities */

/* Adds the parts of a variant under their names, which begin alike; those that models have. */
static int add_parts(const char *variant, const double part[GZK_INST_PARTS],
                     struct gzk_inst_value *out)
{
    static const char *const names[] = {"stage", "load", "step", "compute"};
    int n = 0;
    for (int k = 0; k < GZK_INST_PARTS; k++) {
        char name[40];
        snprintf(name, sizeof name, "%s%s_insts", variant, names[k]);
        int param = gz_param_by_name(name);
        if (param >= 0)
            out[n++] = (struct gzk_inst_value){param, fmax(part[k], 0), ""};
    }
    return n;
}

int gzk_inst_values(const struct gzk_stencil *stencil, const struct gzk_insts *insts,
                    struct gzk_inst_value out[GZK_INST_VALUES])
{
    const double *part = insts->trapezoid, warps = (double)GZK_INSTS_ELEMENTS / WARP;
    double once = part[GZK_INST_STAGE] + part[GZK_INST_LOAD];
    double loop = part[GZK_INST_STEP] + part[GZK_INST_COMPUTE];
    int n = add_parts("", part, out);
    n += add_parts("naive_", insts->naive, out + n);
    if (stencil->dimensions > 1)
        n += add_parts("stream_", insts->stream, out + n);
    if (insts->doubles > 0)
        out[n++] = (struct gzk_inst_value){gz_param_by_name("fp64_insts"), insts->doubles, ""};
    out[n++] = (struct gzk_inst_value){GZ_P_REGISTERS_PER_THREAD, insts->registers,
                                       "of a trapezoid's thread"};
    out[n++] = (struct gzk_inst_value){GZ_P_INSTS_PER_SM_MISC, fmax(once * warps, 0),
                                       "stage_insts and load_insts, one cell for each thread"};
    out[n++] = (struct gzk_inst_value){GZ_P_INSTS_PER_SM_ITER, fmax(loop * warps, 0),
                                       "step_insts and compute_insts, one cell for each thread"};
    return n;
}

int gzk_describe_counted(const struct gzk_stencil *stencil, gz_app *app, struct gzk_error *error)
{
    enum { CAPABILITY = 90 };
    struct gzk_inst_value values[GZK_INST_VALUES];
    struct gzk_insts insts;
    int status = gzk_count_insts(stencil, CAPABILITY, &insts, error);
    if (status != 0)
        return status;
    int n = gzk_inst_values(stencil, &insts, values);
    app->profile_elements.value = GZK_INSTS_ELEMENTS;
    app->profile_sm_count.value = 1;
    snprintf(app->profile_device, sizeof app->profile_device, "sm_%d", CAPABILITY);
    for (int k = 0; k < n; k++)
        *gz_param_quantity(NULL, app, values[k].param) =
            (gz_quantity){values[k].value, 0, GZ_ORIGIN_COUNTED};
    return 0;
}
