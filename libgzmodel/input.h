/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * input.h - how every file from outside is opened, by the library and by the programs.
 */
#ifndef GZI_INPUT_H
#define GZI_INPUT_H

#include <stddef.h>
#include <stdio.h>

/* Opens `path` for reading; NULL with errno if it cannot be. Never waits: a named pipe that nobody
 * has open for writing gives an empty file, not a program that hangs. EISDIR for a folder. */
FILE *gzi_open_input(const char *path);

/* The same for what is read by its size or more than once: a regular file only, of `*size` bytes.
 * ESPIPE for a pipe or a device. */
FILE *gzi_open_regular(const char *path, size_t *size);

/* Why one of these failed, by its errno, to stand behind the path: "is a folder: a file is
 * expected". */
const char *gzi_open_why(int error);

#endif
