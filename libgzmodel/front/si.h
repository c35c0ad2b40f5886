/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * si.h - numbers for readers.
 */
#ifndef GZK_SI_H
#define GZK_SI_H

struct gzk_si_text {
    char text[32];
};

/* `value` with three digits, an SI prefix and the unit: 23.1 GB. */
struct gzk_si_text cli_si(double value, const char *unit);

#endif
