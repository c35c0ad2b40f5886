/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 030-checks - what gz_check accepts and refuses: every field with every class of bad value, null
 * pointers, unknown enumeration values, infeasible blocks; and that the message names the bad
 * field. Fields and ranges are listed here by hand, from gzmodel.h, not from the library's table.
 */
#include "cases.h"
#include "tap.h"

#include <float.h>

enum owner { DEVICE, APP };

/* A quantity and its range, as gzmodel.h's comments state it. */
struct field {
    const char *name; /* as messages call it */
    enum owner owner;
    size_t offset;
    double low;
    int low_allowed;
    double high; /* HUGE_VAL: any finite number */
    int optional;
};

#define DEV(member) #member, DEVICE, offsetof(gz_device, member)
#define APPL(member) #member, APP, offsetof(gz_app, member)

static const struct field fields[] = {
    {DEV(clock_rate), 0, 0, HUGE_VAL, 0},
    {DEV(mem_bandwidth), 0, 0, HUGE_VAL, 0},
    {DEV(uncontended_latency), 0, 1, HUGE_VAL, 0},
    {DEV(sm_count), 1, 1, 1e9, 0},
    {DEV(blocks_per_sm), 1, 1, 1e9, 0},
    {DEV(cpi), 0, 0, HUGE_VAL, 0},
    {DEV(launch_overhead), 0, 1, HUGE_VAL, 0},
    {DEV(fence_overhead), 0, 1, HUGE_VAL, 0},
    {DEV(fence_exposure), 0, 1, 1, 0},
    {DEV(latency_hiding), 0, 1, 1, 0},
    {DEV(dimension_penalty), 0, 0, HUGE_VAL, 0},
    {DEV(max_threads_per_block), 1, 1, 1e15, 0},
    {DEV(graph_overhead), 0, 1, HUGE_VAL, 1},
    {DEV(shared_mem_per_block), 0, 0, HUGE_VAL, 1},
    {APPL(element_size), 0, 0, HUGE_VAL, 0},
    {APPL(stencil_arrays), 0, 0, HUGE_VAL, 0},
    {APPL(elements_per_op), 0, 1, HUGE_VAL, 0},
    {"elements", APP, offsetof(gz_app, profile_elements), 1, 1, HUGE_VAL, 0},
    {APPL(insts_per_sm_misc), 0, 1, HUGE_VAL, 0},
    {APPL(insts_per_sm_iter), 0, 1, HUGE_VAL, 0},
    {APPL(bank_conflict_rate), 0, 1, HUGE_VAL, 0},
};

#define FIELDS ((int)(sizeof fields / sizeof *fields))

static test_case valid(void)
{
    test_case c = benchmark_case(CELL, GZ_SYNC_RESTART);
    c.cfg.beyond = 1;
    return c;
}

static gz_quantity *quantity_of(test_case *c, const struct field *field)
{
    char *owner = field->owner == DEVICE ? (char *)&c->dev : (char *)&c->app;
    return (gz_quantity *)(void *)(owner + field->offset);
}

/* The check's status and message. A message must be one line that names `culprit`. */
static int refused(const test_case *c, gz_status want, const char *culprit)
{
    gz_error error = {"(unset)"};
    gz_status got = gz_check(&c->dev, &c->app, &c->cfg, &error);
    gz_prediction prediction;
    gz_optimum optimum;
    int good = got == want && gz_check(&c->dev, &c->app, &c->cfg, NULL) == want &&
               strstr(error.text, culprit) && !strchr(error.text, '\n') &&
               gz_predict(&c->dev, &c->app, &c->cfg, 1, &prediction, NULL) == want &&
               gz_optimize(&c->dev, &c->app, &c->cfg, NULL, &optimum, NULL) == want;
    if (!good)
        tap_note("status %d, want %d; \"%s\" should name \"%s\"", got, want, error.text, culprit);
    return good;
}

static int accepted(const test_case *c)
{
    gz_error error = {"(unset)"};
    gz_status got = gz_check(&c->dev, &c->app, &c->cfg, &error);
    if (got || strcmp(error.text, "(unset)") != 0)
        tap_note("status %d, \"%s\"", got, error.text);
    return got == GZ_OK && strcmp(error.text, "(unset)") == 0;
}

/* The case with one quantity changed. */
static test_case with(const struct field *field, double value, double sd)
{
    test_case c = valid();
    *quantity_of(&c, field) = (gz_quantity){value, sd, GZ_ORIGIN_MEASURED};
    return c;
}

static void check_field(const struct field *field)
{
    gz_status status = field->owner == DEVICE ? GZ_EDEVICE : GZ_EAPP;
    const double bad[] = {(double)NAN,
                          HUGE_VAL,
                          -HUGE_VAL,
                          -1,
                          -DBL_MAX,
                          field->low_allowed ? nextafter(field->low, -1) : field->low,
                          nextafter(field->high, HUGE_VAL)};
    int good = 1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        test_case c = with(field, bad[k], 0);
        good &= refused(&c, status, field->name);
    }
    tap_ok(good, "%s: values out of range are refused by name", field->name);

    double sound = isfinite(field->high) ? field->high : field->low + 1;
    const double bad_sd[] = {(double)NAN, HUGE_VAL, -1, -DBL_MIN};
    good = 1;
    for (size_t k = 0; k < sizeof bad_sd / sizeof *bad_sd; k++) {
        test_case c = with(field, sound, bad_sd[k]);
        good &= refused(&c, status, field->name);
    }
    tap_ok(good, "%s: bad standard deviations are refused", field->name);

    test_case lowest = with(field, field->low_allowed ? field->low : DBL_MIN, 0);
    test_case highest = with(field, isfinite(field->high) ? field->high : DBL_MAX, 1);
    tap_ok(accepted(&lowest) && accepted(&highest), "%s: both ends of the range are accepted",
           field->name);

    test_case absent = valid();
    *quantity_of(&absent, field) = (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    if (field->optional || (field->low == 0 && field->low_allowed))
        tap_ok(accepted(&absent), "%s: may be absent or 0", field->name);
    else
        tap_ok(refused(&absent, status, field->name), "%s: may not be left out", field->name);
}

/* Lengths and halos, by dimension. */
static void check_vectors(void)
{
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, 0, 0.5, DBL_MAX};
    static const double bad_halo[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, 0.5, 1.1e6, DBL_MAX};
    int data = 1, block = 1, halo = 1;
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            test_case c = valid();
            c.cfg.data_length[i] = bad[k];
            data &= refused(&c, GZ_ECONFIG, "size: extent");
            c = valid();
            c.cfg.block_len[i] = bad[k];
            block &= refused(&c, GZ_ECONFIG, "block: extent");
            c = valid();
            c.app.halo_width[i] = bad_halo[k];
            halo &= refused(&c, GZ_EAPP, "halo_width");
        }
    tap_ok(data, "data_length: bad values are refused in every dimension");
    tap_ok(block, "block_len: bad values are refused in every dimension");
    tap_ok(halo, "halo_width: bad values are refused in every dimension");

    test_case c = valid();
    c.cfg.data_length[0] = 1e15 + 1;
    tap_ok(refused(&c, GZ_ECONFIG, "at most 1e+15"), "data_length: above 1e15 is refused");
    c = valid();
    c.cfg.block_len[0] = 1e9 + 1;
    tap_ok(refused(&c, GZ_ECONFIG, "at most 1e+09"), "block_len: above 1e9 is refused");

    c = valid();
    c.app.halo_width[0] = c.app.halo_width[2] = 0;
    tap_ok(accepted(&c), "halo_width: 0 is fine in two dimensions of three");
    c.app.halo_width[1] = 0;
    tap_ok(refused(&c, GZ_EAPP, "halo_width"), "halo_width: 0 in all dimensions is not");

    c = valid();
    c.app.dim = 2;
    c.cfg.data_length[2] = c.cfg.block_len[2] = c.app.halo_width[2] = (double)NAN;
    tap_ok(accepted(&c), "entries beyond the last dimension are not read");
}

static void check_block(void)
{
    test_case c = valid();
    c.cfg.block_len[1] = 2;
    tap_ok(refused(&c, GZ_EBLOCK, "block: extent 1"), "a block as wide as the halo is infeasible");
    c.cfg.block_len[1] = nextafter(2, 3);
    tap_ok(accepted(&c), "a block that exceeds the halo is feasible, however little");
    c = valid();
    c.app.halo_width[0] = 0;
    c.cfg.block_len[0] = 1;
    tap_ok(accepted(&c), "a block of one element is feasible if the halo is 0");

    c = valid();
    c.cfg.beyond = 0;
    tap_ok(accepted(&c), "512 threads are within the limit of 512");
    c.cfg.block_len[0] = 9;
    tap_ok(refused(&c, GZ_ETHREADS, "576"), "576 are not");
    c.cfg.beyond = 1;
    tap_ok(accepted(&c), "but are if blocks beyond the limit are allowed");
}

static void check_kinds(void)
{
    test_case c = valid();
    static const int dims[] = {0, -1, 4, 1000000};
    int good = 1;
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        c.app.dim = dims[k];
        good &= refused(&c, GZ_EAPP, "dimensions");
    }
    tap_ok(good, "1, 2 or 3 dimensions only");

    static const int unknown[] = {-1, 3, 1000};
    good = 1;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        c = valid();
        c.cfg.sync = (gz_sync)unknown[k];
        good &= refused(&c, GZ_EARGUMENT, "synchronisation");
        c = valid();
        c.cfg.tau = (gz_tau)unknown[k];
        good &= refused(&c, GZ_EARGUMENT, "tau");
    }
    tap_ok(good, "unknown kinds of synchronisation and readings of tau are refused");

    c = valid();
    c.cfg.sync = GZ_SYNC_GRAPH;
    tap_ok(refused(&c, GZ_EDEVICE, "graph_overhead"), "graph needs graph_overhead");
    c.dev.graph_overhead = (gz_quantity){.value = 1000, .origin = GZ_ORIGIN_MEASURED};
    tap_ok(accepted(&c), "and works with it");
}

/* Null pointers are 036's. */
static void check_confidence(void)
{
    static const double bad[] = {0, -1, (double)NAN, HUGE_VAL};
    test_case c = valid();
    gz_uncertainty uncertainty;
    int good = 1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        good &= gz_propagate(&c.dev, &c.app, &c.cfg, 1, bad[k], &uncertainty, NULL) == GZ_EARGUMENT;
    tap_ok(good, "intervals of no standard deviations are refused");
}

static void check_heights(void)
{
    test_case c = valid();
    double pole = gz_pole(&c.app, &c.cfg);
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, 0, pole, nextafter(pole, 5), 1e300};
    int good = pole == 4 && gz_height_max(&c.app, &c.cfg) == 3;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        gz_prediction prediction;
        gz_curve curve;
        gz_gradient gradient;
        gz_uncertainty uncertainty;
        good &= gz_predict(&c.dev, &c.app, &c.cfg, bad[k], &prediction, NULL) == GZ_EHEIGHT;
        good &= gz_derivatives(&c.dev, &c.app, &c.cfg, bad[k], &curve, NULL) == GZ_EHEIGHT;
        good &= gz_predict_gradient(&c.dev, &c.app, &c.cfg, bad[k], &gradient, NULL) == GZ_EHEIGHT;
        good &= gz_propagate(&c.dev, &c.app, &c.cfg, bad[k], 2, &uncertainty, NULL) == GZ_EHEIGHT;
    }
    tap_ok(good, "heights outside (0, pole) are refused everywhere");
    gz_prediction prediction;
    double last = nextafter(pole, 0);
    tap_ok(gz_predict(&c.dev, &c.app, &c.cfg, last, &prediction, NULL) == GZ_OK && prediction.t > 0,
           "the last double below the pole is accepted");
}

/* The pole and the highest whole height, from integers in long long. */
static void check_height_max(void)
{
    int good = 1;
    test_case c = benchmark_case(PATHFINDER, GZ_SYNC_RESTART);
    for (int b = 2; b <= 300; b++)
        for (int w = 1; w < b && w <= 40; w++) {
            c.app.halo_width[0] = w;
            c.cfg.block_len[0] = b;
            int want = 1;
            while (b - w * (want + 1) > 0)
                want++;
            good &= gz_height_max(&c.app, &c.cfg) == want;
            good &= gz_pole(&c.app, &c.cfg) == (double)b / w;
        }
    tap_ok(good, "height_max is the largest whole height that leaves a tile");
}

int main(void)
{
    test_case c = valid();
    tap_ok(accepted(&c), "a valid case is accepted, and the message left alone");
    for (int k = 0; k < FIELDS; k++)
        check_field(fields + k);
    check_vectors();
    check_block();
    check_kinds();
    check_confidence();
    check_heights();
    check_height_max();
    return tap_done();
}
