/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "locate.h"

#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The loops of a translation unit in the order of its text. That is the same before and after the
 * preprocessor, so that a loop's number tells which it is. */
struct loops {
    CXCursor **list;
    int count;
};

static enum CXChildVisitResult visit_loop(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct loops *loops = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt) {
        CXCursor *loop = gzt_alloc(sizeof *loop);
        *loop = cursor;
        gzt_push(&loops->list, &loops->count, loop);
    }
    return CXChildVisit_Recurse;
}

static struct loops loops_of(CXTranslationUnit unit)
{
    struct loops loops = {NULL, 0};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_loop, &loops);
    return loops;
}

/* The number of the loop that begins at a place of the preprocessed text, or -1. */
static int number_of(const struct loops *loops, int offset)
{
    for (int i = 0; i < loops->count; i++) {
        unsigned at;
        clang_getSpellingLocation(clang_getCursorLocation(*loops->list[i]), NULL, NULL, NULL, &at);
        if (at == (unsigned)offset)
            return i;
    }
    return -1;
}

/* The number of the statement that holds a place of the preprocessed text, or -1. */
static int number_around(const struct loops *statements, int offset)
{
    int found = -1;
    for (int i = 0; i < statements->count; i++) {
        CXSourceRange range = clang_getCursorExtent(*statements->list[i]);
        unsigned begin, end;
        clang_getSpellingLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
        clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
        found = begin <= (unsigned)offset && (unsigned)offset < end ? i : found;
    }
    return found;
}

/* Whether a location is written where it is, and not by a macro; then its byte of the main file. */
static bool is_written(CXSourceLocation location, size_t *offset)
{
    CXFile spelled_in, expanded_in;
    unsigned spelled, expanded;
    clang_getSpellingLocation(location, &spelled_in, NULL, NULL, &spelled);
    clang_getExpansionLocation(location, &expanded_in, NULL, NULL, &expanded);
    *offset = expanded;
    return spelled == expanded && clang_File_isEqual(spelled_in, expanded_in);
}

static struct gzt_place presumed(CXSourceLocation location)
{
    CXString file;
    unsigned line, column;
    clang_getPresumedLocation(location, &file, &line, &column);
    struct gzt_place place = {gzt_format("%s", clang_getCString(file)), (int)line, (int)column};
    clang_disposeString(file);
    return place;
}

static enum CXChildVisitResult note_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult note_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    note_child(cursor, parent, data);
    return CXChildVisit_Break;
}

static enum CXChildVisitResult note_each(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct loops *list = data;
    CXCursor *statement = gzt_alloc(sizeof *statement);
    (void)parent;
    *statement = cursor;
    gzt_push(&list->list, &list->count, statement);
    return CXChildVisit_Continue;
}

/* Whether a statement ends with a brace, be it that of the last statement within. */
static bool ends_in_brace(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind != CXCursor_ForStmt && kind != CXCursor_WhileStmt && kind != CXCursor_IfStmt &&
        kind != CXCursor_LabelStmt)
        return kind == CXCursor_CompoundStmt;
    CXCursor last = clang_getNullCursor();
    clang_visitChildren(cursor, note_child, &last);
    return ends_in_brace(last);
}

/* Behind the semicolon that follows, comments and white space left out; 0 if none does. */
static size_t behind_semicolon(const char *text, size_t at, size_t length)
{
    while (at < length && text[at] != ';') {
        const char *end = NULL;
        if (strncmp(text + at, "/*", 2) == 0)
            end = strstr(text + at + 2, "*/");
        else if (strncmp(text + at, "//", 2) == 0)
            end = strchr(text + at, '\n');
        else if (!isspace((unsigned char)text[at]))
            return 0;
        at = end ? (size_t)(end - text) + (*end == '*' ? 2 : 1) : at + 1;
    }
    return at < length ? at + 1 : 0;
}

/* The statements of a loop's body, which must be a block; its own cursor is `*block`. */
static struct loops statements_of(CXCursor loop, CXCursor *block)
{
    struct loops list = {NULL, 0};
    *block = clang_getNullCursor();
    clang_visitChildren(
        loop, clang_getCursorKind(loop) == CXCursor_DoStmt ? note_first : note_child, block);
    if (clang_getCursorKind(*block) == CXCursor_CompoundStmt)
        clang_visitChildren(*block, note_each, &list);
    return list;
}

static int set_extent(struct gzt_source *source, CXTranslationUnit unit, CXCursor loop,
                      const char *text, size_t length, struct gzt_extent *extent)
{
    CXSourceRange range = clang_getCursorExtent(loop);
    CXSourceLocation begin = clang_getRangeStart(range), end = clang_getRangeEnd(range);

    if (!is_written(begin, &extent->begin) || !is_written(end, &extent->end) ||
        extent->begin >= extent->end || extent->end > length)
        return gzt_refuse(source, extent->offset,
                          "the time loop must be written out, not made by a macro");
    if (!clang_Location_isFromMainFile(begin) || !clang_Location_isFromMainFile(end))
        return gzt_refuse(source, extent->offset,
                          "the loop stands in an included file: translate that file");
    if (!ends_in_brace(loop) && text[extent->end - 1] != ';') {
        extent->end = behind_semicolon(text, extent->end, length);
        if (extent->end == 0)
            return gzt_refuse(source, extent->offset,
                              "the time loop must be written out, not made by a macro");
        CXFile file = clang_getFile(unit, source->path);
        end = clang_getLocationForOffset(unit, file, (unsigned)extent->end);
    }
    extent->first = presumed(begin);
    extent->last = presumed(end);
    return 0;
}

static int refuse_part(struct gzt_source *source, const struct gzt_extent *extent)
{
    return gzt_refuse(source, extent->offset,
                      "an if beside the sweeps, and the braces of the time loop, must be written "
                      "out, not made by a macro or between #if and #endif");
}

/* Whether what #if and the like divide is whole. */
static bool is_whole(const char *text, const char *end)
{
    int depth = 0;
    for (const char *line = text; line && line < end; line = strchr(line, '\n')) {
        char word[8] = "";
        line += *line == '\n';
        sscanf(line, " # %7[a-z]", word);
        depth += strncmp(word, "if", 2) == 0;
        depth -= strcmp(word, "endif") == 0;
        if (depth < 0 || (depth == 0 && strncmp(word, "el", 2) == 0))
            return false;
    }
    return depth == 0;
}

/* Where a statement begins or ends in the file; 0 if macros have a part in it: then other text
 * stands there. */
static size_t begin_of(CXCursor cursor, const char *text, const char *first)
{
    size_t begin;
    bool written = is_written(clang_getRangeStart(clang_getCursorExtent(cursor)), &begin);
    return written && strncmp(text + begin, first, strlen(first)) == 0 ? begin : 0;
}

static size_t end_of(CXCursor cursor, const char *text, size_t length)
{
    size_t end;
    if (!is_written(clang_getRangeEnd(clang_getCursorExtent(cursor)), &end))
        return 0;
    if (!ends_in_brace(cursor) && text[end - 1] != ';')
        return behind_semicolon(text, end, length);
    return text[end - 1] == ';' || text[end - 1] == '}' || text[end - 1] == '>' ? end : 0;
}

/* What a statement begins with in the preprocessed text. */
static const char *first_of(const struct gzt_source *source, CXCursor cursor)
{
    unsigned begin;
    CXSourceLocation at = clang_getRangeStart(clang_getCursorExtent(cursor));
    clang_getSpellingLocation(at, NULL, NULL, NULL, &begin);
    return gzt_copy(source->text + begin, 1);
}

static int narrow(const struct gzt_source *source, const struct gzt_unit *file, size_t begin,
                  size_t end, struct gzt_extent *extent)
{
    CXFile in = clang_getFile(file->unit, source->path);
    extent->begin = begin;
    extent->end = end;
    extent->first = presumed(clang_getLocationForOffset(file->unit, in, (unsigned)begin));
    extent->last = presumed(clang_getLocationForOffset(file->unit, in, (unsigned)end));
    return 0;
}

/* Narrows a loop's extent to its body, which is a single statement without braces. */
static int set_statement(struct gzt_source *source, const struct gzt_unit *file, CXCursor statement,
                         const char *text, size_t length, struct gzt_extent *extent)
{
    size_t begin = begin_of(statement, text, ""), end = end_of(statement, text, length);
    return begin == 0 || begin >= end || !is_whole(text + begin, text + end)
               ? refuse_part(source, extent)
               : narrow(source, file, begin, end, extent);
}

/* Whether a statement is several, between commas, of which a part might begin or end in the midst.
 */
static bool has_commas(const struct gzt_source *source, CXCursor statement)
{
    struct loops operands = {NULL, 0};
    unsigned end, begin;
    if (clang_getCursorKind(statement) != CXCursor_BinaryOperator)
        return false;
    clang_visitChildren(statement, note_each, &operands);
    if (operands.count != 2)
        return false;
    CXSourceRange left = clang_getCursorExtent(*operands.list[0]);
    CXSourceRange right = clang_getCursorExtent(*operands.list[1]);
    clang_getSpellingLocation(clang_getRangeEnd(left), NULL, NULL, NULL, &end);
    clang_getSpellingLocation(clang_getRangeStart(right), NULL, NULL, NULL, &begin);
    return strcmp(gzt_clean(source, (int)end, (int)begin), ",") == 0;
}

static bool is_divided(const struct gzt_source *source, const struct loops *statements, int number)
{
    return number >= 0 && number < statements->count &&
           has_commas(source, *statements->list[number]);
}

/* Narrows a loop's extent to the part of its body that is wanted. */
static int set_part(struct gzt_source *source, const struct gzt_unit *file, CXCursor loop,
                    CXCursor preprocessed, const char *text, size_t length,
                    struct gzt_extent *extent)
{
    CXCursor block, other;
    struct loops here = statements_of(loop, &block), there = statements_of(preprocessed, &other);
    int after = extent->after ? number_around(&there, extent->after) : 0;
    int until = extent->until ? number_around(&there, extent->until) : 0;

    if (clang_getCursorKind(block) != CXCursor_CompoundStmt && !extent->after && !extent->until)
        return set_statement(source, file, block, text, length, extent);
    if (here.count == 0 || here.count != there.count || after < 0 || until < 0)
        return refuse_part(source, extent);
    if ((extent->after && is_divided(source, &there, after)) ||
        (extent->until && is_divided(source, &there, until)))
        return gzt_refuse(
            source, extent->offset,
            "statements between commas beside the sweeps, of a loop with ifs there or "
            "whose data end it: must be statements of their own");
    size_t brace = begin_of(block, text, "{"), digraph = begin_of(block, text, "<%");
    size_t begin = extent->after ? end_of(*here.list[after], text, length)
                   : brace       ? brace + 1
                   : digraph     ? digraph + 2
                                 : 0;
    size_t end = extent->until
                     ? begin_of(*here.list[until], text, first_of(source, *there.list[until]))
                     : end_of(block, text, length);
    if (!extent->until && end > 0)
        end -= text[end - 1] == '>' ? 2 : 1;
    if (begin == 0 || begin >= end || !is_whole(text + begin, text + end))
        return refuse_part(source, extent);
    return narrow(source, file, begin, end, extent);
}

int gzt_locate(struct gzt_source *source, const char *text, size_t length,
               struct gzt_extent **extents, int count)
{
    struct gzt_unit file = gzt_parse_file(source), preprocessed = gzt_parse_text(source);
    int status = file.unit && preprocessed.unit ? 0 : gzt_refuse(source, 0, "cannot be parsed");
    if (status == 0) {
        struct loops before = loops_of(file.unit), after = loops_of(preprocessed.unit);
        for (int i = 0; i < count && status == 0; i++) {
            int number = number_of(&after, extents[i]->offset);
            status =
                number < 0 || before.count != after.count
                    ? gzt_refuse(source, extents[i]->offset, "the loop is not found in the file")
                    : set_extent(source, file.unit, *before.list[number], text, length, extents[i]);
            if (status == 0 && extents[i]->inner)
                status = set_part(source, &file, *before.list[number], *after.list[number], text,
                                  length, extents[i]);
        }
    }
    gzt_free_unit(file);
    gzt_free_unit(preprocessed);
    return status;
}
