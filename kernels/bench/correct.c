/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * correct DEVICE [TABLE [STENCIL...]] - every stencil (or those named) in every variant and mode,
 * at several heights, streamed tiles in both layouts, with contraction and without, against the
 * serial reference: some 400 short runs, one line of a table for each. First come grids on which
 * each block of a fence takes several tiles. What a device lacks is stated in its line, and is not
 * a failure.
 *
 * With TABLE, lines are added to that file as they come, and what it has already is not run again,
 * so that an interrupted run goes on; without, the table goes to standard output. Exit status: 0 if
 * all that ran is right, 1 if not, 2 for a bad command line, 77 if there is no such device; 3 if
 * the device was lost in a run, or one took longer than 30 s: its line says so, and what is left is
 * for another process.
 */
#include "defaults.h"
#include "plan.h"
#include "serial.h"
#include "tiles.h"
#include "words.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEIGHTS = 3, LINE_SIZE = 2000, LONGEST_S = 30, LOST = 3 };

static const volatile sig_atomic_t never = 0;

/* Grids that are not a multiple of any tile, and blocks that leave room for a few loops at radius 1
 * and 2. */
static const int grids[4][3] = {{0}, {5003, 1, 1}, {211, 157, 1}, {37, 29, 23}};
static const int blocks[2][4][3] = {{{0}, {128, 1, 1}, {32, 16, 1}, {16, 8, 8}},
                                    {{0}, {128, 1, 1}, {32, 24, 1}, {16, 12, 12}}};

/* Grids with several tiles for each block that runs at once, and the stencils that they are for. */
static const int large_grids[4][3] = {{0}, {1 << 20, 1, 1}, {2048, 1536, 1}, {150, 150, 150}};
static const char *const on_large_grids[] = {"pathfinder", "hotspot", "star7", "star7vc"};

struct table {
    struct gzk_device *device;
    FILE *to;
    char *done; /* the lines that were there */
    int right, wrong, failed, absent;
    bool lost; /* the device is */
};

/* The line of a run that does not end. */
static struct {
    int to;
    size_t length;
    char line[LINE_SIZE];
} hung;

static void give_up(int number)
{
    (void)number;
    ssize_t written = write(hung.to, hung.line, hung.length);
    _exit(written < 0 ? 1 : LOST);
}

/* Should what follows not end on a GPU, this is its line. A CPU's compiler may take that long. */
static void watch(const struct table *table, const char *key)
{
    if (table->device->info.is_cpu)
        return;
    hung.to = fileno(table->to);
    hung.length = (size_t)snprintf(hung.line, sizeof hung.line,
                                   "%sfailed\t0\t0\t0\t%d\tit did not end in %d s\n", key,
                                   LONGEST_S, LONGEST_S);
    alarm(LONGEST_S);
}

static const char columns[] =
    "stencil\tvariant\tsync\tsize\tblock\tthreads\theight\tloops\tcontract\t"
    "status\twrong\tmax_error\ttolerance\tseconds\tnote\n";

/* Reads what the file has; a last line without its end was cut off, and is left out. */
static char *read_lines(FILE *file)
{
    size_t room = 1 << 20;
    char *text = calloc(1, room + 1);
    if (!text)
        return NULL;
    size_t length = fread(text, 1, room, file);
    while (length > 0 && text[length - 1] != '\n')
        length--;
    text[length] = '\0';
    return text;
}

/* Counts a line that was there by its status. */
static void count_line(struct table *table, const char *line)
{
    size_t length = strcspn(line, "\n");
    char copy[LINE_SIZE];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < LINE_SIZE - 1 ? length : LINE_SIZE - 1),
             line);
    table->right += strstr(copy, "\tright\t") != NULL;
    table->wrong += strstr(copy, "\twrong\t") != NULL;
    table->failed += strstr(copy, "\tfailed\t") != NULL;
    table->absent += strstr(copy, "\tabsent\t") != NULL;
}

/* Takes up the table at `path`, which has to be of the same device; -1 after a message. */
static int take_up(struct table *table, const char *path, const char *head)
{
    FILE *old = fopen(path, "r");
    if (old) {
        table->done = read_lines(old);
        fclose(old);
    }
    if (table->done && table->done[0] && strncmp(table->done, head, strlen(head)) != 0) {
        fprintf(stderr, "correct: %s is of another device: give another file, or remove it\n",
                path);
        return -1;
    }
    /* What follows a line that was cut off goes in its place. */
    if (table->done && truncate(path, (off_t)strlen(table->done)) != 0) {
        perror(path);
        return -1;
    }
    table->to = fopen(path, "a");
    if (!table->to) {
        perror(path);
        return -1;
    }
    if (!table->done || !table->done[0])
        fputs(head, table->to);
    for (const char *line = table->done; line && *line; line += strcspn(line, "\n") + 1)
        if (line[0] != '#' && strncmp(line, columns, 8) != 0)
            count_line(table, line);
    return fflush(table->to);
}

/* What identifies a line: its columns up to `contract`. */
static void key_of(const struct gzk_config *config, char *key, size_t size)
{
    int dimensions = config->stencil->dimensions;
    snprintf(key, size, "%s\t%s%s\t%s\t%s\t%s\t%s\t%d\t%ld\t%s\t", config->stencil->name,
             gzk_variants[config->variant].name, config->layout == GZK_LAYOUT_RING ? " ring" : "",
             gz_name(GZ_SYNCS, config->sync), gzk_extents_text(config->size, dimensions).text,
             gzk_extents_text(config->block, dimensions).text,
             gzk_extents_text(config->threads, dimensions).text, config->height, config->loops,
             config->contract ? "on" : "off");
}

/* Whether a line that begins with the key is there. */
static bool is_done(const struct table *table, const char *key)
{
    const char *at = table->done;
    while (at && (at = strstr(at, key)) && at > table->done && at[-1] != '\n')
        at++;
    return at != NULL;
}

/* Runs and compares. */
static int run(struct gzk_session *session, const struct gzk_config *config,
               const struct gzk_data *data, double *seconds, struct gzk_comparison *comparison,
               struct gzk_error *error)
{
    size_t bytes = gzk_state_bytes(config->stencil, data);
    void *result = malloc(bytes), *expected = malloc(bytes);
    struct gzk_serial serial = {config->stencil, data, config->loops};
    int status = result && expected ? gzk_session_run(session, config, &never, seconds, error)
                                    : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0)
        status = gzk_session_read(session, result, error);
    if (status == 0)
        status = gzk_reference_run(&serial, expected, NULL, error);
    if (status == 0)
        gzk_compare(&serial, result, expected, config->contract, comparison);
    free(result);
    free(expected);
    return status;
}

static void add_line(struct table *table, struct gzk_session *session,
                     const struct gzk_config *config, const struct gzk_data *data)
{
    char key[400];
    struct gzk_comparison comparison = {0};
    struct gzk_error error = {.text = ""};
    struct gzk_geometry geometry;
    double seconds = 0;
    key_of(config, key, sizeof key);
    /* What no device does is not the device's lack. */
    if (table->lost || gzk_geometry_make(config, &geometry, &error) != 0 || is_done(table, key))
        return;
    watch(table, key);
    int status = run(session, config, data, &seconds, &comparison, &error);
    alarm(0);
    table->lost = status == GZK_FAILED && gzk_device_is_lost(table->device);
    const char *what = status == GZK_INVALID  ? "absent"
                       : status != 0          ? "failed"
                       : comparison.wrong > 0 ? "wrong"
                                              : "right";
    table->absent += status == GZK_INVALID;
    table->failed += status != 0 && status != GZK_INVALID;
    table->wrong += status == 0 && comparison.wrong > 0;
    table->right += status == 0 && comparison.wrong == 0;
    fprintf(table->to, "%s%s\t%zu\t%.6g\t%.6g\t%.6g\t%s\n", key, what, comparison.wrong,
            comparison.max_error, comparison.tolerance, seconds, error.text);
    fflush(table->to);
}

/* The heights to try: 1, 2, and the highest that the block has room for, up to 8. */
static int choose_heights(const struct gzk_config *config, int heights[HEIGHTS])
{
    int most = gzk_max_height(config->stencil, config->block), count = 0;
    most = most > 8 ? 8 : most;
    for (int h = 1; h <= 2 && h <= most; h++)
        heights[count++] = h;
    if (most > 2)
        heights[count++] = most;
    return gzk_variants[config->variant].any_height ? count : 1;
}

/* Threads and layout that go with the height; false if the layout is the usual one anyway. */
static bool set_height(const struct table *table, int height, struct gzk_config *config)
{
    const struct gzk_device_info *info = &table->device->info;
    bool usual = false;
    config->height = height;
    config->loops = 2L * height + 3;
    for (int asked = config->layout, layout = 0; layout <= asked; layout++) {
        usual = config->columns;
        config->layout = (enum gzk_layout)layout;
        gzk_default_threads(config, info->max_threads, info->is_cpu);
        gzk_default_layout(config, info);
    }
    return config->layout == GZK_LAYOUT_DEVICE || usual;
}

static void check_variant(struct table *table, struct gzk_session *session,
                          const struct gzk_data *data, struct gzk_config config)
{
    int heights[HEIGHTS], count = choose_heights(&config, heights);
    gzk_default_block(&config);
    for (int sync = 0; sync < gzk_sync_count; sync++)
        for (int h = 0; h < count; h++)
            for (int contract = 0; contract < 2; contract++) {
                /* Contraction changes the arithmetic and nothing else: one height will do. */
                if ((contract && h != count - 1) || !set_height(table, heights[h], &config))
                    continue;
                config.sync = (gz_sync)sync;
                config.contract = contract;
                add_line(table, session, &config, data);
            }
}

/* Opens a grid with data for any height. */
static int open_grid(struct table *table, const struct gzk_config *config, struct gzk_data *data,
                     struct gzk_session **session, struct gzk_error *error)
{
    enum { MOST_LOOPS = 2 * 8 + 3 };
    *session = NULL;
    if (gzk_data_new(data, config->stencil, config->size, MOST_LOOPS, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    return gzk_session_new(table->device, config->stencil, data, session, error);
}

static int check_stencil(struct table *table, const struct gzk_stencil *stencil,
                         struct gzk_error *error)
{
    struct gzk_config config = {.stencil = stencil};
    struct gzk_session *session;
    struct gzk_data data;
    memcpy(config.size, grids[stencil->dimensions], sizeof config.size);
    int status = open_grid(table, &config, &data, &session, error);
    for (int v = 0; v < gzk_variant_count && status == 0; v++) {
        if (gzk_variants[v].on_host)
            continue;
        config.variant = (gz_variant)v;
        memcpy(config.block, blocks[stencil->radius[0] > 1][stencil->dimensions],
               sizeof config.block);
        /* A GPU takes no more threads than that; these variants need a thread for each cell. */
        while (gzk_variants[v].thread_per_cell &&
               config.block[0] * config.block[1] * config.block[2] >
                   table->device->info.max_threads)
            config.block[0]--;
        config.layout = GZK_LAYOUT_DEVICE;
        check_variant(table, session, &data, config);
        config.layout = GZK_LAYOUT_RING;
        if (gzk_variants[v].streamed)
            check_variant(table, session, &data, config);
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    return status;
}

/* Default trapezoids and streamed tiles of a large grid, in every mode. */
static int check_large_grid(struct table *table, const struct gzk_stencil *stencil,
                            struct gzk_error *error)
{
    static const gz_variant variants[] = {GZK_TRAPEZOID, GZK_STREAM};
    struct gzk_config config = {.stencil = stencil, .height = 2};
    struct gzk_session *session;
    struct gzk_data data;
    memcpy(config.size, large_grids[stencil->dimensions], sizeof config.size);
    int status = open_grid(table, &config, &data, &session, error);
    for (int v = 0; v < 2 && status == 0; v++)
        for (int sync = 0; sync < gzk_sync_count; sync++) {
            config.variant = variants[v];
            config.sync = (gz_sync)sync;
            gzk_default_tile(&config, &table->device->info, 0);
            set_height(table, config.height, &config);
            add_line(table, session, &config, &data);
        }
    gzk_session_free(session);
    gzk_data_free(&data);
    return status;
}

int main(int argc, char **argv)
{
    struct table table = {.to = stdout};
    struct gzk_error error = {.text = ""};
    char head[1000];
    char **words = argv + (argc < 3 ? argc : 3);
    cli_set_program("correct");
    if (argc < 2)
        return cli_fail(CLI_BAD_INPUT, "give DEVICE [TABLE [STENCIL...]]");
    int status = check_stencils(words);
    if (status != 0)
        return status;
    status = gzk_device_open(argv[1], &table.device, &error);
    if (status != 0)
        return cli_fail(status, "%s", error.text);
    snprintf(head, sizeof head, "# against the serial reference, on %s (%s)\n%s",
             table.device->info.name, table.device->info.driver, columns);
    if (argc < 3)
        fputs(head, table.to);
    else if (take_up(&table, argv[2], head) != 0)
        status = 2;
    if (status == 0)
        cli_write_call(table.to, argc, argv);
    signal(SIGALRM, give_up);
    for (size_t s = 0; s < sizeof on_large_grids / sizeof *on_large_grids && status == 0; s++)
        if (is_asked_for(on_large_grids[s], words) && !table.lost)
            status = check_large_grid(&table, gzk_stencil_find(on_large_grids[s]), &error);
    for (size_t s = 0; s < gzk_stencil_count && status == 0 && !table.lost; s++)
        if (is_asked_for(gzk_stencils[s]->name, words))
            status = check_stencil(&table, gzk_stencils[s], &error);
    if (status == GZK_FAILED)
        fprintf(stderr, "correct: %s\n", error.text);
    fprintf(stderr, "correct: %d right, %d wrong, %d failed, %d absent\n", table.right, table.wrong,
            table.failed, table.absent);
    bool written = fclose(table.to) == 0;
    free(table.done);
    gzk_device_close(table.device);
    if (table.lost)
        return LOST;
    return status != 0 ? status : table.wrong + table.failed > 0 || !written;
}
