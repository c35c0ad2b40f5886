/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cpl.c - cycles per stage and per loop, and the six components: Eqs. 1, 2 and 24 to 30.
 */
#include "meng2011.h"

#include <math.h>

/* What one stage is made of: per stage, per trapezoid, or (where the factor h cancels) per loop. */
struct stage {
    gz_jet committed, t, glb_sync, load_sten, commit, iter_mem_per_loop;
    double misc_comp, iter_comp_per_loop, sms;
    double misc_comp_paid; /* MiscComp's part in CPT: none where blocks persist (Section 4.5) */
};

static struct stage stage_at(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             double h)
{
    struct stage s;
    s.committed = gzi_committed_tile(app, cfg, h);
    s.t = gzi_trapezoids(app, cfg, s.committed);
    s.glb_sync = gzi_glb_sync(dev, cfg, s.t);
    s.load_sten = gzi_load_sten(dev, app, cfg, s.t);
    s.commit = gzi_commit(dev, app, cfg, s.t);
    s.iter_mem_per_loop = gzi_iter_mem_per_loop(dev, app, cfg, s.t);
    s.misc_comp = gzi_misc_comp(dev, app, cfg);
    s.misc_comp_paid = cfg->sync == GZ_SYNC_FENCE ? 0 : s.misc_comp;
    s.iter_comp_per_loop = gzi_iter_comp_per_loop(dev, app, cfg);
    s.sms = dev->sm_count.value;
    return s;
}

static gz_curve curve_of(const struct stage *s, double h)
{
    gz_curve c;
    c.glb_sync = gzi_jet_per_h(s->glb_sync, h);                                      /* [Eq. 25] */
    c.load_sten = gzi_jet_per_h(s->load_sten, h);                                    /* [Eq. 26] */
    c.commit = gzi_jet_per_h(s->commit, h);                                          /* [Eq. 27] */
    c.misc_comp = gzi_jet_per_h(gzi_jet_scale(s->misc_comp_paid / s->sms, s->t), h); /* [Eq. 28] */
    c.iter_comp = gzi_jet_scale(s->iter_comp_per_loop / s->sms, s->t);               /* [Eq. 29] */
    c.iter_mem = s->iter_mem_per_loop;                                               /* [Eq. 30] */

    gz_jet sum = gzi_jet_add(c.glb_sync, c.load_sten);
    sum = gzi_jet_add(sum, c.commit);
    sum = gzi_jet_add(sum, c.misc_comp);
    sum = gzi_jet_add(sum, c.iter_comp);
    c.cpl = gzi_jet_add(sum, c.iter_mem); /* [Eq. 24] */
    return c;
}

gz_status gzi_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                      gz_prediction *out)
{
    struct stage s = stage_at(dev, app, cfg, h);
    gz_curve c = curve_of(&s, h);

    out->height = h;
    out->t = s.t.v;
    out->passes = gzi_passes(dev, s.t).v;
    out->concur_blks = gzi_concur_blks(dev);
    out->load_sten = s.load_sten.v;
    out->iter_mem = h * s.iter_mem_per_loop.v;
    out->commit = s.commit.v;
    out->mem_acc = out->load_sten + out->iter_mem + out->commit;
    out->misc_comp = s.misc_comp;
    out->iter_comp = h * s.iter_comp_per_loop;
    out->cpt = out->iter_comp + s.misc_comp_paid;
    out->glb_sync = s.glb_sync.v;
    out->cps = out->glb_sync + out->mem_acc + out->cpt * s.t.v / s.sms; /* [Eq. 2] */
    out->cpl = out->cps / h;                                            /* [Eq. 1] */
    out->dcpl_dh = c.cpl.d1;
    out->cost_effect = gzi_cost_effect(app, cfg, s.committed);
    out->seconds_per_loop = out->cpl / dev->clock_rate.value;
    out->components = (gz_components){c.glb_sync.v,  c.load_sten.v, c.commit.v,
                                      c.misc_comp.v, c.iter_comp.v, c.iter_mem.v};
    return isfinite(out->cps) && isfinite(out->cpl) && isfinite(out->dcpl_dh) &&
                   isfinite(out->seconds_per_loop)
               ? GZ_OK
               : GZ_EOVERFLOW;
}

/* The checks common to everything that is asked for at a height. */
static gz_status check_at(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          const void *out)
{
    gz_status status = gz_check(dev, app, cfg, NULL);
    if (!status)
        status = out ? gzi_check_height(app, cfg, h) : GZ_EARGUMENT;
    return status;
}

gz_status gz_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                     gz_prediction *out)
{
    gz_status status = check_at(dev, app, cfg, h, out);
    return status ? status : gzi_predict(dev, app, cfg, h, out);
}

gz_status gz_derivatives(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                         gz_curve *out)
{
    gz_status status = check_at(dev, app, cfg, h, out);
    if (status)
        return status;
    struct stage s = stage_at(dev, app, cfg, h);
    *out = curve_of(&s, h);
    gz_jet cpl = out->cpl;
    return isfinite(cpl.v) && isfinite(cpl.d1) && isfinite(cpl.d2) ? GZ_OK : GZ_EOVERFLOW;
}

gz_status gz_predict_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                              double h, gz_gradient *out)
{
    gz_status status = check_at(dev, app, cfg, h, out);
    return status ? status : gzi_gradient(dev, app, cfg, h, out);
}

gz_status gz_predict_many(const gz_device *dev, const gz_app *app, size_t n, const gz_config *cfg,
                          const double *h, gz_prediction *out, gz_status *status)
{
    if (n && (!cfg || !h || !out))
        return GZ_EARGUMENT;
    gz_status common = gzi_check_model(dev, app, NULL);
    gz_status first = GZ_OK;
    for (size_t k = 0; k < n; k++) {
        gz_status one = common ? common : gzi_check_config(dev, app, cfg + k, NULL);
        if (!one)
            one = gzi_check_height(app, cfg + k, h[k]);
        if (!one)
            one = gzi_predict(dev, app, cfg + k, h[k], out + k);
        if (status)
            status[k] = one;
        if (!first)
            first = one;
    }
    return first;
}
