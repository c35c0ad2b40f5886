/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * test_nvrtc.h - kernels as NVRTC compiles them, and ptxas's account of one.
 */
#ifndef GZ_TEST_NVRTC_H
#define GZ_TEST_NVRTC_H

#include "backend.h"
#include "kernel_text.h"
#include "nvrtc.h"
#include "tap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The architectures that matter. */
static const int nvrtc_capabilities[] = {75, 80, 90, 100};
enum { NVRTC_CAPABILITIES = sizeof nvrtc_capabilities / sizeof *nvrtc_capabilities };

/* Skips the file if there is no NVRTC. */
static inline void needs_nvrtc(void)
{
    if (gzk_nvrtc_version() == 0)
        tap_skip_all("no NVRTC");
    tap_note("NVRTC %d.%d", gzk_nvrtc_version() / 1000, gzk_nvrtc_version() % 1000 / 10);
}

/* Whether a text, which it frees, compiles; a note if not. */
static inline bool nvrtc_compiles(char *text, int capability, bool contract,
                                  struct gzk_compiled *compiled)
{
    struct gzk_error error = {.text = "no text"};
    bool made = text && gzk_nvrtc_compile(text, capability, contract, compiled, &error) == 0;
    free(text);
    if (!made)
        tap_note("sm_%d: %s", capability, error.text);
    return made;
}

/* Likewise the kernel of a configuration. */
static inline bool nvrtc_kernel(const struct gzk_config *config, int capability, bool contract,
                                struct gzk_compiled *compiled)
{
    return nvrtc_compiles(gzk_kernel_text(config, gzk_cuda.prelude), capability, contract,
                          compiled);
}

/* The number in front of `what`, such as " registers"; -1 if there is none. */
static inline int ptxas_number(const struct gzk_compiled *compiled, const char *what)
{
    const char *log = compiled->log, *place = log ? strstr(log, what) : NULL, *begin = place;
    while (begin && begin > log && begin[-1] >= '0' && begin[-1] <= '9')
        begin--;
    return begin < place ? atoi(begin) : -1;
}

/* Whether the PTX computes in double precision. Register names like %f64 do not count. */
static inline bool ptx_has_double(const char *ptx)
{
    for (const char *place = strstr(ptx, ".f64"); place; place = strstr(place + 1, ".f64"))
        if (place > ptx && place[-1] != '%')
            return true;
    return false;
}

#endif
