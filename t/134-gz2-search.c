/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over configurations of the second model: the five fastest equal those of sorting all,
 * and best-first enumeration finds the same with fewer exact evaluations.
 */
#include "gz2_reference.h"
#include "tap.h"

enum { CASES = 60, MOST = 4000, WANTED = 5 };

/* All heights and a set of shapes on one grid. */
static size_t enumerate(const gzi_gz2 *model, const gzi_gz2_config *like, gzi_gz2_config *all)
{
    static const int lengths[] = {8, 12, 16, 24, 32, 48, 64, 96, 128};
    int shapes = sizeof lengths / sizeof *lengths, dim = model->stencil.dim;
    size_t n = 0;
    for (int x = 0; x < shapes; x++)
        for (int y = 0; y < (dim > 1 ? shapes : 1); y++)
            for (int z = 0; z < (dim > 2 ? shapes : 1); z++)
                for (int h = 1; h <= 16 && n < MOST; h++) {
                    gzi_gz2_config c = *like;
                    int block[3] = {lengths[x], dim > 1 ? lengths[y] : 1, dim > 2 ? lengths[z] : 1};
                    memcpy(c.block, block, sizeof c.block);
                    c.height = h;
                    c.loops = 48;
                    if (h > gzi_geometry_height_max(dim, block, model->stencil.radius))
                        continue;
                    all[n++] = c;
                    /* Some of other variants, which no relaxation bounds. */
                    if (n % 8 != 1 || n == MOST)
                        continue;
                    c.variant = h > 1 && dim > 1 ? GZI_GZ2_STREAM : GZI_GZ2_NAIVE;
                    c.piece = 8 * h;
                    if (h == 1 || dim > 1)
                        all[n++] = c;
                }
    return n;
}

int main(void)
{
    static gzi_gz2_config all[MOST];
    unsigned long long state = gz2_seed(14);
    size_t spent = 0, total = 0;
    int same = 1, brute = 1, counted = 1;

    tap_plan(5);
    for (int k = 0; k < CASES; k++) {
        gzi_gz2 model;
        gzi_gz2_config like;
        gzi_gz2_candidate plain[WANTED], first[WANTED];
        size_t n, evaluations;
        gz2_random_model(&state, &model);
        gz2_random_config(&state, &model, 10, &like);
        for (int i = 0; i < model.stencil.dim; i++)
            like.grid[i] = (long)gz2_logarithmic(&state, 100, model.stencil.dim == 1 ? 1e6 : 600);
        n = enumerate(&model, &like, all);
        int found = gzi_gz2_search(&model, all, n, WANTED, 0, plain, &evaluations);
        counted &= evaluations == n;
        int again = gzi_gz2_search(&model, all, n, WANTED, 1, first, &evaluations);
        total += n;
        spent += evaluations;
        same &= found == again;
        for (int i = 0; i < found; i++)
            if (plain[i].seconds != first[i].seconds ||
                plain[i].config.height != first[i].config.height ||
                memcmp(plain[i].config.block, first[i].config.block, sizeof like.block) != 0) {
                same = 0;
                tap_note("%d: %.17g at h %d, %.17g at h %d", i, plain[i].seconds,
                         plain[i].config.height, first[i].seconds, first[i].config.height);
            }
        /* Configurations that were not found are not faster than the last one found; and those
         * ascend. */
        int faster = 0;
        for (size_t i = 0; i < n && found == WANTED; i++) {
            gzi_gz2_prediction p;
            if (gzi_gz2_predict(&model, &all[i], &p) == GZI_GZ2_OK)
                faster += p.seconds < plain[WANTED - 1].seconds;
        }
        for (int i = 1; i < found; i++)
            brute &= plain[i - 1].seconds <= plain[i].seconds;
        brute &= faster < WANTED;
    }
    tap_ok(counted, "enumeration evaluates every configuration once");
    tap_ok(brute, "the five found are the fastest of all");
    tap_ok(same, "best-first enumeration finds the same five");
    tap_ok(spent < total / 2, "with %zu exact evaluations instead of %zu", spent, total);
    tap_ok(gzi_gz2_search(&(gzi_gz2){0}, all, 0, 0, 0, NULL, NULL) == -1, "none wanted is refused");
    return tap_done();
}
