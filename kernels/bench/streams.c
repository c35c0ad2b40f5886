/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streams [DEVICE [STENCIL [EXTENT]]] - streamed tiles against plain loops in C with OpenMP, the
 * naive kernel, and the memory's roofline, all in one run. Prints TSV, a row for each case and
 * form, which `plots/draw.sh stream_roofline TABLE FOLDER` draws; lines with # say what.
 *
 * Of the plain loop, blocks of several sizes, stores past the cache and vectors of two widths are
 * tried; of the streamed tile, heights around the default one; of each the best counts. Both have
 * huge pages, each of their threads a core of its own. Then they alternate, and a ratio is the
 * median of those of the turns, so that whatever else the machine does meets both alike.
 */
#include "defaults.h"
#include "host.h"
#include "numbers.h"
#include "options.h"
#include "output.h"
#include "plain.h"
#include "registry.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const char *stencil;
    int extent; /* of the grid, in all the stencil's dimensions */
} cases[] = {{"star7", 256}, {"star7", 100},    {"star13", 256},   {"star7vc", 256}, {"gsrb", 256},
             {"box27", 256}, {"hotspot", 4096}, {"poisson", 4096}, {"hotspot", 1024}};

enum { CASES = sizeof cases / sizeof *cases, TURNS = 7, QUICK_RUNS = 2 };

/* Loops of one run: about this much work, in cells. */
static const double run_cells = 4e8;

/* One case's grid, on the host and on the device. */
struct field {
    struct gzk_device *device;
    const struct gzk_stencil *stencil;
    const struct plain_loop *plain[2]; /* by plain_shape.narrow */
    struct gzk_grid grid;
    struct gzk_data host; /* the same, its arrays in huge pages, for the plain loop */
    void *states[2];
    long loops; /* of a run of the plain loop */
};

/* Seconds per loop of the plain loop, of so many of them. */
static double time_plain(const struct field *field, struct plain_shape shape, long loops)
{
    double begin = cli_now();
    for (long loop = 0; loop < loops; loop++)
        field->plain[shape.narrow]->run(&field->host, loop, field->states[loop % 2],
                                        field->states[1 - loop % 2], shape);
    return (cli_now() - begin) / (double)loops;
}

/* Seconds per loop of a kernel, the best of a few runs; 0 if the device cannot run it. */
static double time_kernel(const struct field *field, const struct gzk_config *config, int runs)
{
    static struct gzk_timing timing;
    struct gzk_effort effort = {.runs = runs, .stop = &gzk_never};
    struct gzk_error error = {0};
    double least = 0;

    if (gzk_time_config(field->grid.session, config, &effort, &timing, &error) != 0)
        return 0;
    for (int i = 0; i < timing.runs; i++)
        if (least == 0 || timing.seconds[i] < least)
            least = timing.seconds[i];
    return least / (double)config->loops;
}

static size_t state_bytes(const struct field *field)
{
    return gzk_state_bytes(field->stencil, &field->grid.data);
}

/* Whether two plain loops, one of each width of vectors and one past the cache, agree with two of
 * the serial reference. */
static bool plain_is_right(struct field *field)
{
    struct gzk_serial serial = {field->stencil, &field->grid.data, 2};
    struct plain_shape shape = {.rows = field->grid.data.size[1]};
    struct gzk_comparison comparison;
    struct gzk_error error = {0};

    memcpy(field->states[0], field->grid.data.state, state_bytes(field));
    field->plain[0]->run(&field->host, 0, field->states[0], field->states[1], shape);
    shape.bypass = shape.narrow = true;
    field->plain[1]->run(&field->host, 1, field->states[1], field->states[0], shape);
    if (gzk_reference_run(&serial, field->states[1], NULL, &error) != 0)
        return false;
    gzk_compare(&serial, field->states[0], field->states[1], true, &comparison);
    return comparison.wrong == 0;
}

static struct plain_shape best_plain(const struct field *field)
{
    static const int rows[] = {8, 16, 32, 64, 1 << 20};
    enum { ROWS = sizeof rows / sizeof *rows, SHAPES = 4 * ROWS };
    struct plain_shape best = {0};
    double least = 0;

    /* In two dimensions rows are not blocked. */
    for (int i = field->stencil->dim == 3 ? 0 : SHAPES - 4; i < SHAPES; i++) {
        struct plain_shape shape = {.rows = rows[i / 4], .bypass = i % 2, .narrow = i / 2 % 2};
        if (shape.rows > field->grid.data.size[1])
            shape.rows = field->grid.data.size[1];
        for (int run = 0; run < QUICK_RUNS; run++) {
            double s = time_plain(field, shape, (field->loops + 3) / 4);
            if (least == 0 || s < least) {
                least = s;
                best = shape;
            }
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

    memcpy(config.size, field->grid.data.size, sizeof config.size);
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

/* An array as the device's are: in huge pages, which all threads together touched first. */
static void *new_array(size_t bytes, int threads)
{
    void *array = gzk_host_new(bytes);
    gzk_host_huge(array, bytes);
    gzk_host_touch(array, bytes, threads);
    return array;
}

/* Bytes per second of the fastest of several copies, counting each byte that is read and each that
 * is written. As memcpy stores them, the processor reads the lines that it overwrites too, which is
 * not counted; past the cache it does not. */
static double copy_bandwidth(bool bypass, int threads)
{
    enum { RUNS = 9 };
    const size_t bytes = (size_t)256 << 20;
    char *from = new_array(bytes, threads), *to = new_array(bytes, threads);
    double least = 0;

    if (from && to) {
        gzk_host_set(from, 1, bytes, threads);
        for (int run = 0; run < RUNS; run++) {
            double begin = cli_now();
            plain_copy(from, to, bytes, bypass);
            double s = cli_now() - begin;
            if (least == 0 || s < least)
                least = s;
        }
    }
    gzk_host_free(from, bytes);
    gzk_host_free(to, bytes);
    return least > 0 ? 2.0 * (double)bytes / least : 0;
}

enum form { PLAIN, NAIVE, STREAM, FORMS };
static const char *const form_names[FORMS] = {"plain", "naive", "stream"};

static void print_rows(const struct field *field, double seconds[FORMS][TURNS], double bandwidth,
                       char how[FORMS][64])
{
    double bytes = (double)field->grid.data.cells * gzk_bytes_per_cell(field->stencil, 1);
    double ratio[FORMS];

    for (int form = 0; form < FORMS; form++) { /* before the turns are sorted */
        double turns[TURNS];
        for (int turn = 0; turn < TURNS; turn++)
            turns[turn] = seconds[PLAIN][turn] / seconds[form][turn];
        cli_sort(turns, TURNS);
        ratio[form] = cli_quantile(turns, TURNS, 0.5);
    }
    for (int form = 0; form < FORMS; form++) {
        cli_sort(seconds[form], TURNS);
        double middle = cli_quantile(seconds[form], TURNS, 0.5);
        printf("%s\t%d\t%s\t%s\t%.5g\t%.3g\t%.4g\t%.4g\n", field->stencil->name,
               field->grid.data.size[0], form_names[form], how[form], 1e3 * middle,
               cli_spread(seconds[form], TURNS), ratio[form], bytes / bandwidth / middle);
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
        seconds[PLAIN][turn] = time_plain(field, shape, field->loops);
        seconds[STREAM][turn] = time_kernel(field, &stream, 1);
        seconds[NAIVE][turn] = time_kernel(field, &naive, 1);
        if (!(seconds[STREAM][turn] > 0) || !(seconds[NAIVE][turn] > 0))
            return cli_fail(CLI_FAILED, "%s: the device cannot run it", field->stencil->name);
    }
    snprintf(how[PLAIN], sizeof how[PLAIN], "%d rows%s%s", shape.rows,
             shape.bypass ? ", past the cache" : "", shape.narrow ? ", vectors of 256 bits" : "");
    snprintf(how[NAIVE], sizeof how[NAIVE], "%dx%dx%d", naive.block[0], naive.block[1],
             naive.block[2]);
    snprintf(how[STREAM], sizeof how[STREAM], "%dx%dx%d, height %d", stream.block[0],
             stream.block[1], stream.block[2], stream.height);
    print_rows(field, seconds, bandwidth, how);
    return 0;
}

static const struct plain_loop *find_plain(const struct plain_loop *loops, const char *stencil)
{
    while (loops->stencil && strcmp(loops->stencil, stencil) != 0)
        loops++;
    return loops->stencil ? loops : NULL;
}

static int bench(struct gzk_device *device, int c, double bandwidth, int threads)
{
    struct field field = {.device = device, .stencil = gzk_stencil_find(cases[c].stencil)};
    struct gzk_error error = {0};
    int size[3], status = 0;
    size_t bytes, aux_bytes;

    field.plain[0] = find_plain(plain_loops, cases[c].stencil);
    field.plain[1] = find_plain(plain_narrow_loops, cases[c].stencil);
    for (int i = 0; i < 3; i++)
        size[i] = i < field.stencil->dim ? cases[c].extent : 1;
    if (gzk_grid_open(&field.grid, device, field.stencil, size, 1, 1, &error) != 0) {
        gzk_grid_close(&field.grid);
        return cli_fail(CLI_FAILED, "%s: %s", field.stencil->name, error.text);
    }
    bytes = state_bytes(&field);
    aux_bytes = field.grid.data.stride * (size_t)field.stencil->coefficient_arrays *
                (size_t)field.stencil->bytes;
    field.loops = (long)(run_cells / (double)field.grid.data.cells);
    field.states[0] = new_array(bytes, threads);
    field.states[1] = new_array(bytes, threads);
    field.host = field.grid.data;
    field.host.aux = new_array(aux_bytes, threads);
    if (!field.states[0] || !field.states[1] || !field.host.aux) {
        status = cli_fail(CLI_FAILED, "%s: out of host memory", field.stencil->name);
    } else {
        gzk_host_copy(field.host.aux, field.grid.data.aux, aux_bytes, threads);
        if (plain_is_right(&field))
            status = compare(&field, bandwidth);
        else
            status = cli_fail(CLI_FAILED, "%s: the plain loop is wrong", field.stencil->name);
    }
    gzk_grid_close(&field.grid);
    gzk_host_free(field.host.aux, aux_bytes);
    gzk_host_free(field.states[0], bytes);
    gzk_host_free(field.states[1], bytes);
    return status;
}

/* Takes the cases of a command line: all, those of a stencil, or its first on a grid of so many
 * cells an edge. */
static int ask(int argc, char **argv, bool asked[CASES])
{
    int found = 0;
    double extent = 0;
    if (argc == 4 && cli_read_in_range("EXTENT", argv[3], true, 16, 1 << 15, &extent) != CLI_DONE)
        return CLI_BAD_INPUT;
    for (int c = 0; c < CASES && argc <= 4; c++) {
        asked[c] = argc < 3 || (strcmp(argv[2], cases[c].stencil) == 0 && !(extent > 0 && found));
        found += asked[c];
        if (asked[c] && extent > 0)
            cases[c].extent = (int)extent;
    }
    return found ? CLI_DONE
                 : cli_fail(CLI_BAD_INPUT,
                            "no such case: give DEVICE [STENCIL [EXTENT]], such as opencl:0 %s %d",
                            cases[0].stencil, cases[0].extent);
}

int main(int argc, char **argv)
{
    struct gzk_device *device;
    struct gzk_error error = {0};
    double through, past;

    cli_set_program("streams");
    bool asked[CASES] = {false};
    int status = ask(argc, argv, asked);
    if (status != CLI_DONE)
        return status;
    if (gzk_device_open(argc > 1 ? argv[1] : NULL, &device, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int threads = plain_pin();
    through = copy_bandwidth(false, threads);
    past = copy_bandwidth(true, threads);
    printf("# streamed tiles against plain loops in C with OpenMP\n"
           "# device: %s, %s, %d multiprocessors (%s)\n",
           device->info.name, device->info.driver, device->info.units, device->info.address);
    cli_write_call(stdout, argc, argv);
    printf("# host's copy bandwidth, %d threads, bytes read plus bytes written, 256 MiB each: "
           "%.3g GB/s past the cache, %.3g GB/s by memcpy, which reads what it overwrites, too, "
           "uncounted\n"
           "# medians of %d turns, in which the forms alternate\n"
           "# column stencil: text, the application\n"
           "# column extent: cells, the grid in each of its dimensions\n"
           "# column form: text, plain (C with OpenMP), naive or stream\n"
           "# column how: text, block and height, or rows of a plain loop's block\n"
           "# column ms: ms, per loop\n"
           "# column spread: 1, interquartile range of ms over its median\n"
           "# column over_plain: 1, the plain loop's time over this form's\n"
           "# column roofline: 1, time of one loop's least bytes at the larger copy bandwidth over "
           "this form's\n"
           "stencil\textent\tform\thow\tms\tspread\tover_plain\troofline\n",
           threads, 1e-9 * past, 1e-9 * through, TURNS);
    for (int c = 0; c < CASES; c++)
        if (asked[c])
            status |= bench(device, c, past > through ? past : through, threads);
    gzk_device_close(device);
    return cli_write(NULL, "", 0) | status;
}
