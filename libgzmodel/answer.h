/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * answer.h - questions of gzmodel's commands and gz_ask, their answers, and these as the JSON
 * that `gzmodel --json` prints. Keys are fixed and in a fixed order; numbers read back as the same
 * doubles.
 */
#ifndef GZI_ANSWER_H
#define GZI_ANSWER_H

#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"

#include <jansson.h>

/* The input of a result; cfg.model is not GZ_MODEL_AUTO, which `asked` may be. */
typedef struct gzi_run {
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_model asked;
} gzi_run;

/* Settles run->cfg.model by `asked`. */
void gzi_answer_settle(gzi_run *run, gz_model asked);

/* How answers are written. */
#define GZI_ANSWER_FORMAT (JSON_INDENT(2) | JSON_REAL_PRECISION(17))

/* Candidates that a search answers at most. */
#define GZI_ANSWER_MOST 1000

/* A grid divided among ranks: the network if none is named, numbers of ranks in one answer, and the
 * largest. */
#define GZI_ANSWER_NETWORK "infiniband-ndr"
#define GZI_ANSWER_COUNTS 64
#define GZI_ANSWER_RANKS (1 << 24)

typedef enum gzi_kind {
    GZI_PREDICT,
    GZI_OPTIMIZE,
    GZI_CHOOSE,
    GZI_SENSITIVITY,
    GZI_TUNE,
    GZI_VCYCLE,
    GZI_RANKS,
    GZI_KIND_COUNT
} gzi_kind;

/* The kind of that name; GZI_KIND_COUNT if there is none, or name is NULL. */
gzi_kind gzi_kind_by_name(const char *name);

typedef struct gzi_question {
    gzi_kind kind;
    gzi_run run;              /* settled; an answer puts the block that a search chose into it */
    double height;            /* to predict at */
    int search;               /* optimize: also the best block */
    gz_tune_request tune;     /* limits and kinds of tune, ranks and a cycle's smoother */
    int top;                  /* candidates to answer, at most GZI_ANSWER_MOST */
    gz_vcycle_request vcycle; /* but for its smoother */
    int ranks[GZI_ANSWER_COUNTS], rank_counts;
    const char *network; /* NULL: GZI_ANSWER_NETWORK */
} gzi_question;

typedef struct gzi_answer {
    gz_uncertainty room;
    const gz_uncertainty *spread; /* what the stated standard deviations do; NULL if none is */
    union {
        gz_prediction prediction;
        gz_optimum optimum;
        gz_choice choice;
        gz_sensitivity sensitivity;
        struct {
            gz_candidate candidates[GZI_ANSWER_MOST];
            size_t count;
            gz_error left_out[GZ_VARIANT_CAPACITY]; /* why a variant is, else "" */
        } tuned;
        gz_vcycle_time cycle;
        struct {
            gz_network network;
            gz_ranks_time times[GZI_ANSWER_COUNTS];
        } divided;
    };
} gzi_answer;

/* A question of nothing yet, with what is usual where it is not said. */
gzi_question gzi_usual(void);

/* Answers; and the answer after what it was computed for, as JSON: NULL if memory runs out or a
 * result is not a finite number. */
gz_status gzi_answer_to(gzi_question *question, gzi_answer *answer, gz_error *error);
json_t *gzi_answer_json(const gzi_question *question, const gzi_answer *answer);

#endif
