/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * threads.c - the threads of a block, and whether the columns of a streamed tile along its stream
 * lie in their registers, see tiling.h.
 */
#include "quantities.h"
#include "tiling.h"

#include <math.h>

/* Threads of a streamed tile on a GPU: more would leave each too few registers for the pointers to
 * the rows that it reads; and with fewer they have enough for more columns. */
enum { MOST_THREADS = 512, LEAST_THREADS = 128 };

/* Registers that a kernel takes besides to run one stage after the other, and the fewest that
 * compilers do with. */
enum { STAGES = 28, STAGES_LEAST = 14 };

/* ----------------------------------------------------------------------------------- registers */

double gzi_thread_columns(const gzi_tile *tile)
{
    double columns = 1;
    for (int i = 0; i < tile->dim - 1; i++)
        columns *= ceil((double)tile->block[i] / (tile->threads[i] > 1 ? tile->threads[i] : 1));
    return columns;
}

double gzi_column_registers(const gzi_tile *tile)
{
    /* What NVRTC's kernels took: addresses, those of three time levels' older states (which fences
     * exchange), what each level takes besides, the coefficient arrays' planes, each column's
     * places, coefficients. */
    static const double addresses = 26, older = 4, level = 2, planes = 6, places = 5,
                        coefficient = 1;
    double radius = tile->radius[tile->dim - 1], words = tile->bytes / 4.0;
    int fences = tile->sync == GZ_SYNC_FENCE, fields = gzi_fields(&tile->shape);
    /* A cell's neighbours in its plane; a column of each level and field; of each array what all
     * levels read and what is loaded ahead; the older state, likewise. */
    double beside = 2 * radius * (tile->dim - 1) * fields;
    double values = fields * (tile->height * (2 * radius + 1) + 3 * radius - 2) +
                    tile->coefficient_arrays * (2 + radius * (tile->height + 1)) + tile->older;
    return addresses + older * tile->older * (fences ? 2 : 1) + level * tile->height +
           (tile->coefficient_arrays > 0 ? planes : 0) + words * beside +
           coefficient * tile->coefficients + (fences ? STAGES : 0) +
           gzi_thread_columns(tile) * (places + words * values);
}

/* Registers that a multiprocessor has for each thread of a block. They are given to four warps at a
 * time. [CUDA's occupancy calculator] */
static double registers_there(const gzi_tile *tile)
{
    static const double all = 65536, together = 128;
    double threads = 1;
    for (int i = 0; i < tile->dim - 1; i++)
        threads *= tile->threads[i] > 1 ? tile->threads[i] : 1;
    return all / (ceil(threads / together) * together);
}

/* Of so many blocks at a time, eight by eight. */
static double share_of(const gzi_tile *tile, double blocks)
{
    static const double most = 255, unit = 8;
    return fmin(most, floor(registers_there(tile) / blocks / unit) * unit);
}

double gzi_most_registers(const gzi_tile *tile)
{
    return share_of(tile, 1);
}

double gzi_resident_blocks(const gzi_tile *tile)
{
    /* Registers that NVRTC saved on request, without spilling any. Doubles, and three time levels,
     * leave it too little to save. */
    static const double saved = 0.125;
    if (!tile->columns || tile->bytes > 4 || tile->older)
        return 1;
    return fmax(1, floor(registers_there(tile) / ((1 - saved) * gzi_column_registers(tile))));
}

double gzi_stream_registers(const gzi_tile *tile)
{
    if (!tile->columns)
        return gzi_ring_registers(tile);
    return fmin(gzi_column_registers(tile), share_of(tile, gzi_resident_blocks(tile)));
}

int gzi_columns_fit(const gzi_tile *tile)
{
    double registers = gzi_column_registers(tile);
    return registers - (tile->sync == GZ_SYNC_FENCE ? STAGES - STAGES_LEAST : 0) <=
           gzi_most_registers(tile);
}

int gzi_takes_columns(const gzi_tile *tile)
{
    if (tile->planes != GZI_PLANES_ANY)
        return tile->planes == GZI_PLANES_COLUMNS;
    return tile->reads.own_column && !tile->cpu && tile->dim > 1 &&
           tile->radius[tile->dim - 1] >= 1 && gzi_thread_columns(tile) <= GZI_MOST_COLUMNS &&
           gzi_columns_fit(tile);
}

/* ------------------------------------------------------------------------------------- threads */

/* Elements of the state that a cell reads. */
static double reads_of(const gzi_tile *tile)
{
    double box = 1;
    for (int i = 0; i < tile->dim; i++)
        box *= 2 * tile->radius[i] + 1;
    return tile->reads.state > 0 ? tile->reads.state : box;
}

/* Registers for what a column of so many rows together reads of a plane. */
static double rows_hold(const gzi_tile *tile, int rows)
{
    double radius = tile->radius[1], words = tile->bytes / 4.0;
    return words * reads_of(tile) / (2 * tile->radius[2] + 1) / (2 * radius + 1) *
           (2 * radius + rows);
}

int gzi_cells_together(const gzi_tile *tile)
{
    enum { MOST = 8, REGISTERS = 65536 };
    int last = tile->dim - 1, cells = 1;
    long of = tile->threads[last] > 1 ? tile->threads[last] : 1, own = tile->block[last] / of;
    double threads = 1;
    for (int i = 0; i < tile->dim; i++)
        threads *= tile->threads[i] > 1 ? tile->threads[i] : 1;
    if (last == 0 || tile->block[last] % of != 0 ||
        floor(tile->bytes / 4.0 * reads_of(tile) / 2) > REGISTERS / threads)
        return 1;
    while (2 * cells <= MOST && own % (2L * cells) == 0)
        cells *= 2;
    return cells;
}

int gzi_rows_together(const gzi_tile *tile)
{
    enum { MOST = 4, ADDRESSES = 16 };
    if (tile->dim < 3)
        return 1;
    int radius = tile->radius[1], threads = tile->threads[1] > 1 ? tile->threads[1] : 1, rows = 1;
    long own = (tile->block[1] - 1) / threads + 1;
    long committed = tile->block[1] - 2L * radius * tile->height;
    double room = gzi_most_registers(tile) - ADDRESSES;
    /* They take half of the registers at most. */
    while (2 * rows <= MOST && 2 * rows <= own && 2 * rows <= committed &&
           rows_hold(tile, 2 * rows) < room / 2)
        rows *= 2;
    return rows;
}

double gzi_ring_registers(const gzi_tile *tile)
{
    static const double least = 64, more = 32, besides = 16;
    int rows = gzi_rows_together(tile);
    double held = rows > 1 ? besides + rows_hold(tile, rows) : 0;
    /* Each further field has its planes' addresses, and a value for each row. */
    held += (gzi_fields(&tile->shape) - 1) *
            (2.0 * tile->radius[tile->dim - 1] + 1 + rows * tile->bytes / 4.0);
    return least + fmin(fmax(more, held), (gzi_most_registers(tile) - least) / 2);
}

double gzi_ring_trips(const gzi_tile *tile, int level)
{
    const double together[2] = {1, gzi_rows_together(tile)};
    double trips = 1;
    for (int i = 0; i < tile->dim - 1; i++) {
        double cells = (double)(tile->block[i] - 2L * tile->radius[i] * level);
        double threads = tile->threads[i] > 1 ? tile->threads[i] : 1;
        trips *= together[i] * ceil(ceil(cells / together[i]) / threads);
    }
    return trips;
}

void gzi_limit_threads(int dim, double most, double threads[GZ_MAX_DIM])
{
    for (int i = dim - 1; i >= 0;) {
        double product = 1;
        for (int k = 0; k < dim; k++)
            product *= threads[k];
        if (product <= most)
            break;
        if (threads[i] > 1 && isfinite(threads[i])) /* else the block is refused later */
            threads[i] = ceil(threads[i] / 2);
        else
            i--;
    }
}

/* One thread a column of the tile, or fewer. */
static void set_limited(gzi_tile *tile, double most)
{
    double threads[GZ_MAX_DIM] = {1, 1, 1};
    int across = tile->dim - 1;
    for (int i = 0; i < across; i++)
        threads[i] = (double)tile->block[i];
    gzi_limit_threads(across, most, threads);
    for (int i = 0; i < across; i++)
        tile->threads[i] = (int)threads[i];
    tile->columns = gzi_takes_columns(tile);
}

void gzi_set_stream_threads(gzi_tile *tile, double most)
{
    for (int i = 0; i < GZ_MAX_DIM; i++)
        tile->threads[i] = 1;
    tile->columns = 0;
    if (tile->cpu)
        return;
    most = fmin(most, MOST_THREADS);
    set_limited(tile, most);
    for (double fewer = floor(most / 2); !tile->columns && fewer >= LEAST_THREADS;
         fewer = floor(fewer / 2))
        set_limited(tile, fewer);
    if (!tile->columns)
        set_limited(tile, most);
}

double gzi_threads_in(const gz_device *dev, const gz_app *app, const gz_config *cfg, int i)
{
    int along = cfg->variant == GZ_VARIANT_STREAM && i == app->dim - 1;
    if (cfg->threads[i] > 0)
        return cfg->threads[i];
    return along || gzi_is_cpu(dev) ? 1 : cfg->block_len[i];
}

void gzi_set_threads(const gz_device *dev, const gz_app *app, double most, int h, gz_config *cfg)
{
    if (cfg->variant == GZ_VARIANT_STREAM) {
        gzi_tile tile = gzi_tile_of(dev, app, cfg, h);
        gzi_set_stream_threads(&tile, most);
        for (int i = 0; i < app->dim; i++)
            cfg->threads[i] = tile.threads[i];
        return;
    }
    for (int i = 0; i < app->dim; i++) {
        cfg->threads[i] = 0;
        cfg->threads[i] = gzi_threads_in(dev, app, cfg, i);
    }
    if (cfg->variant == GZ_VARIANT_NAIVE && !gzi_is_cpu(dev))
        most = fmin(most, GZI_NAIVE_THREADS);
    gzi_limit_threads(app->dim, most, cfg->threads);
}
