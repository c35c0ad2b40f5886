/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prediction.h"

#include "choose.h"
#include "data.h"
#include "text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a run computes more than it needs if its data end it. */
static void add_ending(struct gzt_text *text, const struct gzk_config *config, int height,
                       bool json)
{
    gz_ending end = gz_ending_of((double)config->loops, height, config->ending);
    double more = end.stages * height + end.loops - (double)config->loops;
    if (config->ending && config->loops)
        gzt_add(text,
                json ? ", \"more_loops\": %.17g"
                     : "ending           by the data: %.4g loops more than %ld in the mean\n",
                more, config->loops);
    else if (config->ending && !json)
        gzt_add(text, "ending           by the data: after how many loops, --loops says\n");
}

static const char *text_of(const gz_app *app, const struct gzk_config *config,
                           const gz_candidate *best, const char *why, bool json)
{
    struct gzt_text text = {0};
    const gz_way *way = &best->way;
    bool streamed = way->variant == GZ_VARIANT_STREAM;
    const char *separator = json ? ", " : "x";

    gzt_add(&text, json ? "{\"block\": [" : "block            ");
    for (int axis = 0; axis < config->stencil->dim; axis++)
        gzt_add(&text, "%s%ld", axis ? separator : "",
                streamed && axis == config->stencil->dim - 1 ? way->piece : way->block[axis]);
    if (json)
        gzt_add(&text,
                "], \"height\": %d, \"sync\": \"%s\", \"seconds_per_loop\": %.17g, "
                "\"model\": \"%s\", \"why\": \"%s\", \"variant\": \"%s\"",
                way->height, gz_name(GZ_SYNCS, way->sync), best->seconds_per_loop,
                gz_name(GZ_MODELS, best->model), why, gz_name(GZ_VARIANTS, way->variant));
    else
        gzt_add(&text,
                "%s\nheight           %d\nsync             %s\nvariant          %s\n"
                "time             %.6g s per loop\nmodel            %s: %s\n"
                "instructions     estimated from %d operations and %.0f reads of its tile a cell\n",
                streamed ? ", the last is what a piece commits" : "", way->height,
                gz_name(GZ_SYNCS, way->sync), gz_name(GZ_VARIANTS, way->variant),
                best->seconds_per_loop, gz_name(GZ_MODELS, best->model), why,
                config->stencil->operations, app->tile_reads.value);
    add_ending(&text, config, way->height, json);
    gzt_add(&text, json ? "}\n" : "");
    return gzt_string(&text);
}

int gzt_predict(const struct gzk_stencil *stencil, int ending, const struct cli_options *options,
                const struct gzt_question *asked)
{
    struct gzk_config config = {.stencil = stencil, .loops = asked->loops, .ending = ending};
    const struct gzk_given given = {.model = asked->model};
    struct gzk_chooser chooser = {.stencil = stencil};
    double length[GZ_MAX_DIM];
    gz_candidate best;
    gz_error error;
    struct gzk_error why;
    size_t found;

    if (!(options->given & CLI_SIZE))
        return cli_fail(CLI_BAD_INPUT, "--predict needs --size, 4096x4096 for example");
    if (gz_device_open(options->given & CLI_DEVICE ? options->device : "gtx280", &chooser.model,
                       &error))
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    gzk_describe_uncounted(stencil, stencil->operations, &chooser.app);
    int status = cli_lengths("--size", &options->size, &chooser.app, length);
    if (status != CLI_DONE)
        return status;
    for (int i = 0; i < stencil->dim; i++)
        config.size[i] = (int)fmin(length[i], INT_MAX);
    if (gzk_chooser_search(&chooser, &config, &given, false, &best, 1, &found, &why) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", why.text);
    const char *text =
        text_of(&chooser.app, &config, &best, chooser.why.text, (options->given & CLI_JSON) != 0);
    return cli_write(options->output, text, strlen(text));
}
