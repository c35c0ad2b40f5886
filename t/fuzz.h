/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz.h - what a fuzzed reader (fuzz_paramfile.c, fuzz_table.c) gives to t/fuzz_driver.c.
 */
#ifndef GZ_FUZZ_H
#define GZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry point: fuzz_accepts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Valid text number `index` to start mutations from; NULL beyond the last. */
const char *fuzz_start(size_t index);

/* Reads a text, and whether it is accepted; aborts on a broken promise. */
int fuzz_accepts(const uint8_t *data, size_t size);

#endif
