/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes `fd` wait for data from now on, and puts back what was read of it. */
static FILE *stream_of(int fd, int got, int first)
{
    int flags = fcntl(fd, F_GETFL);
    FILE *file =
        flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(fd, "rb") : NULL;
    if (file && got)
        ungetc(first, file);
    return file;
}

FILE *gzi_open_input(const char *path)
{
    struct stat found;
    unsigned char first = 0;
    ssize_t got = 0;
    FILE *file = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &found) == 0) {
        /* A pipe without a writer is at its end at once; with one, it has data, or none yet. */
        if (S_ISFIFO(found.st_mode))
            got = read(fd, &first, 1);
        if (S_ISDIR(found.st_mode))
            errno = EISDIR;
        else if (got >= 0 || errno == EAGAIN)
            file = stream_of(fd, got == 1, first);
    }
    if (!file) {
        int why = errno;
        close(fd);
        errno = why;
    }
    return file;
}

FILE *gzi_open_regular(const char *path, size_t *size)
{
    struct stat found;
    FILE *file = gzi_open_input(path);
    if (!file)
        return NULL;
    if (fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode)) {
        *size = (size_t)found.st_size;
        return file;
    }
    fclose(file);
    errno = ESPIPE;
    return NULL;
}

const char *gzi_open_why(int error)
{
    switch (error) {
    case EISDIR:
        return "is a folder: a file is expected";
    case ESPIPE:
        return "is a pipe or a device: a file is expected";
    default:
        return strerror(error);
    }
}
