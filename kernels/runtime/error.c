/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

const volatile sig_atomic_t gzk_never;

int gzk_fail(struct gzk_error *error, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    for (char *c = error->text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    error->status = status;
    return status;
}
