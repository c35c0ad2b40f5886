/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fail.h - how the library says what is wrong. `error` may be NULL throughout.
 */
#ifndef GZI_FAIL_H
#define GZI_FAIL_H

#include "gzmodel.h"

/* Writes a message into `error`; returns `status`. */
__attribute__((format(printf, 3, 4))) gz_status gzi_fail(gz_error *error, gz_status status,
                                                         const char *format, ...);

/* A null pointer was passed for `what`: GZ_EARGUMENT. */
gz_status gzi_fail_null(gz_error *error, const char *what);

/* A result that is not a finite number: GZ_EOVERFLOW. */
gz_status gzi_fail_overflow(gz_error *error);

#endif
