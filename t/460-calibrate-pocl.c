/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibrate on a CPU through OpenCL, against plain C on the same machine in the same minute: a
 * copy, a pointer chase, a chain of additions. The factors are wide, since the machine may be busy
 * with something else in one of the two; they catch a wrong unit, a lost core or a dropped kernel.
 */
#include "bench.h"
#include "gzmodel.h"
#include "numbers.h"
#include "tap.h"

#include <unistd.h>

enum { COPY_BYTES = 128 << 20, CHASE_BYTES = 128 << 20, LINE = 128, TRIES = 5 };

static char folder[] = "/tmp/gz-calibrate-XXXXXX";

/* Bytes per second, read plus written, of a copy by one core. */
static double plain_bandwidth(void)
{
    int *from = calloc(COPY_BYTES, 1), *to = calloc(COPY_BYTES, 1);
    double best = 0;
    if (!from || !to)
        exit(1);
    for (int t = 0; t < TRIES; t++) {
        double start = cli_now();
        from[0] = t;
        memcpy(to, from, COPY_BYTES);
        best = fmax(best, 2.0 * COPY_BYTES / (cli_now() - start));
    }
    /* So that the loop has a result. */
    tap_note("plain copy %.3g B/s (%d)", best, to[0]);
    free(from);
    free(to);
    return best;
}

/* Seconds per access of a pointer chase in random order. */
static double plain_latency(void)
{
    size_t lines = CHASE_BYTES / LINE, step = LINE / sizeof(unsigned);
    unsigned *next = calloc(CHASE_BYTES, 1), *order = malloc(lines * sizeof *order), at = 0;
    double best = HUGE_VAL;
    if (!next || !order)
        exit(1);
    for (size_t i = 0; i < lines; i++)
        order[i] = (unsigned)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = gzk_random(7, i) % i;
        unsigned swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        next[order[i] * step] = (unsigned)(order[(i + 1) % lines] * step);
    for (int t = 0; t < TRIES; t++) {
        double start = cli_now();
        for (int k = 0; k < 100000; k++)
            at = next[at];
        best = fmin(best, (cli_now() - start) / 100000);
    }
    tap_note("plain chase %.3g s (%u)", best, at);
    free(next);
    free(order);
    return best;
}

/* Cycles per second, from a chain of two dependent operations a step. */
static double plain_clock(void)
{
    volatile unsigned add = 12345, mask = 54321;
    unsigned x = 1, a = add, m = mask;
    double best = 0;
    for (int t = 0; t < 4 * TRIES; t++) {
        double start = cli_now();
        for (int k = 0; k < 1000000; k++)
            x = (x + a) ^ m;
        best = fmax(best, 2e6 / (cli_now() - start));
    }
    tap_note("plain chain %.3g Hz (%u)", best, x);
    return best;
}

static char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Runs a command made of the folder of programs and the rest. */
static int command(const char *format, const char *a, const char *b)
{
    char rest[500], line[1500];
    const char *build = getenv("GZ_BUILD");
    snprintf(rest, sizeof rest, format, a, b);
    snprintf(line, sizeof line, "'%s'/bin/%s", build ? build : "build", rest);
    return system(line);
}

/* Whether a file in the folder holds a text. */
static int holds(const char *name, const char *text)
{
    char line[1000];
    int found = 0;
    FILE *from = fopen(path_of(name), "r");
    while (from && fgets(line, sizeof line, from))
        found |= strstr(line, text) != NULL;
    if (from)
        fclose(from);
    return found;
}

/* `got` is within a factor of `want`. */
static void within(double got, double want, double factor, const char *what)
{
    tap_ok(got > want / factor && got < want * factor,
           "%s: %.3g, %.3g expected, within a factor %g", what, got, want, factor);
}

static void device(const gz_device *dev)
{
    within(dev->clock_rate.value, plain_clock(), 3, "clock");
    within(dev->mem_bandwidth.value, plain_bandwidth(), 8, "bandwidth, of all cores and of one");
    within(dev->uncontended_latency.value / dev->clock_rate.value, plain_latency(), 5,
           "latency, s");
    within(dev->launch_overhead.value / dev->clock_rate.value, 2e-5, 100, "restart, s");
    within(dev->cpi.value, 4, 50, "cycles for 32 additions");
    tap_ok(dev->sm_count.value >= 1 && dev->sm_count.origin == GZ_ORIGIN_QUERY, "%.0f units",
           dev->sm_count.value);
    tap_ok(dev->mem_bandwidth.origin == GZ_ORIGIN_MEASURED && dev->mem_bandwidth.sd > 0,
           "the bandwidth is measured, with a deviation");
    tap_ok(dev->latency_hiding.origin == GZ_ORIGIN_PAPER && dev->latency_hiding.value == 0.5 &&
               dev->dimension_penalty.value == 5 && dev->fence_exposure.value == 0.5,
           "the factors that the paper assumed are the paper's");
    tap_ok(dev->fence_overhead.value >= 0 && dev->fence_overhead.origin != GZ_ORIGIN_NONE,
           "a fence costs %.3g cycles a block, %s", dev->fence_overhead.value,
           gz_name(GZ_ORIGINS, dev->fence_overhead.origin));
    tap_ok(dev->graph_overhead.origin == GZ_ORIGIN_NONE, "OpenCL has no graphs");
}

static void applications(const gz_device *dev)
{
    static const char *const names[] = {"pathfinder", "hotspot", "poisson", "cell"};
    gz_error error;
    gz_app app, hotspot = {.dim = 0}, poisson = {.dim = 0};
    for (int a = 0; a < 4; a++) {
        char name[40];
        snprintf(name, sizeof name, "%s.json", names[a]);
        error.text[0] = '\0';
        int opened = gz_app_open(path_of(name), NULL, &app, &error) == GZ_OK;
        tap_ok(opened && app.insts_per_sm_iter.value > 0 &&
                   app.insts_per_sm_iter.origin == GZ_ORIGIN_MEASURED,
               "%s: %.4g warp instructions a loop, measured %s", names[a],
               app.insts_per_sm_iter.value, error.text);
        if (a == 1)
            hotspot = app;
        if (a == 2)
            poisson = app;
    }
    /* Three times the operations, and a second array to load. */
    double ratio = hotspot.insts_per_sm_iter.value / hotspot.profile_elements.value /
                   (poisson.insts_per_sm_iter.value / poisson.profile_elements.value);
    tap_ok(ratio > 0.7 && ratio < 12, "HotSpot's loop costs %.2f times Poisson's", ratio);
    gz_config cfg = {.data_length = {2000, 2000}, .block_len = {20, 20}};
    gz_optimum best;
    int found = gz_optimize(dev, &hotspot, &cfg, NULL, &best, NULL) == GZ_OK;
    tap_ok(found && best.integer >= 1 && best.integer <= 9, "HotSpot's best height here is %d",
           best.integer);
}

/* A second calibration, over the files of the first. */
static void again(const gz_device *first)
{
    gz_device second;
    gz_error error;
    tap_ok(command("calibrate -d opencl:0 --quick -q -a poisson -o %s/one.json >%s/table", folder,
                   folder) == 0 &&
               gz_device_open(path_of("one.json"), &second, &error) == GZ_OK,
           "again, over the files of the same device");
    within(second.clock_rate.value, first->clock_rate.value, 3, "the clock again");
    within(second.uncontended_latency.value / second.clock_rate.value,
           first->uncontended_latency.value / first->clock_rate.value, 4, "the latency again, s");
}

int main(void)
{
    struct gzk_device *opened;
    struct gzk_error why;
    gz_error error;
    gz_device first;
    if (gzk_device_open("opencl:0", &opened, &why) != 0)
        tap_skip_all("there is no OpenCL device");
    int is_cpu = opened->info.is_cpu;
    gzk_device_close(opened);
    if (!is_cpu)
        tap_skip_all("opencl:0 is not a CPU");
    if (!mkdtemp(folder))
        return 1;
    tap_plan(tap_bulk(21, 24));
    tap_ok(command("calibrate -d opencl:0 --quick -q -o %s/one.json >%s/table", folder, folder) ==
               0,
           "calibrate --quick");
    tap_ok(holds("table", "clock_rate"), "-q hides the progress, not the result");
    tap_ok(!holds("poisson.json", "Oclgrind"), "with --quick Oclgrind's counts are not taken");
    tap_ok(gz_device_open(path_of("one.json"), &first, &error) == GZ_OK, "its device file opens");
    device(&first);
    applications(&first);
    tap_ok(command("gzmodel optimize -d %s -a %s/hotspot.json -s 2000 -b 20 --json >/dev/null",
                   path_of("one.json"), folder) == 0,
           "gzmodel optimize takes both files");
    if (tap_bulk(0, 1))
        again(&first);
    char clean[300];
    snprintf(clean, sizeof clean, "rm -r '%s'", folder);
    return system(clean) != 0 || tap_done();
}
