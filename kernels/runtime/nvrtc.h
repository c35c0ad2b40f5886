/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvrtc.h - compiles a kernel's text for an NVIDIA GPU with NVRTC, opened at run time. Needs no GPU
 * and no driver.
 */
#ifndef GZK_NVRTC_H
#define GZK_NVRTC_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct gzk_compiled {
    void *cubin; /* machine code for the one architecture, or PTX, zero ended, which the driver
                    compiles for one that NVRTC does not know */
    size_t cubin_bytes;
    char *ptx; /* the same as text, zero ended */
    char *log; /* what the compiler said, with ptxas's account of registers and spills */
};

/* Compiles for compute capability `capability` (90 for 9.0). `contract` allows a multiplication and
 * an addition to round once. GZK_NO_DEVICE if there is no NVRTC here, GZK_FAILED if the text
 * does not compile. `result` is to be ended by gzk_compiled_free. */
int gzk_nvrtc_compile(const char *text, int capability, bool contract, struct gzk_compiled *result,
                      struct gzk_error *error);

void gzk_compiled_free(struct gzk_compiled *result);

/* NVRTC's version as 1000 major + 10 minor, 0 if there is none here. */
int gzk_nvrtc_version(void);

#endif
