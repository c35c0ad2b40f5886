/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 480-network - what --network makes of timed exchanges: the quantities that they were computed
 * with, exactly, with noise within the stated deviations, none below 0, a share hidden from 0 to 1;
 * a refusal where bytes cost nothing; and a file that the library reads with these quantities.
 */
#include "network.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWS = 200 };

/* What an exchange costs in truth: on the device and for messages. */
struct truth {
    double phase_s, further_s, byte_s;
};

static double hidden = 0.6; /* of the shorter of computing and messages */

static uint64_t state = 20261125;

/* Uniform from 0 to 1. [G. Marsaglia, Xorshift RNGs, 2003] */
static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static double cost(const struct truth *t, const struct gzc_exchanged *e)
{
    return e->phases * t->phase_s + e->further * t->further_s + e->bytes * t->byte_s;
}

/* Exchanges of one to three phases, up to 26 messages and 4 MiB, each off by up to `noise`. */
static int exchanges(struct truth pack, struct truth wait, double noise,
                     struct gzc_exchanged out[GZC_MOST_EXCHANGES])
{
    static const double further[] = {0, 1, 2, 3, 6, 25};
    int count = 0;
    for (int phases = 1; phases <= 3; phases++)
        for (int m = 0; m < 6; m++)
            for (double bytes = 512; bytes <= 1 << 22; bytes *= 32) {
                struct gzc_exchanged *e = &out[count++];
                *e =
                    (struct gzc_exchanged){.phases = phases, .further = further[m], .bytes = bytes};
                e->pack_s = cost(&pack, e) * (1 + noise * (2 * uniform() - 1));
                e->wait_s = cost(&wait, e) * (1 + noise * (2 * uniform() - 1));
                if (phases == 1) {
                    const struct truth sum = {pack.phase_s + wait.phase_s,
                                              pack.further_s + wait.further_s, wait.byte_s};
                    e->stage_s = (0.5 + uniform()) * cost(&sum, e);
                    e->hidden_s = hidden * fmin(e->stage_s, cost(&sum, e)) *
                                  (1 + noise * (2 * uniform() - 1));
                }
            }
    return count;
}

static int within(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

static void test_exact(void)
{
    const struct truth pack = {2e-5, 1e-6, 2.5e-10}, wait = {3e-6, 5e-7, 1e-10};
    struct gzc_exchanged e[GZC_MOST_EXCHANGES];
    struct gzc_network n;
    struct gzk_error error;
    int count = exchanges(pack, wait, 0, e);
    tap_ok(gzc_network_fit(e, count, &n, &error) == 0 && within(n.latency.value, 2.3e-5, 1e-8) &&
               within(n.message_cost.value, 1.5e-6, 1e-8) &&
               within(n.bandwidth.value, 1e10, 1e-8) && within(n.pack_bandwidth.value, 8e9, 1e-8) &&
               within(n.overlap.value, 0.6, 1e-8),
           "%d exchanges without noise: latency, cost of a message, both bandwidths and overlap to "
           "1e-8",
           count);
    tap_ok(n.misfit < 1e-8, "which explain all of them (%.2g)", n.misfit);
}

static void test_noise(void)
{
    const struct truth pack = {2e-5, 1e-6, 2.5e-10}, wait = {3e-6, 5e-7, 1e-10};
    struct gzc_exchanged e[GZC_MOST_EXCHANGES];
    struct gzc_network n;
    struct gzk_error error;
    int inside = 0, fitted = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        int count = exchanges(pack, wait, 0.2, e);
        if (gzc_network_fit(e, count, &n, &error) != 0)
            continue;
        fitted++;
        inside += fabs(n.latency.value - 2.3e-5) < 1.96 * n.latency.sd;
        inside += fabs(n.bandwidth.value - 1e10) < 1.96 * n.bandwidth.sd;
        inside += fabs(n.pack_bandwidth.value - 8e9) < 1.96 * n.pack_bandwidth.sd;
        inside += fabs(n.overlap.value - 0.6) < 1.96 * n.overlap.sd;
    }
    tap_note("seed 20261125");
    tap_ok(fitted == DRAWS, "%d draws with 20 %% of noise are fitted", fitted);
    tap_ok(inside > 4 * DRAWS * 0.88 && inside < 4 * DRAWS,
           "%.1f %% of intervals of 95 %% hold the truth", 100. * inside / (4 * DRAWS));
}

static void test_bounds(void)
{
    const struct truth pack = {2e-5, 0, 2.5e-10}, wait = {3e-6, -1e-8, 1e-10};
    struct gzc_exchanged e[GZC_MOST_EXCHANGES];
    struct gzc_network n;
    struct gzk_error error;
    int count = exchanges(pack, wait, 0, e);
    tap_ok(gzc_network_fit(e, count, &n, &error) == 0 && fabs(n.message_cost.value) < 1e-12 &&
               n.latency.value > 0,
           "further messages that seem to save time cost nothing");
    const struct truth free_bytes = {3e-6, 5e-7, 0};
    count = exchanges(pack, free_bytes, 0, e);
    for (int k = 0; k < count; k++)
        e[k].wait_s -= 1e-14 * e[k].bytes;
    tap_ok(gzc_network_fit(e, count, &n, &error) == GZK_FAILED &&
               strstr(error.text, "more bytes took no longer"),
           "bytes that cost nothing: %s", error.text);
}

static void test_overlap(void)
{
    const struct truth pack = {2e-5, 1e-6, 2.5e-10}, wait = {3e-6, 5e-7, 1e-10};
    const double in[] = {-0.3, 0, 0.5, 1, 1.4}, out[] = {0, 0, 0.5, 1, 1};
    struct gzc_exchanged e[GZC_MOST_EXCHANGES];
    struct gzc_network n;
    struct gzk_error error;
    int wrong = 0;
    for (int k = 0; k < 5; k++) {
        hidden = in[k];
        int count = exchanges(pack, wait, 0.2, e);
        wrong += gzc_network_fit(e, count, &n, &error) != 0 || !(n.overlap.sd >= 0) ||
                 !(fabs(n.overlap.value - out[k]) <= 0.1) || n.overlap.value < 0 ||
                 n.overlap.value > 1;
    }
    tap_ok(wrong == 0, "what is hidden is from nothing to all, and never refused: %d wrong", wrong);
    hidden = 0.6;
}

static void test_file(void)
{
    const struct gzc_network n = {{2.3e-5, 1e-6, false},      {0, 0, false},
                                  {1.2345678e10, 1e9, false}, {8e9, 2e8, false},
                                  {0.25, 0.02, false},        0.1};
    char path[] = "/tmp/gz-network-XXXXXX";
    char *text = gzc_network_text(&n, "two \"ranks\"", "a note");
    gz_network read;
    gz_error error = {""};
    int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    if (!text || !to || fputs(text, to) < 0 || fclose(to) != 0)
        exit(1);
    tap_ok(gz_network_open(path, &read, &error) == GZ_OK &&
               strcmp(read.name, "two \"ranks\"") == 0 && read.latency.value == 2.3e-5 &&
               read.latency.sd == 1e-6 && read.latency.origin == GZ_ORIGIN_MEASURED &&
               read.message_cost.value == 0 && read.bandwidth.value == 1.23457e10 &&
               read.pack_bandwidth.value == 8e9 && read.overlap.value == 0.25 &&
               read.overlap.sd == 0.02,
           "the library reads the file, to six digits %s", error.text);
    unlink(path);
    free(text);
}

static void test_cases(void)
{
    tap_ok(gzc_network_cases(2) == 16 && gzc_network_cases(3) == 16,
           "two and three ranks: along one dimension, 16 exchanges");
    tap_ok(gzc_network_cases(4) == 48 && gzc_network_cases(6) == 48,
           "four and six: along two as well, in both ways, 48");
    tap_ok(gzc_network_cases(8) == 80 && gzc_network_cases(1000) == 80 && 80 <= GZC_MOST_EXCHANGES,
           "eight and a thousand: along three, 80");
    tap_ok(gzc_network_cases(7) == 16, "seven, which is prime, along one");
}

int main(void)
{
    tap_plan(12);
    test_exact();
    test_noise();
    test_bounds();
    test_overlap();
    test_file();
    test_cases();
    return tap_done();
}
