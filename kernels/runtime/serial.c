/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serial.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int gzk_reference_sweep(const struct gzk_serial *serial, void *state, void *other,
                        const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    const struct gzk_data *data = serial->data;
    size_t bytes = gzk_state_bytes(serial->stencil, data);
    bool even = serial->loops % 2 == 0;

    memcpy(even ? state : other, data->state, bytes);
    if (serial->stencil->older)
        memcpy(even ? other : state, data->older, bytes);
    for (long loop = 0; loop < serial->loops && !(stop && *stop); loop++) {
        bool into_state = (serial->loops - loop) % 2 != 0;
        serial->stencil->reference(data, loop, into_state ? other : state,
                                   into_state ? state : other);
    }
    return stop && *stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;
}

int gzk_reference_run(const struct gzk_serial *serial, void *state,
                      const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    void *other = malloc(gzk_state_bytes(serial->stencil, serial->data));
    int status = other ? gzk_reference_sweep(serial, state, other, stop, error)
                       : gzk_fail(error, GZK_FAILED, "out of host memory for the serial reference");
    free(other);
    return status;
}

void gzk_compare(const struct gzk_serial *serial, const void *result, const void *expected,
                 bool contract, struct gzk_comparison *comparison)
{
    const struct gzk_stencil *stencil = serial->stencil;
    double epsilon = stencil->type == GZK_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    size_t elements = gzk_state_elements(stencil, serial->data);
    double largest = 0, error = 0;

    memset(comparison, 0, sizeof *comparison);
    for (size_t i = 0; i < elements; i++) {
        double magnitude = fabs(gzk_element(expected, stencil->type, i));
        if (isfinite(magnitude))
            largest = fmax(largest, magnitude);
        else
            comparison->undefined++;
    }
    if (contract && largest > 0)
        comparison->tolerance =
            stencil->ulp_per_loop * (double)serial->loops * epsilon * exp2(floor(log2(largest)));
    for (size_t i = 0; i < elements; i++) {
        double difference =
            fabs(gzk_element(result, stencil->type, i) - gzk_element(expected, stencil->type, i));
        /* Written so that NaN counts as wrong, and stays in the largest error. */
        if (!(difference <= error))
            error = isnan(error) ? error : difference;
        if (!(difference <= comparison->tolerance) && comparison->wrong++ == 0)
            comparison->first_wrong = i;
    }
    comparison->max_error = error;
}
