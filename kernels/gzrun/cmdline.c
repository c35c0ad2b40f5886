/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmdline.h"

#include "files.h"
#include "registry.h"
#include "timing.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What gzrun's own options store, some of it to be interpreted once the stencil is known. */
static struct own {
    struct gzk_options options;
    struct cli_extents threads, ranks;
    struct cli_shapes blocks;
    const char *stencil; /* a shared object, or NULL */
    int uncontracted;
} own;

enum own_bit {
    OWN_THREADS = CLI_FIRST_OWN,
    OWN_VARIANT = CLI_FIRST_OWN << 1,
    OWN_RUNS = CLI_FIRST_OWN << 2,
    OWN_VERIFY = CLI_FIRST_OWN << 3,
    OWN_T4 = CLI_FIRST_OWN << 4,
    OWN_ADAPTIVE = CLI_FIRST_OWN << 5,
    OWN_BLOCK = CLI_FIRST_OWN << 6,
    OWN_SYNC = CLI_FIRST_OWN << 7,
    OWN_HEIGHT = CLI_FIRST_OWN << 8,
    OWN_TUNE = CLI_FIRST_OWN << 9,
    OWN_OF_TUNE = CLI_FIRST_OWN << 10, /* options that need --tune */
    OWN_RESUME = CLI_FIRST_OWN << 11,
    OWN_STATE = CLI_FIRST_OWN << 12, /* files of the state: one result's */
    OWN_RANKS = CLI_FIRST_OWN << 13,
    OWN_CONTRACT = CLI_FIRST_OWN << 14,
    OWN_OTHER = CLI_UNASKED /* options that are never tested for */
};

enum { MAX_CHOICES = 31 };

static unsigned host_variants(void)
{
    unsigned set = 0;
    for (int k = 0; k < gzk_variant_count; k++)
        set |= (unsigned)gzk_variants[k].on_host << k;
    return set;
}

static struct gzk_options *options_of(void *into)
{
    return &((struct own *)into)->options;
}

static int read_syncs(void *into, const char *text)
{
    const char *names[MAX_CHOICES] = {0};
    for (int k = 0; k < gzk_sync_count; k++)
        names[k] = gz_name(GZ_SYNCS, (gz_sync)k);
    return cli_read_choices("--sync", text, names, gzk_sync_count, &options_of(into)->space.syncs);
}

/* "all" are those that run on a device. */
static int read_variants(void *into, const char *text)
{
    unsigned *variants = &options_of(into)->space.variants;
    const char *names[MAX_CHOICES] = {0};
    for (int k = 0; k < gzk_variant_count; k++)
        names[k] = gzk_variants[k].name;
    int status = cli_read_choices("--variant", text, names, gzk_variant_count, variants);
    if (strcmp(text, "all") == 0)
        *variants &= ~host_variants();
    return status;
}

/* The text is that of the time, NULL if none was given. */
static int read_tune(void *into, const char *text)
{
    options_of(into)->tune = true;
    return text ? cli_read_time("--tune", text, 0.001, 7 * 24 * 3600., &options_of(into)->time_s)
                : CLI_DONE;
}

static int read_input(void *into, const char *text)
{
    struct gzk_options *options = options_of(into);
    if (options->input_count == GZK_MAX_INPUTS)
        return cli_fail(CLI_BAD_INPUT,
                        "--input: \"%.60s\" is one file too many: must be at most %d", text,
                        (int)GZK_MAX_INPUTS);
    options->inputs[options->input_count++] = text;
    return CLI_DONE;
}

static const struct cli_option own_options[] = {
    {OWN_OTHER, 0, "stencil", "FILE", "the stencil of a shared object, in place of -a",
     .as = CLI_FILE, .at = offsetof(struct own, stencil)},
    {OWN_THREADS, 0, "threads", "LxLxL",
     "threads of a block (default: one for each of its elements, or as many as fit)",
     .as = CLI_EXTENTS, .at = offsetof(struct own, threads)},
    {OWN_VARIANT, 0, "variant", "KIND",
     "a variant that --list names (default: the best by the model, or trapezoid)", .as = CLI_NAME,
     .kind = GZ_VARIANTS, .read = read_variants},
    {OWN_OTHER, 0, "piece", "L",
     "planes that a tile of variant stream commits (default: what suits the device)", .as = CLI_INT,
     .at = offsetof(struct own, options.piece), .least = 1, .most = 1 << 30},
    {OWN_OTHER, 0, "layout", "KIND",
     "of variant stream: ring (planes in local memory), columns (in registers) or device (default)",
     .as = CLI_CHOICE, .at = offsetof(struct own, options.config.layout),
     .names = (const char *const[]){[GZI_PLANES_ANY] = "device",
                                    [GZI_PLANES_RING] = "ring",
                                    [GZI_PLANES_COLUMNS] = "columns",
                                    NULL}},
    {OWN_BLOCK, 'b', "block", "LxLxL", "starting tile, elements; one number means all dimensions",
     .as = CLI_SHAPES, .at = offsetof(struct own, blocks)},
    {OWN_SYNC, 'y', "sync", "MODE", "synchronisation: restart (the default), fence or graph",
     .as = CLI_NAME, .kind = GZ_SYNCS, .read = read_syncs},
    {OWN_HEIGHT, 'H', "height", "H",
     "height, loops (default: the best by the model, or 1); a list or a range, 1:16",
     .as = CLI_NUMBERS, .at = offsetof(struct own, options.space.heights), .least = 1,
     .most = INT_MAX},
    {OWN_TUNE, 0, "tune", "[=TIME]",
     "find the fastest by measuring, until no run is expected to gain 0.5 %, or for 20s, 2m, ...",
     .read = read_tune},
    {OWN_OF_TUNE, 0, "model", "NAME",
     "with --tune: the model (default: gz2 if the files have what it needs, else meng2011)",
     .as = CLI_NAME, .kind = GZ_MODELS, .at = offsetof(struct own, options.model)},
    {OWN_OTHER, 0, "plan", "FILE",
     "run the fastest configuration that --tune -o FILE.json has found", .as = CLI_FILE,
     .at = offsetof(struct own, options.plan)},
    {OWN_RESUME, 0, "resume", NULL, "with a list: keep the rows that -o FILE already holds",
     .as = CLI_FLAG, .at = offsetof(struct own, options.resume)},
    {OWN_CONTRACT, 0, "contract", "on|off",
     "let a multiplication and an addition round once (default on)", .as = CLI_CHOICE,
     .at = offsetof(struct own, uncontracted), .names = (const char *const[]){"on", "off", NULL}},
    {OWN_OTHER, 0, "loops", "N", "loops in all (default 60)", .as = CLI_LONG,
     .at = offsetof(struct own, options.config.loops), .least = 1, .most = 1e9},
    {OWN_RUNS, 0, "runs", "N", "timed runs (default: until the spread is small)", .as = CLI_INT,
     .at = offsetof(struct own, options.runs), .least = 1, .most = GZK_MAX_RUNS},
    {OWN_OTHER, 0, "seed", "N", "seed of the random input (default 1)", .as = CLI_SEED,
     .at = offsetof(struct own, options.seed)},
    {OWN_ADAPTIVE, 0, "adaptive", NULL,
     "find the height while running, starting from that of -H (one run)", .as = CLI_FLAG,
     .at = offsetof(struct own, options.adaptive)},
    {OWN_VERIFY, 0, "verify", NULL, "compare the result with the serial reference", .as = CLI_FLAG},
    {OWN_OTHER, 0, "checksum", NULL, "add up the final state, the same for any number of ranks",
     .as = CLI_FLAG, .at = offsetof(struct own, options.checksum)},
    {OWN_RANKS, 0, "ranks", "LxLxL",
     "divide the grid among the ranks that mpirun started, so many along each dimension, or auto",
     .as = CLI_EXTENTS, .at = offsetof(struct own, ranks), .automatic = true},
    {OWN_OTHER, 0, "rank-depth", "N",
     "with --ranks: loops between two exchanges of halos; auto: by the model (the default)",
     .as = CLI_LONG, .at = offsetof(struct own, options.rank_depth), .least = 1, .most = 1e9,
     .automatic = true},
    {OWN_OTHER, 0, "network", "NAME",
     "with --ranks auto: a built-in network (default infiniband-ndr), or a file; see gzmodel(1)",
     .as = CLI_FILE, .at = offsetof(struct own, options.network)},
    {OWN_OTHER, 0, "input", "FILE...", "read the state, then the arrays that do not change",
     .read = read_input},
    {OWN_STATE, 0, "output", "FILE", "write the final state", .as = CLI_FILE,
     .at = offsetof(struct own, options.output)},
    {OWN_T4, 0, "t4", "FILE", "write the result in the T4 format of auto-tuners", .as = CLI_FILE,
     .at = offsetof(struct own, options.t4)},
    {0},
};

static const struct cli_wording wordings[] = {
    {CLI_DEVICE, "DEVICE",
     "cuda:INDEX, opencl:INDEX, INDEX for cuda, or a device file or name (default: the first)"},
    {CLI_APP, "NAME", "application: a stencil that --list names (default hotspot)"},
    {0},
};

const struct cli_program gzk_program_gzrun = {
    .name = "gzrun",
    .usage =
        "Usage: gzrun -a hotspot -d opencl:0 -s 1024 -b 258x66 -H 4 --verify\n"
        "       gzrun -a hotspot -d opencl:0 -s 1024 -b 64x64,258x66 -H 1:16 -y all -o table.tsv\n"
        "       gzrun -a hotspot -d mygpu.json -s 1024 --tune\n"
        "       gzrun --list\n"
        "\n"
        "Runs a stencil's kernels on one device: checks and times one configuration, every one of\n"
        "lists and ranges, or what it takes to find the fastest.\n",
    .more = "Exit status: 0 success, 1 failed or the result is wrong, 2 the command line or an\n"
            "input was wrong, 77 no such device. See gzrun(1).\n",
    .takes = CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_JSON | CLI_OUTPUT | CLI_LIST | CLI_QUIET |
             CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &own,
    .wordings = wordings,
};

/* Extents for a stencil if any were given; otherwise `extents` is unchanged. */
static int settle_extents(const char *what, const struct cli_extents *given,
                          const struct gzk_stencil *stencil, int extents[3])
{
    gz_app app = {.dim = stencil->dim};
    double lengths[GZ_MAX_DIM];
    if (given->count == 0)
        return CLI_DONE;
    snprintf(app.name, sizeof app.name, "%s", stencil->name);
    int status = cli_lengths(what, given, &app, lengths);
    for (int i = 0; i < stencil->dim && status == CLI_DONE; i++) {
        if (lengths[i] > INT_MAX)
            return cli_fail(CLI_BAD_INPUT, "%s: extent %.9g is too large: must be at most %d", what,
                            lengths[i], INT_MAX);
        extents[i] = (int)lengths[i];
    }
    return status;
}

static int unknown_stencil(const char *name)
{
    char list[300];
    gzk_stencil_names(list, sizeof list);
    return cli_fail(CLI_BAD_INPUT, "--app: there are no kernels for \"%.60s\": must be one of %s",
                    name, list);
}

/* The requested stencil, by name or from a shared object. */
static int find_stencil(const struct cli_options *given, const char *usual,
                        const struct gzk_stencil **stencil)
{
    struct gzk_error error = {0};
    if (own.stencil && given->app)
        return cli_fail(CLI_BAD_INPUT, "--stencil: cannot be given together with --app");
    if (own.stencil)
        return gzk_stencil_load(own.stencil, stencil, &error) == 0
                   ? CLI_DONE
                   : cli_fail(error.status, "--stencil: %s", error.text);
    *stencil = gzk_stencil_find(given->app ? given->app : usual);
    return *stencil ? CLI_DONE : unknown_stencil(given->app ? given->app : usual);
}

/* Fills the blocks of the space, and the first of everything into the configuration. */
static int settle_space(const struct gzk_stencil *stencil, struct gzk_options *options)
{
    struct gzk_space *space = &options->space;
    struct gzk_config *config = &options->config;
    int status = CLI_DONE;

    for (int k = 0; k < space->block_count && status == CLI_DONE; k++) {
        memcpy(space->blocks[k], (int[]){1, 1, 1}, sizeof space->blocks[k]);
        status = settle_extents("--block", &own.blocks.shapes[k], stencil, space->blocks[k]);
    }
    config->variant = (gz_variant)__builtin_ctz(space->variants);
    config->sync = (gz_sync)__builtin_ctz(space->syncs);
    if (space->heights.count > 0)
        config->height = (int)space->heights.values[0];
    if (space->block_count > 0)
        memcpy(config->block, space->blocks[0], sizeof config->block);
    else
        gzk_default_block(config);
    return status;
}

/* Takes a plan for what was not given; refuses one for another stencil or size. */
static int settle_plan(const struct cli_options *given, struct gzk_options *options)
{
    const struct gzk_wisdom *w = &options->wisdom;
    struct gzk_config *config = &options->config;
    const struct gzk_stencil *stencil = config->stencil;
    struct gzk_error why;
    if (gzk_wisdom_check(w, stencil, given->size.count > 0 ? config->size : NULL, &why) != 0)
        return cli_fail(CLI_BAD_INPUT, "--plan: %s: %s", options->plan, why.text);
    memcpy(config->size, w->size, sizeof config->size);
    config->way = w->best[0].way;
    options->block_given = options->height_given = options->threads_given = true;
    return CLI_DONE;
}

/* Interprets what depends on the stencil, and the common options. */
static int settle(const struct cli_options *given, struct gzk_options *options)
{
    struct gzk_config *config = &options->config;
    const struct gzk_stencil *stencil;
    struct gzk_error why;
    int status = CLI_DONE;
    if (options->plan && gzk_wisdom_read(options->plan, &options->wisdom, &why) != 0)
        status = cli_fail(CLI_BAD_INPUT, "--plan: %s", why.text);

    if (status == CLI_DONE)
        status = find_stencil(given, options->plan ? options->wisdom.app : "hotspot", &stencil);
    if (status != CLI_DONE)
        return status;
    config->stencil = stencil;
    memcpy(config->size, stencil->default_size, sizeof config->size);
    memcpy(config->block, stencil->default_block, sizeof config->block);
    memcpy(config->threads, (int[]){1, 1, 1}, sizeof config->threads);
    status = settle_extents("--size", &given->size, stencil, config->size);
    if (status == CLI_DONE)
        status = settle_space(stencil, options);
    if (status == CLI_DONE)
        status = settle_extents("--threads", &own.threads, stencil, config->threads);
    if (status == CLI_DONE && options->plan)
        status = settle_plan(given, options);
    if (own.ranks.count > 0)
        memcpy(options->ranks, (int[]){1, 1, 1}, sizeof options->ranks);
    if (status == CLI_DONE)
        status = settle_extents("--ranks", &own.ranks, stencil, options->ranks);
    if (status == CLI_DONE && config->layout != GZI_PLANES_ANY &&
        !gzk_variants[config->variant].streamed)
        return cli_fail(CLI_BAD_INPUT,
                        "--layout: tiles of variant %s have one layout only: leave it out, or give "
                        "--variant stream",
                        gzk_variants[config->variant].name);
    if (status == CLI_DONE && options->piece > 0 && !gzk_variants[config->variant].streamed)
        return cli_fail(
            CLI_BAD_INPUT,
            "--piece: tiles of variant %s have no stream: leave it out, or give --variant stream",
            gzk_variants[config->variant].name);
    /* The references are compiled without contraction; nor would sums be the same with it. */
    config->contract =
        !own.uncontracted && !gzk_variants[config->variant].on_host && !options->checksum;
    return status;
}

/* Refuses an output that is also an input, or another output, or cannot be written; and a list that
 * would replace what an interrupted one left. */
static int check_files(struct gzk_options *options)
{
    bool listed = gzk_space_points(&options->space) > 1;
    int status = CLI_DONE;
    if (listed && options->result && strcmp(options->result, "-") != 0) {
        options->partial = cli_partial_path(options->result);
        status = options->partial ? cli_check_partial(options->result, options->partial,
                                                      options->resume, "remove it")
                                  : cli_fail(CLI_FAILED, "out of host memory");
    }
    struct cli_file files[GZK_MAX_INPUTS + 5] = {
        {"-o", options->result, true},
        {"--output", options->output, true},
        {"--t4", options->t4, true},
        {"the partial table of -o,", options->partial, true},
        {"--plan", options->plan, false}};
    for (int k = 0; k < options->input_count; k++)
        files[5 + k] = (struct cli_file){"--input", options->inputs[k], false};
    return status == CLI_DONE ? cli_check_files(files, 5 + (size_t)options->input_count) : status;
}

/* Refuses options that do not go together. */
static int check_together(const struct cli_options *given, const struct gzk_options *o)
{
    const unsigned tile = OWN_BLOCK | OWN_HEIGHT | OWN_THREADS, tune = OWN_TUNE | OWN_OF_TUNE;
    bool listed = gzk_space_points(&o->space) > 1;
    bool on_host = gzk_variants[__builtin_ctz(o->space.variants)].on_host;
    bool host_listed =
        o->space.variants & host_variants() && __builtin_popcount(o->space.variants) > 1;
    /* What cannot be given as well, or else what is wrong. */
    const struct {
        bool holds;
        unsigned refused;
        const char *text;
    } rules[] = {
        {on_host, CLI_DEVICE | OWN_BLOCK | OWN_THREADS | OWN_SYNC | OWN_VERIFY | OWN_RANKS,
         "variant serial, which is the reference itself on the host,"},
        {host_listed, 0,
         "--variant: serial cannot be part of a list: it runs on the host, not on the device"},
        {o->adaptive, OWN_RUNS | OWN_VARIANT | OWN_T4 | OWN_SYNC | OWN_RESUME | tune, "--adaptive"},
        {o->tune, OWN_STATE | OWN_T4 | OWN_RESUME | tile, "--tune"},
        {o->plan, OWN_SYNC | OWN_VARIANT | OWN_TUNE | OWN_ADAPTIVE | tile, "--plan"},
        {listed, OWN_STATE | OWN_T4 | OWN_ADAPTIVE | CLI_JSON | tune, "a list of configurations"},
        {!o->tune && given->given & OWN_OF_TUNE, 0, "--model: must be given with --tune"},
        {o->ranks_given, OWN_ADAPTIVE | OWN_RESUME | tune, "--ranks"},
        {o->ranks_given && listed, 0,
         "--ranks: cannot be given together with a list of configurations"},
        {o->ranks_given && o->plan, 0, "--ranks: cannot be given together with --plan"},
        {!o->ranks_given && (o->rank_depth > 0 || o->network), 0,
         "--rank-depth and --network: must be given with --ranks"},
        {o->checksum && (listed || o->tune), 0, "--checksum: needs a single configuration"},
        {(o->checksum || on_host) && given->given & OWN_CONTRACT && !own.uncontracted, 0,
         "--contract on: cannot be given together with --checksum or --variant serial"},
        {o->resume && (!listed || !o->result), 0,
         "--resume: must be given with a list of configurations, and with -o FILE, whose rows are "
         "kept"}};
    int status = CLI_DONE;

    for (size_t k = 0; k < sizeof rules / sizeof *rules && status == CLI_DONE; k++)
        if (rules[k].holds)
            status = rules[k].refused
                         ? cli_allow(&gzk_program_gzrun, given, ~rules[k].refused, rules[k].text)
                         : cli_fail(CLI_BAD_INPUT, "%s", rules[k].text);
    return status;
}

long gzk_space_points(const struct gzk_space *space)
{
    long points = 1;
    const int counts[] = {space->block_count, (int)space->heights.count,
                          __builtin_popcount(space->syncs), __builtin_popcount(space->variants)};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        points *= counts[i] > 1 ? counts[i] : 1;
    return points;
}

/* Whether a file's name says that it is JSON. */
static bool names_json(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

int gzk_options_read(int argc, char **argv, struct gzk_options *options)
{
    struct cli_options given;

    own = (struct own){
        .options = {.config = {.height = 1, .loops = 60},
                    .space = {.syncs = 1U << GZ_SYNC_RESTART, .variants = 1U << GZK_TRAPEZOID},
                    .seed = 1}};
    int status;
    bool ended = !cli_begin(&gzk_program_gzrun, argc, argv, &given, &status);
    own.options.space.block_count = own.blocks.count;
    *options = own.options;
    options->ended = ended;
    if (ended)
        return status;
    options->request = given.request;
    options->device = given.device;
    options->result = given.output;
    /* T4 has a place for "correct", none for "not looked at"; the reference need not be looked at.
     */
    options->verify = (given.given & (OWN_VERIFY | OWN_T4)) != 0 &&
                      !gzk_variants[__builtin_ctz(options->space.variants)].on_host;
    options->block_given = (given.given & OWN_BLOCK) != 0;
    options->height_given = (given.given & OWN_HEIGHT) != 0;
    options->sync_given = (given.given & OWN_SYNC) != 0;
    options->variant_given = (given.given & OWN_VARIANT) != 0;
    options->threads_given = (given.given & OWN_THREADS) != 0;
    options->ranks_given = (given.given & OWN_RANKS) != 0;
    options->json = (given.given & CLI_JSON) != 0 || (options->tune && names_json(given.output));
    options->list = (given.given & CLI_LIST) != 0;
    options->quiet = (given.given & CLI_QUIET) != 0;
    if (given.word_count > 0)
        return cli_fail(CLI_BAD_INPUT, "unknown word \"%.60s\": stencils are named with -a",
                        given.words[0]);
    status = check_together(&given, options);
    if (status != CLI_DONE || options->list)
        return status;
    status = check_files(options);
    if (status == CLI_DONE)
        status = settle(&given, options);
    if (status == CLI_DONE && options->plan && !options->device)
        options->device = options->wisdom.address;
    return status;
}
