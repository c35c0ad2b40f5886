/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * toolkit.h - finds a library of the CUDA toolkit at run time, wherever the toolkit was put: in the
 * loader's path, in CUDA_HOME, CUDA_PATH or /usr/local/cuda, in a Conda environment, or in the
 * folders of the toolkit's Python packages.
 */
#ifndef GZK_TOOLKIT_H
#define GZK_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

/* What is looked for. Both lists end with NULL. */
struct gzk_toolkit_library {
    const char *const *names; /* sonames, the preferred one first: "libnvrtc.so.13" */
    /* Patterns of the files that the library itself opens by soname, "libnvrtc-builtins.so.*". It
     * has no RUNPATH, so they would not be found in its own folder; they are opened first. */
    const char *const *companions;
};

/* Opens the library and returns dlopen's handle, which stays open; NULL if there is none. `place`
 * then states where it was searched for, otherwise the path that was opened. */
void *gzk_toolkit_open(const struct gzk_toolkit_library *library, char *place, size_t size);

/* Points the pointer to a function that `pointer` is the address of to the function of that name,
 * or to NULL; returns whether it is there. The address is copied as bytes, since C has no
 * conversion from an object's pointer to a function's. */
bool gzk_take_function(void *library, const char *name, void *pointer);

/* The same of several, of which drivers may have one by an older name only; the name of the first
 * that is not there, or NULL. */
struct gzk_function {
    void *pointer;
    const char *name, *older; /* the latter may be NULL */
};
const char *gzk_take_functions(void *library, const struct gzk_function *functions, size_t count);

#endif
