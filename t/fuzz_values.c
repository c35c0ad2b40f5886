/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_values.c - what must hold for the files of values that gzrun reads (Rodinia's formats) on
 * any bytes whatever.
 */
#define _GNU_SOURCE
#include "fuzz.h"
#include "registry.h"
#include "rodinia.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { EDGE = 4, CELLS = EDGE * EDGE, LOOPS = 2 };

/* Reads the bytes as the input of a stencil; returns the reader's status. */
static int read_as(const char *stencil, const char *name)
{
    const struct gzk_stencil *s = gzk_stencil_find(stencil);
    int size[3] = {s->dim > 1 ? EDGE : CELLS, s->dim > 1 ? EDGE : 1, 1};
    struct gzk_data data;
    struct gzk_error error = {.text = ""};
    if (gzk_data_new(&data, s, size, LOOPS, 1) != 0)
        abort();
    int status = gzk_rodinia_read(s, &data, &name, 1, &error);
    if (status) {
        unsigned long line = 0, column = 0;
        int end = 0;
        require(status == GZK_INVALID, "only the format is refused", error.text);
        require(strncmp(error.text, name, strlen(name)) == 0 &&
                    sscanf(error.text + strlen(name), ":%lu:%lu: %n", &line, &column, &end) == 2 &&
                    end > 0 && line >= 1 && column >= 1,
                "the message starts with name:line:column", error.text);
        require(strpbrk(error.text, "\n\r\t\033") == NULL, "the message is one line", error.text);
    }
    for (size_t i = 0; !status && i < CELLS; i++)
        require(isfinite(gzk_element(data.state, s->type, i)), "what is read is finite", "");
    gzk_data_free(&data);
    return status;
}

/* The bytes as a file that has a name. */
static int with_file(const uint8_t *data, size_t size)
{
    static const char *const stencils[] = {"poisson", "hotspot", "pathfinder", "star7vc"};
    static int file = -1;
    char name[40];
    int accepted = 0;
    if (file < 0)
        file = memfd_create("values", 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    /* star7vc has three dimensions: its grid here is one plane. */
    for (size_t k = 0; k < sizeof stencils / sizeof *stencils; k++)
        accepted += read_as(stencils[k], name) == 0;
    return accepted;
}

/* `n` lines of one value each, with their index if `indexed`. */
static char *lines(int n, int indexed)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        abort();
    for (int i = 0; i < n; i++)
        if (indexed)
            fprintf(to, "%d\t%g\n", i, i + 0.5);
        else
            fprintf(to, "%d\n", i);
    if (fclose(to) != 0)
        abort();
    return text;
}

const char *fuzz_start(size_t index)
{
    static char *starts[4];
    if (!starts[0]) {
        starts[0] = lines(CELLS, 0);
        starts[1] = lines(CELLS, 1);
        starts[2] = lines(CELLS * (1 + LOOPS), 0);
        starts[3] = lines(2, 1);
    }
    return index < 4 ? starts[index] : NULL;
}

int fuzz_accepts(const uint8_t *data, size_t size)
{
    return with_file(data, size) > 0;
}
