/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ptxas.h - reads ptxas's account of a kernel.
 */
#ifndef GZ_PTXAS_H
#define GZ_PTXAS_H

#include "nvrtc.h"

#include <stdlib.h>
#include <string.h>

/* The number in front of `what`, such as " registers"; -1 if there is none. */
static inline int ptxas_number(const struct gzk_compiled *compiled, const char *what)
{
    const char *log = compiled->log, *place = log ? strstr(log, what) : NULL, *begin = place;
    while (begin && begin > log && begin[-1] >= '0' && begin[-1] <= '9')
        begin--;
    return begin < place ? atoi(begin) : -1;
}

#endif
