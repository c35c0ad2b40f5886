/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outcome.h"

#include "common.h"
#include "interrupt.h"
#include "rodinia.h"

#include <math.h>
#include <stdlib.h>

int gzk_outcome_compare(const struct gzk_options *options, const struct gzk_data *data,
                        const void *state, struct gzk_result *result, struct gzk_error *error)
{
    const struct gzk_config *config = &options->config;
    struct gzk_serial serial = {config->stencil, data, config->loops};
    void *reference = malloc(gzk_state_bytes(config->stencil, data));
    int status = reference
                     ? gzk_reference_run(&serial, reference, &cli_interrupted, error)
                     : gzk_fail(error, GZK_FAILED, "out of host memory for the serial reference");
    if (status == 0) {
        gzk_compare(&serial, state, reference, config->contract, &result->comparison);
        result->compared = true;
    }
    free(reference);
    return status;
}

static int write_text(const void *of, FILE *stream)
{
    const struct gzk_outcome *outcome = of;
    return gzk_report(outcome->result, false, stream);
}

static int write_json(const void *of, FILE *stream)
{
    const struct gzk_outcome *outcome = of;
    return gzk_report(outcome->result, true, stream);
}

static int write_t4(const void *of, FILE *stream)
{
    const struct gzk_outcome *outcome = of;
    return gzk_report_t4(outcome->result, stream);
}

static int write_state(const void *of, FILE *stream)
{
    const struct gzk_outcome *outcome = of;
    const struct gzk_stencil *stencil = outcome->result->options->config.stencil;
    gzk_rodinia_write(stencil, outcome->state, gzk_state_elements(stencil, outcome->data), stream);
    return 0;
}

/* What is wrong with a result, for one that is. */
static int say_wrong(const struct gzk_comparison *comparison, size_t cells)
{
    char by[60] = "";
    if (comparison->undefined > 0)
        return cli_fail(
            CLI_FAILED,
            "--verify: %zu of %zu elements are NaN or infinite in the reference itself, so "
            "that nothing can be compared: give fewer --loops or another --input",
            comparison->undefined, cells);
    if (comparison->tolerance > 0)
        snprintf(by, sizeof by, " by more than %.3g", comparison->tolerance);
    return cli_fail(
        CLI_FAILED,
        "--verify: %zu of %zu elements differ from the reference%s%s, the first at index %zu",
        comparison->wrong, cells, by, isnan(comparison->max_error) ? " or are NaN" : "",
        comparison->first_wrong);
}

int gzk_outcome_write(const struct gzk_outcome *outcome)
{
    const struct gzk_options *options = outcome->result->options;
    const struct gzk_comparison *comparison = &outcome->result->comparison;
    bool wrong = gzk_result_wrong(outcome->result);
    int status = CLI_DONE;

    if (options->output && !wrong)
        status = gzk_write_whole(options->output, write_state, outcome);
    if (status == CLI_DONE && options->t4)
        status = gzk_write_whole(options->t4, write_t4, outcome);
    if (status == CLI_DONE)
        status = gzk_write_whole(options->result, options->json ? write_json : write_text, outcome);
    if (status == CLI_DONE && wrong)
        status = say_wrong(comparison, gzk_state_elements(outcome->result->options->config.stencil,
                                                          outcome->data));
    return status;
}
