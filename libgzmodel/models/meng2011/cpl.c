/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cpl.c - cycles per stage and per loop, and the six components: Eqs. 1 to 3, 19 and 24 to 30.
 */
#include "fail.h"
#include "meng2011.h"

#include <math.h>

/* The parts of one stage: per stage, per trapezoid, or (if the factor h cancels) per loop. */
struct stage {
    gz_jet committed, t, glb_sync, load_sten, commit, iter_mem_per_loop;
    double misc_comp, iter_comp_per_loop, sms;
    double misc_comp_paid; /* MiscComp's part in CPT: none if blocks persist (Section 4.5) */
};

static struct stage stage_at(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             double h)
{
    struct stage s;
    s.committed = gzi_committed_tile(app, cfg, h);
    s.t = gzi_jet_scale(gzi_grid_elements(app, cfg), gzi_jet_inverse(s.committed)); /* [Eq. 3] */
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

/* The terms of CPL, and their sum. */
struct sum {
    gz_jet term[GZI_TERMS], cpl;
};

static struct sum sum_of(const struct stage *s, double h)
{
    struct sum c;
    c.term[GZ_TERM_GLB_SYNC] = gzi_jet_per_h(s->glb_sync, h);   /* [Eq. 25] */
    c.term[GZ_TERM_LOAD_STEN] = gzi_jet_per_h(s->load_sten, h); /* [Eq. 26] */
    c.term[GZ_TERM_COMMIT] = gzi_jet_per_h(s->commit, h);       /* [Eq. 27] */
    c.term[GZ_TERM_MISC_COMP] =
        gzi_jet_per_h(gzi_jet_scale(s->misc_comp_paid / s->sms, s->t), h);           /* [Eq. 28] */
    c.term[GZ_TERM_ITER_COMP] = gzi_jet_scale(s->iter_comp_per_loop / s->sms, s->t); /* [Eq. 29] */
    c.term[GZ_TERM_ITER_MEM] = s->iter_mem_per_loop;                                 /* [Eq. 30] */
    gz_jet sum = gzi_jet_add(c.term[GZ_TERM_GLB_SYNC], c.term[GZ_TERM_LOAD_STEN]);
    sum = gzi_jet_add(sum, c.term[GZ_TERM_COMMIT]);
    sum = gzi_jet_add(sum, c.term[GZ_TERM_MISC_COMP]);
    sum = gzi_jet_add(sum, c.term[GZ_TERM_ITER_COMP]);
    c.cpl = gzi_jet_add(sum, c.term[GZ_TERM_ITER_MEM]); /* [Eq. 24] */
    return c;
}

gz_status gzi_cpl_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          gz_prediction *out, gz_error *error)
{
    struct stage s = stage_at(dev, app, cfg, h);
    struct sum c = sum_of(&s, h);

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
    out->cost_effect = s.committed.v / gzi_operated_tile(app, cfg); /* [Eq. 19] */
    out->seconds_per_loop = out->cpl / dev->clock_rate.value;
    out->term_count = GZI_TERMS;
    for (int k = 0; k < GZ_TERM_CAPACITY; k++)
        out->term[k] = k < GZI_TERMS ? c.term[k].v : 0;
    int finite = isfinite(out->cps) && isfinite(out->cpl) && isfinite(out->dcpl_dh) &&
                 isfinite(out->seconds_per_loop);
    return finite ? GZ_OK : gzi_fail_overflow(error);
}

gz_status gzi_cpl_curve(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                        gz_curve *out, gz_error *error)
{
    struct stage s = stage_at(dev, app, cfg, h);
    struct sum c = sum_of(&s, h);
    out->cpl = c.cpl;
    out->term_count = GZI_TERMS;
    for (int k = 0; k < GZI_TERMS; k++)
        out->term[k] = c.term[k];
    int finite = isfinite(c.cpl.v) && isfinite(c.cpl.d1) && isfinite(c.cpl.d2);
    return finite ? GZ_OK : gzi_fail_overflow(error);
}
