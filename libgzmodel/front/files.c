/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* for realpath, which POSIX keeps in its XSI part */
#include "files.h"

#include "input.h"

#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -------------------------------------------------------------------------------------- paths */

char *cli_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}

/* Characters of the folder's part of a path, its last "/" with them. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

char *cli_beside(const char *path, const char *name)
{
    return cli_text("%.*s%s", (int)folder_length(path), path, name);
}

/* Whether writing there cannot destroy any file of the run. */
static bool is_stream(const char *path)
{
    struct stat found;
    return strcmp(path, "-") == 0 || (stat(path, &found) == 0 && !S_ISREG(found.st_mode));
}

bool cli_same_file(const char *one, const char *other)
{
    struct stat a, b;
    if (is_stream(one) || is_stream(other))
        return false;
    bool first = stat(one, &a) == 0, second = stat(other, &b) == 0;
    if (first && second)
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (first || second)
        return false;
    size_t one_folder = folder_length(one), other_folder = folder_length(other);
    if (strcmp(one + one_folder, other + other_folder) != 0)
        return false;
    char *here = one_folder ? strndup(one, one_folder) : strdup(".");
    char *there = other_folder ? strndup(other, other_folder) : strdup(".");
    bool same = here && there && stat(here, &a) == 0 && stat(there, &b) == 0 &&
                a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(here);
    free(there);
    return same;
}

bool cli_is_there(const char *path)
{
    struct stat found;
    return path && strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISREG(found.st_mode) &&
           found.st_size > 0;
}

int cli_check_files(const struct cli_file *files, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n && files[k].output && files[k].path; i++) {
            /* Each pair of outputs once. */
            if (!files[i].path || i == k || (files[i].output && i > k))
                continue;
            if (cli_same_file(files[k].path, files[i].path))
                return cli_fail(CLI_BAD_INPUT,
                                "%s %.300s: that file is also %s of this run: give another",
                                files[k].option, files[k].path, files[i].option);
        }
    int status = CLI_DONE;
    for (size_t k = 0; k < n && status == CLI_DONE; k++)
        if (files[k].output && files[k].path)
            status = cli_check_writable(files[k].path);
    return status;
}

int cli_check_replaces(const char *option, const char *path, bool force)
{
    if (force || !cli_is_there(path))
        return CLI_DONE;
    return cli_fail(CLI_BAD_INPUT, "%s %.300s: the file exists: give another name, or --force",
                    option, path);
}

char *cli_partial_path(const char *table)
{
    return cli_text("%s.partial", table);
}

int cli_check_partial(const char *table, const char *partial, bool goes_on, const char *instead)
{
    struct stat found;
    if (lstat(partial, &found) != 0 || (S_ISREG(found.st_mode) && (goes_on || found.st_size == 0)))
        return CLI_DONE;
    return cli_fail(
        CLI_BAD_INPUT,
        S_ISREG(found.st_mode)
            ? "-o %.300s: an interrupted run left %.300s: give --resume to go on with "
              "it, or %s to measure anew"
            : "-o %.300s: %.300s is no file of an interrupted run: give another name, or "
              "remove that",
        table, partial, instead);
}

/* -------------------------------------------------------------------------------------- texts */

/* More than any text that this project reads; errno is EFBIG beyond. */
#define TEXT_SIZE_MAX ((size_t)256 << 20)

static char *read_all(FILE *from, size_t *size)
{
    char *text = NULL;
    size_t room = 0;
    for (*size = 0;;) {
        if (*size > TEXT_SIZE_MAX) {
            free(text);
            errno = EFBIG;
            return NULL;
        }
        if (room - *size < 2) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more) {
                free(text);
                errno = ENOMEM;
                return NULL;
            }
            text = more;
        }
        size_t got = fread(text + *size, 1, room - *size - 1, from);
        *size += got;
        if (got == 0)
            break;
    }
    text[*size] = '\0';
    if (!ferror(from))
        return text;
    free(text);
    return NULL;
}

bool cli_check_text(const char *text, size_t size, char *why, size_t why_size)
{
    const char *zero = memchr(text, '\0', size), *end = memchr(text, '\r', size);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        snprintf(why, why_size,
                 "begins with a byte-order mark: save it as UTF-8 without one (or as ASCII)");
    else if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        snprintf(why, why_size, "is UTF-16: save it as UTF-8 (or as ASCII)");
    else if (zero)
        snprintf(why, why_size, "holds a zero byte, at byte %zu: not a text file",
                 (size_t)(zero - text) + 1);
    else if (end && end[1] == '\n')
        snprintf(why, why_size,
                 "has lines that end as on Windows (CR LF): convert it, for example with "
                 "\"sed -i 's/\\r$//'\"");
    else
        return true;
    return false;
}

char *cli_read_text(const char *path, size_t *size, char *why, size_t why_size)
{
    FILE *from = gzi_open_input(path);
    if (!from) {
        snprintf(why, why_size, "%s%s",
                 errno == EISDIR ? "" : "cannot be opened: ", gzi_open_why(errno));
        return NULL;
    }
    char *text = read_all(from, size);
    if (!text)
        snprintf(why, why_size, "cannot be read: %s", strerror(errno));
    fclose(from);
    if (text && !cli_check_text(text, *size, why, why_size)) {
        free(text);
        return NULL;
    }
    return text;
}
