/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "openmp.h"

#include <ctype.h>
#include <string.h>

/* Whether such a clause in a text names a variable. */
static bool names(const char *text, const char *clause, const char *name)
{
    while ((text = gzt_behind(text, clause))) {
        const char *open = text + strspn(text, " \t");
        if (*open == '(' && gzt_behind(gzt_copy(open, strcspn(open, ")")), name))
            return true;
    }
    return false;
}

bool gzt_is_private(const struct gzt_source *source, int at, const char *name)
{
    const char *begin = source->text + at, *end, *line;
    do {
        for (end = begin; end > source->text && isspace((unsigned char)end[-1]);)
            end--;
        for (begin = end; begin > source->text && begin[-1] != '\n';)
            begin--;
        if (begin == end || *begin != '#')
            return false;
        line = gzt_copy(begin, (size_t)(end - begin));
    } while (!gzt_behind(line, "omp") || names(line, "lastprivate", name) ||
             !(names(line, "private", name) || names(line, "firstprivate", name)));
    return true;
}

bool gzt_is_threadprivate(const struct gzt_source *source, const char *name)
{
    return names(source->text, "threadprivate", name);
}
