/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * instructions [CAPABILITY [WORD...]] - warp instructions a committed cell and loop, and registers,
 * of every stencil's kernels for an NVIDIA GPU of that compute capability (90 unless given: sm_90),
 * by the machine code that NVRTC makes: the table in kernels/README.md. With words only the lines
 * that have them all (star7 columns). Needs nvdisasm, and no GPU; exit status 77 if there is no
 * NVRTC or nvdisasm.
 */
#include "insts.h"
#include "options.h"
#include "output.h"
#include "registry.h"
#include "tiles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 5, WAYS = 5 };

struct shape {
    int block[3], threads[3], height;
};

#define NONE                                                                                       \
    {                                                                                              \
        {0}, {0}, 0                                                                                \
    }

static const struct way {
    const char *name;
    enum gzk_variant variant;
    enum gzk_layout layout;
    struct shape shape[4]; /* by dimensions; height 0: none */
    struct shape wide;     /* of three dimensions, at radius 2 */
    struct shape arrays;   /* of three dimensions, with coefficient arrays, if not as without */
} ways[WAYS] = {
    {"naive, a cell",
     GZK_NAIVE,
     GZK_LAYOUT_DEVICE,
     {NONE,
      {{256, 1, 1}, {256, 1, 1}, 1},
      {{32, 8, 1}, {32, 8, 1}, 1},
      {{32, 4, 4}, {32, 4, 4}, 1}},
     {{32, 4, 4}, {32, 4, 4}, 1},
     NONE},
    {"naive, eight",
     GZK_NAIVE,
     GZK_LAYOUT_DEVICE,
     {NONE,
      {{2048, 1, 1}, {256, 1, 1}, 1},
      {{256, 8, 1}, {256, 1, 1}, 1},
      {{64, 4, 8}, {64, 4, 1}, 1}},
     {{64, 4, 8}, {64, 4, 1}, 1},
     NONE},
    {"trapezoid",
     GZK_TRAPEZOID,
     GZK_LAYOUT_DEVICE,
     {NONE,
      {{1024, 1, 1}, {256, 1, 1}, 4},
      {{64, 32, 1}, {64, 16, 1}, 4},
      {{32, 12, 12}, {32, 12, 2}, 2}},
     {{32, 16, 16}, {32, 16, 2}, 2},
     NONE},
    {"columns",
     GZK_STREAM,
     GZK_LAYOUT_COLUMNS,
     {NONE, NONE, {{512, 72, 1}, {512, 1, 1}, 4}, {{64, 32, 36}, {64, 8, 1}, 2}},
     {{32, 32, 40}, {32, 8, 1}, 2},
     {{64, 16, 36}, {64, 8, 1}, 2}},
    {"rings",
     GZK_STREAM,
     GZK_LAYOUT_RING,
     {NONE, NONE, {{512, 72, 1}, {512, 1, 1}, 4}, {{64, 32, 36}, {64, 8, 1}, 2}},
     {{64, 24, 40}, {64, 6, 1}, 2},
     {{64, 16, 36}, {64, 8, 1}, 2}},
};

static const struct shape *shape_of(const struct way *way, const struct gzk_stencil *stencil)
{
    if (stencil->dimensions == 3 && stencil->radius[2] > 1)
        return &way->wide;
    if (stencil->dimensions == 3 && stencil->coefficient_arrays > 0 && way->arrays.height > 0)
        return &way->arrays;
    return &way->shape[stencil->dimensions];
}

/* A grid of a few tiles, the middle one of which is counted. */
static struct gzk_config config_of(const struct way *way, const struct gzk_stencil *stencil,
                                   const struct shape *shape)
{
    struct gzk_config config = {.stencil = stencil,
                                .variant = way->variant,
                                .layout = way->layout,
                                .height = shape->height,
                                .loops = shape->height,
                                .contract = true};
    int reach = way->variant == GZK_NAIVE ? 0 : shape->height;
    for (int i = 0; i < 3; i++) {
        config.block[i] = shape->block[i];
        config.threads[i] = shape->threads[i];
        config.size[i] = i < stencil->dimensions
                             ? TILES * (config.block[i] - 2 * stencil->radius[i] * reach)
                             : 1;
    }
    config.columns = way->layout == GZK_LAYOUT_COLUMNS;
    return config;
}

/* Prints a line; how it failed. */
static int count(const struct way *way, const struct gzk_stencil *stencil, int capability)
{
    const struct shape *shape = shape_of(way, stencil);
    if (shape->height == 0 || (way->layout == GZK_LAYOUT_COLUMNS && !stencil->reads.own_column))
        return 0;
    struct gzk_config config = config_of(way, stencil, shape);
    double insts, doubles, threads = 1, committed = shape->height;
    int registers = 0;
    struct gzk_error error;
    for (int i = 0; i < 3; i++) {
        threads *= config.threads[i];
        committed *= config.size[i] / (i < stencil->dimensions ? TILES : 1);
    }
    int status = gzk_count_warp(&config, capability, &shape->height, 1, &insts, &doubles,
                                &registers, &error);
    if (status == 0)
        printf("%s\t%s\t%.1f\t%d\n", stencil->name, way->name, insts * threads / committed,
               registers);
    else
        cli_fail(status, "%s, %s: %s", stencil->name, way->name, error.text);
    return status;
}

/* Whether every word is the stencil's or the kernel's name. */
static int is_asked(char **words, const char *stencil, const char *kernel)
{
    for (; *words; words++)
        if (strcmp(*words, stencil) != 0 && strcmp(*words, kernel) != 0)
            return 0;
    return 1;
}

/* Refuses a word that is neither's. */
static int check_words(char **words)
{
    for (; *words; words++) {
        bool known = gzk_stencil_find(*words) != NULL;
        for (int w = 0; w < WAYS; w++)
            known = known || strcmp(*words, ways[w].name) == 0;
        if (!known)
            return cli_fail(CLI_BAD_INPUT, "\"%s\" is neither a stencil nor a kernel", *words);
    }
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    char **words = argv + (argc > 1 ? 2 : 1);
    double capability = 90;
    int status = CLI_DONE;

    cli_set_program("instructions");
    if (argc > 1)
        status = cli_read_in_range("CAPABILITY", argv[1], true, 50, 200, &capability);
    if (status == CLI_DONE)
        status = check_words(words);
    if (status != CLI_DONE)
        return status;
    puts("stencil\tkernel\twarp_instructions\tregisters");
    for (size_t s = 0; s < gzk_stencil_count; s++)
        for (int w = 0; w < WAYS; w++)
            if (is_asked(words, gzk_stencils[s]->name, ways[w].name)) {
                int failed = count(&ways[w], gzk_stencils[s], (int)capability);
                if (failed == GZK_NO_DEVICE)
                    return failed;
                status = failed != 0 ? failed : status;
            }
    return status;
}
