/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

gz_status gzi_fail(gz_error *error, gz_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
        /* names and keys from outside may hold control characters; a message is one line */
        for (char *c = error->text; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = '?';
    }
    return status;
}

gz_status gzi_fail_null(gz_error *error, const char *what)
{
    return gzi_fail(error, GZ_EARGUMENT, "no %s given (a null pointer)", what);
}

gz_status gzi_fail_overflow(gz_error *error)
{
    return gzi_fail(error, GZ_EOVERFLOW,
                    "a result is not a finite number: the quantities of device, application and "
                    "size must be less extreme");
}
