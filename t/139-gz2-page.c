/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One prediction of each variant from the equations of models/gz2/README.md alone, written out by
 * hand, beside the library's. [N] is the page's equation N.
 */
#include "model_device.h"
#include "tap.h"

enum { H = 4, LOOPS = 24, ARRAYS = 2, STEP_ARRAYS = 1, READS = 6 };
static const double X = 4, tau_m = 2 / 2e10, tau_a = 2 / 4e10, tau_s = 2 / 3e10, tau_n = 2 / 1.5e10;

static gz_device a_cpu(void)
{
    gz_device d = a_bare_cpu(2, 1e6);
    put_quantities(
        &d, NULL,
        "effective_cache 2e4 run_launch 3e-5 run_fence 7e-6 copy_cell 2e-10 copy_row 6e-9 "
        "copy_edge 3e-10 core_exchange 2e-10 ahead_bandwidth 4e10 stream_copy 4e-11 stream_row "
        "3e-9 stream_bandwidth 3e10 naive_row 1e-9 naive_bandwidth 1.5e10");
    return d;
}

/* A star of five points with a coefficient array and an array of each loop's own: of one dimension
 * on a GPU, of two on a CPU. */
static gz_app an_app(int dim)
{
    gz_app a = {.name = "Star", .key = "star", .dim = dim, .halo_width = {2, 2}};
    a.element_size = quantity(X);
    a.stencil_arrays = quantity(ARRAYS);
    a.elements_per_op = quantity(STEP_ARRAYS);
    a.tile_reads = quantity(READS);
    a.profile_elements = quantity(250000);
    put_quantities(NULL, &a, "insts_per_sm_misc 3000 insts_per_sm_iter 2000");
    if (dim == 1) {
        put_quantities(NULL, &a,
                       "stage_insts 90 load_insts 25 step_insts 12 compute_insts 30 "
                       "naive_stage_insts 40 naive_compute_insts 55 fp64_insts 3");
        return a;
    }
    put_quantities(NULL, &a,
                   "cell_time 5e-10 rest_time 4e-10 stream_cell_time 2e-10 stream_rest_time 1e-10 "
                   "naive_cell_time 7e-10");
    return a;
}

/* [3] */
static double leaving(double bytes, double cache, double sharpness)
{
    return 1 / (1 + pow(cache / bytes, sharpness));
}

static void compare(const char *what, const gz_device *d, const gz_app *a, const gz_config *cfg,
                    double h, double seconds)
{
    gz_prediction p;
    gz_error error = {""};
    gz_status status = gz_predict(d, a, cfg, h, &p, &error);
    tap_ok(status == GZ_OK, "%s is predicted %s", what, error.text);
    tap_close(status ? (double)NAN : p.seconds_per_loop, seconds, 1e-12, what);
}

/* A grid of 200 x 20 in tiles that commit 50 x 20 each, a row of four: two for each of two cores,
 * which are each other's mirror images. */
static void trapezoid(int fences)
{
    gz_device d = a_cpu();
    gz_app a = an_app(2);
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .sync = fences ? GZ_SYNC_FENCE : GZ_SYNC_RESTART,
                     .data_length = {200, 20},
                     .block_len = {58, 28},
                     .threads = {1, 1},
                     .loops = LOOPS};
    double later = 1 - (double)H / LOOPS, n = 200 * 20, cache = 2e4;
    double z = X * n * (1 + ARRAYS + STEP_ARRAYS * H), zn = X * n * (2 + LOOPS); /* [4] [5] */
    double az = leaving(z, cache, 4), azn = leaving(zn, cache, 4), body = 0;
    double w = X * 50, q = (1 + ARRAYS + STEP_ARRAYS * H) * 28;
    double e = 1 / ((1 + pow(w / 8192, 2)) * (1 + pow(q / 10, 8))); /* [20] */
    double s = X * 200 / 4096 / (1 + pow(w / 128, 2));              /* [21] */
    for (int k = 0; k < 2; k++) {
        /* The first tile has four cells of each row outside the grid, which it loads, too. */
        double outside = k == 0 ? 4 : 0, row = k == 0 ? 57 - 4 : 56, cells = H * row * 20;
        double committed = 50 * 20, loaded = 58 * 28;
        double clear = fences ? 0 : (58 * 28 - 56 * 26) / 2.0, clear_rows = fences ? 0 : 28 / 2.0;
        body += 2e-10 * (ARRAYS * loaded + committed + clear); /* [6] */
        body += 6e-9 * (ARRAYS * 28 + 20 + clear_rows);        /* [7] */
        body += 3e-10 * ARRAYS * outside * 28;                 /* [8] */
        body += 5e-10 * cells;                                 /* [9] */
        body += 4e-10 * H * fmod(row, 8) * 20;                 /* [10] [17] */
        double bytes = X * ((ARRAYS + 1) * committed * az + STEP_ARRAYS * cells * azn); /* [18] */
        body += bytes * ((1 - e) * (1 + 2 * s) * tau_m + e * tau_a);                    /* [19] */
        body += fences ? 0 : 2 * X * committed * 0.5 * later * (1 - az) * 2e-10;        /* [22] */
    }
    double sync = later * (fences ? 1e-6 : 4e-6) + (1 - later) * (3e-5 + (fences ? 7e-6 : 0));
    compare(fences ? "a trapezoid by fences" : "a trapezoid by restarts", &d, &a, &cfg, H,
            (sync + body) / H); /* [1] [2] */
}

/* A grid of 64 x 40, whose rows a tile has whole, in two pieces of 20: one for each core. */
static void stream(void)
{
    gz_device d = a_cpu();
    gz_app a = an_app(2);
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = GZ_VARIANT_STREAM,
                     .data_length = {64, 40},
                     .block_len = {64 + 2 * H, 1},
                     .threads = {1, 1},
                     .stream_len = 20};
    double n = 64 * 40, z = X * n * (1 + ARRAYS + STEP_ARRAYS * H), zn = X * n * (2 + 30);
    double az = leaving(z, 2e4, 4), azn = leaving(zn, 2e4, 4);
    double rows = 23 + 22 + 21 + 20, loaded_rows = 24, cells = 64 * rows;
    double body = 4e-11 * X * ARRAYS * 64 * loaded_rows;                           /* [11] */
    body += 2e-10 * cells + 1e-10 * rows * fmod(64, 4 * 8);                        /* [12] [13] */
    body += 3e-9 * sqrt(READS) * (rows + ARRAYS * loaded_rows);                    /* [14] */
    body += X * ((ARRAYS + 1) * 64 * 20 * az + STEP_ARRAYS * cells * azn) * tau_s; /* [18] [19] */
    body += 2 * X * 64 * 20 * 0.5 * (1 - az) * 2e-10;                              /* [22] */
    compare("a streamed tile", &d, &a, &cfg, H, (4e-6 + body) / H);
}

/* A grid of 64 x 8 in four blocks of 16 x 8: two for each core. */
static void naive(void)
{
    gz_device d = a_cpu();
    gz_app a = an_app(2);
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = GZ_VARIANT_NAIVE,
                     .data_length = {64, 8},
                     .block_len = {16, 8},
                     .threads = {1, 1}};
    double n = 64 * 8, committed = 2 * 16 * 8;
    double az = leaving(X * n * (1 + ARRAYS + STEP_ARRAYS), 2e4, 4);
    double azn = leaving(X * n * (2 + 30), 2e4, 4);
    double body = 7e-10 * committed + 1e-9 * sqrt(READS) * 2 * 8; /* [15] [16] */
    body += X * ((ARRAYS + 1) * committed * az + STEP_ARRAYS * committed * azn) * tau_n;
    body += 2 * X * committed * 0.5 * (1 - az) * 2e-10;
    compare("a run without tiles", &d, &a, &cfg, 1, 4e-6 + body);
}

/* [23], from what is counted of a block of one warp: instructions, those in double precision, bytes
 * of requests, bytes of the last cache, device memory's, and requests and barriers waited for. */
static double group_time(double n, double doubles, double requested, double moved, double dram,
                         double requests, double barriers, double resident)
{
    double chain = 5e-7 * requests + 3e-9 * n + 2e-8 * barriers; /* [34] */
    double terms[] = {chain / resident,   n / 6e9,        doubles / 3e9, requested / 1.8e11,
                      moved * 2 / 2.5e12, dram * 2 / 9e11};
    double squares = 0;
    for (int k = 0; k < 6; k++)
        squares += terms[k] * terms[k];
    return sqrt(squares);
}

/* A tile in one dimension, whose block of 64 has 32 threads, one warp: two iterations. */
static double tile_time(double loaded, double computed, double committed, double resident,
                        double az, double azn)
{
    double cells = H * computed, c = H * 2;
    double n = 90 + 25 * 2 + 12 * H + 30 * c;                                      /* [29] */
    double requested = X * 32 * (ARRAYS * 2 + (READS + 1) * c + 2);                /* [32] */
    double moved = X * (ARRAYS * loaded + committed + STEP_ARRAYS * cells);        /* [33] */
    double dram = X * ((ARRAYS + 1) * committed * az + STEP_ARRAYS * cells * azn); /* [18] */
    requested += X * 32 * (ARRAYS * 2 + STEP_ARRAYS * c + 2);
    return group_time(n, 3 * c, requested, moved, dram, 2 + H, H, resident);
}

/* A block of 64 without a tile, which reads a cell on either side. */
static double block_time(double loaded, double cells, double resident, double az, double azn)
{
    double c = 2, n = 40 + 55 * c,
           layers = leaving(X * 2 * 64 * (1 + ARRAYS + STEP_ARRAYS), 6e6, 8);
    double requested = X * 32 * (READS + STEP_ARRAYS + 1) * c;                 /* [36] */
    double moved = X * (loaded + (ARRAYS + STEP_ARRAYS) * cells);              /* [37] */
    double dram = X * ((ARRAYS + 1) * cells * az + STEP_ARRAYS * cells * azn + /* [18] */
                       (loaded - cells) * layers);
    return group_time(n, 3 * c, requested, moved, dram, 2, 0, resident);
}

/* 1000 cells in tiles of 56, and in blocks of 64, on two multiprocessors of two blocks each. */
static void gpu(int naive)
{
    enum { UNITS = 2, RESIDENT = 2 };
    int tiles = naive ? 16 : 18, step = naive ? 64 : 56;
    gz_device d = a_gpu(1e5);
    gz_app a = an_app(1);
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = naive ? GZ_VARIANT_NAIVE : GZ_VARIANT_TRAPEZOID,
                     .data_length = {1000},
                     .block_len = {64},
                     .threads = {32}};
    d.sm_count = quantity(UNITS);
    d.max_blocks_per_sm = quantity(RESIDENT);
    gz_set(&d, "fp64_rate", 3e9);
    double h = naive ? 1 : H;
    double az = leaving(X * 1000 * (1 + ARRAYS + STEP_ARRAYS * h), 6e6, 8);
    double azn = leaving(X * 1000 * (2 + 30), 6e6, 8);
    double whole = floor((double)tiles / (UNITS * RESIDENT)), body = 0;
    double last = ceil((tiles - whole * UNITS * RESIDENT) / UNITS);
    for (int k = 0; k < tiles; k++) {
        double first = step * k, end = fmin(first + step, 1000);
        double computed = fmin(first + 60 - 1, 1000) - fmax(first - 4 + 1, 0);
        double read = fmin(end + 1, 1000) - fmax(first - 1, 0);
        double full = naive ? block_time(read, end - first, RESIDENT, az, azn)
                            : tile_time(64, computed, end - first, RESIDENT, az, azn);
        double rest = last == 0 ? 0
                      : naive   ? block_time(read, end - first, last, az, azn)
                                : tile_time(64, computed, end - first, last, az, azn);
        body += (whole * RESIDENT * full + last * rest) / tiles; /* [27] [28] */
    }
    compare(naive ? "waves of blocks without tiles" : "waves of blocks", &d, &a, &cfg, h,
            (2e-6 + body) / h);
}

/* A box of 27 points with A arrays: a grid that is one tile of 32 x 12, in two pieces of 10 planes,
 * one for each of two multiprocessors. Of planes of 36 x 16, two loops: 8 rows of 32 threads, two
 * rows each, which are computed together. */
static void ring(int arrays)
{
    enum { UNITS = 2, STEPS = 2, PIECE = 10, T = 2, WARPS = 8 };
    gz_device d = a_gpu(1e5);
    gz_app a = {.name = "Box", .key = "box", .dim = 3, .halo_width = {2, 2, 2}};
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = GZ_VARIANT_STREAM,
                     .data_length = {32, 12, 2 * PIECE},
                     .block_len = {36, 16, 1},
                     .threads = {32, 8, 1},
                     .stream_len = PIECE};
    d.sm_count = quantity(UNITS);
    gz_set(&d, "fp64_rate", 3e9);
    a.element_size = quantity(X);
    a.stencil_arrays = quantity(arrays);
    a.elements_per_op = quantity(0);
    a.tile_reads = quantity(27 + arrays - 1);
    a.profile_elements = quantity(1e6);
    put_quantities(
        NULL, &a,
        "insts_per_sm_misc 3000 insts_per_sm_iter 2000 stream_stage_insts 90 stream_load_insts 25 "
        "stream_step_insts 12 stream_compute_insts 30 fp64_insts 3");
    /* Either piece has an end of the grid on one side, beyond which no plane is loaded or computed;
     * the second walks on by two, until its levels are done. */
    double planes = PIECE + 2, first = PIECE + 1, second = PIECE, walked = PIECE + 2;
    double az = leaving(X * 32 * 12 * 20 * (1 + arrays), 6e6, 8), body = 0;
    for (int k = 0; k < 2; k++) {
        /* Rows of 34 and of 32 take two columns of threads, and one. */
        double l = planes * 2 * 2, c1 = first * 2 * 2, c2 = second * 1 * 2, c = c1 + c2;
        double n = 90 + 25 * l + 12 * (first + second) + 30 * c; /* [29] */
        double shared = 27 * 2 / 3.0 * (1 - 1.0 / T);            /* y (1 - 1/T) */
        double committed = 32 * 12 * PIECE, loaded = 32 * 12 * planes;
        double moved = X * (arrays * loaded + committed); /* [33] */
        double requested =
            X * 32 * WARPS * (arrays * l + c * (27 + arrays - 1 - shared) + c1); /* [35] */
        double barriers = (walked + 2 * k) * (arrays > 1 ? 3 : 2);               /* [34] */
        double dram = X * (arrays + 1) * committed * az;                         /* [18] */
        double chain = 5e-7 * (2 + planes) + 3e-9 * n + 2e-8 * barriers;
        double terms[] = {chain,
                          WARPS * n / 6e9,
                          WARPS * 3 * c / 3e9,
                          (requested + moved) / 1.8e11,
                          moved * UNITS / 2.5e12,
                          dram * UNITS / 9e11};
        double squares = 0;
        for (int j = 0; j < 6; j++)
            squares += terms[j] * terms[j];
        body += sqrt(squares) / 2;
    }
    compare(arrays > 1 ? "rings with a coefficient array" : "rings", &d, &a, &cfg, STEPS,
            (2e-6 + body) / STEPS);
}

int main(void)
{
    trapezoid(0);
    trapezoid(1);
    stream();
    naive();
    gpu(0);
    gpu(1);
    ring(1);
    ring(2);
    return tap_done();
}
