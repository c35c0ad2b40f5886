/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * toolkit - the loader comes first, so that LD_LIBRARY_PATH decides; then one folder after the
 * other. Companions are opened by their full path: a later dlopen of the same soname finds them
 * loaded.
 */
#define _GNU_SOURCE /* for GLOB_BRACE */
#include "toolkit.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a toolkit's folder has; and the toolkit's Python packages: nvidia/cu13/lib, or one folder
 * for each library. */
#define TOOLKIT "{lib64,lib,targets/*-linux/lib,extras/CUPTI/lib64}"
#define PACKAGES "lib/*/{site,dist}-packages/nvidia/*/lib"

/* Where a toolkit may be: a variable of the environment, or NULL, and a pattern below it. */
static const struct {
    const char *variable, *pattern;
} folders[] = {
    {"CUDA_HOME", "/" TOOLKIT},
    {"CUDA_PATH", "/" TOOLKIT},
    {"CONDA_PREFIX", "/{lib,targets/*-linux/lib," PACKAGES "}"},
    {"VIRTUAL_ENV", "/" PACKAGES},
    /* That of the first python3 of PATH, activated or not. */
    {"PATH", "/../" PACKAGES},
    {NULL, "/usr/local/cuda/" TOOLKIT},
    {NULL, "/usr/local/cuda-*/" TOOLKIT},
    {NULL, "/opt/cuda/" TOOLKIT},
    {"HOME", "/.local/" PACKAGES},
    {"PYENV_ROOT", "/versions/*/" PACKAGES},
    {NULL, "/{usr/local,usr}/" PACKAGES},
    {NULL, "/opt/{conda,*,*/.venv}/" PACKAGES},
    {"HOME", "/.venv/" PACKAGES},
};

/* The folder that a variable names, of PATH the first one that has a python3; NULL if there is
 * none. */
static const char *root_of(const char *variable, char *room, size_t size)
{
    const char *value = variable ? getenv(variable) : "";
    if (!variable || !value || strcmp(variable, "PATH") != 0)
        return value && (!variable || value[0] == '/') ? value : NULL;
    for (; *value; value += strcspn(value, ":"), value += *value == ':') {
        char python[4096];
        int length = (int)strcspn(value, ":");
        snprintf(python, sizeof python, "%.*s/python3", length, value);
        if (value[0] != '/' || access(python, X_OK) != 0)
            continue;
        snprintf(room, size, "%.*s", length, value);
        return room;
    }
    return NULL;
}

/* Opens every file of `folder` that matches one of the patterns. */
static void open_companions(const char *folder, const char *const *patterns)
{
    for (; *patterns; patterns++) {
        char path[4096];
        glob_t found;
        int length = snprintf(path, sizeof path, "%s/%s", folder, *patterns);
        if (length < 0 || (size_t)length >= sizeof path || glob(path, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++)
            dlopen(found.gl_pathv[i], RTLD_LAZY | RTLD_LOCAL);
        globfree(&found);
    }
}

static void *open_in(const char *folder, const char *name,
                     const struct gzk_toolkit_library *library, char *place, size_t size)
{
    char path[4096];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    /* Companions are not opened for a library that is not there. */
    if (length < 0 || (size_t)length >= sizeof path || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode))
        return NULL;
    open_companions(folder, library->companions);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle)
        snprintf(place, size, "%s", path);
    return handle;
}

/* The library of the name `name` in any folder that matches the pattern. */
static void *open_below(const char *root, const char *pattern, const char *name,
                        const struct gzk_toolkit_library *library, char *place, size_t size)
{
    char path[4096];
    glob_t found;
    void *handle = NULL;
    int length = snprintf(path, sizeof path, "%s%s", root, pattern);

    if (length < 0 || (size_t)length >= sizeof path || glob(path, GLOB_BRACE, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !handle; i++)
        handle = open_in(found.gl_pathv[i], name, library, place, size);
    globfree(&found);
    return handle;
}

bool gzk_take_function(void *library, const char *name, void *pointer)
{
    void *address = dlsym(library, name);
    memcpy(pointer, &address, sizeof address);
    return address != NULL;
}

const char *gzk_take_functions(void *library, const struct gzk_function *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct gzk_function *f = &functions[i];
        if (!gzk_take_function(library, f->name, f->pointer) &&
            !(f->older && gzk_take_function(library, f->older, f->pointer)))
            return f->name;
    }
    return NULL;
}

static const char *state_of(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : "not set";
}

void *gzk_toolkit_open(const struct gzk_toolkit_library *library, char *place, size_t size)
{
    char room[4096];
    for (const char *const *name = library->names; *name; name++) {
        void *handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (handle) {
            snprintf(place, size, "%s", *name);
            return handle;
        }
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            const char *root = root_of(folders[f].variable, room, sizeof room);
            if (!root)
                continue;
            handle = open_below(root, folders[f].pattern, *name, library, place, size);
            if (handle)
                return handle;
        }
    }
    snprintf(place, size,
             "LD_LIBRARY_PATH, CUDA_HOME (%.60s), CUDA_PATH (%.60s), /usr/local/cuda and the "
             "toolkit's Python packages (nvidia/*/lib)",
             state_of("CUDA_HOME"), state_of("CUDA_PATH"));
    return NULL;
}
