/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * insts.h - a stencil's warp instructions by part, counted in the machine code of its kernels for
 * an NVIDIA GPU, without one. What the parts are says models/gz2/README.md, equation 29.
 */
#ifndef GZK_INSTS_H
#define GZK_INSTS_H

#include "config.h"
#include "error.h"

enum gzk_inst { GZK_INST_STAGE, GZK_INST_LOAD, GZK_INST_STEP, GZK_INST_COMPUTE, GZK_INST_PARTS };

struct gzk_insts {
    double trapezoid[GZK_INST_PARTS];
    double stream[GZK_INST_PARTS]; /* 0 in one dimension */
    double naive[GZK_INST_PARTS];  /* STAGE and COMPUTE */
    double doubles;                /* in double precision, of a computed cell */
    int registers;                 /* of a trapezoid's thread */
};

/* Warp instructions of the middle warp, of a trapezoid the first one, of an inner block of a launch
 * of `steps` loops, counted in the kernel of the configuration for compute capability `capability`
 * (90 for 9.0); `registers` (may be NULL) of a thread. GZK_NO_DEVICE without NVRTC or nvdisasm,
 * else GZK_FAILED. */
int gzk_count_warp(const struct gzk_config *config, int capability, const int *steps, int launches,
                   double *insts, double *doubles, int *registers, struct gzk_error *error);

/* The parts of all variants: of trapezoids from a small tile and one of eight times its cells,
 * by stages of one loop and of two; of blocks without local memory from one cell and eight a
 * thread; of streamed tiles by least squares over heights, lengths and rows. */
int gzk_count_insts(const struct gzk_stencil *stencil, int capability, struct gzk_insts *out,
                    struct gzk_error *error);

#endif
