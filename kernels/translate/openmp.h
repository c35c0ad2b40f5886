/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * openmp.h - variables of which directives of OpenMP give each thread its own. Their values are not
 * those of C without OpenMP.
 */
#ifndef GZT_OPENMP_H
#define GZT_OPENMP_H

#include "source.h"

/* Whether a directive before the statement at `at` gives each thread a variable of that name, which
 * is gone behind the statement. */
bool gzt_is_private(const struct gzt_source *source, int at, const char *name);

/* Whether a directive makes the variable of that name, which is not automatic, one of each thread.
 */
bool gzt_is_threadprivate(const struct gzt_source *source, const char *name);

#endif
