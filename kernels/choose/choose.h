/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choose.h - the way to run a stencil on a device: the best by a model, or by measurement.
 */
#ifndef GZK_CHOOSE_H
#define GZK_CHOOSE_H

#include "compilers.h"
#include "defaults.h"
#include "gzmodel/searches.h"
#include "timing.h"

/* A device and a stencil as the models have them. */
struct gzk_chooser {
    const struct gzk_device *device; /* that runs what is chosen; NULL: the model's alone */
    const struct gzk_stencil *stencil;
    const char *file;    /* the device file, or the built-in one in its place */
    bool described;      /* by the former */
    const char *builtin; /* what completes that */
    gz_device model;
    gz_app app;
    /* The last search: the model that predicts, and why; for each variant what the device file
     * lacks, and why the completed file has no prediction either. */
    gz_model by;
    gz_error why, lacking[GZ_VARIANT_CAPACITY], unpredicted[GZ_VARIANT_CAPACITY];
};

/* Begins with the device file `model` that the user calls `file`, or with the built-in file of the
 * device if `file` is NULL; and with the stencil's application file there, or else with its
 * reads and operations. Pointers are kept. GZK_FAILED, GZK_INVALID (an application file). */
int gzk_chooser_open(struct gzk_chooser *chooser, const struct gzk_device *device,
                     const struct gzk_stencil *stencil, const char *file, const gz_device *model,
                     gz_model asked, struct gzk_error *error);

/* Takes what the device file does not state from the built-in one of such a device. */
int gzk_chooser_complete(struct gzk_chooser *chooser, struct gzk_error *error);

/* The search for ways of a run, of which stencil, size, loops and ending are read. */
gz_tune_request gzk_chooser_request(const struct gzk_chooser *chooser, const struct gzk_config *run,
                                    const struct gzk_given *given);

/* The best by the model, whether the device runs them or not: gz_tune or, of a run that its data
 * end, gz_tune_ending; or what is worth measuring: gz_ideas. Where a file lacks what gz2 needs of a
 * variant, it is completed first, unless the model of 2011 was requested: on kept tables of CPUs
 * whose files lack streamed tiles, the tuner needs 8.0 runs so, 10.4 by the built-in file alone,
 * and 8.9 without predictions of them. GZK_INVALID if there is none. */
int gzk_chooser_search(struct gzk_chooser *chooser, const struct gzk_config *run,
                       const struct gzk_given *given, bool to_measure, gz_candidate *out,
                       size_t room, size_t *found, struct gzk_error *error);

/* Sets variant, synchronisation, block, threads and height of `run` to the best that the device
 * runs, and `predicted` to what the model says of it. GZK_INVALID if there is none. */
int gzk_choose(struct gzk_chooser *chooser, const struct gzk_given *given, struct gzk_config *run,
               gz_candidate *predicted, struct gzk_error *error);

/* Predicted seconds per loop; NaN if no model describes that configuration. */
double gzk_predict(const struct gzk_chooser *chooser, const struct gzk_config *config);

/* --------------------------------------------------------------------------------- measuring */

enum { GZK_MOST_TRIES = 5 };

/* A way that may be measured. */
struct gzk_way {
    gz_candidate predicted; /* its time NaN: not predicted */
    struct gzk_config config;
    bool compiled; /* or sent to a compiler */
    int tries;
    double each[GZK_MOST_TRIES];     /* lower quartile of each, s per loop */
    double seconds_per_loop, spread; /* the lower quartile of these; the largest of theirs */
    char *failed;                    /* why it did; NULL */
};

struct gzk_ways {
    struct gzk_way *way;
    size_t count;
    size_t *measured, runs; /* which were, in order */
    double gain;            /* expected of one more run, in ln(time) */
    bool cut;               /* the time was over, or the user interrupted */
    gz_tuner_result best;
};

/* The ways of a run that are worth measuring and run on the device, the model's first choice in
 * front; at least one. To be freed by gzk_ways_free, also on failure. */
int gzk_ways_find(struct gzk_chooser *chooser, const struct gzk_config *run,
                  const struct gzk_given *given, size_t room, struct gzk_ways *ways,
                  struct gzk_error *error);
/* Room for ways in place of those; there are none yet. */
int gzk_ways_new(size_t room, struct gzk_ways *ways, struct gzk_error *error);
void gzk_ways_free(struct gzk_ways *ways);

/* How ways are measured. */
struct gzk_measuring {
    /* One try of a way. A failure is the way's own. */
    int (*time)(void *of, const struct gzk_way *way, struct gzk_timing *timing,
                struct gzk_error *error);
    /* Called before each; `best` is NULL before the first. May be NULL. */
    void (*show)(void *of, const struct gzk_ways *ways, const struct gzk_way *next,
                 const gz_tuner_result *best, double gain);
    /* Whether one more may be measured, from the second on. NULL: it may. */
    bool (*goes_on)(void *of, const struct gzk_ways *ways);
    void *of;
    gz_tuner_request tuner;            /* when it stops */
    const volatile sig_atomic_t *stop; /* ends it after the try that runs */
    /* Compiles a way here while `compilers` compile what may follow. NULL: nothing is compiled
     * ahead. */
    void (*compile)(void *of, const struct gzk_config *config);
    struct gzk_compilers *compilers;
};

/* Measures the tuner's choices until no run is expected to gain or it is stopped. Interrupted
 * or out of time, the best so far counts. GZK_FAILED if none ran. */
int gzk_ways_measure(const struct gzk_chooser *chooser, struct gzk_ways *ways,
                     const struct gzk_measuring *measuring, struct gzk_error *error);

/* The fastest. */
const struct gzk_way *gzk_ways_best(const struct gzk_ways *ways);

#endif
