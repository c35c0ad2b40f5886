/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * output.c - see output.h.
 */
#define _XOPEN_SOURCE 700 /* for realpath, which POSIX keeps in its XSI part */
#include "output.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
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

void cli_watch(const volatile sig_atomic_t *number)
{
    interrupt = number;
}

void cli_date(char date[CLI_DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm utc;
    date[0] = '\0';
    if (gmtime_r(&now, &utc))
        strftime(date, CLI_DATE_SIZE, "%Y-%m-%d %H:%M UTC", &utc);
}

void cli_write_call(FILE *to, int argc, char *const *argv)
{
    char date[CLI_DATE_SIZE];
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    cli_date(date);
    fprintf(to, "# date: %s\n# command:", date);
    for (int k = 0; k < argc; k++)
        fprintf(to, " %s", k == 0 && slash ? slash + 1 : argv[k]);
    fputc('\n', to);
}

void cli_end_interrupted(void)
{
    const char *temporary = atomic_load(&unfinished);
    if (temporary)
        unlink(temporary);
    if (!atomic_flag_test_and_set(&said))
        fprintf(stderr, "%s%s: interrupted\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", program);
    _exit(128 + (interrupt ? *interrupt : SIGINT));
}

static int cannot_write(const char *path, int error)
{
    return cli_fail(CLI_FAILED, "cannot write %s: %s", path, strerror(error));
}

/* Writes all of the text and closes the file; 0, or the errno of what failed first. */
static int write_and_close(FILE *file, const char *text, size_t size)
{
    errno = 0;
    int failed = fwrite(text, 1, size, file) != size || fflush(file) != 0;
    int error = errno;
    if (fclose(file) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    return failed ? (error ? error : EIO) : 0;
}

static int write_directly(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    int error = file ? write_and_close(file, text, size) : errno;
    return error ? cannot_write(path, error) : CLI_DONE;
}

/* Gives a file made by mkstemp the permissions that an ordinary new file, or the file that it
 * replaces, has. */
static int set_mode(int fd, const struct stat *replaced)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, replaced ? replaced->st_mode & 07777 : 0666 & ~mask);
}

/* `target` is the file's path after following links; `path` is the one that messages name. */
static int write_beside(const char *path, const char *target, const struct stat *replaced,
                        const char *text, size_t size)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(target);
    char *temporary = malloc(length + sizeof suffix);
    if (!temporary)
        return cannot_write(path, ENOMEM);
    memcpy(temporary, target, length);
    memcpy(temporary + length, suffix, sizeof suffix);

    int error = 0, fd = mkstemp(temporary);
    if (fd >= 0)
        atomic_store(&unfinished, temporary);
    FILE *file = fd >= 0 && set_mode(fd, replaced) == 0 ? fdopen(fd, "w") : NULL;
    if (file) {
        error = write_and_close(file, text, size);
    } else {
        error = errno;
        if (fd >= 0)
            close(fd);
    }
    if (!error && rename(temporary, target) != 0)
        error = errno;
    if (error && fd >= 0)
        unlink(temporary);
    atomic_store(&unfinished, NULL);
    free(temporary);
    return error ? cannot_write(path, error) : CLI_DONE;
}

int cli_write(const char *path, const char *text, size_t size)
{
    if (!path || strcmp(path, "-") == 0) {
        int error = write_and_close(stdout, text, size);
        return error ? cannot_write("standard output", error) : CLI_DONE;
    }
    struct stat found;
    if (stat(path, &found) != 0)
        return errno == ENOENT ? write_beside(path, path, NULL, text, size)
                               : cannot_write(path, errno);
    if (!S_ISREG(found.st_mode))
        return write_directly(path, text, size);
    if (access(path, W_OK) != 0) /* renaming would replace it all the same */
        return cannot_write(path, errno);
    char *target = realpath(path, NULL);
    int status =
        target ? write_beside(path, target, &found, text, size) : cannot_write(path, errno);
    free(target);
    return status;
}
