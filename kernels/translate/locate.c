/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"
#include "rewrite.h"

#include <string.h>

/* Whether a location is written where it is; then its byte in the file. */
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

/* The statement that a loop repeats. */
static CXCursor body_of(CXCursor loop)
{
    return end_of_children(loop, clang_getCursorKind(loop) != CXCursor_DoStmt);
}

/* Where a statement ends in the file, behind its semicolon; 0 if macros have a part in it. */
static size_t end_of(CXCursor cursor, const struct gzt_text *file)
{
    size_t end;
    if (!is_written(clang_getRangeEnd(clang_getCursorExtent(cursor)), &end) || end > file->length)
        return 0;
    const char *at = file->bytes + end;
    if (at[-1] == ';' || (ends_in_brace(cursor) && (at[-1] == '}' || at[-1] == '>')))
        return end;
    end += strspn(at, " \t\r\n");
    return file->bytes[end] == ';' && !ends_in_brace(cursor) ? end + 1 : 0;
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
    CXFile in;
    CXSourceRange range = clang_getCursorExtent(loop);
    clang_getExpansionLocation(clang_getRangeStart(range), &in, NULL, NULL, NULL);
    if (!clang_File_isEqual(in, clang_getFile(unit, source->path)))
        return "the loop stands in an included file: translate that file";
    if (!clang_Location_isFromMainFile(clang_getRangeStart(range)) ||
        !clang_Location_isFromMainFile(clang_getRangeEnd(range)) ||
        !find_extent(source, unit, loop, file, &call->loop))
        return "the time loop must be written out, not made by a macro";
    if (!find_extent(source, unit, body_of(loop), file, &call->body))
        return "what the time loop repeats must be written out, not made by a macro";
    return NULL;
}

int gzt_locate(struct gzt_source *source, const struct gzt_text *file,
               struct gzt_call *const *calls, int count)
{
    CXTranslationUnit unit = gzt_parse_file(source, false);
    int loops = 0;
    const CXCursor *loop = unit ? gzt_loops_of(unit, &loops) : NULL;
    for (int i = 0; i < count; i++) {
        int number = source->loops - 1;
        while (number >= 0 && source->loop[number] != calls[i]->offset)
            number--;
        calls[i]->refusal = number < 0 || loops != source->loops
                                ? "the loop is not found in the file"
                                : set_extents(source, unit, loop[number], file, calls[i]);
    }
    return unit ? 0 : gzt_refuse(source, 0, "cannot be parsed");
}
