/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * follow.c - executes the integer instructions of a warp: of its threads those that are furthest
 * behind together, so that those that a branch has parted meet again where the code does.
 */
#include "machine.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    LOCAL = 8192,
    STEPS = 1000000,
    NONE = 255,
    BARRIERS = 16,
    END = -1,     /* in place of an instruction's number: there is none any more, */
    UNKNOWN = -2, /* or one that is not known */
};

struct thread {
    uint32_t r[256], u[64];
    bool p[8], up[8];
    uint32_t local[LOCAL / 4];
    const struct gzk_sass_launch *launch;
    int id, at; /* its next instruction; END when it has none */
    int waits;  /* at the barrier of this number, plus 1, for those that it parted from */
    uint32_t barrier[BARRIERS]; /* which threads come together at each, by their bits */
};

/* --------------------------------------------------------------------------------------- operands
 */

static uint32_t constant(const struct thread *t, const struct gzk_sass_operand *o, int word)
{
    uint32_t value = 0;
    int64_t at = o->value + 4 * word;
    if (o->index == 0 && at >= 0 && at + 4 <= GZK_SASS_CONSTANTS)
        memcpy(&value, t->launch->constants + at, sizeof value);
    return value;
}

/* Word 0 or 1 of an operand, without its sign. */
static uint32_t word_of(const struct thread *t, const struct gzk_sass_operand *o, int word)
{
    switch (o->kind) {
    case GZK_SASS_REGISTER:
        return o->index == NONE ? 0 : t->r[(o->index + word) & 255];
    case GZK_SASS_UNIFORM:
        return o->index == 63 ? 0 : t->u[(o->index + word) & 63];
    case GZK_SASS_CONSTANT:
        return constant(t, o, word);
    case GZK_SASS_NUMBER:
        return (uint32_t)((uint64_t)o->value >> (32 * word));
    default:
        return 0;
    }
}

static uint32_t value_of(const struct thread *t, const struct gzk_sass_operand *o)
{
    uint32_t v = word_of(t, o, 0);
    if (o->absolute && (int32_t)v < 0)
        v = -v;
    v = o->inverted ? ~v : v;
    return o->negative ? -v : v;
}

static uint64_t pair_of(const struct thread *t, const struct gzk_sass_operand *o)
{
    uint64_t v = word_of(t, o, 0) | (uint64_t)word_of(t, o, 1) << 32;
    if (o->kind == GZK_SASS_NUMBER)
        v = (uint64_t)o->value;
    v = o->inverted ? ~v : v;
    return o->negative ? -v : v;
}

/* As a term of a sum whose carry counts: -x is ~x + 1. */
static uint64_t term_of(const struct thread *t, const struct gzk_sass_operand *o)
{
    struct gzk_sass_operand plain = *o;
    plain.negative = 0;
    uint32_t v = value_of(t, &plain);
    return o->negative ? (uint64_t)(uint32_t)~v + 1 : v;
}

static bool is_predicate(const struct gzk_sass_operand *o)
{
    return o->kind == GZK_SASS_PREDICATE || o->kind == GZK_SASS_UNIFORM_PREDICATE;
}

static bool truth_of(const struct thread *t, const struct gzk_sass_operand *o)
{
    const bool *file = o->kind == GZK_SASS_UNIFORM_PREDICATE ? t->up : t->p;
    return (is_predicate(o) ? file[o->index & 7] : false) != (o->inverted != 0);
}

static void put(struct thread *t, const struct gzk_sass_operand *o, int word, uint32_t value)
{
    if (o->kind == GZK_SASS_REGISTER && o->index != NONE)
        t->r[(o->index + word) & 255] = value;
    if (o->kind == GZK_SASS_UNIFORM && o->index != 63)
        t->u[(o->index + word) & 63] = value;
}

static void put_truth(struct thread *t, const struct gzk_sass_operand *o, bool value)
{
    if (is_predicate(o) && (o->index & 7) != 7)
        (o->kind == GZK_SASS_UNIFORM_PREDICATE ? t->up : t->p)[o->index] = value;
}

/* ------------------------------------------------------------------------------------ instructions
 */

/* An instruction taken apart: its results, and its sources from `in` on. */
struct taken {
    const struct gzk_sass_instruction *of;
    const char *name; /* without the U of uniform ones */
    const struct gzk_sass_operand *to, *carry[2], *in;
    int sources;
};

static bool has(const struct taken *i, const char *modifier)
{
    size_t n = strlen(modifier);
    for (const char *s = strchr(i->name, '.'); s; s = strchr(s + 1, '.'))
        if (strncmp(s + 1, modifier, n) == 0 && (s[n + 1] == '.' || !s[n + 1]))
            return true;
    return false;
}

static bool is(const struct taken *i, const char *base)
{
    size_t n = strlen(base);
    return strncmp(i->name, base, n) == 0 && (i->name[n] == '.' || !i->name[n]);
}

/* A predicate may come before the result, or up to two after it. */
static void take_apart(const struct gzk_sass_instruction *of, struct taken *i)
{
    static const struct gzk_sass_operand none = {.kind = GZK_SASS_NUMBER};
    int k = 0;
    *i = (struct taken){.of = of, .name = of->name, .to = &none, .carry = {&none, &none}};
    if (of->operands > 1 && is_predicate(&of->operand[0]) && !is_predicate(&of->operand[1]))
        i->carry[0] = &of->operand[k++];
    if (k < of->operands)
        i->to = &of->operand[k++];
    for (int c = 0;
         c < 2 && k < of->operands && is_predicate(&of->operand[k]) && of->operands - k > 2; c++)
        i->carry[c] = &of->operand[k++];
    i->in = &of->operand[k];
    i->sources = of->operands - k;
}

static uint32_t source(const struct thread *t, const struct taken *i, int k)
{
    return k < i->sources ? value_of(t, &i->in[k]) : 0;
}

/* The carry-in number k, of which the predicates at the end are; false if there is none. */
static bool carry_in(const struct thread *t, const struct taken *i, int from)
{
    return from < i->sources && is_predicate(&i->in[from]) && truth_of(t, &i->in[from]);
}

static void put_sum(struct thread *t, const struct taken *i, uint64_t sum)
{
    put(t, i->to, 0, (uint32_t)sum);
    put_truth(t, i->carry[0], sum >> 32 >= 1);
    put_truth(t, i->carry[1], sum >> 32 >= 2);
}

static void do_iadd3(struct thread *t, const struct taken *i)
{
    uint64_t sum = 0;
    for (int k = 0; k < 3 && k < i->sources; k++)
        sum += term_of(t, &i->in[k]);
    put_sum(t, i, sum + (has(i, "X") ? carry_in(t, i, 3) + carry_in(t, i, 4) : 0));
}

static void do_imad(struct thread *t, const struct taken *i)
{
    uint32_t a = source(t, i, 0), b = source(t, i, 1);
    bool is_unsigned = has(i, "U32");
    uint64_t product =
        is_unsigned ? (uint64_t)a * b : (uint64_t)((int64_t)(int32_t)a * (int64_t)(int32_t)b);
    bool carry = has(i, "X") && carry_in(t, i, 3);
    if (has(i, "WIDE")) {
        uint64_t c = pair_of(t, &i->in[2]), sum = product + c + carry;
        put(t, i->to, 0, (uint32_t)sum);
        put(t, i->to, 1, (uint32_t)(sum >> 32));
        put_truth(t, i->carry[0], sum < c);
    } else if (has(i, "HI")) {
        put(t, i->to, 0, (uint32_t)((product + pair_of(t, &i->in[2])) >> 32));
    } else {
        put_sum(t, i, (uint64_t)(uint32_t)(a * b) + term_of(t, &i->in[2]) + carry);
    }
}

static void do_lea(struct thread *t, const struct taken *i)
{
    bool extended = has(i, "SX32"), high = has(i, "HI");
    int at = high && !extended ? 3 : 2;
    uint32_t shift = source(t, i, at) & 31, a = source(t, i, 0);
    uint64_t wide = extended ? (uint64_t)(int64_t)(int32_t)a : a;
    if (high && !extended)
        wide |= (uint64_t)source(t, i, 2) << 32;
    uint64_t shifted = high ? wide << shift >> 32 : (uint32_t)(a << shift);
    put_sum(t, i,
            (uint32_t)shifted + term_of(t, &i->in[1]) + (has(i, "X") ? carry_in(t, i, at + 1) : 0));
}

static bool lut_of(uint32_t table, bool a, bool b, bool c)
{
    return table >> (4 * a + 2 * b + c) & 1;
}

static void do_lop3(struct thread *t, const struct taken *i)
{
    uint32_t a = source(t, i, 0), b = source(t, i, 1), c = source(t, i, 2), out = 0;
    for (int bit = 0; bit < 32; bit++)
        out |= (uint32_t)lut_of(source(t, i, 3), a >> bit & 1, b >> bit & 1, c >> bit & 1) << bit;
    put(t, i->to, 0, out);
    put_truth(t, i->carry[0], out != 0);
}

static void do_plop3(struct thread *t, const struct gzk_sass_instruction *in)
{
    const struct gzk_sass_operand *o = in->operand;
    bool a = truth_of(t, &o[2]), b = truth_of(t, &o[3]), c = truth_of(t, &o[4]);
    bool first = lut_of((uint32_t)o[5].value, a, b, c);
    bool second = lut_of((uint32_t)o[6].value, a, b, c);
    put_truth(t, &o[0], first);
    put_truth(t, &o[1], second);
}

static bool compare(const struct taken *i, uint32_t a, uint32_t b)
{
    int order =
        has(i, "U32") ? (a > b) - (a < b) : ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
    return has(i, "GE")   ? order >= 0
           : has(i, "GT") ? order > 0
           : has(i, "LE") ? order <= 0
           : has(i, "LT") ? order < 0
           : has(i, "NE") ? order != 0
                          : order == 0;
}

/* P, Q, a, b, with, lower: P the comparison and `with`, Q its opposite; extended ones go on from
 * the lower words' comparison. */
static void do_isetp(struct thread *t, const struct taken *i)
{
    const struct gzk_sass_operand *o = i->of->operand;
    uint32_t a = value_of(t, &o[2]), b = value_of(t, &o[3]);
    bool truth = has(i, "EX") && a == b ? truth_of(t, &o[5]) : compare(i, a, b);
    bool with = truth_of(t, &o[4]);
    bool first = has(i, "OR") ? truth || with : has(i, "XOR") ? truth != with : truth && with;
    bool second = has(i, "OR") ? !truth || with : has(i, "XOR") ? !truth != with : !truth && with;
    put_truth(t, &o[0], first);
    put_truth(t, &o[1], second);
}

static void do_shf(struct thread *t, const struct taken *i)
{
    uint32_t low = source(t, i, 0), high = source(t, i, 2), shift = source(t, i, 1);
    uint64_t both = (uint64_t)high << 32 | low;
    bool wide = has(i, "U64") || has(i, "S64");
    uint32_t most = wide ? 63 : 32, out;
    shift = has(i, "W") ? shift & (wide ? 63 : 31) : shift < most ? shift : most;
    if (has(i, "L"))
        out = (uint32_t)(has(i, "HI") ? both << shift >> 32 : (uint64_t)low << shift);
    else if (has(i, "S32"))
        out = (uint32_t)((int64_t)(int32_t)(has(i, "HI") ? high : low) >> shift);
    else if (wide)
        out = (uint32_t)((has(i, "S64") ? (uint64_t)((int64_t)both >> shift) : both >> shift) >>
                         (has(i, "HI") ? 32 : 0));
    else
        out = (uint32_t)((uint64_t)(has(i, "HI") ? high : low) >> shift);
    put(t, i->to, 0, out);
}

static uint32_t least_or_most(const struct taken *i, uint32_t a, uint32_t b, bool least)
{
    bool less = has(i, "U32") ? a < b : (int32_t)a < (int32_t)b;
    uint32_t out = less == least ? a : b;
    return has(i, "RELU") && (int32_t)out < 0 ? 0 : out;
}

static void do_minmax(struct thread *t, const struct taken *i)
{
    uint32_t a = source(t, i, 0), b = source(t, i, 1);
    bool least = truth_of(t, &i->in[i->sources - 1]);
    if (is(i, "VIADDMNMX"))
        a = least_or_most(i, a + b, source(t, i, 2), least);
    else
        a = least_or_most(i, a, b, least);
    if (is(i, "VIMNMX3"))
        a = least_or_most(i, a, source(t, i, 2), least);
    put(t, i->to, 0, a);
}

/* A half's bits, of the constants that HFMA2 adds to nothing. */
static uint32_t half_bits(double x)
{
    int exponent = 0;
    double share = frexp(fabs(x), &exponent);
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    if (!(share > 0))
        return sign;
    if (exponent < -13)
        return sign | (uint32_t)lround(ldexp(fabs(x), 24));
    return sign | (uint32_t)(exponent + 14) << 10 | (uint32_t)lround((2 * share - 1) * 1024);
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Quotients of integers begin with the reciprocal of a float, and are put right by integers. */
static void do_convert(struct thread *t, const struct taken *i)
{
    uint32_t a = source(t, i, 0);
    if (is(i, "I2F") || is(i, "I2FP")) {
        double x = has(i, "U32") ? (double)a : (double)(int32_t)a;
        float f = (float)x;
        if (has(i, "RP") && (double)f < x)
            f = nextafterf(f, INFINITY);
        put(t, i->to, 0, bits_of(f));
    } else if (is(i, "MUFU")) {
        put(t, i->to, 0, has(i, "RCP") ? bits_of(1 / float_of(a)) : 0);
    } else {
        double x = trunc((double)float_of(a));
        put(t, i->to, 0, x >= 0 && x < 4294967296.0 ? (uint32_t)x : x < 0 ? 0 : UINT32_MAX);
    }
}

static void do_special(struct thread *t, const struct taken *i)
{
    static const char *const names[] = {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"};
    uint32_t value = 0;
    for (int k = 0; k < 3; k++)
        if (strcmp(i->in[0].text, names[k]) == 0)
            value = (uint32_t)t->launch->block[k];
    if (strcmp(i->in[0].text, "SR_TID.X") == 0)
        value = (uint32_t)t->id;
    if (strcmp(i->in[0].text, "SR_LANEID") == 0)
        value = (uint32_t)t->id % LANES;
    put(t, i->to, 0, value);
}

/* Predicates as bits of a register, and back. */
static void do_bits(struct thread *t, const struct taken *i)
{
    const struct gzk_sass_operand *o = i->of->operand;
    uint32_t bits = 0;
    if (is(i, "P2R")) {
        for (int k = 0; k < 7; k++)
            bits |= (uint32_t)t->p[k] << k;
        uint32_t mask = value_of(t, &o[3]);
        put(t, &o[0], 0, (bits & mask) | (value_of(t, &o[2]) & ~mask));
        return;
    }
    for (int k = 0; k < 7; k++)
        if (value_of(t, &o[2]) >> k & 1)
            t->p[k] = value_of(t, &o[1]) >> k & 1;
}

/* Local memory holds what registers have no room for. */
static void do_local(struct thread *t, const struct taken *i)
{
    int words = has(i, "128") ? 4 : has(i, "64") ? 2 : 1;
    bool store = is(i, "STL");
    const struct gzk_sass_operand *at = store ? i->to : &i->in[0],
                                  *data = store ? &i->in[0] : i->to;
    for (int k = 0; k < words; k++) {
        uint64_t byte = word_of(t, at, 0) + (uint64_t)at->value + 4 * (uint64_t)k;
        uint32_t *place = &t->local[byte / 4 % (LOCAL / 4)];
        if (store)
            *place = word_of(t, data, k);
        else
            put(t, data, k, *place);
    }
}

/* What is loaded is 0. */
static void do_load(struct thread *t, const struct taken *i)
{
    int words = has(i, "128") ? 4 : has(i, "64") ? 2 : 1;
    for (int k = 0; k < words; k++)
        put(t, i->to, k, 0);
}

static void do_constant(struct thread *t, const struct taken *i)
{
    put(t, i->to, 0, word_of(t, &i->in[0], 0));
    if (has(i, "64"))
        put(t, i->to, 1, word_of(t, &i->in[0], 1));
}

static void do_move(struct thread *t, const struct taken *i)
{
    put(t, i->to, 0, source(t, i, 0));
    if (is(i, "CS2R"))
        put(t, i->to, 1, 0);
}

static void do_select(struct thread *t, const struct taken *i)
{
    put(t, i->to, 0, source(t, i, truth_of(t, &i->in[2]) ? 0 : 1));
}

/* Bytes of two words, chosen by the digits of the second operand; 8 and above: a byte's sign. */
static void do_permute(struct thread *t, const struct taken *i)
{
    uint64_t both = source(t, i, 0) | (uint64_t)source(t, i, 2) << 32;
    uint32_t chosen = source(t, i, 1), out = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t digit = chosen >> 4 * k & 15, byte = (uint32_t)(both >> 8 * (digit & 7)) & 255;
        out |= (digit < 8 ? byte : byte > 127 ? 255 : 0) << 8 * k;
    }
    put(t, i->to, 0, out);
}

static void do_absolute(struct thread *t, const struct taken *i)
{
    uint32_t a = source(t, i, 0);
    put(t, i->to, 0, (int32_t)a < 0 ? -a : a);
}

/* Of two words each in IADD.64. */
static void do_add(struct thread *t, const struct taken *i)
{
    if (!has(i, "64")) {
        put(t, i->to, 0, source(t, i, 0) + source(t, i, 1));
        return;
    }
    uint64_t sum = pair_of(t, &i->in[0]) + pair_of(t, &i->in[1]);
    put(t, i->to, 0, (uint32_t)sum);
    put(t, i->to, 1, (uint32_t)(sum >> 32));
}

static void do_halves(struct thread *t, const struct taken *i)
{
    const struct gzk_sass_operand *o = i->in;
    double sign[2] = {o[2].negative ? -1 : 1, o[3].negative ? -1 : 1};
    if (i->sources >= 4)
        put(t, i->to, 0,
            half_bits(sign[0] * strtod(o[2].text, NULL)) << 16 |
                half_bits(sign[1] * strtod(o[3].text, NULL)));
}

static void do_plop3_of(struct thread *t, const struct taken *i)
{
    do_plop3(t, i->of);
}

/* Floating point's comparisons are false: no branch depends on them. */
static void do_false(struct thread *t, const struct taken *i)
{
    put_truth(t, &i->of->operand[0], false);
    put_truth(t, &i->of->operand[1], false);
}

static void do_nothing(struct thread *t, const struct taken *i)
{
    (void)t;
    (void)i;
}

static const struct {
    const char *name;
    void (*run)(struct thread *, const struct taken *);
} table[] = {{"IADD3", do_iadd3},    {"IMAD", do_imad},         {"LEA", do_lea},
             {"LOP3", do_lop3},      {"PLOP3", do_plop3_of},    {"ISETP", do_isetp},
             {"SHF", do_shf},        {"IMNMX", do_minmax},      {"VIMNMX", do_minmax},
             {"VIMNMX3", do_minmax}, {"VIADDMNMX", do_minmax},  {"IABS", do_absolute},
             {"PRMT", do_permute},   {"VIADD", do_add},         {"IADD", do_add},
             {"SEL", do_select},     {"MOV", do_move},          {"R2UR", do_move},
             {"CS2R", do_move},      {"S2R", do_special},       {"S2UR", do_special},
             {"LDC", do_constant},   {"LDCU", do_constant},     {"P2R", do_bits},
             {"R2P", do_bits},       {"STL", do_local},         {"LDL", do_local},
             {"LDG", do_load},       {"LDS", do_load},          {"LD", do_load},
             {"ATOMG", do_load},     {"I2F", do_convert},       {"I2FP", do_convert},
             {"F2I", do_convert},    {"MUFU", do_convert},      {"HFMA2", do_halves},
             {"FSETP", do_false},    {"DSETP", do_false},       {"STG", do_nothing},
             {"STS", do_nothing},    {"ST", do_nothing},        {"RED", do_nothing},
             {"BAR", do_nothing},    {"MEMBAR", do_nothing},    {"FENCE", do_nothing},
             {"CCTL", do_nothing},   {"ERRBAR", do_nothing},    {"NOP", do_nothing},
             {"YIELD", do_nothing},  {"WARPSYNC", do_nothing},  {"BMOV", do_nothing},
             {"DEPBAR", do_nothing}, {"LDGDEPBAR", do_nothing}, {"FADD", do_nothing},
             {"FMUL", do_nothing},   {"FFMA", do_nothing},      {"FMNMX", do_nothing},
             {"FSEL", do_nothing},   {"FCHK", do_nothing},      {"DADD", do_nothing},
             {"DMUL", do_nothing},   {"DFMA", do_nothing},      {"F2F", do_nothing},
             {"FADD2", do_nothing},  {"FFMA2", do_nothing},     {"FMUL2", do_nothing},
             {"FMNMX3", do_nothing}, {"PREEXIT", do_nothing},   {"ACQBULK", do_nothing}};

static bool is_double(const char *name)
{
    return strncmp(name, "DADD", 4) == 0 || strncmp(name, "DMUL", 4) == 0 ||
           strncmp(name, "DFMA", 4) == 0 || strncmp(name, "DSETP", 5) == 0;
}

static bool is_guarded(const struct thread *t, const struct gzk_sass_instruction *in)
{
    return (in->guard_uniform ? t->up : t->p)[in->guard & 7] != (in->guard_inverted != 0);
}

/* What an instruction is, found once. */
enum kind { PLAIN, EXITS, JUMPS, VOTES, PARTS, MEETS, LEAVES, STRANGE };
struct decoded {
    enum kind kind;
    struct taken i;
    void (*run)(struct thread *, const struct taken *);
};

static void decode(const struct gzk_sass_instruction *in, struct decoded *d)
{
    static const struct {
        const char *name;
        enum kind kind;
    } control[] = {{"EXIT", EXITS}, {"BRA", JUMPS},   {"CALL", JUMPS},
                   {"JMP", JUMPS},  {"VOTE", VOTES},  {"VOTEU", VOTES},
                   {"BSSY", PARTS}, {"BSYNC", MEETS}, {"BREAK", LEAVES}};
    *d = (struct decoded){.kind = STRANGE};
    take_apart(in, &d->i);
    for (size_t k = 0; k < sizeof control / sizeof *control; k++)
        if (is(&d->i, control[k].name))
            d->kind = control[k].kind;
    for (int uniform = 0; uniform < 2 && d->kind == STRANGE; uniform++) {
        if (uniform && d->i.name[0] != 'U')
            break;
        d->i.name += uniform;
        for (size_t k = 0; k < sizeof table / sizeof *table && d->kind == STRANGE; k++)
            if (is(&d->i, table[k].name)) {
                d->kind = PLAIN;
                d->run = table[k].run;
            }
    }
}

/* Where a jump leads a thread. */
static int jump(const struct thread *t, const struct gzk_sass_instruction *in, int at)
{
    bool taken = true;
    int64_t to = UNKNOWN;
    for (int k = 0; k < in->operands; k++) {
        taken = taken && (!is_predicate(&in->operand[k]) || truth_of(t, &in->operand[k]));
        if (in->operand[k].kind == GZK_SASS_LABEL)
            to = in->operand[k].value;
    }
    return taken ? (to < 0 ? UNKNOWN : (int)to) : at + 1;
}

/* Executes one instruction by one thread; the number of the next, or END, or UNKNOWN. */
static int step(struct thread *t, const struct decoded *d, int at)
{
    if (d->kind == STRANGE)
        return UNKNOWN;
    if (!is_guarded(t, d->i.of))
        return at + 1;
    if (d->kind == EXITS)
        return END;
    if (d->kind == JUMPS)
        return jump(t, d->i.of, at);
    if (d->kind == PLAIN)
        d->run(t, &d->i);
    return at + 1;
}

/* ------------------------------------------------------------------------------------------- warps
 */

#define EACH(t, warp) for (struct thread *t = (warp); t < (warp) + LANES; t++)

static uint32_t bit_of(const struct thread *t, const struct thread *warp)
{
    return 1u << (t - warp);
}

/* The barrier of convergence that an instruction names: B0 to B15. */
static int barrier_of(const struct gzk_sass_instruction *in)
{
    for (int k = 0; k < in->operands; k++)
        if (in->operand[k].text[0] == 'B')
            return (int)strtol(in->operand[k].text + 1, NULL, 10) % BARRIERS;
    return 0;
}

/* Has a thread no longer waited for. */
static void leave(struct thread *warp, const struct thread *who, const struct decoded *d)
{
    const struct gzk_sass_instruction *in = d->i.of;
    bool leaves = is_guarded(who, in);
    if (in->operands > 1)
        leaves = leaves && truth_of(who, &in->operand[0]);
    EACH(t, warp)
    if (leaves)
        t->barrier[barrier_of(in)] &= ~bit_of(who, warp);
}

/* Lets the threads go on of which all that are to come together have arrived; all that wait if no
 * other is left. */
static void release(struct thread *warp, bool all)
{
    uint32_t waiting[BARRIERS] = {0}, ended = 0;
    EACH(t, warp)
    {
        ended |= t->at == END ? bit_of(t, warp) : 0;
        if (t->waits)
            waiting[t->waits - 1] |= bit_of(t, warp);
    }
    EACH(t, warp)
    if (t->waits && (all || (t->barrier[t->waits - 1] & ~(waiting[t->waits - 1] | ended)) == 0)) {
        t->waits = 0;
        t->at++;
    }
}

/* Whether any thread of the group, or all, have a predicate. */
static void vote(struct thread *warp, uint32_t group, const struct taken *i)
{
    const struct gzk_sass_instruction *in = i->of;
    bool any = false, all = true;
    EACH(t, warp)
    if (group & bit_of(t, warp) && is_guarded(t, in)) {
        bool has_it = truth_of(t, &in->operand[1]);
        any = any || has_it;
        all = all && has_it;
    }
    EACH(t, warp)
    if (group & bit_of(t, warp) && is_guarded(t, in))
        put_truth(t, &in->operand[0], has(i, "ALL") ? all : any);
}

/* Executes instruction `at` by all threads that are there; zero, or UNKNOWN. */
static int step_group(struct thread *warp, const struct decoded *d, int at)
{
    int status = 0;
    uint32_t group = 0;
    EACH(t, warp)
    group |= t->at == at && !t->waits ? bit_of(t, warp) : 0;
    if (d->kind == VOTES)
        vote(warp, group, &d->i);
    EACH(t, warp)
    {
        if (!(group & bit_of(t, warp)))
            continue;
        if (d->kind == PARTS)
            t->barrier[barrier_of(d->i.of)] = group;
        if (d->kind == LEAVES)
            leave(warp, t, d);
        if (d->kind == MEETS && is_guarded(t, d->i.of))
            t->waits = barrier_of(d->i.of) + 1;
        else
            t->at = step(t, d, at);
        status = t->at == UNKNOWN ? UNKNOWN : status;
    }
    if (d->kind == MEETS || d->kind == EXITS || d->kind == LEAVES)
        release(warp, false);
    return status;
}

/* The first instruction of any thread that does not wait; `count` if there is none. */
static int furthest_behind(const struct thread *warp, int count, bool *waiting)
{
    *waiting = false;
    for (int lane = 0; lane < LANES; lane++) {
        const struct thread *t = &warp[lane];
        *waiting = *waiting || t->waits > 0;
        if (t->at != END && !t->waits && t->at < count)
            count = t->at;
    }
    return count;
}

/* Follows a warp; adds how often it executes each instruction to `often`. */
static int follow(struct thread *warp, const struct decoded *code, int count, double *often,
                  struct gzk_error *error)
{
    bool waiting;
    for (long n = 0; n < STEPS; n++) {
        int at = furthest_behind(warp, count, &waiting);
        if (at == count && !waiting)
            return 0;
        if (at == count) {
            release(warp, true);
            continue;
        }
        /* An instruction whose predicate is false is issued, too. */
        often[at]++;
        if (step_group(warp, &code[at], at) != 0)
            return gzk_fail(error, GZK_FAILED, "an instruction is not known: %s",
                            code[at].i.of->name);
    }
    return gzk_fail(error, GZK_FAILED, "the machine code does not come to an end");
}

int gzk_sass_follow(const struct gzk_sass_code *code, const struct gzk_sass_launch *launch,
                    int first, struct gzk_sass_counted *out, struct gzk_error *error)
{
    size_t count = (size_t)code->count;
    double *often = calloc(count + 1, sizeof *often);
    struct thread *warp = calloc(LANES, sizeof *warp);
    struct decoded *decoded = calloc(count + 1, sizeof *decoded);
    int made = often && warp && decoded;
    int status = made ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
    *out = (struct gzk_sass_counted){0, 0};
    for (size_t k = 0; k < count && made; k++)
        decode(&code->of[k], &decoded[k]);
    for (int lane = 0; lane < LANES && made; lane++) {
        struct thread *t = &warp[lane];
        t->launch = launch;
        t->id = first + lane;
        t->at = t->id < launch->threads ? 0 : END;
        t->p[7] = t->up[7] = true;
    }
    if (made)
        status = follow(warp, decoded, code->count, often, error);
    for (size_t k = 0; k < count && status == 0; k++) {
        out->all += often[k];
        out->doubles += is_double(code->of[k].name) ? often[k] : 0;
    }
    free(often);
    free(warp);
    free(decoded);
    return status;
}
