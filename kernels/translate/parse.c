/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"

struct gzt_unit gzt_parse_file(const struct gzt_source *source, bool preprocessed)
{
    const char *name = source->cxx ? "gzc.ii" : "gzc.i", **flags = NULL;
    struct CXUnsavedFile text = {name, source->text, (unsigned long)source->length};
    struct gzt_unit unit = {clang_createIndex(1, 0), NULL};
    int count = 0;
    gzt_preprocessor_flags(source, &flags, &count);
    gzt_push(&flags, &count, "-w");
    gzt_push(&flags, &count, "-Wno-error=int-conversion"); /* which gcc takes */
    if (preprocessed) {
        gzt_push(&flags, &count, "-x");
        gzt_push(&flags, &count, source->cxx ? "c++-cpp-output" : "cpp-output");
    }
    unit.unit = clang_parseTranslationUnit(unit.index, preprocessed ? name : source->path, flags,
                                           count, &text, preprocessed, 0);
    return unit;
}

void gzt_free_unit(struct gzt_unit unit)
{
    if (unit.unit)
        clang_disposeTranslationUnit(unit.unit);
    clang_disposeIndex(unit.index);
}

static enum CXChildVisitResult add_loop(CXCursor cursor, CXCursor parent, CXClientData list)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt)
        gzt_add_bytes(list, (const char *)&cursor, sizeof cursor);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData list)
{
    (void)parent;
    gzt_add_bytes(list, (const char *)&cursor, sizeof cursor);
    return CXChildVisit_Continue;
}

static const CXCursor *listed(CXCursor cursor, CXCursorVisitor visit, int *count)
{
    struct gzt_text list = {0};
    clang_visitChildren(cursor, visit, &list);
    *count = (int)(list.length / sizeof cursor);
    return (const void *)list.bytes;
}

const CXCursor *gzt_loops_of(CXTranslationUnit unit, int *count)
{
    return listed(clang_getTranslationUnitCursor(unit), add_loop, count);
}

const CXCursor *gzt_children(CXCursor cursor, int *count)
{
    return listed(cursor, add_child, count);
}
