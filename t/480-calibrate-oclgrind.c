/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second source of a stencil's instructions, Oclgrind's counts: exact, the same twice, with the
 * accesses to device memory that the geometry demands, and in the application file.
 */
#include "data.h"
#include "gz2_contract.h"
#include "oclgrind.h"
#include "registry.h"
#include "tap.h"

#include <stdbool.h>

static const volatile sig_atomic_t go_on = 0;

static bool same(const struct gzc_simulated *a, const struct gzc_simulated *b)
{
    return a->instructions.slope.value == b->instructions.slope.value &&
           a->instructions.intercept.value == b->instructions.intercept.value &&
           a->misc == b->misc && a->iter == b->iter;
}

/* Within what solving for a line leaves of whole numbers. */
static bool is(double got, double want)
{
    return fabs(got - want) <= 1e-9 * (1 + fabs(want));
}

/* Loads from a tile in each loop: what gz2 counts for each computed cell, from the
 * application that the body's text gives; where edges are clamped, the tile's cells outside the
 * grid are stored, too, each with the nearest one loaded; and of a red-black sweep, cells of the
 * other colour read themselves only. */
static void tile_reads(const struct gzk_stencil *stencil, const struct gzc_simulated *found)
{
    gz_device dev = {.warp_size = {32, 0, GZ_ORIGIN_QUERY}, .sm_count = {1, 0, GZ_ORIGIN_QUERY}};
    gz_app app = {.dim = 0};
    gzi_gz2 model;
    gzk_stencil_describe(stencil, &app);
    gzi_gz2_of_files(&dev, &app, &model);
    double computed = gzk_count(&found->config).operations / (double)found->config.loops;
    double reads = model.stencil.reads, copied = 0;
    if (stencil->red_black)
        reads = (reads + 1) / 2;
    if (stencil->edge[0] == GZK_EDGE_CLAMP)
        copied = found->tile_stores.slope.value - computed;
    tap_ok(model.stencil.reads == app.tile_reads.value &&
               is(found->tile_loads.slope.value, computed * reads + copied),
           "%.0f loads from the tile in each loop, %d for each of %.0f cells",
           found->tile_loads.slope.value, model.stencil.reads, computed);
}

static void counted(const struct gzc_simulator *simulator, const struct gzk_stencil *stencil)
{
    struct gzk_error why = {.text = ""};
    struct gzc_simulated first, again;
    int status = gzc_simulate(simulator, stencil, 1024, true, &go_on, &first, &why);
    tap_ok(status == 0, "%s is counted %s", stencil->name, why.text);
    if (status != 0)
        exit(tap_done());
    double ratio = first.misc / first.iter;
    tap_ok(isfinite(ratio) && ratio > 0, "%.5g once, %.5g in each loop, ratio %.4g", first.misc,
           first.iter, ratio);
    tap_ok(first.instructions.slope.sd <= 1e-9 * first.instructions.slope.value,
           "the counts make a line without a rest, sd %g", first.instructions.slope.sd);
    struct gzk_counts want = gzk_count(&first.config);
    tap_ok(is(first.loads.intercept.value, want.loaded) &&
               is(first.loads.slope.value * (double)first.config.loops, want.step) &&
               is(first.stores.intercept.value, want.committed) && is(first.stores.slope.value, 0),
           "loads %.0f and %.0f a loop, stores %.0f: the geometry's", first.loads.intercept.value,
           first.loads.slope.value, first.stores.intercept.value);
    tap_ok(is(first.loads_iter, stencil->step_arrays), "%d loads a computed cell and loop",
           stencil->step_arrays);
    tap_ok(first.iter > stencil->operations,
           "a loop takes more than the stencil's %d operations a cell", stencil->operations);
    tile_reads(stencil, &first);
    status = gzc_simulate(simulator, stencil, 1024, true, &go_on, &again, &why);
    tap_ok(status == 0 && same(&first, &again), "the same again");
}

/* Each thread has one cell, so what a thread does once weighs more than if each thread has a row.
 */
static void threads(const struct gzc_simulator *simulator)
{
    const struct gzk_stencil *stencil = gzk_stencil_find("pathfinder");
    struct gzk_error why = {.text = ""};
    struct gzc_simulated one = {0}, many = {0};
    int status = gzc_simulate(simulator, stencil, 1024, true, &go_on, &one, &why);
    if (status == 0)
        status = gzc_simulate(simulator, stencil, 1024, false, &go_on, &many, &why);
    tap_ok(status == 0 && many.misc > one.misc,
           "a thread a cell costs more once per cell than a thread a tile: %.4g, %.4g %s",
           many.misc, one.misc, why.text);
}

static void stopped(const struct gzc_simulator *simulator)
{
    static const volatile sig_atomic_t stop = 1;
    struct gzk_error why = {.text = ""};
    struct gzc_simulated none;
    int status = gzc_simulate(simulator, gzk_stencil_find("cell"), 1024, true, &stop, &none, &why);
    tap_ok(status == GZK_FAILED && strstr(why.text, "was stopped before it finished"),
           "interrupted: %s", why.text);
}

/* Programs that are not what they should be. */
static void impostors(const struct gzc_simulator *simulator)
{
    static const char *const names[] = {"/bin/true", "/bin/false", "/nowhere"};
    static const char *const says[] = {"no instruction counts", "printed nothing", "No such file"};
    struct gzc_simulated none;
    for (int i = 0; i < 3; i++) {
        struct gzc_simulator fake = *simulator;
        struct gzk_error why = {.text = ""};
        snprintf(fake.oclgrind, sizeof fake.oclgrind, "%s", names[i]);
        int status =
            gzc_simulate(&fake, gzk_stencil_find("pathfinder"), 1024, true, &go_on, &none, &why);
        tap_ok(status == GZK_FAILED && strstr(why.text, says[i]), "%s for oclgrind: %s", names[i],
               why.text);
    }
    struct gzc_simulator found;
    struct gzk_error why = {.text = ""};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    tap_ok(gzc_simulator_find(&found, &why) == GZK_FAILED && strstr(why.text, "oclgrind is not"),
           "nothing in PATH: %s", why.text);
    setenv("PATH", path, 1);
    free(path);
}

/* How many lines with `text` a command prints that is made of the folder of programs and the rest;
 * -1 if it fails. */
static int printed(const char *rest, const char *text)
{
    char line[1500], read[2000];
    int found = 0;
    snprintf(line, sizeof line, "'%s'/bin/%s 2>&1", getenv("GZ_BUILD"), rest);
    FILE *from = popen(line, "r");
    if (!from)
        return -1;
    while (fgets(read, sizeof read, from))
        found += strstr(read, text) != NULL;
    return pclose(from) == 0 ? found : -1;
}

int main(void)
{
    struct gzc_simulator simulator;
    struct gzk_error why = {.text = ""};
    char path[8000], probe[4200];
    const char *build = getenv("GZ_BUILD");
    if (!build)
        return 1;
    /* This program lies elsewhere than gzrun. */
    snprintf(path, sizeof path, "%s/bin:%s", build, getenv("PATH"));
    setenv("PATH", path, 1);
    if (gzc_simulator_find(&simulator, &why) != 0)
        tap_skip_all(why.text);
    snprintf(probe, sizeof probe, "nm '%s' | grep -q '__[a-z]*san_'", simulator.gzrun);
    if (system(probe) == 0) {
        puts("1..0 # SKIP Oclgrind and sanitizers exclude each other");
        return 0;
    }
    size_t every = (size_t)tap_bulk(4, 1), first = every - 1;
    size_t taken = (gzk_stencil_count - first - 1) / every + 1;
    tap_plan(8 * (int)taken + tap_bulk(7, 8));
    for (size_t s = first; s < gzk_stencil_count; s += every)
        counted(&simulator, gzk_stencils[s]);
    threads(&simulator);
    stopped(&simulator);
    impostors(&simulator);
    tap_ok(printed("calibrate -d opencl:0 --quick -a poisson --json --counts oclgrind",
                   "LLVM instructions a cell") == 2,
           "--counts oclgrind: they are in the application file");
    if (tap_bulk(1, 0))
        return tap_done();
    /* A PATH with the linker, which PoCL needs, and nothing else. */
    char folder[] = "/tmp/gz-ld-XXXXXX", clean[80];
    if (!mkdtemp(folder))
        return 1;
    snprintf(probe, sizeof probe, "ln -s \"$(command -v ld)\" %s/ld", folder);
    snprintf(clean, sizeof clean, "/bin/rm -r %s", folder);
    if (system(probe) != 0)
        return 1;
    setenv("PATH", folder, 1);
    tap_ok(printed("calibrate -d opencl:0 --quick -a poisson --counts oclgrind",
                   "no counts by Oclgrind: oclgrind is not in PATH") == 1,
           "--counts oclgrind without one: a line, and all the rest");
    if (system(clean) != 0)
        return 1;
    return tap_done();
}
