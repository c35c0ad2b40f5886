/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 015-sizes - the sizes of all public structures, which never change within a major version: a
 * member that is added takes the place of a reserved one. (Where int is 4 bytes and double 8,
 * aligned to 8, as everywhere that this runs.)
 */
#include "gzmodel.h"
#include "tap.h"

#define SIZES(X)                                                                                   \
    X(gz_error, 512)                                                                               \
    X(gz_quantity, 24)                                                                             \
    X(gz_device, 2 * 64 + 96 * 24)                                                                 \
    X(gz_app, 3 * 64 + 8 + 3 * 8 + 64 * 24)                                                        \
    X(gz_notes, 2048 + 128 * 512)                                                                  \
    X(gz_config, 2 * 24 + 5 * 4 + 4 + 24 + 8 + 64)                                                 \
    X(gz_terms, 8 + 12 * 8)                                                                        \
    X(gz_components, 48)                                                                           \
    X(gz_prediction, 17 * 8 + 48 + 104 + 32)                                                       \
    X(gz_jet, 24)                                                                                  \
    X(gz_curve, 7 * 24 + 8 + 12 * 24 + 32)                                                         \
    X(gz_gradient, 3 * 8 + 2 * 128 * 8)                                                            \
    X(gz_bounds, 16)                                                                               \
    X(gz_optimum, 8 + 3 * 4 + 4 + 8 + 2 * 4 + 2 * 8 + 320 + 32)                                    \
    X(gz_sensitivity, 2 * 8 + 3 * 128 * 8)                                                         \
    X(gz_tile_limits, 9 * 8 + 8 + 32)                                                              \
    X(gz_tile, 24 + 408 + 8 + 32)                                                                  \
    X(gz_choice, 2 * 408 + 16 + 8 + 8 + 32)                                                        \
    X(gz_uncertainty, 4 * 8 + 3 * 16 + 8 + 32)                                                     \
    X(gz_tune_request, 48 + 4 * 4 + 112 + 8 + 64)                                                  \
    X(gz_candidate, 168 + 8 + 8 + 8 + 16 + 32)                                                     \
    X(gz_adapt, 5 * 4 + 4 + 8 + 3 * 4 + 4 + 2 * 8 + 32)

int main(void)
{
    static const struct {
        const char *name;
        size_t size, want;
    } sizes[] = {
#define ROW(type, want) {#type, sizeof(type), want},
        SIZES(ROW)
#undef ROW
    };
    size_t n = sizeof sizes / sizeof *sizes;
    tap_plan((int)n);
    for (size_t k = 0; k < n; k++)
        if (!tap_ok(sizes[k].size == sizes[k].want, "%s", sizes[k].name))
            tap_note("%zu bytes, want %zu", sizes[k].size, sizes[k].want);
    return tap_done();
}
