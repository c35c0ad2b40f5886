/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory.h - what a run needs on the host and on the device, added up before anything is allocated.
 */
#ifndef GZK_MEMORY_H
#define GZK_MEMORY_H

#include "backend.h"

/* Bytes. */
struct gzk_memory {
    double host;        /* the data, a result, and further states that the caller needs */
    double device;      /* two states, of three time levels four, and the other arrays */
    double buffer;      /* the largest of the device's arrays */
    const char *remedy; /* what a refusal advises; NULL: what gzrun has options for */
};

/* The needs of a run of `config`, with `states` arrays of the state's size on the host besides the
 * data: one for the result, two more to compare it with the serial reference. */
struct gzk_memory gzk_memory_needed(const struct gzk_config *config, int states);

/* Memory that the host can still give, bytes: what the system has available, or what is left of the
 * process's limits if that is less; HUGE_VAL when neither is known. */
double gzk_memory_available(void);

/* Refuses, with GZK_INVALID and both figures, what does not fit: the device's memory and the
 * largest allocation that it takes, and the host's memory, of which a CPU's device memory is a
 * part. A `device` of NULL is none. */
int gzk_memory_check(const struct gzk_memory *needed, const struct gzk_device_info *device,
                     struct gzk_error *error);

#endif
