/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network.h"

#include "bench.h"
#include "data.h"
#include "halo.h"
#include "numbers.h"
#include "registry.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exchanges in a row, of which the middle counts. */
enum { TIMES = 31, QUICK_TIMES = 9 };

/* An exchange to be timed: how many of the dimensions are divided, whether the grid goes round, and
 * the elements of a box along each dimension and of a halo. */
struct way {
    int divided, extent, depth;
    bool periodic, direct;
};

/* What a rank computes while messages travel: short loops, so that they can take as long as any
 * exchange. */
struct busy {
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_plan *plan;
    double loop_s;
};

/* What one exchange stands on. */
struct timed {
    struct gzk_stencil stencil; /* with that way's edges */
    struct gzk_split split;
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_halo *halo;
};

static const int extents[] = {8, 32, 96, 256};
static const int depths[] = {1, 4};
enum { EXTENTS = sizeof extents / sizeof *extents, DEPTHS = sizeof depths / sizeof *depths };

/* Divides `ranks` among the last `divided` dimensions, as evenly as factors allow; false unless
 * each gets two at least. */
static bool divide(int ranks, int divided, int layout[3])
{
    layout[0] = layout[1] = layout[2] = 1;
    for (int left = divided; left > 0; left--) {
        int factor = (int)floor(pow(ranks, 1.0 / left) + 1e-9);
        while (factor > 1 && ranks % factor != 0)
            factor--;
        layout[3 - left] = left == 1 ? ranks : factor;
        ranks /= layout[3 - left];
        if (layout[3 - left] < 2)
            return false;
    }
    return true;
}

/* The ways for so many ranks; along one dimension sweep and direct are the same. */
static int list_ways(int ranks, struct way ways[GZC_MOST_EXCHANGES])
{
    int count = 0, layout[3];
    for (int divided = 1; divided <= 3; divided++)
        for (int k = 0; k < 4 && divide(ranks, divided, layout); k++)
            for (int e = 0; e < EXTENTS * DEPTHS && !(divided == 1 && k >= 2); e++)
                ways[count++] = (struct way){.divided = divided,
                                             .periodic = k % 2 == 1,
                                             .direct = k >= 2,
                                             .extent = extents[e / DEPTHS],
                                             .depth = depths[e % DEPTHS]};
    return count;
}

int gzc_network_cases(int ranks)
{
    struct way ways[GZC_MOST_EXCHANGES];
    return list_ways(ranks, ways);
}

/* -------------------------------------------------------------------------------------- timing */

static void close_timed(struct timed *timed)
{
    gzk_halo_free(timed->halo);
    gzk_session_free(timed->session);
    gzk_data_free(&timed->data);
}

/* The grid of a rank alone: what it holds does not matter. */
static int open_timed(struct gzk_device *device, struct gzk_exchange *exchange,
                      const struct way *way, struct timed *timed, struct gzk_error *error)
{
    static const int most_planes = 16;
    int layout[3], size[3];
    struct gzk_domain part;

    timed->stencil = *gzk_stencil_find("star7");
    divide(exchange->ranks, way->divided, layout);
    for (int d = 0; d < 3; d++) {
        int extent = d == 2 && way->extent > most_planes ? most_planes : way->extent;
        size[d] = layout[d] * extent;
        timed->stencil.edge[d] = way->periodic ? GZK_EDGE_PERIODIC : GZK_EDGE_CLAMP;
    }
    int status = gzk_split_make(&timed->stencil, size, layout, way->depth, &timed->split, error);
    if (status != 0)
        return status;
    gzk_domain_of(&timed->split, exchange->rank, &part);
    if (gzk_data_new(&timed->data, &timed->stencil, part.size, 1, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    status = gzk_session_new(device, &timed->stencil, &timed->data, &timed->session, error);
    return status != 0 ? status
                       : gzk_halo_new(device, timed->session, exchange, &timed->split, way->direct,
                                      &timed->stencil, &timed->halo, error);
}

/* What the busiest rank does. */
static void count_up(struct gzk_exchange *exchange, const struct way *way,
                     const struct timed *timed, struct gzc_exchanged *out)
{
    double phases = way->direct ? 1 : way->divided;
    double most[] = {gzk_halo_messages(timed->halo) - phases, (double)gzk_halo_bytes(timed->halo)};

    exchange->kind->largest(exchange, most, 2);
    *out = (struct gzc_exchanged){.phases = phases, .further = most[0], .bytes = most[1]};
}

/* Some exchanges in a row; the middle one's times, of the longest rank. */
static int time_row(struct gzk_exchange *exchange, const struct timed *timed, int count,
                    const volatile sig_atomic_t *stop, double seconds[2], struct gzk_error *error)
{
    double times[2][TIMES];
    int status = 0;
    for (int k = -1; k < count && status == 0; k++) { /* the first warms up */
        double now[2] = {0, 0};
        gzk_exchange_agree(exchange, 0); /* so that all begin together */
        status = gzk_halo_exchange(timed->halo, stop, &now[0], &now[1], error);
        for (int part = 0; part < 2 && k >= 0; part++)
            times[part][k] = now[part];
    }
    for (int part = 0; part < 2 && status == 0; part++) {
        cli_sort(times[part], (size_t)count);
        seconds[part] = times[part][count / 2];
    }
    if (status == 0)
        exchange->kind->largest(exchange, seconds, 2);
    return status;
}

/* ------------------------------------------------------------------------------------- overlap */

static void close_busy(struct busy *busy)
{
    gzk_plan_free(busy->plan);
    gzk_session_free(busy->session);
    gzk_data_free(&busy->data);
}

static int compute(struct busy *busy, long loops, const volatile sig_atomic_t *stop,
                   double *seconds, struct gzk_error *error)
{
    double begin = cli_now(), device_s;
    int status = gzk_plan_advance(busy->plan, 0, loops, stop, &device_s, error);
    *seconds = cli_now() - begin;
    return status;
}

static int open_busy(struct gzk_device *device, const volatile sig_atomic_t *stop,
                     struct busy *busy, struct gzk_error *error)
{
    static const int side = 64;
    static const long loops = 20;
    struct gzk_config config;
    double seconds = 0;

    gzc_reference_config(device, GZ_SYNC_RESTART, &config);
    config.size[0] = config.size[1] = side;
    if (gzk_data_new(&busy->data, config.stencil, config.size, 1, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    int status = gzk_session_new(device, config.stencil, &busy->data, &busy->session, error);
    if (status == 0)
        status = gzk_plan_new(busy->session, &config, &busy->plan, error);
    if (status == 0)
        status = gzk_session_reset(busy->session, error);
    for (int k = 0; k < 2 && status == 0; k++) /* the first warms up */
        status = compute(busy, loops, stop, &seconds, error);
    busy->loop_s = seconds / (double)loops;
    return status;
}

/* An exchange, loops, and the loops while the messages of another exchange travel: seconds of each.
 */
static int time_three(struct gzk_exchange *exchange, const struct timed *timed, struct busy *busy,
                      long loops, const volatile sig_atomic_t *stop, double seconds[3],
                      struct gzk_error *error)
{
    double parts[2], computed;
    int status = 0;
    for (int k = 0; k < 3 && status == 0; k++) {
        gzk_exchange_agree(exchange, 0); /* so that all begin together */
        double begin = cli_now();
        if (k != 1)
            status = gzk_halo_begin(timed->halo, stop, &parts[0], error);
        if (k != 0 && status == 0)
            status = compute(busy, loops, stop, &computed, error);
        if (k != 1 && status == 0)
            status = gzk_halo_end(timed->halo, stop, &parts[0], &parts[1], error);
        seconds[k] = cli_now() - begin;
    }
    exchange->kind->largest(exchange, seconds, 3);
    return status;
}

/* What computing for about as long as the exchange takes hides of it: the middle one of some. */
static int time_overlap(struct gzk_exchange *exchange, const struct timed *timed, struct busy *busy,
                        int count, const volatile sig_atomic_t *stop, struct gzc_exchanged *out,
                        struct gzk_error *error)
{
    static const double most_loops = 1000;
    double loops = fmin(1 + floor((out->pack_s + out->wait_s) / busy->loop_s), most_loops);
    double stages[TIMES], hidden[TIMES];
    int status = 0;

    exchange->kind->largest(exchange, &loops, 1);
    for (int k = 0; k < count && status == 0; k++) {
        double seconds[3];
        status = time_three(exchange, timed, busy, (long)loops, stop, seconds, error);
        stages[k] = seconds[1];
        hidden[k] = seconds[0] + seconds[1] - seconds[2];
    }
    if (status == 0) {
        out->stage_s = gzc_median(stages, count).value;
        out->hidden_s = gzc_median(hidden, count).value;
    }
    return status;
}

static int time_way(struct gzk_device *device, struct gzk_exchange *exchange, struct busy *busy,
                    const struct gzc_network_request *request, const struct way *way,
                    struct gzc_exchanged *out, struct gzk_error *error)
{
    struct timed timed = {0};
    int count = request->quick ? QUICK_TIMES : TIMES;
    double seconds[2] = {0, 0};
    int status = open_timed(device, exchange, way, &timed, error);
    int worst = gzk_exchange_agree(exchange, status);
    if (worst == 0) {
        count_up(exchange, way, &timed, out);
        status = time_row(exchange, &timed, count, request->stop, seconds, error);
        out->pack_s = seconds[0];
        out->wait_s = seconds[1];
        if (status == 0 && out->phases == 1)
            status = time_overlap(exchange, &timed, busy, count, request->stop, out, error);
    }
    close_timed(&timed);
    return status != 0 ? status : worst;
}

int gzc_network_time(struct gzk_device *device, struct gzk_exchange *exchange,
                     const struct gzc_network_request *request,
                     struct gzc_exchanged exchanged[GZC_MOST_EXCHANGES], int *count,
                     struct gzk_error *error)
{
    struct way ways[GZC_MOST_EXCHANGES];
    struct busy busy = {0};

    *count = list_ways(exchange->ranks, ways);
    int status = gzk_exchange_agree(exchange, open_busy(device, request->stop, &busy, error));
    for (int k = 0; k < *count && status == 0; k++) {
        cli_progress_step(request->progress, 1, "exchanges of halos");
        status = time_way(device, exchange, &busy, request, &ways[k], &exchanged[k], error);
    }
    close_busy(&busy);
    return status;
}

/* ----------------------------------------------------------------------------------------- fit */

/* Time as a sum over phases, further messages and bytes. */
enum { TERMS = 3 };

static void terms_of(const struct gzc_exchanged *e, double terms[TERMS])
{
    terms[0] = e->phases;
    terms[1] = e->further;
    terms[2] = e->bytes;
}

/* Fits by relative errors; a term that would be negative is left out, the worst first, and is 0. */
static bool fit_terms(const struct gzc_exchanged *exchanged, const double *seconds, int count,
                      struct gzc_estimate term[TERMS])
{
    double x[GZC_MOST_EXCHANGES * TERMS], y[GZC_MOST_EXCHANGES], terms[TERMS];
    bool in[TERMS] = {true, true, true};

    for (;;) {
        struct gzc_estimate found[TERMS];
        int used[TERMS] = {0}, p = 0, worst = -1;
        for (int j = 0; j < TERMS; j++)
            if (in[j])
                used[p++] = j;
        for (int k = 0; k < count; k++) {
            terms_of(&exchanged[k], terms);
            for (int j = 0; j < p; j++)
                x[k * p + j] = terms[used[j]] / seconds[k];
            y[k] = 1;
        }
        if (p == 0 || !gzc_fit(x, y, count, p, found))
            return false;
        memset(term, 0, TERMS * sizeof *term);
        for (int j = 0; j < p; j++) {
            term[used[j]] = found[j];
            if (found[j].value < 0 &&
                (worst < 0 || found[j].value * found[worst].sd < found[worst].value * found[j].sd))
                worst = j;
        }
        if (worst < 0)
            return true;
        in[used[worst]] = false;
    }
}

static struct gzc_estimate sum(struct gzc_estimate a, struct gzc_estimate b)
{
    return (struct gzc_estimate){.value = a.value + b.value, .sd = hypot(a.sd, b.sd)};
}

static double misfit_of(const struct gzc_exchanged *exchanged, int count,
                        const struct gzc_network *n)
{
    double off[GZC_MOST_EXCHANGES];
    for (int k = 0; k < count; k++) {
        const struct gzc_exchanged *e = &exchanged[k];
        double fitted = e->phases * n->latency.value + e->further * n->message_cost.value +
                        e->bytes * (1 / n->bandwidth.value + 2 / n->pack_bandwidth.value);
        off[k] = fabs(fitted / (e->pack_s + e->wait_s) - 1);
    }
    cli_sort(off, (size_t)count);
    return cli_quantile(off, (size_t)count, 0.5);
}

/* Of (10) of ranks.md the share that was hidden. */
static void fit_overlap(const struct gzc_exchanged *exchanged, int count, struct gzc_network *n)
{
    double share[GZC_MOST_EXCHANGES], one[GZC_MOST_EXCHANGES];
    int used = 0;
    for (int k = 0; k < count; k++) {
        const struct gzc_exchanged *e = &exchanged[k];
        double messages_s = e->phases * n->latency.value + e->further * n->message_cost.value +
                            e->bytes / n->bandwidth.value;
        if (e->stage_s > 0 && messages_s > 0) {
            one[used] = 1;
            share[used++] = e->hidden_s / fmin(e->stage_s, messages_s); /* [ranks 10] */
        }
    }
    if (gzc_fit(one, share, used, 1, &n->overlap))
        n->overlap.value = fmax(0, fmin(n->overlap.value, 1));
}

int gzc_network_fit(const struct gzc_exchanged *exchanged, int count, struct gzc_network *network,
                    struct gzk_error *error)
{
    static const struct gzc_estimate one = {.value = 1}, two = {.value = 2};
    double pack_s[GZC_MOST_EXCHANGES], wait_s[GZC_MOST_EXCHANGES];
    struct gzc_estimate pack[TERMS], wait[TERMS];

    for (int k = 0; k < count; k++) {
        pack_s[k] = exchanged[k].pack_s;
        wait_s[k] = exchanged[k].wait_s;
    }
    if (!fit_terms(exchanged, pack_s, count, pack) || !fit_terms(exchanged, wait_s, count, wait) ||
        !(pack[2].value > 0) || !(wait[2].value > 0))
        return gzk_fail(error, GZK_FAILED,
                        "exchanges of more bytes took no longer: measure again with nothing else "
                        "running");
    *network = (struct gzc_network){.latency = sum(pack[0], wait[0]),
                                    .message_cost = sum(pack[1], wait[1]),
                                    .bandwidth = gzc_divide(one, wait[2]),
                                    .pack_bandwidth = gzc_divide(two, pack[2])};
    network->misfit = misfit_of(exchanged, count, network);
    fit_overlap(exchanged, count, network);
    return 0;
}

/* ---------------------------------------------------------------------------------------- file */

/* To as many digits as a measurement has. */
static double rounded(double value, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

static json_t *quantity(struct gzc_estimate e, const char *unit, const char *note)
{
    return json_pack("{s:f, s:s, s:s, s:f, s:s}", "value", rounded(e.value, 6), "unit", unit,
                     "origin", gz_name(GZ_ORIGINS, GZ_ORIGIN_MEASURED), "sd", rounded(e.sd, 3),
                     "note", note);
}

char *gzc_network_text(const struct gzc_network *network, const char *name, const char *note)
{
    json_t *file = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "gzmodel-network-1", "name", name,
        "note", note, "latency",
        quantity(network->latency, "s", "of a phase, the device's packing included"),
        "message_cost", quantity(network->message_cost, "s", "likewise"), "bandwidth",
        quantity(network->bandwidth, "B/s", "of messages"), "pack_bandwidth",
        quantity(network->pack_bandwidth, "B/s", "packing, and copying to the host or back"),
        "overlap",
        quantity(network->overlap, "1",
                 "of one phase, beside loops on a grid of its own that take about as long"));
    char *text = file ? json_dumps(file, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(file);
    return text;
}
