/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "way.h"

#include "settings.h"
#include "si.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 3 };

/* What was measured of runs of one stencil, grid and number of loops up to the next power of two:
 * of each way the last few, s per loop. Others on the machine only ever make them longer, so that
 * the least counts. */
static struct record {
    const struct gzk_stencil *stencil;
    int size[3], octave;
    long runs[GZS_WAYS];
    double last[GZS_WAYS][LAST], spent[GZS_WAYS];
} records[128];
static size_t recorded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { RECORDS = sizeof records / sizeof *records };

enum gzs_way gzs_way_of(const struct gzs_figures *figures)
{
    const double most_share = 0.02; /* of the time that the slower way may cost more */
    const double *run = figures->run, *guess = figures->guess;
    bool known[GZS_WAYS] = {run[GZS_ON_DEVICE] > 0, run[GZS_ON_HOST] > 0};

    if (!known[GZS_ON_DEVICE] && !known[GZS_ON_HOST])
        return guess[GZS_ON_DEVICE] <= guess[GZS_ON_HOST] ? GZS_ON_DEVICE : GZS_ON_HOST;
    bool original = known[GZS_ON_DEVICE] && known[GZS_ON_HOST]
                        ? run[GZS_ON_HOST] < run[GZS_ON_DEVICE]
                        : known[GZS_ON_HOST];
    enum gzs_way better = original ? GZS_ON_HOST : GZS_ON_DEVICE;
    enum gzs_way other = original ? GZS_ON_DEVICE : GZS_ON_HOST;
    double cost = known[other] ? (run[other] - run[better]) / most_share : guess[other];
    return figures->spent[better] > cost ? other : better;
}

/* What a way takes of which nothing is known, s: the first run on a device makes a kernel; the
 * original loops do an operation a cycle. */
static void guess(const struct gzk_stencil *stencil, const int size[3], long loops,
                  double guess[GZS_WAYS])
{
    const double kernel = 0.6;      /* as kernels/translate/README.md has measured it */
    const double operation = 3e-10; /* at some 3 GHz, without vectors or threads */
    double cells = (double)size[0] * size[1] * size[2];

    guess[GZS_ON_DEVICE] = kernel;
    guess[GZS_ON_HOST] = operation * stencil->operations * cells * (double)loops;
}

/* ------------------------------------------------------------------------------------ records */

static int octave_of(long loops)
{
    int power = 0;
    while (power < 62 && 1L << power < loops)
        power++;
    return power;
}

static struct record *find(const struct gzk_stencil *stencil, const int size[3], long loops)
{
    int octave = octave_of(loops);
    for (struct record *r = records; r < records + RECORDS; r++)
        if (r->stencil == stencil && r->octave == octave &&
            memcmp(r->size, size, sizeof r->size) == 0)
            return r;
    return NULL;
}

static struct record *add(const struct gzk_stencil *stencil, const int size[3], long loops)
{
    struct record *record = &records[recorded++ % RECORDS];
    *record = (struct record){.stencil = stencil, .octave = octave_of(loops)};
    memcpy(record->size, size, sizeof record->size);
    return record;
}

void gzs_way_took(const struct gzk_stencil *stencil, const int size[3], long loops,
                  enum gzs_way way, double seconds)
{
    const double least = 1e-9; /* of a clock that did not tick */
    pthread_mutex_lock(&lock);
    struct record *record = find(stencil, size, loops);
    if (!record)
        record = add(stencil, size, loops);
    /* The first on the device makes a kernel. */
    long counted = record->runs[way]++ - (way == GZS_ON_DEVICE);
    record->spent[way] += seconds;
    if (counted >= 0) {
        record->last[way][counted % LAST] = (seconds > least ? seconds : least) / (double)loops;
        record->spent[way == GZS_ON_DEVICE ? GZS_ON_HOST : GZS_ON_DEVICE] = 0;
    }
    pthread_mutex_unlock(&lock);
}

/* The least of the last few; 0 if there is none. */
static double least_of(const double last[LAST])
{
    double least = last[0];
    for (int i = 1; i < LAST; i++)
        if (last[i] > 0 && last[i] < least)
            least = last[i];
    return least;
}

static void recall(const struct gzk_stencil *stencil, const int size[3], long loops,
                   struct gzs_figures *figures)
{
    pthread_mutex_lock(&lock);
    const struct record *record = find(stencil, size, loops);
    for (int way = 0; way < GZS_WAYS && record; way++) {
        figures->run[way] = least_of(record->last[way]) * (double)loops;
        figures->spent[way] = record->spent[way];
    }
    pthread_mutex_unlock(&lock);
}

/* ----------------------------------------------------------------------------------- choosing */

/* Whether the environment says how the device is to compute, and so that it is. */
static bool device_is_asked_for(void)
{
    const char *plan = getenv("GZ_PLAN");
    int numbers[3];
    return gzs_word(GZS_CHECK) > 0 || gzs_word(GZS_TRY) == 1 || gzs_word(GZS_VARIANT) >= 0 ||
           gzs_numbers(GZS_HEIGHT, numbers) > 0 || (plan && *plan);
}

/* What is known, in words. */
static void tell(const struct gzs_figures *figures, enum gzs_way way, long loops, char *text,
                 size_t room)
{
    const char *original = way == GZS_ON_HOST ? "they" : "the original loops";
    struct gzk_si_text host = gzk_si(figures->run[GZS_ON_HOST] / (double)loops, "s");
    struct gzk_si_text device = gzk_si(figures->run[GZS_ON_DEVICE] / (double)loops, "s");
    bool timed[GZS_WAYS] = {figures->run[GZS_ON_DEVICE] > 0, figures->run[GZS_ON_HOST] > 0};

    if (timed[GZS_ON_DEVICE] && timed[GZS_ON_HOST])
        snprintf(text, room, "%s took %s a loop, the device %s", original, host.text, device.text);
    else if (timed[GZS_ON_DEVICE])
        snprintf(text, room, "the device took %s a loop, %s were not timed", device.text, original);
    else if (timed[GZS_ON_HOST])
        snprintf(text, room, "%s took %s a loop, the device was not timed", original, host.text);
    else
        snprintf(text, room, "neither was timed: %s would take %s, the first run on the device %s",
                 original, gzk_si(figures->guess[GZS_ON_HOST], "s").text,
                 gzk_si(figures->guess[GZS_ON_DEVICE], "s").text);
}

void gzs_way_choose(const struct gzk_stencil *stencil, const int size[3], long loops,
                    struct gzs_chosen *chosen)
{
    enum { AUTO, NEVER, ALWAYS };
    int word = gzs_word(GZS_ORIGINAL);
    struct gzs_figures figures = {0};

    *chosen = (struct gzs_chosen){.way = GZS_ON_DEVICE};
    if (word == ALWAYS && gzs_word(GZS_CHECK) <= 0) {
        chosen->way = GZS_ON_HOST;
        snprintf(chosen->why, sizeof chosen->why, "GZ_ORIGINAL is always");
    } else if (word != NEVER && !device_is_asked_for()) {
        guess(stencil, size, loops, figures.guess);
        recall(stencil, size, loops, &figures);
        chosen->way = gzs_way_of(&figures);
        chosen->measured = true;
        if (gzs_word(GZS_REPORT) > 0)
            tell(&figures, chosen->way, loops, chosen->why, sizeof chosen->why);
        else if (chosen->way == GZS_ON_HOST)
            strcpy(chosen->why, "they are expected to be faster");
    }
}
