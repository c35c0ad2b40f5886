/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "choice.h"

#include "defaults.h"
#include "diskcache.h"
#include "kernel_text.h"
#include "memory.h"
#include "modelled.h"
#include "numbers.h"
#include "remember.h"
#include "settings.h"
#include "stencil_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const volatile sig_atomic_t never;

/* How much is done to choose well: the longer the run, the more. */
enum { LITTLE, A_TILE, TRYING };

/* What the environment or the annotation asks for, 0 where they do not; and what ends the run. */
struct asked {
    bool of_variant;
    int variant, height, block[3];
    struct gzk_ending ending; /* its loops a power of two */
    bool watches;
};

/* What was found for a body, a grid, and what was asked for; of the last so many. */
static struct memory {
    const char *body;
    int effort; /* how much was done to choose well */
    int size[3];
    struct asked asked;
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

/* A height of 0 is the variant's default. */
static void set_config(struct gzk_config *config, const struct gzk_device *device,
                       gz_variant variant, int height)
{
    config->variant = variant;
    config->sync = GZ_SYNC_RESTART;
    config->height = variant == GZK_NAIVE ? 1 : height;
    gzk_default_tile(config, &device->info, 0);
    finish(config, device);
}

/* Whether it is one of those that tell the largest measure, if the stencil has one, and what is
 * left in cells that are watched, if any are. */
static bool serves(const struct gzk_config *config)
{
    return (!config->stencil->measure || gzk_measures(config)) &&
           (!config->watches || gzk_watches(config));
}

static bool fits(const struct gzk_config *config, const struct gzk_device *device)
{
    struct gzk_geometry geometry;
    struct gzk_error error;
    return gzk_geometry_make(config, &geometry, &error) == 0 &&
           geometry.local_bytes <= device->info.local_bytes;
}

/* Shrinks the rows of a tile until it fits. */
static bool make_fit(struct gzk_config *config, const struct gzk_device *device)
{
    for (int i = 0; i < 64 && !fits(config, device); i++) {
        int axis = i % 3;
        int ghosts = 2 * config->stencil->radius[axis] * config->height;
        config->block[axis] = ghosts + (config->block[axis] - ghosts + 1) / 2;
        finish(config, device);
    }
    return fits(config, device);
}

/* ------------------------------------------------------------------------------------ trying */

/* Whether there is memory for a copy of the arrays to try on. Small ones are not worth the
 * question. */
static bool has_room(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    static const double worth_asking = 1 << 26;
    double elements = (stencil->older ? 4. : 2.) * (double)gzk_state_elements(stencil, data) +
                      (double)gzk_step_place(stencil, data->stride, data->loops);
    double bytes = elements * (double)gzk_type_bytes(stencil->type);
    return bytes <= worth_asking || bytes <= gzk_memory_available();
}

/* Seconds per loop of one configuration, from a stage that is timed after a shorter one, in which
 * drivers finish compiling. */
static int try_one(struct gzk_session *session, const struct gzk_config *config, double *seconds)
{
    struct gzk_error error;
    struct gzk_plan *plan;
    int steps = config->loops < config->height ? (int)config->loops : config->height;
    int status = gzk_plan_new(session, config, &plan, &error);

    if (status != 0)
        return status;
    status = gzk_plan_advance(plan, 0, 1, &never, seconds, &error);
    if (status == 0)
        status = gzk_plan_advance(plan, 0, steps, &never, seconds, &error);
    gzk_plan_free(plan);
    *seconds /= steps;
    return status;
}

/* Whether so many seconds may be spent on trying the next one. */
static bool is_affordable(bool forced, double spent, double next, double whole)
{
    const double share = 0.125;
    return forced || spent + next <= share * whole;
}

/* The fastest that the tuner finds, and the next to it in `found`, as long as trying is short
 * against the run by what the first one took, or whatever it takes if `forced`. `all` says whether
 * the tuner had all that it asked for. */
static int measure(struct gzk_session *session, struct gzk_device *device, bool forced,
                   struct gzk_config *config, double *tried_s, bool *all, struct gzk_wisdom *found)
{
    struct gzk_ways ways;
    gz_tuner_step step;
    gz_tuner_result best;
    double spent = 0, first = 0, whole = 0;

    *all = true;
    gzk_wisdom_begin(config, &device->info, found);
    if (!gzs_ways_new(device, config, &ways))
        return -1;
    while (*all && !gz_tuner_next(ways.tuner, &step, NULL) && !step.known) {
        struct gzk_config way = *config;
        double begin = cli_now(), seconds = (double)NAN;
        if (whole > 0 && !is_affordable(forced, spent, first, whole)) {
            *all = false;
            continue;
        }
        bool ran = gzk_from_model(&ways.candidates[step.candidate], device, &way) &&
                   try_one(session, &way, &seconds) == 0;
        gz_tuner_tell(ways.tuner, step.candidate, ran && seconds > 0 ? seconds : (double)NAN, 0,
                      NULL);
        if (!ran)
            continue;
        const struct gzk_wise wise = gzk_wisdom_of(&way, seconds);
        gzk_wisdom_add(found, &wise);
        found->gain = step.gain;
        if (whole > 0) {
            spent += cli_now() - begin;
        } else {
            first = cli_now() - begin;
            whole = seconds * (double)config->loops;
        }
    }
    bool any = gz_tuner_best(ways.tuner, &best, NULL) == GZ_OK;
    if (any) {
        gzk_from_model(&ways.candidates[best.candidate], device, config);
        *tried_s = best.seconds;
    }
    gzs_ways_free(&ways);
    return any ? 0 : -1;
}

/* ------------------------------------------------------------------------------------ keeping */

/* What is kept on disk of a choice. Whoever changes it can make a run slower, but no result wrong:
 * the values are checked as any configuration is. */
struct kept {
    int variant, height, size[3], block[3]; /* the block is of the size */
    double seconds;                         /* per loop */
};
static const struct gzk_cache plans = {"gzstencil", ".plan"};

/* The power of two that a size, or a number of loops, is rounded up to. */
static int octave(long size)
{
    int power = 0;
    while (power < 62 && 1L << power < size)
        power++;
    return power;
}

/* Everything that what is kept depends on: device, sizes up to the next power of two, stencil, and
 * `more`, which begins with the name and version of what is kept. To be freed; NULL if memory is
 * short. */
static char *key_of(const char *more, const struct gzk_device *device,
                    const struct gzk_config *config)
{
    const struct gzk_device_info *info = &device->info;
    const struct gzk_stencil *s = config->stencil;
    const int *size = config->size, *radius = s->radius;
    const enum gzk_edge *edge = s->edge;
    size_t length = strlen(s->body) + strlen(more) + 2000;
    char *key = malloc(length);

    if (key)
        snprintf(key, length,
                 "gzstencil %s\n%.100s\n%.300s\n%.300s\n%d %zu %d %d\nsize %d %d %d\n"
                 "%d %d %d %d %d %d %d %d %d %d %d %d %d\n%s",
                 more, info->address, info->name, info->driver, info->max_threads,
                 (size_t)info->local_bytes, info->is_cpu, info->units, octave(size[0]),
                 octave(size[1]), octave(size[2]), s->dimensions, (int)s->type, (int)edge[0],
                 (int)edge[1], (int)edge[2], radius[0], radius[1], radius[2], s->coefficient_arrays,
                 s->step_arrays, s->step_values, s->coefficients, config->contract, s->body);
    return key;
}

static const char plan_version[] = "plan 3";

/* Whether what was kept may be used for this grid. */
static bool use_kept(const struct kept *kept, const struct gzk_device *device,
                     struct gzk_config *config)
{
    const int most_height = kept->variant == GZK_NAIVE ? 1 : 1024;
    const bool known =
        kept->variant == GZK_STREAM || kept->variant == GZK_TRAPEZOID || kept->variant == GZK_NAIVE;

    if (!known || kept->height < 1 || kept->height > most_height || !(kept->seconds > 0))
        return false;
    set_config(config, device, (gz_variant)kept->variant, kept->height);
    if (memcmp(kept->size, config->size, sizeof kept->size) == 0) {
        memcpy(config->block, kept->block, sizeof config->block);
        finish(config, device);
    }
    return make_fit(config, device);
}

static bool read_kept(const struct gzk_device *device, struct gzk_choice *choice)
{
    struct gzk_config config = choice->config;
    struct kept kept;
    size_t size = 0;
    char *key = key_of(plan_version, device, &config);
    void *bytes = key ? gzk_cache_get_from(&plans, key, &size) : NULL;
    bool used = bytes && size == sizeof kept;

    if (used) {
        memcpy(&kept, bytes, sizeof kept);
        used = use_kept(&kept, device, &config);
    }
    free(bytes);
    free(key);
    if (!used)
        return false;
    choice->config = config;
    choice->tried_s = kept.seconds;
    choice->from_cache = true;
    return true;
}

static void write_kept(const struct gzk_device *device, const struct gzk_choice *choice)
{
    struct kept kept;
    char *key = key_of(plan_version, device, &choice->config);

    memset(&kept, 0, sizeof kept);
    kept.variant = (int)choice->config.variant;
    kept.height = choice->config.height;
    memcpy(kept.size, choice->config.size, sizeof kept.size);
    memcpy(kept.block, choice->config.block, sizeof kept.block);
    kept.seconds = choice->tried_s;
    if (key)
        gzk_cache_put_into(&plans, key, &kept, sizeof kept);
    free(key);
}

static bool asks_alike(const struct asked *a, const struct asked *b)
{
    return a->of_variant == b->of_variant && a->variant == b->variant && a->height == b->height &&
           a->watches == b->watches && a->ending.states == b->ending.states &&
           a->ending.loops == b->ending.loops && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static const struct memory *recall(const struct gzk_stencil *stencil, const struct gzk_data *data,
                                   const struct asked *asked, int effort)
{
    for (const struct memory *m = memories; m < memories + MEMORIES; m++)
        if (m->body == stencil->body && m->effort >= effort && asks_alike(&m->asked, asked) &&
            memcmp(m->size, data->size, sizeof m->size) == 0)
            return m;
    return NULL;
}

static void remember(const struct gzk_stencil *stencil, const struct gzk_data *data,
                     const struct asked *asked, int effort, const struct gzk_choice *choice)
{
    struct memory *memory = &memories[remembered++ % MEMORIES];
    memory->body = stencil->body;
    memory->effort = effort;
    memory->asked = *asked;
    memcpy(memory->size, data->size, sizeof memory->size);
    memory->choice = *choice;
}

/* ----------------------------------------------------------------------------------- choosing */

/* Says once why what a variable names is not used. */
static void tell(const char *variable, const char *why, bool *told)
{
    if (!*told)
        fprintf(stderr, "gzstencil: %s: %s\n", variable, why);
    *told = true;
}

static const struct gzk_cache profiles = {"gzstencil", ".profile"};

/* As key_of, for a profile, which depends on what the device file says too. */
static char *profile_key(const struct gzk_device *device, const gz_device *model,
                         const struct gzk_config *config)
{
    char more[500];
    snprintf(more, sizeof more, "profile 2\n%.300s %.9g %.9g %.9g", model->name,
             gz_get(model, "stage_launch"), gz_get(model, "copy_cell"),
             gz_get(model, "stream_copy"));
    return key_of(more, device, config);
}

static bool read_profile(const char *key, struct gzk_profile *profile)
{
    size_t size = 0;
    void *bytes = gzk_cache_get_from(&profiles, key, &size);
    bool used = bytes && size == sizeof *profile;

    if (used)
        memcpy(profile, bytes, sizeof *profile);
    for (int i = 0; i < 3 && used; i++)
        used = profile->cell_time[i] >= 0 && profile->cell_time[i] < 1 && profile->measured[i] >= 0;
    free(bytes);
    return used;
}

/* Runs every variant once, on a copy of the arrays. */
static bool make_profile(struct gzk_device *device, const gz_device *model,
                         const struct gzk_data *data, const struct gzk_config *base,
                         struct gzk_profile *profile)
{
    static const gz_variant variants[] = {GZK_TRAPEZOID, GZK_STREAM, GZK_NAIVE};
    struct gzk_session *session;
    struct gzk_error error;
    bool any = false;

    if (!has_room(base->stencil, data) ||
        gzk_session_new(device, base->stencil, data, &session, &error) != 0)
        return false;
    bool ready = gzk_session_reset(session, &error) == 0;
    for (int v = 0; v < 3 && ready; v++) {
        struct gzk_config config = *base;
        double seconds;
        set_config(&config, device, variants[v], 0);
        if (!make_fit(&config, device) || try_one(session, &config, &seconds) != 0)
            continue;
        gz_variant its = variants[v];
        profile->measured[its] = seconds / (double)data->cells;
        profile->cell_time[its] = gzk_model_cell_time(model, &config, seconds);
        any = any || profile->cell_time[its] > 0;
    }
    gzk_session_free(session);
    return any;
}

/* The profile of an earlier run, or one made now if the run is long; whether there is one. */
static bool find_profile(struct gzk_device *device, const gz_device *model,
                         const struct gzk_data *data, int effort, const struct gzk_config *base,
                         struct gzk_profile *profile)
{
    char *key = profile_key(device, model, base);
    bool there = key && read_profile(key, profile);

    if (!there && effort == TRYING) {
        memset(profile, 0, sizeof *profile);
        there = make_profile(device, model, data, base, profile);
        if (there && key)
            gzk_cache_put_into(&profiles, key, profile, sizeof *profile);
    }
    if (!there)
        memset(profile, 0, sizeof *profile);
    free(key);
    return there;
}

/* Whether the model chose, for the device file that the environment names. A file that it cannot
 * use is told, and does not stop the run. */
static bool model_chose(struct gzk_device *device, const struct gzk_data *data, int effort,
                        struct gzk_choice *choice)
{
    static bool told;
    const char *file = getenv("GZ_DEVICE_FILE");
    struct gzk_config config = choice->config;
    struct gzk_profile profile = {0};
    gz_device model;
    gz_error reason = {0};

    if (!file || !*file)
        return false;
    set_config(&config, device, config.ending ? GZK_STREAM : GZK_TRAPEZOID, 1);
    make_fit(&config, device);
    bool open = gz_device_open(file, &model, &reason) == GZ_OK;
    if (open && gzk_model_takes_profile(&model, device, &config) &&
        !find_profile(device, &model, data, effort, &config, &profile) &&
        gzk_model_needs_profile(&model, device, &config))
        return false;
    if (!open || gzk_choose_by_model(&model, device, &profile, &config, &choice->predicted_s,
                                     &reason) != 0) {
        tell("GZ_DEVICE_FILE", reason.text, &told);
        return false;
    }
    choice->by = reason;
    /* A device file may lack what the model needs for streamed tiles; then their time counts. */
    double streamed = profile.measured[GZ_VARIANT_STREAM] * (double)data->cells;
    if (profile.cell_time[GZ_VARIANT_STREAM] == 0 && streamed > 0 &&
        streamed < choice->predicted_s) {
        set_config(&config, device, GZK_STREAM, 0);
        choice->predicted_s = 0;
        choice->tried_s = streamed;
    }
    choice->config = config;
    return make_fit(&choice->config, device);
}

/* What the environment asks for, and the annotation besides. */
static struct asked asked_of(int annotated)
{
    static const gz_variant offered[] = {GZK_STREAM, GZK_TRAPEZOID, GZK_NAIVE};
    int word = gzs_word(GZS_VARIANT), numbers[3] = {0};
    struct asked asked = {.of_variant = word >= 0, .height = annotated};

    asked.variant = asked.of_variant ? (int)offered[word] : GZK_TRAPEZOID;
    if (gzs_numbers(GZS_HEIGHT, numbers) && numbers[0] > 0)
        asked.height = numbers[0];
    if (gzs_numbers(GZS_BLOCK, numbers))
        memcpy(asked.block, numbers, sizeof asked.block);
    return asked;
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

/* The plan that the environment names; NULL if none. */
static const char *plan_path(void)
{
    const char *path = getenv("GZ_PLAN");
    return path && *path ? path : NULL;
}

/* A plan's way for this run, which is one launch a stage; whether it fits. */
static bool take_way(const struct gzk_wise *wise, const struct gzk_device *device,
                     struct gzk_config *config)
{
    gzk_wisdom_apply(wise, config);
    config->sync = GZ_SYNC_RESTART;
    gzk_default_layout(config, &device->info);
    return fits(config, device);
}

/* Measures a plan's ways on a copy of the arrays; whether one runs. */
static bool try_plan(struct gzk_device *device, const struct gzk_data *data,
                     const struct gzk_wisdom *wisdom, struct gzk_choice *choice)
{
    struct gzk_session *session;
    struct gzk_error error;
    bool any = false;
    if (!has_room(choice->config.stencil, data) ||
        gzk_session_new(device, choice->config.stencil, data, &session, &error) != 0)
        return false;
    bool ready = gzk_session_reset(session, &error) == 0;
    for (int k = 0; k < wisdom->count && ready; k++) {
        struct gzk_config config = choice->config;
        double seconds;
        if (!take_way(&wisdom->best[k], device, &config) ||
            try_one(session, &config, &seconds) != 0 || (any && seconds >= choice->tried_s))
            continue;
        any = true;
        choice->config = config;
        choice->tried_s = seconds;
    }
    gzk_session_free(session);
    return any;
}

/* Whether the plan that the environment names chose. One that cannot be used is told, and does not
 * stop the run; one of another device or driver is measured again. */
static bool plan_chose(struct gzk_device *device, const struct gzk_data *data,
                       struct gzk_choice *choice)
{
    static bool told;
    struct gzk_config config = choice->config;
    struct gzk_wisdom wisdom;
    struct gzk_error error;
    const char *path = plan_path();
    if (!path || access(path, F_OK) != 0)
        return false;
    if (gzk_wisdom_read(path, &wisdom, &error) != 0 ||
        gzk_wisdom_check(&wisdom, config.stencil, config.size, &error) != 0) {
        tell("GZ_PLAN", error.text, &told);
        return false;
    }
    if (!gzk_wisdom_is_of(&wisdom, &device->info) || wisdom.best[0].sync != GZ_SYNC_RESTART)
        return try_plan(device, data, &wisdom, choice);
    if (!take_way(&wisdom.best[0], device, &config))
        return false;
    choice->config = config;
    choice->tried_s = wisdom.best[0].seconds_per_loop;
    choice->from_cache = true;
    return true;
}

/* Tries on a copy of the arrays. What was tried to the end is kept. The file that GZ_PLAN names is
 * written, too, which is not there yet. */
static void search(struct gzk_device *device, const struct gzk_data *data,
                   struct gzk_choice *choice)
{
    bool forced = gzs_word(GZS_TRY) == 1, all = false;
    struct gzk_session *session;
    struct gzk_wisdom found;
    struct gzk_error error;
    const char *path = plan_path();

    if (!has_room(choice->config.stencil, data) ||
        gzk_session_new(device, choice->config.stencil, data, &session, &error) != 0)
        return;
    if (gzk_session_reset(session, &error) == 0 &&
        measure(session, device, forced, &choice->config, &choice->tried_s, &all, &found) == 0 &&
        all) {
        write_kept(device, choice);
        if (path && gzk_wisdom_write(path, &found, &error) != 0)
            fprintf(stderr, "gzstencil: GZ_PLAN: %s\n", error.text);
    }
    gzk_session_free(session);
}

/* What is used without a request, a device file or a try: the default streamed tile, of one
 * dimension or where none fits a trapezoid. */
static void set_default(struct gzk_config *config, const struct gzk_device *device, int effort)
{
    int dimensions = config->stencil->dimensions;
    if (effort > LITTLE && dimensions > 1) {
        set_config(config, device, GZK_STREAM, 0);
        if (make_fit(config, device))
            return;
    }
    set_config(config, device, GZK_TRAPEZOID, dimensions < 3 ? 4 : 1);
    if (effort == LITTLE || !make_fit(config, device))
        set_config(config, device, GZK_NAIVE, 1);
}

static void choose_freely(struct gzk_device *device, const struct gzk_data *data, int effort,
                          struct gzk_choice *choice)
{
    /* Nothing is tried that may take longer than the run. */
    if (choice->config.ending) {
        if (!model_chose(device, data, A_TILE, choice))
            set_default(&choice->config, device, A_TILE);
        return;
    }
    bool look = effort > LITTLE && gzs_word(GZS_TRY) != 0;

    if (plan_chose(device, data, choice) || model_chose(device, data, effort, choice))
        return;
    set_default(&choice->config, device, effort);
    if (look && !plan_path() && read_kept(device, choice))
        return;
    if (effort == TRYING)
        search(device, data, choice);
}

/* A block alone asks for nothing. */
static bool asks(const struct asked *asked)
{
    return asked->of_variant || asked->height > 0;
}

static void set_asked(struct gzk_config *config, const struct gzk_device *device,
                      const struct asked *asked)
{
    gz_variant variant = (gz_variant)asked->variant;

    if (variant == GZK_STREAM && config->stencil->dimensions == 1)
        variant = GZK_TRAPEZOID;
    set_config(config, device, variant, asked->height);
    for (int i = 0; i < config->stencil->dimensions; i++)
        if (asked->block[i] > 0)
            config->block[i] = asked->block[i];
    finish(config, device);
    if (!make_fit(config, device))
        set_config(config, device, GZK_NAIVE, 1);
}

int gzs_choose(struct gzk_device *device, const struct gzk_stencil *stencil,
               const struct gzk_data *data, int height, bool contract, bool watches,
               const struct gzk_ending *ending, struct gzk_choice *choice, struct gzk_error *error)
{
    int effort = effort_for(data);
    struct asked asked = asked_of(height);
    /* The only ones that tell when data end the loops. */
    if (ending->states)
        asked.variant = GZK_STREAM;
    asked.ending = (struct gzk_ending){ending->states, 1L << octave(ending->loops)};
    asked.watches = watches;
    const struct memory *memory = recall(stencil, data, &asked, effort);
    struct gzk_config *config = &choice->config;

    memset(choice, 0, sizeof *choice);
    config->stencil = stencil;
    config->contract = contract;
    config->ending = ending->states;
    config->loops = ending->states ? ending->loops : data->loops;
    memcpy(config->size, data->size, sizeof config->size);
    if (stencil->measure || watches)
        config->layout = GZK_LAYOUT_RING;
    if (memory) {
        *choice = memory->choice;
        config->stencil = stencil;
        config->loops = data->loops;
    } else {
        if (asks(&asked))
            set_asked(config, device, &asked);
        else
            choose_freely(device, data, effort, choice);
        remember(stencil, data, &asked, effort, choice);
    }
    config->watches = watches;
    if (watches && !serves(config)) {
        bool line = stencil->dimensions == 1;
        set_config(config, device, line ? GZK_TRAPEZOID : GZK_STREAM, line ? 4 : 0);
        make_fit(config, device);
    }
    if (!serves(config))
        return gzk_fail(error, GZK_INVALID,
                        watches ? "its cells are watched, which takes a tile"
                                : "its data end its loops, which takes streamed tiles, of two or "
                                  "three dimensions");
    if (!fits(config, device))
        return gzk_fail(error, GZK_INVALID, "no tile of it fits the device");
    return 0;
}
