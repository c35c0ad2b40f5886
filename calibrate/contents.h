/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contents.h - from estimates to what the files state: the device's quantities and the
 * applications'.
 */
#ifndef GZC_CONTENTS_H
#define GZC_CONTENTS_H

#include "counters.h"
#include "rounds.h"

/* The device's quantities. */
void gzc_fill_device(const struct gzc_rounds *rounds, struct gzc_file *file);

/* The name under which a device's files go: the driver's, cut to what a file may hold. */
void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE]);

/* All applications, by time. */
void gzc_fill_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result);

/* What the hardware's counters say of them, in the notes or in place of the times, unless
 * request->counting forbids it. Nothing should be timed after that. */
int gzc_count_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                   struct gzk_error *error);

/* Adds to a note; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) void gzc_note(struct gzc_entry *entry, const char *text, ...);

#endif
