/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "known.h"

#include "registry.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct gzs_known *all;

/* The enumerations are the kernels' own. */
_Static_assert((int)GZ_STENCIL_INT == GZK_INT && (int)GZ_STENCIL_FLOAT == GZK_FLOAT &&
                   (int)GZ_STENCIL_DOUBLE == GZK_DOUBLE && (int)GZ_STENCIL_CLAMP == GZ_EDGE_CLAMP &&
                   (int)GZ_STENCIL_ZERO == GZ_EDGE_ZERO &&
                   (int)GZ_STENCIL_PERIODIC == GZ_EDGE_PERIODIC &&
                   (int)GZ_STENCIL_KEEP == GZ_EDGE_KEEP,
               "types and edges are numbered alike");

static void describe(const struct gz_stencil *facts, bool keeps, struct gzk_stencil *stencil)
{
    *stencil = (struct gzk_stencil){
        .abi = GZK_STENCIL_ABI,
        .size = sizeof *stencil,
        .name = "gzc",
        .dim = facts->dimensions,
        GZK_TYPE((enum gzk_type)facts->type),
        .coefficients = facts->coefficients,
        .coefficient_arrays = facts->constant_arrays + (keeps ? 2 : 0),
        .step_arrays = facts->step_arrays,
        .step_values = facts->step_values,
        .operations = facts->operations,
        .older = facts->buffers == 3,
        .measure = facts->measure,
        .fields = facts->fields,
        .reads = {facts->reads.state, facts->reads.column,
                  facts->reads.arrays + (facts->reads.state > 0 && keeps ? 2 : 0),
                  facts->reads.own_column != 0}};
    for (int axis = 0; axis < 3; axis++) {
        stencil->edge[axis] = (gz_edge)facts->edge[axis];
        stencil->radius[axis] = facts->radius[axis];
    }
    if (facts->contract && stencil->type != GZK_INT)
        stencil->ulp_per_loop = (facts->operations + 1) * (facts->contract > 1 ? 16 : 1);
}

static const char *wrong_facts(const struct gz_stencil *facts)
{
    enum { MOST_ARRAYS = 1 << 16, MOST_HEIGHT = 1 << 20 };
    struct gzk_stencil stencil;

    if (!facts)
        return "stencil: must not be NULL";
    if (!facts->body || !facts->body[0])
        return "body: must be its text in pieces";
    if (facts->buffers < 1 || facts->buffers > 3)
        return "buffers: must be 1, 2 or 3";
    if (facts->guarded < 0 || facts->guarded > 1 || facts->contract < 0 || facts->contract > 2)
        return "guarded: must be 0 or 1, contract from 0 to 2";
    if (facts->fields < 0 || facts->fields > GZK_MAX_FIELDS ||
        (facts->fields > 1 && (facts->buffers != 1 || facts->guarded || facts->measure)))
        return "fields: must be from 0 to 8, and with several buffers 1, guarded and measure 0";
    if (facts->measure < 0 || facts->measure > 4 ||
        (facts->measure && (facts->buffers > 2 || facts->step_arrays || facts->step_values)))
        return "measure: must be from 0 to 4, and 0 with three time levels or arrays per step";
    if (facts->height < 0 || facts->height > MOST_HEIGHT)
        return "height: must be from 0 to 1048576";
    if (facts->constant_arrays > MOST_ARRAYS || facts->step_arrays > MOST_ARRAYS ||
        facts->step_values > MOST_ARRAYS || facts->constant_arrays < 0)
        return "constant_arrays, step_arrays and step_values: must be from 0 to 65536";
    describe(facts, false, &stencil);
    return gzk_wrong_facts(&stencil);
}

/* The text and the numbers of the facts, which begin behind what points elsewhere. */
static bool are_same(const struct gzs_known *a, const struct gzs_known *b)
{
    size_t first = offsetof(struct gz_stencil, dimensions);
    size_t bytes = offsetof(struct gz_stencil, fields) + sizeof a->facts.fields - first;
    return a->facts.line == b->facts.line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->body, b->body) == 0 &&
           memcmp((const char *)&a->facts + first, (const char *)&b->facts + first, bytes) == 0;
}

/* By the file that holds its text. */
static void find_program(const char *text, char *program, size_t room)
{
    Dl_info here;
    struct stat file;
    if (dladdr(text, &here) && here.dli_fname && stat(here.dli_fname, &file) == 0)
        snprintf(program, room, "%llx %llx %llx %lld.%09ld", (unsigned long long)file.st_dev,
                 (unsigned long long)file.st_ino, (unsigned long long)file.st_size,
                 (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

/* By its text and facts alone. */
static struct gzs_known *make(const struct gz_stencil *facts, const char *place)
{
    bool keeps = facts->buffers >= 2 && facts->guarded;
    size_t length = 1 + strlen(place);

    for (const char *const *piece = facts->body; *piece; piece++)
        length += strlen(*piece);
    struct gzs_known *known = calloc(1, sizeof *known + length);
    if (!known)
        return NULL;
    char *end = stpcpy(known->body, place);
    for (const char *const *piece = facts->body; *piece; piece++)
        end = stpcpy(end, *piece);
    known->facts = *facts;
    known->facts.body = NULL;
    snprintf(known->file, sizeof known->file, "%s", facts->file ? facts->file : "(a stencil)");
    known->facts.file = known->file;
    known->keeps = keeps;
    return known;
}

struct gzs_known *gzs_know(const struct gz_stencil *facts, const char *place, const char **wrong)
{
    *wrong = wrong_facts(facts);
    if (*wrong)
        return NULL;
    struct gzs_known *known = make(facts, place), *seen = all;
    while (known && seen && !are_same(seen, known))
        seen = seen->next;
    if (seen || !known) {
        *wrong = known ? NULL : "out of memory";
        free(known);
        return known ? seen : NULL;
    }
    find_program(facts->body[0], known->program, sizeof known->program);
    describe(facts, known->keeps, &known->stencil);
    known->stencil.body = known->body;
    known->next = all;
    return all = known;
}
