/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * files.h - paths of any length, inputs read whole, and which files of a run must not be the same.
 */
#ifndef GZ_CLI_FILES_H
#define GZ_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a format, of any length, to be freed; NULL if memory is short. */
__attribute__((format(printf, 1, 2))) char *cli_text(const char *format, ...);

/* The path of `name` in the folder of the file `path`, which need not exist; to be freed. */
char *cli_beside(const char *path, const char *name);

/* Whether two paths are one file: as the system has it, or, if that file is not there yet, by its
 * folder and name. Standard output, "-", and pipes are never the same as anything. */
bool cli_same_file(const char *one, const char *other);

/* Whether something is there that cli_write would replace: a regular file that is not empty. */
bool cli_is_there(const char *path);

/* A file of a run. */
struct cli_file {
    const char *option; /* as messages call it: "-o" */
    const char *path;   /* NULL, or a name that is not a file: ignored */
    bool output;
};

/* Refuses an output that is also an input, or another output, of the same run, and one that cannot
 * be written. To be called before anything takes long. Returns CLI_DONE, or CLI_BAD_INPUT or
 * CLI_FAILED after cli_fail. */
int cli_check_files(const struct cli_file *files, size_t n);

/* Refuses to replace what is at `path` unless `force`. Returns CLI_DONE, or CLI_BAD_INPUT after
 * cli_fail. */
int cli_check_replaces(const char *option, const char *path, bool force);

/* The path where a long run keeps what is done of `table`, its result, until that is complete; to
 * be freed. It is written by cli_write_own. */
char *cli_partial_path(const char *table);

/* Refuses to begin a run where an earlier one left such a file, unless this one `goes_on` with it
 * or may replace it, and wherever a folder, a link or a pipe lies there; `instead` says how to
 * begin again ("--force"). Returns CLI_DONE, or CLI_BAD_INPUT after cli_fail. */
int cli_check_partial(const char *table, const char *partial, bool goes_on, const char *instead);

/* The whole of a text file, ended by a zero, to be freed. A folder, a file that holds a zero byte,
 * begins with a byte-order mark or has lines that end as on Windows (CR LF) is refused: then `why`
 * says in words what is wrong and what would be right, without the path. Returns the text, or NULL;
 * `*size` is its length. */
char *cli_read_text(const char *path, size_t *size, char *why, size_t why_size);

/* The same check of a text that was read already; false after filling `why`. */
bool cli_check_text(const char *text, size_t size, char *why, size_t why_size);

#endif
