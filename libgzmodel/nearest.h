/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nearest.h - whether a name may be what somebody meant who wrote another.
 */
#ifndef GZ_NEAREST_H
#define GZ_NEAREST_H

/* 2 if one of both begins with the other, and so has at least two letters; 1 if one of
 * three letters or more is part of the other, or the name differs from `asked` by at most two of: a
 * letter more, less, another, or two adjacent ones exchanged (one if they are short); else 0. Case
 * counts. */
int gzi_nearness(const char *asked, const char *name);

#endif
