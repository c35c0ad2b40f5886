/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * workers.c - the body of a stage: which worker takes which tiles, and waves of groups.
 */
#include "gz2_parts.h"

#include <math.h>
#include <string.h>

/* Workers that are looked at one by one; more are averaged over. */
enum { EXACT_WORKERS = 32 };

/* The most tiles that a CPU's runtime dispatches to a core at once, for each core. */
enum { DISPATCH_MOST = 32 };

/* Pieces of a stage are at most these: more would be many tiles for each worker, which then all
 * have as much to do. */
enum { PIECES = 16 * EXACT_WORKERS };

/* Tiles of each remainder modulo W, by class of each axis. */
typedef struct shifts {
    double of[3][GZI_CLASSES][EXACT_WORKERS];
} shifts;

static void make_shifts(const gzi_geometry *g, int workers, shifts *out)
{
    long stride = 1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < g->axis[i].classes; c++)
            gzi_remainders(g->axis[i].of[c].first, g->axis[i].of[c].tiles, stride, workers,
                           out->of[i][c]);
        stride = stride * (g->axis[i].tiles % workers) % workers;
    }
}

/* How many tiles of the classes (x, y, z) each worker has: a cyclic convolution of the axes'. */
static void convolve(const shifts *s, int workers, int x, int y, int z, double *tiles)
{
    double plane[EXACT_WORKERS] = {0};
    for (int i = 0; i < workers; i++)
        for (int j = 0; s->of[2][z][i] > 0 && j < workers; j++)
            plane[(i + j) % workers] += s->of[2][z][i] * s->of[1][y][j];
    memset(tiles, 0, (size_t)workers * sizeof *tiles);
    for (int i = 0; i < workers; i++)
        for (int j = 0; plane[i] > 0 && j < workers; j++)
            tiles[(i + j) % workers] += plane[i] * s->of[0][x][j];
}

/* The time of a tile of each class. */
typedef struct class_times {
    double of[GZI_CLASSES][GZI_CLASSES][GZI_CLASSES];
} class_times;

static void time_classes(const gzi_gz2_stage *st, class_times *u)
{
    double count[GZI_GZ2_PARAMETERS] = {0};
    double by[GZI_GZ2_TERMS];
    EACH_CLASS(st->geometry, x, y, z)
    {
        gzi_gz2_count_class(st, x, y, z, count);
        u->of[z][y][x] = gzi_gz2_group_time(st, count, 1, by);
    }
}

/* Adds `tiles` tiles of a class, one after the other, to the prediction of a stage. */
static void add_class(const gzi_gz2_stage *st, const class_times *u, const int class[3],
                      double tiles, gzi_gz2_prediction *out)
{
    double count[GZI_GZ2_PARAMETERS] = {0};
    if (st->alone) {
        out->seconds += tiles * u->of[class[2]][class[1]][class[0]];
        return;
    }
    gzi_gz2_count_class(st, class[0], class[1], class[2], count);
    gzi_gz2_add_groups(st, count, 1, tiles, out);
}

static int busiest_of(const double *busy, int workers)
{
    int busiest = 0;
    for (int w = 1; w < workers; w++)
        if (busy[w] > busy[busiest])
            busiest = w;
    return busiest;
}

/* The time of the tiles with numbers from `from` to before `end`. */
static double range_time(const gzi_geometry *g, const class_times *u, double from, double end)
{
    double sum = 0;
    EACH_CLASS(g, x, y, z)
    {
        const int class[3] = {x, y, z};
        sum += u->of[z][y][x] *
               (gzi_geometry_before(g, class, end) - gzi_geometry_before(g, class, from));
    }
    return sum;
}

/* Groups of several threads take tiles w, w + W, w + 2 W, ... by fences. */
static void cyclic(const gzi_gz2_stage *st, int workers, gzi_gz2_prediction *out)
{
    static const class_times none;
    shifts s;
    class_times u = none;
    double busy[EXACT_WORKERS] = {0}, tiles[EXACT_WORKERS];
    int busiest;

    make_shifts(st->geometry, workers, &s);
    time_classes(st, &u);
    EACH_CLASS(st->geometry, x, y, z)
    {
        convolve(&s, workers, x, y, z, tiles);
        for (int w = 0; w < workers; w++)
            busy[w] += tiles[w] * u.of[z][y][x]; /* [gz2 26] */
    }
    busiest = busiest_of(busy, workers);
    EACH_CLASS(st->geometry, x, y, z)
    {
        convolve(&s, workers, x, y, z, tiles);
        if (tiles[busiest] > 0)
            add_class(st, &u, (const int[]){x, y, z}, tiles[busiest], out);
    }
}

/* A part of a stage's tiles, which a worker takes at once. */
typedef struct piece {
    int worker;
    double from, end;
} piece;

/* By fences, a core takes a W-th of the tiles, in order. */
static int equal_pieces(const gzi_geometry *g, const class_times *u, int workers, piece *pieces,
                        double *busy)
{
    double tiles = g->tiles;
    for (int w = 0; w < workers; w++) {
        pieces[w] =
            (piece){w, floor(w * tiles / workers), floor((w + 1) * tiles / workers)}; /* [gz2 24] */
        busy[w] = range_time(g, u, pieces[w].from, pieces[w].end);
    }
    return workers;
}

/* By restarts, the runtime dispatches the tiles: whoever is free takes a W-th of what is left, 32 W
 * at most [guided self-scheduling, Polychronopoulos and Kuck 1987; as PoCL does up to 256 W^2
 * tiles]. -1: too many pieces. */
static int guided_pieces(const gzi_geometry *g, const class_times *u, int workers, piece *pieces,
                         double *busy)
{
    double tiles = g->tiles;
    int n = 0;
    for (double from = 0; from < tiles; n++) {
        int first = 0;
        if (n == PIECES)
            return -1;
        for (int w = 1; w < workers; w++)
            if (busy[w] < busy[first])
                first = w;
        double take =
            fmin(ceil((tiles - from) / workers), (double)DISPATCH_MOST * workers); /* [gz2 25] */
        pieces[n] = (piece){first, from, from + take};
        busy[first] += range_time(g, u, from, from + take);
        from += take;
    }
    return n;
}

/* The busiest of the cores that take tiles in pieces. 0, or -1 if there are too many. */
static int in_pieces(const gzi_gz2_stage *st, int workers, gzi_gz2_prediction *out)
{
    static const class_times none;
    piece pieces[PIECES];
    class_times u = none;
    double busy[EXACT_WORKERS] = {0};
    int busiest, n;
    const gzi_geometry *g = st->geometry;

    /* Not worth the search: each worker has many tiles, and the last are dispatched one by one. */
    if (st->config->sync != GZ_SYNC_FENCE && g->tiles > (double)PIECES * workers)
        return -1;
    time_classes(st, &u);
    n = (st->config->sync == GZ_SYNC_FENCE ? equal_pieces : guided_pieces)(g, &u, workers, pieces,
                                                                           busy);
    busiest = busiest_of(busy, workers);
    EACH_CLASS(g, x, y, z)
    {
        const int class[3] = {x, y, z};
        double tiles = 0;
        for (int k = 0; k < n; k++)
            if (pieces[k].worker == busiest)
                tiles += gzi_geometry_before(g, class, pieces[k].end) -
                         gzi_geometry_before(g, class, pieces[k].from);
        if (tiles > 0)
            add_class(st, &u, class, tiles, out);
    }
    return n < 0 ? -1 : 0;
}

/* f whole waves of M R groups, and a last one of R' a unit, of groups that are the mean of all:
 * f R u(R) + R' u(R'). */
void gzi_gz2_waves(const gzi_gz2_stage *st, gzi_gz2_prediction *out)
{
    const gzi_geometry *g = st->geometry;
    double units = st->model->device.units, resident = out->resident;
    double full = floor(g->tiles / (units * resident));
    double last = ceil((g->tiles - full * units * resident) / units);
    double count[GZI_GZ2_PARAMETERS] = {0};

    EACH_CLASS(g, x, y, z)
    {
        double share = (double)g->axis[0].of[x].tiles * (double)g->axis[1].of[y].tiles *
                       (double)g->axis[2].of[z].tiles / g->tiles;
        gzi_gz2_count_class(st, x, y, z, count);
        if (full > 0)
            gzi_gz2_add_groups(st, count, resident, full * resident * share, out); /* [gz2 27] */
        if (last > 0)
            gzi_gz2_add_groups(st, count, last, last * share, out);
    }
}

/* Whether each worker is looked at on its own. A group of one thread is a CPU's core. */
int gzi_gz2_one_by_one(const gzi_gz2_stage *st, double resident, double workers)
{
    return !(resident > 1) && workers <= EXACT_WORKERS &&
           (st->config->sync == GZ_SYNC_FENCE || st->core);
}

/* The body of a stage: who takes which tiles. */
void gzi_gz2_share_out(const gzi_gz2_stage *st, gzi_gz2_prediction *out)
{
    int workers = (int)fmin(st->model->device.units, st->geometry->tiles), done = 0;
    if (gzi_gz2_one_by_one(st, out->resident, workers)) {
        done = 1;
        if (st->core)
            done = in_pieces(st, workers, out) == 0;
        else
            cyclic(st, workers, out);
    }
    if (!done)
        gzi_gz2_waves(st, out);
}
