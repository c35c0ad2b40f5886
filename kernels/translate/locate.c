/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"
#include "rewrite.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The number of the loop that begins at a place of the preprocessed text, or -1. */
static int number_of(const struct gzt_source *source, int offset)
{
    int number = source->loops - 1;
    while (number >= 0 && source->loop[number] != offset)
        number--;
    return number;
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

/* The first child of a cursor, or the last; a null cursor if there is none. */
static CXCursor end_of_children(CXCursor cursor, bool last)
{
    int count;
    const CXCursor *child = gzt_children(cursor, &count);
    return count > 0 ? child[last ? count - 1 : 0] : clang_getNullCursor();
}

/* Whether a statement ends with a brace, be it that of the last statement within. */
static bool ends_in_brace(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind != CXCursor_ForStmt && kind != CXCursor_WhileStmt && kind != CXCursor_IfStmt &&
        kind != CXCursor_LabelStmt)
        return kind == CXCursor_CompoundStmt;
    return ends_in_brace(end_of_children(cursor, true));
}

/* Behind the semicolon that follows, comments and white space left out; 0 if none does. */
static size_t behind_semicolon(const struct gzt_text *file, size_t at)
{
    const char *text = file->bytes;
    size_t length = file->length;
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

/* The statement that a loop repeats. */
static CXCursor body_of(CXCursor loop)
{
    return end_of_children(loop, clang_getCursorKind(loop) != CXCursor_DoStmt);
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

/* Where a statement ends in the file; 0 if macros have a part in it. */
static size_t end_of(CXCursor cursor, const struct gzt_text *file)
{
    const char *text = file->bytes;
    size_t end;
    if (!is_written(clang_getRangeEnd(clang_getCursorExtent(cursor)), &end))
        return 0;
    if (!ends_in_brace(cursor) && text[end - 1] != ';')
        return behind_semicolon(file, end);
    return text[end - 1] == ';' || text[end - 1] == '}' || text[end - 1] == '>' ? end : 0;
}

/* Finds a statement in the file. False if macros have a part in it. */
static bool find_extent(const struct gzt_source *source, CXTranslationUnit unit, CXCursor cursor,
                        const struct gzt_text *file, struct gzt_extent *extent)
{
    CXFile in = clang_getFile(unit, source->path);
    extent->end = end_of(cursor, file);
    if (!is_written(clang_getRangeStart(clang_getCursorExtent(cursor)), &extent->begin) ||
        extent->begin >= extent->end || extent->end > file->length)
        return false;
    extent->first = presumed(clang_getLocationForOffset(unit, in, (unsigned)extent->begin));
    extent->last = presumed(clang_getLocationForOffset(unit, in, (unsigned)extent->end));
    return true;
}

/* NULL, or why a loop or what it repeats cannot be replaced where it stands. */
static const char *set_extents(const struct gzt_source *source, CXTranslationUnit unit,
                               CXCursor loop, const struct gzt_text *file, struct gzt_call *call)
{
    static const char made[] = "the time loop must be written out, not made by a macro";
    CXSourceRange range = clang_getCursorExtent(loop);
    CXSourceLocation begin = clang_getRangeStart(range), end = clang_getRangeEnd(range);
    size_t at[2];

    if (!is_written(begin, &at[0]) || !is_written(end, &at[1]) || at[0] >= at[1] ||
        at[1] > file->length)
        return made;
    if (!clang_Location_isFromMainFile(begin) || !clang_Location_isFromMainFile(end))
        return "the loop stands in an included file: translate that file";
    if (!find_extent(source, unit, loop, file, &call->loop))
        return made;
    if (!find_extent(source, unit, body_of(loop), file, &call->body) ||
        !is_whole(file->bytes + call->body.begin, file->bytes + call->body.end))
        return "what the time loop repeats must be written out, not made by a macro or between #if "
               "and #endif";
    return NULL;
}

int gzt_locate(struct gzt_source *source, const struct gzt_text *file,
               struct gzt_call *const *calls, int count)
{
    struct gzt_unit parsed = gzt_parse_file(source, false);
    int loops = 0;
    const CXCursor *loop = parsed.unit ? gzt_loops_of(parsed.unit, &loops) : NULL;
    for (int i = 0; i < count; i++) {
        int number = number_of(source, calls[i]->offset);
        calls[i]->refusal = number < 0 || loops != source->loops
                                ? "the loop is not found in the file"
                                : set_extents(source, parsed.unit, loop[number], file, calls[i]);
    }
    gzt_free_unit(parsed);
    return parsed.unit ? 0 : gzt_refuse(source, 0, "cannot be parsed");
}
