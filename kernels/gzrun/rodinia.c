/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rodinia.h"

#include "input.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No line of a number is as long. */
enum { LINE_ROOM = 8192 };

struct reader {
    const char *name;
    FILE *file;
    size_t count;         /* lines read so far */
    char line[LINE_ROOM]; /* the last one read, without its end */
};

/* Converts the number that `text` begins with; returns what follows it, or NULL if there is none
 * or it is out of the type's range, which a long or an infinite number stands for. */
static const char *convert(const char *text, enum gzk_type type, void *array, size_t i)
{
    char *end;
    double value = type == GZK_INT     ? (double)strtol(text, &end, 10)
                   : type == GZK_FLOAT ? (double)strtof(text, &end)
                                       : strtod(text, &end);
    bool fits = type == GZK_INT ? value >= INT_MIN && value <= INT_MAX : isfinite(value);

    if (end == text || !fits)
        return NULL;
    gzk_set_element(array, type, i, value);
    return end;
}

/* Reads a line up to its end or that of the file; returns its length, LINE_ROOM if it is longer
 * than any may be. */
static size_t read_line(struct reader *reader)
{
    size_t length = 0;
    for (int c; length < LINE_ROOM && (c = getc_unlocked(reader->file)) != EOF && c != '\n';)
        reader->line[length++] = (char)c;
    if (length < LINE_ROOM)
        reader->line[length] = '\0';
    return length;
}

/* Reads the next line; refuses what no text has. */
static int next_line(struct reader *reader, struct gzk_error *error)
{
    size_t length = read_line(reader);
    if (length == 0 && feof(reader->file))
        return gzk_fail(error, GZK_INVALID,
                        "%s:%zu:1: the file ends here, but more values are expected, one per line",
                        reader->name, reader->count + 1);
    reader->count++;
    const char *zero = memchr(reader->line, 0, length);
    if (zero)
        return gzk_fail(error, GZK_INVALID, "%s:%zu:%zu: a zero byte: a text file is expected",
                        reader->name, reader->count, (size_t)(zero - reader->line) + 1);
    if (length == LINE_ROOM)
        return gzk_fail(error, GZK_INVALID,
                        "%s:%zu:1: a line of %d characters or more: one value per line is expected",
                        reader->name, reader->count, (int)LINE_ROOM);
    if (reader->count == 1 && strncmp(reader->line, "\xEF\xBB\xBF", 3) == 0)
        return gzk_fail(error, GZK_INVALID,
                        "%s:1:1: a byte-order mark: a file without one is expected", reader->name);
    return 0;
}

/* What follows "INDEX<tab>" in a line that begins so and may. */
static const char *after_index(const char *line, size_t index, bool may)
{
    char *end;
    unsigned long long value = may ? strtoull(line, &end, 10) : 0;
    return may && end > line && *end == '\t' && value == index ? end + 1 : line;
}

/* `indexed`: the lines may be numbered, as those of a state are that was written. */
static int read_array(struct reader *reader, const struct gzk_stencil *stencil, void *array,
                      size_t cells, bool indexed, struct gzk_error *error)
{
    const char *kind = stencil->type == GZK_INT ? "a whole number" : "a finite number";

    for (size_t i = 0; i < cells; i++) {
        int status = next_line(reader, error);
        if (status != 0)
            return status;
        const char *rest = convert(after_index(reader->line, i, indexed), stencil->type, array, i);
        if (!rest)
            return gzk_fail(error, GZK_INVALID, "%s:%zu:1: %s of the type %s is expected",
                            reader->name, reader->count, kind, gzk_type_name(stencil->type));
        rest += strspn(rest, " \t\r\n");
        if (*rest != '\0')
            return gzk_fail(error, GZK_INVALID, "%s:%zu:%zu: one value per line is expected",
                            reader->name, reader->count, (size_t)(rest - reader->line) + 1);
    }
    return 0;
}

static bool at_end(const struct reader *reader)
{
    int next = getc(reader->file);
    if (next != EOF)
        ungetc(next, reader->file);
    return next == EOF;
}

/* Reads `state`, unless it is NULL, then arrays `from` to `to - 1` of data->aux. */
static int read_file(const char *name, const struct gzk_stencil *stencil, struct gzk_data *data,
                     void *state, size_t from, size_t to, struct gzk_error *error)
{
    struct reader reader = {.name = name, .file = gzi_open_input(name)};
    size_t bytes = (size_t)stencil->bytes;
    int status = 0;

    if (!reader.file)
        return gzk_fail(error, GZK_INVALID, "%s: %s", name, gzi_open_why(errno));
    if (state)
        status = read_array(&reader, stencil, state, gzk_state_elements(stencil, data),
                            stencil->indexed_output, error);
    /* A state alone, such as --output writes: the other arrays stay. */
    if (status == 0 && state && from < to && at_end(&reader)) {
        fclose(reader.file);
        return 0;
    }
    for (size_t k = from; k < to && status == 0; k++)
        status = read_array(&reader, stencil, (char *)data->aux + k * data->stride * bytes,
                            data->cells, false, error);
    if (status == 0 && getc(reader.file) != EOF)
        status = gzk_fail(error, GZK_INVALID,
                          "%s:%zu:1: more values than the grid has; its end is expected", name,
                          reader.count + 1);
    fclose(reader.file);
    return status;
}

int gzk_rodinia_read(const struct gzk_stencil *stencil, struct gzk_data *data,
                     const char *const *files, int count, struct gzk_error *error)
{
    size_t coefficient_arrays = (size_t)stencil->coefficient_arrays;
    size_t step_arrays = (size_t)data->loops * (size_t)stencil->step_arrays;
    /* All fields are one file's, which is the state's. */
    int wanted = gzi_loaded(&stencil->shape) - gzi_fields(&stencil->shape) + 1, status;

    if (count != wanted && count != 1)
        return gzk_fail(error, GZK_INVALID,
                        "--input: %s takes %d file%s, or only that of the state, but %d were given",
                        stencil->name, wanted, wanted == 1 ? "" : "s", count);
    status = read_file(files[0], stencil, data, data->state, coefficient_arrays,
                       coefficient_arrays + step_arrays, error);
    if (stencil->older && count > 1 && status == 0)
        status = read_file(files[1], stencil, data, data->older, 0, 0, error);
    for (size_t k = 0; k < coefficient_arrays && count > 1 && status == 0; k++)
        status = read_file(files[k + 1 + stencil->older], stencil, data, NULL, k, k + 1, error);
    return status;
}

void gzk_rodinia_write(const struct gzk_stencil *stencil, const void *state, size_t cells,
                       FILE *stream)
{
    /* Digits enough to read the same value back. */
    static const int digits[] = {[GZK_INT] = 10, [GZK_FLOAT] = 9, [GZK_DOUBLE] = 17};

    for (size_t i = 0; i < cells; i++) {
        if (stencil->indexed_output)
            fprintf(stream, "%zu\t", i);
        fprintf(stream, "%.*g\n", digits[stencil->type], gzk_element(state, stencil->type, i));
    }
}
