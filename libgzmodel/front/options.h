/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * options.h - the command line that all programs of the project share. An option is read the same
 * way, has the same letter and is refused with the same words everywhere. A program states which
 * of the common options it takes and adds its own with the same table.
 *
 * Options may stand anywhere, before or after the other words; "--" ends them. A later option
 * overrides an earlier one. Every function that fails has said why through cli_fail and returns
 * its status.
 */
#ifndef GZ_CLI_OPTIONS_H
#define GZ_CLI_OPTIONS_H

#include "gzmodel.h"
#include "output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The common options, as bits of a set. A program's own start at CLI_FIRST_OWN; those that it never
 * looks at share the last. */
enum cli_option_bit {
    CLI_DEVICE = 1 << 0,
    CLI_APP = 1 << 1,
    CLI_SIZE = 1 << 2,
    CLI_BLOCK = 1 << 3,
    CLI_SYNC = 1 << 4,
    CLI_HEIGHT = 1 << 5,
    CLI_TAU = 1 << 6,
    CLI_JSON = 1 << 7,
    CLI_OUTPUT = 1 << 8,
    CLI_LIST = 1 << 9,
    CLI_QUIET = 1 << 10,
    CLI_HELP = 1 << 11,
    CLI_VERSION = 1 << 12,
    CLI_COMPLETION = 1 << 13,
    CLI_FIRST_OWN = 1 << 14,
    CLI_UNASKED = 1 << 30
};

/* What processes that work on one thing may have differently. */
enum { CLI_OF_PROCESS = CLI_DEVICE | CLI_OUTPUT | CLI_QUIET | CLI_JSON };

/* Words besides options that a command line may have. */
#define CLI_MAX_WORDS 8

/* Extents as written: a single one applies to all dimensions. */
struct cli_extents {
    int count; /* 0 if not given */
    double length[GZ_MAX_DIM];
};

struct cli_options {
    unsigned given;   /* the bits of the options that were given */
    uint64_t request; /* a hash of those that say what is done, in order, as they are written:
                         all but those of CLI_OF_PROCESS */
    const char *device, *app, *output;
    struct cli_extents size, block;
    gz_sync sync;
    double height; /* loops */
    gz_tau tau;
    const char *words[CLI_MAX_WORDS]; /* the words that are not options, in order */
    int word_count;
};

/* The form of an option's argument, and of its stored value. */
enum cli_as {
    CLI_FLAG,    /* bool, which becomes true; with `at` 0 nothing: it was given */
    CLI_TEXT,    /* const char *: any text */
    CLI_FILE,    /* const char *: a name that is not empty */
    CLI_INT,     /* int: a whole number from `least` to `most` */
    CLI_LONG,    /* long: likewise */
    CLI_WHOLE,   /* double: likewise */
    CLI_REAL,    /* double: any number from `least` to `most` */
    CLI_TIME,    /* double: a time from `least` to `most` seconds (cli_read_time) */
    CLI_SEED,    /* uint64_t (cli_read_seed) */
    CLI_EXTENTS, /* struct cli_extents */
    CLI_NUMBERS, /* struct cli_numbers: whole numbers from `least` to `most` (cli_read_numbers) */
    CLI_SHAPES,  /* struct cli_shapes */
    CLI_PLACES, /* int for each of `places`: a whole number from `least` to `most` (cli_read_places)
                 */
    CLI_NAME,   /* int, or an enumeration: that of a name of `kind` */
    CLI_CHOICE  /* the same: the place among `names`, which NULL ends */
};

/* One option. What `as` says is stored `at` so many bytes into the program's own structure, or
 * `read`, if that is not NULL, stores the text of the argument (NULL for an option without one).
 * What is refused is not stored. */
struct cli_option {
    unsigned bit;
    char letter;          /* 0 if it has no short form */
    const char *name;     /* of the long form; NULL if it has none */
    const char *argument; /* for --help; NULL if it takes none; one that ends in "..." takes
                             every word up to the next option, each by a call of `read`; "[=TIME]"
                             may be left out, when `read` is called with NULL */
    const char *help;     /* one line */
    enum cli_as as;
    size_t at;
    double least, most;
    int places;
    bool automatic; /* "auto" is stored as no extents, or as least - 1 */
    gz_kind kind;
    const char *const *names;
    int (*read)(void *into, const char *text); /* then `as`, `kind` and `names` say what completes
                                                  it */
};

/* The help of a common option in one program, in place of the usual help. */
struct cli_wording {
    unsigned bit;
    const char *argument, *help; /* as in struct cli_option */
};

struct cli_program {
    const char *name;                   /* as installed */
    const char *usage;                  /* the first lines of --help, up to the options */
    const char *more;                   /* the lines after the options */
    const char *commands;               /* its first words, with blanks between; may be NULL */
    unsigned takes;                     /* the common options it takes */
    const struct cli_option *own;       /* its own, ended by an entry whose bit is 0; may be NULL */
    void *own_into;                     /* what they store into */
    const struct cli_wording *wordings; /* ended by an entry whose bit is 0; may be NULL */
};

/* Begins a program (cli_set_program) and reads its command line. False if the program is to end
 * with `status`: the command line is wrong, or --help, --version or --completion was given and is
 * answered; then reading has stopped there. */
bool cli_begin(const struct cli_program *program, int argc, char **argv, struct cli_options *out,
               int *status);

/* Prints a completion script for bash, made of the program's options, to stdout. */
int cli_completion(const struct cli_program *program);

/* Each option of a program, its own after the common ones; NULL after the last. */
const struct cli_option *cli_first_option(const struct cli_program *program);
const struct cli_option *cli_next_option(const struct cli_program *program,
                                         const struct cli_option *option);
/* An option's argument and help as the program words them. */
struct cli_wording cli_wording_of(const struct cli_program *program,
                                  const struct cli_option *option);

/* Refuses any given option that is not in `allowed`; `command` names what does not take it. */
int cli_allow(const struct cli_program *program, const struct cli_options *options,
              unsigned allowed, const char *command);

/* The file that -d, or -a, means; NULL if none was given or the name is built in. */
const char *cli_device_file(const char *device);
const char *cli_app_file(const char *app);

/* Reads a number from `least` to `most`, a whole one if `whole`; `out` stays if it is refused. */
int cli_read_in_range(const char *what, const char *text, bool whole, double least, double most,
                      double *out);

/* Reads a time, "90", "90s", "20m", "1h", "5ms", "100us" or "3ns", from `least` to `most` seconds.
 */
int cli_read_time(const char *what, const char *text, double least, double most, double *seconds);

/* Reads a whole number from 0 to 2^63 - 1 (what JSON writers have), every bit of it. */
int cli_read_seed(const char *what, const char *text, uint64_t *out);

/* Reads extents, "2000" or "2000x1000": whole numbers, at least 1. `what` names them in messages.
 */
int cli_read_extents(const char *what, const char *text, struct cli_extents *out);

/* Lengths for `app` from extents as written; `what` is the option, "--size" say. */
int cli_lengths(const char *what, const struct cli_extents *extents, const gz_app *app,
                double out[GZ_MAX_DIM]);

/* Options that take several values, each of which may be given once. */
enum { CLI_MAX_LIST = 1024 };

struct cli_numbers {
    size_t count;
    double values[CLI_MAX_LIST]; /* in the order as written */
};
/* Whole numbers from `least` to `most`, and ranges of them: "4", "1:16", "1,2,4:8:2" (every
 * second). */
int cli_read_numbers(const char *what, const char *text, double least, double most,
                     struct cli_numbers *out);
/* One whole number for each of so many places, the last for all that follow: "2,2", "4,2,1". */
int cli_read_places(const char *what, const char *text, double least, double most, int places,
                    int *out);

struct cli_shapes {
    int count;
    struct cli_extents shapes[CLI_MAX_LIST];
};
/* Extents: "64x64,258x66". */
int cli_read_shapes(const char *what, const char *text, struct cli_shapes *out);

/* Some of `n` names, at most 31: "restart,fence", or "all"; as bits, 1 << the name's index. */
int cli_read_choices(const char *what, const char *text, const char *const *names, int n,
                     unsigned *out);

#endif
