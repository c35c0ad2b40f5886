/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hoist.h - what gzc writes as C of 1989, too.
 */
#ifndef GZT_HOIST_H
#define GZT_HOIST_H

/* Statements that gzc wrote, with the variable of each of its loops, which begin a line with
 * `for (long gz_x = `, declared before the loop in a block of their own. */
const char *gzt_hoisted(const char *statements);

#endif
