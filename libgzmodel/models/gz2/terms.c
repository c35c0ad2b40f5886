/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_terms.h"

#include <math.h>

int gzi_gz2_is_core(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    /* A streamed tile walks along the last dimension. */
    int dim = model->stencil.dim - (config->variant == GZI_GZ2_STREAM), core = 1;
    for (int i = 0; i < dim; i++)
        core &= config->threads[i] <= 1;
    return core && model->device.warp == 1;
}

static const struct {
    const char *name, *unit;
    gzi_gz2_term term;
} parameters[GZI_GZ2_PARAMETERS] = {
    [GZI_GZ2_LAUNCH] = {"launch", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_GRAPH] = {"graph", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_FENCE] = {"fence", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_RUN] = {"run", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_RUN_FENCE] = {"run_fence", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_COPY_CELL] = {"copy_cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_COPY_ROW] = {"copy_row", "s", GZI_GZ2_WORK},
    [GZI_GZ2_COPY_EDGE] = {"copy_edge", "s", GZI_GZ2_WORK},
    [GZI_GZ2_GROUP] = {"group", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_LOAD] = {"load", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_BARRIER] = {"barrier", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_BARRIER_WARP] = {"barrier_warp", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_LINE] = {"line", "s", GZI_GZ2_LINES},
    [GZI_GZ2_SHARED] = {"shared", "s/B", GZI_GZ2_LOCAL},
    [GZI_GZ2_L2] = {"l2", "s/B", GZI_GZ2_CACHED},
    [GZI_GZ2_DRAM] = {"dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_STREAM_COPY] = {"stream_copy", "s/B", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_ROWS] = {"stream_rows", "s", GZI_GZ2_WORK},
    [GZI_GZ2_NAIVE_ROWS] = {"naive_rows", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_DRAM] = {"stream_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_NAIVE_DRAM] = {"naive_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_EXCHANGE] = {"exchange", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_AHEAD_DRAM] = {"ahead_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_CACHE] = {"cache", "B", GZI_GZ2_TERMS},
    [GZI_GZ2_NORM] = {"norm", "1", GZI_GZ2_TERMS},
    [GZI_GZ2_CELL] = {"cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_REST] = {"rest", "s", GZI_GZ2_WORK},
    [GZI_GZ2_CHAIN] = {"chain", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_ISSUE] = {"issue", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_CELL] = {"stream_cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_REST] = {"stream_rest", "s", GZI_GZ2_WORK},
    [GZI_GZ2_NAIVE_CELL] = {"naive_cell", "s", GZI_GZ2_WORK},
};

const char *gzi_gz2_name(gzi_gz2_parameter parameter)
{
    return parameters[parameter].name;
}

const char *gzi_gz2_unit(gzi_gz2_parameter parameter)
{
    return parameters[parameter].unit;
}

gzi_gz2_term gzi_gz2_term_of(gzi_gz2_parameter parameter)
{
    return parameters[parameter].term;
}

double gzi_gz2_norm_value(const double term[GZI_GZ2_TERMS], double p)
{
    double largest = 0, sum = 0;
    int several = 0;

    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        several += term[s] > 0;
        largest = fmax(largest, term[s]);
    }
    /* The norm of one term is the term, whatever p; so CPUs need no pow. */
    if (several <= 1)
        return largest + term[GZI_GZ2_MEMORY];
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
        if (term[s] > 0)
            sum += pow(term[s] / largest, p);
    return largest * pow(sum, 1 / p) + term[GZI_GZ2_MEMORY];
}

void gzi_gz2_norm_make(const double term[GZI_GZ2_TERMS], double p, gzi_gz2_norm *out)
{
    double largest = 0, sum = 0, entropy = 0;
    int several = 0;

    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        several += term[s] > 0;
        largest = fmax(largest, term[s]);
    }
    *out = (gzi_gz2_norm){0};
    out->by[GZI_GZ2_MEMORY] = 1;
    if (several <= 1) {
        for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
            out->by[s] = several == 0 || term[s] > 0 || p <= 1 ? 1 : 0;
        out->value = largest + term[GZI_GZ2_MEMORY];
        return;
    }
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
        if (term[s] > 0)
            sum += pow(term[s] / largest, p);
    double norm = largest * pow(sum, 1 / p);
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        double relative = term[s] / norm;
        out->by[s] = relative > 0 ? pow(relative, p - 1) : p <= 1;
        if (relative > 0)
            entropy += relative * out->by[s] * log(relative);
    }
    /* d ln norm / dp = sum_s w_s ln(v_s / norm) / p with w_s = (v_s / norm)^p. */
    out->by_p = norm * entropy / p;
    out->value = norm + term[GZI_GZ2_MEMORY];
}

gzi_gz2_level gzi_gz2_level_make(double bytes, double cache, double sharpness)
{
    gzi_gz2_level level = {1, 0, 0};
    if (!(bytes > 0))
        return (gzi_gz2_level){0, 0, 0};
    if (cache > 0) {
        double ratio = pow(cache / bytes, sharpness);
        level.value = 1 / (1 + ratio);
        /* a' = m a (1 - a) / Z; 1 - a computed without cancellation. */
        double curve = sharpness * level.value * (isinf(ratio) ? 1 : ratio / (1 + ratio));
        level.by_bytes = curve / bytes;
        level.by_cache = -curve / cache;
    }
    return level;
}

/* Half a row of so many bytes arrives while its tile's other rows are computed; with so many
 * streams half of them are lost. */
static const double ahead_bytes = 8192, ahead_streams = 10;

/* Rows of so many bytes are half short: two lines of a cache, before a prefetcher follows. It
 * follows within a page. */
static const double short_bytes = 128, page_bytes = 4096;

gzi_gz2_level gzi_gz2_row_ahead(double bytes)
{
    return gzi_gz2_level_make(ahead_bytes, bytes, 2);
}

gzi_gz2_level gzi_gz2_streams_ahead(double streams)
{
    return gzi_gz2_level_make(ahead_streams, streams, 8);
}

gzi_gz2_level gzi_gz2_row_short(double bytes, double apart)
{
    gzi_gz2_level share = gzi_gz2_level_make(short_bytes, bytes, 2);
    double pages = fmin(1, apart / page_bytes);
    share.value *= pages;
    share.by_bytes *= pages;
    share.by_cache *= pages;
    return share;
}

double gzi_gz2_words(const gzi_gz2_stencil *stencil)
{
    return stencil->bytes / 4.0;
}

double gzi_gz2_rows_apart(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->stencil.dim > 1 ? model->stencil.bytes * (double)config->grid[0] : 0;
}

double gzi_gz2_between(const gzi_gz2_config *config, double height)
{
    return fmax(0, 1 - height * config->run_share);
}
