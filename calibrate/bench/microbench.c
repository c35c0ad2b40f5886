/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every measurement but the clock's has the same form: a kernel, or a row of launches, does an
 * amount of work that is an argument; the amount is chosen once so that the longest point takes
 * sample_s; the slope of time over amount is the sample.
 */
#include "microbench.h"

#include "calibrate_embedded.h"
#include "estimate.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 4,  /* amounts of work on a line */
    REPEATS = 6, /* runs of each, of which the least disturbed counts */
    ENOUGH = 12, /* times sample_s: after two repeats, no more where that much must be spent */
    CHUNK_BYTES = 8 << 20,  /* of the stream; short enough for a slow device */
    SWEEP_BYTES = 16 << 20, /* at most; no core has a cache of its own of that size */
    LINE_BYTES = 128, /* from one element of the chase to the next: no cache's line is longer */
    LAUNCHES = 240, /* empty kernels in a row, always: queues make the cost depend on the number */
    FEW_LAUNCHES = 16, /* in a short one */
    PAIRS = 25,        /* of a long and a short row, of which the median counts */
    FENCE_POINTS = 6,  /* numbers of blocks on the fence's line */
    SMALL_BYTES = 1 << 20,
    WARP = 32,           /* additions of a warp instruction */
    UNKNOWN_PER_UNIT = 8 /* blocks per multiprocessor where no query tells, the paper's Table 1 */
};

/* How long a group waits at the fence before it gives up, nanoseconds. */
static const int64_t patience = INT64_C(700000000);

/* A kernel with what its runs need, and the largest amount of work, chosen in the first round. */
struct station {
    struct gzk_program *program;
    struct gzk_launch launch;
    long amount;
};

struct gzc_lab {
    struct gzk_device *device;
    const volatile sig_atomic_t *stop;
    double sample_s;
    int threads;                  /* of the work-groups, but the fence's */
    int lanes;                    /* sums of a thread that adds */
    size_t stream_bytes;          /* each of two arrays that no cache holds */
    size_t sweep_bytes;           /* what the largest cache does hold */
    int64_t copied;               /* chunks so far */
    int concurrent;               /* blocks that run at once [Eq. 5] */
    bool concurrent_known;        /* asked, not guessed */
    int32_t gate_spins;           /* of the kernel before a row of empty ones; 0: there is none */
    int fence_blocks;             /* that may meet; 0: none may */
    struct gzk_buffer *from, *to; /* stream_bytes each; `from` is the chain that is chased */
    struct gzk_buffer *small;     /* SMALL_BYTES, for counters */
    struct gzk_buffer *at;        /* where the chase is */
    struct station clock, copy, sweep, chase, empty, fence, add;
    char why[GZC_PROPERTIES][200];
};

/* ------------------------------------------------------------------------------------ kernels */

static const struct {
    const char *name, *text;
} kernels[] = {
    {"copy", gzc_copy_knl},   {"sweep", gzc_sweep_knl}, {"chase", gzc_chase_knl},
    {"empty", gzc_empty_knl}, {"add", gzc_add_knl},     {"chain", gzc_chain_knl},
    {"ticks", gzc_ticks_knl},
};

char *gzc_kernel_text(const char *prelude, const char *name, int threads, int lanes)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k].name, name) == 0) {
            static const char format[] =
                "#define GZ_T float\n#define GZ_THREADS %d\n"
                "#define GZ_LANES %d\n#define GZ_CHUNK %d\n#line 1 \"prelude\"\n%s\n"
                "#line 1 \"%s.knl\"\n%s";
            size_t size =
                sizeof format + strlen(prelude) + strlen(name) + 40 + strlen(kernels[k].text);
            char *text = malloc(size);
            if (text)
                snprintf(text, size, format, threads, lanes, (int)(CHUNK_BYTES / sizeof(int32_t)),
                         prelude, name, kernels[k].text);
            return text;
        }
    return NULL;
}

void gzc_reference_config(const struct gzk_device *device, enum gzk_sync sync,
                          struct gzk_config *config)
{
    const struct gzk_stencil *stencil = gzk_stencil_find("hotspot");
    *config = (struct gzk_config){.stencil = stencil,
                                  .variant = GZK_TRAPEZOID,
                                  .sync = sync,
                                  .height = 1,
                                  .loops = 1,
                                  .contract = true};
    memcpy(config->size, stencil->default_size, sizeof config->size);
    memcpy(config->block, stencil->default_block, sizeof config->block);
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
}

/* The stencil's own kernel with the fence, followed by one that only meets. */
static char *meetings_text(const struct gzk_config *config, const char *prelude)
{
    char *stencil = gzk_kernel_text(config, prelude);
    size_t size = stencil ? strlen(stencil) + strlen(gzc_meetings_knl) + 40 : 0;
    char *text = size ? malloc(size) : NULL;
    if (text)
        snprintf(text, size, "%s\n#line 1 \"meetings.knl\"\n%s", stencil, gzc_meetings_knl);
    free(stencil);
    return text;
}

/* Compiles `text`, which it frees; NULL means that memory was short. */
static int compile(struct gzc_lab *lab, char *text, const char *name, int threads,
                   size_t local_bytes, struct station *station, struct gzk_error *error)
{
    if (!text)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (*lab->stop) {
        free(text);
        return gzk_fail(error, GZK_FAILED, "interrupted");
    }
    struct gzk_program_spec spec = {
        .text = text, .name = name, .threads = threads, .local_bytes = local_bytes};
    int status = lab->device->backend->program_new(lab->device, &spec, &station->program, error);
    free(text);
    return status;
}

static int compile_own(struct gzc_lab *lab, const char *name, int threads, struct station *station,
                       struct gzk_error *error)
{
    char entry[40];
    snprintf(entry, sizeof entry, "gz_%s", name);
    return compile(lab, gzc_kernel_text(lab->device->backend->prelude, name, threads, lab->lanes),
                   entry, threads, 0, station, error);
}

/* ---------------------------------------------------------------------------------- launching */

static void add_buffer(struct station *station, struct gzk_buffer *buffer)
{
    station->launch.args[station->launch.count++] =
        (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = buffer};
}

static void add_int(struct station *station, int32_t i)
{
    station->launch.args[station->launch.count++] = (struct gzk_arg){.kind = GZK_ARG_INT, .i = i};
}

static void add_long(struct station *station, int64_t l)
{
    station->launch.args[station->launch.count++] = (struct gzk_arg){.kind = GZK_ARG_LONG, .l = l};
}

int gzc_resident(struct gzk_device *device, const struct gzk_program *program, bool *known)
{
    struct gzk_error ignored;
    int groups = 0;
    *known = device->backend->resident(device, program, &groups, &ignored) == 0 && groups > 0;
    return *known ? groups : UNKNOWN_PER_UNIT * device->info.units;
}

/* Groups that fill the device with this kernel. */
static int fill_groups(struct gzc_lab *lab, const struct station *station)
{
    bool known;
    return gzc_resident(lab->device, station->program, &known);
}

/* What a run of a station does with an amount of work. */
typedef int runner(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                   struct gzk_error *error);

/* One launch, whose last argument is the amount. */
static int run_once(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                    struct gzk_error *error)
{
    struct gzk_launch launch = station->launch;
    struct gzk_arg *last = &launch.args[launch.count - 1];
    if (last->kind == GZK_ARG_INT)
        last->i = (int32_t)amount;
    else
        last->l = amount;
    return lab->device->backend->run(lab->device, station->program, &launch, 1, GZK_RESTART,
                                     lab->stop, seconds, error);
}

/* As many launches in a graph as the amount says. */
static int run_graph(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                     struct gzk_error *error)
{
    struct gzk_launch *launches = malloc((size_t)amount * sizeof *launches);
    if (!launches)
        return gzk_fail(error, GZK_FAILED, "out of host memory for %ld launches", amount);
    for (long i = 0; i < amount; i++)
        launches[i] = station->launch;
    int status = lab->device->backend->run(lab->device, station->program, launches, (size_t)amount,
                                           GZK_GRAPH, lab->stop, seconds, error);
    free(launches);
    return status;
}

/* Meets as often as the amount says. */
static int run_meetings(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                        struct gzk_error *error)
{
    const struct gzk_backend *backend = lab->device->backend;
    uint32_t meeting[2];
    struct gzk_launch launch = station->launch;
    launch.args[1].i = (int32_t)amount;
    int status = backend->fill(lab->device, lab->small, 0, sizeof meeting, error);
    if (status == 0)
        status = backend->run(lab->device, station->program, &launch, 1, GZK_FENCE, lab->stop,
                              seconds, error);
    if (status == 0)
        status = backend->read(lab->device, lab->small, meeting, sizeof meeting, error);
    if (status == 0 && meeting[1] != 0)
        status =
            gzk_fail(error, GZK_FAILED, "%d work-groups did not all run at once", launch.groups);
    return status;
}

/* The largest amount on the line: doubled until it takes a quarter of sample_s, then scaled. */
static int choose_amount(struct gzc_lab *lab, struct station *station, runner *run, long most,
                         struct gzk_error *error)
{
    double seconds = 0;
    if (station->amount > 0)
        return 0;
    for (station->amount = POINTS;; station->amount *= 2) {
        int status = run(lab, station, station->amount, &seconds, error);
        /* The first run also pays for what is done once, such as touching memory. */
        if (status == 0 && station->amount == POINTS)
            status = run(lab, station, station->amount, &seconds, error);
        if (status != 0) {
            station->amount = 0;
            return status;
        }
        if (seconds >= lab->sample_s / 4 || station->amount > most / 2)
            break;
    }
    double scale = seconds > 0 ? lab->sample_s / seconds : 1;
    double amount = fmin(fmax((double)station->amount * scale, POINTS), (double)most);
    station->amount = (long)amount / POINTS * POINTS;
    return 0;
}

/* Seconds per unit of work, as the slope over amounts up to `most`, and what remains at none. */
static int measure_line(struct gzc_lab *lab, struct station *station, runner *run, long most,
                        struct gzc_line *line, struct gzk_error *error)
{
    double amount[POINTS], least[POINTS], repeat_s = 0; /* undisturbed */
    int status = choose_amount(lab, station, run, most, error);
    for (int p = 0; p < POINTS; p++)
        least[p] = HUGE_VAL;
    /* Up and down in turn, so that drift does not look like a slope. */
    for (int r = 0; r < REPEATS && (r < 2 || r * repeat_s < ENOUGH * lab->sample_s); r++) {
        for (int k = 0; k < POINTS && status == 0; k++) {
            int p = r % 2 ? POINTS - 1 - k : k;
            double seconds = 0;
            amount[p] = (double)(station->amount / POINTS * (p + 1));
            status = run(lab, station, (long)amount[p], &seconds, error);
            least[p] = fmin(least[p], seconds);
        }
        repeat_s = 0;
        for (int p = 0; p < POINTS; p++)
            repeat_s += least[p];
    }
    if (status != 0)
        return status;
    if (!gzc_fit_line(amount, least, POINTS, line))
        return gzk_fail(error, GZK_FAILED, "timings of %s make no line", lab->device->info.address);
    return 0;
}

/* The same, where only a positive slope makes sense. */
static int measure_slope(struct gzc_lab *lab, struct station *station, runner *run, long most,
                         double *slope, struct gzk_error *error)
{
    struct gzc_line line;
    int status = measure_line(lab, station, run, most, &line, error);
    *slope = status == 0 && line.slope.value > 0 ? line.slope.value : (double)NAN;
    return status;
}

/* ------------------------------------------------------------------------------- measurements */

/* The ratio of the two counters that every group read before and after. */
static int clock_from_ticks(struct gzc_lab *lab, double *hz, struct gzk_error *error)
{
    int groups = lab->clock.launch.groups, used = 0;
    int64_t *ticks = malloc((size_t)groups * 4 * sizeof *ticks);
    double *ratio = malloc((size_t)groups * sizeof *ratio), seconds;
    int status = ticks && ratio ? choose_amount(lab, &lab->clock, run_once, LONG_MAX / 4, error)
                                : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0)
        status = run_once(lab, &lab->clock, lab->clock.amount, &seconds, error);
    if (status == 0)
        status = lab->device->backend->read(lab->device, lab->small, ticks,
                                            (size_t)groups * 4 * sizeof *ticks, error);
    for (int g = 0; g < groups && status == 0; g++) {
        int64_t cycles = ticks[4 * g + 2] - ticks[4 * g], ns = ticks[4 * g + 3] - ticks[4 * g + 1];
        if (cycles > 0 && ns > 0)
            ratio[used++] = 1e9 * (double)cycles / (double)ns;
    }
    if (used > 0)
        gsl_sort(ratio, 1, (size_t)used);
    *hz = used > 0 ? gsl_stats_median_from_sorted_data(ratio, 1, (size_t)used) : (double)NAN;
    free(ticks);
    free(ratio);
    return status;
}

static int bench_clock(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double *hz = &samples->value[GZC_CLOCK], step_s;
    if (!lab->clock.program)
        return 0;
    if (!lab->device->info.is_cpu)
        return clock_from_ticks(lab, hz, error);
    int status = measure_slope(lab, &lab->clock, run_once, LONG_MAX / 4, &step_s, error);
    *hz = 2 / step_s;
    return status;
}

/* Copies as many chunks as the amount says, on from where the last copy ended, so that what is
 * copied has left the cache since it was last touched. */
static int run_copy(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                    struct gzk_error *error)
{
    struct gzk_launch launch = station->launch;
    launch.args[3].l = lab->copied;
    launch.args[4].l = lab->copied += amount;
    return lab->device->backend->run(lab->device, station->program, &launch, 1, GZK_RESTART,
                                     lab->stop, seconds, error);
}

static int bench_copy(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double chunk_s;
    int status = measure_slope(lab, &lab->copy, run_copy, 1 << 20, &chunk_s, error);
    samples->value[GZC_BANDWIDTH] = 2.0 * CHUNK_BYTES / chunk_s;
    return status;
}

static int bench_sweep(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double pass_s;
    if (!lab->sweep.program)
        return 0;
    int status = measure_slope(lab, &lab->sweep, run_once, 1 << 20, &pass_s, error);
    samples->value[GZC_CACHE_BANDWIDTH] = (double)lab->sweep_bytes / pass_s;
    return status;
}

/* One cycle through all lines of an array in random order (Sattolo's shuffle), so that no
 * prefetcher can guess the next. */
static int lay_chain(struct gzc_lab *lab, struct gzk_error *error)
{
    size_t step = LINE_BYTES / sizeof(int32_t), lines = lab->stream_bytes / LINE_BYTES;
    int32_t *next = malloc(lab->stream_bytes);
    uint32_t *order = malloc(lines * sizeof *order);
    int status = next && order ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0) {
        for (size_t i = 0; i < lines; i++)
            order[i] = (uint32_t)i;
        for (size_t i = lines - 1; i > 0; i--) {
            size_t j = gzk_random(1, i) % i;
            uint32_t swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        memset(next, 0, lab->stream_bytes);
        for (size_t i = 0; i < lines; i++)
            next[order[i] * step] = (int32_t)(order[(i + 1) % lines] * step);
        status =
            lab->device->backend->write(lab->device, lab->from, next, lab->stream_bytes, error);
    }
    free(next);
    free(order);
    return status;
}

static int bench_chase(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    long lines = (long)(lab->stream_bytes / LINE_BYTES);
    /* The chase goes on where it stopped, so it comes back to a line only after all others. */
    return measure_slope(lab, &lab->chase, run_once, lines / 2, &samples->value[GZC_LATENCY],
                         error);
}

/* Empty kernels in a row; on a CPU behind one that is not empty, in whose time all others are
 * enqueued. Without it, the thread that enqueues and those that execute want the same cores, and
 * according to who is ahead a kernel costs several times more in some rows than in others. The
 * kernels of stencils are long enough for the next to wait in the queue. What remains is that other
 * programs keep cores awake, which spares waking them: on a busy machine the cost is smaller. */
static int run_row(struct gzc_lab *lab, struct station *station, long amount, double *seconds,
                   struct gzk_error *error)
{
    size_t first = lab->gate_spins > 0, count = first + (size_t)amount;
    struct gzk_launch *launches = malloc(count * sizeof *launches);
    if (!launches)
        return gzk_fail(error, GZK_FAILED, "out of host memory for %zu launches", count);
    for (size_t i = 0; i < count; i++)
        launches[i] = station->launch;
    if (first) {
        /* One block, so that a core is left to enqueue from. */
        launches[0].args[1].i = lab->gate_spins;
        launches[0].groups = 1;
    }
    int status = lab->device->backend->run(lab->device, station->program, launches, count,
                                           GZK_RESTART, lab->stop, seconds, error);
    free(launches);
    return status;
}

/* A long row and a short one after it, so that a slow clock slows both; what comes before and after
 * the empty kernels is the same in both and drops out. */
static int bench_restart(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double more[PAIRS], row[2] = {0, 0};
    int status = 0;
    if (lab->device->info.is_cpu && lab->gate_spins == 0) {
        struct station gate = lab->empty;
        gate.amount = 0;
        status = choose_amount(lab, &gate, run_once, INT32_MAX / 2, error);
        lab->gate_spins = (int32_t)gate.amount;
    }
    for (int r = 0; r < PAIRS && status == 0; r++) {
        status = run_row(lab, &lab->empty, LAUNCHES, &row[0], error);
        if (status == 0)
            status = run_row(lab, &lab->empty, FEW_LAUNCHES, &row[1], error);
        more[r] = row[0] - row[1];
    }
    if (status == 0)
        samples->value[GZC_RESTART] = gsl_stats_median(more, 1, PAIRS) / (LAUNCHES - FEW_LAUNCHES);
    return status;
}

static int bench_graph(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    if (lab->why[GZC_GRAPH][0])
        return 0;
    struct gzk_error mine;
    int status =
        measure_slope(lab, &lab->empty, run_graph, LAUNCHES, &samples->value[GZC_GRAPH], &mine);
    if (status == GZK_INVALID) {
        snprintf(lab->why[GZC_GRAPH], sizeof lab->why[GZC_GRAPH], "%.199s", mine.text);
        return 0;
    }
    if (status != 0)
        *error = mine;
    return status;
}

/* A line through the time of one meeting at several numbers of blocks. */
static int bench_fence(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double blocks[2 * FENCE_POINTS], meeting_s[2 * FENCE_POINTS];
    int n = 0;
    if (lab->fence_blocks == 0 || lab->why[GZC_FENCE_SLOPE][0])
        return 0;
    int points = lab->fence_blocks < FENCE_POINTS ? lab->fence_blocks : FENCE_POINTS;
    for (int k = 1; k <= 2 * points; k++) {
        struct gzc_line line;
        /* The amount is chosen for the most blocks, which meet slowest: they come first. */
        int place = k <= points ? points + 1 - k : k - points;
        lab->fence.launch.groups = lab->fence_blocks * place / points;
        struct gzk_error mine;
        int status = measure_line(lab, &lab->fence, run_meetings, 1000000, &line, &mine);
        if (status != 0 && !*lab->stop) {
            snprintf(lab->why[GZC_FENCE_SLOPE], sizeof lab->why[GZC_FENCE_SLOPE], "%.199s",
                     mine.text);
            return 0;
        }
        if (status != 0) {
            *error = mine;
            return status;
        }
        blocks[n] = lab->fence.launch.groups;
        meeting_s[n++] = line.slope.value;
    }
    struct gzc_line line;
    if (gzc_fit_line(blocks, meeting_s, n, &line)) {
        samples->value[GZC_FENCE_SLOPE] = line.slope.value;
        samples->value[GZC_FENCE_INTERCEPT] = line.intercept.value;
    }
    return 0;
}

/* Warp instructions of one multiprocessor in one round of add.knl. */
static double adds_per_round(const struct gzc_lab *lab)
{
    double additions = 16.0 * lab->lanes * lab->threads * lab->add.launch.groups;
    return additions / WARP / lab->device->info.units;
}

static int bench_add(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error)
{
    double round_s;
    int status = measure_slope(lab, &lab->add, run_once, INT32_MAX / 2, &round_s, error);
    samples->value[GZC_INSTRUCTION] = round_s / adds_per_round(lab);
    return status;
}

static const struct {
    const char *name;
    int (*run)(struct gzc_lab *lab, struct gzc_samples *samples, struct gzk_error *error);
} benches[] = {
    {"clock", bench_clock},
    {"memory bandwidth", bench_copy},
    {"cache bandwidth", bench_sweep},
    {"memory latency", bench_chase},
    {"kernel restart", bench_restart},
    {"graph node", bench_graph},
    {"memory fence", bench_fence},
    {"instruction", bench_add},
};

const int gzc_bench_count = (int)(sizeof benches / sizeof *benches);

const char *gzc_bench_name(int bench)
{
    return benches[bench].name;
}

int gzc_bench_run(struct gzc_lab *lab, int bench, struct gzc_samples *samples,
                  struct gzk_error *error)
{
    return benches[bench].run(lab, samples, error);
}

/* ------------------------------------------------------------------------------------- set-up */

static size_t clamp_bytes(size_t bytes, size_t least, size_t most)
{
    bytes = bytes < least ? least : bytes;
    bytes = bytes > most ? most : bytes;
    return bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes / CHUNK_BYTES * CHUNK_BYTES;
}

static int take_memory(struct gzc_lab *lab, struct gzk_error *error)
{
    const struct gzk_device_info *info = &lab->device->info;
    const struct gzk_backend *backend = lab->device->backend;
    size_t most = info->memory_bytes / 8;
    /* Indices of the chase are 32-bit. */
    if (most > (size_t)1 << 32)
        most = (size_t)1 << 32;
    /* A CPU's cache may be that of a whole server, and takes a while to walk through. */
    lab->stream_bytes =
        clamp_bytes((info->is_cpu ? 2 : 4) * info->cache_bytes, (size_t)64 << 20, most);
    lab->sweep_bytes = info->cache_bytes / 2 > SWEEP_BYTES ? SWEEP_BYTES : info->cache_bytes / 2;
    int status = backend->buffer_new(lab->device, lab->stream_bytes, &lab->from, error);
    if (status == 0)
        status = backend->buffer_new(lab->device, lab->stream_bytes, &lab->to, error);
    if (status == 0)
        status = backend->buffer_new(lab->device, SMALL_BYTES, &lab->small, error);
    if (status == 0)
        status = backend->buffer_new(lab->device, sizeof(int32_t), &lab->at, error);
    if (status == 0)
        status = backend->fill(lab->device, lab->at, 0, sizeof(int32_t), error);
    if (status == 0)
        status = backend->fill(lab->device, lab->to, 0, lab->stream_bytes, error);
    return status == 0 ? lay_chain(lab, error) : status;
}

static int prepare_clock(struct gzc_lab *lab, struct gzk_error *error)
{
    bool cpu = lab->device->info.is_cpu;
    if (!cpu && lab->device->backend != &gzk_cuda) {
        snprintf(lab->why[GZC_CLOCK], sizeof lab->why[GZC_CLOCK],
                 "OpenCL shows no device clock; the nominal one");
        return 0;
    }
    int status = compile_own(lab, cpu ? "chain" : "ticks", lab->threads, &lab->clock, error);
    if (status != 0)
        return status;
    lab->clock.launch.groups = cpu ? lab->device->info.units : fill_groups(lab, &lab->clock);
    if (!cpu)
        add_buffer(&lab->clock, lab->small);
    add_buffer(&lab->clock, lab->to);
    add_long(&lab->clock, 0);
    return 0;
}

static int prepare_streams(struct gzc_lab *lab, struct gzk_error *error)
{
    int status = compile_own(lab, "copy", lab->threads, &lab->copy, error);
    if (status != 0)
        return status;
    lab->copy.launch.groups = fill_groups(lab, &lab->copy);
    add_buffer(&lab->copy, lab->from);
    add_buffer(&lab->copy, lab->to);
    add_long(&lab->copy, (int64_t)(lab->stream_bytes / CHUNK_BYTES));
    add_long(&lab->copy, 0);
    add_long(&lab->copy, 0);
    if (lab->sweep_bytes == 0) {
        snprintf(lab->why[GZC_CACHE_BANDWIDTH], sizeof lab->why[GZC_CACHE_BANDWIDTH],
                 "the device states no cache");
        return 0;
    }
    status = compile_own(lab, "sweep", lab->threads, &lab->sweep, error);
    if (status != 0)
        return status;
    lab->sweep.launch.groups = fill_groups(lab, &lab->sweep);
    add_buffer(&lab->sweep, lab->from);
    add_buffer(&lab->sweep, lab->to);
    add_long(&lab->sweep, (int64_t)(lab->sweep_bytes / sizeof(int32_t)));
    add_int(&lab->sweep, 0);
    return 0;
}

static int prepare_singles(struct gzc_lab *lab, struct gzk_error *error)
{
    int status = compile_own(lab, "chase", 1, &lab->chase, error);
    lab->chase.launch.groups = 1;
    add_buffer(&lab->chase, lab->from);
    add_buffer(&lab->chase, lab->at);
    add_long(&lab->chase, 0);
    if (status == 0)
        status = compile_own(lab, "add", lab->threads, &lab->add, error);
    if (status != 0)
        return status;
    lab->add.launch.groups = fill_groups(lab, &lab->add);
    add_buffer(&lab->add, lab->to);
    add_int(&lab->add, 0);
    return 0;
}

/* The empty kernel and the fence, both with as many blocks as of the reference kernel run at once.
 */
static int prepare_synchronisation(struct gzc_lab *lab, struct gzk_error *error)
{
    struct gzk_config config;
    struct gzk_geometry geometry;
    const struct gzk_program *reference;
    gzc_reference_config(lab->device, GZK_RESTART, &config);
    int status = gzk_geometry_make(&config, &geometry, error);
    if (status == 0)
        status = gzk_device_program(lab->device, &config, &reference, error);
    if (status == 0)
        status = compile_own(lab, "empty", geometry.thread_count, &lab->empty, error);
    if (status != 0)
        return status;
    lab->concurrent = gzc_resident(lab->device, reference, &lab->concurrent_known);
    lab->empty.launch.groups = lab->concurrent;
    lab->empty.amount = LAUNCHES;
    add_buffer(&lab->empty, lab->small);
    add_int(&lab->empty, 0);

    config.sync = GZK_FENCE;
    struct gzk_error refused;
    status = compile(lab, meetings_text(&config, lab->device->backend->prelude), "gz_meetings",
                     geometry.thread_count, geometry.local_bytes, &lab->fence, error);
    if (status != 0)
        return status;
    if (lab->device->backend->resident(lab->device, lab->fence.program, &lab->fence_blocks,
                                       &refused) != 0) {
        lab->fence_blocks = 0;
        snprintf(lab->why[GZC_FENCE_SLOPE], sizeof lab->why[GZC_FENCE_SLOPE], "%.199s",
                 refused.text);
    } else if (lab->fence_blocks < 2) {
        lab->fence_blocks = 0;
        snprintf(lab->why[GZC_FENCE_SLOPE], sizeof lab->why[GZC_FENCE_SLOPE],
                 "only one block runs at a time, so none can meet");
    }
    add_buffer(&lab->fence, lab->small);
    add_int(&lab->fence, 0);
    add_long(&lab->fence, patience);
    return 0;
}

int gzc_lab_open(struct gzk_device *device, double sample_s, const volatile sig_atomic_t *stop,
                 struct gzc_lab **made, struct gzk_error *error)
{
    struct gzc_lab *lab = calloc(1, sizeof *lab);
    if (!lab)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    lab->device = device;
    lab->stop = stop;
    lab->sample_s = sample_s;
    /* A CPU's compiler makes vectors of a thread's sums, so one thread has four warps' worth; a GPU
     * has many threads to hide latency with. */
    lab->threads = device->info.is_cpu              ? 1
                   : device->info.max_threads < 256 ? device->info.max_threads
                                                    : 256;
    lab->lanes = device->info.is_cpu ? 4 * WARP : 8;
    int status = take_memory(lab, error);
    if (status == 0)
        status = prepare_clock(lab, error);
    if (status == 0)
        status = prepare_streams(lab, error);
    if (status == 0)
        status = prepare_singles(lab, error);
    if (status == 0)
        status = prepare_synchronisation(lab, error);
    if (status != 0) {
        gzc_lab_close(lab);
        return status;
    }
    *made = lab;
    return 0;
}

void gzc_lab_close(struct gzc_lab *lab)
{
    if (!lab)
        return;
    const struct gzk_backend *backend = lab->device->backend;
    struct station *stations[] = {&lab->clock, &lab->copy,  &lab->sweep, &lab->chase,
                                  &lab->empty, &lab->fence, &lab->add};
    for (size_t i = 0; i < sizeof stations / sizeof *stations; i++)
        backend->program_free(lab->device, stations[i]->program);
    backend->buffer_free(lab->device, lab->from);
    backend->buffer_free(lab->device, lab->to);
    backend->buffer_free(lab->device, lab->small);
    backend->buffer_free(lab->device, lab->at);
    free(lab);
}

const char *gzc_lab_why(const struct gzc_lab *lab, enum gzc_property property)
{
    return lab->why[property == GZC_FENCE_INTERCEPT ? GZC_FENCE_SLOPE : property];
}

void gzc_lab_note(const struct gzc_lab *lab, enum gzc_property property, char *note, size_t size)
{
    const double mib = 1 << 20;
    switch (property) {
    case GZC_CLOCK:
        snprintf(note, size,
                 lab->device->info.is_cpu
                     ? "chain of dependent operations on all cores, one cycle each assumed"
                     : "clock64 over globaltimer with all multiprocessors busy");
        break;
    case GZC_BANDWIDTH:
        snprintf(note, size, "copy of %.0f MiB, read plus written",
                 (double)lab->stream_bytes / mib);
        break;
    case GZC_CACHE_BANDWIDTH:
        snprintf(note, size, "reading %.1f MiB again and again", (double)lab->sweep_bytes / mib);
        break;
    case GZC_LATENCY:
        snprintf(note, size, "pointer chase through %.0f MiB in random order",
                 (double)lab->stream_bytes / mib);
        break;
    case GZC_RESTART:
        snprintf(note, size, "%d empty kernels of %d blocks in a row, over %d of them%s",
                 (int)LAUNCHES, lab->concurrent, (int)FEW_LAUNCHES,
                 lab->device->info.is_cpu ? ", all enqueued beforehand" : "");
        break;
    case GZC_GRAPH:
        snprintf(note, size, "empty kernels of %d blocks in one CUDA graph", lab->concurrent);
        break;
    case GZC_FENCE_SLOPE:
        snprintf(note, size, "slope over 1 to %d blocks", lab->fence_blocks);
        break;
    case GZC_FENCE_INTERCEPT:
        snprintf(note, size, "intercept over 1 to %d blocks", lab->fence_blocks);
        break;
    case GZC_INSTRUCTION:
        snprintf(note, size, "independent additions, 32 to a warp instruction");
        break;
    case GZC_PROPERTIES:
        break;
    }
}
