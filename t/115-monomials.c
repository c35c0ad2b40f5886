/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 115-monomials - the model's algebra exists in three forms: equation by equation, as monomials
 * (gradients), and reduced to its dependence on h (the optimiser). All three give the same, term by
 * term, in every kind of synchronisation and both readings of tau.
 */
#include "cases.h"
#include "monomials.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 3000

/* The monomial's factor 1 / (h^a P^b), from the lengths. */
static double g_of(const gzi_monomial *m, const test_case *c, double h)
{
    double g = m->per_h ? 1 / h : 1;
    for (int i = 0; m->per_p && i < c->app.dim; i++)
        g /= fma(-c->app.halo_width[i], h, c->cfg.block_len[i]);
    return g;
}

/* The terms of CPL summed from the monomials that are a part of each. */
static void sum_monomials(const test_case *c, double h, double term[GZI_TERMS])
{
    const gzi_monomial *monomials[GZI_MONOMIALS];
    gzi_point at = gzi_point_of(&c->dev, &c->app, &c->cfg);
    int n = gzi_monomials(c->cfg.sync, monomials);
    for (int k = 0; k < GZI_TERMS; k++)
        term[k] = 0;
    for (int k = 0; k < n; k++)
        term[monomials[k]->term] +=
            gzi_coefficient(monomials[k], &at, GZI_NO_PARAM, 1) * g_of(monomials[k], c, h);
}

static void worsen(double *worst, double got, double want)
{
    double scale = fmax(fabs(got), fabs(want));
    double error = got == want ? 0 : fabs(got - want) / scale;
    if (!(error <= *worst))
        *worst = error;
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    double term = 0, sum = 0, reduced = 0, curve = 0;
    int seen[3] = {0, 0, 0}, scaled = 0, named = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double h = random_height(rng, &c), terms[GZI_TERMS], total = 0;
        gz_prediction p;
        gz_curve v;
        if (gz_predict(&c.dev, &c.app, &c.cfg, h, &p, NULL) ||
            gz_derivatives(&c.dev, &c.app, &c.cfg, h, &v, NULL)) {
            term = (double)NAN;
            break;
        }
        seen[c.cfg.sync]++;
        scaled += c.cfg.tau == GZ_TAU_SCALED;
        sum_monomials(&c, h, terms);
        for (int j = 0; j < GZI_TERMS; j++) {
            worsen(&term, terms[j], p.term[j]);
            worsen(&curve, v.term[j].v, p.term[j]);
            total += p.term[j];
        }
        gzi_reduced form = gzi_reduce(&c.dev, &c.app, &c.cfg);
        worsen(&sum, total, p.cpl);
        worsen(&reduced, gzi_reduced_cpl(&form, h), p.cpl);
        named &= p.term_count == GZI_TERMS && v.term_count == GZI_TERMS;
    }
    gsl_rng_free(rng);
    tap_ok(seen[0] && seen[1] && seen[2] && scaled, "every mode and reading: %d, %d, %d; %d scaled",
           seen[0], seen[1], seen[2], scaled);
    tap_ok(term <= TOL_VALUE, "each term is the sum of its monomials: %.2g", term);
    tap_ok(sum <= TOL_VALUE, "CPL is the sum of its terms: %.2g", sum);
    tap_ok(reduced <= TOL_VALUE, "and of its reduced form: %.2g", reduced);
    tap_ok(curve <= TOL_VALUE, "the curve has the same terms: %.2g", curve);
    tap_ok(named && strcmp(gz_term_name(GZ_MODEL_MENG2011, GZ_TERM_COMMIT), "Commit") == 0 &&
               strcmp(gz_term_name(GZ_MODEL_MENG2011, GZ_TERM_ITER_MEM), "IterMem") == 0 &&
               !gz_term_name(GZ_MODEL_MENG2011, GZI_TERMS) && !gz_term_name((gz_model)1000, 0),
           "terms have the names of the components");
    return tap_done();
}
