/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 847-ranks-model - a loop on a divided grid: messages and bytes against those of every rank
 * counted one by one; what it is the sum of; limits and monotony; the best depth's growth
 * with latency; layouts and depths against trying all; networks; and requests that are refused.
 */
#include "domains.h"
#include "gzmodel/searches.h"
#include "tap.h"
#include "tolerance.h"

static gz_device gpu;
static gz_app star, hotspot;
static const gz_network fast = {.latency = {1e-5, 0, GZ_ORIGIN_DEFAULT},
                                .message_cost = {1e-6, 0, GZ_ORIGIN_DEFAULT},
                                .bandwidth = {2e10, 0, GZ_ORIGIN_DEFAULT}};

static gz_ranks_request request_of(const gz_app *app, double length, int ranks)
{
    gz_ranks_request r = {
        .ranks = ranks,
        .run = {.syncs = 1u << GZ_SYNC_RESTART, .variants = 1u << GZ_VARIANT_STREAM}};
    for (int i = 0; i < app->dim; i++)
        r.run.data_length[i] = length;
    return r;
}

static gz_ranks_time best_of(const gz_app *app, const gz_network *net, const gz_ranks_request *r)
{
    gz_ranks_time t = {.seconds_per_loop = (double)NAN};
    gz_error why;
    if (gz_ranks_optimize(&gpu, app, net, r, &t, &why) != GZ_OK)
        tap_note("%s", why.text);
    return t;
}

/* What all ranks of a stencil's division send in an exchange, one by one. */
static void count(const struct gzk_split *split, double *messages, double *cells)
{
    *messages = *cells = 0;
    for (int rank = 0; rank < (int)gzk_cells(split->ranks); rank++) {
        struct gzk_transfer transfers[GZK_MOST_TRANSFERS];
        int n = gzk_transfers(split, rank, transfers);
        *messages += n;
        for (int k = 0; k < n; k++)
            *cells += (double)gzk_cells(transfers[k].send.extent);
    }
}

static void counted(void)
{
    static const int layouts[][3] = {{2, 1, 1}, {3, 2, 1}, {2, 2, 2}, {1, 4, 3}, {5, 1, 2}};
    int wrong = 0;
    for (int k = 0; k < 5; k++)
        for (int edge = 0; edge < 2; edge++) {
            gz_edge rule = edge ? GZ_EDGE_PERIODIC : GZ_EDGE_CLAMP;
            struct gzk_stencil stencil = {
                .dim = 3, .radius = {1, 1, 1}, .edge = {rule, rule, rule}};
            const int size[3] = {41, 38, 47};
            gz_app app = star;
            gz_ranks_request r = request_of(&app, 1, layouts[k][0] * layouts[k][1] * layouts[k][2]);
            struct gzk_split split;
            struct gzk_error error;
            gz_ranks_time t;
            double messages, cells;
            for (int i = 0; i < 3; i++) {
                r.run.data_length[i] = size[i];
                r.layout[i] = layouts[k][i];
            }
            app.edge_rule = (gz_quantity){edge ? 2 : 0, 0, GZ_ORIGIN_COUNTED};
            gz_app_set(&app, "older_state", k % 2);
            r.depth = 4;
            wrong += gzk_split_make(&stencil, size, layouts[k], 4, &split, &error) != 0 ||
                     gz_ranks_optimize(&gpu, &app, &fast, &r, &t, NULL) != GZ_OK;
            count(&split, &messages, &cells);
            wrong +=
                t.messages != messages || t.bytes != cells * app.element_size.value * (1 + k % 2);
        }
    tap_ok(wrong == 0,
           "messages and bytes of all ranks are those counted one by one, of two and three time "
           "levels: %d wrong",
           wrong);
}

static void sums(void)
{
    gz_ranks_request r = request_of(&star, 256, 8);
    const gz_network free_ = {.bandwidth = {1e300, 0, GZ_ORIGIN_DEFAULT}};
    gz_ranks_time t, u, one;
    gz_app ends = star;
    ends.edge_rule = (gz_quantity){0, 0, GZ_ORIGIN_COUNTED};
    for (int i = 0; i < 3; i++)
        r.layout[i] = 2;
    r.depth = 3;
    t = best_of(&ends, &fast, &r);
    /* Three phases of one message each; planes that grow by what came before. */
    double cells = 3. * 128 * 128 + 3. * 131 * 128 + 3. * 131 * 131;
    double want = (3e-5 + cells * star.element_size.value / 2e10) / 3;
    tap_ok(fabs(t.exchange_s - want) <= TOL_VALUE * want &&
               t.seconds_per_loop == t.interior_s + t.exchange_s && t.config.data_length[0] == 131,
           "the exchange of a corner's rank: %.6g s, expected %.6g", t.exchange_s, want);
    u = best_of(&ends, &free_, &r);
    tap_ok(u.seconds_per_loop == t.interior_s, "free messages leave computing");
    r = request_of(&star, 256, 1);
    one = best_of(&star, &fast, &r);
    tap_ok(one.exchange_s == 0 && one.messages == 0 && one.config.data_length[0] == 256,
           "one rank exchanges nothing");
}

static void monotone(void)
{
    gz_ranks_request r = request_of(&star, 256, 8);
    double before = 0;
    int wrong = 0, deepest = 0;
    for (double latency = 1e-7; latency < 2; latency *= 100) {
        gz_network net = fast;
        net.latency.value = latency;
        gz_ranks_time t = best_of(&star, &net, &r);
        wrong += !(t.seconds_per_loop >= before) || t.depth < deepest;
        before = t.seconds_per_loop;
        deepest = t.depth;
    }
    tap_ok(wrong == 0 && deepest >= 32, "time and depth grow with latency, to %d: %d wrong",
           deepest, wrong);
    before = HUGE_VAL;
    for (double bandwidth = 1e8; bandwidth < 1e13; bandwidth *= 100) {
        gz_network net = fast;
        net.bandwidth.value = bandwidth;
        double seconds = best_of(&star, &net, &r).seconds_per_loop;
        wrong += !(seconds <= before);
        before = seconds;
    }
    tap_ok(wrong == 0, "time falls with bandwidth: %d wrong", wrong);
}

/* Where a latency alone is traded for redundant computing, c r n^(D-1) a loop and side, the best
 * depth is the root of latency / (2 c r n^(D-1)). */
static void root(void)
{
    gz_ranks_request r = request_of(&hotspot, 65536, 64);
    r.layout[0] = r.layout[1] = 8;
    r.run.variants = 1u << GZ_VARIANT_NAIVE;
    int wrong = 0;
    for (double latency = 2e-6; latency < 4e-5; latency *= 4) {
        gz_network net = {.latency = {latency, 0, GZ_ORIGIN_DEFAULT},
                          .bandwidth = {1e300, 0, GZ_ORIGIN_DEFAULT}};
        gz_ranks_time t = best_of(&hotspot, &net, &r);
        double n = 65536 / 8,
               c = t.interior_s / (t.config.data_length[0] * t.config.data_length[1]);
        double want = sqrt(latency / (2 * c * n));
        tap_note("latency %g s: depth %d, expected %.3g", latency, t.depth, want);
        wrong += !(fabs(t.depth - want) <= 0.35 * want + 1);
    }
    tap_ok(wrong == 0, "the best depth is near the root: %d wrong", wrong);
    const gz_network free_ = {.bandwidth = {1e300, 0, GZ_ORIGIN_DEFAULT}};
    tap_ok(best_of(&hotspot, &free_, &r).depth == 1, "nothing to save: an exchange in every loop");
}

/* Every layout and every depth. */
static double least_of_all(const gz_app *app, const gz_network *net, gz_ranks_request r)
{
    double least = HUGE_VAL;
    for (int x = 1; x <= r.ranks; x++)
        for (int y = 1; y <= r.ranks / x; y++)
            for (r.depth = 1; r.depth <= 24; r.depth++) {
                gz_ranks_time t;
                r.layout[0] = x;
                r.layout[1] = y;
                r.layout[2] = r.ranks / x / y;
                if (x * y * r.layout[2] == r.ranks && (app->dim > 2 || r.layout[2] == 1) &&
                    gz_ranks_optimize(&gpu, app, net, &r, &t, NULL) == GZ_OK)
                    least = fmin(least, t.seconds_per_loop);
            }
    return least;
}

static void brute_force(void)
{
    const struct {
        const gz_app *app;
        double length;
        int ranks;
    } cases[] = {{&hotspot, 1024, 6}, {&star, 96, 4}, {&hotspot, 500, 4}, {&star, 128, 8}};
    double worst = 0;
    for (int k = 0; k < tap_bulk(2, 4); k++) {
        gz_ranks_request r = request_of(cases[k].app, cases[k].length, cases[k].ranks);
        double best = best_of(cases[k].app, &fast, &r).seconds_per_loop;
        worst = fmax(worst, best / least_of_all(cases[k].app, &fast, r) - 1);
    }
    tap_ok(worst >= -1e-12 && worst < 0.02, "no layout and depth is better by 2 %%: %.2g", worst);
}

static void refusals(void)
{
    gz_ranks_request r = request_of(&star, 64, 8), wide = r, many = r;
    gz_network bad = fast;
    gz_ranks_time t;
    gz_error why;
    bad.bandwidth.value = 0;
    wide.layout[0] = 8;
    wide.layout[1] = wide.layout[2] = 1;
    wide.depth = 9;
    many.ranks = 1 << 20;
    tap_ok(gz_ranks_optimize(&gpu, &star, &bad, &r, &t, &why) == GZ_ECONFIG, "no bandwidth: %s",
           why.text);
    tap_ok(gz_ranks_optimize(&gpu, &star, &fast, &wide, &t, &why) == GZ_ECONFIG &&
               strstr(why.text, "to 8"),
           "a halo that is too wide: %s", why.text);
    tap_ok(gz_ranks_optimize(&gpu, &star, &fast, &many, &t, &why) == GZ_ELIMITS,
           "too many ranks: %s", why.text);
}

static void networks(void)
{
    static const char *const names[] = {"infiniband-hdr", "infiniband-ndr", "nvlink-4",
                                        "slingshot-11"};
    size_t n = sizeof names / sizeof *names;
    int wrong = 0;
    for (size_t k = 0; k < n; k++) {
        gz_network net;
        wrong += gz_network_open(names[k], &net, NULL) != GZ_OK || !(net.bandwidth.value > 1e9) ||
                 net.latency.origin != GZ_ORIGIN_DEFAULT;
    }
    tap_ok(wrong == 0, "%zu networks are built in, and say that they are assumed: %d wrong", n,
           wrong);
}

int main(void)
{
    if (gz_device_open("h200", &gpu, NULL) || gz_app_open("star7", "h200", &star, NULL) ||
        gz_app_open("hotspot", "h200", &hotspot, NULL))
        return 1;
    counted();
    sums();
    monotone();
    root();
    brute_force();
    refusals();
    networks();
    return tap_done();
}
