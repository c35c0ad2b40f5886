/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmodel.c - the model on the command line. A command reads its inputs, computes all of its
 * result into memory, and only then writes.
 */
#include "files.h"
#include "numbers.h"
#include "options.h"
#include "report.h"
#include "spawn.h"

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

/* What the command line says, most of it where the question wants it. */
static struct own {
    gzi_question asked;
    gz_model model;
    struct cli_extents threads, step;
} own;

/* Numbers of ranks: "1,8,64", and ranges that double, "1:64", up to the end, which is one of them.
 */
static int read_ranks(void *into, const char *text)
{
    gzi_question *to = &((struct own *)into)->asked;
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
     .as = CLI_NAME, .kind = GZ_VARIANTS, .at = offsetof(struct own, asked.run.cfg.variant)},
    {OPTION_PIECE, 0, "piece", "L",
     "elements along the last dimension that a tile of variant stream commits (default: all; "
     "of predict: the block's, less its ghost zone)",
     .as = CLI_WHOLE, .at = offsetof(struct own, asked.run.cfg.stream_len), .least = 1,
     .most = 1e15},
    {OPTION_TOP, 0, "top", "N", "tune: candidates to print (default: 5)", .as = CLI_INT,
     .at = offsetof(struct own, asked.top), .least = 1, .most = GZI_ANSWER_MOST},
    {OPTION_MAX_THREADS, 0, "max-threads", "N", "tune: threads of a block (default: the device's)",
     .as = CLI_WHOLE, .at = offsetof(struct own, asked.tune.limits.threads), .least = 1,
     .most = 1e15},
    {OPTION_LOCAL_MEMORY, 0, "local-memory", "BYTES",
     "tune: local memory of a block (default: the device's)", .as = CLI_WHOLE,
     .at = offsetof(struct own, asked.tune.limits.shared_bytes), .least = 1, .most = 1e15},
    {OPTION_LOOPS, 0, "loops", "N",
     "loops of the run, for gz2 and applications that read something new in each (default: 30)",
     .as = CLI_WHOLE, .at = offsetof(struct own, asked.run.cfg.loops), .least = 1, .most = 1e9},
    {OPTION_MAX_HEIGHT, 0, "max-height", "H", "tune: largest height (default: no limit)",
     .as = CLI_WHOLE, .at = offsetof(struct own, asked.tune.limits.height_max), .least = 1,
     .most = 1e9},
    {OPTION_STEP, 0, "step", "LxLxL", "tune: tile's extents are multiples of this (default: 1)",
     .as = CLI_EXTENTS, .at = offsetof(struct own, step)},
    {OPTION_SMOOTH, 0, "smooth", "N,N",
     "vcycle: loops of the smoother before the coarse correction and after it (default: 2,2)",
     .as = CLI_PLACES, .at = offsetof(struct own, asked.vcycle.loops), .least = 0, .most = 1000,
     .places = 2},
    {OPTION_CYCLE, 0, "cycle", "KIND", "vcycle: v (the default), w or f", .as = CLI_NAME,
     .kind = GZ_CYCLES, .at = offsetof(struct own, asked.vcycle.cycle)},
    {OPTION_DEPTH, 0, "depth", "LIST",
     "vcycle: loops of a stage by level, the last for all others; auto: the fastest (the default)",
     .as = CLI_PLACES, .at = offsetof(struct own, asked.vcycle.depth), .least = 1,
     .most = GZ_MAX_DEPTH, .places = GZ_MAX_LEVELS, .automatic = true},
    {OPTION_TAIL, 0, "tail", "N",
     "vcycle: levels of at most N elements are computed by one worker (default: 4096)",
     .as = CLI_WHOLE, .at = offsetof(struct own, asked.vcycle.tail), .least = 0, .most = 1e15},
    {OPTION_LEVELS, 0, "levels", "N", "vcycle: levels at most (default: as many as there are)",
     .as = CLI_INT, .at = offsetof(struct own, asked.vcycle.levels), .least = 1,
     .most = GZ_MAX_LEVELS},
    {OPTION_RANKS, 'n', "ranks", "LIST", "ranks: how many; a list, or a range that doubles, 1:4096",
     .read = read_ranks},
    {OPTION_RANKS, 0, "network", "NAME",
     "ranks: nvlink-4, infiniband-hdr, infiniband-ndr (the default), slingshot-11, or a file",
     .as = CLI_FILE, .at = offsetof(struct own, asked.network)},
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
             "       gzmodel ranks       -d DEVICE -a APP -s SIZE -n LIST\n"
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

/* ------------------------------------------------------------------------------------- failures */

/* Fails as the library says, which is mostly the input's fault. */
static int library_failed(gz_status status, const gz_error *error)
{
    return cli_fail(status == GZ_ECONVERGE || status == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT,
                    "%s", error->text);
}

/* --------------------------------------------------------------------------------------- inputs */

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

/* What a search may try. */
static int set_search(const struct cli_options *options)
{
    gzi_question *q = &own.asked;
    q->search = !(options->given & CLI_BLOCK);
    if (options->given & CLI_SYNC)
        q->tune.syncs = 1u << options->sync;
    if (options->given & OPTION_VARIANT)
        q->tune.variants = 1u << q->run.cfg.variant;
    return options->given & OPTION_STEP
               ? cli_lengths("--step", &own.step, &q->run.app, q->tune.limits.block_step)
               : CLI_DONE;
}

/* The configuration from the options. */
static int set_config(const struct cli_options *options)
{
    gzi_run *run = &own.asked.run;
    own.asked.height = options->height;
    run->cfg.sync = options->sync;
    run->cfg.tau = options->tau;
    run->cfg.beyond = (options->given & OPTION_BEYOND) != 0;
    if (options->given & OPTION_PIECE && run->cfg.variant != GZ_VARIANT_STREAM)
        return cli_fail(CLI_BAD_INPUT,
                        "--piece: tiles of variant %s have no stream: leave it out, or give "
                        "--variant stream",
                        gz_name(GZ_VARIANTS, run->cfg.variant));
    int status = cli_lengths("--size", &options->size, &run->app, run->cfg.data_length);
    if (!status && options->given & CLI_BLOCK)
        status = cli_lengths("--block", &options->block, &run->app, run->cfg.block_len);
    if (!status && options->given & OPTION_THREADS)
        status = cli_lengths("--threads", &own.threads, &run->app, run->cfg.threads);
    gzi_answer_settle(run, own.model);
    return status;
}

/* Checks what the answer will be computed for. A block that was not given is set to the smallest
 * that leaves a tile, so that everything else can be checked; a search also chooses the threads. */
static int check_run(const struct cli_options *options)
{
    const gzi_run *run = &own.asked.run;
    gz_config checked = run->cfg;
    gz_error error;
    bool has_block = options->given & CLI_BLOCK;
    for (int i = 0; !has_block && i < run->app.dim; i++)
        checked.block_len[i] = run->app.halo_width[i] + 1;
    checked.beyond |= !has_block || own.asked.kind >= GZI_TUNE;
    gz_status status = gz_check(&run->dev, &run->app, &checked, &error);
    if (status)
        return library_failed(status, &error);
    if (!gz_profile_matches(&run->dev, &run->app))
        cli_fail(0, "%s: instructions counted on %s%s, not on %s (gz-calibrate counts there)",
                 run->app.key, run->app.profile_device,
                 gz_quantity_stated(&run->app.profile_sm_count)
                     ? ""
                     : " (how many multiprocessors is not stated)",
                 run->dev.name);
    return CLI_DONE;
}

/* The question, from the options. */
static int read_question(const struct cli_options *options)
{
    gzi_run *run = &own.asked.run;
    gz_error error;
    if (own.asked.kind == GZI_RANKS && own.asked.rank_counts == 0)
        return cli_fail(CLI_BAD_INPUT, "ranks needs how many: -n 1:4096");
    if (own.asked.kind == GZI_OPTIMIZE && ~options->given & CLI_BLOCK &&
        options->given & OPTION_BEYOND)
        return cli_fail(CLI_BAD_INPUT, "--beyond needs a block: -b 40x40");
    gz_status opened = gz_device_open(options->device, &run->dev, &error);
    if (!opened)
        opened = gz_app_open(options->app, options->device, &run->app, &error);
    if (opened)
        return library_failed(opened, &error);
    int status = set_config(options);
    if (!status)
        status = check_run(options);
    return status ? status : set_search(options);
}

/* -------------------------------------------------------------------------------------- answers */

/* Says so if the grid has not even one whole tile, of which the model counts a part while kernels
 * run one. */
static void note_small_grid(const gzi_run *run, double tiles)
{
    if (tiles < 1)
        cli_fail(0,
                 "the grid %s is smaller than one tile: the model counts %.3g of a trapezoid a "
                 "stage, kernels run one",
                 cli_lengths_text(run->app.dim, run->cfg.data_length).text, tiles);
}

/* What the answer does not say. */
static void print_notes(const gzi_answer *answer, bool json)
{
    switch (own.asked.kind) {
    case GZI_PREDICT:
        note_small_grid(&own.asked.run, answer->prediction.t);
        break;
    case GZI_OPTIMIZE:
        note_small_grid(&own.asked.run, answer->optimum.prediction.t);
        break;
    case GZI_CHOOSE:
        note_small_grid(&own.asked.run, answer->choice.restart.prediction.t);
        break;
    case GZI_TUNE:
        for (int v = 0; !json && v < GZ_VARIANT_CAPACITY; v++)
            if (answer->tuned.left_out[v].text[0])
                cli_fail(0, "variant %s is left out: %s", gz_name(GZ_VARIANTS, v),
                         answer->tuned.left_out[v].text);
        break;
    default:
        break;
    }
}

/* Writes JSON, which it releases; NULL stands for a number that JSON has not. */
static int write_json(json_t *json, FILE *to)
{
    int status = CLI_DONE;
    if (!json)
        status = cli_fail(CLI_FAILED, "a result is not a finite number");
    else if (json_dumpf(json, to, GZI_ANSWER_FORMAT) != 0)
        status = cli_fail(CLI_FAILED, "out of memory");
    fputc('\n', to);
    json_decref(json);
    return status;
}

static int answer(const struct cli_options *options, FILE *to)
{
    static gzi_answer answer;
    gz_error error;
    bool json = options->given & CLI_JSON;
    int status = read_question(options);
    if (status)
        return status;
    gz_status failed = gzi_answer_to(&own.asked, &answer, &error);
    if (failed == GZ_ELIMITS && own.asked.kind == GZI_TUNE)
        return cli_fail(CLI_BAD_INPUT, "%s (options: --step, --local-memory, --max-threads, -b)",
                        error.text);
    if (failed)
        return library_failed(failed, &error);
    print_notes(&answer, json);
    json_t *object = gzi_answer_json(&own.asked, &answer);
    if (json || !object)
        return write_json(object, to);
    status = report_answer(to, &own.asked, &answer, object);
    json_decref(object);
    return status ? cli_fail(CLI_FAILED, "out of memory") : CLI_DONE;
}

/* ----------------------------------------------------------------------------------------- list */

/* Built-in applications are shown by those of this device. */
static const char all_apps[] = "generic-gpu";

/* Prints the text of the built-in device, or application of `device`, `name`. */
static int show_text(const char *kind, const char *device, const char *name, bool json, FILE *to)
{
    size_t k = 0;
    while (gz_builtin_name(device, k) && strcmp(gz_builtin_name(device, k), name) != 0)
        k++;
    const char *text = gz_builtin_text(device, k);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "no built-in %s %.60s: gzmodel list names them", kind, name);
    if (json)
        return write_json(json_loads(text, 0, NULL), to);
    fputs(text, to);
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
        fprintf(to, "  %-16s %s: %g multiprocessors at %.4g GHz, %.4g GB/s, launch %.4g cycles\n",
                gz_builtin_name(NULL, k), dev.name, dev.sm_count.value, dev.clock_rate.value / 1e9,
                dev.mem_bandwidth.value / 1e9, dev.launch_overhead.value);
    }
    fprintf(to, "applications (-a):\n");
    for (size_t k = 0; gz_builtin_name(all_apps, k); k++) {
        gz_app app;
        if (gz_app_open(gz_builtin_name(all_apps, k), NULL, &app, &error))
            return cli_fail(CLI_FAILED, "%s", error.text);
        fprintf(to,
                "  %-16s %s: D = %d, halo %s, arrays loaded per tile %g, elements loaded per "
                "operation %g\n",
                gz_builtin_name(all_apps, k), app.name, app.dim,
                cli_lengths_text(app.dim, app.halo_width).text, app.stencil_arrays.value,
                app.elements_per_op.value);
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

static int list(const struct cli_options *options, FILE *to)
{
    bool json = options->given & CLI_JSON;
    if (options->device && options->app)
        return cli_fail(CLI_BAD_INPUT, "list takes one of --device and --app, not both");
    if (options->device)
        return show_text("device", NULL, options->device, json, to);
    if (options->app)
        return show_text("application", all_apps, options->app, json, to);
    return json ? write_json(json_pack("{s:o, s:o}", "devices", names_json(NULL), "apps",
                                       names_json(all_apps)),
                             to)
                : list_text(to);
}

/* ----------------------------------------------------------------------------------------- main */

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
    unsigned takes, needs;
} commands[] = {
    {"predict", MODEL_OPTIONS | CLI_SYNC | CLI_HEIGHT,
     CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK | CLI_HEIGHT},
    {"optimize", MODEL_OPTIONS | CLI_SYNC, CLI_DEVICE | CLI_APP | CLI_SIZE},
    {"choose", MODEL_OPTIONS, CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK},
    {"sensitivity", MODEL_OPTIONS | CLI_SYNC, CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK},
    {"tune", INPUT_OPTIONS | CLI_SYNC | TUNE_OPTIONS, CLI_DEVICE | CLI_APP | CLI_SIZE},
    {"vcycle", (INPUT_OPTIONS & ~(unsigned)(CLI_BLOCK | OPTION_LOOPS)) | CLI_SYNC | VCYCLE_OPTIONS,
     CLI_DEVICE | CLI_APP | CLI_SIZE},
    {"ranks",
     (INPUT_OPTIONS & ~(unsigned)CLI_BLOCK) | CLI_SYNC | OPTION_RANKS | OPTION_MAX_THREADS |
         OPTION_LOCAL_MEMORY | OPTION_STEP,
     CLI_DEVICE | CLI_APP | CLI_SIZE},
    {"list", CLI_DEVICE | CLI_APP | CLI_LIST, 0},
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
                 "or list (gzmodel --help says more)",
                 name ? "unknown command \"" : "no command given", name ? name : "",
                 name ? "\"" : "");
    return NULL;
}

int main(int argc, char **argv)
{
    struct cli_options options;
    struct cli_sheet sheet;
    int status;
    own.asked = gzi_usual();
    if (!cli_begin(&program, argc, argv, &options, &status))
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
    if (!status && cli_stack_below(128 << 10))
        status =
            cli_fail(CLI_FAILED, "the limit on the stack (ulimit -s) is below 128 KiB; raise it");
    if (status)
        return status;
    cli_sheet_open(&sheet);
    own.asked.kind = gzi_kind_by_name(command->name);
    status =
        own.asked.kind < GZI_KIND_COUNT ? answer(&options, sheet.to) : list(&options, sheet.to);
    if (!status)
        return cli_sheet_write(&sheet, options.output);
    fclose(sheet.to);
    free(sheet.text);
    return status;
}
