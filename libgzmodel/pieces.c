/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces.c - see pieces.h.
 */
#include "pieces.h"
#include "tiling.h"

#include <math.h>

enum { CPU_PARTS = 12, GPU_WIDTHS = 6, MORE_PARTS = 3, TILES_PER_UNIT = 4, LINE_BYTES = 64 };

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

/* A quick look at the local memory; the model knows the layout. */
static int may_fit(const struct streamed *s)
{
    gz_config cfg = *s->cfg;
    for (int i = 0; i < s->last; i++)
        cfg.block_len[i] = s->block_len[i];
    gzi_tile tile = gzi_tile_of(s->app, &cfg, s->height);
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
        double length = part_of(s, s->last, parts);
        if (!(length < shorter))
            continue;
        shorter = length;
        s->block_len[s->last] = length + ghost(s, s->last);
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
    int tried = 0, fits;

    s->block_len[0] = columns + ghost(s, 0);
    s->columns = across;
    if (s->last == 1)
        return visit_lengths(s, &fits);
    for (double parts = 1; parts <= s->cfg->data_length[1] && tried < MORE_PARTS && !status;
         parts++) {
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
