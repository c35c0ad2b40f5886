/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A body is C of a simple kind: this expands its macros as far as needed to see the arguments of
 * AT and COEF_AT. Of a macro that is defined twice, in different branches of #if, each definition
 * counts.
 */
#include "reads.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACROS = 64, MOST_ARGUMENTS = 8, MOST_DEPTH = 16, MOST_CALLS = 20000, ROOM = 4096 };

/* A part of a text. */
struct piece {
    const char *at;
    size_t length;
};

struct macro {
    struct piece name, value;
    struct piece parameters[MOST_ARGUMENTS];
    int parameter_count; /* -1: not a function */
};

struct reader {
    struct macro macros[MOST_MACROS];
    int macro_count, calls;
    const struct gzk_stencil *stencil;
    int along;           /* the argument that is the distance along the stream */
    bool elsewhere;      /* whether another column is read in another plane */
    bool lost;           /* whether nobody can tell what AT reads */
    bool lost_arrays;    /* likewise COEF_AT */
    unsigned char *seen; /* a byte for each cell that may be read: of the state, then of each
                            coefficient array; NULL if they are not counted */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(struct piece text)
{
    size_t n = 0;
    while (n < text.length && is_word(text.at[n]))
        n++;
    return n;
}

static struct piece skip(struct piece text, size_t n)
{
    return (struct piece){text.at + n, text.length - n};
}

static struct piece trim(struct piece text)
{
    while (text.length > 0 && isspace((unsigned char)*text.at))
        text = skip(text, 1);
    while (text.length > 0 && isspace((unsigned char)text.at[text.length - 1]))
        text.length--;
    return text;
}

static bool equal(struct piece a, struct piece b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static struct piece piece_of(const char *text)
{
    return (struct piece){text, strlen(text)};
}

/* The arguments of a call whose "(" begins `text`; returns how many, or -1, and in `used` the
 * characters up to the ")". */
static int arguments(struct piece text, struct piece found[MOST_ARGUMENTS], size_t *used)
{
    int depth = 0, count = 0;
    size_t begin = 1;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        depth += (c == '(') - (c == ')');
        if ((c == ',' && depth == 1) || (c == ')' && depth == 0)) {
            if (count == MOST_ARGUMENTS)
                return -1;
            found[count++] = trim((struct piece){text.at + begin, i - begin});
            begin = i + 1;
        }
        if (depth == 0) {
            *used = i + 1;
            return count;
        }
    }
    return -1;
}

/* --------------------------------------------------------------------------- constant expressions
 */

static bool sum(struct piece *text, long *value);

/* A number, an expression in brackets, or one of these with a sign. */
static bool factor(struct piece *text, long *value)
{
    enum { MOST_DIGITS = 6 };
    *text = trim(*text);
    if (text->length == 0)
        return false;
    char c = *text->at;
    if (c == '-' || c == '+') {
        *text = skip(*text, 1);
        if (!factor(text, value))
            return false;
        *value = c == '-' ? -*value : *value;
        return true;
    }
    if (c == '(') {
        *text = skip(*text, 1);
        if (!sum(text, value) || text->length == 0 || *text->at != ')')
            return false;
        *text = trim(skip(*text, 1));
        return true;
    }
    size_t digits = word_length(*text);
    if (digits == 0 || digits > MOST_DIGITS || (digits > 1 && c == '0'))
        return false;
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!isdigit((unsigned char)text->at[i]))
            return false;
        *value = 10 * *value + (text->at[i] - '0');
    }
    *text = trim(skip(*text, digits));
    return true;
}

/* Sums and differences of factors. */
static bool sum(struct piece *text, long *value)
{
    if (!factor(text, value))
        return false;
    while (text->length > 0 && (*text->at == '+' || *text->at == '-')) {
        long more;
        bool minus = *text->at == '-';
        *text = skip(*text, 1);
        if (!factor(text, &more))
            return false;
        *value += minus ? -more : more;
    }
    return true;
}

/* -------------------------------------------------------------------------------------- expansion
 */

/* Cells of one array that a cell may depend on. */
static long box_cells(const struct gzk_stencil *stencil)
{
    long cells = 1;
    for (int i = 0; i < 3; i++)
        cells *= 2L * stencil->radius[i] + 1;
    return cells;
}

/* Marks the cells from `low` to `high`, distances from the cell that is computed, of array `array`.
 */
static void mark(struct reader *reader, int array, const int low[3], const int high[3])
{
    const int *radius = reader->stencil->radius;
    unsigned char *seen = reader->seen + array * box_cells(reader->stencil);
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                seen[((z + radius[2]) * (2L * radius[1] + 1) + y + radius[1]) *
                         (2L * radius[0] + 1) +
                     x + radius[0]] = 1;
}

/* Reads a constant; false if it is none. */
static bool constant(struct piece text, long *value)
{
    return sum(&text, value) && text.length == 0;
}

/* The distances that an argument may have in dimension i: one, or all within the radius. False if
 * it is beyond that. */
static bool distances(const struct reader *reader, struct piece argument, int i, int *low,
                      int *high)
{
    long distance;
    int radius = reader->stencil->radius[i];
    *low = -radius;
    *high = radius;
    if (!constant(argument, &distance))
        return true;
    *low = *high = (int)distance;
    return distance >= -radius && distance <= radius;
}

/* What AT reads, or COEF_AT of the arrays from `first` to `last`; false if it is beyond the radius.
 */
static bool note_cells(struct reader *reader, const struct piece *found, int first, int last)
{
    int low[3], high[3];
    for (int i = 0; i < 3; i++)
        if (!distances(reader, found[i], i, &low[i], &high[i]))
            return false;
    for (int array = first; array <= last; array++)
        mark(reader, array, low, high);
    return true;
}

/* What AT reads. */
static void note_read(struct reader *reader, const struct piece *found, int count)
{
    bool across = false, other = true;
    if (count != 3) {
        reader->lost = true;
        return;
    }
    for (int i = 0; i < 3; i++) {
        long distance;
        bool zero = constant(found[i], &distance) && distance == 0;
        if (i == reader->along)
            other = !zero;
        else
            across |= !zero;
    }
    reader->elsewhere |= across && other;
    if (reader->seen)
        reader->lost |= !note_cells(reader, found, 0, 0);
}

/* What COEF_AT reads: of one array, or nobody can tell of which. */
static void note_array_read(struct reader *reader, const struct piece *found, int count)
{
    long array;
    int arrays = reader->stencil->coefficient_arrays;
    bool one = count == 4 && constant(found[0], &array);
    if (!reader->seen)
        return;
    if (count != 4 || (one && (array < 0 || array >= arrays)))
        reader->lost_arrays = true;
    else
        reader->lost_arrays |=
            !note_cells(reader, found + 1, one ? (int)array + 1 : 1, one ? (int)array + 1 : arrays);
}

static void expand(struct reader *reader, struct piece text, int depth);

static struct piece argument_for(const struct macro *macro, const struct piece *found,
                                 struct piece word)
{
    for (int i = 0; i < macro->parameter_count; i++)
        if (equal(macro->parameters[i], word))
            return found[i];
    return word;
}

/* Expands a macro's value with `found` in place of its parameters. */
static void expand_macro(struct reader *reader, const struct macro *macro,
                         const struct piece *found, int depth)
{
    char value[ROOM];
    size_t length = 0;
    struct piece rest = macro->value;
    while (rest.length > 0) {
        size_t n = word_length(rest);
        struct piece part = {rest.at, n ? n : 1};
        rest = skip(rest, part.length);
        if (n)
            part = argument_for(macro, found, part);
        if (length + part.length > sizeof value) {
            reader->lost = true;
            return;
        }
        memcpy(value + length, part.at, part.length);
        length += part.length;
    }
    expand(reader, (struct piece){value, length}, depth + 1);
}

/* Follows every definition of the word that begins `text`; returns the characters used. */
static size_t follow(struct reader *reader, struct piece text, int depth)
{
    size_t length = word_length(text), used = 0, space = length;
    struct piece word = {text.at, length}, found[MOST_ARGUMENTS];
    bool at = equal(word, piece_of("AT")), array_at = equal(word, piece_of("COEF_AT"));
    bool function = at || array_at;
    int count = -1;

    for (int i = 0; i < reader->macro_count; i++)
        function |= equal(reader->macros[i].name, word) && reader->macros[i].parameter_count >= 0;
    while (space < text.length && isspace((unsigned char)text.at[space]))
        space++;
    if (function && space < text.length && text.at[space] == '(') {
        count = arguments(skip(text, space), found, &used);
        reader->lost |= count < 0;
    }
    if (at)
        note_read(reader, found, count);
    if (array_at)
        note_array_read(reader, found, count);
    if (at || array_at)
        return length;
    for (int i = 0; i < reader->macro_count; i++) {
        const struct macro *macro = &reader->macros[i];
        if (!equal(macro->name, word))
            continue;
        if (macro->parameter_count < 0)
            expand_macro(reader, macro, NULL, depth);
        else if (macro->parameter_count == count)
            expand_macro(reader, macro, found, depth);
        else
            reader->lost |= count >= 0;
    }
    /* What stands between the brackets is looked at once more as plain text. */
    return length;
}

/* Whether what is asked for is known already, or can no longer be told. */
static bool is_decided(const struct reader *reader)
{
    return reader->lost || (reader->elsewhere && !reader->seen);
}

/* Looks for AT and COEF_AT, and for macros whose expansion may have them. */
static void expand(struct reader *reader, struct piece text, int depth)
{
    if (depth > MOST_DEPTH || ++reader->calls > MOST_CALLS) {
        reader->lost = true;
        return;
    }
    while (text.length > 0 && !is_decided(reader)) {
        bool begins = isalpha((unsigned char)*text.at) || *text.at == '_';
        size_t n = word_length(text);
        if (begins)
            n = follow(reader, text, depth);
        text = skip(text, n ? n : 1);
    }
}

/* ------------------------------------------------------------------------------------- definitions
 */

/* Copies a body without comments, and with spaces in place of the ends of lines that are continued.
 */
static bool clean(const char *from, char *to, size_t room)
{
    size_t length = 0;
    while (*from) {
        if (length + 2 > room)
            return false;
        if (from[0] == '\\' && from[1] == '\n') {
            from += 2;
            to[length++] = ' ';
        } else if (from[0] == '/' && from[1] == '*') {
            const char *end = strstr(from + 2, "*/");
            if (!end)
                return false;
            from = end + 2;
            to[length++] = ' ';
        } else if (from[0] == '/' && from[1] == '/') {
            while (*from && *from != '\n')
                from++;
        } else {
            to[length++] = *from++;
        }
    }
    to[length] = '\0';
    return true;
}

/* Reads "NAME(a, b) value" after #define. */
static void define(struct reader *reader, struct piece line)
{
    struct macro *macro = &reader->macros[reader->macro_count];
    size_t n = word_length(line), used = 0;
    if (reader->macro_count == MOST_MACROS || n == 0) {
        reader->lost = true;
        return;
    }
    *macro = (struct macro){.name = {line.at, n}, .parameter_count = -1};
    line = skip(line, n);
    if (line.length > 0 && *line.at == '(') {
        macro->parameter_count = arguments(line, macro->parameters, &used);
        reader->lost |= macro->parameter_count < 0;
    }
    macro->value = skip(line, used);
    /* AT under another name, or pasted words. */
    for (size_t i = 0; i < macro->value.length; i++)
        reader->lost |= macro->value.at[i] == '#';
    reader->lost |= equal(macro->name, piece_of("AT"));
    reader->lost_arrays |= equal(macro->name, piece_of("COEF_AT"));
    reader->macro_count++;
}

/* Reads the whole body. */
static void read_body(struct reader *reader, const struct gzk_stencil *stencil, unsigned char *seen)
{
    enum { MOST_BODY = 65536 };
    static const char directive[] = "define";
    char body[MOST_BODY], code[MOST_BODY];
    size_t length = 0;

    reader->macro_count = reader->calls = 0;
    reader->stencil = stencil;
    reader->along = stencil->dimensions - 1;
    reader->elsewhere = reader->lost_arrays = false;
    reader->seen = seen;
    reader->lost = !clean(stencil->body, body, sizeof body);
    if (reader->lost)
        return;
    /* Definitions; then the code between them. */
    for (const char *line = body; *line && !reader->lost;) {
        size_t n = strcspn(line, "\n"), whole = n + (line[n] == '\n');
        struct piece text = trim((struct piece){line, n});
        if (text.length == 0 || *text.at != '#') {
            memcpy(code + length, line, whole);
            length += whole;
        } else {
            text = trim(skip(text, 1));
            if (text.length > strlen(directive) &&
                memcmp(text.at, directive, strlen(directive)) == 0)
                define(reader, trim(skip(text, strlen(directive))));
        }
        line += whole;
    }
    expand(reader, (struct piece){code, length}, 0);
}

bool gzk_reads_own_column(const struct gzk_stencil *stencil)
{
    struct reader reader;

    if (stencil->dimensions < 2 || stencil->radius[stencil->dimensions - 1] < 1)
        return false;
    read_body(&reader, stencil, NULL);
    return !reader.elsewhere && !reader.lost;
}

/* How many of the cells of the arrays from `first` to before `end` are marked. */
static int marked(const unsigned char *seen, long first, long end, long cells)
{
    int n = 0;
    for (long i = first * cells; i < end * cells; i++)
        n += seen[i];
    return n;
}

/* How many of the state's are marked along dimension `along`, with distances of 0 in the others. */
static int marked_in_column(const unsigned char *seen, const struct gzk_stencil *stencil, int along)
{
    int n = 0;
    long step = 1, middle = box_cells(stencil) / 2;
    for (int i = 0; i < along; i++)
        step *= 2L * stencil->radius[i] + 1;
    for (long k = -stencil->radius[along]; k <= stencil->radius[along]; k++)
        n += seen[middle + k * step];
    return n;
}

bool gzk_count_reads(const struct gzk_stencil *stencil, struct gzk_reads *reads)
{
    static const double most_cells = 1 << 24;
    struct reader reader;
    long cells, arrays = 1 + stencil->coefficient_arrays;
    double all = (double)arrays;

    *reads = (struct gzk_reads){.state = 0};
    for (int i = 0; i < 3; i++)
        all *= 2.0 * stencil->radius[i] + 1;
    if (!(all <= most_cells))
        return false;
    cells = box_cells(stencil);
    unsigned char *seen = calloc((size_t)(arrays * cells), 1);
    if (!seen)
        return false;
    read_body(&reader, stencil, seen);
    bool known = !reader.lost && !reader.lost_arrays;
    if (known)
        *reads =
            (struct gzk_reads){.state = marked(seen, 0, 1, cells),
                               .column = marked_in_column(seen, stencil, stencil->dimensions - 1),
                               .arrays = marked(seen, 1, arrays, cells)};
    free(seen);
    return known;
}
