/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tuner.c - which candidate to measure next: a Gaussian process on the logarithm of measured over
 * predicted time, whose expected improvement says what one more run is worth. The model is the
 * process's mean, so that without a run it is the model that chooses.
 *
 * Expected improvement: D. R. Jones, M. Schonlau, W. J. Welch, "Efficient Global Optimization of
 * Expensive Black-Box Functions", J. Global Optimization 13 (1998) 455-492, Eq. 15. Posterior: C.
 * E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006), Eqs. 2.23
 * to 2.26.
 */
#include "fail.h"
#include "model.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tries of one candidate that are kept. */
enum { MOST_TRIES = 16 };

/* What the covariance of two candidates is made of. Standard deviations of ln(measured / predicted)
 * that those share which are alike in mode, height, tile, or variant, by what their predictions
 * are; BLIND ones, without a prediction, are taken to be as fast as the best.
 *
 * Origin: WHOLE and PLAIN were chosen on kept tables of two-core CPUs, each judged by what was
 * chosen without its machine; extents_of_heights on an AMD W7800's; extents
 * among 0.7, 1, 1.4 and 2, of which 2 is the shortest tuning on the tables of either make of CPU,
 * at no loss; BLIND on the same tables of CPUs that it is judged on, five of which lack predictions
 * of streamed tiles.
 * t/607-replay.c replays them all. All share the factor of a device file of another machine,
 * or of other work on this one: with 0.1, one of 5 left a regret of 28 % at the 95th
 * percentile, with 0.6 none. */
enum { WHOLE, PLAIN, BLIND };
static const struct {
    double mode, height, tile, tile_height, variant;
} by[] = {[WHOLE] = {0.1, 0.15, 0.03, 0.12, 0.2}, /* gz2 with all of its parameters */
          [PLAIN] = {0.1, 0.27, 0.39, 0.12, 0.2}, /* fewer, or the 2011 model */
          [BLIND] = {0.5, 0.2, 0.2, 0.12, 0.4}};
static const double by_all = 0.6, by_own = 0.1;            /* shared by all, and by none */
static const double other_mode = 0.5, other_variant = 0.3; /* what is left of it across them */
static const double heights = 2, extents = 2, extents_of_heights = 2; /* lengths, in log2 */
static const double least_noise = 0.03;                               /* of a run */

/* When to stop: the gain of one more run in ln(time), runs at least and at most, and rounds in
 * which the best so many are measured again; more rounds while they scatter by more than they
 * differ. From `far_off` on, in ln(time), a prediction is. */
static const double usual_gain = 0.005, far_off = 0.5;
enum {
    LEAST_RUNS = 3,
    MOST_RUNS = 20,
    HARD_LIMIT = 500,
    FINALISTS = 3,
    ROUNDS = 2,
    MOST_ROUNDS = 4
};
enum { FAILURES_PER_RUN = 5 };

/* A candidate, and what is known of it. */
typedef struct idea {
    gz_sync sync;
    gz_variant variant;
    int kind;                                  /* of its prediction */
    double log_height, log_extent[GZ_MAX_DIM]; /* log2 */
    double mean;                               /* ln(predicted), s */
    double each[MOST_TRIES], noise;            /* tries, s, and the largest of their deviations */
    int tries, failed;
    double expected, sd, gain; /* the posterior of ln(time), and the expected improvement */
} idea;

struct gz_tuner {
    int dim, fresh; /* fresh: the posterior is that of all that was told */
    double gain;
    size_t most, n, runs, failures;
    idea *ideas;
    size_t *run; /* numbers of the candidates that were measured, in that order */
    int rounds;
    gz_tuner_stop stop; /* if the finalists are chosen */
    size_t finalist[FINALISTS], finalists, asked;
};

/* ----------------------------------------------------------------------------------- covariance */

static double square(double x)
{
    return x * x;
}

static double covariance(const gz_tuner *t, const idea *a, const idea *b)
{
    double apart = square(a->log_height - b->log_height), away = 0;
    int same_mode = a->sync == b->sync;
    int kind = a->kind;
    if (kind != b->kind)
        return 0;
    for (int i = 0; i < t->dim; i++)
        away += square(a->log_extent[i] - b->log_extent[i]);
    double near = exp(-apart / (2 * square(heights)));
    double tile = exp(-away / (2 * square(extents)));
    double tile_near = near * exp(-away / (2 * square(extents_of_heights)));
    double c = square(by_all) + square(by[kind].mode) * same_mode +
               square(by[kind].height) * tile_near +
               tile * (square(by[kind].tile) +
                       square(by[kind].tile_height) * near * (same_mode ? 1 : other_mode));
    c = a->variant == b->variant ? c + square(by[kind].variant) : c * other_variant;
    return a == b ? c + square(by_own) : c;
}

/* The lower quartile of the tries, ln(s). */
static double log_time(const idea *a)
{
    double sorted[MOST_TRIES];
    memcpy(sorted, a->each, sizeof sorted);
    gsl_sort(sorted, 1, (size_t)a->tries);
    return log(gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)a->tries, 0.25));
}

/* Whether a candidate was measured. */
static int is_known(const idea *a)
{
    return a->tries > 0 && !a->failed;
}

/* The best of those measured but for the first finalists; n if there is none. */
static size_t best_besides(const gz_tuner *t, size_t finalists)
{
    size_t best = t->n;
    for (size_t k = 0; k < t->runs; k++) {
        size_t i = t->run[k], taken = 0;
        for (size_t f = 0; f < finalists; f++)
            taken += t->finalist[f] == i;
        if (!taken && is_known(&t->ideas[i]) &&
            (best == t->n || log_time(&t->ideas[i]) < log_time(&t->ideas[best])))
            best = i;
    }
    return best;
}

/* ------------------------------------------------------------------------------------ posterior */

/* What one more run is expected to gain over the best, in ln(s). [Jones et al., Eq. 15] */
static double improvement(const idea *a, double best)
{
    double z = (best - a->expected) / a->sd;
    return a->sd * (z * gsl_cdf_ugaussian_P(z) + gsl_ran_ugaussian_pdf(z));
}

/* The candidates that were measured and did not fail later, into `known`; how many. */
static size_t known_of(const gz_tuner *t, size_t *known)
{
    size_t n = 0;
    for (size_t k = 0; k < t->runs; k++)
        if (is_known(&t->ideas[t->run[k]]))
            known[n++] = t->run[k];
    return n;
}

/* Expected value, deviation and gain of every candidate. With L L' = K + S of those measured, S
 * their noise: mean_i + k_i' L^-T L^-1 (ln t - mean), and c_ii - |L^-1 k_i|^2. */
static gz_status update(gz_tuner *t, gz_error *error)
{
    size_t *known = malloc((t->runs + 1) * sizeof *known), n = known ? known_of(t, known) : 0;
    gsl_matrix *l = n ? gsl_matrix_alloc(n, n) : NULL, *v = n ? gsl_matrix_alloc(n, t->n) : NULL;
    gsl_vector *r = n ? gsl_vector_alloc(n) : NULL;
    int enough = known && (n == 0 || (l && v && r));
    double best = enough && n ? log_time(&t->ideas[best_besides(t, 0)]) : 0;
    for (size_t i = 0; enough && i < n; i++) {
        const idea *a = &t->ideas[known[i]];
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(l, i, j, covariance(t, a, &t->ideas[known[j]]));
        *gsl_matrix_ptr(l, i, i) += square(fmax(least_noise, a->noise));
        gsl_vector_set(r, i, log_time(a) - a->mean);
        for (size_t j = 0; j < t->n; j++)
            gsl_matrix_set(v, i, j, covariance(t, a, &t->ideas[j]));
    }
    if (enough && n) {
        gsl_linalg_cholesky_decomp1(l);
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, l, r);
        gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, l, v);
    }
    for (size_t i = 0; enough && i < t->n; i++) {
        idea *a = &t->ideas[i];
        double variance = covariance(t, a, a);
        a->expected = a->mean;
        for (size_t k = 0; k < n; k++) {
            double x = gsl_matrix_get(v, k, i);
            a->expected += x * gsl_vector_get(r, k);
            variance -= square(x);
        }
        a->sd = sqrt(fmax(variance, 1e-12));
        a->gain = n == 0 ? HUGE_VAL : improvement(a, best);
    }
    gsl_matrix_free(l);
    gsl_matrix_free(v);
    gsl_vector_free(r);
    free(known);
    t->fresh = enough;
    return enough ? GZ_OK : gzi_fail(error, GZ_ENOMEM, "out of memory");
}

/* ---------------------------------------------------------------------------------------- steps */

/* Whether candidate `a` is to be measured before `b`. Before the first run the best
 * prediction is. */
static int is_rather(const gz_tuner *t, const idea *a, const idea *b)
{
    if (t->runs > t->failures || a->gain != b->gain)
        return a->gain > b->gain;
    return a->mean != b->mean ? a->mean < b->mean : a->kind < b->kind;
}

/* The candidates that have not been measured, of the largest gain; how many. */
static size_t most_promising(const gz_tuner *t, size_t *first, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const idea *a = &t->ideas[i];
        size_t at = n;
        if (a->tries > 0 || a->failed)
            continue;
        while (at > 0 && is_rather(t, a, &t->ideas[first[at - 1]]))
            at--;
        if (at >= room)
            continue;
        n += n < room;
        memmove(first + at + 1, first + at, (n - at - 1) * sizeof *first);
        first[at] = i;
    }
    return n;
}

/* Why no other candidate is to be measured; GZ_TUNER_GOES_ON: one is. */
static gz_tuner_stop reason(const gz_tuner *t, size_t left, double gain)
{
    size_t good = t->runs - t->failures;
    if (left == 0)
        return GZ_TUNER_ALL;
    if (good >= t->most || t->failures >= FAILURES_PER_RUN * t->most)
        return GZ_TUNER_MOST;
    return good >= LEAST_RUNS && gain < t->gain ? GZ_TUNER_KNOWN : GZ_TUNER_GOES_ON;
}

/* The best of those measured, to be measured again in turn. */
static void choose_finalists(gz_tuner *t)
{
    for (t->finalists = 0; t->finalists < FINALISTS; t->finalists++) {
        size_t best = best_besides(t, t->finalists);
        if (best == t->n)
            break;
        t->finalist[t->finalists] = best;
    }
}

/* Whether the best two finalists differ by less than their noise, which is more than usual. */
static int is_undecided(const gz_tuner *t)
{
    const idea *best = NULL, *next = NULL;
    for (size_t f = 0; f < t->finalists; f++) {
        const idea *a = &t->ideas[t->finalist[f]];
        if (a->failed)
            continue;
        if (!best || log_time(a) < log_time(best)) {
            next = best;
            best = a;
        } else if (!next || log_time(a) < log_time(next)) {
            next = a;
        }
    }
    double noise = next ? hypot(best->noise, next->noise) : 0;
    return noise > 2 * least_noise && log_time(next) - log_time(best) < noise;
}

/* The next finalist to be measured; n: none. */
static size_t next_finalist(gz_tuner *t)
{
    if (t->finalists < 2)
        return t->n;
    for (;; t->rounds++) {
        for (; t->asked < (size_t)t->rounds * t->finalists; t->asked++)
            if (!t->ideas[t->finalist[t->asked % t->finalists]].failed)
                return t->finalist[t->asked % t->finalists];
        if (t->rounds == 0 || t->rounds >= MOST_ROUNDS || !is_undecided(t))
            return t->n;
    }
}

gz_status gz_tuner_next(gz_tuner *t, gz_tuner_step *out, gz_error *error)
{
    size_t first[1 + GZ_TUNER_AHEAD];
    if (!t || !out)
        return gzi_fail_null(error, t ? "room for the step" : "tuner");
    gz_status status = t->fresh ? GZ_OK : update(t, error);
    if (status)
        return status;
    size_t n = most_promising(t, first, 1 + GZ_TUNER_AHEAD);
    *out = (gz_tuner_step){.gain = n ? t->ideas[first[0]].gain : 0};
    if (!t->stop && (t->stop = reason(t, n, out->gain)))
        choose_finalists(t);
    size_t next = !t->stop ? first[0] : next_finalist(t);
    out->stop = t->stop;
    out->again = t->stop != GZ_TUNER_GOES_ON;
    out->known = next == t->n;
    if (out->known)
        return GZ_OK;
    out->candidate = next;
    out->seconds = exp(t->ideas[next].expected);
    out->sd = t->ideas[next].sd;
    for (size_t k = 1; !t->stop && k < n; k++)
        out->ahead[out->ahead_count++] = first[k];
    return GZ_OK;
}

gz_status gz_tuner_tell(gz_tuner *t, size_t candidate, double seconds, double sd, gz_error *error)
{
    if (!t)
        return gzi_fail_null(error, "tuner");
    if (candidate >= t->n)
        return gzi_fail(error, GZ_EARGUMENT, "there is no candidate %zu: must be below %zu",
                        candidate, t->n);
    idea *a = &t->ideas[candidate];
    int failed = isnan(seconds);
    if (!failed && !(seconds > 0 && isfinite(seconds)))
        return gzi_fail(error, GZ_EARGUMENT, "a run of %g s: must be above 0, or NaN if it failed",
                        seconds);
    if (!(sd >= 0 && isfinite(sd)))
        return gzi_fail(error, GZ_EARGUMENT, "deviation %g: must be at least 0", sd);
    if (a->tries == 0 && !a->failed)
        t->run[t->runs++] = candidate;
    t->failures += failed && !a->failed;
    a->failed |= failed;
    if (!failed && a->tries < MOST_TRIES) {
        a->each[a->tries++] = seconds;
        a->noise = fmax(a->noise, sd);
    }
    if (t->stop && t->asked < (size_t)t->rounds * t->finalists)
        t->asked++;
    t->fresh = 0;
    return GZ_OK;
}

gz_status gz_tuner_best(const gz_tuner *t, gz_tuner_result *out, gz_error *error)
{
    if (!t || !out)
        return gzi_fail_null(error, t ? "room for the result" : "tuner");
    size_t best = best_besides(t, 0);
    if (best == t->n)
        return gzi_fail(error, GZ_ELIMITS, "no candidate has been measured");
    const idea *b = &t->ideas[best];
    *out = (gz_tuner_result){
        .candidate = best, .seconds = exp(log_time(b)), .stop = t->stop, .failed = t->failures};
    gsl_stats_minmax(&out->interval[0], &out->interval[1], b->each, 1, (size_t)b->tries);
    for (size_t k = 0; k < t->runs; k++) {
        const idea *a = &t->ideas[t->run[k]];
        if (!is_known(a))
            continue;
        double noise = fmax(least_noise, hypot(a->noise, b->noise));
        out->runs++;
        out->tied += a != b && log_time(a) - log_time(b) < noise;
        out->predicted += a->kind != BLIND;
        out->far_off += a->kind != BLIND && fabs(log_time(a) - a->mean) > far_off;
    }
    return GZ_OK;
}

/* ------------------------------------------------------------------------------------------ new */

/* What is alike in candidates: a streamed tile's extents without its ghost zone, which grows with
 * the height. */
static void describe(const gz_device *dev, const gz_app *app, const gz_candidate *c, idea *a)
{
    const gz_way *way = &c->way;
    int plain = c->model == GZ_MODEL_MENG2011 || (dev && gzi_gz2_by_reads(dev, app, way->variant));
    *a = (idea){.sync = way->sync,
                .kind = isnan(c->seconds_per_loop) ? BLIND
                        : plain                    ? PLAIN
                                                   : WHOLE,
                .variant = way->variant,
                .log_height = log2(way->height),
                .mean = log(c->seconds_per_loop)};
    for (int i = 0; i < app->dim; i++) {
        double extent = way->block[i];
        if (a->variant == GZ_VARIANT_STREAM)
            extent -= app->halo_width[i] * way->height;
        a->log_extent[i] = log2(fmax(extent, 1));
    }
}

static gz_status check(const gz_app *app, const gz_candidate *candidates, size_t n,
                       const gz_tuner_request *request, gz_error *error)
{
    if (n < 1)
        return gzi_fail(error, GZ_EARGUMENT, "0 candidates: must be at least 1");
    if (!(app->dim >= 1 && app->dim <= GZ_MAX_DIM))
        return gzi_fail(error, GZ_EAPP, "%d dimensions: must be 1 to %d", app->dim, GZ_MAX_DIM);
    if (!(request->gain < 1))
        return gzi_fail(error, GZ_EARGUMENT, "a gain of %g: must be below 1", request->gain);
    for (size_t k = 0; k < n; k++) {
        const gz_candidate *c = &candidates[k];
        int lengths = c->way.height >= 1;
        for (int i = 0; i < app->dim; i++)
            lengths = lengths && c->way.block[i] >= 1;
        if (!lengths || c->seconds_per_loop <= 0 || isinf(c->seconds_per_loop))
            return gzi_fail(error, GZ_ECONFIG,
                            "candidate %zu: height and lengths must be at least 1, and the "
                            "predicted time above 0, or NaN if there is none",
                            k);
    }
    return GZ_OK;
}

gz_status gz_tuner_new(const gz_device *dev, const gz_app *app, const gz_candidate *candidates,
                       size_t n, const gz_tuner_request *request, gz_tuner **out, gz_error *error)
{
    static const gz_tuner_request usual = {0};
    double fastest = HUGE_VAL;
    if (!app || !candidates || !out)
        return gzi_fail_null(error, !app ? "application" : out ? "candidates" : "room for a tuner");
    *out = NULL;
    request = request ? request : &usual;
    gz_status status = check(app, candidates, n, request, error);
    if (status)
        return status;
    gz_tuner *t = calloc(1, sizeof *t);
    idea *ideas = calloc(n, sizeof *ideas);
    size_t *run = calloc(n, sizeof *run);
    if (!t || !ideas || !run) {
        free(t);
        free(ideas);
        free(run);
        return gzi_fail(error, GZ_ENOMEM, "out of memory");
    }
    *t = (gz_tuner){.dim = app->dim,
                    .gain = request->gain == 0 ? usual_gain : request->gain,
                    .most = request->most ? request->most : MOST_RUNS,
                    .rounds = request->once ? 0 : ROUNDS,
                    .n = n,
                    .ideas = ideas,
                    .run = run};
    t->most = t->most < HARD_LIMIT ? t->most : HARD_LIMIT;
    for (size_t k = 0; k < n; k++) {
        describe(dev, app, &candidates[k], &ideas[k]);
        if (ideas[k].kind != BLIND)
            fastest = fmin(fastest, ideas[k].mean);
    }
    for (size_t k = 0; k < n; k++)
        if (ideas[k].kind == BLIND)
            ideas[k].mean = isinf(fastest) ? 0 : fastest;
    *out = t;
    return GZ_OK;
}

void gz_tuner_free(gz_tuner *t)
{
    if (!t)
        return;
    free(t->ideas);
    free(t->run);
    free(t);
}
