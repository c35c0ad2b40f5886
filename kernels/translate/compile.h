/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile.h - runs the C compiler.
 */
#ifndef GZT_COMPILE_H
#define GZT_COMPILE_H

/* Compiles the C text into the shared object `path`, which appears whole or not at all. Returns an
 * exit status, after saying why if it is not 0. */
int gzt_compile(const char *text, const char *path);

#endif
