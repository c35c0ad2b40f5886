/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "choice.h"

#include "defaults.h"
#include "memory.h"
#include "modelled.h"
#include "numbers.h"
#include "remember.h"
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much is done to choose well: the longer the run, the more. */
enum { LITTLE, A_TILE, TRYING };

/* The request of a choice: the grid; settings of the environment or the annotation, 0 where there
 * are none, -1 for the variant; and the rest that decides. */
struct asked {
    const char *body;
    int size[3];
    int variant, height, block[3];
    int ending;  /* after so many loops: 1 and their octave */
    int watches; /* whether cells are watched */
};

/* The last choices. */
static struct memory {
    struct asked asked;
    int effort; /* how much was done to choose well */
    struct gzk_choice choice;
} memories[128];
static size_t remembered;
enum { MEMORIES = sizeof memories / sizeof *memories };

/* The threads and the layout that go with the block. */
static void finish(struct gzk_config *config, const struct gzk_device *device)
{
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    gzk_default_layout(config, &device->info);
}

/* Whether its launches report the largest measure, if the stencil has one, and the cells that are
 * watched, if there are any. */
static bool serves(const struct gzk_config *config)
{
    return (!config->stencil->measure || gzk_measures(config)) &&
           (!config->watches || gzk_watches(config));
}

/* A variant's default tile, and whether it fits. A height of 0 is the variant's default. */
static bool set_config(struct gzk_config *config, const struct gzk_device *device,
                       gz_variant variant, int height)
{
    config->variant = variant;
    config->sync = GZ_SYNC_RESTART;
    config->height = variant == GZK_NAIVE ? 1 : height;
    gzk_default_tile(config, &device->info, 0);
    finish(config, device);
    return gzk_fits(config, &device->info);
}

/* ------------------------------------------------------------------------------------ trying */

/* Whether there is memory for a copy of the arrays to try on. Small ones are not worth the
 * question. */
static bool has_room(const struct gzk_config *run)
{
    static const double worth_asking = 1 << 26;
    double bytes = gzk_memory_needed(run, 0).device;
    return bytes <= worth_asking || bytes <= gzk_memory_available();
}

/* A search for the fastest way within a run. */
struct trying {
    struct gzk_session *session;
    struct gzk_chooser chooser;
    double begun_s;
    bool forced; /* however long it takes */
};

/* By a stage that is timed after a shorter one, in which drivers finish compiling. */
static int time_way(void *of, const struct gzk_way *way, struct gzk_timing *timing,
                    struct gzk_error *error)
{
    const struct gzk_config *config = &way->config;
    struct gzk_session *session = ((struct trying *)of)->session;
    struct gzk_plan *plan;
    double seconds;
    int steps = config->loops < config->height ? (int)config->loops : config->height;
    int status = gzk_plan_new(session, config, &plan, error);
    if (status != 0)
        return status;
    status = gzk_plan_advance(plan, 0, 1, &gzk_never, &seconds, error);
    if (status == 0)
        status = gzk_plan_advance(plan, 0, steps, &gzk_never, &seconds, error);
    gzk_plan_free(plan);
    timing->quartile[0] = timing->seconds_per_loop = seconds / steps;
    timing->spread = 0;
    return status;
}

/* Whether the next one, which takes as long as the first, is short against the run by what that
 * took. */
static bool goes_on(void *of, const struct gzk_ways *ways)
{
    const double share = 0.125;
    const struct trying *trying = of;
    for (size_t k = 0; k < ways->runs && !trying->forced; k++) {
        const struct gzk_way *way = &ways->way[ways->measured[k]];
        if (way->tries > 0)
            return cli_now() - trying->begun_s <=
                   share * way->seconds_per_loop * (double)way->config.loops;
    }
    return true;
}

/* Measures ways on a copy of the arrays and takes the fastest; whether one ran. */
static bool measure(struct gzk_device *device, const struct gzk_data *data, struct trying *trying,
                    const gz_tuner_request *until, struct gzk_ways *ways, struct gzk_choice *choice)
{
    const struct gzk_measuring measuring = {
        .time = time_way, .goes_on = goes_on, .of = trying, .tuner = *until, .stop = &gzk_never};
    struct gzk_error error;

    if (!has_room(&choice->config) ||
        gzk_session_new(device, choice->config.stencil, data, &trying->session, &error) != 0)
        return false;
    trying->begun_s = cli_now();
    bool ran = gzk_session_reset(trying->session, &error) == 0 &&
               gzk_ways_measure(&trying->chooser, ways, &measuring, &error) == 0;
    gzk_session_free(trying->session);
    if (ran) {
        choice->config = gzk_ways_best(ways)->config;
        choice->tried_s = ways->best.seconds;
    }
    return ran;
}

/* ------------------------------------------------------------------------------------ keeping */

static const struct memory *recall(const struct asked *asked, int effort)
{
    for (const struct memory *m = memories; m < memories + MEMORIES; m++)
        if (m->effort >= effort && memcmp(&m->asked, asked, sizeof *asked) == 0)
            return m;
    return NULL;
}

/* ----------------------------------------------------------------------------------- choosing */

/* Begins to choose by the device file that the environment names, or else by the built-in one. An
 * unusable file gets a message and does not stop the run. True if there is such a file. */
static bool open_chooser(const struct gzk_device *device, const struct gzk_config *config,
                         struct gzk_chooser *chooser)
{
    const char *file = gzs_text(GZS_DEVICE_FILE);
    gz_device model;
    gz_error why = {{0}};
    struct gzk_error error;
    bool given = file != NULL;

    if (given && gz_device_open(file, &model, &why) != GZ_OK) {
        gzs_ignore(GZS_DEVICE_FILE, why.text);
        given = false;
    }
    gzk_chooser_open(chooser, device, config->stencil, given ? file : NULL, &model, GZ_MODEL_AUTO,
                     &error);
    return given;
}

/* One launch a stage. */
static const struct gzk_given by_restart = {.syncs = 1U << GZ_SYNC_RESTART};

/* Whether the model chose, for such a file. */
static bool model_chose(struct gzk_chooser *chooser, const struct gzk_device *device,
                        struct gzk_choice *choice)
{
    struct gzk_config config = choice->config;
    struct gzk_error error;
    gz_candidate predicted;

    if (gzk_choose(chooser, &by_restart, &config, &predicted, &error) != 0) {
        gzs_ignore(GZS_DEVICE_FILE, error.text);
        return false;
    }
    choice->config = config;
    choice->predicted_s = predicted.seconds_per_loop;
    snprintf(choice->by.text, sizeof choice->by.text, "model %s: %.480s",
             gz_name(GZ_MODELS, chooser->by), chooser->why.text);
    return gzk_fits(&choice->config, &device->info);
}

/* Takes the settings of the environment and of the annotation. A block alone is no request. */
static void ask(struct asked *asked, int annotated)
{
    static const gz_variant offered[] = {GZK_STREAM, GZK_TRAPEZOID, GZK_NAIVE};
    int word = gzs_word(GZS_VARIANT), height[3];

    gzs_numbers(GZS_HEIGHT, height);
    asked->height = height[0] > 0 ? height[0] : annotated;
    gzs_numbers(GZS_BLOCK, asked->block);
    asked->variant = word >= 0 ? (int)offered[word] : asked->height > 0 ? GZK_TRAPEZOID : -1;
}

/* How much suits a run. */
static int effort_for(const struct gzk_data *data)
{
    /* Cells times loops, and loops, from which trying may cost little in comparison; cells times
     * loops from which a tile is worth compiling. */
    const double worth_trying = 1e9, worth_a_tile = 2e7,
                 updates = (double)data->cells * (double)data->loops;
    const long many_loops = 400;
    int asked = gzs_word(GZS_TRY);
    bool is_long = updates >= worth_trying && data->loops >= many_loops;

    if (asked >= 0 ? asked == 1 : is_long)
        return TRYING;
    return updates >= worth_a_tile ? A_TILE : LITTLE;
}

/* Whether the best that was measured earlier serves this run, which is one launch a stage: of a
 * grid of another size the variant and the height, in the default tile. */
static bool take_kept(const struct gzk_device *device, const struct gzk_wisdom *kept,
                      struct gzk_choice *choice)
{
    struct gzk_config config = choice->config;
    const struct gzk_wise *best = &kept->best[0];
    if (memcmp(kept->size, config.size, sizeof kept->size) == 0) {
        config.way = best->way;
        config.sync = GZ_SYNC_RESTART;
        gzk_default_layout(&config, &device->info);
    } else {
        set_config(&config, device, best->variant, best->height);
    }
    if (!gzk_fits(&config, &device->info))
        return false;
    choice->config = config;
    choice->tried_s = best->seconds_per_loop;
    choice->from_cache = true;
    return true;
}

/* Measures a plan's ways, all of them; whether one runs. */
static bool try_plan(struct gzk_device *device, const struct gzk_data *data,
                     struct gzk_wisdom *wisdom, struct gzk_choice *choice)
{
    const gz_tuner_request all = {.gain = -1, .once = 1};
    struct trying trying = {.forced = true};
    struct gzk_ways ways;
    struct gzk_error error;
    for (int k = 0; k < wisdom->count; k++)
        wisdom->best[k].sync = GZ_SYNC_RESTART;
    open_chooser(device, &choice->config, &trying.chooser);
    bool chose = gzk_ways_again(wisdom, &choice->config, &device->info, &ways, &error) == 0 &&
                 measure(device, data, &trying, &all, &ways, choice);
    gzk_ways_free(&ways);
    return chose;
}

/* Whether the plan that GZ_PLAN names chose. A plan that cannot be used gets a message, and the run
 * goes on; one of another device or driver is measured again. */
static bool plan_chose(struct gzk_device *device, const struct gzk_data *data,
                       struct gzk_choice *choice)
{
    struct gzk_wisdom wisdom;
    struct gzk_error error;
    const char *path = gzs_text(GZS_PLAN);
    if (!path || access(path, F_OK) != 0)
        return false;
    if (gzk_wisdom_read(path, &wisdom, &error) != 0 ||
        gzk_wisdom_check(&wisdom, choice->config.stencil, choice->config.size, &error) != 0) {
        gzs_ignore(GZS_PLAN, error.text);
        return false;
    }
    if (!gzk_wisdom_is_of(&wisdom, &device->info) || wisdom.best[0].sync != GZ_SYNC_RESTART)
        return try_plan(device, data, &wisdom, choice);
    return take_kept(device, &wisdom, choice);
}

/* The fastest that the tuner finds, as long as that is short against the run. What was tried to the
 * end is kept, and written to the file that GZ_PLAN names if it is not there yet. */
static void search(struct gzk_device *device, const struct gzk_data *data, struct trying *trying,
                   struct gzk_choice *choice)
{
    /* Each costs a kernel to compile: fewer than gzrun tries, for a gain that is worth it. */
    enum { CANDIDATES = 400, MOST = 8 };
    const gz_tuner_request few = {.gain = 0.01, .most = MOST, .once = 1};
    const char *path = gzs_text(GZS_PLAN);
    const struct gzk_config *run = &choice->config;
    struct gzk_ways ways;
    struct gzk_error error;

    trying->forced = gzs_word(GZS_TRY) == 1;
    if (gzk_ways_find(&trying->chooser, run, &by_restart, CANDIDATES, &ways, &error) == 0 &&
        measure(device, data, trying, &few, &ways, choice) && !ways.cut) {
        gzk_remember(&device->info, run, &ways);
        if (path && gzk_wisdom_write(path, &ways, run, &device->info, &error) != 0)
            fprintf(stderr, "gzstencil: GZ_PLAN: %s\n", error.text);
    }
    gzk_ways_free(&ways);
}

/* What is used without a request, a device file or a try: the default streamed tile, of one
 * dimension or where none fits a trapezoid. */
static void set_default(struct gzk_config *config, const struct gzk_device *device, int effort)
{
    int dimensions = config->stencil->dim;
    if (effort > LITTLE && dimensions > 1 && set_config(config, device, GZK_STREAM, 0))
        return;
    if (effort == LITTLE || !set_config(config, device, GZK_TRAPEZOID, dimensions < 3 ? 4 : 1))
        set_config(config, device, GZK_NAIVE, 1);
}

static void choose_freely(struct gzk_device *device, const struct gzk_data *data, int effort,
                          struct gzk_choice *choice)
{
    struct trying trying = {.session = NULL};
    const char *path = gzs_text(GZS_PLAN);
    bool ends = choice->config.ending, look = effort > LITTLE && gzs_word(GZS_TRY) != 0;

    if (!ends && plan_chose(device, data, choice))
        return;
    /* Nothing is tried of a run that its data end: that may take longer than the run. */
    struct gzk_wisdom kept;
    if (!ends && look && !path && gzk_recall(&device->info, &choice->config, &kept) &&
        take_kept(device, &kept, choice))
        return;
    bool tries = !ends && effort == TRYING;
    if (path && access(path, F_OK) != 0 && !tries)
        gzs_ignore(GZS_PLAN, "there is no such file; with GZ_TRY=1 it is made");
    bool by_file = (tries || gzs_text(GZS_DEVICE_FILE)) &&
                   open_chooser(device, &choice->config, &trying.chooser);
    if (!by_file || !model_chose(&trying.chooser, device, choice))
        set_default(&choice->config, device, ends ? A_TILE : effort);
    if (tries)
        search(device, data, &trying, choice);
}

static void set_asked(struct gzk_config *config, const struct gzk_device *device,
                      const struct asked *asked)
{
    gz_variant variant = (gz_variant)asked->variant;

    if (variant == GZK_STREAM && config->stencil->dim == 1)
        variant = GZK_TRAPEZOID;
    set_config(config, device, variant, asked->height);
    for (int i = 0; i < config->stencil->dim; i++)
        if (asked->block[i] > 0)
            config->block[i] = asked->block[i];
    finish(config, device);
    if (!gzk_fits(config, &device->info))
        set_config(config, device, GZK_NAIVE, 1);
}

int gzs_choose(struct gzk_device *device, const struct gzk_stencil *stencil,
               const struct gzk_data *data, int height, bool contract, bool watches, long ending,
               struct gzk_choice *choice, struct gzk_error *error)
{
    int effort = effort_for(data);
    struct asked asked;
    memset(&asked, 0, sizeof asked); /* padding is compared */
    ask(&asked, height);
    asked.body = stencil->body;
    memcpy(asked.size, data->size, sizeof asked.size);
    asked.ending = ending ? 1 + gzk_octave(ending) : 0;
    asked.watches = watches;
    if (ending && asked.variant >= 0) /* the only variant that finds when data end the loops */
        asked.variant = GZK_STREAM;
    const struct memory *memory = recall(&asked, effort);
    struct gzk_config *config = &choice->config;

    memset(choice, 0, sizeof *choice);
    config->stencil = stencil;
    config->contract = contract;
    config->ending = ending > 0;
    config->loops = ending ? ending : data->loops;
    memcpy(config->size, data->size, sizeof config->size);
    if (stencil->measure || watches)
        config->layout = GZI_PLANES_RING;
    if (memory) {
        *choice = memory->choice;
        config->stencil = stencil;
        config->loops = data->loops;
    } else {
        if (asked.variant >= 0)
            set_asked(config, device, &asked);
        else
            choose_freely(device, data, effort, choice);
        memories[remembered++ % MEMORIES] = (struct memory){asked, effort, *choice};
    }
    config->watches = watches;
    if (watches && !serves(config)) {
        bool line = stencil->dim == 1;
        set_config(config, device, line ? GZK_TRAPEZOID : GZK_STREAM, line ? 4 : 0);
    }
    if (!serves(config))
        return gzk_fail(error, GZK_INVALID,
                        watches ? "its cells are watched, which takes a tile"
                                : "its data end its loops, which takes streamed tiles, of two or "
                                  "three dimensions");
    if (!gzk_fits(config, &device->info))
        return gzk_fail(error, GZK_INVALID, "no tile of it fits the device");
    return 0;
}
