/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library.h"

#include <string.h>

/* By the number of arguments, functions of double, each with a twin of float whose name has an f
 * behind; gzc(1) names them, which t/775-gzc-contract tests. Exact are those of which OpenCL and
 * CUDA demand C's bits; of the others OpenCL demands an error of at most 16 units. */
static const struct {
    int arguments;
    bool exact;
    const char *const names[24];
} lists[] = {
    {1, true, {"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round"}},
    {2, true, {"fmin", "fmax", "fdim", "fmod", "remainder", "copysign"}},
    {3, true, {"fma"}},
    {1, false, {"exp",  "exp2",  "expm1", "log",   "log2", "log10", "log1p", "cbrt",
                "sin",  "cos",   "tan",   "asin",  "acos", "atan",  "sinh",  "cosh",
                "tanh", "asinh", "acosh", "atanh", "erf",  "erfc",  "tgamma"}},
    {2, false, {"pow", "hypot", "atan2"}},
};

bool gzt_is_in_std(const struct gzt_decl *function)
{
    return !function->renamed && strncmp(function->usr, "c:@N@std@", 9) == 0;
}

bool gzt_is_of_library(const struct gzt_decl *function)
{
    return gzt_is_in_std(function) ||
           (!function->renamed && !function->body &&
            strcmp(function->usr, gzt_format("c:@F@%s", function->name)) == 0);
}

const struct gzt_math *gzt_math_named(const char *name)
{
    struct gzt_math *math = gzt_alloc(sizeof *math);
    size_t length = strlen(name);
    const char *twin = length && name[length - 1] == 'f' ? gzt_copy(name, length - 1) : "";
    if (strcmp(name, "abs") == 0)
        *math = (struct gzt_math){name, name, IR_I32, 1, true};
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !math->name; i++)
        if (gzt_is_one_of(name, lists[i].names))
            *math = (struct gzt_math){name, name, IR_F64, lists[i].arguments, lists[i].exact};
        else if (gzt_is_one_of(twin, lists[i].names))
            *math = (struct gzt_math){name, twin, IR_F32, lists[i].arguments, lists[i].exact};
    if (math->name && strcmp(math->device, "nearbyint") == 0)
        math->device = "rint";
    return math->name ? math : NULL;
}

static const struct gzt_math *find_math(const struct gzt_decl *function)
{
    static const char builtin[] = "__builtin_";
    const char *name = function->name;
    if (strncmp(name, builtin, sizeof builtin - 1) == 0)
        name += sizeof builtin - 1;
    return gzt_is_of_library(function) ? gzt_math_named(name) : NULL;
}

bool gzt_is_limit(const struct gzt_decl *function)
{
    static const char *const names[] = {"min", "max", NULL};
    return gzt_is_in_std(function) && gzt_is_one_of(function->name, names);
}

const struct gzt_math *gzt_math_of(const struct gzt_node *call)
{
    const struct gzt_math *named = call->decl ? find_math(call->decl) : NULL;
    const char *device = named ? named->device : "";
    if (strcmp(device, "abs") == 0 && call->type != IR_I32)
        device = "fabs"; /* also its name in C++ */
    const struct gzt_math *math =
        gzt_math_named(call->type == IR_F32 ? gzt_format("%sf", device) : device);
    return math && math->type == call->type && math->arguments == call->count ? math : NULL;
}

bool gzt_is_defined(const struct gzt_decl *function)
{
    return function && function->body && function->body->kind == GZT_BLOCK && !function->weak &&
           strncmp(function->usr, "c:@N@std@", 9) != 0;
}

static bool is_harmless(const struct gzt_node *node, int deep);

/* A call of a function that only declares and returns, or of the library's that computes. */
static bool is_harmless_call(const struct gzt_decl *function, int deep)
{
    if (!gzt_is_defined(function))
        return function && (find_math(function) || gzt_is_limit(function));
    bool harmless = deep > 0;
    for (int i = 0; i < function->body->count && harmless; i++) {
        const struct gzt_node *statement = function->body->child[i];
        bool plain = statement->kind == GZT_RETURN || statement->kind == GZT_DECL;
        harmless = plain && is_harmless(statement, deep - 1);
    }
    return harmless;
}

static bool is_harmless(const struct gzt_node *node, int deep)
{
    GZT_EACH (part, node)
        if (gzt_is_assignment(part) || part->kind == GZT_UNKNOWN ||
            (part->kind == GZT_CALL && !is_harmless_call(part->decl, deep)))
            return false;
    return true;
}

bool gzt_is_harmless(const struct gzt_node *node)
{
    enum { DEEPEST_CALL = 8 };
    return is_harmless(node, DEEPEST_CALL);
}

bool gzt_is_output(const struct gzt_node *node)
{
    static const char *const names[] = {"printf", "fprintf", "puts", "fputs", "putchar",
                                        "fflush", "fputc",   "putc", NULL};
    return node->kind == GZT_CALL && node->decl && gzt_is_of_library(node->decl) &&
           gzt_is_one_of(node->decl->name, names);
}
