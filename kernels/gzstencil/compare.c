/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"
#include "serial.h"
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_bool failed;

/* After everything that the program does when it exits: of what the system unloads, this comes
 * behind the program itself. */
__attribute__((destructor)) static void fail(void)
{
    if (!atomic_load(&failed))
        return;
    fflush(NULL);
    _exit(1);
}

/* Whether element `i` has the same bits, or is not a number in either. */
static bool same(enum gzk_type type, const void *original, const void *device, size_t i)
{
    size_t bytes = GZK_BYTES(type);
    return memcmp((const char *)original + i * bytes, (const char *)device + i * bytes, bytes) ==
               0 ||
           (isnan(gzk_element(original, type, i)) && isnan(gzk_element(device, type, i)));
}

/* The difference in units in the last place of `original`. */
static double ulp_between(enum gzk_type type, const void *original, const void *device, size_t i)
{
    double a = gzk_element(original, type, i), b = gzk_element(device, type, i), unit = 1;

    if (!isfinite(a) || !isfinite(b))
        return HUGE_VAL;
    if (type == GZK_DOUBLE)
        unit = nextafter(fabs(a), (double)INFINITY) - fabs(a);
    else if (type == GZK_FLOAT)
        unit = (double)nextafterf((float)fabs(a), INFINITY) - fabs(a);
    return isfinite(unit) ? fabs(a - b) / unit : HUGE_VAL;
}

int gz_stencil_checking(const gz_stencil_run *run)
{
    return run && run->done && run->checking;
}

void gz_stencil_compare(gz_stencil_run *run)
{
    if (!gz_stencil_checking(run) || !enter(run))
        return;
    const void *original = run->data.state, *device = run->result[0];
    const struct gzk_serial serial = {run->stencil, &run->data, run->loops};
    enum gzk_type type = run->stencil->type;
    size_t differ = 0, elements = gzk_state_elements(run->stencil, &run->data);
    struct gzk_comparison comparison;

    for (size_t i = 0; i < elements; i++)
        if (!same(type, original, device, i)) {
            differ++;
            run->check.ulp = fmax(run->check.ulp, ulp_between(type, original, device, i));
        }
    if (run->facts->contract) {
        gzk_compare(&serial, device, original, true, &comparison);
        differ = comparison.wrong;
    }
    run->check.compared += elements;
    run->check.wrong += differ;
    leave(run);
}

/* Compares a variable; `found` is NULL if it is not known. */
static void compare_variable(gz_stencil_run *run, const char *name, const void *original,
                             const void *found, size_t bytes)
{
    char *first = run->check.variable;
    if ((!found || memcmp(original, found, bytes) != 0) && !first[0])
        snprintf(first, sizeof run->check.variable, "%s", name ? name : "");
}

void gz_stencil_compare_variable(gz_stencil_run *run, const char *name, const void *original,
                                 const void *found, unsigned long bytes)
{
    if (!name || !original || !found || !gz_stencil_checking(run) || !enter(run))
        return;
    compare_variable(run, name, original, found, bytes);
    leave(run);
}

/* In passes 0 and 2 keeps some bytes in the first or the second; in passes 3 and 4 returns those
 * that the first, or the second, has in their place. NULL if there are none, or memory is short. */
static const char *heard_of(struct gzs_heard heard[2], int pass, const void *at, size_t bytes)
{
    bool keeps = pass == 0 || pass == 2;
    struct gzs_heard *own = &heard[pass == 2 || pass == 4];
    if (pass != own->pass)
        own->at = 0;
    own->pass = pass;
    if (keeps) {
        char *more = gzk_host_grow(own->bytes, own->count + bytes, 1, &own->room);
        if (!more)
            return NULL;
        own->bytes = more;
        memcpy(own->bytes + own->count, at, bytes);
        own->count += bytes;
    }
    if (own->at + bytes > own->count)
        return NULL;
    own->at += bytes;
    return own->bytes + own->at - bytes;
}

void gz_stencil_hear(gz_stencil_run *run, int pass, void *at, unsigned long bytes, const char *name)
{
    if (!at || !gz_stencil_checking(run) || !enter(run))
        return;
    const char *kept = heard_of(run->heard, pass, at, bytes);
    if (pass == 3 && kept)
        memcpy(at, kept, bytes);
    if (pass == 4)
        compare_variable(run, name, at, kept, bytes);
    leave(run);
}

/* What differences of that size come from. Small ones need not be rounding: values that are a loop
 * older, where a run has come to rest, differ by as little. */
static const char *cause_of(double ulp, enum gzk_type type)
{
    const double roundings = 1e4;
    if (ulp == 0)
        return "likely cause: only the signs of zeros";
    if (type == GZK_INT || !(ulp < roundings))
        return "likely cause: not rounding: please report it with the loop";
    return "this may be rounding, if the original loops were compiled with -ffast-math, or with "
           "fused multiplications and additions (compile with -ffp-contract=off): otherwise please "
           "report it with the loop";
}

void gzs_report_check(const gz_stencil_run *run)
{
    const struct gzs_check *check = &run->check;
    const struct gzk_stencil *stencil = run->stencil;
    if (check->wrong == 0 && !check->variable[0]) {
        fprintf(stderr, "gzstencil: %s:%d: check passed: %zu elements are equal%s\n", run->file,
                run->line, check->compared, stencil->ulp_per_loop > 0 ? " within the bound" : "");
        return;
    }
    if (check->variable[0])
        fprintf(stderr,
                "gzstencil: %s:%d: check failed: %s ends with another value: please report it with "
                "the loop\n",
                run->file, run->line, check->variable);
    if (check->wrong > 0)
        fprintf(
            stderr,
            "gzstencil: %s:%d: check failed: %zu of %zu elements differ, by up to %.3g units in "
            "the last place; %s\n",
            run->file, run->line, check->wrong, check->compared, check->ulp,
            cause_of(check->ulp, stencil->type));
    if (gzs_word(GZS_CHECK) != 2)
        atomic_store(&failed, true);
}
