/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmarks that the build finds: each is complete, proves its kernel, and what it measures is
 * a quantity of the device file that no other benchmark measures. What the model cannot do without
 * is measured.
 */
#include "bench.h"
#include "entry.h"
#include "tap.h"

static int is_quantity(const char *key)
{
    return gz_param_by_name(key) >= 0;
}

/* How often a key is measured, over all benchmarks. */
static int times_measured(const char *key)
{
    int times = 0;
    for (int b = 0; gzc_benches[b]; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const char *own = gzc_benches[b]->properties[p].key;
            times += own && strcmp(own, key) == 0;
        }
    return times;
}

int main(void)
{
    static const char *const needed[] = {
        "clock_rate",      "mem_bandwidth",  "uncontended_latency", "cpi",
        "launch_overhead", "fence_overhead", "graph_overhead",      "cache_bandwidth"};
    enum { NEEDED = sizeof needed / sizeof *needed };
    int count = 0;
    while (gzc_benches[count])
        count++;
    tap_ok(count >= 8 && count <= GZC_MAX_BENCHES, "%d benchmarks", count);
    for (int b = 0; b < count; b++) {
        const struct gzc_bench *bench = gzc_benches[b];
        int right = bench->name && bench->prepare && bench->run && (bench->note || bench->how) &&
                    bench->properties[0].key != NULL && (bench->check || !bench->sources[0].name);
        for (int p = 0; right && p < GZC_BENCH_PROPERTIES && bench->properties[p].key; p++)
            right = is_quantity(bench->properties[p].key) && bench->properties[p].name &&
                    times_measured(bench->properties[p].key) == 1;
        tap_ok(right, "%s", bench->name);
    }
    for (int k = 0; k < NEEDED; k++)
        tap_ok(times_measured(needed[k]) == 1, "%s is measured", needed[k]);
    return tap_done();
}
