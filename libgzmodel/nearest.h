/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nearest.h - whether a name may be what somebody meant who wrote another.
 */
#ifndef GZ_NEAREST_H
#define GZ_NEAREST_H

/* 2 if one of both begins with the other, and so has at least two letters; 1 if one of
 * three letters or more is part of the other, or `asked` becomes the name by at most two edits (one
 * if they are short): a letter inserted, deleted or replaced, or two adjacent ones exchanged; else
 * 0. Case counts. */
int gzi_nearness(const char *asked, const char *name);

#endif
