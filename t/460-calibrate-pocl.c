/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibrate on a CPU through OpenCL: what it measures lies between bounds that no CPU leaves,
 * however busy the machine is. They are wide, and catch a wrong unit.
 */
#include "bench.h"
#include "gzmodel.h"
#include "tap.h"

#include <unistd.h>

static char folder[] = "/tmp/gz-calibrate-XXXXXX";

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

static void within(double got, double least, double most, const char *what)
{
    tap_ok(got > least && got < most, "%s: %.3g, from %g to %g expected", what, got, least, most);
}

static void device(const gz_device *dev)
{
    double hertz = dev->clock_rate.value;
    within(hertz, 1e8, 1e10, "clock, Hz");
    within(dev->mem_bandwidth.value, 1e8, 1e13, "bandwidth, B/s");
    within(dev->uncontended_latency.value / hertz, 1e-9, 1e-4, "latency, s");
    within(dev->launch_overhead.value / hertz, 1e-8, 0.1, "restart, s");
    within(dev->cpi.value, 0.05, 1000, "cycles for 32 additions");
    tap_ok(dev->sm_count.value >= 1 && dev->sm_count.origin == GZ_ORIGIN_QUERY,
           "%.0f multiprocessors", dev->sm_count.value);
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
    static const char *const names[] = {"hotspot", "pathfinder", "poisson", "cell"};
    gz_error error;
    gz_app app, hotspot = {.dim = 0};
    for (int a = 0; a < (tap_every() ? 4 : 1); a++) {
        char name[40];
        snprintf(name, sizeof name, "%s.json", names[a]);
        error.text[0] = '\0';
        int opened = gz_app_open(path_of(name), NULL, &app, &error) == GZ_OK;
        tap_ok(opened && app.insts_per_sm_iter.value > 0 &&
                   app.insts_per_sm_iter.origin == GZ_ORIGIN_MEASURED,
               "%s: %.4g warp instructions a loop, measured %s", names[a],
               app.insts_per_sm_iter.value, error.text);
        if (a == 0)
            hotspot = app;
    }
    gz_config cfg = {.data_length = {2000, 2000}, .block_len = {20, 20}};
    gz_optimum best;
    int found = gz_optimize(dev, &hotspot, &cfg, NULL, &best, NULL) == GZ_OK;
    tap_ok(found && best.integer >= 1 && best.integer <= 9, "HotSpot's best height here is %d",
           best.integer);
}

static void again(void)
{
    gz_device second;
    gz_error error;
    tap_ok(command("calibrate -d opencl:0 --quick -q -a poisson -o %s/one.json >%s/table", folder,
                   folder) == 0 &&
               gz_device_open(path_of("one.json"), &second, &error) == GZ_OK,
           "again, over the files of the same device");
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
    const char *calibrate =
        tap_every() ? "calibrate -d opencl:0 --quick -q -o %s/one.json >%s/table"
                    : "calibrate -d opencl:0 --quick -q -a hotspot -o %s/one.json >%s/table";
    tap_ok(command(calibrate, folder, folder) == 0, "calibrate --quick");
    tap_ok(holds("table", "clock_rate"), "-q hides the progress, not the result");
    tap_ok(gz_device_open(path_of("one.json"), &first, &error) == GZ_OK, "its device file opens");
    device(&first);
    applications(&first);
    tap_ok(command("gzmodel optimize -d %s -a %s/hotspot.json -s 2000 -b 20 --json >/dev/null",
                   path_of("one.json"), folder) == 0,
           "gzmodel optimize takes both files");
    if (tap_bulk(0, 1))
        again();
    char clean[300];
    snprintf(clean, sizeof clean, "rm -r '%s'", folder);
    return system(clean) != 0 || tap_done();
}
