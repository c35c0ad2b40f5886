/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contents.h - from estimates to what the files state: the device's quantities, the applications',
 * and what a second source says of them.
 */
#ifndef GZC_CONTENTS_H
#define GZC_CONTENTS_H

#include "counters.h"
#include "oclgrind.h"
#include "query.h"
#include "rounds.h"

/* The device's quantities. */
void gzc_fill_device(const struct gzc_rounds *rounds, const struct gzc_query *query,
                     struct gzc_device_file *file);

/* All applications, by time, with what Oclgrind says of them. */
int gzc_fill_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                  struct gzk_error *error);

/* What the hardware's counters say of them, in the notes or in place of the times, unless
 * request->counting forbids it. Nothing should be timed after that. */
int gzc_count_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                   struct gzk_error *error);

/* The second sources of an application's instructions. */

/* Whether Oclgrind may count; warns with the reason if not although it was requested. */
bool gzc_find_simulator(const struct gzc_rounds *rounds, struct gzc_simulator *simulator);
/* Oclgrind's counts of application `a`, as notes: they are of another machine's instructions, so
 * only their proportion compares. */
int gzc_note_simulated(const struct gzc_rounds *rounds, int a,
                       const struct gzc_simulator *simulator, struct gzc_app_file *app,
                       struct gzk_error *error);
/* SASS metrics of all applications, as notes, or why there are none. They come last, since they
 * patch the kernels. */
int gzc_note_places(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                    struct gzk_error *error);

/* Adds to a note; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) void gzc_note(struct gzc_entry *entry, const char *text, ...);

/* The number in a CUDA device's address; false if the device is none. */
bool gzc_cuda_index(const struct gzk_device *device, int *index);

/* What a stencil's own description says of an application. */
void gzc_describe_stencil(const struct gzk_stencil *stencil, struct gzc_app_file *app);

#endif
