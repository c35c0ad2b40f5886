/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"

#include <limits.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ arrays */

void *gz_stencil_buffer(gz_stencil_run *run, int buffer)
{
    return !run || buffer < 0 || buffer > 1 ? NULL : buffer == 0 ? run->data.state : run->other;
}

void *gzs_aux_array(gz_stencil_run *run, size_t k)
{
    return (char *)run->data.aux + k * run->data.stride * run->element_bytes;
}

void *gz_stencil_constant(gz_stencil_run *run, int k)
{
    bool is_there = run && run->data.aux && k >= 0 && k < run->facts->constant_arrays;
    return is_there ? gzs_aux_array(run, (size_t)k) : NULL;
}

void *gz_stencil_values(gz_stencil_run *run, long loop)
{
    if (!run || !run->data.aux || loop < 0 || loop >= run->loops)
        return NULL;
    return (char *)run->data.aux +
           gzk_step_place(run->stencil, run->data.stride, loop) * run->element_bytes;
}

void *gz_stencil_step(gz_stencil_run *run, int k, long loop)
{
    char *values = gz_stencil_values(run, loop);
    if (!values || k < 0 || k >= run->facts->step_arrays)
        return NULL;
    size_t before = (size_t)run->facts->step_values + (size_t)k * run->data.stride;
    return values + before * run->element_bytes;
}

/* Bytes from which threads copy; less is copied at once. */
static const size_t worth_threads = (size_t)2 << 20;

/* Copies bytes, or adds them to what is to be copied; -1 if memory is short. */
static int add_bytes(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    if (run->state_bytes < worth_threads) {
        memcpy(to, from, bytes);
        return 0;
    }
    struct row *last = run->row_count > 0 ? &run->rows[run->row_count - 1] : NULL;

    if (last && last->to + last->bytes == to && last->from + last->bytes == from) {
        last->bytes += bytes;
        return 0;
    }
    size_t at = last ? last->at + last->bytes : 0;
    struct row *rows = gzk_host_grow(run->rows, run->row_count + 1, sizeof *rows, &run->row_room);
    if (!rows)
        return -1;
    run->rows = rows;
    rows[run->row_count++] = (struct row){to, from, bytes, at};
    return 0;
}

int gz_stencil_row(gz_stencil_run *run, void *to, const void *to_last, const void *from,
                   const void *from_last)
{
    ptrdiff_t length = (const char *)to_last - (char *)to;
    if (!run || !to || !from || length < 0 ||
        (const char *)from_last - (const char *)from != length || !enter_ready(run))
        return 0;
    int added = add_bytes(run, to, from, (size_t)length + run->element_bytes) == 0;
    leave(run);
    return added;
}

/* Copies bytes [first, last) of all. */
static void copy_part(void *of, size_t first, size_t last)
{
    const gz_stencil_run *run = of;
    for (size_t i = 0; i < run->row_count; i++) {
        const struct row *row = &run->rows[i];
        size_t begin = first > row->at ? first - row->at : 0;
        size_t end = last > row->at ? last - row->at : 0;
        if (end > row->bytes)
            end = row->bytes;
        if (begin < end)
            memcpy(row->to + begin, row->from + begin, end - begin);
    }
}

void gz_stencil_copied(gz_stencil_run *run)
{
    if (!enter(run))
        return;
    const struct row *last = run->row_count > 0 ? &run->rows[run->row_count - 1] : NULL;
    size_t bytes = last ? last->at + last->bytes : 0;
    if (last)
        gzk_host_parallel(copy_part, run, bytes, bytes < worth_threads ? 1 : gzs_host_threads());
    run->row_count = 0;
    leave(run);
}

/* ------------------------------------------------------------------------------ coefficients */

/* Sets a coefficient of `bytes` bytes, 0 if no type holds it: by its bits or, of an array of
 * doubles, by its value, if a double holds it. */
static void put(gz_stencil_run *run, int first, const void *value, size_t bytes, double wide,
                bool exact)
{
    if (!enter_ready(run))
        return;
    bool doubles = run->stencil->type == GZK_DOUBLE;
    size_t element = run->element_bytes, size = doubles ? sizeof wide : bytes;
    size_t words = (size + element - 1) / element;
    if (bytes == 0 || (doubles && !exact))
        gzs_give_up(run, "a whole number is too large");
    else if (first < 0 || (size_t)first + words > (size_t)run->facts->coefficients)
        gzs_give_up(run, "a coefficient is set that the stencil does not have");
    else
        memcpy((char *)run->data.coefficients + (size_t)first * element, doubles ? &wide : value,
               size);
    leave(run);
}

static bool in_double(long value)
{
    return value >= -(1L << 53) && value <= 1L << 53;
}

void gz_stencil_int(gz_stencil_run *run, int first, long value)
{
    int bits = (int)(unsigned int)value;
    bool fits = value >= INT_MIN && value <= (long)UINT_MAX;
    put(run, first, &bits, fits ? sizeof bits : 0, (double)value, true);
}

void gz_stencil_long(gz_stencil_run *run, int first, long value)
{
    put(run, first, &value, sizeof value, (double)value, in_double(value));
}

void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value)
{
    put(run, first, &value, sizeof value, (double)value, value <= 1UL << 53);
}

void gz_stencil_float(gz_stencil_run *run, int first, float value)
{
    put(run, first, &value, sizeof value, (double)value, true);
}

void gz_stencil_double(gz_stencil_run *run, int first, double value)
{
    put(run, first, &value, sizeof value, value, true);
}
