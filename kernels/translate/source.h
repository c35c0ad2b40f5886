/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * source.h - the user's file after the preprocessor, and where each byte of it came from.
 */
#ifndef GZT_SOURCE_H
#define GZT_SOURCE_H

#include "text.h"

#include <stdbool.h>

/* Where something stands in the user's files, as the line markers of the preprocessor say. */
struct gzt_place {
    const char *file;
    int line, column; /* from 1 */
};

struct gzt_source {
    const char *path; /* as the user gave it */
    const char *text; /* after the preprocessor */
    int length;       /* bytes of it */
    int *loop;        /* where its loops begin, in order */
    int loops;
    char **flags; /* the user's flags for the compiler, but for those of OpenMP */
    int flag_count;
    int openmp;        /* by the flags: 1 with OpenMP, -1 without, 0 either */
    bool cxx;          /* C++ by the file's name */
    bool contract;     /* --contract: results may round otherwise than C's */
    bool failed;       /* whether `error` holds the first refusal */
    int status;        /* the exit status that goes with it */
    const char *error; /* one line */
};

/* Runs the preprocessor on source->path with the user's flags. Returns 0, or -1 with the error set
 * (what the preprocessor itself had to say went to stderr). */
int gzt_preprocess(struct gzt_source *source);

/* Appends what a file holds, with blanks for a byte order mark. -1 with errno set if it cannot be
 * opened. */
int gzt_add_file(struct gzt_text *text, const char *path);

/* The files of the user's that are included, and behind them the user's file, as they stand. */
const char *gzt_own_text(const struct gzt_source *source);

/* The user's file as another compiler sees it, of which clang pretends to be one: gcc with
 * optimisation, with OpenMP or not, on one line. NULL if no file of the user's asks which compiler
 * reads it, or the other cannot. */
const char *gzt_seen_by_others(const struct gzt_source *source, bool openmp);

/* Checks the user's flags: they must be such as say how the file is read, or change nothing about
 * that. Takes those of OpenMP out, whose directives gzc reads itself. -1 with the error set. */
int gzt_check_flags(struct gzt_source *source);

/* Appends the flags that the preprocessor is given for the file. */
void gzt_preprocessor_flags(const struct gzt_source *source, const char ***flags, int *count);

/* The place of a byte of the preprocessed text. */
struct gzt_place gzt_place_of(const struct gzt_source *source, int offset);

/* Records "file:line:column: message" as the error, unless there is one already, with exit
 * status 2. Always returns -1. */
int gzt_refuse(struct gzt_source *source, int offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says the error, which is then none; others may be looked at. Returns its exit status. */
int gzt_say(struct gzt_source *source);

/* The bytes [begin, end) of the preprocessed text as they stand, strings included, without line
 * markers. */
const char *gzt_verbatim(const struct gzt_source *source, int begin, int end);

/* The bytes [begin, end) of the preprocessed text, on one line: line markers dropped, white space
 * collapsed. */
const char *gzt_clean(const struct gzt_source *source, int begin, int end);

/* Whether a directive of OpenMP before the statement at `at` gives each thread, or a task, a
 * variable of its own for that of this name, which is gone behind the statement; whether one makes
 * a variable that is not automatic one of each thread. Their values are not those of C without
 * OpenMP. */
bool gzt_is_private(const struct gzt_source *source, int at, const char *name, bool automatic,
                    bool array);
bool gzt_is_threadprivate(const struct gzt_source *source, const char *name);

/* Whether the iterations of the loop at `at` are divided among threads. */
bool gzt_is_divided(const struct gzt_source *source, int at);

/* The directive by which each thread runs the statement at `at`, as far as some before it say, or
 * else `each`; in_turn: and one after the other, so that what it adds to is added to as often.
 * Whether that adds to a variable, or the like, what each thread has made of one of its own. */
const char *gzt_for_each(const struct gzt_source *source, int at, const char *each, bool *in_turn);
bool gzt_is_reduced(const char *directive, const char *name);

#endif
