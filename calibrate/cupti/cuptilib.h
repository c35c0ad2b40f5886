/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuptilib.h - what counters.c and sass.c share: CUPTI's library, opened at run time, and what its
 * refusals mean.
 */
#ifndef GZC_CUPTILIB_H
#define GZC_CUPTILIB_H

#include "error.h"

#include <cupti_result.h>
#include <stddef.h>

/* A function of the library: its name, and where its address goes (a pointer to a pointer to it).
 */
struct gzc_cupti_function {
    void *address;
    const char *name;
};

/* A row of such a table, and the pointer that it fills, for the struct `api` of a file. */
#define GZC_CUPTI_POINTER(function) __typeof__(&function) function##_;
#define GZC_CUPTI_ROW(function) {&api.function##_, #function},

/* Fills in `functions`, opening the library if necessary. GZK_NO_DEVICE if there is none, or it
 * lacks one of them. */
int gzc_cupti_resolve(const struct gzc_cupti_function *functions, size_t count,
                      struct gzk_error *error);

/* 0 for CUPTI_SUCCESS; else GZK_FAILED, with a line on what `call` was refused for and what to do
 * about it. */
int gzc_cupti_check(CUptiResult status, const char *call, struct gzk_error *error);

#endif
