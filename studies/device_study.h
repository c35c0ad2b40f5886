/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * device_study.h - what the studies share that time kernels on a device and set the model beside
 * them: the command line, the device with its file and the application files, one timed point, and
 * the `#` lines that say where and how a table was measured.
 *
 * Such a study is described by a text and fills in rows, as study.h says; its table also
 * names driver, date and command. What fails is said in one line on stderr and ends the program:
 * status 2 for a wrong command line or input, 77 if there is no such device, 1 for anything
 * else.
 */
#ifndef GZ_DEVICE_STUDY_H
#define GZ_DEVICE_STUDY_H

#include "study.h"
#include "timing.h"

#include <stdbool.h>

typedef struct device_study {
    study table;               /* its `device` is what the device's file says */
    struct gzk_device *device; /* what kernels run on */
    bool small;                /* only the least that has every kind of row */
    double budget_s;           /* on the device for one point, s */
    const char *file;          /* the device's file, or its built-in name */
} device_study;

/* One stencil's grid, on the host and on the device. */
typedef struct device_grid {
    device_study *s;
    const struct gzk_stencil *stencil;
    gz_app app; /* what the stencil's application file says */
    struct gzk_grid of;
} device_grid;

/* A time per loop, s: median and quartiles over the runs. */
typedef struct device_time {
    double seconds, low, high;
    int runs;
} device_time;

/* What a study defines, with its study_own. The program reads the command line (`-d FILE`,
 * `--on ADDRESS`, `--small`, `--budget SECONDS`, `-o FILE`), opens the device, calls it, and writes
 * the TSV whole. */
void device_study_rows(device_study *s);

/* The stencil of that name, and what its application file says: that in the folder of the device's
 * file, else a built-in one, which a note says. */
const struct gzk_stencil *device_study_app(device_study *s, const char *name, gz_app *app);

/* A grid of `edge` cells in each of the stencil's dimensions, with per-step arrays for `loops`
 * loops. device_grid_close frees it. */
void device_grid_open(device_study *s, const char *stencil, int edge, long loops,
                      device_grid *grid);
void device_grid_close(device_grid *grid);

/* A configuration on that grid: block as given (entries beyond the stencil's dimensions are not
 * read), restarts, a trapezoid, contraction as the compiler likes it. Members may be changed before
 * it is timed; threads, and a block that its variant prescribes, are set then. */
struct gzk_config device_grid_config(const device_grid *grid, const int block[3], int height,
                                     long loops);

/* Times it. False, with a note, if the device cannot run it: its tile or its block is too large. */
bool device_grid_time(device_grid *grid, const struct gzk_config *config, device_time *time);

#endif
