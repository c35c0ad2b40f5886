/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 167-tune-variants - gz_tune over trapezoids, streamed tiles and blocks without local memory: it
 * picks the variant that the costs favour; its streamed tiles predict what they say, fit, and are
 * the fastest of all that a plain loop over heights, rows, planes and pieces finds; and a file that
 * lacks a variant's quantities leaves the others.
 */
#include "gzmodel.h"
#include "model_device.h"
#include "tap.h"

enum { TOP = 40 };

static gz_device a_cpu(void)
{
    gz_device d = a_bare_cpu(4, 1 << 20);
    d.copy_cell = quantity(4e-10);
    d.copy_row = quantity(6e-9);
    d.stream_copy = quantity(3e-11);
    return d;
}

static gz_app an_app(int dim)
{
    gz_app a = {.name = "Star", .key = "star", .dim = dim, .halo_width = {2, 2, 2}};
    a.element_size = quantity(dim == 3 ? 8 : 4);
    a.stencil_arrays = quantity(dim == 3 ? 1 : 2);
    a.profile_elements = quantity(250000);
    a.cell_time = quantity(8e-10);
    a.row_time_fence = quantity(8e-9);
    a.stream_cell_time = quantity(3e-10);
    a.stream_row_time = quantity(1e-8);
    a.naive_cell_time = quantity(1e-9);
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
    return status ? -1 : (int)best.config.variant;
}

static void picks_by_cost(int dim)
{
    gz_device d = a_cpu();
    gz_app a = an_app(dim), dear = a, bare = a;
    tap_ok(picks(&d, &a) == GZ_VARIANT_STREAM, "%d-D: streamed tiles where their cells are cheap",
           dim);
    dear.stream_cell_time = quantity(8e-9);
    dear.naive_cell_time = quantity(8e-9);
    tap_ok(picks(&d, &dear) == GZ_VARIANT_TRAPEZOID, "trapezoids where the others' are dear");
    bare.naive_cell_time = quantity(1e-12);
    d.effective_cache = quantity(1e10);
    tap_ok(picks(&d, &bare) == GZ_VARIANT_NAIVE,
           "no tiles where all is in the cache and copying is all the cost");
}

/* Whether the candidate predicts what it says, and its tile is consistent. */
static int is_true(const gz_device *d, const gz_app *a, const gz_candidate *c)
{
    gz_prediction p;
    int last = a->dim - 1;
    double length = c->config.block_len[last] - a->halo_width[last] * c->height;
    return gz_predict(d, a, &c->config, c->height, &p, NULL) == GZ_OK &&
           p.seconds_per_loop == c->seconds_per_loop &&
           (c->config.variant != GZ_VARIANT_STREAM ||
            (length == c->config.stream_len && c->config.threads[last] == 1));
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
        wrong += !is_true(&d, &a, &c[k]);
        wrong += k > 0 && c[k].seconds_per_loop < c[k - 1].seconds_per_loop;
        all_streams &= c[k].config.variant == GZ_VARIANT_STREAM;
    }
    tap_ok(status == GZ_OK && found == TOP && !wrong && all_streams,
           "%d-D: %zu streamed tiles, each predicts what it says", dim, found);
    double best = brute_force(&d, &a, &r);
    tap_ok(c[0].seconds_per_loop <= 1.02 * best,
           "the first takes %.4g of what loops over more tiles find", c[0].seconds_per_loop / best);
    r.limits.height_max = 3;
    status = gz_tune(&d, &a, &r, c, 1, &found, &error);
    tap_ok(status == GZ_OK && c[0].height <= 3, "the largest height holds");
    r = a_request(dim);
    r.variants = 1u << GZ_VARIANT_STREAM;
    for (int i = 0; i < dim; i++)
        r.block_len[i] = dim == 3 ? 40 : 200;
    status = gz_tune(&d, &a, &r, c, 1, &found, &error);
    tap_ok(status == GZ_OK && is_true(&d, &a, c) && c->config.block_len[0] == r.block_len[0],
           "a given block is kept, ghost zone included");
}

static void falls_back(void)
{
    gz_device d = a_cpu();
    gz_app a = an_app(2), lacks = a;
    gz_tune_request r = a_request(2);
    gz_candidate c;
    gz_error error = {""};
    size_t found;

    lacks.stream_cell_time = lacks.naive_cell_time = (gz_quantity){0};
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
    a.stream_cell_time = (gz_quantity){0};
    tap_ok(picks(&d, &a) >= 0, "some variants are enough");
}

int main(void)
{
    tap_plan(2 * 3 + 2 * 4 + 4);
    for (int dim = 2; dim <= 3; dim++)
        picks_by_cost(dim);
    for (int dim = 2; dim <= 3; dim++)
        searches(dim);
    falls_back();
    return tap_done();
}
