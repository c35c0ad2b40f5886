/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network.h"

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

static int time_way(struct gzk_device *device, struct gzk_exchange *exchange,
                    const struct gzc_network_request *request, const struct way *way,
                    struct gzc_exchanged *out, struct gzk_error *error)
{
    struct timed timed = {0};
    double seconds[2] = {0, 0};
    int status = open_timed(device, exchange, way, &timed, error);
    int worst = gzk_exchange_agree(exchange, status);
    if (worst == 0) {
        count_up(exchange, way, &timed, out);
        status = time_row(exchange, &timed, request->quick ? QUICK_TIMES : TIMES, request->stop,
                          seconds, error);
    }
    out->pack_s = seconds[0];
    out->wait_s = seconds[1];
    close_timed(&timed);
    return status != 0 ? status : worst;
}

int gzc_network_time(struct gzk_device *device, struct gzk_exchange *exchange,
                     const struct gzc_network_request *request,
                     struct gzc_exchanged exchanged[GZC_MOST_EXCHANGES], int *count,
                     struct gzk_error *error)
{
    struct way ways[GZC_MOST_EXCHANGES];
    int status = 0;

    *count = list_ways(exchange->ranks, ways);
    for (int k = 0; k < *count && status == 0; k++) {
        cli_progress_step(request->progress, 1, "exchanges of halos");
        status = time_way(device, exchange, request, &ways[k], &exchanged[k], error);
    }
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
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "schema", "gzmodel-network-1", "name", name, "note",
        note, "latency",
        quantity(network->latency, "s", "of a phase, the device's packing included"),
        "message_cost", quantity(network->message_cost, "s", "likewise"), "bandwidth",
        quantity(network->bandwidth, "B/s", "of messages"), "pack_bandwidth",
        quantity(network->pack_bandwidth, "B/s", "packing, and copying to the host or back"));
    char *text = file ? json_dumps(file, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(file);
    return text;
}
