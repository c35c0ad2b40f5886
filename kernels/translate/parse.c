/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parse.h"

CXTranslationUnit gzt_parse_file(const struct gzt_source *source, bool preprocessed)
{
    const char *name = source->cxx ? "gzc.ii" : "gzc.i", **flags = NULL;
    struct CXUnsavedFile text = {name, source->text, (unsigned long)source->length};
    struct made {
        CXIndex index;
        CXTranslationUnit unit;
    } *made = gzt_alloc(sizeof *made); /* so that both are reachable to the end */
    int count = 0;
    gzt_preprocessor_flags(source, &flags, &count);
    gzt_push(&flags, &count, "-w");
    gzt_push(&flags, &count, "-Wno-error=int-conversion"); /* which gcc takes */
    if (preprocessed) {
        gzt_push(&flags, &count, "-x");
        gzt_push(&flags, &count, source->cxx ? "c++-cpp-output" : "cpp-output");
    }
    made->index = clang_createIndex(1, 0);
    made->unit = clang_parseTranslationUnit(made->index, preprocessed ? name : source->path, flags,
                                            count, &text, preprocessed, 0);
    return made->unit;
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
