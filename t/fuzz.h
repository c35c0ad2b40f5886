/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz.h - what a fuzzed reader (fuzz_NAME.c) gives to t/fuzz_driver.c, and libFuzzer's entry
 * point. A broken promise aborts.
 */
#ifndef GZ_FUZZ_H
#define GZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Valid text number `index` to start mutations from; NULL beyond the last. */
const char *fuzz_start(size_t index);

/* Reads a text, and whether it is accepted; aborts on a broken promise. */
int fuzz_accepts(const uint8_t *data, size_t size);

#ifndef FUZZ_DRIVER
static inline void require(int holds, const char *promise, const char *message)
{
    if (holds)
        return;
    fprintf(stderr, "broken promise: %s; message: %s\n", promise, message);
    abort();
}

/* libFuzzer's entry point. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_accepts(data, size);
    return 0;
}
#endif

#endif
