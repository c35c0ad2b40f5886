/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * output.h - what every program of the project says and writes: one line of error on stderr, and
 * results that appear whole or not at all.
 */
#ifndef GZ_CLI_OUTPUT_H
#define GZ_CLI_OUTPUT_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses of all programs. */
enum cli_exit {
    CLI_DONE = 0,
    CLI_FAILED = 1, /* it could not be done: output not writable, out of memory, a check failed */
    CLI_BAD_INPUT = 2, /* the command line or an input was wrong */
    CLI_NO_DEVICE = 77 /* no such device on this machine */
};

/* Sets the name at the start of every message; called once, first in main. `name` must last. Also
 * lets GSL report errors by its return values: its own handler would end the program, for example
 * if memory runs out. (The library leaves that handler, one per process, to its caller.) And a file
 * that grows beyond the limit (ulimit -f) is an error of writing, here and in programs that are
 * started, no signal that ends the program and leaves the file. */
void cli_set_program(const char *name);

/* Says on stderr, in one line, what was wrong and what would be right; control characters, which
 * file names and arguments may hold, become '?'. Returns `status`. */
__attribute__((format(printf, 2, 3))) int cli_fail(int status, const char *format, ...);

/* Zeroed room for `n` of `size` bytes, to be freed; and what lies at `old`, in room for `n`. Both
 * end the program if memory is short: for programs, not for libraries. */
void *cli_room(size_t n, size_t size);
void *cli_more_room(void *old, size_t n, size_t size);

/* From here on, once `*number` is a signal's and not 0, the program counts as interrupted: cli_fail
 * says the first line only and returns 128 + `*number`, whatever the status. Programs that catch no
 * interrupts never call it. */
void cli_watch(const volatile sig_atomic_t *number);

/* Ends the program at once with that status, from any thread: removes the temporary file that
 * cli_write is filling, and says one line unless cli_fail has. */
_Noreturn void cli_end_interrupted(void);

/* Writes `size` bytes to the file `path`, or to stdout if it is NULL or "-". A new or regular
 * file is written as a temporary in its folder and renamed, so that no reader and no failure sees a
 * part of it; anything else (a pipe, a device) is written directly. A link is followed. Returns
 * CLI_DONE, or CLI_FAILED after cli_fail. */
int cli_write(const char *path, const char *text, size_t size);

/* The same at a path that the program made up, where a link is none that the user meant: it is
 * replaced, not followed. */
int cli_write_own(const char *path, const char *text, size_t size);

/* The same for a file that `make` fills by its name, such as a compiler; it is put in place of
 * `path` if `make` returns CLI_DONE. Returns what `make` returned if that is not CLI_DONE. */
int cli_make(const char *path, int (*make)(const char *name, void *of), void *of);

/* A text that is written whole: printed to `to`, which cli_sheet_open opens or ends the program,
 * then put where cli_write or cli_write_own puts it, and freed. These return CLI_DONE, or
 * CLI_FAILED after cli_fail. */
struct cli_sheet {
    FILE *to;
    char *text;
    size_t size;
    int failed; /* not 0: what was printed is not all, for lack of memory */
};
void cli_sheet_open(struct cli_sheet *sheet);
int cli_sheet_write(struct cli_sheet *sheet, const char *path);
int cli_sheet_write_own(struct cli_sheet *sheet, const char *path);

/* Finds out whether cli_write could write at `path`, before what takes long begins: by a temporary
 * in its folder, which goes at once. Returns CLI_DONE, or CLI_FAILED after cli_fail. */
int cli_check_writable(const char *path);

/* Removes the temporary that is being filled, if any: for a program that a signal is about to end.
 */
void cli_remove_unfinished(void);

/* The time of day, UTC, by a format of strftime's, which is CLI_DATE in tables; "" if it is not
 * known. */
#define CLI_DATE "%Y-%m-%d %H:%M UTC"
struct cli_date {
    char text[40];
};
struct cli_date cli_date(const char *format);

/* The lines "# date: ..." and "# command: ..." of a table, without the program's folder, which is
 * of one machine; and the latter alone. */
void cli_write_call(FILE *to, int argc, char *const *argv);
void cli_write_command(FILE *to, int argc, char *const *argv);

#endif
