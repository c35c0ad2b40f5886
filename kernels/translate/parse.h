/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parse.h - libclang's translation units of the user's file, before and after the preprocessor.
 */
#ifndef GZT_PARSE_H
#define GZT_PARSE_H

#include "source.h"

#include <clang-c/Index.h>

/* Parses the file as it stands, or the text that the preprocessor made of it; NULL if it cannot. */
CXTranslationUnit gzt_parse_file(const struct gzt_source *source, bool preprocessed);

/* The loops of a translation unit in the order of its text. That is the same before and after the
 * preprocessor, so that a loop's number tells which it is. */
const CXCursor *gzt_loops_of(CXTranslationUnit unit, int *count);

/* The children of a cursor, in order. */
const CXCursor *gzt_children(CXCursor cursor, int *count);

#endif
