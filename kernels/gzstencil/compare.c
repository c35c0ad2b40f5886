/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare.h"

#include "data.h"
#include "settings.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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
    size_t bytes = gzk_type_bytes(type);
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

void gzs_compare(const struct gzk_serial *serial, const void *original, const void *device,
                 bool contract, struct gzs_check *check)
{
    enum gzk_type type = serial->stencil->type;
    size_t differ = 0, elements = gzk_state_elements(serial->stencil, serial->data);
    struct gzk_comparison comparison;

    for (size_t i = 0; i < elements; i++)
        if (!same(type, original, device, i)) {
            differ++;
            check->ulp = fmax(check->ulp, ulp_between(type, original, device, i));
        }
    if (contract) {
        gzk_compare(serial, device, original, true, &comparison);
        differ = comparison.wrong;
    }
    check->compared += elements;
    check->wrong += differ;
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
           "fused "
           "multiplications and additions (compile with -ffp-contract=off): otherwise please "
           "report "
           "it with the loop";
}

void gzs_report_check(const struct gzs_check *check, const struct gzk_stencil *stencil,
                      const char *where)
{
    if (check->wrong == 0 && !check->variable[0]) {
        fprintf(stderr, "gzstencil: %s: check passed: %zu elements are equal%s\n", where,
                check->compared, stencil->ulp_per_loop > 0 ? " within the bound" : "");
        return;
    }
    if (check->variable[0])
        fprintf(stderr,
                "gzstencil: %s: check failed: %s ends with another value: please report it with "
                "the loop\n",
                where, check->variable);
    if (check->wrong > 0)
        fprintf(stderr,
                "gzstencil: %s: check failed: %zu of %zu elements differ, by up to %.3g units in "
                "the last place; %s\n",
                where, check->wrong, check->compared, check->ulp,
                cause_of(check->ulp, stencil->type));
    if (gzs_word(GZS_CHECK) != 2)
        atomic_store(&failed, true);
}
