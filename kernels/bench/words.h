/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * words.h - the stencils that a benchmark is asked for by words of its command line; all if there
 * are none.
 */
#ifndef GZK_WORDS_H
#define GZK_WORDS_H

#include "output.h"
#include "registry.h"

#include <stdbool.h>
#include <string.h>

/* Refuses a word that is no built-in stencil's name. */
static inline int check_stencils(char *const *words)
{
    char names[1000];
    while (*words && gzk_stencil_find(*words))
        words++;
    if (!*words)
        return CLI_DONE;
    gzk_stencil_names(names, sizeof names);
    return cli_fail(CLI_BAD_INPUT, "\"%s\" is no stencil: must be one of %s", *words, names);
}

static inline bool is_asked_for(const char *name, char *const *words)
{
    bool all = !*words;
    while (*words && strcmp(*words, name) != 0)
        words++;
    return all || *words;
}

#endif
