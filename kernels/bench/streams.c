/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streams [DEVICE [STENCIL [EXTENT]]] - streamed tiles against plain loops in C with OpenMP, the
 * naive kernel, and the memory's roofline, all in one run. Prints TSV, a row for each case and
 * form, which `plots/draw.sh stream_roofline TABLE FOLDER` draws; lines with # say what.
 *
 * Of the plain loop, blocks of several sizes and stores past the cache are tried; of the streamed
 * tile, heights around the default one; of each the best counts. Then they alternate, and a ratio
 * is the median of those of the turns, so that whatever else the machine does meets both alike.
 */
#include "defaults.h"
#include "plain.h"
#include "registry.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const volatile sig_atomic_t never = 0;

static const struct {
    const char *stencil;
    int extent; /* of the grid, in all the stencil's dimensions */
} cases[] = {{"star7", 256}, {"star7", 100},    {"star13", 256},   {"star7vc", 256}, {"gsrb", 256},
             {"box27", 256}, {"hotspot", 4096}, {"poisson", 4096}, {"hotspot", 1024}};

enum { TURNS = 7, QUICK_RUNS = 2 };

/* Loops of one run: about this much work, in cells. */
static const double run_cells = 4e8;

/* One case's grid, on the host and on the device. */
struct field {
    struct gzk_device *device;
    const struct gzk_stencil *stencil;
    const struct plain_loop *plain;
    struct gzk_data data;
    struct gzk_session *session;
    void *states[2];
    long loops; /* of a run of the plain loop */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, int count, double q)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[(int)(q * (count - 1) + 0.5)];
}

/* Seconds per loop of the plain loop. */
static double time_plain(const struct field *field, struct plain_shape shape)
{
    double begin = now();
    for (long loop = 0; loop < field->loops; loop++)
        field->plain->run(&field->data, loop, field->states[loop % 2], field->states[1 - loop % 2],
                          shape);
    return (now() - begin) / (double)field->loops;
}

/* Seconds per loop of a kernel, the best of a few runs; 0 if the device cannot run it. */
static double time_kernel(const struct field *field, const struct gzk_config *config, int runs)
{
    static struct gzk_timing timing;
    struct gzk_effort effort = {.runs = runs, .stop = &never};
    struct gzk_error error = {0};
    double least = 0;

    if (gzk_time_config(field->session, config, &effort, &timing, &error) != 0)
        return 0;
    for (int i = 0; i < timing.runs; i++)
        if (least == 0 || timing.seconds[i] < least)
            least = timing.seconds[i];
    return least / (double)config->loops;
}

/* Whether two plain loops agree with two of the serial reference. */
static bool plain_is_right(struct field *field)
{
    struct gzk_serial serial = {field->stencil, &field->data, 2};
    struct plain_shape shape = {.rows = field->data.size[1]};
    struct gzk_comparison comparison;
    struct gzk_error error = {0};
    size_t bytes = field->data.cells * gzk_type_bytes(field->stencil->type);

    memcpy(field->states[0], field->data.state, bytes);
    field->plain->run(&field->data, 0, field->states[0], field->states[1], shape);
    shape.bypass = true;
    field->plain->run(&field->data, 1, field->states[1], field->states[0], shape);
    if (gzk_reference_run(&serial, field->states[1], NULL, &error) != 0)
        return false;
    gzk_compare(&serial, field->states[0], field->states[1], true, &comparison);
    return comparison.wrong == 0;
}

static struct plain_shape best_plain(const struct field *field)
{
    static const int rows[] = {16, 32, 64, 1 << 20};
    struct plain_shape best = {0};
    double least = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int bypass = 0; bypass < 2; bypass++) {
            struct plain_shape shape = {.rows = rows[i] < field->data.size[1] ? rows[i]
                                                                              : field->data.size[1],
                                        .bypass = bypass};
            double s = time_plain(field, shape);
            if (least == 0 || s < least) {
                least = s;
                best = shape;
            }
        }
    return best;
}

/* Sets what follows from the device, for config->height. */
static void settle(const struct field *field, struct gzk_config *config)
{
    const struct gzk_device_info *info = &field->device->info;
    gzk_default_tile(config, info, 0);
    gzk_default_threads(config, info->max_threads, info->is_cpu);
    gzk_default_layout(config, info);
    config->loops = (field->loops + config->height - 1) / config->height * config->height;
}

static struct gzk_config best_stream(const struct field *field)
{
    struct gzk_config config = {
        .stencil = field->stencil, .variant = GZK_STREAM, .height = 1, .contract = true};
    struct gzk_config best;
    double least = 0;
    int middle, reach;

    memcpy(config.size, field->data.size, sizeof config.size);
    middle = gzk_default_height(&config, &field->device->info);
    reach = middle > 6 ? middle / 3 : 2;
    config.height = middle;
    settle(field, &config);
    best = config;
    for (int step = -2; step <= 2; step++) {
        config.height = middle + step * (reach > 2 ? reach / 2 : 1);
        if (config.height < 1)
            continue;
        settle(field, &config);
        double s = time_kernel(field, &config, QUICK_RUNS);
        if (s > 0 && (least == 0 || s < least)) {
            least = s;
            best = config;
        }
    }
    return best;
}

/* Bytes per second that copying moves, counting a read and a write of each. */
static double copy_bandwidth(void)
{
    enum { RUNS = 9 };
    const size_t bytes = (size_t)256 << 20;
    char *from = aligned_alloc(64, bytes), *to = aligned_alloc(64, bytes);
    double least = 0;

    if (from && to) {
        memset(from, 1, bytes);
        memset(to, 2, bytes);
        for (int run = 0; run < 2 * RUNS; run++) {
            double begin = now();
            plain_copy(from, to, bytes, run % 2 == 1);
            double s = now() - begin;
            if (least == 0 || s < least)
                least = s;
        }
    }
    free(from);
    free(to);
    return least > 0 ? 2.0 * (double)bytes / least : 0;
}

enum form { PLAIN, NAIVE, STREAM, FORMS };
static const char *const form_names[FORMS] = {"plain", "naive", "stream"};

static void print_rows(const struct field *field, double seconds[FORMS][TURNS], double bandwidth,
                       char how[FORMS][64])
{
    double bytes = (double)field->data.cells * (double)gzk_stencil_bytes_per_cell(field->stencil);
    double ratio[FORMS];

    /* Before quantile() sorts the turns. */
    for (int form = 0; form < FORMS; form++) {
        double turns[TURNS];
        for (int turn = 0; turn < TURNS; turn++)
            turns[turn] = seconds[PLAIN][turn] / seconds[form][turn];
        ratio[form] = quantile(turns, TURNS, 0.5);
    }
    for (int form = 0; form < FORMS; form++) {
        double middle = quantile(seconds[form], TURNS, 0.5);
        double spread = quantile(seconds[form], TURNS, 0.75) - quantile(seconds[form], TURNS, 0.25);
        printf("%s\t%d\t%s\t%s\t%.5g\t%.3g\t%.4g\t%.4g\n", field->stencil->name,
               field->data.size[0], form_names[form], how[form], 1e3 * middle, spread / middle,
               ratio[form], bytes / bandwidth / middle);
    }
}

/* 0 when all forms ran. */
static int compare(const struct field *field, double bandwidth)
{
    struct plain_shape shape = best_plain(field);
    struct gzk_config stream = best_stream(field), naive = stream;
    double seconds[FORMS][TURNS];
    char how[FORMS][64];

    naive.variant = GZK_NAIVE;
    naive.height = 1;
    settle(field, &naive);
    for (int turn = 0; turn < TURNS; turn++) {
        seconds[PLAIN][turn] = time_plain(field, shape);
        seconds[STREAM][turn] = time_kernel(field, &stream, 1);
        seconds[NAIVE][turn] = time_kernel(field, &naive, 1);
        if (!(seconds[STREAM][turn] > 0) || !(seconds[NAIVE][turn] > 0)) {
            printf("# %s: the device cannot run it\n", field->stencil->name);
            return 1;
        }
    }
    snprintf(how[PLAIN], sizeof how[PLAIN], "%d rows%s", shape.rows,
             shape.bypass ? ", past the cache" : "");
    snprintf(how[NAIVE], sizeof how[NAIVE], "%dx%dx%d", naive.block[0], naive.block[1],
             naive.block[2]);
    snprintf(how[STREAM], sizeof how[STREAM], "%dx%dx%d, height %d", stream.block[0],
             stream.block[1], stream.block[2], stream.height);
    print_rows(field, seconds, bandwidth, how);
    return 0;
}

static int bench(struct gzk_device *device, int c, double bandwidth)
{
    struct field field = {.device = device, .stencil = gzk_stencil_find(cases[c].stencil)};
    struct gzk_error error = {0};
    int size[3], status = 0;
    size_t bytes;

    for (int i = 0; i < plain_loop_count; i++)
        if (strcmp(plain_loops[i].stencil, cases[c].stencil) == 0)
            field.plain = &plain_loops[i];
    for (int i = 0; i < 3; i++)
        size[i] = i < field.stencil->dimensions ? cases[c].extent : 1;
    if (gzk_data_new(&field.data, field.stencil, size, 1, 1) != 0)
        return 1;
    bytes = (field.data.cells * gzk_type_bytes(field.stencil->type) + 63) / 64 * 64;
    field.loops = (long)(run_cells / (double)field.data.cells);
    field.states[0] = aligned_alloc(64, bytes);
    field.states[1] = aligned_alloc(64, bytes);
    if (!field.states[0] || !field.states[1] ||
        gzk_session_new(device, field.stencil, &field.data, &field.session, &error) != 0) {
        printf("# %s: %s\n", field.stencil->name, error.text);
        status = 1;
    } else if (!plain_is_right(&field)) {
        printf("# %s: the plain loop is wrong\n", field.stencil->name);
        status = 1;
    } else {
        status = compare(&field, bandwidth);
    }
    gzk_session_free(field.session);
    gzk_data_free(&field.data);
    free(field.states[0]);
    free(field.states[1]);
    return status;
}

int main(int argc, char **argv)
{
    struct gzk_device *device;
    struct gzk_error error = {0};
    double bandwidth;
    char date[32] = "";
    time_t today = time(NULL);
    struct tm parts;
    int status = 0;

    if (gzk_device_open(argc > 1 ? argv[1] : NULL, &device, &error) != 0) {
        fprintf(stderr, "streams: %s\n", error.text);
        return error.status;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    bandwidth = copy_bandwidth();
    if (gmtime_r(&today, &parts))
        strftime(date, sizeof date, "%Y-%m-%d", &parts);
    printf("# streamed tiles against plain loops in C with OpenMP\n"
           "# device: %s, %s, %d units (%s)\n"
           "# date: %s\n# command: streams",
           device->info.name, device->info.driver, device->info.units, device->info.address, date);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf(
        "\n# host's copy bandwidth: %.3g GB/s; medians of %d turns, in which the forms alternate\n"
        "# column stencil: text, the application\n"
        "# column extent: cells, the grid in each of its dimensions\n"
        "# column form: text, plain (C with OpenMP), naive or stream\n"
        "# column how: text, block and height, or rows of a plain loop's block\n"
        "# column ms: ms, per loop\n"
        "# column spread: 1, interquartile range of ms over its median\n"
        "# column over_plain: 1, the plain loop's time over this form's\n"
        "# column roofline: 1, time of one loop's least bytes at copy bandwidth over this form's\n"
        "stencil\textent\tform\thow\tms\tspread\tover_plain\troofline\n",
        1e-9 * bandwidth, TURNS);
    for (int c = 0; c < (int)(sizeof cases / sizeof *cases); c++)
        if ((argc < 3 || strcmp(argv[2], cases[c].stencil) == 0) &&
            (argc < 4 || atoi(argv[3]) == cases[c].extent))
            status |= bench(device, c, bandwidth);
    gzk_device_close(device);
    return status;
}
