/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parameters.h - what predictions depend on: every quantity of a device, an application and a
 * configuration as a numbered parameter; derivatives in the height and in each; what they do to the
 * optimum, and how sure a result is; and the files that state them.
 */
#ifndef GZMODEL_PARAMETERS_H
#define GZMODEL_PARAMETERS_H

#include "../gzmodel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GZ_PARAM_CAPACITY 128 /* room for one number per parameter in results */

/* The coefficients of Eq. 31, MemCycles(n) = n (*latency + *bandwidth), cycles per element:
 * UncontendedLat / (V M BlksPerSM), alpha x ClockRate / MemBandwidth. Returns as gz_check. */
GZ_API gz_status gz_mem_cycles_per_element(const gz_device *dev, const gz_app *app,
                                           const gz_config *cfg, double *latency, double *bandwidth,
                                           gz_error *error);

/* A value with its first and second derivative with respect to h; CPL and its terms. */
typedef struct gz_jet {
    double v, d1, d2;
} gz_jet;
typedef struct gz_curve {
    gz_jet cpl, term[GZ_TERM_CAPACITY];
    int term_count;
} gz_curve;

/* Values and exact derivatives in h. Arguments, range and errors as gz_predict; GZ_EMODEL for a
 * model that is defined at whole heights only. */
GZ_API gz_status gz_derivatives(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                double h, gz_curve *out, gz_error *error);

/* The quantities of a device, an application and a configuration, in the order of the gradient.
 * From GZ_P_COUNT on follow models' own: they have names only (gz_param_by_name). */
/* clang-format off */
typedef enum gz_param {
    /* of a device */
    GZ_P_CLOCK_RATE, GZ_P_MEM_BANDWIDTH, GZ_P_UNCONTENDED_LATENCY, GZ_P_SM_COUNT,
    GZ_P_BLOCKS_PER_SM, GZ_P_CPI, GZ_P_LAUNCH_OVERHEAD, GZ_P_FENCE_OVERHEAD, GZ_P_FENCE_EXPOSURE,
    GZ_P_LATENCY_HIDING, GZ_P_DIMENSION_PENALTY, GZ_P_MAX_THREADS_PER_BLOCK, GZ_P_GRAPH_OVERHEAD,
    GZ_P_SHARED_MEM_PER_BLOCK, GZ_P_CLOCK_RATE_NOMINAL, GZ_P_MEMORY_CLOCK, GZ_P_MEMORY_BUS_WIDTH,
    GZ_P_MEMORY_SIZE, GZ_P_CACHE_SIZE, GZ_P_SHARED_MEM_PER_SM, GZ_P_REGISTERS_PER_SM,
    GZ_P_MAX_THREADS_PER_SM, GZ_P_MAX_BLOCKS_PER_SM, GZ_P_COOPERATIVE_LAUNCH, GZ_P_FENCE_INTERCEPT,
    GZ_P_WARP_SIZE, GZ_P_CACHE_LINE, GZ_P_SHARED_MEM_STEP,
    /* of an application */
    GZ_P_ELEMENT_SIZE, GZ_P_STENCIL_ARRAYS, GZ_P_ELEMENTS_PER_OP, GZ_P_EDGE_RULE, GZ_P_EDGE_RULE_1,
    GZ_P_EDGE_RULE_2, GZ_P_TILE_READS, GZ_P_REGISTERS_PER_THREAD, GZ_P_OWN_COLUMN,
    GZ_P_COEFFICIENTS, GZ_P_COLUMN_READS, GZ_P_PROFILE_SM_COUNT, GZ_P_PROFILE_ELEMENTS,
    GZ_P_INSTS_PER_SM_MISC, GZ_P_INSTS_PER_SM_ITER, GZ_P_BANK_CONFLICT_RATE,
    /* three in a row, one per dimension */
    GZ_P_HALO_WIDTH, GZ_P_DATA_LENGTH = GZ_P_HALO_WIDTH + GZ_MAX_DIM,
    GZ_P_BLOCK_LEN = GZ_P_DATA_LENGTH + GZ_MAX_DIM, GZ_P_COUNT = GZ_P_BLOCK_LEN + GZ_MAX_DIM
} gz_param;
/* clang-format on */

/* The use of a parameter. */
typedef enum gz_param_group {
    GZ_GROUP_MODEL = 0, /* predictions depend on it */
    GZ_GROUP_LIMIT = 1, /* it limits what may be run */
    GZ_GROUP_RECORD = 2 /* recorded for people and other programs */
} gz_param_group;

/* How many parameters there are, models' own included: 0 to gz_param_count() - 1. */
GZ_API int gz_param_count(void);

/* How a parameter is fitted to runs, as gz-calibrate does. */
typedef struct gz_param_fit {
    double start;       /* an order of magnitude, in its unit; 0: it is not fitted */
    unsigned devices;   /* on which it is: 1 CPUs, 2 GPUs, 3 both */
    gz_variant variant; /* of the runs that it is fitted to */
    unsigned syncs;     /* and their kinds of synchronisation, bits 1u << gz_sync; 0: all */
    int inverse;        /* non-zero: times are linear in its reciprocal */
    int after; /* a parameter whose value, or cycles, it starts from without its own; 0: none */
    int like;  /* one of the same application whose magnitude it has; 0: none */
} gz_param_fit;

/* A parameter: static storage; NULL if there is no such parameter. */
typedef struct gz_param_info {
    const char *name;    /* "clock_rate", "halo_width[0]", ...: the key in the files, except that
                            the profile's sm_count is "profile_sm_count" */
    const char *unit;    /* "Hz", "1", ... */
    const char *symbol;  /* the paper's ("ClockRate"), or a description */
    const char *meaning; /* one line */
    gz_param_group group;
    gz_param_fit fit;
} gz_param_info;
GZ_API const gz_param_info *gz_param_about(int param);

/* The parameter of that name; -1 if there is none. */
GZ_API int gz_param_by_name(const char *name);

/* Value of a parameter in the structure that it belongs to; the others may be NULL (but a length
 * needs the application, for its dimensions). NaN if there is none. */
GZ_API double gz_param_value(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             int param);

/* Sets a parameter, in its unit, in the structure that it belongs to (the others may be NULL); a
 * quantity's deviation becomes 0 and its origin GZ_ORIGIN_DEFAULT. Returns GZ_OK; GZ_EARGUMENT (no
 * such parameter, or its structure is NULL); or GZ_EDEVICE, GZ_EAPP or GZ_ECONFIG if the value is
 * out of its range, and nothing has changed then. */
GZ_API gz_status gz_param_set(gz_device *dev, gz_app *app, gz_config *cfg, int param, double value,
                              gz_error *error);

/* The quantity of a parameter, to be read or set with deviation and origin; NULL for lengths and
 * halo widths, and if there is none. */
GZ_API gz_quantity *gz_param_quantity(gz_device *dev, gz_app *app, int param);

/* Derivatives with respect to every parameter p; 0 for parameters that do not enter. */
typedef struct gz_gradient {
    double cpl;                            /* CPL, cycles per loop */
    double dcpl_dh;                        /* dCPL/dh */
    double d2cpl_dh2;                      /* d2CPL/dh2 */
    double dcpl_dp[GZ_PARAM_CAPACITY];     /* dCPL/dp at fixed h, cycles per unit of p */
    double d2cpl_dh_dp[GZ_PARAM_CAPACITY]; /* d2CPL/(dh dp) */
} gz_gradient;

/* The gradient at height h, exact (not by differences). The derivatives in h are NaN from a model
 * that is defined at whole heights only. Arguments, range and errors as gz_predict. */
GZ_API gz_status gz_predict_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                     double h, gz_gradient *out, gz_error *error);

/* How the optimum moves with each parameter: elasticities, d ln X / d ln p, at the continuous
 * minimiser; 0 for parameters that do not enter. `cpl` equals the partial elasticity at fixed h,
 * because dCPL/dh = 0 there. From a model that is defined at whole heights only, at the best whole
 * height, which does not move: the elasticities of the height are 0. */
typedef struct gz_sensitivity {
    double height;                               /* the minimiser h*, loops */
    double cpl_at_height;                        /* CPL(h*), cycles per loop */
    double cpl[GZ_PARAM_CAPACITY];               /* d ln CPL / d ln p */
    double height_elasticity[GZ_PARAM_CAPACITY]; /* d ln h* / d ln p */
    double dheight_dp[GZ_PARAM_CAPACITY];        /* derivative of h* by p */
} gz_sensitivity;

/* Arguments and errors as gz_optimize without bounds. */
GZ_API gz_status gz_sensitivity_at_optimum(const gz_device *dev, const gz_app *app,
                                           const gz_config *cfg, gz_sensitivity *out,
                                           gz_error *error);

/* The uncertainty of a result: what follows to first order from the standard deviations of the
 * quantities, taken as independent, and the error of the model's own form, by class of device and
 * variant. The interval of a value v goes from v / f to v f, f = exp(z s), with s the root of the
 * sum of squares of (standard deviation) / v and form_sd; that of a height is the height -+ `z`
 * deviations. */
typedef struct gz_uncertainty {
    double z;          /* half-width in standard deviations, as passed */
    double cpl_sd;     /* of CPL at the given height, cycles per loop */
    double seconds_sd; /* of seconds per loop, s (the clock enters twice) */
    double height_sd;  /* of the continuous minimiser, loops */
    double form_sd;    /* of the logarithm of CPL over its prediction, 1: the model's own error */
    double cpl[2];     /* interval of CPL, cycles per loop, above 0 */
    double seconds[2]; /* interval of seconds per loop, s, above 0 */
    double height[2];  /* interval of the continuous minimiser, within (0, pole) */
    int integer[2];    /* the whole heights that may be best: 1 <= lower <= upper <= height_max */
} gz_uncertainty;

/* Intervals for the prediction at height h and for the optimal height. `z` > 0, 1.96 for 95 %.
 * A model that is defined at whole heights only gives its best height without an interval. Errors
 * as gz_predict and gz_optimize; GZ_EARGUMENT for z. */
GZ_API gz_status gz_propagate(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                              double h, double z, gz_uncertainty *out, gz_error *error);

/* A note in a file: on a quantity, by the name of its parameter, or on the file as a whole, by "".
 * Lists of notes end with a `name` of NULL; NULL is an empty list. */
typedef struct gz_note {
    const char *name, *text;
} gz_note;

/* The JSON text of a device or an application, with notes; a note of a quantity that the file does
 * not state is left out. On success `*text` is to be freed by gz_text_free, else it is NULL.
 * Reading it gives the same structure (but for the key), every number to the last bit. Returns
 * GZ_EARGUMENT, or GZ_EFORMAT if the reader would refuse the text (a value that is missing
 * or out of its range; a device's quantity without origin) or memory is short. */
GZ_API gz_status gz_device_text(const gz_device *dev, const gz_note *notes, char **text,
                                gz_error *error);
GZ_API gz_status gz_app_text(const gz_app *app, const gz_note *notes, char **text, gz_error *error);
GZ_API void gz_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
