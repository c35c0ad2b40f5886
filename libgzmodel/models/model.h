/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model.h - what a model is. Optimiser, tile search, choice, tuning, sensitivities and uncertainty
 * use a model through this page only. A model is a file models/NAME.c or a folder models/NAME/ that
 * defines one gzi_model, and a row of the table in models.c.
 *
 * Results of a model that has fewer than GZ_TERM_CAPACITY terms hold 0 in the others.
 *
 * Every function gets arguments that gzi_check_model, gzi_check_config and the model's own `check`
 * accept, and a height with 0 < h < gz_pole (a whole one if the model has no `curve`). Nothing here
 * allocates, except `work_new`. Each fails with a status and, unless `error` is NULL, a message.
 */
#ifndef GZI_MODEL_H
#define GZI_MODEL_H

#include "gzmodel/parameters.h"

/* One of the terms that CPL is the sum of. */
typedef struct gzi_term {
    const char *name, *meaning; /* "GlbSync", "synchronising the blocks" */
} gzi_term;

/* What searches compare. */
typedef struct gzi_value {
    double cpl, seconds_per_loop;
} gzi_value;

/* The heights among which a minimum is sought: what the bounds leave of what the tiling has. */
typedef struct gzi_heights {
    double lower, upper; /* the bounds, loops; 0 and infinity if there are none */
    double pole;         /* gz_pole */
    double below_pole;   /* the largest feasible double */
    int first, last;     /* the whole ones, 1 <= first <= last */
} gzi_heights;

typedef struct gzi_model gzi_model;
struct gzi_model {
    const char *name; /* "meng2011" */
    const gzi_term *terms;
    int term_count;              /* at most GZ_TERM_CAPACITY */
    unsigned variants;           /* those that it describes, bits 1u << gz_variant */
    int larger_tile_never_worse; /* whether at every whole height CPL cannot rise with a block_len
                                  */

    /* The parameters of device and application whose ranges a prediction stands on, limits among
     * them, ended by -1; NULL: all that there are. */
    const short *reads;

    /* What this model needs beyond the ranges of the quantities: quantities that only it has, kinds
     * of synchronisation. NULL if nothing. */
    gz_status (*check)(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                       gz_error *error);

    /* Everything about one loop at height h. GZ_EHEIGHT: the device has no room for that height,
     * though the tile has; searches then leave it out. */
    gz_status (*predict)(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                         gz_prediction *out, gz_error *error);

    /* For searches, with a workspace of this device and application: the `cpl` and the
     * `seconds_per_loop` of `predict`, to the last bit, and its refusals, at less cost. NULL:
     * `predict` is called. */
    gz_status (*value)(const void *work, const gz_config *cfg, int h, gzi_value *out,
                       gz_error *error);

    /* Likewise a lower bound, up to rounding, of the CPL at whole heights from `low` to `high`;
     * infinite if `predict` refuses all of them, 0 where nothing better is known. NULL: there is
     * none. */
    double (*least)(const void *work, const gz_config *cfg, int low, int high);

    /* CPL and its terms with exact derivatives in h; NULL if the model is defined at whole heights
     * only. */
    gz_status (*curve)(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       gz_curve *out, gz_error *error);

    /* Standard deviation of the logarithm of a time over its prediction, of devices and stencils
     * whose parameters are exact: the error of the form itself, 1, from tables that are kept. */
    double (*form_sd)(const gz_device *dev, const gz_app *app, const gz_config *cfg);

    /* CPL and its exact derivatives by every parameter; those in h are NaN without a `curve`. */
    gz_status (*gradient)(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          gz_gradient *out, gz_error *error);

    /* The minimum of CPL over `heights`, all of `out` except out->prediction; NULL: every whole
     * height is tried. */
    gz_status (*minimise)(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                          const gzi_heights *heights, void *work, gz_optimum *out, gz_error *error);

    /* What many calls for a device and an application share, which must outlive it: `work` above is
     * what work_new made (NULL: no memory; NULL without a work_new). */
    void *(*work_new)(const gz_device *dev, const gz_app *app);
    void (*work_free)(void *work); /* of what is not NULL */

    /* The model's own rule between fences and restarts (gz_choice): delta, and the overhead per
     * stage at `t` tiles. NULL: both come from the two predictions. */
    void (*fence_rule)(const gz_device *dev, const gz_app *app, const gz_config *cfg, double t,
                       double *delta, double *overhead);
};

/* The table, by gz_model (models.c); NULL in a row whose model this library lacks. */
enum { GZI_MODELS = GZ_MODEL_GZ2 + 1 };
extern const gzi_model *const gzi_models[GZI_MODELS];

/* The model of a configuration; NULL if this library has none of that number. */
static inline const gzi_model *gzi_model_of(gz_model model)
{
    return (unsigned)model < GZI_MODELS ? gzi_models[model] : NULL;
}

/* Whether the files state what gz2 needs for a configuration, whose model is not read and whose
 * block need not be given: GZ_OK, or what is missing. */
gz_status gzi_gz2_can(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                      gz_error *error);

/* Whether gz2 takes a CPU's time of an element by what it reads, for want of the application's own.
 */
int gzi_gz2_by_reads(const gz_device *dev, const gz_app *app, gz_variant variant);

/* The configuration with the model that GZ_MODEL_AUTO means in it (gz_model_for): `cfg` itself, or
 * a copy in `room`. NULL for NULL. */
const gz_config *gzi_settle(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                            gz_config *room);

/* The models, each defined in its own folder. */
extern const gzi_model gzi_meng2011, gzi_gz2_model;

/* ---------------------------------------------- what every search shares: optimize.c, predict.c */

/* gz_predict without its checks. */
gz_status gzi_predict(const gzi_model *model, const gz_device *dev, const gz_app *app,
                      const gz_config *cfg, double h, gz_prediction *out, gz_error *error);

/* gz_optimize without its checks. `work` is the model's, made once for many optima. */
gz_status gzi_optimize(const gzi_model *model, const gz_device *dev, const gz_app *app,
                       const gz_config *cfg, const gz_bounds *bounds, void *work, gz_optimum *out,
                       gz_error *error);

/* `value`, or what it is short for; `work` may be NULL. */
gz_status gzi_value_at(const gzi_model *model, const gz_device *dev, const gz_app *app,
                       const gz_config *cfg, int h, const void *work, gzi_value *out,
                       gz_error *error);

/* As gzi_optimize, for a search over many tiles: of a tile that has no height with a CPL of at most
 * `worst`, it may leave *out as it was, and sets *integer to 0; else to the best height, with its
 * value in *out. */
gz_status gzi_optimize_below(const gzi_model *model, const gz_device *dev, const gz_app *app,
                             const gz_config *cfg, const gz_bounds *bounds, double worst,
                             void *work, int *integer, gzi_value *out, gz_error *error);

/* A model's workspace and its end; nothing for a model without one. GZ_ENOMEM. */
gz_status gzi_work_new(const gzi_model *model, const gz_device *dev, const gz_app *app, void **work,
                       gz_error *error);
void gzi_work_free(const gzi_model *model, void *work);

#endif
