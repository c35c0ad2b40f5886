/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"

#include <string.h>

static struct gzt_unit parse(const char *name, const char **flags, int count,
                             struct CXUnsavedFile *file)
{
    struct gzt_unit unit = {clang_createIndex(1, 0), NULL};
    unit.unit = clang_parseTranslationUnit(unit.index, name, flags, count, file, file != NULL, 0);
    return unit;
}

struct gzt_unit gzt_parse_file(const struct gzt_source *source)
{
    const char **flags = NULL;
    int count = 0;
    gzt_preprocessor_flags(source, &flags, &count);
    return parse(source->path, flags, count, NULL);
}

struct gzt_unit gzt_parse_text(const struct gzt_source *source)
{
    const char *name = source->cxx ? "gzc.ii" : "gzc.i", **flags = NULL;
    struct CXUnsavedFile file = {name, source->text, (unsigned long)source->length};
    int count = 0;
    /* Of the user's flags those matter that choose the language's variant. */
    gzt_push(&flags, &count, "-x");
    gzt_push(&flags, &count, source->cxx ? "c++-cpp-output" : "cpp-output");
    gzt_push(&flags, &count, "-w");
    gzt_push(&flags, &count, "-Wno-error=int-conversion"); /* which gcc takes */
    for (int i = 0; i < source->flag_count; i++)
        if (strncmp(source->flags[i], "-std=", 5) == 0 || strcmp(source->flags[i], "-ansi") == 0 ||
            strncmp(source->flags[i], "-m", 2) == 0 || strncmp(source->flags[i], "-f", 2) == 0)
            gzt_push(&flags, &count, source->flags[i]);
    return parse(name, flags, count, &file);
}

void gzt_free_unit(struct gzt_unit unit)
{
    if (unit.unit)
        clang_disposeTranslationUnit(unit.unit);
    clang_disposeIndex(unit.index);
}

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

CXCursor *const *gzt_loops_of(CXTranslationUnit unit, int *count)
{
    struct loops loops = {NULL, 0};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_loop, &loops);
    *count = loops.count;
    return loops.list;
}

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData list)
{
    (void)parent;
    gzt_add_bytes(list, (const char *)&cursor, sizeof cursor);
    return CXChildVisit_Continue;
}

const CXCursor *gzt_children(CXCursor cursor, int *count)
{
    struct gzt_text list = {0};
    clang_visitChildren(cursor, add_child, &list);
    *count = (int)(list.length / sizeof cursor);
    return (const void *)list.bytes;
}
