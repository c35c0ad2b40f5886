/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * output.c - see output.h.
 */
#define _XOPEN_SOURCE 700 /* for realpath, which POSIX keeps in its XSI part */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *program = "gzmodel";

/* The signal that interrupted the program, see cli_watch; whether the line that says so was begun;
 * the temporary file that is being written. */
static const volatile sig_atomic_t *interrupt;
static atomic_flag said = ATOMIC_FLAG_INIT;
static char *_Atomic unfinished;

void cli_set_program(const char *name)
{
    program = name;
    gsl_set_error_handler_off();
    signal(SIGXFSZ, SIG_IGN);
}

int cli_fail(int status, const char *format, ...)
{
    char line[1024];
    va_list args;
    if (interrupt && *interrupt) {
        status = 128 + *interrupt;
        if (atomic_flag_test_and_set(&said))
            return status;
    }
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    fprintf(stderr, "%s: %s\n", program, line);
    return status;
}

static void *room_or_end(void *room)
{
    if (!room)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    return room;
}

void *cli_room(size_t n, size_t size)
{
    return room_or_end(calloc(n + 1, size));
}

void *cli_more_room(void *old, size_t n, size_t size)
{
    return room_or_end(realloc(old, (n + 1) * size));
}

void cli_watch(const volatile sig_atomic_t *number)
{
    interrupt = number;
}

struct cli_date cli_date(const char *format)
{
    struct cli_date date = {""};
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date.text, sizeof date.text, format, &utc);
    return date;
}

void cli_sheet_open(struct cli_sheet *sheet)
{
    *sheet = (struct cli_sheet){0};
    sheet->to = room_or_end(open_memstream(&sheet->text, &sheet->size));
}

static int end_sheet(struct cli_sheet *sheet, const char *path,
                     int (*write)(const char *path, const char *text, size_t size))
{
    sheet->failed |= fclose(sheet->to) != 0;
    int status = sheet->failed ? cli_fail(CLI_FAILED, "out of memory")
                               : write(path, sheet->text, sheet->size);
    free(sheet->text);
    return status;
}

int cli_sheet_write(struct cli_sheet *sheet, const char *path)
{
    return end_sheet(sheet, path, cli_write);
}

int cli_sheet_write_own(struct cli_sheet *sheet, const char *path)
{
    return end_sheet(sheet, path, cli_write_own);
}

void cli_write_call(FILE *to, int argc, char *const *argv)
{
    fprintf(to, "# date: %s\n", cli_date(CLI_DATE).text);
    cli_write_command(to, argc, argv);
}

void cli_write_command(FILE *to, int argc, char *const *argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    fputs("# command:", to);
    for (int k = 0; k < argc; k++)
        fprintf(to, " %s", k == 0 && slash ? slash + 1 : argv[k]);
    fputc('\n', to);
}

void cli_end_interrupted(void)
{
    cli_remove_unfinished();
    if (!atomic_flag_test_and_set(&said))
        fprintf(stderr, "%s%s: interrupted\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", program);
    _exit(128 + (interrupt ? *interrupt : SIGINT));
}

static int cannot_write(const char *path, int error)
{
    return cli_fail(CLI_FAILED, "cannot write %s: %s", path,
                    error == ENXIO ? "nobody reads from it" : strerror(error));
}

/* Writes all of the text and closes the file; 0, or the errno of what failed first. */
static int write_and_close(FILE *file, const char *text, size_t size)
{
    errno = 0;
    int failed = fwrite(text, 1, size, file) != size || fflush(file) != 0 || ferror(file);
    int error = errno;
    if (fclose(file) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    return failed ? (error ? error : EIO) : 0;
}

/* Gives a file made by mkstemp the permissions that an ordinary new file, or the file that it
 * replaces, has. */
static int set_mode(int fd, const struct stat *replaced)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, replaced ? replaced->st_mode & 07777 : 0666 & ~mask);
}

/* Where a text for a path goes. */
struct place {
    char *file;    /* what will be replaced, links followed, to be freed; NULL: a pipe or a device,
                      which    is written directly */
    bool replaces; /* whether something is there */
    struct stat found; /* what, if so */
};

/* Returns 0, or the errno that says why nothing can be written there. */
static int find_place(const char *path, struct place *place)
{
    *place = (struct place){0};
    if (stat(path, &place->found) != 0) {
        if (errno != ENOENT)
            return errno;
        place->file = strdup(path);
        return place->file ? 0 : ENOMEM;
    }
    if (S_ISDIR(place->found.st_mode))
        return EISDIR;
    if (access(path, W_OK) != 0) /* renaming would replace it all the same */
        return errno;
    if (!S_ISREG(place->found.st_mode))
        return 0;
    place->replaces = true;
    place->file = realpath(path, NULL);
    return place->file ? 0 : errno;
}

/* A new, empty file in the same folder; cli_end_interrupted removes it. Returns its descriptor, or
 * -1 with errno; `*name` is its name, to be given to end_file, NULL if there is none. */
static int begin_file(const struct place *place, char **name)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(place->file);
    char *new = malloc(length + sizeof suffix);
    *name = NULL;
    if (!new)
        return -1;
    memcpy(new, place->file, length);
    memcpy(new + length, suffix, sizeof suffix);
    int fd = mkstemp(new);
    if (fd < 0) {
        free(new);
        return -1;
    }
    atomic_store(&unfinished, new);
    *name = new;
    if (set_mode(fd, place->replaces ? &place->found : NULL) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Puts the new file in its place, or removes it if there was an `error`. Returns 0 or an errno. */
static int end_file(const struct place *place, char *name, int error)
{
    if (!error && rename(name, place->file) != 0)
        error = errno;
    if (error && name)
        unlink(name);
    atomic_store(&unfinished, NULL);
    free(name);
    return error;
}

static int write_beside(const struct place *place, const char *text, size_t size)
{
    char *name;
    int fd = begin_file(place, &name), error = fd < 0 ? errno : 0;
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file) {
        error = write_and_close(file, text, size);
    } else if (fd >= 0) {
        error = errno;
        close(fd);
    }
    return end_file(place, name, error);
}

/* A descriptor of a pipe or a device, or -1 with errno. ENXIO for a named pipe without a reader
 * after some seconds, in which a reader that starts with this program opens it. */
static int open_directly(const struct place *place, const char *path)
{
    enum { TRIES = 500 };
    const struct timespec pause = {0, 10000000};
    int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
    for (int k = 0; k < TRIES && fd < 0 && errno == ENXIO && S_ISFIFO(place->found.st_mode); k++) {
        nanosleep(&pause, NULL);
        fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
    }
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

static int write_directly(const struct place *place, const char *path, const char *text,
                          size_t size)
{
    int fd = open_directly(place, path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    return file ? write_and_close(file, text, size) : errno;
}

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

int cli_write(const char *path, const char *text, size_t size)
{
    struct place place;
    if (is_stdout(path)) {
        int error = write_and_close(stdout, text, size);
        return error ? cannot_write("standard output", error) : CLI_DONE;
    }
    int error = find_place(path, &place);
    if (!error)
        error = place.file ? write_beside(&place, text, size)
                           : write_directly(&place, path, text, size);
    free(place.file);
    return error ? cannot_write(path, error) : CLI_DONE;
}

int cli_write_own(const char *path, const char *text, size_t size)
{
    struct place place = {.file = strdup(path)};
    int error = place.file ? write_beside(&place, text, size) : ENOMEM;
    free(place.file);
    return error ? cannot_write(path, error) : CLI_DONE;
}

int cli_check_writable(const char *path)
{
    struct place place = {0};
    int error = is_stdout(path) ? 0 : find_place(path, &place);
    if (!error && place.file) {
        char *name;
        int fd = begin_file(&place, &name);
        error = fd < 0 ? errno : 0;
        if (fd >= 0)
            close(fd);
        end_file(&place, name, ECANCELED);
    }
    free(place.file);
    return error ? cannot_write(path, error) : CLI_DONE;
}

int cli_make(const char *path, int (*make)(const char *name, void *of), void *of)
{
    struct place place;
    char *name = NULL;
    int error = find_place(path, &place), status = CLI_DONE;
    if (!error && !place.file)
        error = ENOTSUP;
    int fd = error ? -1 : begin_file(&place, &name);
    if (fd >= 0) {
        close(fd);
        status = make(name, of);
        error = end_file(&place, name, status == CLI_DONE ? 0 : ECANCELED);
    } else if (!error) {
        error = end_file(&place, name, errno);
    }
    free(place.file);
    return status != CLI_DONE ? status : error ? cannot_write(path, error) : CLI_DONE;
}

void cli_remove_unfinished(void)
{
    const char *name = atomic_load(&unfinished);
    if (name)
        unlink(name);
}
