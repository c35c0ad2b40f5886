/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every built-in GPU and stencil whatever the kernels: rooflines, floors of issue
 * and double precision, gains over a plain kernel, whole warps, one minimum over the height,
 * proportions between devices, and bandwidth over occupancy.
 */
#include "gzmodel.h"
#include "tap.h"

#include <string.h>

/* GPUs, with what copies cannot exceed, and whether an instruction in double precision takes
 * sixteen cycles. */
static const struct {
    const char *key;
    double nominal;
    int slow_doubles;
} gpus[] = {{"p100-pcie", 732e9, 0},   {"v100", 900e9, 0},       {"a100-40", 1555e9, 0},
            {"a100-80", 2039e9, 0},    {"a40", 696e9, 1},        {"rtx3090", 936e9, 1},
            {"a10", 600e9, 1},         {"rtx4090", 1008e9, 1},   {"l40", 864e9, 1},
            {"l4", 300e9, 1},          {"h100-pcie", 2039e9, 0}, {"h100-sxm", 3352e9, 0},
            {"h200", 4800e9, 0},       {"b200", 8000e9, 0},      {"mi210", 1638e9, 0},
            {"mi250x-die", 1638e9, 0}, {"mi300x", 5300e9, 0}};
enum { GPUS = sizeof gpus / sizeof *gpus };

/* Stencils on grids of four times any of these caches, with the most that the best naive block may
 * take over its highest floor, and the least and the most that the best of all gains over it:
 * little in double precision where that limits (GeForce and its relatives); up to seventeen times
 * in float on these, whose multiprocessors issue most for each byte of memory, and whose columns
 * take 11 to 17 instructions a loop. Those of star7 take 17 instead of 20: 3.1 instead of 3.
 */
static const struct {
    const char *key;
    double size, most, least_gain, most_gain;
    int star; /* whether heights are expected to pay */
} stencils[] = {{"hotspot", 16384, 1.7, 1.3, 14, 1}, {"jacobi", 16384, 1.7, 1.3, 17, 1},
                {"poisson", 16384, 1.7, 1.3, 17, 1}, {"star7", 640, 1.6, 1.05, 3.1, 1},
                {"star7vc", 512, 1.6, 1, 3, 0},      {"star13", 640, 2.1, 1, 3, 0},
                {"box27", 640, 3.2, 1, 4, 0},        {"cell", 768, 3.2, 1, 4, 0}};
enum { STENCILS = sizeof stencils / sizeof *stencils };

struct pair {
    const char *device, *stencil;
    gz_device dev;
    gz_app app;
    double cells, roof, issue, doubles; /* of a loop: at least so many seconds */
    gz_tune_request request;
    gz_candidate naive, best;
    int valid;
};
static struct pair all[GPUS][STENCILS];

static gz_candidate tuned(const struct pair *p, unsigned variants)
{
    gz_tune_request request = p->request;
    gz_candidate found = {.seconds_per_loop = (double)NAN};
    gz_error error = {""};
    size_t n;
    request.variants = variants;
    if (gz_tune(&p->dev, &p->app, &request, &found, 1, &n, &error))
        tap_note("%s, %s: %s", p->device, p->stencil, error.text);
    return found;
}

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static void prepare(struct pair *p, const char *device, int s)
{
    p->device = device;
    p->stencil = stencils[s].key;
    if (gz_device_open(device, &p->dev, NULL) || gz_app_open(p->stencil, device, &p->app, NULL))
        return;
    double clock = p->dev.clock_rate.value, sms = p->dev.sm_count.value;
    double rate = or_else(gz_get(&p->dev, "issue_rate"), 4 * clock) * sms * p->dev.warp_size.value;
    double fp64 = gz_get(&p->dev, "fp64_rate") * sms * p->dev.warp_size.value;
    p->request.model = GZ_MODEL_GZ2;
    p->cells = 1;
    for (int i = 0; i < p->app.dim; i++)
        p->cells *= p->request.data_length[i] = stencils[s].size;
    p->roof = (p->app.stencil_arrays.value + 1) * p->app.element_size.value * p->cells /
              p->dev.mem_bandwidth.value;
    p->issue = gz_app_get(&p->app, "naive_compute_insts") * p->cells / rate;
    p->doubles = or_else(gz_app_get(&p->app, "fp64_insts"), 0) * p->cells / fp64;
    p->naive = tuned(p, 1u << GZ_VARIANT_NAIVE);
    p->best = tuned(p, 0);
    p->valid = p->naive.seconds_per_loop > 0 && p->best.seconds_per_loop > 0;
}

/* Counts what is not so, and says it. */
static int broken;
static void must(int holds, const struct pair *p, const char *what, double value)
{
    broken += !holds;
    if (!holds)
        tap_note("%s, %s: %s: %.4g", p->device, p->stencil, what, value);
}

static void verdict(const char *what)
{
    tap_ok(broken == 0, "%s", what);
    broken = 0;
}

#define EACH(p)                                                                                    \
    for (int g = 0; g < GPUS; g++)                                                                 \
        for (const struct pair *p = all[g]; p < all[g] + STENCILS; p++)

static double predicted(const struct pair *p, const gz_config *cfg, double h)
{
    gz_prediction at;
    return gz_predict(&p->dev, &p->app, cfg, h, &at, NULL) ? (double)NAN : at.seconds_per_loop;
}

static void plain_kernels(void)
{
    EACH(p)
    {
        must(p->valid, p, "predicted and tuned", 0);
        must(p->naive.seconds_per_loop >= p->roof && p->naive.seconds_per_loop >= p->issue, p,
             "naive over its floors", p->naive.seconds_per_loop / fmax(p->roof, p->issue));
    }
    verdict("1: no naive block is below the roofline or its issue floor");
    EACH(p)
    {
        /* Double precision at a sixteenth, and fewer instructions a cycle than four, have floors of
         * their own. */
        double floors = fmax(p->roof, fmax(p->issue, p->doubles));
        double most = stencils[p - all[g]].most;
        must(p->naive.seconds_per_loop <= most * floors, p, "naive over the highest floor",
             p->naive.seconds_per_loop / floors);
    }
    verdict("2: the best naive block is near the highest of its floors");
    EACH(p)
    {
        double floors = fmax(p->roof, fmax(p->issue, p->doubles));
        for (int rows = 2; rows <= 8; rows *= 2) {
            gz_config cfg = gz_config_of(&p->request, &p->naive);
            double warp = p->dev.warp_size.value;
            memcpy(cfg.threads, (double[]){warp, 8, 1}, sizeof cfg.threads);
            memcpy(cfg.block_len, (double[]){warp * (rows > 2 ? 2 : 1), 8.0 * rows, 4},
                   sizeof cfg.block_len);
            double t = predicted(p, &cfg, 1);
            must(t <= fmax(2.5, stencils[p - all[g]].most) * floors, p,
                 "a naive block over the highest floor", t / floors);
        }
    }
    verdict("3: nor is any other block of several cells a thread far above them");
}

static void any_variant(void)
{
    EACH(p)
    {
        const gz_candidate *c = &p->best;
        double sync = c->way.sync == GZ_SYNC_FENCE   ? gz_get(&p->dev, "stage_fence")
                      : c->way.sync == GZ_SYNC_GRAPH ? gz_get(&p->dev, "stage_graph")
                                                     : gz_get(&p->dev, "stage_launch");
        double floor = (p->app.stencil_arrays.value + 1) * p->app.element_size.value * p->cells /
                           c->way.height / gpus[g].nominal +
                       sync / c->way.height;
        must(c->seconds_per_loop >= floor, p, "the first over its floor",
             c->seconds_per_loop / floor);
        must(c->seconds_per_loop >= p->doubles, p, "the first over its doubles",
             c->seconds_per_loop / p->doubles);
        must(c->seconds_per_loop <= p->naive.seconds_per_loop, p, "the first over naive",
             c->seconds_per_loop / p->naive.seconds_per_loop);
    }
    verdict("4, 5, 12: what is tuned is above its own floors and not above naive");
    EACH(p)
    {
        double gain = p->naive.seconds_per_loop / p->best.seconds_per_loop;
        int s = (int)(p - all[g]);
        must(gain >= stencils[s].least_gain && gain <= stencils[s].most_gain, p, "gain", gain);
    }
    verdict("6: gains over the best naive block are those that were measured elsewhere");
    EACH(p)
    {
        double warp = p->dev.warp_size.value;
        must(fmod(p->best.way.threads[0], warp) == 0, p, "threads of a row",
             p->best.way.threads[0]);
        must(fmod(p->naive.way.threads[0], warp) == 0, p, "naive threads of a row",
             p->naive.way.threads[0]);
    }
    verdict("7: rows of threads are whole warps");
}

/* One minimum over the height, at a fixed block. */
static void heights(void)
{
    EACH(p)
    {
        gz_config cfg = gz_config_of(&p->request, &p->best);
        double least = HUGE_VAL, before = HUGE_VAL, from = HUGE_VAL;
        int best = 0, two = p->app.dim == 2, rising = 0;
        cfg.variant = GZ_VARIANT_TRAPEZOID;
        memcpy(cfg.block_len, two ? (double[]){64, 64, 1} : (double[]){32, 16, 16},
               sizeof cfg.block_len);
        memcpy(cfg.threads, two ? (double[]){64, 8, 1} : (double[]){32, 4, 4}, sizeof cfg.threads);
        for (int h = 1; h <= (two ? 24 : 6); h++) {
            double t = predicted(p, &cfg, h);
            if (isnan(t))
                break;
            rising |= t > 1.05 * from;
            must(!(rising && t < 0.95 * before), p, "falls again at height", h);
            if (t < least) {
                least = t;
                best = h;
            }
            from = fmin(from, t);
            before = t;
        }
        if (stencils[p - all[g]].star && best)
            must(best >= (two ? 2 : 1) && best <= (two ? 12 : 5), p, "the best height", best);
    }
    verdict("8: over the height there is one minimum, where it is expected");
}

/* All that takes time, twice as fast. */
static gz_device faster(const gz_device *slow)
{
    static const char *const rates[] = {"issue_rate", "fp64_rate", "shared_bandwidth",
                                        "cache_bandwidth", "effective_bandwidth"};
    static const char *const times[] = {"load_latency", "barrier_latency", "instruction_latency"};
    gz_device dev = *slow;
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
        if (!isnan(gz_get(&dev, rates[k])))
            gz_set(&dev, rates[k], 2 * gz_get(&dev, rates[k]));
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        if (!isnan(gz_get(&dev, times[k])))
            gz_set(&dev, times[k], gz_get(&dev, times[k]) / 2);
    dev.mem_bandwidth.value *= 2;
    dev.clock_rate.value *= 2; /* of what follows from it */
    return dev;
}

static void scaling(void)
{
    EACH(p)
    {
        struct pair fast = *p;
        gz_config cfg = gz_config_of(&p->request, &p->best);
        int h = p->best.way.height;
        fast.dev = faster(&p->dev);
        gz_set(&fast.dev, "stage_launch", 0);
        cfg.sync = GZ_SYNC_RESTART;
        struct pair bare = *p;
        gz_set(&bare.dev, "stage_launch", 0);
        double ratio = predicted(&bare, &cfg, h) / predicted(&fast, &cfg, h);
        must(fabs(ratio - 2) < 2e-9, p, "scaled by two", ratio);
        bare.dev.mem_bandwidth.value *= 2;
        must(predicted(&bare, &cfg, h) <= predicted(p, &cfg, h), p, "more bandwidth takes longer",
             0);
    }
    verdict("9: twice as fast in everything is half the time; more bandwidth never costs");
}

static int index_of(const char *key)
{
    int g = 0;
    while (g < GPUS && strcmp(gpus[g].key, key) != 0)
        g++;
    return g;
}

static void proportions(void)
{
    static const struct {
        const char *slow, *fast;
        double least, most;
    } two[] = {{"a100-80", "h100-pcie", 0.9, 1.67},
               {"v100", "a100-80", 1.7, 2.4},
               {"a100-80", "h200", 1.5, 2.6}};
    for (size_t k = 0; k < sizeof two / sizeof *two; k++)
        for (int s = 0; s < 4; s++) {
            const struct pair *slow = &all[index_of(two[k].slow)][s];
            const struct pair *fast = &all[index_of(two[k].fast)][s];
            double ratio = slow->naive.seconds_per_loop / fast->naive.seconds_per_loop;
            must(ratio >= two[k].least && ratio <= two[k].most, fast, two[k].slow, ratio);
        }
    verdict("10: generations are as far apart as measured");
}

/* A copy of device memory, one cell a thread, so many threads on a multiprocessor. */
static double copy_time(const struct pair *p, double threads)
{
    struct pair copy = *p;
    double warp = p->dev.warp_size.value;
    gz_config cfg = {.model = GZ_MODEL_GZ2,
                     .variant = GZ_VARIANT_NAIVE,
                     .data_length = {16384, 16384},
                     .block_len = {warp, 1},
                     .threads = {warp, 1}};
    copy.app.stencil_arrays.value = 1;
    copy.app.element_size.value = 8;
    copy.app.registers_per_thread.value = 16;
    copy.app.halo_width[0] = 2;
    copy.app.halo_width[1] = 0;
    gz_app_set(&copy.app, "tile_reads", 1);
    gz_app_set(&copy.app, "naive_stage_insts", 12);
    gz_app_set(&copy.app, "naive_compute_insts", 1);
    copy.dev.max_blocks_per_sm.value = threads / warp;
    return predicted(&copy, &cfg, 1);
}

static void occupancy(void)
{
    static const char *const measured[] = {"v100", "a100-40", "a100-80", "h100-pcie", "mi210"};
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        const struct pair *p = &all[index_of(measured[k])][0];
        double full = copy_time(p, p->dev.max_threads_per_sm.value);
        double quarter = full / copy_time(p, p->dev.max_threads_per_sm.value / 4);
        double few = full / copy_time(p, p->dev.max_threads_per_sm.value / 32);
        must(quarter >= 0.5 && quarter <= 0.8, p, "a copy at a quarter of the occupancy", quarter);
        must(few >= 0.06 && few <= 0.16, p, "a copy at 3 %", few);
    }
    verdict("11: a copy by few threads reaches the share of bandwidth that was measured");
}

/* Every cell of a stencil in double precision takes such instructions in each loop, also where
 * neighbouring threads compute in turn, as those of red-black sweeps. */
static void doubles(void)
{
    static const char *const names[] = {"star7", "star7vc", "star13", "box27", "box125", "gsrb"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct pair p = {.device = "h200", .stencil = names[k]};
        gz_error error = {""};
        must(gz_app_open(names[k], "h200", &p.app, &error) == GZ_OK, &p, error.text, 0);
        double fp64 = gz_app_get(&p.app, "fp64_insts"), loop = gz_app_get(&p.app, "compute_insts");
        must(fp64 >= 7 && loop > 1.5 * fp64, &p, "instructions in double precision", fp64);
        must(p.app.insts_per_sm_iter.value > 0, &p, "of a loop", p.app.insts_per_sm_iter.value);
    }
    verdict("instructions in double precision are counted in every loop");
}

int main(void)
{
    for (int g = 0; g < GPUS; g++)
        for (int s = 0; s < STENCILS; s++)
            prepare(&all[g][s], gpus[g].key, s);
    plain_kernels();
    any_variant();
    heights();
    scaling();
    proportions();
    occupancy();
    doubles();
    return tap_done();
}
