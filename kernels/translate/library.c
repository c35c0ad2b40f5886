/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library.h"

#include <string.h>

#define ROW(name, device, type, arguments, exact)                                                  \
    {                                                                                              \
        name, device, type, arguments, exact                                                       \
    }
/* A function of double and its twin of float; devices have one name for both. */
#define REAL(name, device, arguments, exact)                                                       \
    ROW(#name, #device, IR_F64, arguments, exact), ROW(#name "f", #device, IR_F32, arguments, exact)
/* gzc(1) names them, which t/775-gzc-contract tests. Exact are those of which OpenCL and CUDA
 * demand C's bits; of the others OpenCL demands an error of at most 16 units. */
static const struct gzt_math math[] = {
    REAL(sqrt, sqrt, 1, true),
    REAL(fabs, fabs, 1, true),
    REAL(fmin, fmin, 2, true),
    REAL(fmax, fmax, 2, true),
    REAL(fdim, fdim, 2, true),
    REAL(floor, floor, 1, true),
    REAL(ceil, ceil, 1, true),
    REAL(trunc, trunc, 1, true),
    REAL(rint, rint, 1, true),
    REAL(nearbyint, rint, 1, true),
    REAL(round, round, 1, true),
    REAL(fmod, fmod, 2, true),
    REAL(remainder, remainder, 2, true),
    REAL(copysign, copysign, 2, true),
    REAL(fma, fma, 3, true),
    ROW("abs", "abs", IR_I32, 1, true),
    REAL(exp, exp, 1, false),
    REAL(exp2, exp2, 1, false),
    REAL(expm1, expm1, 1, false),
    REAL(log, log, 1, false),
    REAL(log2, log2, 1, false),
    REAL(log10, log10, 1, false),
    REAL(log1p, log1p, 1, false),
    REAL(pow, pow, 2, false),
    REAL(cbrt, cbrt, 1, false),
    REAL(hypot, hypot, 2, false),
    REAL(sin, sin, 1, false),
    REAL(cos, cos, 1, false),
    REAL(tan, tan, 1, false),
    REAL(asin, asin, 1, false),
    REAL(acos, acos, 1, false),
    REAL(atan, atan, 1, false),
    REAL(atan2, atan2, 2, false),
    REAL(sinh, sinh, 1, false),
    REAL(cosh, cosh, 1, false),
    REAL(tanh, tanh, 1, false),
    REAL(asinh, asinh, 1, false),
    REAL(acosh, acosh, 1, false),
    REAL(atanh, atanh, 1, false),
    REAL(erf, erf, 1, false),
    REAL(erfc, erfc, 1, false),
    REAL(tgamma, tgamma, 1, false),
};

/* Whether a name is one of namespace std; and whether it means what it means in the C library, and
 * not one's own function elsewhere. */
static bool is_in_std(const struct gzt_decl *function)
{
    return !function->renamed && strncmp(function->usr, "c:@N@std@", 9) == 0;
}

static bool is_of_library(const struct gzt_decl *function)
{
    return is_in_std(function) ||
           (!function->renamed && !function->body && strncmp(function->usr, "c:@F@", 5) == 0);
}

const struct gzt_math *gzt_math_named(const char *name)
{
    for (size_t i = 0; i < sizeof math / sizeof *math; i++)
        if (strcmp(math[i].name, name) == 0)
            return &math[i];
    return NULL;
}

static const struct gzt_math *find_math(const struct gzt_decl *function)
{
    static const char builtin[] = "__builtin_";
    const char *name = function->name;
    if (strncmp(name, builtin, sizeof builtin - 1) == 0)
        name += sizeof builtin - 1;
    return is_of_library(function) ? gzt_math_named(name) : NULL;
}

/* std::min and std::max. */
bool gzt_is_limit(const struct gzt_decl *function)
{
    static const char *const names[] = {"min", "max", NULL};
    return is_in_std(function) && gzt_is_one_of(function->name, names);
}

const struct gzt_math *gzt_math_of(const struct gzt_node *call)
{
    const struct gzt_math *named = call->decl ? find_math(call->decl) : NULL;
    const char *device = named ? named->device : "";
    if (strcmp(device, "abs") == 0 && call->type != IR_I32)
        device = "fabs"; /* also its name in C++ */
    for (size_t i = 0; named && i < sizeof math / sizeof *math; i++)
        if (strcmp(math[i].device, device) == 0 && math[i].type == call->type &&
            math[i].arguments == call->count)
            return &math[i];
    return NULL;
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
    return node->kind == GZT_CALL && node->decl && !node->decl->body &&
           gzt_is_one_of(node->decl->name, names);
}
