/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 167-tune-variants - gz_tune over trapezoids, streamed tiles and blocks without local memory: it
 * picks the variant that the costs favour; its streamed tiles predict what they say, fit, and are
 * the fastest of all that a plain loop over heights, rows, planes and pieces finds; and a file that
 * lacks a variant's quantities leaves the others.
 */
#include "gzmodel/parameters.h"
#include "model_device.h"
#include "tap.h"

enum { TOP = 40 };

static gz_device a_cpu(void)
{
    gz_device d = a_bare_cpu(4, 1 << 20);
    put_quantities(&d, NULL,
                   "copy_cell 4e-10 copy_row 6e-9 stream_copy 3e-11 stream_row 4e-9 naive_row 0");
    return d;
}

static gz_app an_app(int dim)
{
    gz_app a = {.name = "Star", .key = "star", .dim = dim, .halo_width = {2, 2, 2}};
    a.element_size = quantity(dim == 3 ? 8 : 4);
    a.stencil_arrays = quantity(dim == 3 ? 1 : 2);
    a.profile_elements = quantity(250000);
    put_quantities(NULL, &a, "cell_time 8e-10 stream_cell_time 3e-10 naive_cell_time 1e-9");
    return a;
}

static gz_tune_request a_request(int dim)
{
    gz_tune_request r = {.model = GZ_MODEL_GZ2, .limits = {.block_step = {8, 8, 8}}};
    for (int i = 0; i < dim; i++)
        r.data_length[i] = dim == 3 ? 200 : 3000;
    return r;
}

static int picks(const gz_device *d, const gz_app *a)
{
    gz_tune_request r = a_request(a->dim);
    gz_candidate best;
    gz_error error;
    size_t found;
    gz_status status = gz_tune(d, a, &r, &best, 1, &found, &error);
    if (status)
        tap_note("%s", error.text);
    return status ? -1 : (int)best.way.variant;
}

static void picks_by_cost(int dim)
{
    gz_device d = a_cpu();
    gz_app a = an_app(dim), slow = a, bare = a;
    tap_ok(picks(&d, &a) == GZ_VARIANT_STREAM, "%d-D: streamed tiles where their cells are cheap",
           dim);
    gz_app_set(&slow, "stream_cell_time", 8e-9);
    gz_app_set(&slow, "naive_cell_time", 8e-9);
    tap_ok(picks(&d, &slow) == GZ_VARIANT_TRAPEZOID, "trapezoids where the others take long");
    gz_app_set(&bare, "naive_cell_time", 1e-12);
    gz_set(&d, "effective_cache", 1e10);
    tap_ok(picks(&d, &bare) == GZ_VARIANT_NAIVE,
           "no tiles where all is in the cache and copying is all the cost");
}

/* Whether the candidate predicts what it says, as its configuration does without threads, which on
 * a CPU is one of a block of any size; and its tile is consistent. */
static int is_true(const gz_device *d, const gz_app *a, const gz_tune_request *r,
                   const gz_candidate *c)
{
    gz_prediction p, of_one;
    const gz_config cfg = gz_config_of(r, c);
    gz_config one = cfg;
    memset(one.threads, 0, sizeof one.threads);
    int last = a->dim - 1;
    double length = c->way.block[last] - a->halo_width[last] * c->way.height;
    return gz_predict(d, a, &cfg, c->way.height, &p, NULL) == GZ_OK &&
           p.seconds_per_loop == c->seconds_per_loop &&
           (d->warp_size.value > 1 ||
            (gz_predict(d, a, &one, c->way.height, &of_one, NULL) == GZ_OK &&
             of_one.seconds_per_loop == c->seconds_per_loop)) &&
           (c->way.variant != GZ_VARIANT_STREAM ||
            (length == cfg.stream_len && c->way.threads[last] == 1));
}

/* The fastest streamed tile of whole, half, ... rows and so on, by loops. */
static double brute_force(const gz_device *d, const gz_app *a, const gz_tune_request *r)
{
    double best = HUGE_VAL, line = 64 / a->element_size.value;
    int dim = a->dim, last = dim - 1;
    for (int h = 1; h <= 32; h++)
        for (int columns = 1; columns <= 12; columns++)
            for (int rows = 1; rows <= (dim == 3 ? 100 : 1); rows += 1 + rows / 8)
                for (int pieces = 1; pieces <= 16; pieces *= 2) {
                    gz_config cfg = {.model = GZ_MODEL_GZ2,
                                     .variant = GZ_VARIANT_STREAM,
                                     .threads = {1, 1, 1},
                                     .block_len = {1, 1, 1}};
                    gz_prediction p;
                    memcpy(cfg.data_length, r->data_length, sizeof cfg.data_length);
                    double wide = ceil(r->data_length[0] / columns);
                    wide = columns > 1 ? ceil(wide / line) * line : wide;
                    cfg.block_len[0] = wide + 2 * h;
                    if (dim == 3)
                        cfg.block_len[1] = ceil(r->data_length[1] / rows) + 2 * h;
                    cfg.stream_len = ceil(r->data_length[last] / pieces);
                    if (gz_predict(d, a, &cfg, h, &p, NULL) == GZ_OK)
                        best = fmin(best, p.seconds_per_loop);
                }
    return best;
}

static void searches(int dim)
{
    gz_device d = a_cpu();
    gz_app a = an_app(dim);
    gz_tune_request r = a_request(dim);
    static gz_candidate c[TOP];
    gz_error error;
    size_t found = 0;
    int wrong = 0, all_streams = 1;

    r.variants = 1u << GZ_VARIANT_STREAM;
    r.syncs = 1u << GZ_SYNC_RESTART;
    int status = gz_tune(&d, &a, &r, c, TOP, &found, &error);
    for (size_t k = 0; k < found; k++) {
        wrong += !is_true(&d, &a, &r, &c[k]);
        wrong += k > 0 && c[k].seconds_per_loop < (1 - 1e-10) * c[k - 1].seconds_per_loop;
        all_streams &= c[k].way.variant == GZ_VARIANT_STREAM;
    }
    tap_ok(status == GZ_OK && found == TOP && !wrong && all_streams,
           "%d-D: %zu streamed tiles, each predicts what it says", dim, found);
    double best = brute_force(&d, &a, &r);
    tap_ok(c[0].seconds_per_loop <= 1.02 * best,
           "the first takes %.4g of what loops over more tiles find", c[0].seconds_per_loop / best);
    r.limits.height_max = 3;
    status = gz_tune(&d, &a, &r, c, 1, &found, &error);
    tap_ok(status == GZ_OK && c[0].way.height <= 3, "the largest height holds");
    r = a_request(dim);
    r.variants = 1u << GZ_VARIANT_STREAM;
    for (int i = 0; i < dim; i++)
        r.block_len[i] = dim == 3 ? 40 : 200;
    status = gz_tune(&d, &a, &r, c, 1, &found, &error);
    tap_ok(status == GZ_OK && is_true(&d, &a, &r, c) && c->way.block[0] == r.block_len[0],
           "a given block is kept, ghost zone included");
}

/* A star on the GPU, or a box that reads all its neighbours. */
static gz_app a_gpu_app(int dim, int star)
{
    gz_app a = an_app(dim);
    put_quantities(NULL, &a, "load_insts 30 compute_insts 100 registers_per_thread 40");
    a.own_column = quantity(star);
    a.tile_reads = quantity(star ? 2 * dim + 1 : dim == 3 ? 27 : 9);
    return a;
}

/* The fastest streamed tile on a GPU, by loops over tiles, threads and pieces. */
static double brute_force_gpu(const gz_device *d, const gz_app *a, const gz_tune_request *r)
{
    double best = HUGE_VAL;
    int dim = a->dim, last = dim - 1;
    for (int h = 1; h <= 16; h++)
        for (int wide = 32; wide <= 1024; wide *= 2)
            for (int rows = 1; rows <= (dim == 3 ? 128 : 1); rows += 1 + rows / 16)
                for (int threads = 1; threads <= (dim == 3 ? 16 : 1); threads *= 2)
                    for (int pieces = 1; pieces <= 64; pieces *= 2) {
                        gz_config cfg = {.model = GZ_MODEL_GZ2,
                                         .variant = GZ_VARIANT_STREAM,
                                         .threads = {fmin(wide, 512), threads, 1},
                                         .block_len = {wide, rows + 2 * h, 1}};
                        gz_prediction p;
                        memcpy(cfg.data_length, r->data_length, sizeof cfg.data_length);
                        cfg.threads[last] = 1;
                        cfg.stream_len = ceil(r->data_length[last] / pieces);
                        if (gz_predict(d, a, &cfg, h, &p, NULL) == GZ_OK)
                            best = fmin(best, p.seconds_per_loop);
                    }
    return best;
}

/* gz_tune on a GPU finds a tile about as fast as all. */
static void on_gpu(int dim, int star)
{
    gz_device d = a_gpu(98304);
    gz_app a = a_gpu_app(dim, star);
    gz_tune_request r = a_request(dim);
    gz_candidate c;
    gz_error error = {""};
    size_t found;

    r.variants = 1u << GZ_VARIANT_STREAM;
    r.syncs = 1u << GZ_SYNC_RESTART;
    int status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    double best = brute_force_gpu(&d, &a, &r);
    tap_ok(status == GZ_OK && is_true(&d, &a, &r, &c) && c.seconds_per_loop <= 1.1 * best,
           "%d-D %s on a GPU: the first takes %.4g of what loops over more tiles find%s", dim,
           star ? "star" : "box", c.seconds_per_loop / best, error.text);
}

/* What a request fixes is kept, and what leaves no tile is refused. */
static void tiles_of_streams(void)
{
    gz_device d = a_gpu(98304);
    gz_app a = a_gpu_app(3, 1);
    gz_tune_request r = {.model = GZ_MODEL_GZ2,
                         .variants = 1u << GZ_VARIANT_STREAM,
                         .syncs = 1u << GZ_SYNC_RESTART,
                         .data_length = {200, 200, 200}};
    gz_candidate c;
    gz_error error = {""};
    size_t found;

    r.stream_len = 37;
    int status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    tap_ok(status == GZ_OK && c.way.piece == 37, "a given piece is kept");
    r.stream_len = 0;
    memcpy(r.threads, (double[]){32, 8, 1}, sizeof r.threads);
    r.limits.block_max[0] = 64;
    r.limits.block_max[1] = 20;
    r.limits.height_max = 2;
    status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    tap_ok(status == GZ_OK && c.way.threads[0] == 32 && c.way.threads[1] == 8 &&
               c.way.block[0] <= 64 && c.way.block[1] <= 20 && c.way.height <= 2,
           "and so are given threads and the limits");
    memset(r.threads, 0, sizeof r.threads);
    r.limits.shared_bytes = 100;
    status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    tap_ok(status != GZ_OK && error.text[0], "no room at all: %s", error.text);
    /* A plane of 64 x 24 elements of 8 bytes, two for each level: 24576 bytes a level. */
    gz_prediction p;
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = GZ_VARIANT_STREAM,
                     .data_length = {200, 200, 200},
                     .block_len = {64, 24, 1},
                     .threads = {64, 6, 1},
                     .stream_len = 50};
    status = gz_predict(&d, &a, &cfg, 5, &p, &error);
    tap_ok(status == GZ_EHEIGHT && strstr(error.text, "at most height 4") &&
               gz_predict(&d, &a, &cfg, 4, &p, NULL) == GZ_OK,
           "the largest height that fits is named: %s", error.text);
    a.own_column = quantity(0);
    status = gz_predict(&d, &a, &cfg, 5, &p, &error);
    tap_ok(status == GZ_EHEIGHT && strstr(error.text, "at most height 2"),
           "of a box, whose rings are larger, too: %s", error.text);
    r.limits = (gz_tile_limits){0};
    a.dim = 1;
    status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    tap_ok(status == GZ_ECONFIG && strstr(error.text, "one dimension"), "one dimension: %s",
           error.text);
}

static void falls_back(void)
{
    gz_device d = a_cpu();
    gz_app a = an_app(2), lacks = a;
    gz_tune_request r = a_request(2);
    gz_candidate c;
    gz_error error = {""};
    size_t found;

    *quantity_of(NULL, &lacks, "stream_cell_time") = (gz_quantity){0};
    *quantity_of(NULL, &lacks, "naive_cell_time") = (gz_quantity){0};
    tap_ok(picks(&d, &lacks) == GZ_VARIANT_TRAPEZOID,
           "without streamed tiles in the file, trapezoids");
    r.variants = 1u << GZ_VARIANT_STREAM;
    int status = gz_tune(&d, &lacks, &r, &c, 1, &found, &error);
    tap_ok(status == GZ_EAPP && strstr(error.text, "stream_cell_time is missing") &&
               !strchr(error.text, '\n'),
           "which are refused if they are required: %s", error.text);
    a.dim = 1;
    status = gz_tune(&d, &a, &r, &c, 1, &found, &error);
    tap_ok(status == GZ_ECONFIG && strstr(error.text, "one dimension"),
           "as they are in one dimension");
    a = an_app(2);
    *quantity_of(NULL, &a, "stream_cell_time") = (gz_quantity){0};
    tap_ok(picks(&d, &a) >= 0, "some variants are enough");
}

int main(void)
{
    for (int dim = 2; dim <= 3; dim++)
        picks_by_cost(dim);
    for (int dim = 2; dim <= 3; dim++)
        searches(dim);
    for (int dim = 2; dim <= 3; dim++)
        for (int star = 0; star <= 1; star++)
            on_gpu(dim, star);
    tiles_of_streams();
    falls_back();
    return tap_done();
}
