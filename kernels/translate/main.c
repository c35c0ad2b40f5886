/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzc - makes stencils of annotated C loops. See gzc(1).
 */
#include "compile.h"
#include "emit.h"
#include "files.h"
#include "gzc_texts.h"
#include "inline.h"
#include "ir/offload.h"
#include "measure.h"
#include "options.h"
#include "prediction.h"
#include "spawn.h"

#include <errno.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum {
    GZC_EXPLAIN = CLI_FIRST_OWN,
    GZC_ROW = 2 * CLI_FIRST_OWN,
    GZC_BODY = 4 * CLI_FIRST_OWN,
    GZC_PREDICT = 8 * CLI_FIRST_OWN,
    GZC_CONTRACT = 16 * CLI_FIRST_OWN,
    GZC_MODEL = 32 * CLI_FIRST_OWN,
    GZC_KEEP_GOING = 64 * CLI_FIRST_OWN,
    GZC_LOOPS = 128 * CLI_FIRST_OWN,
    GZC_IR = 256 * CLI_FIRST_OWN,
    GZC_EDGES = 512 * CLI_FIRST_OWN
};

static struct gzt_question question;

static const struct cli_option own[] = {
    {GZC_EXPLAIN, 0, "explain", NULL, "print what was understood", .as = CLI_FLAG},
    {GZC_ROW, 0, "row", NULL,
     "make a stencil for gzrun --stencil: a shared object, or its text if -o ends in .c",
     .as = CLI_FLAG},
    {GZC_BODY, 0, "body", NULL, "print the body of the stencil", .as = CLI_FLAG},
    {GZC_IR, 0, "ir", NULL, "print the intermediate representation of the loops", .as = CLI_FLAG},
    {GZC_EDGES, 0, "edges", NULL, "print which store each load of the loops sees", .as = CLI_FLAG},
    {GZC_PREDICT, 0, "predict", NULL,
     "print what the model says of the stencil: block, height, synchronisation, time",
     .as = CLI_FLAG},
    {GZC_MODEL, 0, "model", "NAME",
     "with --predict: meng2011 or gz2 (default: gz2 if the device file has what it needs)",
     .as = CLI_NAME, .at = offsetof(struct gzt_question, model), .kind = GZ_MODELS},
    {GZC_LOOPS, 0, "loops", "N", "with --predict: loops of the run, or expected if its data end it",
     .as = CLI_LONG, .at = offsetof(struct gzt_question, loops), .least = 1, .most = 1e15},
    {GZC_CONTRACT, 0, "contract", NULL,
     "allow fused multiply-adds and functions that devices round differently", .as = CLI_FLAG},
    {GZC_KEEP_GOING, 'k', "keep-going", NULL,
     "leave loops that are refused as they are, and say so of each", .as = CLI_FLAG},
    {0},
};

static const struct cli_program gzc = {
    .name = "gzc",
    .usage =
        "usage: gzc [--contract] [-k] FILE -o FILE [-- FLAGS OF THE COMPILER]\n"
        "       gzc --explain|--body|--ir|--edges FILE [-- FLAGS]\n"
        "       gzc --predict [-d DEVICE] -s SIZE [--model NAME] [--loops N] FILE [-- FLAGS]\n"
        "       gzc --row FILE -o FILE.so [-- FLAGS]\n"
        "\n"
        "Makes stencils of the C or C++ loops in FILE that are annotated with #pragma scop and\n"
        "#pragma endscop, or with #pragma gz trapezoid. The first form writes FILE with calls\n"
        "of libgzstencil in place of the loops.\n",
    .more = "\n"
            "FLAGS are those that FILE is compiled with: -I, -D, -std, -O2, -fopenmp.\n"
            "\n"
            "Exit status: 0 done, 1 it failed, 2 the command line or FILE was wrong.\n",
    .takes =
        CLI_DEVICE | CLI_SIZE | CLI_JSON | CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own,
    .own_into = &question,
};

/* A text of the file, the user's own or one with functions written out, and what was found in it.
 */
struct text {
    struct gzt_source source;
    struct gzt_tree tree;
    struct gzt_region **regions;
    int count;
};

/* Static, so that it is reachable to the end. */
static struct text plain;
static struct gzt_program *programs; /* of the regions that were understood */
static int program_count;
static isl_ctx *isl;
static bool by_plan; /* --plan before all other words, for the time of the change */

static void say(const char *line)
{
    fprintf(stderr, "%s\n", gzt_shown(line));
}

/* Says why: the first reason, or all that were looked for. */
static int refuse(struct gzt_source *source)
{
    enum { MOST = 20 };
    int count = source->all ? source->reason_count : 0;
    gzt_sort_reasons(source);
    for (int i = 0; i < count && i < MOST; i++)
        say(source->reasons[i]->text);
    if (count > MOST)
        fprintf(stderr, "%s: %d reasons more\n", source->path, count - MOST);
    if (count == 0)
        say(source->error);
    return source->status;
}

static int read_text(struct text *text)
{
    return gzt_parse(&text->source, &text->tree) == 0
               ? gzt_find_regions(&text->source, &text->tree, &text->regions, &text->count)
               : -1;
}

/* What a region is looked through for: whether other compilers see the same. */
struct view {
    const struct gzt_source *source;
    const char *others;
    int depth;
};

static int differs(const struct gzt_node *node, void *data)
{
    struct view *view = data;
    enum { DEEPEST = 8 };
    if (node->kind != GZT_CALL || !node->decl || !node->decl->body || view->depth == DEEPEST)
        return 0;
    const struct gzt_node *body = node->decl->body;
    struct view within = {view->source, view->others, view->depth + 1};
    return !strstr(view->others, gzt_node_text(view->source, body)) ||
           gzt_walk(body, differs, &within) != 0;
}

/* Whether the loops of a region are the same to the compiler that the user will take, which may be
 * another than clang. */
static bool is_seen_alike(const struct gzt_region *region, const char *others)
{
    struct view view = {&plain.source, others, 0};
    for (int i = 0; others && i < region->statement_count; i++)
        if (!strstr(others, gzt_node_text(&plain.source, region->statements[i])) ||
            gzt_walk(region->statements[i], differs, &view) != 0)
            return false;
    return true;
}

/* A source without a refusal. */
static struct gzt_source *copy_of(const struct gzt_source *source)
{
    struct gzt_source *copy = gzt_alloc(sizeof *copy);
    *copy = *source;
    copy->failed = false;
    copy->reasons = NULL;
    copy->reason_count = 0;
    return copy;
}

/* Understands a region as a program of one state or, once that was refused by an error, of several
 * arrays; NULL, or the source whose error says why not. */
static struct gzt_source *understand(struct text *text, int number, const struct gzt_source *error,
                                     struct gzt_program *program)
{
    struct gzt_layout layout;
    struct gzt_source *source = copy_of(&text->source);
    source->several = error && error->several;
    return (error ? gzt_understand_several : gzt_understand)(source, isl, text->regions[number],
                                                             program) == 0 &&
                   gzt_lay_out(program, &layout) == 0
               ? NULL
               : source;
}

/* Writes out the functions that some regions call, and what else is not understood as it stands.
 * Where nothing can be, or the result does not compile, NULL. */
static struct text *write_out(struct gzt_region *const *regions, int count, bool choosing)
{
    struct text *written = gzt_alloc(sizeof *written);
    return gzt_inline(&plain.source, &plain.tree, regions, count, choosing, &written->source) &&
                   read_text(written) == 0 && written->count == plain.count
               ? written
               : NULL;
}

/* Whether, of the reasons that the two ways have, the latter, by which a loop may set several
 * arrays, names what would have to change. */
static bool is_truer(const struct gzt_source *single, const struct gzt_source *several)
{
    return several->several &&
           (single->several || (several->fields && single->reason_count <= several->reason_count));
}

/* Understands a region that was refused in `all`, where all such regions were written out, or else
 * written out alone. Returns the refusal, or NULL. */
static struct gzt_source *understand_written(struct text *all, int number, int refused,
                                             struct gzt_source *error, struct gzt_program *program)
{
    struct text *text = all || refused == 1 ? all : write_out(&plain.regions[number], 1, false);
    struct gzt_source *now = error;
    if (text) {
        text->regions[number]->written_out = plain.regions[number]->written_out;
        text->regions[number]->written_out_count = plain.regions[number]->written_out_count;
        now = understand(text, number, NULL, program);
    }
    if (!now)
        return NULL;
    const struct gzt_source *flagged = error->several ? error : now;
    struct gzt_source *why = understand(&plain, number, flagged, program);
    struct gzt_source *later = why && text ? understand(text, number, flagged, program) : why;
    if (!why || !later)
        return NULL;
    bool out = plain.regions[number]->written_out_count > 0;
    if (!out && is_truer(error, why))
        return why;
    return is_truer(now, later) ? later : is_truer(error, why) ? why : now;
}

/* Understands a region that was refused with choices between subscripts, such as a mirror's, as
 * ones between elements. Returns the refusal, or NULL. */
static struct gzt_source *understand_chosen(int number, struct gzt_source *refusal,
                                            struct gzt_program *program)
{
    const struct gzt_region *region = plain.regions[number];
    bool chooses = false;
    for (int i = 0; i < region->statement_count; i++)
        chooses = chooses || strchr(gzt_node_text(&plain.source, region->statements[i]), '?');
    struct text *text = chooses ? write_out(&plain.regions[number], 1, true) : NULL;
    struct gzt_source *why = text ? understand(text, number, NULL, program) : refusal;
    if (why && why->several && text)
        why = understand(text, number, why, program);
    return why ? refusal : NULL;
}

/* Refuses a region that others see otherwise, with OpenMP and, where the flags do not say, without.
 */
static struct gzt_source *check_views(const struct gzt_region *region, const char *const others[2])
{
    int at = region->statements[0]->begin;
    struct gzt_source *source = copy_of(&plain.source);
    if (!is_seen_alike(region, others[plain.source.openmp < 0]))
        gzt_refuse(source, at,
                   "what the loop or a function that it calls says depends on the compiler, by "
                   "__clang__, __GNUC__, __OPTIMIZE__ or the like: must be the same for all");
    else if (!plain.source.openmp && !is_seen_alike(region, others[1]))
        gzt_refuse(source, at,
                   "what the loop or a function that it calls says depends on _OPENMP: must be the "
                   "same with and without, or -fopenmp or -fno-openmp stand behind \"--\"");
    return source->failed ? source : NULL;
}

/* Understands all regions, as they stand or else with the functions that they call written out;
 * programs are those understood, in order. Says the first refusal, or all with `keep_going`, which
 * then do not count, or where all reasons are looked for. */
static int understand_regions(bool keep_going)
{
    int status = CLI_DONE;
    struct gzt_source **errors = gzt_alloc((size_t)plain.count * sizeof *errors);
    struct gzt_region **refused = NULL;
    int refused_count = 0;

    const char *const others[] = {gzt_seen_by_others(&plain.source, true),
                                  gzt_seen_by_others(&plain.source, false)};
    programs = gzt_alloc((size_t)plain.count * sizeof *programs);
    for (int i = 0; i < plain.count; i++)
        if ((errors[i] = understand(&plain, i, NULL, &programs[i])))
            gzt_push(&refused, &refused_count, plain.regions[i]);
    struct text *all = refused_count ? write_out(refused, refused_count, false) : NULL;
    for (int i = 0; i < plain.count; i++) {
        if (errors[i])
            errors[i] = understand_written(all, i, refused_count, errors[i], &programs[i]);
        if (errors[i])
            errors[i] = understand_chosen(i, errors[i], &programs[i]);
        if (!errors[i])
            errors[i] = check_views(plain.regions[i], others);
        if (!errors[i])
            programs[program_count++] = programs[i];
        else if (refuse(errors[i]), !keep_going)
            status = errors[i]->status;
        if (status != CLI_DONE && !plain.source.all)
            return status;
    }
    return status;
}

static int understand_all(bool keep_going)
{
    if (gzt_check_flags(&plain.source) != 0 || gzt_preprocess(&plain.source) != 0 ||
        read_text(&plain) != 0)
        return refuse(&plain.source);
    return understand_regions(keep_going);
}

static int write_text(const struct cli_options *options, const char *text)
{
    return cli_write(options->output, text, strlen(text));
}

static int explain_all(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < program_count; i++) {
        gzt_add(&text, "%s", i ? "\n" : "");
        gzt_explain(&programs[i], &text);
    }
    return write_text(options, gzt_string(&text));
}

static int write_bodies(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < program_count; i++) {
        struct gzt_layout layout;
        if (gzt_lay_out(&programs[i], &layout) != 0)
            return refuse(programs[i].source);
        gzt_add(&text, "%s%s", i ? "\n" : "", gzt_stencil(&programs[i], &layout).body);
    }
    return write_text(options, gzt_string(&text));
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Refuses as a plan does. */
static int refuse_plan(const struct plan *plan)
{
    struct gzt_source *source = copy_of(&plain.source);
    int at = plan->at >= 0 ? plan->at : plan->ir->region->statements[0]->begin;
    struct gzt_place other = gzt_place_of(source, plan->other >= 0 ? plan->other : at);
    gzt_refuse(source, at, plan->other >= 0 ? "%s (see line %d)" : "%s", plan->refusal, other.line);
    return refuse(source);
}

/* The flow of a time loop, if decide comes to it. */
static bool print_flow(const struct plan *plan, struct gzt_text *text)
{
    if (!plan->flow)
        refuse_plan(plan);
    else
        ir_print_edges(plan->flow, text);
    return plan->flow;
}

/* Lowers all regions, whether they are understood as stencils or not. */
static int write_ir(const struct cli_options *options)
{
    struct gzt_text text = {0};
    if (gzt_check_flags(&plain.source) != 0 || gzt_preprocess(&plain.source) != 0 ||
        read_text(&plain) != 0)
        return refuse(&plain.source);
    for (int i = 0; i < plain.count; i++) {
        const struct ir_region *ir = ir_lower(&plain.source, plain.regions[i]);
        const char *broken = ir_verify(ir);
        if (broken)
            return cli_fail(CLI_FAILED, "%s: %s", plain.source.path, broken);
        gzt_add(&text, "%s", i ? "\n" : "");
        if (options->given & GZC_IR)
            ir_print(ir, &text);
        else if (!print_flow(plan_make(ir, isl), &text))
            return CLI_BAD_INPUT;
    }
    return write_text(options, gzt_string(&text));
}

/* By plans alone, the way that is to replace the other. */
static int make_plans(struct plan ***plans, int *count, bool keep_going)
{
    int status = CLI_DONE;
    if (gzt_check_flags(&plain.source) != 0 || gzt_preprocess(&plain.source) != 0 ||
        read_text(&plain) != 0)
        return refuse(&plain.source);
    const char *const others[] = {gzt_seen_by_others(&plain.source, true),
                                  gzt_seen_by_others(&plain.source, false)};
    for (int i = 0; i < plain.count; i++) {
        struct plan *plan = plan_make(ir_lower(&plain.source, plain.regions[i]), isl);
        struct gzt_source *unlike = check_views(plain.regions[i], others);
        if (unlike)
            status = refuse(unlike);
        else if (plan->refusal || !plan_agrees(plan) || !plan_host(plan))
            status = refuse_plan(plan);
        else
            gzt_push(plans, count, plan);
        if (status != CLI_DONE && !keep_going)
            return status;
    }
    return *count > 0 ? CLI_DONE : status;
}

static int plan_file(const struct cli_options *options, struct plan *const *plans, int count)
{
    struct gzt_text text = {0};
    const char *made;
    if (options->given & (GZC_EXPLAIN | GZC_BODY)) {
        for (int i = 0; i < count; i++) {
            gzt_add(&text, "%s", i ? "\n" : "");
            if (options->given & GZC_EXPLAIN)
                plan_explain(plans[i], &text);
            else
                gzt_add(&text, "%s", plans[i]->body);
        }
        return write_text(options, gzt_string(&text));
    }
    made = plan_rewrite(&plain.source, plans, count);
    return made ? write_text(options, made) : refuse(&plain.source);
}

static int plan_only(const struct cli_options *options, struct plan *const *plans, int count)
{
    const char *what = options->given & GZC_ROW ? "--row" : "--predict";
    if (count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: %s takes a file with one",
                        plain.source.path, count, what);
    if (options->given & GZC_PREDICT) {
        struct gzk_stencil stencil = plan_stencil(plans[0]);
        return gzt_predict(&stencil, 0, options, &question);
    }
    if (!options->output || strcmp(options->output, "-") == 0)
        return cli_fail(CLI_BAD_INPUT, "--row needs -o FILE.so");
    const char *text = plan_row(plans[0], gzt_stencil_h);
    return !text                            ? refuse_plan(plans[0])
           : ends_in(options->output, ".c") ? write_text(options, text)
                                            : gzt_compile(text, options->output);
}

static int write_plans(const struct cli_options *options)
{
    struct plan **plans = NULL;
    int count = 0;
    int status = make_plans(&plans, &count, (options->given & GZC_KEEP_GOING) != 0);
    if (status != CLI_DONE)
        return status;
    return options->given & (GZC_ROW | GZC_PREDICT) ? plan_only(options, plans, count)
                                                    : plan_file(options, plans, count);
}

static int write_row(const struct cli_options *options)
{
    struct gzt_layout layout;
    if (program_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: --row takes a file with one",
                        plain.source.path, program_count);
    if (!options->output || strcmp(options->output, "-") == 0)
        return cli_fail(CLI_BAD_INPUT, "--row needs -o FILE.so");
    if (gzt_lay_out(&programs[0], &layout) != 0)
        return refuse(programs[0].source);
    const char *text = gzt_row_of(&programs[0], &layout, gzt_stencil_h);
    if (!text)
        return refuse(programs[0].source);
    return ends_in(options->output, ".c") ? write_text(options, text)
                                          : gzt_compile(text, options->output);
}

static int predict_one(const struct cli_options *options)
{
    if (program_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: --predict takes a file with one",
                        plain.source.path, program_count);
    struct gzt_layout layout;
    if (gzt_lay_out(&programs[0], &layout) != 0)
        return refuse(programs[0].source);
    struct gzk_stencil stencil = gzt_stencil(&programs[0], &layout);
    stencil.measure = gzt_measure_type(&programs[0]);
    return gzt_predict(&stencil,
                       !stencil.measure               ? 0
                       : gzt_needs_both(&programs[0]) ? 2
                                                      : 1,
                       options, &question);
}

static int write_file(const struct cli_options *options)
{
    if (!options->output)
        return cli_fail(CLI_BAD_INPUT,
                        "nothing to do: give -o FILE, --explain, --row, --body, --ir, --edges or "
                        "--predict");
    const char *text = NULL;
    for (bool again = true; again;) {
        again = false;
        text = gzt_rewrite(&plain.source, programs, program_count);
        for (int i = 0; i < program_count && !again; i++) {
            if (!programs[i].source->failed)
                continue;
            int status = refuse(programs[i].source);
            if (!(options->given & GZC_KEEP_GOING))
                return status;
            memmove(&programs[i], &programs[i + 1],
                    (size_t)(--program_count - i) * sizeof *programs);
            again = true;
        }
    }
    return text ? write_text(options, text) : refuse(&plain.source);
}

static int run(const struct cli_options *options)
{
    const struct cli_file files[] = {{"the source", options->words[0], false},
                                     {"-o", options->output, true}};
    const unsigned modes = GZC_EXPLAIN | GZC_ROW | GZC_BODY | GZC_PREDICT | GZC_IR | GZC_EDGES;
    unsigned mode = options->given & modes;
    if (mode & (mode - 1))
        return cli_fail(
            CLI_BAD_INPUT,
            "only one of --explain, --body, --ir, --edges, --row and --predict may be given");
    if (cli_check_files(files, sizeof files / sizeof *files) != CLI_DONE)
        return CLI_BAD_INPUT;
    isl = isl_ctx_alloc();
    if (!isl)
        return cli_fail(CLI_FAILED, "out of memory");
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    if (options->given & (GZC_IR | GZC_EDGES))
        return write_ir(options);
    if (by_plan)
        return write_plans(options);
    plain.source.all = (options->given & GZC_EXPLAIN) != 0;
    int status = understand_all((options->given & GZC_KEEP_GOING) != 0);
    if (status != CLI_DONE)
        return status;
    if (options->given & GZC_EXPLAIN)
        return explain_all(options);
    if (options->given & GZC_PREDICT)
        return predict_one(options);
    if (options->given & GZC_BODY)
        return write_bodies(options);
    return options->given & GZC_ROW ? write_row(options) : write_file(options);
}

/* In a child: clang's parser ends a process whose stack an expression is too deep for. */
static int run_part(void *options, int part, int parts)
{
    (void)part;
    (void)parts;
    return run(options);
}

static int run_apart(struct cli_options *options)
{
    int interrupt, status = cli_in_processes(1, run_part, options, &interrupt);
    if (status < 0)
        return cli_fail(CLI_FAILED, "fork: %s", strerror(errno));
    int number = status - 128;
    if (number <= 0 || number == SIGINT || number == SIGTERM || number == SIGHUP ||
        number == SIGPIPE)
        return status;
    return cli_fail(CLI_BAD_INPUT,
                    "%s: signal %d ended clang's parser: must not have expressions or chains of "
                    "conditions with thousands of parts",
                    plain.source.path, number);
}

int main(int argc, char **argv)
{
    struct cli_options options;
    int own_count = argc, status;

    for (int i = 1; i < argc && own_count == argc; i++)
        if (strcmp(argv[i], "--") == 0)
            own_count = i;
    cli_set_program("gzc");
    by_plan = argc > 1 && strcmp(argv[1], "--plan") == 0;
    argv += by_plan;
    own_count -= by_plan;
    argc -= by_plan;
    status = cli_parse(&gzc, own_count, argv, &options);
    if (status != CLI_DONE)
        return status;
    if (options.given & CLI_COMPLETION)
        return cli_completion(&gzc);
    if (options.given & (CLI_HELP | CLI_VERSION))
        return options.given & CLI_HELP ? cli_help(&gzc) : cli_version(&gzc);
    if (options.word_count == 0)
        return cli_fail(CLI_BAD_INPUT, "no file given; see gzc --help");
    if (options.word_count > 1)
        return cli_fail(CLI_BAD_INPUT, "\"%s\": only one file may be given", options.words[1]);
    /* A name that a compiler would take for a flag, or for a file of flags. */
    plain.source.path =
        strchr("@-", options.words[0][0]) ? gzt_format("./%s", options.words[0]) : options.words[0];
    plain.source.contract = (options.given & GZC_CONTRACT) != 0;
    plain.source.flags = argv + own_count + 1;
    plain.source.flag_count = own_count < argc ? argc - own_count - 1 : 0;
    return run_apart(&options);
}
