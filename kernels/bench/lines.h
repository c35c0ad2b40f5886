/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lines.h - stores past a CPU's caches, which do not read what they overwrite.
 */
#ifndef GZK_LINES_H
#define GZK_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { LINE = 64 };

/* Copies a line past the caches if the processor can. */
INLINE void store_line(char *to, const char *from)
{
#if defined(__AVX512F__)
    _mm512_stream_si512((void *)to, _mm512_loadu_si512((const void *)from));
#elif defined(__SSE2__)
    for (int i = 0; i < LINE; i += 16)
        _mm_stream_si128((void *)(to + i), _mm_loadu_si128((const void *)(from + i)));
#else
    memcpy(to, from, LINE);
#endif
}

/* Copies a row's bytes, whole lines past the caches. */
INLINE void store_row(char *to, const char *from, size_t bytes)
{
    size_t head = (LINE - (uintptr_t)to % LINE) % LINE;
    size_t i = head < bytes ? head : bytes;

    memcpy(to, from, i);
    for (; i + LINE <= bytes; i += LINE)
        store_line(to + i, from + i);
    memcpy(to + i, from + i, bytes - i);
}

#endif
