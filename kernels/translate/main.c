/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzc - makes stencils of annotated C loops. See gzc(1).
 */
#include "files.h"
#include "gzc_texts.h"
#include "interrupt.h"
#include "ir/offload.h"
#include "ir/scan.h"
#include "options.h"
#include "output.h"
#include "prediction.h"
#include "region.h"
#include "spawn.h"

#include <ctype.h>
#include <errno.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
        "Usage: gzc [--contract] [-k] FILE -o FILE [-- FLAGS OF THE COMPILER]\n"
        "       gzc --explain|--body|--ir|--edges FILE [-- FLAGS]\n"
        "       gzc --predict [-d DEVICE] -s SIZE [--model NAME] [--loops N] FILE [-- FLAGS]\n"
        "       gzc --row FILE -o FILE.so [-- FLAGS]\n"
        "\n"
        "Makes stencils of the C or C++ loops in FILE that are annotated with #pragma scop and\n"
        "#pragma endscop, or with #pragma gz trapezoid. The first form writes FILE with calls\n"
        "of libgzstencil in place of the loops.\n",
    .more = "FLAGS are those that FILE is compiled with: -I, -D, -std, -O2, -fopenmp.\n"
            "\n"
            "Exit status: 0 done, 1 it failed, 2 the command line or FILE was wrong.\n",
    .takes =
        CLI_DEVICE | CLI_SIZE | CLI_JSON | CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own,
    .own_into = &question,
};

/* Static, so that it is reachable to the end. */
static struct gzt_source source;
static struct gzt_tree tree;
static struct gzt_region **regions;
static int region_count;
static isl_ctx *isl;

/* Whether a text is part of another, and of no longer name or type there. */
static bool holds_text(const char *whole, const char *text)
{
    static const char *const longer[] = {"unsigned", "signed",   "long", "short",
                                         "static",   "volatile", NULL};
    size_t length = strlen(text);
    for (const char *at = whole; (at = strstr(at, text)); at++) {
        const char *word = at - (at > whole && at[-1] == ' '), *end = word;
        while (word > whole && (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
            word--;
        bool apart = word == end ||
                     (end < at && !gzt_is_one_of(gzt_copy(word, (size_t)(end - word)), longer));
        if (apart && !(gzt_word(at + length - 1) > 1))
            return true;
    }
    return false;
}

/* Whether a text, and the text of all that its names mean, are in what other compilers see. */
static bool is_in(const char *others, int begin, int end, char *seen)
{
    bool is = holds_text(others, gzt_clean(&source, begin, end));
    for (int i = 0; i < tree.use_count && is; i++) {
        const struct gzt_use *use = tree.uses[i];
        if (seen[i] || use->at < begin || use->at >= end)
            continue;
        seen[i] = 1;
        is = is_in(others, use->begin, use->end, seen);
    }
    return is;
}

/* Why a region is refused that the compiler which the user will take may see otherwise, with OpenMP
 * and, where the flags do not say, without; NULL if it is not. */
static const char *check_views(const struct gzt_region *region, const char *const others[2])
{
    bool without = source.openmp < 0;
    for (int view = without; view < (source.openmp > 0 ? 1 : 2); view++)
        if (others[view] &&
            !is_in(others[view], region->begin, region->end, gzt_alloc((size_t)tree.use_count + 1)))
            return view == without
                       ? "what the loop or what it uses says depends on the compiler, by "
                         "__clang__, __GNUC__, __OPTIMIZE__ or the like: must be the same for all"
                       : "what the loop or what it uses says depends on _OPENMP: must be the same "
                         "with and without, or -fopenmp or -fno-openmp stand behind \"--\"";
    return NULL;
}

/* Why a text that the compiler makes several functions of is refused; NULL if it does not. */
static const char *check_templates(const struct gzt_region *region)
{
    const struct gzt_node *first = gzt_function_around(&tree, region->begin);
    for (int i = 0; first && i < tree.function_count; i++)
        if (tree.functions[i] != first && tree.functions[i]->begin == first->begin)
            return "the loop stands in a template that has several instances: must have one, or "
                   "be a function of its own types and numbers";
    return NULL;
}

static int write_text(const struct cli_options *options, const char *text)
{
    return cli_write(options->output, text, strlen(text));
}

static int read_source(void)
{
    return gzt_check_flags(&source) == 0 && gzt_preprocess(&source) == 0 &&
                   gzt_parse(&source, &tree) == 0 &&
                   gzt_find_regions(&source, &tree, &regions, &region_count) == 0
               ? CLI_DONE
               : gzt_say(&source);
}

/* Refuses as a plan does. */
static int refuse_plan(const struct plan *plan)
{
    int at = plan->at >= 0 ? plan->at : plan->ir->region->begin;
    struct gzt_place other = gzt_place_of(&source, plan->other >= 0 ? plan->other : at);
    gzt_refuse(&source, at, plan->other >= 0 ? "%s (see line %d)" : "%s", plan->refusal,
               other.line);
    return gzt_say(&source);
}

/* Why an address or a size cannot be written as one expression; NULL if all can. */
static const char *check_addresses(const struct ir_region *ir)
{
    enum { MOST = 10000 };
    double *parts = gzt_alloc((size_t)ir->values * sizeof *parts);
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        parts[v->number] = 1;
        for (int k = 0; k < v->arguments && v->code != IR_PHI; k++)
            parts[v->number] += parts[v->a[k]->number];
    }
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->access.address && parts[ir->op[i]->access.address->number] > MOST)
            return "an address here is computed from too many parts";
    for (int i = 0; i < ir->sizes; i++)
        if (parts[ir->size[i]->number] > MOST)
            return "a size of rows here is computed from too many parts";
    return NULL;
}

/* Lowers all regions, whether they are understood as stencils or not. */
static int write_ir(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < region_count; i++) {
        const struct ir_region *ir = ir_lower(&source, regions[i]);
        bool edges = options->given & GZC_EDGES;
        const char *broken = ir_verify(ir);
        broken = broken || !edges ? broken : check_addresses(ir);
        if (broken)
            return cli_fail(CLI_FAILED, "%s: %s", source.path, broken);
        gzt_add(&text, "%s", i ? "\n" : "");
        const struct plan *plan = edges ? plan_make(ir, isl) : NULL;
        if (!plan)
            ir_print(ir, &text);
        else if (plan->flow)
            ir_print_edges(plan->flow, &text);
        else
            return refuse_plan(plan);
    }
    return write_text(options, gzt_string(&text));
}

/* -------------------------------------------------------------------------------------- plans */

/* The tag in a type that the source defines in several scopes; NULL if each has one meaning. */
static const char *doubled_tag(const char *type)
{
    static const char *const kinds[] = {" struct", " union", " enum", NULL};
    const char *text = gzt_format(" %s", type);
    for (int i = 0; kinds[i]; i++)
        for (const char *at = text; (at = strstr(at, kinds[i]));) {
            at += strlen(kinds[i]) + strspn(at + strlen(kinds[i]), " ");
            const char *tag = gzt_copy(at, gzt_word(at));
            int definitions = 0;
            for (const char *in = source.text; *tag && (in = gzt_behind(in, tag));)
                definitions += in[strspn(in, " \t\r\n")] == '{';
            if (definitions > 1)
                return tag;
        }
    return NULL;
}

/* Why other names would be meant where the region stands, within gzc's text; NULL if none would. */
static const char *check_names(const struct ir_region *ir)
{
    const char *last = NULL;
    for (int i = 0; i < ir->values; i++) {
        const struct gzt_decl *decl = ir->value[i]->decl;
        const char *type = ir->value[i]->c, *tag = NULL;
        if (decl && decl->name && strncmp(decl->name, "gz_", 3) == 0)
            return gzt_format("%s begins with gz_, as the names that gzc writes do: rename it",
                              decl->name);
        if (type && (!last || strcmp(type, last) != 0))
            tag = doubled_tag(type);
        if (tag)
            return gzt_format("%s is defined in several scopes: rename one", tag);
        last = type;
    }
    return NULL;
}

/* Plans all regions. Says why one is refused, which does not count with `keep_going`, and of
 * further ones with that or `all`. */
static int make_plans(struct plan ***plans, int *count, bool keep_going, bool all)
{
    const char *const others[] = {gzt_seen_by_others(&source, true),
                                  gzt_seen_by_others(&source, false)};
    int status = CLI_DONE;
    for (int i = 0; i < region_count && (status == CLI_DONE || all); i++) {
        const struct ir_region *ir = ir_lower(&source, regions[i]);
        const char *why = ir_verify(ir);
        why = why ? why : check_views(regions[i], others);
        why = why ? why : check_templates(regions[i]);
        why = why ? why : check_names(ir);
        why = why ? why : check_addresses(ir);
        struct plan none = {.ir = ir, .refusal = why, .at = -1, .other = -1};
        struct plan *plan = why ? &none : plan_make(ir, isl);
        if (!plan->refusal && plan_agrees(plan)) {
            gzt_push(plans, count, plan);
        } else {
            int refused = refuse_plan(plan);
            status = keep_going ? status : refused;
        }
    }
    return status;
}

static int write_words(const struct cli_options *options, struct plan *const *plans, int count)
{
    struct gzt_text text = {0};
    for (int i = 0; i < count; i++) {
        gzt_add(&text, "%s", i ? "\n" : "");
        if (options->given & GZC_EXPLAIN)
            plan_explain(plans[i], &text);
        else
            gzt_add(&text, "%s", plans[i]->body);
    }
    return write_text(options, gzt_string(&text));
}

/* CC may be several words, as make takes it. */
static int run_compiler(const char *object, FILE *from)
{
    static const char line[] =
        "exec ${CC:-cc} -std=c11 -O2 -ffp-contract=off -fPIC -shared -o \"$1\" -x c - -lm";
    const char *const words[] = {"sh", "-c", line, "sh", object, NULL}, *chosen = getenv("CC");
    pid_t pid;
    errno = cli_start((char *const *)words, fileno(from), -1, -1, &pid);
    if (errno)
        return cli_fail(CLI_FAILED, "sh, which starts the C compiler, cannot be run: %s",
                        strerror(errno));
    if (cli_await(pid) == 0)
        return CLI_DONE;
    return cli_fail(CLI_FAILED, cli_interrupted ? "interrupted" : "the C compiler, %s, failed",
                    chosen && *chosen ? chosen : "cc");
}

/* The compiler reads the text from a file without a name, so that nothing but the object can be
 * left anywhere. */
static int compile(const char *object, void *text)
{
    FILE *from = tmpfile();
    bool written = from && fputs(text, from) != EOF && fseek(from, 0, SEEK_SET) == 0;
    int status = written
                     ? run_compiler(object, from)
                     : cli_fail(CLI_FAILED, "cannot write a temporary file for the C compiler: %s",
                                strerror(errno));
    if (from)
        fclose(from);
    return status;
}

/* The stencil of a file that has one. */
static int write_stencil(const struct cli_options *options, struct plan *const *plans, int count)
{
    bool row = (options->given & GZC_ROW) != 0;
    if (count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: %s takes a file with one",
                        source.path, count, row ? "--row" : "--predict");
    if (!row) {
        struct gzk_stencil stencil = plan_stencil(plans[0]);
        return gzt_predict(&stencil, options, &question);
    }
    if (!options->output || strcmp(options->output, "-") == 0)
        return cli_fail(CLI_BAD_INPUT, "--row needs -o FILE.so");
    const char *text = plan_row(plans[0], gzt_stencil_h), *dot = strrchr(options->output, '.');
    if (!text)
        return refuse_plan(plans[0]);
    if (dot && strcmp(dot, ".c") == 0)
        return write_text(options, text);
    cli_catch_interrupts();
    return cli_make(options->output, compile, (void *)text);
}

/* The file with calls; with -k without those that cannot stand where their loops do. */
static int write_file(const struct cli_options *options, struct plan **plans, int count)
{
    struct gzt_call **calls = NULL;
    int n = 0;
    if (!options->output)
        return cli_fail(CLI_BAD_INPUT,
                        "nothing to do: give -o FILE, --explain, --row, --body, --ir, --edges or "
                        "--predict");
    while (n < count)
        gzt_push(&calls, &n, &plans[n]->call);
    const char *text = gzt_insert(&source, calls, count, ir_scan_functions,
                                  (options->given & GZC_KEEP_GOING) != 0);
    return text ? write_text(options, text) : gzt_say(&source);
}

static int write_plans(const struct cli_options *options)
{
    struct plan **plans = NULL;
    int count = 0;
    int status = make_plans(&plans, &count, (options->given & GZC_KEEP_GOING) != 0,
                            (options->given & GZC_EXPLAIN) != 0);
    if (status != CLI_DONE)
        return status;
    if (options->given & (GZC_EXPLAIN | GZC_BODY))
        return write_words(options, plans, count);
    return options->given & (GZC_ROW | GZC_PREDICT) ? write_stencil(options, plans, count)
                                                    : write_file(options, plans, count);
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
    if (!(mode & GZC_PREDICT) &&
        options->given & (CLI_DEVICE | CLI_SIZE | CLI_JSON | GZC_MODEL | GZC_LOOPS))
        return cli_fail(CLI_BAD_INPUT, "-d, -s, --json, --model and --loops go with --predict");
    if (cli_check_files(files, sizeof files / sizeof *files) != CLI_DONE)
        return CLI_BAD_INPUT;
    isl = isl_ctx_alloc();
    if (!isl)
        return cli_fail(CLI_FAILED, "out of memory");
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    int status = read_source();
    if (status != CLI_DONE)
        return status;
    return options->given & (GZC_IR | GZC_EDGES) ? write_ir(options) : write_plans(options);
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
    if (number == SIGSEGV && cli_stack_below(1 << 20))
        return cli_fail(CLI_FAILED,
                        "the limit on the stack (ulimit -s) is below 1 MiB, which clang "
                        "needs; raise it");
    return cli_fail(CLI_BAD_INPUT,
                    "%s: signal %d ended clang's parser: must not have expressions or chains of "
                    "conditions with thousands of parts",
                    source.path, number);
}

int main(int argc, char **argv)
{
    struct cli_options options;
    int own_count = argc, status;

    for (int i = 1; i < argc && own_count == argc; i++)
        if (strcmp(argv[i], "--") == 0)
            own_count = i;
    if (!cli_begin(&gzc, own_count, argv, &options, &status))
        return status;
    if (options.word_count == 0)
        return cli_fail(CLI_BAD_INPUT, "no file given; see gzc --help");
    if (options.word_count > 1)
        return cli_fail(CLI_BAD_INPUT, "\"%s\": only one file may be given", options.words[1]);
    /* A name that a compiler would take for a flag, or for a file of flags. */
    source.path =
        strchr("@-", options.words[0][0]) ? gzt_format("./%s", options.words[0]) : options.words[0];
    source.contract = (options.given & GZC_CONTRACT) != 0;
    source.flags = argv + own_count + 1;
    source.flag_count = own_count < argc ? argc - own_count - 1 : 0;
    return run_apart(&options);
}
