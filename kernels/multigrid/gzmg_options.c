/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzmg_parts.h"

#include <string.h>

/* What the options store. */
static struct own {
    struct gzm_options options;
    struct cli_extents ranks;
    int depth[GZM_MAX_LEVELS], type, cycle;
} own;

enum own_bit {
    OWN_OTHER = CLI_UNASKED,
    OWN_SMOOTHER = CLI_FIRST_OWN,
    OWN_VARIANT = CLI_FIRST_OWN << 1,
    OWN_RANKS = CLI_FIRST_OWN << 2,
    OWN_OF_RANKS = CLI_FIRST_OWN << 3
};

static const enum gzk_type types[] = {GZK_DOUBLE, GZK_FLOAT};

#define AT(member) offsetof(struct own, member)
#define OF(member) offsetof(struct own, options.member)

static const struct cli_option own_options[] = {
    {OWN_OTHER, 0, "operator", "KIND", "star7 (the default), star7vc, star13, box27 or box125",
     .as = CLI_CHOICE, .at = OF(setup.problem.op), .names = gzm_operator_names},
    {OWN_OTHER, 0, "edges", "KIND", "periodic (the default), dirichlet or neumann",
     .as = CLI_CHOICE, .at = OF(setup.problem.edges), .names = gzm_edge_names},
    {OWN_OTHER, 0, "lambda", "L", "the Helmholtz term, 0 or more (default 0)", .as = CLI_REAL,
     .at = OF(setup.problem.lambda), .least = 0, .most = 1e12},
    {OWN_OTHER, 0, "type", "TYPE", "double (the default) or float", .as = CLI_CHOICE,
     .at = AT(type), .names = (const char *const[]){"double", "float", NULL}},
    {OWN_SMOOTHER, 0, "smoother", "KIND",
     "gsrb, red-black Gauss-Seidel (default for star7 and star7vc), or jacobi", .as = CLI_CHOICE,
     .at = OF(setup.problem.smoother), .names = gzm_smoother_names},
    {OWN_OTHER, 0, "cycle", "KIND", "v (the default), w or f; full: F-cycles after full multigrid",
     .as = CLI_CHOICE, .at = AT(cycle),
     .names = (const char *const[]){"v", "w", "f", "full", NULL}},
    {OWN_OTHER, 0, "sweeps", "N,N",
     "before the coarse correction and after it (default 2,2); auto: by seconds per digit",
     .as = CLI_PLACES, .at = OF(setup.sweeps), .least = 0, .most = 100, .places = 2,
     .automatic = true},
    {OWN_OTHER, 0, "depth", "LIST",
     "loops in a launch by level, the last for all others; auto: by the model (the default)",
     .as = CLI_PLACES, .at = AT(depth), .least = 1, .most = 1000, .places = GZM_MAX_LEVELS,
     .automatic = true},
    {OWN_VARIANT, 0, "variant", "KIND", "of all levels: trapezoid, stream or naive (default: any)",
     .as = CLI_CHOICE, .at = OF(setup.way[0].variant),
     .names =
         (const char *const[]){
             [GZK_TRAPEZOID] = "trapezoid", [GZK_STREAM] = "stream", [GZK_NAIVE] = "naive", NULL}},
    {OWN_OTHER, 0, "tail", "N",
     "levels of at most N elements are computed on the host (default 4096, on GPUs 64)",
     .as = CLI_LONG, .at = OF(setup.tail), .least = 0, .most = 1 << 30},
    {OWN_OTHER, 0, "tolerance", "T", "of the residual over the right-hand side (default 1e-10)",
     .as = CLI_REAL, .at = OF(effort.tolerance), .least = 0, .most = 1},
    {OWN_RANKS, 0, "ranks", "LxLxL",
     "divide the levels among the ranks that mpirun started, so many along each dimension",
     .as = CLI_EXTENTS, .at = AT(ranks)},
    {OWN_OF_RANKS, 0, "rank-depth", "LIST",
     "with --ranks: loops between exchanges of halos by level, the last for all others; auto: by "
     "the model (the default)",
     .as = CLI_PLACES, .at = OF(division.depth), .least = 1, .most = 1000, .places = GZM_MAX_LEVELS,
     .automatic = true},
    {OWN_OTHER, 0, "verify", NULL, "compare the result with the serial reference, bit by bit",
     .as = CLI_FLAG, .at = OF(verify)},
    {0},
};

static const struct cli_wording wordings[] = {
    {CLI_DEVICE, "DEVICE", "cuda:INDEX, opencl:INDEX, or host (default: the first device)"},
    {CLI_SIZE, "LxLxL", "elements, at least 2; one number means all dimensions (default 64)"},
    {0},
};

const struct cli_program gzm_program = {
    .name = "gzmg",
    .usage = "Usage: gzmg -d opencl:0 -s 128 --edges dirichlet --cycle full\n"
             "       gzmg -d opencl:0 -s 64 --operator box27 --sweeps 4,4 --depth 4,2,1 --verify\n"
             "\n"
             "Solves -div(beta grad u) + lambda u = f by geometric multigrid, each level with the\n"
             "depth of ghost zone that the model chooses for it.\n",
    .more =
        "Exit status: 0 success, 1 not converged, failed or wrong, 2 the command line was wrong,\n"
        "77 no such device. See gzmg(1).\n",
    .takes = CLI_DEVICE | CLI_SIZE | CLI_JSON | CLI_OUTPUT | CLI_QUIET | CLI_HELP | CLI_VERSION |
             CLI_COMPLETION,
    .own = own_options,
    .own_into = &own,
    .wordings = wordings,
};

static int settle_size(const struct cli_extents *given, int size[3])
{
    if (given->count != 0 && given->count != 1 && given->count != 3)
        return cli_fail(CLI_BAD_INPUT, "--size: %d extents: must be one or three", given->count);
    for (int i = 0; i < 3 && given->count > 0; i++) {
        double length = given->length[given->count == 1 ? 0 : i];
        if (length > 1 << 15 || length < 2)
            return cli_fail(CLI_BAD_INPUT, "--size: extent %.9g is out of range: must be 2 to %d",
                            length, 1 << 15);
        size[i] = (int)length;
    }
    return CLI_DONE;
}

/* Ranks, what is only for them, and what is not for them. */
static int settle_ranks(const struct cli_options *given, struct gzm_options *options)
{
    options->ranks_given = (given->given & OWN_RANKS) != 0;
    if (!options->ranks_given)
        return given->given & OWN_OF_RANKS
                   ? cli_fail(CLI_BAD_INPUT, "--rank-depth: must be given with --ranks")
                   : CLI_DONE;
    if (own.ranks.count != 3)
        return cli_fail(CLI_BAD_INPUT, "--ranks: %d extents: must be three", own.ranks.count);
    if (options->on_host || options->choose_sweeps)
        return cli_fail(CLI_BAD_INPUT, "--ranks: cannot be given together with %s",
                        options->on_host ? "device host" : "--sweeps auto");
    for (int d = 0; d < 3; d++)
        options->division.layout[d] =
            own.ranks.length[d] < 1 << 15 ? (int)own.ranks.length[d] : 1 << 15;
    return CLI_DONE;
}

/* Interprets what depends on several options. */
static int settle(const struct cli_options *given, struct gzm_options *options)
{
    struct gzm_setup *setup = &options->setup;
    struct gzk_error why;
    const struct gzm_way first = setup->way[0];

    setup->problem.type = types[own.type];
    options->effort.full = own.cycle > GZ_CYCLE_F;
    options->effort.cycle = options->effort.full ? GZ_CYCLE_F : (gz_cycle)own.cycle;
    if (!(given->given & OWN_SMOOTHER) && setup->problem.op > GZM_VARIABLE)
        setup->problem.smoother = GZM_JACOBI;
    options->choose_sweeps = setup->sweeps[0] < 0;
    for (size_t k = 0; k < GZM_MAX_LEVELS; k++)
        setup->way[k] = (struct gzm_way){.height = own.depth[k],
                                         .has_variant = (given->given & OWN_VARIANT) != 0,
                                         .variant = first.variant};
    int status = settle_size(&given->size, setup->problem.size);
    if (status == CLI_DONE && gzm_problem_check(&setup->problem, &why) != 0)
        status = cli_fail(CLI_BAD_INPUT, "%s", why.text);
    return status == CLI_DONE ? settle_ranks(given, options) : status;
}

int gzm_options_read(int argc, char **argv, struct gzm_options *options)
{
    struct cli_options given;

    own = (struct own){
        .options = {.setup = {.problem = {.size = {64, 64, 64}}, .sweeps = {2, 2}, .tail = -1},
                    .effort = {.tolerance = 1e-10, .most = GZM_MOST_CYCLES}}};
    int status;
    bool ended = !cli_begin(&gzm_program, argc, argv, &given, &status);
    *options = own.options;
    options->ended = ended;
    if (ended)
        return status;
    options->request = given.request;
    options->device = given.device;
    options->on_host = given.device && strcmp(given.device, "host") == 0;
    options->result = given.output;
    options->json = (given.given & CLI_JSON) != 0;
    options->quiet = (given.given & CLI_QUIET) != 0;
    if (given.word_count > 0)
        return cli_fail(CLI_BAD_INPUT, "unknown word \"%.60s\"", given.words[0]);
    return settle(&given, options);
}
