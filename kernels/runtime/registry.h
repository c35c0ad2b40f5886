/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * registry.h - the stencils by name: those built in, whose list the build generates from the files
 * in kernels/stencils, and those loaded from shared objects.
 */
#ifndef GZK_REGISTRY_H
#define GZK_REGISTRY_H

#include "error.h"
#include "stencil.h"

/* The built-in stencils, in the order of their names. */
extern const struct gzk_stencil *const gzk_stencils[];
extern const size_t gzk_stencil_count;

/* The built-in stencil of that name, or NULL. */
const struct gzk_stencil *gzk_stencil_find(const char *name);

/* Writes the built-in names into `text`, separated by commas, as many as fit. */
void gzk_stencil_names(char *text, size_t room);

/* Loads the stencil that the shared object `path` exports as `gzk_stencil`. It stays loaded.
 * GZK_INVALID when the file cannot be loaded, exports none, was built for another version of
 * stencil.h, or the stencil's facts contradict one another. */
int gzk_stencil_load(const char *path, const struct gzk_stencil **stencil, struct gzk_error *error);

/* What is wrong with the facts that the kernels follow from, the body and what is run by default
 * left out; NULL if nothing is. */
const char *gzk_wrong_facts(const struct gzk_stencil *stencil);

/* Refuses a stencil whose facts are out of range or contradict one another; `where` begins the
 * message. */
int gzk_stencil_check(const struct gzk_stencil *stencil, const char *where,
                      struct gzk_error *error);

#endif
