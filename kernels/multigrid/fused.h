/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fused.h - launches that smooth and do what comes before or after it in a cycle as well, in
 * streamed tiles that one thread computes with its planes in one ring, as on a CPU: the first one
 * upwards adds the coarse level's correction to what it loads, the last one has the residual as one
 * more level, and restricts it or takes its largest magnitude. [Basu, dissertation, Sect. 4.2]
 */
#ifndef GZM_FUSED_H
#define GZM_FUSED_H

#include "plan.h"

enum gzm_behind { GZM_NOTHING_BEHIND, GZM_RESTRICT_BEHIND, GZM_NORM_BEHIND };

struct gzm_fused {
    struct gzk_stencil smoother; /* with all of a level's coefficients */
    struct gzk_config config;
    struct gzk_geometry geometry;
    struct gzk_program *program; /* NULL: there is none */
    enum gzm_behind behind;
};

/* Makes what smooths as `config` does, in a tile that commits as many cells as far as local memory
 * allows. Without an error there is none if the variant, the layout or the memory do not allow it.
 * Ended by gzm_fused_free. */
int gzm_fused_new(struct gzk_device *device, const struct gzk_config *config,
                  const struct gzk_stencil *residual, bool corrects, enum gzm_behind behind,
                  struct gzm_fused *fused, struct gzk_error *error);
void gzm_fused_free(struct gzk_device *device, struct gzm_fused *fused);

/* How many magnitudes it writes. */
size_t gzm_fused_maxima(const struct gzm_fused *fused);

/* Runs `loops` loops from number `loop` on, at most the depth. `first` is the coarse state, or
 * where its right-hand side goes; `second` where its guess of 0 goes, or the magnitudes. */
int gzm_fused_run(struct gzk_device *device, const struct gzm_fused *fused,
                  struct gzk_session *session, long loop, int loops, struct gzk_buffer *first,
                  struct gzk_buffer *second, const volatile sig_atomic_t *stop,
                  struct gzk_error *error);

#endif
