/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_reference.h"

#include "tap.h"
#include "tile_reference.h"

#include <stdlib.h>

static const gzi_tiling *tiling_of(const gzi_gz2_config *config)
{
    return config->variant == GZI_GZ2_STREAM  ? &gzi_stream
           : config->variant == GZI_GZ2_NAIVE ? &gzi_naive
                                              : &gzi_trapezoid;
}

static gzi_tile tile_of(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    gzi_tile tile = {.dim = s->dim,
                     .height = config->height,
                     .piece = config->piece,
                     .bytes = s->bytes,
                     .whole_rows = model->device.warp == 1,
                     .columns = gzi_gz2_columns(model, config)};
    for (int i = 0; i < s->dim; i++) {
        tile.edge[i] = s->edge[i];
        tile.size[i] = config->grid[i];
        tile.block[i] = config->block[i];
        tile.radius[i] = s->radius[i];
        tile.threads[i] = config->threads[i];
    }
    return tile;
}

int gz2_is_merged(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    static gzi_geometry g;
    const gzi_tile tile = tile_of(model, config);
    gzi_geometry_make(tiling_of(config), &tile, &g);
    return g.axis[0].merged || g.axis[1].merged || g.axis[2].merged;
}

void gz2_random_edges(unsigned long long *state, gzi_edge edge[3])
{
    for (int i = 0; i < 3; i++)
        edge[i] = (gzi_edge)gz2_whole(state, 0, 2);
}

/* ceil(cells / threads) in every dimension. */
static long double trips_of(const gzi_gz2 *model, const gzi_gz2_config *config, int shrink)
{
    long double n = 1;
    for (int i = 0; i < model->stencil.dim; i++)
        n *= ceill((long double)(config->block[i] - 2 * shrink * model->stencil.radius[i]) /
                   config->threads[i]);
    return n;
}

static long double lines_of(const gzi_gz2 *model, const gzi_gz2_config *config, long double cells)
{
    long double segments = ceill(cells / config->threads[0]);
    long double share = fminl(1, (long double)model->stencil.bytes / model->device.line);
    /* Each segment begins one line, and each cell after its first begins another with a chance of
     * `share`. */
    return segments + (cells - segments) * share;
}

static long double leaves_cache(const gzi_gz2 *model, const long double *value, long double bytes)
{
    return 1 / (1 + powl(value[GZI_GZ2_EFFECTIVE_CACHE] / bytes, model->device.sharpness));
}

/* The share of a run's stages that come after another: all but one, of loops / h. */
static long double later_stages(const gzi_gz2_config *config)
{
    long double first = config->height * (long double)config->run_share;
    return first < 1 ? 1 - first : 0;
}

/* What restarts pay in later stages for each byte of two states that another core's cache holds,
 * since the runtime deals the tiles out anew. */
static long double exchange_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                                 const long double *v, long double bytes, long double stage)
{
    long units = model->device.units;
    if (model->device.warp > 1 || config->mode == GZI_GZ2_FENCES)
        return 0;
    return v[GZI_GZ2_CORE_EXCHANGE] * 2 * bytes * (1 - leaves_cache(model, v, stage)) *
           (units - 1) / units * later_stages(config);
}

/* Cells of a row that are left over from whole groups of vectors, counted off. */
static long double rest_of(const gzi_gz2 *model, double cells, int vectors)
{
    double lanes = vectors * floor(model->device.vector / model->stencil.bytes);
    if (lanes <= vectors)
        return 0;
    while (lanes > 1 && cells >= lanes)
        cells -= lanes;
    return lanes > 1 ? cells : 0;
}

/* The share of a trapezoid's traffic with device memory that no prefetcher has fetched ahead: of
 * long rows, of many streams, and everywhere but on a core of a CPU. */
static long double waited_for(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    long double row = s->bytes * (config->block[0] - 2.0L * s->radius[0] * config->height);
    long double streams = s->loaded + 1 + s->per_step * config->height, threads = 1;
    for (int i = 0; i < s->dim; i++) {
        streams *= i > 0 ? config->block[i] : 1;
        threads *= config->threads[i];
    }
    if (model->device.warp > 1 || threads > 1)
        return 1;
    return 1 - 1 / ((1 + powl(row / 8192, 2)) * (1 + powl(streams / 10, 8)));
}

/* How far the rows of a core's tile are short ones, each in a page of 4 KiB of its own. */
static long double short_row(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    long double row = model->stencil.bytes *
                      (config->block[0] - 2.0L * model->stencil.radius[0] * config->height);
    long double next = model->stencil.bytes * (long double)config->grid[0];
    for (int i = 0; i < model->stencil.dim; i++)
        if (config->threads[i] > 1)
            return 0;
    if (model->device.warp > 1 || model->stencil.dim < 2)
        return 0;
    return fminl(1, next / 4096) / (1 + powl(row / 128, 2));
}

/* u of a tile whose extents are given, R groups on the unit. */
static long double tile_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                             const long double *v, const double l[3], const double q[3],
                             const double p[3], double outside, long double resident)
{
    const gzi_gz2_stencil *s = &model->stencil;
    long double x = s->bytes, a = s->loaded, h = config->height, n = 1, threads = 1;
    long double loaded_rows = (long double)l[1] * l[2], loaded = l[0] * loaded_rows;
    long double committed_rows = (long double)p[1] * p[2], committed = p[0] * committed_rows;
    long double rows = h * q[1] * q[2], cells = q[0] * rows, rest = rows * rest_of(model, q[0], 1),
                computing = h * trips_of(model, config, 1);
    int read = s->per_step;

    for (int i = 0; i < s->dim; i++) {
        n *= config->grid[i];
        threads *= config->threads[i];
    }
    long double warps = ceill(threads / model->device.warp);
    long double chain =
        v[GZI_GZ2_BLOCK_LATENCY] +
        v[GZI_GZ2_LOAD_LATENCY] * (trips_of(model, config, 0) + read * trips_of(model, config, 1)) +
        h * (v[GZI_GZ2_BARRIER_LATENCY] + v[GZI_GZ2_BARRIER_WARP] * (warps - 1)) +
        v[GZI_GZ2_CHAIN_TIME] * computing;
    long double work = v[GZI_GZ2_COPY_CELL] * x / 4 * (a * loaded + committed) +
                       v[GZI_GZ2_COPY_ROW] * (a * loaded_rows + committed_rows) +
                       v[GZI_GZ2_COPY_EDGE] * a * outside * loaded_rows +
                       v[GZI_GZ2_CELL_TIME] * cells + v[GZI_GZ2_REST_TIME] * rest +
                       v[GZI_GZ2_ISSUE_TIME] * computing * warps;
    long double lines = committed_rows * lines_of(model, config, p[0]);
    if (s->clears && config->mode != GZI_GZ2_FENCES) {
        long double whole = 1, inner = 1;
        for (int i = 0; i < s->dim; i++) {
            whole *= config->block[i];
            inner *= config->block[i] - 2 * s->radius[i];
        }
        work += (v[GZI_GZ2_COPY_CELL] * x / 4 * (whole - inner) +
                 v[GZI_GZ2_COPY_ROW] * whole / config->block[0]) /
                2;
    }
    long double shared = x * (a * loaded + committed + cells * (s->reads + 1));
    long double l2 = x * (a * loaded + committed + read * cells);
    long double stage = x * n * (2 + (a - 1) + s->per_step * h);
    long double run = x * n * (2 + (long double)config->loops);
    long double dram = x * ((a + 1) * committed * leaves_cache(model, v, stage) +
                            (s->per_step ? s->per_step * cells * leaves_cache(model, v, run) : 0));
    long double pp = v[GZI_GZ2_TERM_NORM];
    long double sum =
        powl(chain / resident, pp) + powl(work, pp) + powl(v[GZI_GZ2_LINE_STORE] * lines, pp) +
        powl(v[GZI_GZ2_SHARED_BANDWIDTH] * shared, pp) + powl(v[GZI_GZ2_CACHE_BANDWIDTH] * l2, pp);
    long double waited = waited_for(model, config), in_short = short_row(model, config);
    return (sum > 0 ? powl(sum, 1 / pp) : 0) +
           (v[GZI_GZ2_EFFECTIVE_BANDWIDTH] * waited * (1 - in_short + 3 * in_short) +
            v[GZI_GZ2_AHEAD_BANDWIDTH] * (1 - waited)) *
               dram +
           exchange_time(model, config, v, x * committed, stage);
}

/* Trips of a streamed tile's threads over the plane of a level; 0 is what is loaded. */
static long double plane_trips(const gzi_gz2 *model, const gzi_gz2_config *config, int level)
{
    const gzi_gz2_stencil *s = &model->stencil;
    long double wide = config->block[0] - (level > 0 ? 2 * s->radius[0] : 0);
    long double n = ceill(wide / config->threads[0]);
    if (s->dim == 3)
        n *= ceill((long double)(config->block[1] - 2 * s->radius[1] * level) / config->threads[1]);
    return n;
}

/* What a tile with columns in registers does otherwise: its latencies, trips and elements of local
 * memory. */
struct in_registers {
    long double chain, trips, accesses;
};

static struct in_registers registers_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                                          const long double *v, const counted_tile *t,
                                          long double warps)
{
    const gzi_gz2_stencil *s = &model->stencil;
    int last = s->dim - 1, h = config->height, three = s->dim == 3,
        unroll = 2 * s->radius[last] + 1;
    long double planes = t->loaded[last], steps = 0, levels = 0, turns, reads;
    long double rows = three ? t->held[1] : 1;
    struct in_registers in = {0};

    while (steps < t->walked)
        steps += unroll;
    reads = s->reads > s->column_reads ? s->reads - s->column_reads : 0;
    for (int j = 0; j < h; j++) {
        long double of_level = t->level[last][j], wide = t->level[0][j];
        levels += of_level;
        in.trips += of_level * ceill((long double)config->block[0] / config->threads[0]) *
                    (three ? (long double)t->level[1][j] / config->threads[1] : 1);
        long double of_row = (three ? t->level[1][j] : 1) * reads - (three ? t->beside[j] : 0);
        in.accesses += of_level * (t->held[0] * rows + (of_row > 0 ? wide * of_row : 0));
    }
    /* The coefficient arrays' planes, and the copies of each level in each step. */
    in.accesses += planes * (s->loaded - 1) * t->held[0] * rows;
    turns = steps * h + planes * (s->loaded - 1);
    in.accesses += turns * ((t->held[0] + t->copies[0]) * (rows + (three ? t->copies[1] : 0)) -
                            t->held[0] * rows);
    in.accesses +=
        turns * (t->held[0] * rows - (t->held[0] - t->ends[0]) * (rows - (three ? t->ends[1] : 0)));
    in.chain = v[GZI_GZ2_BLOCK_LATENCY] + v[GZI_GZ2_LOAD_LATENCY] * (1 + s->per_step * planes) +
               fmaxl(v[GZI_GZ2_LOAD_LATENCY] * (planes - 1),
                     steps * (v[GZI_GZ2_BARRIER_LATENCY] + v[GZI_GZ2_BARRIER_WARP] * (warps - 1)) +
                         v[GZI_GZ2_CHAIN_TIME] * levels);
    return in;
}

/* u of a tile of another variant than the trapezoid. */
static long double other_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                              const long double *v, const counted_tile *t, long double resident)
{
    const gzi_gz2_stencil *s = &model->stencil;
    int streamed = config->variant == GZI_GZ2_STREAM, last = s->dim - 1;
    int read = s->per_step, h = config->height;
    long double x = s->bytes, a = s->loaded, n = 1, threads = 1;
    long double loaded_rows = (long double)t->loaded[1] * t->loaded[2];
    long double loaded = t->loaded[0] * loaded_rows;
    long double committed_rows = (long double)t->committed[1] * t->committed[2];
    long double committed = t->committed[0] * committed_rows, rows = 0, cells = 0, computing = 0;
    long double rest = 0;
    long double barriers = streamed ? t->walked : 0, chain, work, shared = 0, l2;

    for (int i = 0; i < s->dim; i++) {
        n *= config->grid[i];
        threads *= streamed && i == last ? 1 : config->threads[i];
    }
    for (int j = 1; streamed && j <= h; j++) {
        long double of_level = 1;
        for (int i = 1; i < s->dim; i++)
            of_level *= t->level[i][j - 1];
        rows += of_level;
        cells += of_level * t->level[0][j - 1];
        rest += of_level * rest_of(model, t->level[0][j - 1], 4);
        computing += t->level[last][j - 1] * plane_trips(model, config, j);
        barriers += t->level[last][j - 1];
    }
    if (!streamed) {
        rows = committed_rows;
        cells = committed;
        computing = trips_of(model, config, 0);
    }
    long double warps = ceill(threads / model->device.warp);
    chain = v[GZI_GZ2_BLOCK_LATENCY] + v[GZI_GZ2_CHAIN_TIME] * computing +
            barriers * (v[GZI_GZ2_BARRIER_LATENCY] + v[GZI_GZ2_BARRIER_WARP] * (warps - 1));
    work = v[GZI_GZ2_ISSUE_TIME] * computing * warps;
    if (streamed) {
        chain += v[GZI_GZ2_LOAD_LATENCY] * t->loaded[last] *
                 (plane_trips(model, config, 0) + read * plane_trips(model, config, 1));
        work += v[GZI_GZ2_STREAM_COPY] * x * a * loaded + v[GZI_GZ2_STREAM_CELL_TIME] * cells +
                v[GZI_GZ2_STREAM_REST_TIME] * rest +
                v[GZI_GZ2_STREAM_ROW] * sqrtl(s->reads) * (rows + a * loaded_rows);
        shared = x * (a * loaded + committed + cells * (s->reads + 1));
        l2 = x * (a * loaded + committed + read * cells);
        if (gzi_gz2_columns(model, config)) {
            struct in_registers in = registers_time(model, config, v, t, warps);
            chain = in.chain;
            work += v[GZI_GZ2_ISSUE_TIME] * (in.trips - computing) * warps;
            shared = x * in.accesses;
        }
    } else {
        chain += v[GZI_GZ2_LOAD_LATENCY] * (1 + read) * trips_of(model, config, 0);
        work += v[GZI_GZ2_NAIVE_CELL_TIME] * cells + v[GZI_GZ2_NAIVE_ROW] * sqrtl(s->reads) * rows;
        l2 = x * (loaded + (a - 1 + read + 1) * cells);
    }
    long double lines =
        v[GZI_GZ2_LINE_STORE] * committed_rows * lines_of(model, config, t->committed[0]);
    long double stage = x * n * (2 + (a - 1) + s->per_step * h);
    long double run = x * n * (2 + (long double)config->loops);
    long double dram = x * ((a + 1) * committed * leaves_cache(model, v, stage) +
                            (s->per_step ? s->per_step * cells * leaves_cache(model, v, run) : 0));
    long double p = v[GZI_GZ2_TERM_NORM];
    long double sum = powl(chain / resident, p) + powl(work, p) + powl(lines, p) +
                      powl(v[GZI_GZ2_SHARED_BANDWIDTH] * shared, p) +
                      powl(v[GZI_GZ2_CACHE_BANDWIDTH] * l2, p);
    return (sum > 0 ? powl(sum, 1 / p) : 0) +
           v[streamed ? GZI_GZ2_STREAM_BANDWIDTH : GZI_GZ2_NAIVE_BANDWIDTH] * dram +
           exchange_time(model, config, v, x * committed, stage);
}

/* Who takes each of the `count` tiles that take times[k], in order; `busy` is empty. */
static void share_out(const gzi_gz2_config *config, int core, const long double *times, long count,
                      int workers, long double *busy)
{
    if (config->mode == GZI_GZ2_FENCES)
        for (long k = 0; k < count; k++) {
            int w = 0;
            /* A core's first tile is number floor(w count / workers). */
            while (core && w + 1 < workers && k >= (w + 1) * count / workers)
                w++;
            busy[core ? w : k % workers] += times[k];
        }
    else
        for (long k = 0; k < count;) {
            long take = (count - k + workers - 1) / workers;
            int idle = 0;
            for (int w = 1; w < workers; w++)
                idle = (double)busy[w] < (double)busy[idle] * (1 - 1e-13) ? w : idle;
            for (long end = k + (take < 32 * workers ? take : 32 * workers); k < end; k++)
                busy[idle] += times[k];
        }
}

long double gz2_reference(const gzi_gz2 *model, const gzi_gz2_config *config,
                          const long double value[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_tiling *tiling = tiling_of(config);
    const gzi_tile tile = tile_of(model, config);
    long tiles[3] = {1, 1, 1}, count;
    int units = model->device.units;
    long double resident = (long double)gzi_gz2_resident(model, config), sync = 0, body = 0;
    long double mean = 0, mean_last = 0, *busy = calloc((size_t)units, sizeof *busy), *times;

    if (!busy || resident < 1) {
        free(busy);
        return NAN;
    }
    for (int i = 0; i < s->dim; i++)
        tiles[i] = count_tiles(tiling, &tile, i);
    count = tiles[0] * tiles[1] * tiles[2];
    times = calloc((size_t)count, sizeof *times);
    long double full = floorl(count / (units * resident));
    long double last = ceill((count - full * units * resident) / units);
    int workers = count < units ? (int)count : units;
    for (long k = 0; k < count; k++) {
        long at[3] = {k % tiles[0], k / tiles[0] % tiles[1], k / tiles[0] / tiles[1]};
        counted_tile t = {.loaded = {1, 1, 1}, .committed = {1, 1, 1}};
        double q[3] = {1, 1, 1};
        for (int i = 0; i < s->dim; i++) {
            count_tile(tiling, &tile, i, at[i], &t);
            q[i] = t.level[i][0];
        }
        if (config->variant != GZI_GZ2_TRAPEZOID) {
            mean += other_time(model, config, value, &t, resident) / count;
            mean_last += last > 0 ? other_time(model, config, value, &t, last) / count : 0;
            times[k] = other_time(model, config, value, &t, 1);
            continue;
        }
        const double *l = t.loaded, *p = t.committed, outside = t.outside[0];
        mean += tile_time(model, config, value, l, q, p, outside, resident) / count;
        mean_last += last > 0 ? tile_time(model, config, value, l, q, p, outside, last) / count : 0;
        times[k] = tile_time(model, config, value, l, q, p, outside, 1);
    }
    int core = model->device.warp == 1;
    for (int i = 0; i < s->dim - (config->variant == GZI_GZ2_STREAM); i++)
        core = core && config->threads[i] == 1;
    if (resident <= 1 && workers <= 32 &&
        (config->mode == GZI_GZ2_FENCES || (core && count <= 512L * workers))) {
        share_out(config, core, times, count, workers, busy);
        for (int w = 0; w < workers; w++)
            body = fmaxl(body, busy[w]);
    } else {
        body = full * resident * mean + last * mean_last;
    }
    free(busy);
    free(times);
    if (config->mode == GZI_GZ2_RESTARTS)
        sync = value[GZI_GZ2_STAGE_LAUNCH];
    else if (config->mode == GZI_GZ2_GRAPHS)
        sync = value[GZI_GZ2_STAGE_GRAPH];
    else if (fminl(count, units * resident) > 1)
        sync = value[GZI_GZ2_STAGE_FENCE];
    long double later = later_stages(config), first = value[GZI_GZ2_RUN_LAUNCH];
    if (config->mode == GZI_GZ2_FENCES)
        first += value[GZI_GZ2_RUN_FENCE];
    sync = sync * later + first * (1 - later);
    return (sync + body) / config->height;
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

void gz2_random_model(unsigned long long *state, gzi_gz2 *model)
{
    static const double likely[GZI_GZ2_PARAMETERS] = {[GZI_GZ2_STAGE_LAUNCH] = 5e-6,
                                                      [GZI_GZ2_STAGE_GRAPH] = 1e-6,
                                                      [GZI_GZ2_STAGE_FENCE] = 1e-6,
                                                      [GZI_GZ2_COPY_CELL] = 1e-9,
                                                      [GZI_GZ2_COPY_ROW] = 1e-8,
                                                      [GZI_GZ2_BLOCK_LATENCY] = 1e-6,
                                                      [GZI_GZ2_LOAD_LATENCY] = 3e-7,
                                                      [GZI_GZ2_BARRIER_LATENCY] = 3e-8,
                                                      [GZI_GZ2_BARRIER_WARP] = 3e-9,
                                                      [GZI_GZ2_LINE_STORE] = 1e-9,
                                                      [GZI_GZ2_SHARED_BANDWIDTH] = 1e-11,
                                                      [GZI_GZ2_CACHE_BANDWIDTH] = 3e-11,
                                                      [GZI_GZ2_EFFECTIVE_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_CELL_TIME] = 1e-9,
                                                      [GZI_GZ2_CHAIN_TIME] = 1e-7,
                                                      [GZI_GZ2_ISSUE_TIME] = 1e-8,
                                                      [GZI_GZ2_STREAM_COPY] = 3e-11,
                                                      [GZI_GZ2_STREAM_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_NAIVE_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_STREAM_CELL_TIME] = 3e-10,
                                                      [GZI_GZ2_NAIVE_CELL_TIME] = 1e-9,
                                                      [GZI_GZ2_COPY_EDGE] = 1e-9,
                                                      [GZI_GZ2_REST_TIME] = 1e-9,
                                                      [GZI_GZ2_CORE_EXCHANGE] = 3e-11,
                                                      [GZI_GZ2_AHEAD_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_RUN_LAUNCH] = 2e-5,
                                                      [GZI_GZ2_RUN_FENCE] = 5e-6,
                                                      [GZI_GZ2_STREAM_ROW] = 3e-9,
                                                      [GZI_GZ2_NAIVE_ROW] = 2e-9,
                                                      [GZI_GZ2_STREAM_REST_TIME] = 5e-10};
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
        .line = gpu ? 128 : 64,
        .vector = gpu ? 0 : 32,
        .sharpness = gpu ? 8 : 4,
    };
    unsigned long long own = *state; /* a sequence beside the others' */
    model->stencil = (gzi_gz2_stencil){
        .dim = gz2_whole(state, 1, 3),
        .bytes = gz2_whole(state, 1, 2) * 4,
        .loaded = gz2_whole(state, 1, 3),
        .per_step = gz2_whole(state, 0, 2) == 0,
        .reads = gz2_whole(state, 1, 27),
        .registers = gz2_whole(state, 16, 64),
        .clears = gz2_whole(state, 0, 1),
        .star = gz2_whole(&own, 1, 3) > 1,
        .coefficients = gz2_whole(&own, 0, 8),
    };
    gz2_random_edges(state, model->stencil.edge);
    for (int i = 0; i < model->stencil.dim; i++)
        model->stencil.radius[i] = gz2_whole(state, i == 0, 2);
    model->stencil.column_reads =
        gz2_whole(&own, 0, 2 * model->stencil.radius[model->stencil.dim - 1] + 1);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        int on_cpu = gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_WORK ||
                     gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_SYNC ||
                     j == GZI_GZ2_EFFECTIVE_BANDWIDTH || j == GZI_GZ2_STREAM_BANDWIDTH ||
                     j == GZI_GZ2_NAIVE_BANDWIDTH || j == GZI_GZ2_AHEAD_BANDWIDTH ||
                     j == GZI_GZ2_CORE_EXCHANGE;
        model->value[j] = (gpu || on_cpu) && gz2_whole(state, 0, 4)
                              ? likely[j] * gz2_logarithmic(state, 0.1, 10)
                              : 0;
    }
    model->value[GZI_GZ2_EFFECTIVE_CACHE] = gz2_logarithmic(state, 1e4, 1e7);
    model->value[GZI_GZ2_TERM_NORM] = gz2_uniform(state, 1.2, 6);
}

void gz2_random_config(unsigned long long *state, const gzi_gz2 *model, double tiles,
                       gzi_gz2_config *config)
{
    int dim = model->stencil.dim, warp = model->device.warp;
    static const int most[] = {0, 12, 8, 3};
    double each = pow(tiles, 1.0 / dim);

    *config = (gzi_gz2_config){.grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = {1, 1, 1}};
    config->height = gz2_whole(state, 1, most[dim]);
    config->mode = (gzi_gz2_mode)gz2_whole(state, 0, 2);
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

    if (which == GZI_GZ2_NAIVE) {
        for (int i = 0; i <= last; i++)
            config->block[i] -= 2 * model->stencil.radius[i] * config->height;
        config->height = 1;
        config->variant = GZI_GZ2_NAIVE;
    } else if (which == GZI_GZ2_STREAM && last > 0) {
        config->piece = gz2_whole(state, 0, (int)config->grid[last]);
        /* At most as many pieces as there were tiles, or so. */
        while (config->piece > 0 && config->grid[last] / config->piece > 30)
            config->piece *= 2;
        config->threads[last] = 1;
        config->variant = GZI_GZ2_STREAM;
    }
}
