/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tested.h - of loops that set several arrays, which cells a kernel must compare with which bounds.
 */
#ifndef GZT_TESTED_H
#define GZT_TESTED_H

#include "systems.h"

/* Sets which bounds of its part each version of the fields must be tested against. */
void gzt_find_tests(struct gzt_program *program);

#endif
