/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "registry.h"

#include "input.h"
#include "variants.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WHY_ROOM = 200 };

const struct gzk_stencil *gzk_stencil_find(const char *name)
{
    for (size_t i = 0; i < gzk_stencil_count; i++)
        if (strcasecmp(gzk_stencils[i]->name, name) == 0)
            return gzk_stencils[i];
    return NULL;
}

void gzk_stencil_names(char *text, size_t room)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < gzk_stencil_count && length + 1 < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s", i ? ", " : "",
                                   gzk_stencils[i]->name);
}

/* What is wrong with the extents in dimension `i`, or NULL. */
static const char *wrong_extents(const struct gzk_stencil *s, int i)
{
    bool has = i < s->dim;
    if ((unsigned)s->edge[i] >= (unsigned)gzk_edge_count)
        return "edge: must be clamp, zero, periodic or keep in every dimension";
    if (s->radius[i] < 0 || s->radius[i] > 64 || (!has && s->radius[i] != 0))
        return "radius: must be from 0 to 64, and 0 in the dimensions that it lacks";
    return NULL;
}

/* What is wrong with what is run by default in dimension `i`, or NULL. */
static const char *wrong_defaults(const struct gzk_stencil *s, int i)
{
    bool has = i < s->dim;
    if (s->default_size[i] < 1 || (!has && s->default_size[i] != 1))
        return "default_size: must be at least 1, and 1 in the dimensions that it lacks";
    if (s->default_block[i] <= 2 * s->radius[i] || (!has && s->default_block[i] != 1))
        return "default_block: must be more than twice the radius, and 1 in the dimensions that it "
               "lacks";
    return NULL;
}

const char *gzk_wrong_facts(const struct gzk_stencil *s)
{
    const char *wrong = NULL;

    if (s->dim < 1 || s->dim > 3)
        return "dimensions: must be from 1 to 3";
    if ((unsigned)s->type > GZK_DOUBLE)
        return "type: must be int, float or double";
    if (s->bytes != GZK_BYTES(s->type))
        return "bytes: must be the type's: state both by GZK_TYPE";
    if (s->coefficients < 0 || s->coefficients > GZK_MAX_COEFFICIENTS)
        return "coefficients: must be from 0 to 128";
    if (s->coefficient_arrays < 0 || s->step_arrays < 0 || s->step_values < 0)
        return "coefficient_arrays, step_arrays and step_values: must be at least 0";
    if (s->fields < 0 || s->fields > GZK_MAX_FIELDS || (s->fields > 1 && (s->older || s->measure)))
        return "fields: must be from 0 to 8, and 1 with three time levels or a measure";
    if (s->operations < 1)
        return "operations: must be at least 1";
    for (int i = 0; i < 3 && !wrong; i++)
        wrong = wrong_extents(s, i);
    if (!wrong && s->radius[0] == 0 && s->radius[1] == 0 && s->radius[2] == 0)
        wrong = "radius: must be at least 1 in one dimension";
    if (!wrong && (s->reads.state < 0 || s->reads.column < 0 || s->reads.arrays < 0 ||
                   (s->reads.own_column && (s->dim < 2 || s->radius[s->dim - 1] < 1))))
        wrong = "reads: must be at least 0, with own_column only where other planes are read";
    return wrong;
}

int gzk_stencil_check(const struct gzk_stencil *s, const char *where, struct gzk_error *error)
{
    const char *wrong = NULL;

    if (!s->name || !*s->name || strlen(s->name) > 60 ||
        strspn(s->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                        "XYZ0123456789_") != strlen(s->name))
        return gzk_fail(error, GZK_INVALID,
                        "%s: name: must consist of letters, digits and underscores, 60 at most",
                        where);
    if (!s->summary || !s->body || !s->fill || !s->reference)
        wrong = "summary, body, fill and reference: must all be set";
    else if (s->coefficients > 0 && !s->set_coefficients)
        wrong = "set_coefficients: must be set for a stencil with coefficients";
    else if (!(s->ulp_per_loop >= 0))
        wrong = "ulp_per_loop: must be at least 0";
    else
        wrong = gzk_wrong_facts(s);
    for (int i = 0; i < 3 && !wrong; i++)
        wrong = wrong_defaults(s, i);
    return wrong ? gzk_fail(error, GZK_INVALID, "%s: stencil %s: %s", where, s->name, wrong) : 0;
}

/* Whether a file is a shared object all of which is there: the system maps what its header promises
 * and ends a process that touches a page behind the file's end. Fills `why` if not. */
static bool is_whole_object(const char *path, char why[WHY_ROOM])
{
    size_t size;
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    FILE *file = gzi_open_regular(path, &size);
    if (!file) {
        snprintf(why, WHY_ROOM, "%s", gzi_open_why(errno));
        return false;
    }
    bool whole = fread(&head, sizeof head, 1, file) == 1 &&
                 memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_type == ET_DYN &&
                 head.e_phentsize == sizeof part && head.e_phnum > 0;
    snprintf(why, WHY_ROOM, whole ? "is cut off" : "is no shared object");
    for (int k = 0; k < head.e_phnum && whole; k++)
        whole = fseeko(file, (off_t)(head.e_phoff + (size_t)k * sizeof part), SEEK_SET) == 0 &&
                fread(&part, sizeof part, 1, file) == 1 && part.p_offset <= size &&
                part.p_filesz <= size - part.p_offset;
    fclose(file);
    return whole;
}

int gzk_stencil_load(const char *path, const struct gzk_stencil **stencil, struct gzk_error *error)
{
    char name[4096], why[WHY_ROOM];
    if (!is_whole_object(path, why))
        return gzk_fail(error, GZK_INVALID, "%s: must be a shared object with a stencil: %s", path,
                        why);
    /* A name without a slash would be looked for in the system's folders. */
    snprintf(name, sizeof name, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return gzk_fail(error, GZK_INVALID, "%s: must be a shared object with a stencil: %s", path,
                        dlerror());
    const struct gzk_stencil *found = dlsym(object, "gzk_stencil");
    int status = 0;
    if (!found)
        status =
            gzk_fail(error, GZK_INVALID,
                     "%s: no stencil in it: must define one with GZK_STENCIL of stencil.h", path);
    else if (found->abi != GZK_STENCIL_ABI || found->size < sizeof *found)
        status =
            gzk_fail(error, GZK_INVALID,
                     "%s: built for version %u of stencil.h, %u bytes: must be version %u, %zu "
                     "bytes; rebuild it",
                     path, (unsigned)found->abi, (unsigned)found->size, (unsigned)GZK_STENCIL_ABI,
                     sizeof *found);
    else
        status = gzk_stencil_check(found, path, error);
    if (status != 0) {
        dlclose(object);
        return status;
    }
    *stencil = found;
    return 0;
}
