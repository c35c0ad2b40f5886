/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * answer.h - the model's results as JSON for programs: what `gzmodel --json` prints and gz_ask
 * answers. Keys are fixed and in a fixed order; numbers read back as the same doubles.
 * gzi_answer_* return NULL if memory runs out or a result is not a finite number.
 */
#ifndef GZI_ANSWER_H
#define GZI_ANSWER_H

#include "gzmodel.h"

#include <jansson.h>

/* What a result was computed for; cfg.model is not GZ_MODEL_AUTO, which `asked` may be. */
typedef struct gzi_run {
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_model asked;
} gzi_run;

/* Settles run->cfg.model on what `asked` means. */
void gzi_answer_settle(gzi_run *run, gz_model asked);

/* Why the model is the one that it is. */
gz_error gzi_answer_why(const gzi_run *run);

/* How answers are written. */
#define GZI_ANSWER_FORMAT (JSON_INDENT(2) | JSON_REAL_PRECISION(17))

/* Intervals cover 95 % of a normal distribution. */
#define GZI_ANSWER_Z 1.96

/* Elements of the levels of a multigrid that one worker computes, unless the question says. */
#define GZI_ANSWER_TAIL 4096

/* What an answer says about its run: application, device, model, grid and reading of tau; with
 * GZI_ANSWER_TILE also variant, block and threads; with GZI_ANSWER_SYNC the synchronisation. */
enum { GZI_ANSWER_RUN = 1, GZI_ANSWER_TILE = 2, GZI_ANSWER_SYNC = 4 };
json_t *gzi_answer_context(const gzi_run *run, unsigned parts);

/* `spread`: what the stated standard deviations do to the result; NULL if none is stated. */
json_t *gzi_answer_predict(const gzi_run *run, const gz_prediction *prediction,
                           const gz_uncertainty *spread);
/* The best height of the run's block, or with `search` of the best block, which is that of gz_tune
 * for the run's variant and synchronisation and goes into the run. */
gz_status gzi_answer_optimum(gzi_run *run, int search, gz_optimum *out, gz_error *error);

json_t *gzi_answer_optimize(const gzi_run *run, const gz_optimum *optimum,
                            const gz_uncertainty *spread);
json_t *gzi_answer_choose(const gzi_run *run, const gz_choice *choice);

/* Parameters in the order of |d ln CPL / d ln p|; those that do not exist here are left out. */
json_t *gzi_answer_sensitivity(const gzi_run *run, const gz_sensitivity *sensitivity);

/* What device memory's bandwidth alone takes a plain kernel, s per loop: each array once, and the
 * result. 0 on a CPU, of the 2011 model, and for a grid that the last cache holds. */
double gzi_answer_roofline(const gzi_run *run);

/* The best candidate without local memory; NULL if there is none. */
const gz_candidate *gzi_answer_naive(const gz_candidate *candidates, size_t n);

/* What gz_ideas finds and the model predicts, at most `n`; and the answer that states it, and which
 * variants are left out. */
gz_status gzi_answer_ideas(const gzi_run *run, const gz_tune_request *request,
                           gz_candidate *candidates, size_t n, size_t *found,
                           gz_error unpredicted[GZ_VARIANT_CAPACITY], gz_error *error);
json_t *gzi_answer_tune(const gzi_run *run, const gz_candidate *candidates, size_t n,
                        const gz_error unpredicted[GZ_VARIANT_CAPACITY]);

/* A multigrid's cycle by level. */
json_t *gzi_answer_vcycle(const gzi_run *run, const gz_vcycle_request *request,
                          const gz_vcycle_time *time);

/* A grid divided among each of `n` numbers of ranks, by GZI_ANSWER_NETWORK if no network is named.
 */
#define GZI_ANSWER_NETWORK "infiniband-ndr"
#define GZI_ANSWER_COUNTS 64       /* numbers of ranks in one answer */
#define GZI_ANSWER_RANKS (1 << 24) /* and the largest */
gz_status gzi_answer_divide(const gzi_run *run, const gz_tune_request *search, const char *network,
                            const int *ranks, int n, gz_network *net, gz_ranks_time *times,
                            gz_error *error);
json_t *gzi_answer_ranks(const gzi_run *run, const gz_network *net, const int *ranks,
                         const gz_ranks_time *times, int n);

/* The parameters that exist in a run, by falling |elasticity of CPL|; returns how many. */
int gzi_rank_params(const gzi_run *run, const gz_sensitivity *s, int order[GZ_PARAM_CAPACITY]);

/* Zero without a sign: a parameter that does not enter has no direction. */
double gzi_plain(double elasticity);

/* Intervals for the result at height h, if the device or the application states a standard
 * deviation: `*spread` then points to `room`, else it is NULL. */
gz_status gzi_answer_spread(const gzi_run *run, double h, gz_uncertainty *room,
                            const gz_uncertainty **spread, gz_error *error);

#endif
