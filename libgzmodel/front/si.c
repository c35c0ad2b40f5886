/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "si.h"

#include <math.h>
#include <stdio.h>

struct gzk_si_text cli_si(double value, const char *unit)
{
    static const char *const prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    struct gzk_si_text si;
    double size = fabs(value);
    int k = size > 0 && isfinite(size) ? (int)floor(log10(size) / 3) + 3 : 3;

    /* A number that three digits round up to 1000 takes the next prefix. */
    if (k < 9 && size >= 999.5 * pow(1000, k - 3))
        k++;
    k = k < 0 ? 0 : k > 9 ? 9 : k;
    double scaled = value / pow(1000, k - 3);
    int decimals = fabs(scaled) < 9.995 ? 2 : fabs(scaled) < 99.95 ? 1 : 0;
    snprintf(si.text, sizeof si.text, "%.*f %s%s", decimals, scaled, prefixes[k], unit);
    return si;
}
