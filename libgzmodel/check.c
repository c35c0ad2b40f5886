/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check.c - whether inputs are in their ranges, and the one line that says which is not.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "quantities.h"

#include <float.h>
#include <math.h>

/* Says what is wrong with one quantity of a device or an application (`owner`). */
static gz_status refuse(const char *owner, gz_status status, const gzi_spec *spec,
                        const gz_quantity *q, gz_error *error)
{
    if (gzi_in_range(spec->range, q->value))
        return gzi_fail(error, status, "%s: %s has standard deviation %g: must be at least 0",
                        owner, spec->about.name, q->sd);
    char range[96];
    gzi_range_text(spec->range, range, sizeof range);
    return gzi_fail(error, status, "%s: %s is %g %s: must be %s", owner, spec->about.name, q->value,
                    spec->about.unit, range);
}

static inline int is_sound(const gzi_spec *spec, const gz_quantity *q)
{
    return gzi_in_range(spec->range, q->value) && q->sd >= 0 && q->sd <= DBL_MAX;
}

/* Whether a quantity may be as it is: sound, or absent where it is optional. */
static inline int is_acceptable(const gzi_spec *spec, const gz_quantity *q)
{
    return is_sound(spec, q) || (spec->optional && !gzi_stated(q));
}

/* The first parameter in the list `reads` whose quantity is not acceptable, -1 if all are. A small
 * prediction spends a third of its time here, so that the loop does nothing else. */
static int first_unacceptable(const char *const owners[], const short *reads)
{
    for (; *reads >= 0; reads++) {
        const gzi_spec *spec = gzi_quantities + *reads;
        if (!is_acceptable(spec, gzi_quantity_in(owners[spec->place], spec)))
            break;
    }
    return *reads;
}

/* The same for all parameters in the table. */
static int first_unacceptable_of_all(const char *const owners[])
{
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++)
        if (owners[spec->place] && !is_acceptable(spec, gzi_quantity_in(owners[spec->place], spec)))
            return (int)(spec - gzi_quantities);
    return -1;
}

/* Checks the quantities in the list `reads`, or all in the table if there is no list. */
static gz_status check_quantities(const gz_device *dev, const gz_app *app, const short *reads,
                                  gz_error *error)
{
    const char *const owners[] = {[GZI_DEVICE] = (const char *)dev,
                                  [GZI_APP] = (const char *)app,
                                  [GZI_PROFILE] = (const char *)app,
                                  [GZI_HALO] = NULL,
                                  [GZI_CONFIG] = NULL};
    int bad = reads ? first_unacceptable(owners, reads) : first_unacceptable_of_all(owners);
    if (bad < 0)
        return GZ_OK;
    const gzi_spec *spec = gzi_quantities + bad;
    const gz_quantity *q = gzi_quantity_in(owners[spec->place], spec);
    return spec->place == GZI_DEVICE ? refuse("device", GZ_EDEVICE, spec, q, error)
                                     : refuse("application", GZ_EAPP, spec, q, error);
}

static gz_status check_dimensions(const gz_app *app, gz_error *error)
{
    if (app->dim < 1 || app->dim > GZ_MAX_DIM)
        return gzi_fail(error, GZ_EAPP, "application: %d dimensions: must be 1, 2 or 3", app->dim);
    int wide = 0;
    for (int i = 0; i < app->dim; i++) {
        double halo = app->halo_width[i];
        if (!(halo == 0 || (halo >= 1 && halo <= GZI_HALO_MAX)))
            return gzi_fail(error, GZ_EAPP,
                            "application: halo_width[%d] is %g: must be 0, or at least 1 and at "
                            "most %g elements",
                            i, halo, GZI_HALO_MAX);
        wide |= halo > 0;
    }
    if (!wide)
        return gzi_fail(error, GZ_EAPP,
                        "application: halo_width is 0 in every dimension: a stencil reaches "
                        "beyond its own element in at least one");
    return GZ_OK;
}

gz_status gzi_check_model(const gz_device *dev, const gz_app *app, const gzi_model *model,
                          gz_error *error)
{
    if (!dev || !app)
        return gzi_fail_null(error, dev ? "application" : "device");
    gz_status status = check_quantities(dev, app, model ? model->reads : NULL, error);
    return status ? status : check_dimensions(app, error);
}
