/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 036-abuse - every public function with null pointers, zeroed structures, structures of random
 * bytes and absurd numbers, in thousands of combinations: none crashes, reads out of bounds or
 * overflows (make check-asan), each fails with a status that has a name and, in one line, says why.
 * That every function of the headers is called is 910's.
 */
#include "cases.h"
#include "tap.h"

#include <float.h>
#include <limits.h>

static gsl_rng *rng;

static int one_of(int n)
{
    return (int)gsl_rng_uniform_int(rng, (unsigned long)n);
}

static double number(void)
{
    const double absurd[] = {0,       -0.0,     1,       -1,        0.5,     2,
                             20,      1e6,      1e15,    1e300,     DBL_MAX, -DBL_MAX,
                             DBL_MIN, HUGE_VAL, INT_MAX, -HUGE_VAL, 1e-300,  (double)NAN};
    return absurd[one_of((int)(sizeof absurd / sizeof *absurd))];
}

static int integer(void)
{
    static const int absurd[] = {0, 1, -1, 2, 3, 4, 20, 127, 128, 129, 1000000, INT_MAX, INT_MIN};
    return absurd[one_of((int)(sizeof absurd / sizeof *absurd))];
}

static const char *text(void)
{
    static const char *const texts[] = {
        NULL,      "",           "restart", "fence",          "gtx280",
        "hotspot", "clock_rate", "{}",      "{\"schema\":1}", "no such thing"};
    return texts[one_of((int)(sizeof texts / sizeof *texts))];
}

static void random_bytes(void *into, size_t size)
{
    unsigned char *byte = into;
    for (size_t k = 0; k < size; k++)
        byte[k] = (unsigned char)one_of(256);
}

/* Inputs of a round: each a null pointer, zero, random bytes or valid with one number replaced. */
struct input {
    gz_device device;
    gz_app app;
    gz_config config;
    gz_bounds bounds;
    gz_tune_request request;
    gz_adapt adapt;
};
static struct input in;
static const gz_device *dev;
static const gz_app *app;
static const gz_config *cfg;
static const gz_bounds *bounds;
static const gz_tune_request *request;
static gz_adapt *adapt;

/* NULL, or a copy of `sound` in which some double is replaced by an absurd one. */
static void *spoil(void *sound, size_t size)
{
    switch (one_of(10)) {
    case 0:
        return NULL;
    case 1:
        return memset(sound, 0, size);
    case 2:
        random_bytes(sound, size);
        return sound;
    case 3:
    case 4: {
        double absurd = number();
        size_t at = (size_t)one_of((int)(size / sizeof absurd)) * sizeof absurd;
        memcpy((char *)sound + at, &absurd, sizeof absurd);
        return sound;
    }
    default:
        return sound;
    }
}

static void end_names(void)
{
    in.device.name[GZ_NAME_SIZE - 1] = in.device.key[GZ_NAME_SIZE - 1] = '\0';
    in.app.name[GZ_NAME_SIZE - 1] = in.app.key[GZ_NAME_SIZE - 1] = '\0';
    in.app.profile_device[GZ_NAME_SIZE - 1] = '\0';
}

static void new_round(void)
{
    test_case c = random_case(rng);
    in = (struct input){.device = c.dev, .app = c.app, .config = c.cfg};
    in.config.threads[one_of(3)] = one_of(3) ? 0 : number();
    in.config.variant = (gz_variant)(one_of(4) ? 0 : integer());
    in.config.stream_len = one_of(4) ? 0 : number();
    in.bounds = (gz_bounds){number(), number()};
    memcpy(in.request.data_length, in.config.data_length, sizeof in.request.data_length);
    in.request.limits = (gz_tile_limits){.threads = 128, .shared_bytes = 1000};
    gz_adapt_start(&in.adapt, 1 + one_of(9), 9 + one_of(9), 0, NULL);
    dev = spoil(&in.device, sizeof in.device);
    app = spoil(&in.app, sizeof in.app);
    cfg = spoil(&in.config, sizeof in.config);
    bounds = spoil(&in.bounds, sizeof in.bounds);
    request = spoil(&in.request, sizeof in.request);
    adapt = spoil(&in.adapt, sizeof in.adapt);
    end_names();
}

static int silent, nameless, calls, failures, soft;
static int roomless, accepted, nulls; /* a null pointer by ROOM; accepted, of how many */

/* Judges what a function returned. `error` had been emptied. */
static void judge(const char *call, gz_status status, const gz_error *error)
{
    calls++;
    failures += status != GZ_OK;
    if (!gz_name(GZ_STATUSES, status) && nameless++ < 5)
        tap_note("%s returned %d", call, (int)status);
    int ended = memchr(error->text, '\0', sizeof error->text) != NULL;
    if ((!ended || (status && !error->text[0]) || (ended && strchr(error->text, '\n'))) &&
        silent++ < 5)
        tap_note("%s, status %d, says \"%.100s\"", call, (int)status, error->text);
}

static int gives_room(void)
{
    int given = one_of(12) > 0;
    roomless |= !given;
    return given;
}

/* Whether a call was given a null pointer that it must refuse. */
static int lacks(const char *call)
{
    return roomless ||
           (strstr(call, "(dev, app") && !strstr(call, "tuner_new") && (!dev || !app)) ||
           (strstr(call, "device_text(dev") && !dev) || (strstr(call, "app_text(app") && !app) ||
           (strstr(call, "cfg") && strstr(call, "(dev, app") && !cfg) ||
           (strstr(call, "request,") && !request);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        gz_error error = {""};                                                                     \
        roomless = 0;                                                                              \
        gz_status status_ = (call);                                                                \
        judge(#call, status_, &error);                                                             \
        if (lacks(#call)) {                                                                        \
            nulls++;                                                                               \
            if (status_ == GZ_OK && accepted++ < 5)                                                \
                tap_note("%s: status %d", #call, (int)status_);                                    \
        }                                                                                          \
    } while (0)

/* A null pointer instead of a request or the room for a result, now and then. */
#define ROOM(place) (gives_room() ? &(place) : NULL)

static void call_models(void)
{
    static gz_prediction prediction;
    static gz_curve curve;
    static gz_gradient gradient;
    static gz_optimum optimum;
    static gz_sensitivity sensitivity;
    static gz_choice choice;
    static gz_uncertainty uncertainty;
    static gz_candidate candidates[4];
    double h = one_of(2) ? number() : 1, latency, bandwidth;
    size_t found;
    TRY(gz_check(dev, app, cfg, &error));
    TRY(gz_predict(dev, app, cfg, h, ROOM(prediction), &error));
    TRY(gz_mem_cycles_per_element(dev, app, cfg, ROOM(latency), ROOM(bandwidth), &error));
    TRY(gz_derivatives(dev, app, cfg, h, ROOM(curve), &error));
    TRY(gz_predict_gradient(dev, app, cfg, h, ROOM(gradient), &error));
    TRY(gz_optimize(dev, app, cfg, bounds, ROOM(optimum), &error));
    TRY(gz_sensitivity_at_optimum(dev, app, cfg, ROOM(sensitivity), &error));
    TRY(gz_choose(dev, app, cfg, ROOM(choice), &error));
    TRY(gz_propagate(dev, app, cfg, h, one_of(2) ? 2 : number(), ROOM(uncertainty), &error));
    soft += gz_model_for(dev, app, cfg, NULL) != GZ_MODEL_AUTO;
    TRY(gz_tune(dev, app, request, one_of(12) ? candidates : NULL, (size_t)one_of(5), ROOM(found),
                &error));
    TRY(gz_tune_ending(dev, app, request, (int)one_of(4), one_of(12) ? candidates : NULL,
                       (size_t)one_of(5), ROOM(found), &error));
    soft += isnan(gz_ending_of(number(), (int)integer(), (int)one_of(4)).loops);
    static gz_vcycle_time cycle;
    gz_vcycle_request levels = {.cycle = (gz_cycle)one_of(4),
                                .loops = {one_of(4) - 1, one_of(4)},
                                .levels = one_of(5) - 1,
                                .tail = one_of(2) ? 64 : number(),
                                .tail_s = one_of(2) ? 0 : number()};
    if (request)
        levels.smoother = *request;
    levels.depth[one_of(3)] = integer();
    levels.way[one_of(3)] = in.config;
    TRY(gz_vcycle(dev, app, ROOM(levels), ROOM(cycle), &error));
    soft += isnan(gz_pole(app, cfg)) + isnan(gz_height_max(app, cfg));
}

static void call_ranks(void)
{
    static gz_ranks_time time;
    gz_network net = {.latency = {number(), 0, GZ_ORIGIN_DEFAULT},
                      .bandwidth = {one_of(4) ? 1e10 : number(), 0, GZ_ORIGIN_DEFAULT}};
    gz_ranks_request ranks = {.ranks = one_of(2) ? one_of(8) : integer(),
                              .depth = one_of(2) ? one_of(4) : integer()};
    if (request)
        ranks.run = *request;
    ranks.layout[one_of(3)] = one_of(2) ? ranks.ranks : integer();
    TRY(gz_ranks_optimize(dev, app, &net, ROOM(ranks), ROOM(time), &error));
    TRY(gz_network_open(one_of(2) ? "nvlink-4" : NULL, one_of(2) ? &net : NULL, &error));
}

static void call_tuner(void)
{
    static gz_candidate candidates[4];
    static gz_error why[GZ_VARIANT_CAPACITY];
    gz_tuner_request own = {.gain = number(), .most = (size_t)one_of(3), .once = one_of(2)};
    gz_tuner *tuner = NULL;
    gz_tuner_step step = {0};
    gz_tuner_result result;
    size_t found = 0;
    for (int k = 0; k < 4; k++)
        candidates[k] =
            (gz_candidate){.way = {.height = integer(), .block = {integer(), 1, integer()}},
                           .seconds_per_loop = number()};
    TRY(gz_ideas(dev, app, request, one_of(12) ? candidates : NULL, (size_t)one_of(5), ROOM(found),
                 one_of(2) ? why : NULL, &error));
    TRY(gz_tuner_new(dev, app, one_of(12) ? candidates : NULL, (size_t)one_of(5),
                     one_of(4) ? &own : NULL, one_of(12) ? &tuner : NULL, &error));
    for (int k = 0; k < 6; k++) {
        TRY(gz_tuner_next(tuner, ROOM(step), &error));
        TRY(gz_tuner_tell(tuner, one_of(3) ? step.candidate : (size_t)one_of(9), number(), number(),
                          &error));
        TRY(gz_tuner_best(tuner, ROOM(result), &error));
    }
    gz_tuner_free(tuner);
    soft += isnan(gz_config_of(request, one_of(4) ? candidates : NULL).loops);
}

static void call_adapt(void)
{
    gz_adapt fresh;
    TRY(gz_adapt_start(ROOM(fresh), integer(), integer(), integer(), &error));
    soft += gz_adapt_next(adapt, integer()) < 0;
    TRY(gz_adapt_report(adapt, one_of(2) || !adapt ? integer() : adapt->height, number(), &error));
}

/* The number of the enumeration's value that a name has. */
static void call_names(void)
{
    int k = integer();
    const void *names[] = {gz_strerror((gz_status)k),
                           gz_name(GZ_STATUSES, (gz_status)k),
                           gz_name(GZ_SYNCS, (gz_sync)k),
                           gz_name(GZ_TAUS, (gz_tau)k),
                           gz_name(GZ_MODELS, (gz_model)k),
                           gz_name(GZ_VARIANTS, (gz_variant)k),
                           gz_name(GZ_STOPS, (gz_stop)k),
                           gz_name(GZ_ORIGINS, (gz_origin)k),
                           gz_term_name((gz_model)k, integer()),
                           gz_term_meaning((gz_model)0, k),
                           gz_param_about(k) ? gz_param_about(k)->name : NULL,
                           gz_param_about(k) ? gz_param_about(k)->unit : NULL,
                           gz_param_about(k) ? gz_param_about(k)->symbol : NULL,
                           gz_param_about(k) ? gz_param_about(k)->meaning : NULL,
                           gz_version(),
                           gz_builtin_name(NULL, (size_t)k),
                           gz_builtin_text(NULL, (size_t)k),
                           gz_builtin_of_driver(text()),
                           gz_builtin_name(text(), (size_t)k),
                           gz_builtin_text(text(), (size_t)k)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        soft += names[i] != NULL;
    soft += gz_by_name(GZ_STATUSES, text()) + gz_by_name(GZ_SYNCS, text()) +
            gz_by_name(GZ_TAUS, text()) + gz_by_name(GZ_MODELS, text()) +
            gz_by_name(GZ_VARIANTS, text()) + gz_by_name(GZ_STOPS, text()) +
            gz_model_describes((gz_model)k, (gz_variant)integer(), NULL) +
            gz_by_name(GZ_ORIGINS, text()) + gz_param_by_name(text()) +
            (gz_param_about(k) != NULL) + gz_param_count();
    char answer[200];
    soft += gz_ask(text(), one_of(2) ? NULL : answer, one_of(2) ? 0 : sizeof answer) > 0;
}

static void call_parameters(void)
{
    int p = one_of(2) ? integer() : one_of(gz_param_count());
    soft += gz_quantity_stated(one_of(8) ? &in.device.cpi : NULL) + gz_profile_matches(dev, app);
    soft += isnan(gz_param_value(dev, app, cfg, p));
    gz_device own_dev = in.device;
    gz_app own_app = in.app;
    gz_config own_cfg = in.config;
    TRY(gz_param_set(one_of(12) ? &own_dev : NULL, one_of(12) ? &own_app : NULL,
                     one_of(12) ? &own_cfg : NULL, p, number(), &error));
    soft += gz_param_quantity(ROOM(own_dev), ROOM(own_app), p) != NULL;
    const char *name = one_of(2) || p < 0 ? text() : gz_param_about(one_of(40))->name;
    soft += gz_set(ROOM(own_dev), name, number()) + gz_app_set(ROOM(own_app), name, number());
    soft += isnan(gz_get(ROOM(own_dev), name)) + isnan(gz_app_get(ROOM(own_app), name));
}

static void call_files(void)
{
    const gz_note notes[] = {{text(), text()}, {NULL, NULL}};
    gz_device own_dev;
    gz_app own_app;
    const char *source = text();
    char *made = NULL;
    size_t size = source ? strlen(source) : 0;
    TRY(gz_device_open(text(), ROOM(own_dev), &error));
    TRY(gz_app_open(text(), text(), ROOM(own_app), &error));
    TRY(gz_device_open(text(), ROOM(own_dev), &error));
    TRY(gz_app_open(text(), text(), ROOM(own_app), &error));
    TRY(gz_device_parse(source, size, text(), ROOM(own_dev), &error));
    TRY(gz_app_parse(source, size, text(), ROOM(own_app), &error));
    TRY(gz_device_text(dev, one_of(2) ? notes : NULL, &made, &error));
    gz_text_free(made);
    made = NULL;
    TRY(gz_app_text(app, one_of(2) ? notes : NULL, &made, &error));
    gz_text_free(made);
    gz_text_free(NULL);
}

int main(void)
{
    int rounds = tap_bulk(2000, 20000);
    rng = seeded_rng();
    for (int k = 0; k < rounds; k++) {
        new_round();
        call_models();
        call_tuner();
        call_ranks();
        call_adapt();
        call_names();
        call_parameters();
        if (k % 20 == 0)
            call_files();
    }
    gsl_rng_free(rng);
    tap_ok(calls > 10 * rounds && failures > calls / 4 && failures < calls,
           "%d calls, of which %d fail: none crashes", calls, failures);
    tap_ok(nulls > rounds && !accepted, "%d null pointers, of which %d are not refused", nulls,
           accepted);
    tap_ok(!nameless, "each status has a name");
    tap_ok(!silent, "each failure says why in one line");
    tap_ok(soft != 0, "names and values are returned or not");
    return tap_done();
}
