/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Additions to prelude.cl for a CPU: vectors as wide as a line of its cache, which compilers use
 * only if they are requested, and prefetching, for which OpenCL C 1.2 has nothing that drivers
 * for CPUs implement. GZ_ALIGN is the elements of a line.
 */
#ifdef __clang__
/* A body that cannot be vectorised is not an error. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define GZ_PRAGMA(text) _Pragma(#text)
#define GZ_VECTORISED(width, count)                                                                \
    GZ_PRAGMA(clang loop vectorize_width(width) interleave_count(count))
#define GZ_ROW_LOOP GZ_VECTORISED(GZ_ALIGN, 2)
/* Rows begin on a line of the cache, but not what is loaded of them: without the first loop each
 * vector would be stored into two lines. */
#define GZ_SCALAR GZ_PRAGMA(clang loop vectorize(disable) unroll(disable))
#define GZ_LOAD_CELLS(row, from, shift, first, last)                                               \
    int c = first;                                                                                 \
    GZ_SCALAR                                                                                      \
    for (; c < last && c % GZ_ALIGN != 0; c++)                                                     \
        row[c] = from[(shift) + c];                                                                \
    GZ_VECTORISED(GZ_ALIGN, 1)                                                                     \
    for (; c < last; c += GZ_TX)                                                                   \
        row[c] = from[(shift) + c];
#define GZ_ROW_FUNCTION static inline __attribute__((always_inline, min_vector_width(512)))
/* What a block adds up may be added in any order, as vectors do. */
#if __clang_major__ > 11
#define GZ_ANY_ORDER GZ_PRAGMA(clang fp reassociate(on))
#endif
/* LLVM keeps what an iteration loads for the next ones, as far as restrict lets it see that nothing
 * has overwritten it; what it keeps for longer than one iteration it cannot vectorise. */
#if GZ_RX > 1
#define GZ_ROW_RESTRICT
#endif
#if __has_builtin(__builtin_prefetch) && !defined(GZ_NO_PREFETCH)
#define GZ_PREFETCH(address) __builtin_prefetch((const void *)(size_t)(address), 0, 2)
#endif
#endif
