/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 168-tuner - gz_tuner's choice of the next run against the formulas of a Gaussian process written
 * out with a plain inverse, after every run of a small case; when it stops; runs that fail; the
 * finalists; ties; that it does the same twice; and bad input. And gz_ideas, its candidates.
 */
#include "gzmodel/parameters.h"
#include "tap.h"

enum { N = 8, ROOM = 1000 };

static double square(double x)
{
    return x * x;
}

/* ---------------------------------------------------------------------------------- by formulas */

/* Two dimensions, halo 2. A streamed tile's extents are without its ghost zone. */
static double extent(const gz_candidate *c, int i)
{
    double ghost = c->way.variant == GZ_VARIANT_STREAM ? 2 * c->way.height : 0;
    return log2(c->way.block[i] - ghost);
}

static double covariance(const gz_candidate *a, const gz_candidate *b)
{
    int blind = isnan(a->seconds_per_loop);
    double mode = blind ? .5 : .1, height = blind ? .2 : .15, tile = blind ? .2 : .03,
           variant = blind ? .4 : .2;
    double m = a->way.sync == b->way.sync, v = a->way.variant == b->way.variant;
    double away = square(extent(a, 0) - extent(b, 0)) + square(extent(a, 1) - extent(b, 1));
    double n = exp(-square(log2(a->way.height) - log2(b->way.height)) / 8);
    double c = .6 * .6 + square(mode) * m + square(height) * n * exp(-away / 8) +
               exp(-away / 8) * (square(tile) + .12 * .12 * n * (m > 0 ? 1 : .5));
    if (blind != isnan(b->seconds_per_loop))
        return 0;
    c = v > 0 ? c + square(variant) : .3 * c;
    return a == b ? c + .1 * .1 : c;
}

static void invert(size_t n, double a[N][N], double inverse[N][N])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (size_t p = 0; p < n; p++) {
        double pivot = a[p][p];
        for (size_t j = 0; j < n; j++) {
            a[p][j] /= pivot;
            inverse[p][j] /= pivot;
        }
        for (size_t i = 0; i < n; i++) {
            double factor = i == p ? 0 : a[i][p];
            for (size_t j = 0; j < n; j++) {
                a[i][j] -= factor * a[p][j];
                inverse[i][j] -= factor * inverse[p][j];
            }
        }
    }
}

/* What was told: numbers of candidates, times and deviations. */
struct told {
    size_t n, which[N];
    double seconds[N], sd[N];
};

/* Expected ln(time), its deviation and the expected improvement of candidate `k`. */
static void posterior(const gz_candidate *c, const double *mean, const struct told *t, size_t k,
                      double out[3])
{
    double a[N][N], inverse[N][N], best = HUGE_VAL;
    out[0] = mean[k];
    out[1] = covariance(&c[k], &c[k]);
    for (size_t i = 0; i < t->n; i++) {
        best = fmin(best, log(t->seconds[i]));
        for (size_t j = 0; j < t->n; j++)
            a[i][j] = covariance(&c[t->which[i]], &c[t->which[j]]) +
                      (i == j ? square(fmax(.03, t->sd[i])) : 0);
    }
    invert(t->n, a, inverse);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->n; j++) {
            double left = covariance(&c[k], &c[t->which[i]]) * inverse[i][j];
            out[0] += left * (log(t->seconds[j]) - mean[t->which[j]]);
            out[1] -= left * covariance(&c[t->which[j]], &c[k]);
        }
    out[1] = sqrt(out[1]);
    double z = (best - out[0]) / out[1];
    out[2] = out[1] * (z * .5 * erfc(-z / sqrt(2)) + exp(-z * z / 2) / sqrt(8 * atan(1)));
}

static const gz_app app = {.name = "Star", .key = "star", .dim = 2, .halo_width = {2, 2}};

/* Trapezoids and streamed tiles in two modes, and two blocks without predictions. */
static void a_case(gz_candidate c[N])
{
    static const struct {
        gz_variant variant;
        gz_sync sync;
        int height;
        int x, y;
        double seconds;
    } rows[N] = {{GZ_VARIANT_TRAPEZOID, GZ_SYNC_RESTART, 4, 130, 66, 1.0},
                 {GZ_VARIANT_TRAPEZOID, GZ_SYNC_FENCE, 4, 130, 66, 1.02},
                 {GZ_VARIANT_TRAPEZOID, GZ_SYNC_RESTART, 8, 258, 34, 1.1},
                 {GZ_VARIANT_STREAM, GZ_SYNC_RESTART, 6, 1036, 524, 1.15},
                 {GZ_VARIANT_STREAM, GZ_SYNC_FENCE, 3, 1030, 262, 1.2},
                 {GZ_VARIANT_TRAPEZOID, GZ_SYNC_FENCE, 2, 66, 66, 1.3},
                 {GZ_VARIANT_NAIVE, GZ_SYNC_RESTART, 1, 1024, 16, (double)NAN},
                 {GZ_VARIANT_NAIVE, GZ_SYNC_RESTART, 1, 256, 16, (double)NAN}};
    for (size_t k = 0; k < N; k++)
        c[k] = (gz_candidate){.way = {.variant = rows[k].variant,
                                      .sync = rows[k].sync,
                                      .height = rows[k].height,
                                      .block = {rows[k].x, rows[k].y}},
                              .model = GZ_MODEL_GZ2,
                              .seconds_per_loop = rows[k].seconds * 1e-3};
}

static gz_tuner *a_tuner(const gz_tuner_request *request)
{
    gz_candidate c[N];
    gz_tuner *t;
    gz_error error;
    a_case(c);
    if (gz_tuner_new(NULL, &app, c, N, request, &t, &error))
        tap_note("%s", error.text);
    return t;
}

/* What a run takes: far from the predictions, and always the same. */
static double time_of(size_t k)
{
    static const double seconds[N] = {1.5, 1.45, 1.2, .7, .8, 2, .9, .95};
    return 1e-3 * seconds[k];
}

static void equals_formulas(void)
{
    const gz_tuner_request all = {.gain = -1, .once = 1};
    gz_candidate c[N];
    double mean[N], worst = 0;
    struct told told = {0};
    gz_tuner *t = a_tuner(&all);
    gz_tuner_step step;
    size_t wrong = 0;
    a_case(c);
    for (size_t k = 0; k < N; k++)
        mean[k] = log(isnan(c[k].seconds_per_loop) ? 1e-3 : c[k].seconds_per_loop);
    tap_ok(gz_tuner_next(t, &step, NULL) == GZ_OK && step.candidate == 0 && !step.known &&
               isinf(step.gain) && step.ahead_count == GZ_TUNER_AHEAD,
           "the first run is the best prediction's");
    for (; !gz_tuner_next(t, &step, NULL) && !step.known;) {
        double own[3], other[3], largest = -1;
        posterior(c, mean, &told, step.candidate, own);
        for (size_t k = 0; k < N; k++) {
            size_t seen = 0;
            for (size_t i = 0; i < told.n; i++)
                seen += told.which[i] == k;
            posterior(c, mean, &told, k, other);
            largest = seen ? largest : fmax(largest, other[2]);
        }
        if (told.n > 0) {
            wrong += own[2] < largest;
            worst = fmax(worst, fabs(step.gain / own[2] - 1));
            worst = fmax(worst, fabs(step.sd / own[1] - 1));
            worst = fmax(worst, fabs(step.seconds / exp(own[0]) - 1));
        }
        double sd = 0.02 * (double)told.n;
        gz_tuner_tell(t, step.candidate, time_of(step.candidate), sd, NULL);
        told.which[told.n] = step.candidate;
        told.seconds[told.n] = time_of(step.candidate);
        told.sd[told.n++] = sd;
    }
    tap_ok(told.n == N && wrong == 0 && worst < 1e-9,
           "%zu runs, each of the largest expected improvement: off by %.1e", told.n, worst);
    tap_ok(step.known && step.stop == GZ_TUNER_ALL, "then there are no others");
    gz_tuner_result r;
    tap_ok(gz_tuner_best(t, &r, NULL) == GZ_OK && r.candidate == 3 && r.runs == N &&
               r.failed == 0 && fabs(r.seconds - .7e-3) < 1e-12,
           "the best is what was measured");
    gz_tuner_free(t);
}

/* ---------------------------------------------------------------------------------------- stops */

static double scatter; /* of the runs that `run` tells */

/* A tuner's end: the candidates in the order of its steps, the last step, and the best. */
struct end {
    size_t n, asked[40];
    gz_tuner_step step;
    gz_tuner_result best;
    gz_status status;
    gz_error error;
};

static struct end run(gz_tuner_request request, double (*seconds)(size_t))
{
    struct end e = {0};
    gz_tuner *t = a_tuner(&request);
    while (e.n < 40 && !gz_tuner_next(t, &e.step, NULL) && !e.step.known) {
        size_t k = e.asked[e.n++] = e.step.candidate;
        gz_tuner_tell(t, k, seconds(k), scatter, NULL);
    }
    e.status = gz_tuner_best(t, &e.best, &e.error);
    gz_tuner_free(t);
    return e;
}

static double as_predicted(size_t k)
{
    gz_candidate c[N];
    a_case(c);
    return isnan(c[k].seconds_per_loop) ? 3e-3 : c[k].seconds_per_loop;
}

static double only_last(size_t k)
{
    return k == 7 ? 1e-3 : (double)NAN;
}

static double fails(size_t k)
{
    (void)k;
    return (double)NAN;
}

/* Of candidate `weak`, which fails when it is measured again. */
static size_t weak;
static double fails_again(size_t k)
{
    static int runs[N];
    return k == weak && runs[k]++ > 0 ? fails(k) : time_of(k);
}

static void stops(void)
{
    const gz_tuner_request four = {.gain = -1, .most = 4};
    struct end e = run((gz_tuner_request){.once = 1, .gain = 0.05}, as_predicted);
    tap_ok(e.n >= 3 && e.n < N && e.step.stop == GZ_TUNER_KNOWN && e.step.gain < 0.05,
           "right predictions: known after %zu runs, gain %.3g", e.n, e.step.gain);
    e = run((gz_tuner_request){.once = 1, .gain = -1, .most = 4}, time_of);
    tap_ok(e.n == 4 && e.step.stop == GZ_TUNER_MOST && e.step.gain > 0, "at most 4 runs");

    struct end first = run(four, time_of);
    const size_t *asked = first.asked;
    int turns = first.n == 10;
    for (size_t k = 7; k < first.n; k++)
        turns = turns && asked[k] == asked[k - 3] && asked[k] != asked[k - 1];
    turns = turns && time_of(asked[4]) < time_of(asked[5]) && time_of(asked[5]) < time_of(asked[6]);
    tap_ok(turns && first.step.again && first.status == GZ_OK && first.best.runs == 4,
           "then the best three in turn, twice");
    scatter = 10; /* more than any two differ by */
    e = run(four, time_of);
    tap_ok(e.n == 16, "four times if they scatter by more");
    weak = e.asked[4];
    e = run(four, fails_again);
    tap_ok(e.n == 13 && e.status == GZ_OK && e.best.candidate != weak,
           "and one that fails then is out: %zu runs", e.n);
    scatter = 0;
    e = run(four, time_of);
    tap_ok(e.n == first.n && memcmp(e.asked, asked, sizeof e.asked) == 0, "and so a second time");

    e = run((gz_tuner_request){.most = 2}, only_last);
    tap_ok(e.n == N && e.status == GZ_OK && e.best.candidate == 7 && e.best.failed == 7 &&
               e.best.runs == 1,
           "runs that fail are survived: %zu asked for", e.n);
    e = run((gz_tuner_request){.most = 1}, fails);
    tap_ok(e.n == 5 && e.step.stop == GZ_TUNER_MOST && e.status == GZ_ELIMITS,
           "if all fail, five times as many: %s", e.error.text);
}

static void results(void)
{
    gz_tuner *t = a_tuner(NULL);
    gz_tuner_result r;
    gz_tuner_tell(t, 0, 3e-3, 0.01, NULL);
    gz_tuner_tell(t, 1, 3.05e-3, 0.01, NULL);
    gz_tuner_tell(t, 2, 1.2e-3, 0.01, NULL);
    gz_tuner_tell(t, 2, 3.9e-3, 0.01, NULL);
    gz_tuner_tell(t, 2, 3.2e-3, 0.01, NULL);
    gz_tuner_tell(t, 2, 3.6e-3, 0.01, NULL);
    gz_tuner_tell(t, 2, 3.4e-3, 0.01, NULL);
    gz_status status = gz_tuner_best(t, &r, NULL);
    tap_ok(status == GZ_OK && r.candidate == 0 && r.tied == 1 && r.far_off == 3,
           "the lower quartile of the tries counts; a tie within 3 %% is one; %zu are far off",
           r.far_off);
    gz_tuner_tell(t, 0, (double)NAN, 0, NULL);
    tap_ok(gz_tuner_best(t, &r, NULL) == GZ_OK && r.candidate == 1 && r.failed == 1 && r.runs == 2,
           "what fails later counts no more");
    gz_tuner_free(t);
}

static void bad_input(void)
{
    gz_candidate c[N];
    gz_error error;
    gz_tuner_step step;
    gz_tuner_result r;
    gz_tuner *t = NULL;
    gz_app none = app;
    int right = 0;
    a_case(c);
    right += gz_tuner_new(NULL, NULL, c, N, NULL, &t, &error) == GZ_EARGUMENT;
    right += gz_tuner_new(NULL, &app, NULL, N, NULL, &t, &error) == GZ_EARGUMENT;
    right += gz_tuner_new(NULL, &app, c, 0, NULL, &t, &error) == GZ_EARGUMENT && !t;
    right += gz_tuner_new(NULL, &app, c, N, NULL, NULL, &error) == GZ_EARGUMENT;
    right += gz_tuner_new(NULL, &app, c, N, &(gz_tuner_request){.gain = (double)NAN}, &t, &error) ==
             GZ_EARGUMENT;
    none.dim = 0;
    right += gz_tuner_new(NULL, &none, c, N, NULL, &t, &error) == GZ_EAPP;
    c[3].way.height = 0;
    right += gz_tuner_new(NULL, &app, c, N, NULL, &t, &error) == GZ_ECONFIG &&
             strstr(error.text, "candidate 3");
    c[3].way.height = 1;
    c[3].seconds_per_loop = HUGE_VAL;
    right += gz_tuner_new(NULL, &app, c, N, NULL, &t, &error) == GZ_ECONFIG;
    tap_ok(right == 8, "candidates that are none are refused: %d of 8", right);
    t = a_tuner(NULL);
    right = gz_tuner_tell(t, N, 1, 0, &error) == GZ_EARGUMENT;
    right += gz_tuner_tell(t, 0, 0, 0, &error) == GZ_EARGUMENT;
    right += gz_tuner_tell(t, 0, HUGE_VAL, 0, &error) == GZ_EARGUMENT;
    right += gz_tuner_tell(t, 0, 1, -1, &error) == GZ_EARGUMENT;
    right += gz_tuner_tell(NULL, 0, 1, 0, &error) == GZ_EARGUMENT;
    right += gz_tuner_next(NULL, &step, &error) == GZ_EARGUMENT;
    right += gz_tuner_next(t, NULL, &error) == GZ_EARGUMENT;
    right += gz_tuner_best(t, NULL, &error) == GZ_EARGUMENT;
    right += gz_tuner_best(t, &r, &error) == GZ_ELIMITS;
    tap_ok(right == 9, "and so is what cannot be told: %d of 9", right);
    gz_tuner_free(t);
    gz_tuner_free(NULL);
}

/* ----------------------------------------------------------------------------------------- ideas
 */

static int is_same(double a, double b)
{
    return a == b;
}

static void ideas(void)
{
    char path[600];
    static gz_candidate c[ROOM], best[1];
    gz_device dev;
    gz_app hotspot;
    gz_error why[GZ_VARIANT_CAPACITY], error = {{0}};
    gz_tune_request request = {.data_length = {1024, 1024}, .loops = 60};
    size_t n = 0, found = 0, wrong = 0, slow = 0, modes = 0;
    const char *source = getenv("GZ_SOURCE");
    snprintf(path, sizeof path, "%s/calibrate/devices/pocl-xeon-2core/device.json",
             source ? source : ".");
    gz_device_open(path, &dev, &error);
    gz_app_open("hotspot", path, &hotspot, &error);
    gz_status status = gz_ideas(&dev, &hotspot, &request, c, ROOM, &n, why, &error);
    tap_ok(status == GZ_OK && n > 20, "gz_ideas: %zu candidates %s", n, error.text);
    unsigned first =
        n < 3 ? 0 : 1u << c[0].way.variant | 1u << c[1].way.variant | 1u << c[2].way.variant;
    tap_ok(first == 7, "the first three are the best of each variant");
    for (int v = 0; v < 3; v++) {
        gz_tune_request one = request;
        one.variants = 1u << v;
        one.model = GZ_MODEL_GZ2;
        wrong += gz_tune(&dev, &hotspot, &one, best, 1, &found, NULL) != GZ_OK;
        for (size_t k = 0; k < 3; k++)
            wrong += (int)c[k].way.variant == v &&
                     !is_same(c[k].seconds_per_loop, best->seconds_per_loop);
    }
    tap_ok(wrong == 0, "as gz_tune finds them");
    for (size_t k = 0; k < n; k++) {
        gz_prediction p;
        const gz_config cfg = gz_config_of(&request, &c[k]);
        wrong += gz_predict(&dev, &hotspot, &cfg, c[k].way.height, &p, NULL) != GZ_OK ||
                 !is_same(p.seconds_per_loop, c[k].seconds_per_loop);
        slow += k >= 3 && c[k].seconds_per_loop > 3.001 * c[0].seconds_per_loop;
        modes |= (size_t)1 << c[k].way.sync;
    }
    tap_ok(wrong == 0 && slow == 0, "all are what gz_predict says, none three times slower");
    tap_ok((modes & 3) == 3, "in all modes");

    *gz_param_quantity(&dev, &hotspot, gz_param_by_name("stream_row")) =
        (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    gz_ideas(&dev, &hotspot, &request, c, ROOM, &n, why, &error);
    size_t blind = 0;
    for (size_t k = 0; k < n; k++) {
        int streamed = c[k].way.variant == GZ_VARIANT_STREAM;
        wrong += isnan(c[k].seconds_per_loop) != streamed;
        wrong += streamed && (double)c[k].way.piece !=
                                 c[k].way.block[1] - hotspot.halo_width[1] * c[k].way.height;
        blind += (size_t)streamed;
    }
    tap_ok(wrong == 0 && blind > 8 && strstr(why[GZ_VARIANT_STREAM].text, "stream_row") &&
               !why[GZ_VARIANT_TRAPEZOID].text[0],
           "a variant without predictions takes part: %zu; %s", blind, why[GZ_VARIANT_STREAM].text);

    gz_device_open("h200", &dev, &error);
    gz_app_open("hotspot", "h200", &hotspot, &error);
    status = gz_ideas(&dev, &hotspot, &request, c, ROOM, &n, NULL, &error);
    for (size_t k = 0; k < n; k++)
        wrong += c[k].way.variant == GZ_VARIANT_TRAPEZOID && c[k].way.block[0] % 32 > 0;
    request.limits.block_step[0] = 1;
    gz_ideas(&dev, &hotspot, &request, best, 1, &found, NULL, &error);
    tap_ok(status == GZ_OK && wrong == 0 && found == 1,
           "on a GPU, rows of whole warps unless a step is given");
    tap_ok(gz_ideas(&dev, &hotspot, &request, c, 0, &n, NULL, &error) == GZ_EARGUMENT,
           "no room is refused");
}

int main(void)
{
    equals_formulas();
    stops();
    results();
    bad_input();
    ideas();
    return tap_done();
}
