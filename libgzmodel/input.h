/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * input.h - how every file from outside is opened, by the library and by the programs.
 */
#ifndef GZI_INPUT_H
#define GZI_INPUT_H

#include <stdio.h>

/* Opens `path` for reading; NULL with errno if it cannot be. Never waits: a named pipe that nobody
 * has open for writing gives an empty file, not a program that hangs. EISDIR for a folder. */
FILE *gzi_open_input(const char *path);

#endif
