/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUPTI's own account of the counters, through its host interface, which needs no GPU: a chip of
 * each generation has them, and a pass or a few suffice.
 */
#include "counters.h"
#include "tap.h"

#include <dlfcn.h>
#include <stdbool.h>

/* CUPTI opens a library of its own in a way that ends a program under the address sanitizer. */
static int under_sanitizer(void)
{
    void *self = dlopen(NULL, RTLD_NOW);
    return self && dlsym(self, "__asan_init");
}

int main(void)
{
    /* Compute capability 7.5 and later: Turing, Ampere, Ada, Hopper, Blackwell. */
    static const char *const wanted[] = {"TU102", "GA100", "AD102", "GH100", "GB100"};
    struct gzk_error error = {0};
    size_t passes = 0;
    if (under_sanitizer())
        tap_skip_all("CUPTI does not run under the address sanitizer");
    if (gzc_counters_load(&error) != 0)
        tap_skip_all(error.text);
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        error.text[0] = '\0';
        int status = gzc_counters_passes(wanted[w], &passes, &error);
        tap_ok(status == 0 && passes >= 1 && passes <= 4, "%s: %zu passes %s", wanted[w], passes,
               error.text);
    }
    tap_ok(gzc_counters_passes("NV1", &passes, &error) == GZK_FAILED, "another chip is refused: %s",
           error.text);
    tap_ok(strstr(gzc_counter_metric(GZC_WARP_INSTRUCTIONS), "inst_executed") != NULL,
           "warp instructions are counted by %s", gzc_counter_metric(GZC_WARP_INSTRUCTIONS));
    return tap_done();
}
