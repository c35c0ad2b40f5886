/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sheet.h - a table for the figures or the README, in memory until it is whole.
 */
#ifndef GZ_SHEET_H
#define GZ_SHEET_H

#include "judge.h"

typedef struct sheet {
    FILE *to;
    char *text;
    size_t size;
} sheet;

typedef struct sheet_column {
    const char *name, *unit, *meaning;
} sheet_column;

/* Begins a sheet; ends the program if memory is short. */
void sheet_open(sheet *s);
/* The `#` lines: what it shows, what the table says of itself, the columns; and the header row. */
void sheet_head(sheet *s, const judge *j, const char *what, const sheet_column *columns, int n);
/* Writes it as FOLDER/NAME. Returns an exit status, after cli_fail unless CLI_DONE. */
int sheet_write(sheet *s, const char *folder, const char *name);

#define SHEET_COLUMNS(a) (int)(sizeof(a) / sizeof *(a))

#endif
