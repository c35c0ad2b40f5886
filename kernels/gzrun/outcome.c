/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outcome.h"

#include "common.h"
#include "rodinia.h"

#include <math.h>

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

static int write_state(const struct gzk_stencil *stencil, const void *state, size_t elements,
                       const char *path)
{
    struct cli_sheet sheet;
    int status = cli_sheet_open(&sheet);
    if (status == CLI_DONE)
        gzk_rodinia_write(stencil, state, elements, sheet.to);
    return status == CLI_DONE ? cli_sheet_write(&sheet, path) : status;
}

static int write_result(const struct gzk_result *result, const char *path,
                        int (*write)(const struct gzk_result *result, FILE *to))
{
    struct cli_sheet sheet;
    int status = cli_sheet_open(&sheet);
    if (status == CLI_DONE)
        sheet.failed = write(result, sheet.to);
    return status == CLI_DONE ? cli_sheet_write(&sheet, path) : status;
}

int gzk_outcome_write(const struct gzk_result *result, const struct gzk_data *data,
                      const void *state)
{
    const struct gzk_options *options = result->options;
    const struct gzk_stencil *stencil = options->config.stencil;
    size_t elements = gzk_state_elements(stencil, data);
    bool wrong = gzk_result_wrong(result);
    int status = CLI_DONE;

    if (options->output && !wrong)
        status = write_state(stencil, state, elements, options->output);
    if (status == CLI_DONE && options->t4)
        status = write_result(result, options->t4, gzk_report_t4);
    if (status == CLI_DONE)
        status = write_result(result, options->result, gzk_report);
    return status == CLI_DONE && wrong ? say_wrong(&result->comparison, elements) : status;
}
