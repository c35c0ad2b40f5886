/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "way.h"

#include "diskcache.h"
#include "files.h"
#include "gzmodel.h"
#include "remember.h"
#include "settings.h"
#include "si.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 3 };

/* Measured runs of one stencil, grid and number of loops up to the next power of two: the last few
 * of each way, s per loop. Others on the machine only ever make them longer, so that
 * the least counts. */
static struct record {
    const struct gzs_known *known;
    int size[3], octave;
    struct kept {
        long runs[GZS_WAYS];
        double last[GZS_WAYS][LAST], spent[GZS_WAYS];
        long loops;             /* of the last run that its data ended */
        double tried[GZS_WAYS]; /* s per loop of the first few, of which the run was given up */
    } kept;
    double unwritten; /* s of runs since it was written */
} records[128];
static size_t recorded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { RECORDS = sizeof records / sizeof *records };

static const double kernel_s = 0.6; /* as kernels/translate/README.md has measured it */
/* The device is tried once the original loops that are left take longer than this; or, where data
 * end the loops, those that have run: of a run of a second less than 0.3 s are lost. */
static const double left_s = 1.2, run_s = 0.24;

enum gzs_way gzs_way_of(const struct gzs_figures *figures)
{
    const double most_share = 0.02; /* of the time that the slower way may cost more */
    double host = figures->run[GZS_ON_HOST], device = figures->run[GZS_ON_DEVICE];
    const double *spent = figures->spent;

    if (!(host > 0))
        return GZS_ON_HOST;
    if (!(device > 0))
        return spent[GZS_ON_HOST] > kernel_s || host > left_s ? GZS_ON_DEVICE : GZS_ON_HOST;
    if (host < device)
        return spent[GZS_ON_HOST] > (device - host) / most_share ? GZS_ON_DEVICE : GZS_ON_HOST;
    return spent[GZS_ON_DEVICE] > (host - device) / most_share ? GZS_ON_HOST : GZS_ON_DEVICE;
}

/* The loops of a run; of one that data end, those of the last one, or as many as may be. */
static double expected(const struct record *record, long loops)
{
    const double until_data_end_it = 1000;
    if (!record->known->stencil.measure)
        return (double)loops;
    return record->kept.loops > 0 ? (double)record->kept.loops : until_data_end_it;
}

/* ------------------------------------------------------------------------------------ keeping */

static const struct gzk_cache ways = {"gzstencil", ".way"};

/* All that what is kept depends on; NULL if nothing is to be kept. To be freed. */
static char *key_of(const struct record *record)
{
    const struct gzs_known *known = record->known;
    const char *device = gzs_text(GZS_DEVICE), *threads = getenv("OMP_NUM_THREADS");
    if (!*known->program || gzs_word(GZS_TRY) == 0)
        return NULL;
    return cli_text("gzstencil way 3 %.30s\n%.100s\n%.30s\n%s\n%s:%d\n%d %d %d %d\n%s",
                    gz_version(), device ? device : "", threads ? threads : "", known->program,
                    known->file, known->facts.line, record->size[0], record->size[1],
                    record->size[2], record->octave, known->stencil.body);
}

/* What earlier processes have measured. */
static void read_kept(struct record *record)
{
    size_t size = 0;
    char *key = key_of(record);
    struct kept *kept = key ? gzk_cache_get(&ways, key, &size) : NULL;
    if (kept && size == sizeof *kept)
        record->kept = *kept;
    free(kept);
    free(key);
}

/* Writes it now and then. */
static void write_kept(struct record *record, double seconds)
{
    const double worth_writing = 0.1; /* s, against which writing is nothing */
    record->unwritten += seconds;
    char *key = record->unwritten >= worth_writing ? key_of(record) : NULL;
    if (key) {
        gzk_cache_put(&ways, key, &record->kept, sizeof record->kept);
        record->unwritten = 0;
    }
    free(key);
}

/* ------------------------------------------------------------------------------------ records */

/* Of loops that data end, the number is known behind them and on the device alone: what counts is
 * the run. */
static long counted_loops(const struct gzs_known *known, long loops)
{
    return known->stencil.measure ? 1 : loops;
}

static struct record *add(const struct gzs_known *known, const int size[3], long loops)
{
    struct record *record = &records[recorded++ % RECORDS];
    *record = (struct record){.known = known, .octave = gzk_octave(loops)};
    memcpy(record->size, size, sizeof record->size);
    read_kept(record);
    return record;
}

/* The record of such runs, which is made if there is none. */
static struct record *find(const struct gzs_known *known, const int size[3], long loops)
{
    int octave = gzk_octave(loops);
    for (struct record *r = records; r < records + RECORDS; r++)
        if (r->known == known && r->octave == octave && memcmp(r->size, size, sizeof r->size) == 0)
            return r;
    return add(known, size, loops);
}

void gzs_way_took(const struct gzs_known *known, const int size[3], long loops, enum gzs_way way,
                  double seconds)
{
    const double least = 1e-9; /* of a clock that did not tick */
    loops = counted_loops(known, loops);
    pthread_mutex_lock(&lock);
    struct record *record = find(known, size, loops);
    /* The first on the device makes a kernel. */
    long counted = record->kept.runs[way]++ - (way == GZS_ON_DEVICE);
    record->kept.spent[way] += seconds;
    if (counted >= 0) {
        record->kept.last[way][counted % LAST] =
            (seconds > least ? seconds : least) / (double)loops;
        record->kept.spent[way == GZS_ON_DEVICE ? GZS_ON_HOST : GZS_ON_DEVICE] = 0;
    }
    write_kept(record, seconds);
    pthread_mutex_unlock(&lock);
}

void gzs_way_tried(const struct gzs_known *known, const int size[3], long loops, enum gzs_way way,
                   long done, double loop_s)
{
    const double forces = 1; /* s: it is written at once, since it saves as much */
    const long of[2] = {loops, loops - done};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++) {
        struct record *record = find(known, size, counted_loops(known, of[i]));
        record->kept.tried[way] = loop_s;
        /* As many are left as have been, and enough for the device. */
        double least = fmax(2. * (double)done, way == GZS_ON_HOST ? left_s / loop_s + 1 : 0);
        if (known->stencil.measure && expected(record, loops) < least)
            record->kept.loops = (long)least;
        write_kept(record, forces);
    }
    pthread_mutex_unlock(&lock);
}

void gzs_way_ended(const struct gzs_known *known, const int size[3], long loops)
{
    pthread_mutex_lock(&lock);
    find(known, size, counted_loops(known, loops))->kept.loops = loops;
    pthread_mutex_unlock(&lock);
}

long gzs_way_loops(const struct gzs_known *known, const int size[3])
{
    pthread_mutex_lock(&lock);
    long loops = find(known, size, 1)->kept.loops;
    pthread_mutex_unlock(&lock);
    return loops;
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

/* What is known of such runs; and of their loops. */
static void recall(const struct gzs_known *known, const int size[3], long loops,
                   struct gzs_chosen *chosen)
{
    struct gzs_figures *figures = &chosen->figures;
    pthread_mutex_lock(&lock);
    const struct record *record = find(known, size, loops);
    chosen->loops = expected(record, loops);
    for (int way = 0; way < GZS_WAYS; way++) {
        figures->run[way] = least_of(record->kept.last[way]) * (double)loops;
        if (!(figures->run[way] > 0))
            figures->run[way] = record->kept.tried[way] * chosen->loops;
        figures->spent[way] = record->kept.spent[way];
    }
    pthread_mutex_unlock(&lock);
}

bool gzs_way_goes(const struct gzs_known *known, const struct gzs_chosen *chosen, double done,
                  double loop_s)
{
    const double clearly = 1.1;
    double other_s = chosen->figures.run[chosen->way == GZS_ON_HOST ? GZS_ON_DEVICE : GZS_ON_HOST];
    if (other_s > 0)
        return loop_s <= clearly * other_s / chosen->loops;
    if (chosen->way == GZS_ON_DEVICE)
        return true;
    return known->stencil.measure ? loop_s * done <= run_s
                                  : loop_s * (chosen->loops - done) <= left_s;
}

/* ----------------------------------------------------------------------------------- choosing */

/* Whether the environment says how the device is to compute, and so that it is. */
static bool device_is_asked_for(void)
{
    int numbers[3];
    return gzs_word(GZS_CHECK) > 0 || gzs_word(GZS_TRY) == 1 || gzs_word(GZS_VARIANT) >= 0 ||
           gzs_numbers(GZS_HEIGHT, numbers) > 0 || gzs_text(GZS_PLAN);
}

/* What is known, in words. */
static void tell(struct gzs_chosen *chosen, const char *unit, long loops)
{
    const char *original = chosen->way == GZS_ON_HOST ? "they" : "the original loops";
    const double *run = chosen->figures.run;
    struct gzk_si_text host = cli_si(run[GZS_ON_HOST] / (double)loops, "s");
    struct gzk_si_text device = cli_si(run[GZS_ON_DEVICE] / (double)loops, "s");
    const size_t room = sizeof chosen->why;
    char *text = chosen->why;

    if (!(run[GZS_ON_HOST] > 0))
        snprintf(text, room, "%s were not timed", original);
    else if (run[GZS_ON_DEVICE] > 0)
        snprintf(text, room, "%s took %s a %s, the device %s", original, host.text, unit,
                 device.text);
    else
        snprintf(text, room, "%s took %s a %s, the device was not timed", original, host.text,
                 unit);
}

void gzs_way_choose(const struct gzs_known *known, const int size[3], long loops,
                    struct gzs_chosen *chosen)
{
    enum { AUTO, NEVER, ALWAYS };
    int word = gzs_word(GZS_ORIGINAL);

    loops = counted_loops(known, loops);
    *chosen = (struct gzs_chosen){.way = GZS_ON_DEVICE};
    if (word == ALWAYS && gzs_word(GZS_CHECK) <= 0) {
        chosen->way = GZS_ON_HOST;
        snprintf(chosen->why, sizeof chosen->why, "GZ_ORIGINAL is always");
    } else if (word != NEVER && !device_is_asked_for()) {
        recall(known, size, loops, chosen);
        chosen->way = gzs_way_of(&chosen->figures);
        chosen->measured = true;
        if (gzs_word(GZS_REPORT) > 0)
            tell(chosen, known->stencil.measure ? "run" : "loop", loops);
        else if (chosen->way == GZS_ON_HOST)
            strcpy(chosen->why, "they are expected to be faster");
    }
}
