/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "types.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name;
    enum ir_type type;
} types[] = {{"void", IR_VOID},         {"_Bool", IR_BOOL},
             {"bool", IR_BOOL},         {"signed char", IR_I8},
             {"char", IR_I8},           {"unsigned char", IR_U8},
             {"short", IR_I16},         {"unsigned short", IR_U16},
             {"int", IR_I32},           {"unsigned int", IR_U32},
             {"long", IR_I64},          {"long long", IR_I64},
             {"unsigned long", IR_U64}, {"unsigned long long", IR_U64},
             {"float", IR_F32},         {"double", IR_F64},
             {"long double", IR_F80}};

const char *ir_type_name(enum ir_type type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return types[i].name;
    return "";
}

const char *ir_bare_type(const char *name)
{
    static const char *const words[] = {"const", "restrict", "__restrict", "volatile", NULL};
    struct gzt_text text = {0};
    for (size_t length; *name; name += length) {
        length = gzt_word(name);
        if (length > 0 && gzt_is_one_of(gzt_copy(name, length), words)) {
            length += name[length] == ' ';
            continue;
        }
        length += length == 0;
        gzt_add_bytes(&text, name, length);
    }
    while (text.length > 0 && text.bytes[text.length - 1] == ' ')
        text.bytes[--text.length] = '\0';
    return gzt_string(&text);
}

enum ir_type ir_type_of(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    return ir_element_of(name) ? IR_POINTER : IR_OTHER;
}

const char *ir_c_of(const char *name)
{
    enum ir_type type = ir_type_of(name);
    if (type == IR_POINTER)
        return ir_element_of(name);
    return type == IR_OTHER ? name : ir_type_name(type);
}

/* The brackets of an array's first dimension, which are in no parentheses; where the name ends, if
 * it has none. */
static const char *brackets(const char *name)
{
    int depth = 0;
    for (; *name && (*name != '[' || depth > 0); name++)
        depth += *name == '(' || *name == '<' ? 1 : *name == ')' || *name == '>' ? -1 : 0;
    return name;
}

/* Whether parentheses stand in a name before its sizes, which may have some of their own. */
static bool is_nested(const char *name)
{
    return memchr(name, '(', (size_t)(brackets(name) - name));
}

const char *ir_element_of(const char *name)
{
    size_t length = strlen(name);
    const char *array = brackets(name), *pointer = is_nested(name) ? strstr(name, "(*)") : NULL;
    if (is_nested(name) && !(pointer && pointer + 3 == array && *array))
        return NULL;
    if (pointer)
        return ir_bare_type(
            gzt_format("%.*s%s", (int)(pointer - name - (pointer > name)), name, pointer + 3));
    if (length > 0 && strchr("*&", name[length - 1]))
        return ir_bare_type(gzt_copy(name, length - 1));
    if (!*array)
        return NULL;
    int depth = 0;
    const char *end = array;
    do
        depth += *end == '[' ? 1 : *end == ']' ? -1 : 0;
    while (*end++ && depth > 0);
    return ir_bare_type(gzt_format("%.*s%s", (int)(array - name), name, end));
}

const char *ir_pointer_to(const char *c)
{
    const char *sizes = strchr(c, '[');
    return sizes ? gzt_format("%.*s (*)%s", (int)(sizes - c), c, sizes) : gzt_format("%s *", c);
}

bool ir_is_sized(const char *c)
{
    while ((c = strchr(c, '[')) && (isdigit((unsigned char)c[1]) || c[1] == ']'))
        c++;
    return c;
}

bool ir_is_array_type(const char *c)
{
    return *brackets(c) && !is_nested(c) && ir_element_of(c);
}

const char *ir_leaf_of(const char *c, int *dimensions)
{
    for (*dimensions = 0; ir_is_array_type(c); ++*dimensions)
        c = ir_element_of(c);
    return c;
}

bool ir_is_integer(enum ir_type type)
{
    return type >= IR_BOOL && type <= IR_U64;
}

bool ir_is_real(enum ir_type type)
{
    return type >= IR_F32 && type <= IR_F80;
}

enum ir_type ir_promoted(enum ir_type type)
{
    return type >= IR_BOOL && type < IR_I32 ? IR_I32 : type;
}

enum ir_type ir_common(enum ir_type a, enum ir_type b)
{
    a = ir_promoted(a);
    b = ir_promoted(b);
    return a > b ? a : b; /* the order of the types is that of C's ranks */
}

long ir_size_of(enum ir_type type)
{
    static const long sizes[] = {
        [IR_BOOL] = 1, [IR_I8] = 1,   [IR_U8] = 1,   [IR_I16] = 2, [IR_U16] = 2,
        [IR_I32] = 4,  [IR_U32] = 4,  [IR_I64] = 8,  [IR_U64] = 8, [IR_F32] = 4,
        [IR_F64] = 8,  [IR_F80] = 16, [IR_OTHER] = 0};
    return sizes[type];
}

int ir_bits_of(enum ir_type type)
{
    return type == IR_BOOL ? 1 : ir_is_integer(type) ? 8 * (int)ir_size_of(type) : 64;
}

bool ir_is_signed(enum ir_type type)
{
    return type == IR_I8 || type == IR_I16 || type == IR_I32 || type == IR_I64;
}

long ir_wrap(enum ir_type type, long whole)
{
    if (type == IR_BOOL)
        return whole != 0;
    if (!ir_is_integer(type) || ir_bits_of(type) == 64)
        return whole;
    unsigned long mask = (1UL << ir_bits_of(type)) - 1, bits = (unsigned long)whole & mask;
    if (ir_is_signed(type) && bits >> (ir_bits_of(type) - 1))
        bits |= ~mask;
    return (long)bits;
}

/* Holds all whole numbers of C, and what an operator makes of two, but for products that wrap. */
__extension__ typedef __int128 wide;

static wide wide_of(enum ir_type type, long whole)
{
    return type == IR_U64 ? (wide)(unsigned long)whole : whole;
}

static bool compute(const char *op, enum ir_type type, wide a, wide b, wide *result)
{
    bool left = op[0] == '<', shift = (left || op[0] == '>') && op[1] == op[0];
    bool equal = op[1] == '=';
    if (shift ? b < 0 || b >= ir_bits_of(type) || (left && a < 0) : strchr("/%", op[0]) && b == 0)
        return false;
    if (op[0] == '*' && __builtin_mul_overflow(a, b, result))
        return !ir_is_signed(type);
    *result = op[0] == '+'   ? a + b
              : op[0] == '-' ? a - b
              : op[0] == '*' ? *result
              : op[0] == '/' ? a / b
              : op[0] == '%' ? a % b
              : op[0] == '&' ? (a & b)
              : op[0] == '|' ? (a | b)
              : op[0] == '^' ? (a ^ b)
              : op[0] == '=' ? a == b
              : op[0] == '!' ? a != b
              : shift        ? (left ? a << b : a >> b)
              : left         ? (equal ? a <= b : a < b)
                             : (equal ? a >= b : a > b);
    return true;
}

/* Signed arithmetic must stay in the type's range; unsigned wraps. */
bool ir_fold(const char *op, enum ir_type type, long a, long b, int arguments, long *result)
{
    wide value, one = wide_of(type, a), other = wide_of(type, b);
    if (!ir_is_integer(type))
        return false;
    if (arguments == 1)
        value = op[0] == '~' ? ~one : -one;
    else if (!compute(op, type, one, other, &value))
        return false;
    *result = ir_wrap(type, (long)value);
    return !ir_is_signed(type) || *result == value;
}
