/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prediction.h"

#include "choose.h"
#include "data.h"
#include "record.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>

static void add_way(struct cli_record *r, const struct gzk_chooser *chooser,
                    const struct gzk_config *config, const gz_candidate *best)
{
    const gz_way *way = &best->way;
    bool streamed = way->variant == GZ_VARIANT_STREAM;
    int dim = config->stencil->dim, block[GZ_MAX_DIM];
    for (int axis = 0; axis < dim; axis++)
        block[axis] = (int)(streamed && axis == dim - 1 ? way->piece : way->block[axis]);
    cli_record_add(r, "device", NULL, json_string(chooser->model.name), NULL);
    cli_record_add(r, "block", NULL, cli_json_extents(block, dim), "%s%s",
                   gzk_extents_text(block, dim).text,
                   streamed ? ", the last is what a piece commits" : "");
    cli_record_add(r, "height", NULL, json_integer(way->height), NULL);
    cli_record_add(r, "sync", NULL, json_string(gz_name(GZ_SYNCS, way->sync)), NULL);
    cli_record_add(r, "variant", NULL, json_string(gz_name(GZ_VARIANTS, way->variant)), NULL);
    cli_record_add(r, "seconds_per_loop", "s", cli_json_number(best->seconds_per_loop), NULL);
    cli_record_add(r, "model", NULL, json_string(gz_name(GZ_MODELS, best->model)), "%s: %s",
                   gz_name(GZ_MODELS, best->model), chooser->why.text);
    cli_record_add(r, "why", NULL, json_string(chooser->why.text), "%s", "");
    cli_record_add(r, "instructions", NULL, NULL,
                   "estimated from %d operations and %.0f reads of its tile a cell",
                   config->stencil->operations, chooser->app.tile_reads.value);
    if (config->ending && !config->loops)
        cli_record_add(r, "ending", NULL, NULL, "by the data: after how many loops, --loops says");
    if (!config->ending || !config->loops)
        return;
    gz_ending end = gz_ending_of((double)config->loops, way->height, config->ending);
    double more = end.stages * way->height + end.loops - (double)config->loops;
    cli_record_add(r, "more_loops", NULL, json_real(more),
                   "%.4g in the mean than %ld, where the data end", more, config->loops);
}

int gzt_predict(const struct gzk_stencil *stencil, const struct cli_options *options,
                const struct gzt_question *asked)
{
    struct gzk_config config = {
        .stencil = stencil, .loops = asked->loops, .ending = stencil->measure != 0};
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
    struct cli_record r;
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    cli_record_new(&r);
    add_way(&r, &chooser, &config, &best);
    sheet.failed |= cli_record_write(&r, (options->given & CLI_JSON) != 0, sheet.to);
    cli_record_free(&r);
    return cli_sheet_write(&sheet, options->output);
}
