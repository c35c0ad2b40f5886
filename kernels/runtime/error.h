/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * error.h - how the kernels' code reports what went wrong: a status for the program, a line for the
 * reader. Functions that can fail take a `struct gzk_error *`, fill it and return its status; zero
 * is success. The statuses are the programs' exit statuses (interface of gzrun and gz-calibrate).
 */
#ifndef GZK_ERROR_H
#define GZK_ERROR_H

#include <signal.h>

enum {
    GZK_OK = 0,
    GZK_FAILED = 1,    /* it was tried and failed: a driver's error, a wrong result */
    GZK_INVALID = 2,   /* the request cannot be right: an option, a file, a configuration */
    GZK_NO_DEVICE = 77 /* no such device, or no driver for it, on this machine */
};

/* Stays 0: the `stop` of work that nothing ends. */
extern const volatile sig_atomic_t gzk_never;

struct gzk_error {
    int status;
    char text[1000]; /* one line, no newline: what is wrong, then what would be right */
};

/* Fills `error` (line breaks in the result become spaces) and returns `status`. */
__attribute__((format(printf, 3, 4))) int gzk_fail(struct gzk_error *error, int status,
                                                   const char *format, ...);

#endif
