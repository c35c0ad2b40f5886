/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * insts.h - a stencil's warp instructions by part, counted in the machine code of its kernels for
 * an NVIDIA GPU, without one. What the parts are says models/gz2/README.md, equation 29.
 */
#ifndef GZK_INSTS_H
#define GZK_INSTS_H

#include "config.h"
#include "error.h"
#include "gzmodel.h"

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

/* The counts as an application's quantities, by gz_param, those of the 2011 model for a run of
 * GZK_INSTS_ELEMENTS on one multiprocessor: how many. */
enum { GZK_INST_VALUES = 16, GZK_INSTS_ELEMENTS = 1 << 20 };
struct gzk_inst_value {
    int param;
    double value;
    const char *note;
};
int gzk_inst_values(const struct gzk_stencil *stencil, const struct gzk_insts *insts,
                    struct gzk_inst_value out[GZK_INST_VALUES]);

/* A stencil with the quantities above, counted as the built-in ones are, for sm_90. As
 * gzk_count_insts; `app` is then as it was. */
int gzk_describe_counted(const struct gzk_stencil *stencil, gz_app *app, struct gzk_error *error);

#endif
