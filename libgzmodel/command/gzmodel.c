/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmodel.c - the model on the command line. A command reads its inputs, computes all of its
 * result into memory, and only then writes.
 */
#include "files.h"
#include "numbers.h"
#include "options.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options of gzmodel alone. */
enum {
    OPTION_BEYOND = CLI_FIRST_OWN,
    OPTION_MODEL = CLI_FIRST_OWN << 1,
    OPTION_THREADS = CLI_FIRST_OWN << 2,
    OPTION_VARIANT = CLI_FIRST_OWN << 3,
    OPTION_TOP = CLI_FIRST_OWN << 4,
    OPTION_MAX_THREADS = CLI_FIRST_OWN << 5,
    OPTION_LOCAL_MEMORY = CLI_FIRST_OWN << 6,
    OPTION_MAX_HEIGHT = CLI_FIRST_OWN << 7,
    OPTION_STEP = CLI_FIRST_OWN << 8,
    OPTION_LOOPS = CLI_FIRST_OWN << 9,
    OPTION_PIECE = CLI_FIRST_OWN << 10,
    OPTION_SMOOTH = CLI_FIRST_OWN << 11,
    OPTION_CYCLE = CLI_FIRST_OWN << 12,
    OPTION_DEPTH = CLI_FIRST_OWN << 13,
    OPTION_TAIL = CLI_FIRST_OWN << 14,
    OPTION_LEVELS = OPTION_CYCLE, /* both are vcycle's alone */
    OPTION_RANKS = CLI_FIRST_OWN << 15
};

/* Candidates that tune prints unless --top says how many, and at most. */
#define USUAL_TOP 5
#define MOST_TOP 1000

static struct own {
    gz_model model;
    gz_variant variant;
    struct cli_extents threads, step;
    double top, max_threads, local_memory, max_height, loops, piece;
    struct cli_numbers smooth, depths;
    gz_cycle cycle;
    int levels;
    double tail;
    int ranks[GZI_ANSWER_COUNTS], rank_counts; /* how many ranks, one run each */
    const char *network;
} own;

/* Numbers of ranks: "1,8,64", and ranges that double, "1:64", up to the end, which is one of them.
 */
static int read_ranks(void *into, const char *text)
{
    struct own *to = into;
    const char *at = text;
    to->rank_counts = 0;
    for (int more = 1; more;) {
        char *end;
        long first = strtol(at, &end, 10), last = *end == ':' ? strtol(end + 1, &end, 10) : first;
        more = *end == ',';
        if (first < 1 || last < first || last > GZI_ANSWER_RANKS || (*end && !more) ||
            strspn(at, "0123456789") == 0)
            return cli_fail(CLI_BAD_INPUT,
                            "--ranks: \"%.60s\" is wrong: must be numbers from 1 to %d and ranges "
                            "of them, 1,6,8:64 for example",
                            text, GZI_ANSWER_RANKS);
        for (long n = first;; n = 2 * n < last ? 2 * n : last) {
            if (to->rank_counts == GZI_ANSWER_COUNTS)
                return cli_fail(CLI_BAD_INPUT, "--ranks: more than %d numbers", GZI_ANSWER_COUNTS);
            to->ranks[to->rank_counts++] = (int)n;
            if (n == last)
                break;
        }
        at = end + 1;
    }
    return CLI_DONE;
}

static int read_smooth(void *into, const char *text)
{
    struct cli_numbers *loops = &((struct own *)into)->smooth;
    int status = cli_read_sequence("--smooth", text, 0, 1000, loops);
    return status == CLI_DONE && loops->count > 2
               ? cli_fail(CLI_BAD_INPUT,
                          "--smooth: \"%.60s\" has more than two numbers: must be the loops before "
                          "and after the correction",
                          text)
               : status;
}

static int read_depths(void *into, const char *text)
{
    struct cli_numbers *depths = &((struct own *)into)->depths;
    depths->count = 0;
    if (strcmp(text, "auto") == 0)
        return CLI_DONE;
    int status = cli_read_sequence("--depth", text, 1, GZ_MAX_DEPTH, depths);
    return status == CLI_DONE && depths->count > GZ_MAX_LEVELS
               ? cli_fail(CLI_BAD_INPUT, "--depth: %zu depths: must be at most %d, one a level",
                          depths->count, GZ_MAX_LEVELS)
               : status;
}

static const struct cli_option own_options[] = {
    {OPTION_BEYOND, 0, "beyond", NULL, "accept a block of more threads than the device allows",
     .as = CLI_FLAG},
    {OPTION_MODEL, 0, "model", "NAME",
     "model that predicts: meng2011, gz2 or auto (the default: gz2 if the files have what it "
     "needs)",
     .as = CLI_NAME, .kind = GZ_MODELS, .at = offsetof(struct own, model)},
    {OPTION_THREADS, 0, "threads", "LxLxL",
     "threads of a block (default: one per element of the tile)", .as = CLI_EXTENTS,
     .at = offsetof(struct own, threads)},
    {OPTION_VARIANT, 0, "variant", "NAME",
     "how a tile is computed: trapezoid (the default; of tune: all), stream or naive",
     .as = CLI_NAME, .kind = GZ_VARIANTS, .at = offsetof(struct own, variant)},
    {OPTION_PIECE, 0, "piece", "L",
     "elements along the last dimension that a tile of variant stream commits (default: all)",
     .as = CLI_WHOLE, .at = offsetof(struct own, piece), .least = 1, .most = 1e15},
    {OPTION_TOP, 0, "top", "N", "tune: candidates to print (default: 5)", .as = CLI_WHOLE,
     .at = offsetof(struct own, top), .least = 1, .most = MOST_TOP},
    {OPTION_MAX_THREADS, 0, "max-threads", "N", "tune: threads of a block (default: the device's)",
     .as = CLI_WHOLE, .at = offsetof(struct own, max_threads), .least = 1, .most = 1e15},
    {OPTION_LOCAL_MEMORY, 0, "local-memory", "BYTES",
     "tune: local memory of a block (default: the device's)", .as = CLI_WHOLE,
     .at = offsetof(struct own, local_memory), .least = 1, .most = 1e15},
    {OPTION_LOOPS, 0, "loops", "N",
     "loops of the run, for gz2 and applications that read something new in each (default: 30)",
     .as = CLI_WHOLE, .at = offsetof(struct own, loops), .least = 1, .most = 1e9},
    {OPTION_MAX_HEIGHT, 0, "max-height", "H", "tune: largest height (default: no limit)",
     .as = CLI_WHOLE, .at = offsetof(struct own, max_height), .least = 1, .most = 1e9},
    {OPTION_STEP, 0, "step", "LxLxL", "tune: tile's extents are multiples of this (default: 1)",
     .as = CLI_EXTENTS, .at = offsetof(struct own, step)},
    {OPTION_SMOOTH, 0, "smooth", "N,N",
     "vcycle: loops of the smoother before the coarse correction and after it (default: 2,2)",
     .read = read_smooth},
    {OPTION_CYCLE, 0, "cycle", "KIND", "vcycle: v (the default), w or f", .as = CLI_NAME,
     .kind = GZ_CYCLES, .at = offsetof(struct own, cycle)},
    {OPTION_DEPTH, 0, "depth", "LIST",
     "vcycle: loops of a stage by level, the last for all others; auto: the fastest (the default)",
     .read = read_depths},
    {OPTION_TAIL, 0, "tail", "N",
     "vcycle: levels of at most N elements are computed by one worker (default: 4096)",
     .as = CLI_WHOLE, .at = offsetof(struct own, tail), .least = 0, .most = 1e15},
    {OPTION_LEVELS, 0, "levels", "N", "vcycle: levels at most (default: as many as there are)",
     .as = CLI_INT, .at = offsetof(struct own, levels), .least = 1, .most = GZ_MAX_LEVELS},
    {OPTION_RANKS, 'n', "ranks", "LIST", "ranks: how many; a list, or a range that doubles, 1:4096",
     .read = read_ranks},
    {OPTION_RANKS, 0, "network", "NAME",
     "ranks: nvlink-4, infiniband-hdr, infiniband-ndr (the default), slingshot-11, or a file",
     .as = CLI_FILE, .at = offsetof(struct own, network)},
    {0},
};

static const struct cli_program program = {
    .name = "gzmodel",
    .usage = "Usage: gzmodel predict     -d DEVICE -a APP -s SIZE -b BLOCK -H HEIGHT\n"
             "       gzmodel optimize    -d DEVICE -a APP -s SIZE [-b BLOCK]\n"
             "       gzmodel choose      -d DEVICE -a APP -s SIZE -b BLOCK\n"
             "       gzmodel sensitivity -d DEVICE -a APP -s SIZE -b BLOCK\n"
             "       gzmodel tune        -d DEVICE -a APP -s SIZE [-b BLOCK] [-y MODE] [--top N]\n"
             "       gzmodel vcycle      -d DEVICE -a APP -s SIZE [--smooth 2,2] [--cycle v] "
             "[--depth 4,2]\n"
             "       gzmodel list        [-d NAME | -a NAME]\n"
             "\n"
             "The predicted cost of iterative stencil loops on a GPU with ghost zones:\n"
             "  predict      cycles per loop at a trapezoid height, and what they consist of\n"
             "  optimize     the best height; without -b, the best block too\n"
             "  choose       kernel restarts or memory fences\n"
             "  sensitivity  all parameters, ranked by how much they change the optimum\n"
             "  tune         the best tiles, heights and kinds of synchronisation, ranked\n"
             "  vcycle       a multigrid cycle by level: the best depth, and what it takes\n"
             "  ranks        a grid divided among ranks: layout, loops between exchanges, height\n"
             "  list         what is built in; with -d or -a, that file's text\n",
    .more = "Exit status: 0 done, 1 failed, 2 the command line or an input was wrong.\n"
            "See gzmodel(1), and gzmodel-files(5) for device and application files.\n",
    .commands = "predict optimize choose tune sensitivity vcycle ranks list",
    .takes = CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK | CLI_SYNC | CLI_HEIGHT | CLI_TAU |
             CLI_JSON | CLI_OUTPUT | CLI_LIST | CLI_QUIET | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &own,
};

/* What a command makes: text for people into `to`, or JSON into `*json` if that is NULL. */
struct result {
    FILE *to;
    json_t *json;
    gzi_run run;                       /* what it is computed for */
    char profile_device[GZ_NAME_SIZE]; /* of counts that are another device's, else "" */
};

/* ------------------------------------------------------------------------------------- failures */

/* Whether a failure of the library is the input's fault. */
static int exit_of(gz_status status)
{
    return status == GZ_ECONVERGE || status == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT;
}

/* Fails as the library says. */
static int library_failed(gz_status status, const gz_error *error)
{
    return cli_fail(exit_of(status), "%s", error->text);
}

/* ---------------------------------------------------------------------------------------- inputs
 */

/* Checks that the options a command needs were given; says which is missing and what to write. */
static int require(const struct cli_options *options, unsigned needed, const char *command)
{
    static const struct {
        unsigned bit;
        const char *text;
    } texts[] = {
        {CLI_DEVICE, "a device: -d gtx280, or -d FILE"},
        {CLI_APP, "an application: -a hotspot, or -a FILE"},
        {CLI_SIZE, "a grid: -s 2000x2000"},
        {CLI_BLOCK, "a block: -b 20x20"},
        {CLI_HEIGHT, "a height: -H 2"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].bit & needed & ~options->given)
            return cli_fail(CLI_BAD_INPUT, "%s needs %s", command, texts[k].text);
    return CLI_DONE;
}

/* Device, application and configuration from the options. A block that was not given is set to the
 * smallest that leaves a tile, so that everything else can be checked; `any_threads`: its threads
 * are not. */
static int open_run(const struct cli_options *options, int any_threads, struct result *result)
{
    gzi_run *run = &result->run;
    gz_error error;
    gz_status opened = gz_device_open(options->device, &run->dev, &error);
    if (!opened)
        opened = gz_app_open(options->app, options->device, &run->app, &error);
    if (opened)
        return cli_fail(exit_of(opened), "%s", error.text);
    run->cfg = (gz_config){.sync = options->sync,
                           .tau = options->tau,
                           .variant = own.variant,
                           .loops = own.loops,
                           .stream_len = own.piece,
                           .beyond = (options->given & OPTION_BEYOND) != 0};
    if (options->given & OPTION_PIECE && own.variant != GZ_VARIANT_STREAM)
        return cli_fail(CLI_BAD_INPUT,
                        "--piece: tiles of variant %s have no stream: leave it out, or give "
                        "--variant stream",
                        gz_name(GZ_VARIANTS, own.variant));
    int status = cli_lengths("--size", &options->size, &run->app, run->cfg.data_length);
    int has_block = (options->given & CLI_BLOCK) != 0;
    if (!status && has_block)
        status = cli_lengths("--block", &options->block, &run->app, run->cfg.block_len);
    if (!status && options->given & OPTION_THREADS)
        status = cli_lengths("--threads", &own.threads, &run->app, run->cfg.threads);
    if (status)
        return status;
    gz_config checked = run->cfg;
    for (int i = 0; !has_block && i < run->app.dim; i++)
        checked.block_len[i] = run->app.halo_width[i] + 1;
    checked.beyond |= !has_block || any_threads;
    gzi_answer_settle(run, own.model);
    checked.model = run->cfg.model;
    gz_status valid = gz_check(&run->dev, &run->app, &checked, &error);
    if (valid)
        return cli_fail(exit_of(valid), "%s", error.text);
    if (!gz_profile_matches(&run->dev, &run->app)) {
        memcpy(result->profile_device, run->app.profile_device, sizeof result->profile_device);
        cli_fail(0, "%s: instructions counted on %s%s, not on %s (gz-calibrate counts there)",
                 run->app.key, run->app.profile_device,
                 gz_quantity_stated(&run->app.profile_sm_count)
                     ? ""
                     : " (how many multiprocessors is not stated)",
                 run->dev.name);
    }
    return CLI_DONE;
}

/* -------------------------------------------------------------------------------------- commands
 */

/* Says so if the grid has not even one whole tile, of which the model counts a part while kernels
 * run one. */
static void note_small_grid(const gzi_run *run, const gz_prediction *prediction)
{
    char grid[64];
    if (!(prediction->t < 1))
        return;
    cli_lengths_text(run->app.dim, run->cfg.data_length, grid, sizeof grid);
    cli_fail(0,
             "the grid %s is smaller than one tile: the model counts %.3g of a trapezoid a stage, "
             "kernels run one",
             grid, prediction->t);
}

static int predict(const struct cli_options *options, struct result *result)
{
    const gzi_run *run = &result->run;
    gz_prediction prediction;
    gz_uncertainty room;
    const gz_uncertainty *spread;
    int status = open_run(options, 0, result);
    if (status)
        return status;
    gz_error error;
    gz_status failed =
        gz_predict(&run->dev, &run->app, &run->cfg, options->height, &prediction, &error);
    if (!failed)
        failed = gzi_answer_spread(run, options->height, &room, &spread, &error);
    if (failed)
        return library_failed(failed, &error);
    note_small_grid(run, &prediction);
    if (result->to)
        report_predict(result->to, run, &prediction, spread);
    else
        result->json = gzi_answer_predict(run, &prediction, spread);
    if (result->json)
        json_object_set_new(result->json, "height", json_real(options->height));
    return CLI_DONE;
}

/* The prediction that the best height is compared with (see report_optimize). */
static gz_status compare_with(const gzi_run *run, const gz_optimum *optimum, gz_prediction *room,
                              const gz_prediction **other, gz_error *error)
{
    double h = optimum->integer > 1 ? 1 : 2;
    *other = h <= optimum->height_max ? room : NULL;
    return *other ? gz_predict(&run->dev, &run->app, &run->cfg, h, room, error) : GZ_OK;
}

static int optimize(const struct cli_options *options, struct result *result)
{
    gzi_run *run = &result->run;
    gz_optimum optimum;
    int search = !(options->given & CLI_BLOCK);
    if (search && options->given & OPTION_BEYOND)
        return cli_fail(CLI_BAD_INPUT, "--beyond needs a block: -b 40x40");
    int status = open_run(options, 0, result);
    if (status)
        return status;
    gz_prediction other_room;
    const gz_prediction *other;
    gz_uncertainty room;
    const gz_uncertainty *spread;
    gz_error error;
    gz_status failed = gzi_answer_optimum(run, search, &optimum, &error);
    if (!failed)
        failed = compare_with(run, &optimum, &other_room, &other, &error);
    if (!failed)
        failed = gzi_answer_spread(run, optimum.integer, &room, &spread, &error);
    if (failed)
        return library_failed(failed, &error);
    note_small_grid(run, &optimum.prediction);
    if (result->to)
        report_optimize(result->to, run, &optimum, other, search, spread);
    else
        result->json = gzi_answer_optimize(run, &optimum, spread);
    return CLI_DONE;
}

static int choose(const struct cli_options *options, struct result *result)
{
    const gzi_run *run = &result->run;
    gz_choice choice;
    int status = open_run(options, 0, result);
    if (status)
        return status;
    gz_error error;
    gz_status failed = gz_choose(&run->dev, &run->app, &run->cfg, &choice, &error);
    if (failed)
        return library_failed(failed, &error);
    note_small_grid(run, &choice.restart.prediction);
    if (result->to)
        report_choose(result->to, run, &choice);
    else
        result->json = gzi_answer_choose(run, &choice);
    return CLI_DONE;
}

static int sensitivity(const struct cli_options *options, struct result *result)
{
    const gzi_run *run = &result->run;
    gz_sensitivity found;
    int status = open_run(options, 0, result);
    if (status)
        return status;
    gz_error error;
    gz_status failed = gz_sensitivity_at_optimum(&run->dev, &run->app, &run->cfg, &found, &error);
    if (failed)
        return library_failed(failed, &error);
    if (result->to)
        report_sensitivity(result->to, run, &found);
    else
        result->json = gzi_answer_sensitivity(run, &found);
    return CLI_DONE;
}

/* What tune searches. */
static int request_of(const struct cli_options *options, const gzi_run *run,
                      gz_tune_request *request)
{
    *request = (gz_tune_request){
        .model = run->asked,
        .tau = run->cfg.tau,
        .loops = run->cfg.loops,
        .syncs = options->given & CLI_SYNC ? 1u << options->sync : 0,
        .variants = options->given & OPTION_VARIANT ? 1u << own.variant : 0,
        .limits = {.threads = own.max_threads,
                   .shared_bytes = own.local_memory,
                   .height_max = own.max_height},
        .z = GZI_ANSWER_Z,
    };
    memcpy(request->data_length, run->cfg.data_length, sizeof request->data_length);
    memcpy(request->block_len, run->cfg.block_len, sizeof request->block_len);
    return options->given & OPTION_STEP
               ? cli_lengths("--step", &own.step, &run->app, request->limits.block_step)
               : CLI_DONE;
}

static int tune(const struct cli_options *options, struct result *result)
{
    static gz_candidate candidates[MOST_TOP];
    gzi_run *run = &result->run;
    gz_tune_request request;
    gz_error left_out[GZ_VARIANT_CAPACITY];
    gz_error error;
    size_t top = options->given & OPTION_TOP ? (size_t)own.top : USUAL_TOP, found;
    int status = open_run(options, 1, result);
    if (!status)
        status = request_of(options, run, &request);
    if (status)
        return status;
    gz_status failed = gzi_answer_ideas(run, &request, candidates, top, &found, left_out, &error);
    if (failed == GZ_ELIMITS)
        return cli_fail(CLI_BAD_INPUT, "%s (options: --step, --local-memory, --max-threads, -b)",
                        error.text);
    if (failed)
        return library_failed(failed, &error);
    run->cfg = candidates[0].config;
    for (int v = 0; result->to && v < GZ_VARIANT_CAPACITY; v++)
        if (left_out[v].text[0])
            cli_fail(0, "variant %s is left out: %s", gz_name(GZ_VARIANTS, v), left_out[v].text);
    if (result->to)
        report_tune(result->to, run, candidates, found);
    else
        result->json = gzi_answer_tune(run, candidates, found, left_out);
    return CLI_DONE;
}

/* A multigrid's cycle with such a smoother. */
static int vcycle(const struct cli_options *options, struct result *result)
{
    static const double usual[] = {2, 2};
    const double *loops = own.smooth.count > 0 ? own.smooth.values : usual;
    gzi_run *run = &result->run;
    gz_vcycle_request request = {.cycle = own.cycle,
                                 .levels = own.levels,
                                 .tail = options->given & OPTION_TAIL ? own.tail : GZI_ANSWER_TAIL,
                                 .z = GZI_ANSWER_Z};
    gz_vcycle_time time;
    gz_error error;
    int status = open_run(options, 1, result);
    if (!status)
        status = request_of(options, run, &request.smoother);
    if (status)
        return status;
    for (int side = 0; side < 2; side++)
        request.loops[side] = (int)loops[own.smooth.count == 1 ? 0 : side];
    size_t depths = own.depths.count;
    for (size_t k = 0; k < GZ_MAX_LEVELS && depths > 0; k++)
        request.depth[k] = (int)own.depths.values[k < depths ? k : depths - 1];
    gz_status failed = gz_vcycle(&run->dev, &run->app, &request, &time, &error);
    if (failed)
        return library_failed(failed, &error);
    if (result->to)
        report_vcycle(result->to, run, &request, &time);
    else
        result->json = gzi_answer_vcycle(run, &request, &time);
    return CLI_DONE;
}

/* A grid that is divided among ranks, for each number of them. */
static int ranks(const struct cli_options *options, struct result *result)
{
    static gz_ranks_time times[GZI_ANSWER_COUNTS];
    gzi_run *run = &result->run;
    gz_tune_request search;
    gz_network net;
    gz_error error;
    int status = own.rank_counts > 0 ? open_run(options, 1, result)
                                     : cli_fail(CLI_BAD_INPUT, "ranks needs how many: -n 1:4096");
    if (!status)
        status = request_of(options, run, &search);
    if (status)
        return status;
    gz_status failed = gzi_answer_divide(run, &search, own.network, own.ranks, own.rank_counts,
                                         &net, times, &error);
    if (failed)
        return library_failed(failed, &error);
    if (result->to)
        report_ranks(result->to, run, &net, own.ranks, times, own.rank_counts);
    else
        result->json = gzi_answer_ranks(run, &net, own.ranks, times, own.rank_counts);
    return CLI_DONE;
}

/* ------------------------------------------------------------------------------------------ list
 */

/* Built-in applications are shown by those of this device. */
static const char all_apps[] = "generic-gpu";

/* Prints the text of the built-in device, or application of `device`, `name`. */
static int show_text(const char *kind, const char *device, const char *name, struct result *result)
{
    size_t k = 0;
    while (gz_builtin_name(device, k) && strcmp(gz_builtin_name(device, k), name) != 0)
        k++;
    const char *text = gz_builtin_text(device, k);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "no built-in %s %.60s: gzmodel list names them", kind, name);
    if (result->to)
        fputs(text, result->to);
    else
        result->json = json_loads(text, 0, NULL);
    return CLI_DONE;
}

/* One line about each built-in device and application. */
static int list_text(FILE *to)
{
    gz_error error;
    fprintf(to, "devices (-d):\n");
    for (size_t k = 0; gz_builtin_name(NULL, k); k++) {
        gz_device dev;
        if (gz_device_open(gz_builtin_name(NULL, k), &dev, &error))
            return cli_fail(CLI_FAILED, "%s", error.text);
        report_device_line(to, gz_builtin_name(NULL, k), &dev);
    }
    fprintf(to, "applications (-a):\n");
    for (size_t k = 0; gz_builtin_name(all_apps, k); k++) {
        gz_app app;
        if (gz_app_open(gz_builtin_name(all_apps, k), NULL, &app, &error))
            return cli_fail(CLI_FAILED, "%s", error.text);
        report_app_line(to, gz_builtin_name(all_apps, k), &app);
    }
    return CLI_DONE;
}

/* The names of the built-in files of one kind. */
static json_t *names_json(const char *device)
{
    json_t *names = json_array();
    for (size_t k = 0; names && gz_builtin_name(device, k); k++)
        json_array_append_new(names, json_string(gz_builtin_name(device, k)));
    return names;
}

static int list(const struct cli_options *options, struct result *result)
{
    if (options->device && options->app)
        return cli_fail(CLI_BAD_INPUT, "list takes one of --device and --app, not both");
    if (options->device)
        return show_text("device", NULL, options->device, result);
    if (options->app)
        return show_text("application", all_apps, options->app, result);
    if (result->to)
        return list_text(result->to);
    result->json =
        json_pack("{s:o, s:o}", "devices", names_json(NULL), "apps", names_json(all_apps));
    return CLI_DONE;
}

/* ------------------------------------------------------------------------------------------ main
 */

#define INPUT_OPTIONS                                                                              \
    (CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK | CLI_TAU | OPTION_MODEL | OPTION_VARIANT |       \
     OPTION_LOOPS)
#define MODEL_OPTIONS (INPUT_OPTIONS | OPTION_BEYOND | OPTION_THREADS | OPTION_PIECE)
#define TUNE_OPTIONS                                                                               \
    (OPTION_TOP | OPTION_MAX_THREADS | OPTION_LOCAL_MEMORY | OPTION_MAX_HEIGHT | OPTION_STEP)
#define VCYCLE_OPTIONS                                                                             \
    (OPTION_SMOOTH | OPTION_CYCLE | OPTION_DEPTH | OPTION_TAIL | OPTION_LEVELS |                   \
     OPTION_MAX_THREADS | OPTION_LOCAL_MEMORY | OPTION_STEP)
#define ANY_OPTIONS (CLI_JSON | CLI_OUTPUT | CLI_QUIET)

static const struct command {
    const char *name;
    int (*run)(const struct cli_options *options, struct result *result);
    unsigned takes, needs;
    unsigned parts; /* of the context that its JSON states; 0: of a command without a run */
} commands[] = {
    {"predict", predict, MODEL_OPTIONS | CLI_SYNC | CLI_HEIGHT,
     CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK | CLI_HEIGHT, GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"optimize", optimize, MODEL_OPTIONS | CLI_SYNC, CLI_DEVICE | CLI_APP | CLI_SIZE,
     GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"choose", choose, MODEL_OPTIONS, CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK, GZI_ANSWER_TILE},
    {"sensitivity", sensitivity, MODEL_OPTIONS | CLI_SYNC,
     CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK, GZI_ANSWER_TILE | GZI_ANSWER_SYNC},
    {"tune", tune, INPUT_OPTIONS | CLI_SYNC | TUNE_OPTIONS, CLI_DEVICE | CLI_APP | CLI_SIZE,
     GZI_ANSWER_RUN},
    {"vcycle", vcycle,
     (INPUT_OPTIONS & ~(unsigned)(CLI_BLOCK | OPTION_LOOPS)) | CLI_SYNC | VCYCLE_OPTIONS,
     CLI_DEVICE | CLI_APP | CLI_SIZE, GZI_ANSWER_RUN},
    {"ranks", ranks,
     (INPUT_OPTIONS & ~(unsigned)CLI_BLOCK) | CLI_SYNC | OPTION_RANKS | OPTION_MAX_THREADS |
         OPTION_LOCAL_MEMORY | OPTION_STEP,
     CLI_DEVICE | CLI_APP | CLI_SIZE, GZI_ANSWER_RUN},
    {"list", list, CLI_DEVICE | CLI_APP | CLI_LIST, 0, 0},
};

/* The command named by the words, or by --list; NULL after saying that there is none. */
static const struct command *find_command(const struct cli_options *options)
{
    const char *name = options->given & CLI_LIST ? "list" : NULL;
    if (options->word_count > 0)
        name = options->words[0];
    size_t n = sizeof commands / sizeof *commands;
    for (size_t k = 0; k < n && name && options->word_count <= 1; k++)
        if (strcmp(commands[k].name, name) == 0)
            return commands + k;
    if (options->word_count > 1)
        cli_fail(CLI_BAD_INPUT, "too many words: \"%.60s\" after the command %.60s",
                 options->words[1], name);
    else
        cli_fail(CLI_BAD_INPUT,
                 "%s%.60s%s: must be predict, optimize, choose, sensitivity, tune, vcycle, ranks "
                 "or list "
                 "(gzmodel --help says more)",
                 name ? "unknown command \"" : "no command given", name ? name : "",
                 name ? "\"" : "");
    return NULL;
}

/* The result's JSON after what it was computed for. */
static json_t *with_context(const struct result *result, unsigned parts)
{
    json_t *context = gzi_answer_context(&result->run, parts);
    if (context)
        json_object_update(context, result->json);
    json_decref(result->json);
    return context;
}

/* Runs a command into memory: `*text` is the caller's to free. */
static int run_command(const struct command *command, const struct cli_options *options,
                       char **text, size_t *size)
{
    struct result result = {.to = open_memstream(text, size)};
    FILE *memory = result.to;
    if (!memory)
        return cli_fail(CLI_FAILED, "out of memory");
    if (options->given & CLI_JSON)
        result.to = NULL;
    int status = command->run(options, &result);
    if (result.json && command->parts)
        result.json = with_context(&result, command->parts);
    if (result.json && result.profile_device[0])
        json_object_set_new(result.json, "profile_device", json_string(result.profile_device));
    if (!status && !result.to) {
        if (!result.json)
            status = cli_fail(CLI_FAILED, "a result is not a finite number, so there is no JSON");
        else if (json_dumpf(result.json, memory, GZI_ANSWER_FORMAT) != 0)
            status = cli_fail(CLI_FAILED, "out of memory");
        fputc('\n', memory);
    }
    json_decref(result.json);
    if (fclose(memory) != 0 && !status)
        status = cli_fail(CLI_FAILED, "out of memory");
    return status;
}

int main(int argc, char **argv)
{
    struct cli_options options;
    cli_set_program(program.name);
    int status = cli_parse(&program, argc, argv, &options);
    if (status)
        return status;
    if (cli_answered(&program, &options, &status))
        return status;
    const struct command *command = find_command(&options);
    if (!command)
        return CLI_BAD_INPUT;
    status = cli_allow(&program, &options, command->takes | ANY_OPTIONS, command->name);
    if (!status)
        status = require(&options, command->needs, command->name);
    const struct cli_file files[] = {{"-d", cli_device_file(options.device), false},
                                     {"-a", cli_app_file(options.app), false},
                                     {"-o", options.output, true}};
    if (!status)
        status = cli_check_files(files, sizeof files / sizeof *files);
    char *text = NULL;
    size_t size = 0;
    if (!status)
        status = run_command(command, &options, &text, &size);
    if (!status)
        status = cli_write(options.output, text, size);
    free(text);
    return status;
}
