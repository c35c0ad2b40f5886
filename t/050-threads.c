/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 050-threads - several threads at once get what one gets, bit for bit, and fail alike.
 */
#include "cases.h"
#include "tap.h"

#include <pthread.h>

#define CASES 1000
#define THREADS 4

/* Bit for bit, but not the padding behind term_count. */
static int same_prediction(const gz_prediction *a, const gz_prediction *b)
{
    return memcmp(a, b, offsetof(gz_prediction, term_count)) == 0 &&
           a->term_count == b->term_count && memcmp(a->term, b->term, sizeof a->term) == 0;
}

static int same_optimum(const gz_optimum *a, const gz_optimum *b)
{
    return memcmp(&a->continuous, &b->continuous, sizeof a->continuous) == 0 &&
           a->truncated == b->truncated && a->integer == b->integer &&
           a->height_max == b->height_max && a->speedup == b->speedup &&
           a->evaluations == b->evaluations && a->stop == b->stop &&
           a->optimality == b->optimality && a->cpl == b->cpl &&
           same_prediction(&a->prediction, &b->prediction);
}

static int same_tile(const gz_candidate *a, const gz_candidate *b)
{
    return a->way.variant == b->way.variant && a->way.sync == b->way.sync &&
           a->way.height == b->way.height && a->way.piece == b->way.piece &&
           memcmp(a->way.block, b->way.block, sizeof a->way.block) == 0 &&
           memcmp(a->way.threads, b->way.threads, sizeof a->way.threads) == 0 &&
           a->model == b->model && a->cpl == b->cpl && a->seconds_per_loop == b->seconds_per_loop &&
           memcmp(a->interval, b->interval, sizeof a->interval) == 0;
}

/* One device and application, many configurations; every seventh is bad in one of several ways. */
struct batch {
    test_case shared;
    gz_config cfg[CASES];
    double h[CASES];
};

static void draw(gsl_rng *rng, struct batch *batch)
{
    batch->shared = random_case(rng);
    for (int k = 0; k < CASES; k++) {
        test_case c = batch->shared;
        c.cfg.sync = (gz_sync)whole(rng, 0, 2);
        c.cfg.tau = (gz_tau)whole(rng, 0, 1);
        for (int i = 0; i < c.app.dim; i++) {
            c.cfg.data_length[i] = whole(rng, 64, 4096);
            c.cfg.block_len[i] = whole(rng, c.app.halo_width[i] + 1, 64);
        }
        batch->h[k] = random_height(rng, &c);
        if (k % 28 == 0)
            c.cfg.sync = (gz_sync)9;
        else if (k % 28 == 7)
            c.cfg.data_length[0] = (double)NAN;
        else if (k % 28 == 14)
            c.cfg.block_len[0] = -1;
        else if (k % 28 == 21)
            batch->h[k] = 1e9;
        batch->cfg[k] = c.cfg;
    }
}

/* Everything that a thread computes from a batch. */
struct results {
    gz_prediction prediction[CASES];
    gz_optimum optimum[CASES];
    gz_status predicted[CASES], optimised[CASES];
    gz_gradient gradient;
    gz_choice choice;
    gz_candidate tile;
};

struct job {
    const struct batch *batch;
    struct results *results;
};

static void *work(void *argument)
{
    const struct job *job = argument;
    const struct batch *batch = job->batch;
    struct results *r = job->results;
    const gz_device *dev = &batch->shared.dev;
    const gz_app *app = &batch->shared.app;
    for (int k = 0; k < CASES; k++) {
        r->predicted[k] =
            gz_predict(dev, app, batch->cfg + k, batch->h[k], r->prediction + k, NULL);
        r->optimised[k] = gz_optimize(dev, app, batch->cfg + k, NULL, r->optimum + k, NULL);
    }
    gz_tune_request request = {.limits = {.threads = 256}};
    size_t found;
    memcpy(request.data_length, batch->cfg[1].data_length, sizeof request.data_length);
    gz_predict_gradient(dev, app, batch->cfg + 1, batch->h[1], &r->gradient, NULL);
    gz_choose(dev, app, batch->cfg + 1, &r->choice, NULL);
    gz_tune(dev, app, &request, &r->tile, 1, &found, NULL);
    return NULL;
}

static int same_results(const struct results *a, const struct results *b)
{
    int same = memcmp(&a->gradient, &b->gradient, sizeof a->gradient) == 0 &&
               same_optimum(&a->choice.restart, &b->choice.restart) &&
               same_optimum(&a->choice.fence, &b->choice.fence) && same_tile(&a->tile, &b->tile);
    for (int k = 0; k < CASES; k++) {
        same &= a->predicted[k] == b->predicted[k] && a->optimised[k] == b->optimised[k];
        same &= a->predicted[k] || same_prediction(a->prediction + k, b->prediction + k);
        same &= a->optimised[k] || same_optimum(a->optimum + k, b->optimum + k);
    }
    return same;
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    static struct batch batch;
    static struct results serial, parallel[THREADS];
    draw(rng, &batch);
    gsl_rng_free(rng);
    work(&(struct job){&batch, &serial});

    pthread_t thread[THREADS];
    struct job job[THREADS];
    for (int k = 0; k < THREADS; k++) {
        job[k] = (struct job){&batch, parallel + k};
        pthread_create(thread + k, NULL, work, job + k);
    }
    int same = 1;
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        same &= same_results(&serial, parallel + k);
    }
    tap_ok(same, "%d threads get what one gets, bit for bit", THREADS);
    return tap_done();
}
