/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces.c - see pieces.h.
 */
#include "pieces.h"
#include "quantities.h"
#include "tiling.h"

#include <math.h>
#include <string.h>

enum {
    CPU_PARTS = 12,
    GPU_WIDTHS = 6,
    MORE_CPU = 3,
    MORE_GPU = 12,
    TILES_PER_UNIT = 4,
    LINE_BYTES = 64
};

typedef gz_status visitor(void *with, const double block_len[GZ_MAX_DIM], double stream_len,
                          int height);

/* The tile being put together. */
struct streamed {
    const gzi_pieces *pieces;
    const gz_app *app;
    const gz_config *cfg;
    int height, last; /* dimension along which it walks */
    double columns;   /* tiles beside each other */
    double block_len[GZ_MAX_DIM];
    visitor *visit;
    void *with;
};

static double ghost(const struct streamed *s, int i)
{
    return s->app->halo_width[i] * s->height;
}

/* A grid's length in so many equal parts. */
static double part_of(const struct streamed *s, int i, double parts)
{
    return ceil(floor(s->cfg->data_length[i]) / parts);
}

/* A quick look at the local memory, as the kernels would lay the tile out; the model knows how the
 * edges add to it. */
static int may_fit(const struct streamed *s)
{
    const gzi_pieces *pieces = s->pieces;
    gz_config cfg = *s->cfg;
    for (int i = 0; i < s->last; i++) {
        cfg.block_len[i] = s->block_len[i];
        if (pieces->block_max[i] > 0 && cfg.block_len[i] > pieces->block_max[i])
            return 0;
    }
    if (pieces->given_threads[0] > 0)
        memcpy(cfg.threads, pieces->given_threads, sizeof cfg.threads);
    else
        gzi_set_threads(pieces->dev, s->app, pieces->threads, s->height, &cfg);
    gzi_columns columns = gzi_columns_of(pieces->dev, s->app, &cfg, s->height);
    gzi_tile tile = gzi_tile_of(s->app, &cfg, s->height);
    tile.columns = gzi_takes_columns(&columns);
    tile.compact = gzi_is_cpu(pieces->dev) && s->app->dim == 3 && cfg.threads[1] <= 1;
    return !(s->pieces->shared_bytes > 0) ||
           gzi_stream.local_elements(&tile, 0, s->pieces->arrays) * s->app->element_size.value <=
               s->pieces->shared_bytes;
}

/* All pieces of one plane; `*fits` says whether the device has room for it. */
static gz_status visit_lengths(struct streamed *s, int *fits)
{
    double planes = floor(s->cfg->data_length[s->last]), shorter = HUGE_VAL;
    gz_status status = GZ_OK;

    *fits = may_fit(s);
    for (double parts = 1; *fits && !status && parts <= planes; parts *= 2) {
        double length = part_of(s, s->last, parts), most = s->pieces->block_max[s->last];
        if (s->pieces->length > 0)
            length = fmin(s->pieces->length, planes);
        s->block_len[s->last] = length + ghost(s, s->last);
        if (!(length < shorter) || (most > 0 && s->block_len[s->last] > most))
            continue;
        shorter = length;
        status = s->visit(s->with, s->block_len, length, s->height);
        if (status == GZ_EHEIGHT) {
            *fits = 0;
            return GZ_OK;
        }
        if (s->columns * parts >= TILES_PER_UNIT * s->pieces->units)
            break;
    }
    return status;
}

/* Planes with rows of `columns` committed cells. */
static gz_status visit_planes(struct streamed *s, double columns)
{
    double across = ceil(s->cfg->data_length[0] / columns), shorter = HUGE_VAL;
    gz_status status = GZ_OK;
    int tried = 0, fits, more = s->pieces->whole_rows ? MORE_CPU : MORE_GPU;

    s->block_len[0] = columns + ghost(s, 0);
    s->columns = across;
    if (s->last == 1)
        return visit_lengths(s, &fits);
    for (double parts = 1; parts <= s->cfg->data_length[1] && tried < more && !status; parts++) {
        double rows = part_of(s, 1, parts);
        if (!(rows < shorter))
            continue;
        shorter = rows;
        s->block_len[1] = rows + ghost(s, 1);
        s->columns = across * parts;
        status = visit_lengths(s, &fits);
        tried += fits;
    }
    return status;
}

static gz_status visit_widths(struct streamed *s)
{
    static const double widths[GPU_WIDTHS] = {32, 64, 128, 256, 512, 1024};
    double line = fmax(1, floor(LINE_BYTES / s->app->element_size.value)), last = HUGE_VAL;
    gz_status status = GZ_OK;

    for (int parts = 1; s->pieces->whole_rows && parts <= CPU_PARTS && !status; parts++) {
        double columns = part_of(s, 0, parts);
        if (parts > 1)
            columns = ceil(columns / line) * line;
        if (columns < last)
            status = visit_planes(s, columns);
        last = fmin(last, columns);
    }
    for (int k = 0; !s->pieces->whole_rows && k < GPU_WIDTHS && !status; k++)
        if (widths[k] > ghost(s, 0) && widths[k] <= s->pieces->threads)
            status = visit_planes(s, widths[k] - ghost(s, 0));
    return status;
}

/* The height after `h`: in three dimensions few are sensible, in two the optimum is flat. */
static int height_after(int h)
{
    return h < 8 ? h + 1 : h < 16 ? h + 2 : h + 4;
}

gzi_pieces gzi_pieces_of(const gz_device *dev, const gz_app *app, const gz_tile_limits *limits)
{
    gzi_pieces pieces = {.dev = dev,
                         .units = dev->sm_count.value,
                         .whole_rows = gzi_is_cpu(dev),
                         .threads = limits->threads,
                         .shared_bytes = limits->shared_bytes,
                         .arrays = app->stencil_arrays.value - 1,
                         .height_max = limits->height_max};
    memcpy(pieces.block_max, limits->block_max, sizeof pieces.block_max);
    return pieces;
}

gz_status gzi_visit_pieces(const gzi_pieces *pieces, const gz_app *app, const gz_config *cfg,
                           visitor *visit, void *with)
{
    enum { HIGHEST = 32 };
    struct streamed s = {.pieces = pieces,
                         .app = app,
                         .cfg = cfg,
                         .last = app->dim - 1,
                         .visit = visit,
                         .with = with};
    double most = pieces->height_max > 0 ? fmin(pieces->height_max, HIGHEST) : HIGHEST;
    gz_status status = GZ_OK;
    for (s.height = 1; s.height <= most && !status; s.height = height_after(s.height))
        status = visit_widths(&s);
    return status;
}
