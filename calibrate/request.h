/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * request.h - a calibration's request and result.
 */
#ifndef GZC_REQUEST_H
#define GZC_REQUEST_H

#include "compilers.h"
#include "entry.h"
#include "progress.h"
#include "timing.h"

#include <signal.h>
#include <stdbool.h>

enum { GZC_MAX_APPS = 32 };

/* The use of the hardware's counters. */
enum gzc_counting {
    GZC_COUNTERS_BESIDE, /* counts go into the notes of timed values */
    GZC_COUNTERS_ON,     /* they are the instructions */
    GZC_COUNTERS_OFF     /* nothing is counted */
};

/* The models whose quantities are found. */
enum gzc_models {
    GZC_MODELS_BOTH,     /* the 2011 model's and gz2's */
    GZC_MODELS_MENG2011, /* the 2011 model's alone */
    GZC_MODELS_GZ2       /* gz2's; the 2011 model's, which no file may lack, in few rounds */
};

struct gzc_request {
    bool quick; /* fewer and shorter rounds */
    bool fit;   /* fit the factors that the paper assumed */
    enum gzc_models model;
    enum gzc_counting counting;
    const struct gzk_stencil *stencil; /* the only application; NULL: all */
    const char *command;               /* for the files' notes */
    struct gzc_runs *runs; /* room for those that quantities are fitted to, if there are such */
    /* They compile the stencils' kernels before these are timed; NULL: none. */
    struct gzk_compilers *compilers;
    struct cli_progress *progress;
    const volatile sig_atomic_t *stop;
    /* Says in one line what could not be done, though the calibration goes on. */
    __attribute__((format(printf, 1, 2))) void (*warn)(const char *format, ...);
};

struct gzc_calibration {
    struct gzc_file device;
    int app_count;
    struct gzc_file apps[GZC_MAX_APPS];
};

#endif
