/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * programs.c - writes C programs of random stencil loops, each a function of its own that prints a
 * sum over the bits of every array and scalar. A program is a row of decisions, of which 0 is
 * always the plainest; it knows what C leaves undefined, and keeps off it, but nothing of gzc. One
 * in four is odd: it may do what few loops do and most translators would refuse, bounds of the time
 * that are not whole and scalars that loops hand on, so that the others are not all refused for it.
 */
#include "decisions.h"
#include "kinds.h"

#include <stdarg.h>
#include <string.h>

enum form {
    PARITY,
    SWAP,
    TWO_SWEEPS,
    RING,
    ROTATE,
    COPIES,
    COPY_BACK,
    COPY_FIRST,
    IN_PLACE,
    COLOURED,
    FORMS
};
enum edge { KEEP, CLAMP, WRAP, ZERO, EDGES };
enum counts { PLAIN, WHILE, DOWN, DOWN_FIRST, DOUBLE, MEMBER, POINTED, TWO, BESIDE, COUNTS };
enum storage { LINEAR, ROWS, STATIC, MEMBERS, POINTERS, STORAGES };

struct program {
    int number, dimensions;
    int real;         /* whether the state is not of whole numbers */
    const char *type; /* of the state */
    enum form form;
    enum storage storage;
    enum edge edge[3];   /* by axis, from the slowest */
    int low[3], high[3]; /* cells left out before and behind the domain */
    int iterator;        /* its type */
    int outside;         /* whether iterators are declared before the loops */
    int time;            /* the type of the time variable */
    int time_outside;
    int pointed; /* whether a pointer leads to it */
    int step;
    int linear;       /* how a linear index is written */
    int macros;       /* whether the loops are headed by a macro */
    const char *from; /* what the sweep reads */
    int colour;
    int statements; /* how many scalars each loop sets */
    int odd;        /* whether it may do what few loops do */
    int shift[3];   /* what the loop variables are behind the place */
    int sizes;      /* how the sizes of linear arrays are written */
    int sweeps;     /* how many there are so far */
    int looks; /* whether loops do more now and then: 1 before, 2 behind the sweeps, 4 among them */
    int borders; /* where cells beyond the domain are set: 1 before, 2 behind the sweep, 3 between
                  */
    int points;  /* where single cells are set, likewise */
    int hears;   /* where single cells are handed on, likewise */
    int sums;    /* where a whole number adds up the cells, which may end the loops: 1 in the sweep,
                    2 behind it, 3 behind what moves the state; 4 nowhere, in a loop of such a kind */
    int counts;  /* how the time loop counts, if it is not a plain for */
    int older;   /* whether there are three time levels */
    const char *oldest; /* what then holds the oldest */
    int overlaps;       /* whether arrays share memory */
    int behind;         /* whether what it asks for lies behind a null pointer where no loop runs */
    int kind_count;
    const struct kind *kind[3];
    const char *whole[3]; /* a type of each kind's own */
};
static struct program p;
static enum language language; /* of all programs, C_ONLY or CXX_ONLY */

static const char *const wholes[] = {"int", "long", "unsigned", "size_t"};

static int is_real(void)
{
    return p.real;
}

/* ------------------------------------------------------------------------------------ pieces */

/* Pieces of all kinds at some place. */
#define PUT_PIECES(member)                                                                         \
    for (int kind = 0; kind < p.kind_count; kind++)                                                \
        if (p.kind[kind]->member)                                                                  \
    put_piece(p.kind[kind]->member, p.kind[kind]->member + strlen(p.kind[kind]->member), kind)

/* ---------------------------------------------------------------------------------- elements */

static int is_unsigned(void)
{
    return p.iterator >= 2;
}

static const char *extent(int axis)
{
    static const char *const fixed[] = {"N_@", "M_@", "L_@"};
    return p.storage == STATIC ? fixed[axis] : extents[axis];
}

/* The coordinate itself. */
static const char *place(int axis)
{
    static char text[3][20];
    snprintf(text[axis], sizeof text[axis], p.shift[axis] ? "(%s %c %d)" : "%s", variables[axis],
             p.shift[axis] < 0 ? '-' : '+', abs(p.shift[axis]));
    return text[axis];
}

/* A distance behind it. */
static void put_moved(int axis, int d)
{
    int way = pick(14);
    if (d == 0)
        say_at(way == 8 ? "$x + 0" : "$x", 0, axis, 0);
    else if (way == 7)
        printf("(%s + %d) - %d", place(axis), 5 + d, 5);
    else
        SAY_ONE(way, 0, axis, d, "$x $o $d", "$s + $x", "$x + ($s)", "$x $o (short)$d",
                "$x $o 0b$b", "$x $o '\\$d'", "$x $o ONE_@ * $d", "", "$x $o $d", "$x $o $dL",
                "(long)$x $o $d", "$x $o (int)($d + 0.5)", "(int)$x $o (int)sizeof(char) * $d",
                "$x $o $d");
}

/* The axis along which a loop over neighbours moves, or -1. */
static int moved_axis = -1;

/* A coordinate that is `d` behind a loop variable, by the rule of its edges. */
static void put_index(int axis, int d)
{
    enum edge edge = p.edge[axis];
    if (axis == moved_axis)
        printf("%s + near", place(axis));
    else if (d == 0 || edge == KEEP || edge == ZERO)
        put_moved(axis, d);
    else if (edge == WRAP)
        SAY_ONE(pick(4) + (d > 0 ? 4 : 0), 0, axis, d, "($x + $s + $n) % $n",
                "$x >= $d ? $x - $d : $x + $n - $d", "$x >= $d ? $x - $d : $x + $n - $d",
                "($n + $x - $d) % $n", "($x + $s + $n) % $n",
                "$x + $d < $n ? $x + $d : $x + $d - $n", "($x + $d) % $n",
                "wrap_@((int)$x + $d, $n)");
    else if (d < 0)
        SAY_ONE(pick(is_unsigned() ? 2 : 4), 0, axis, d, "$x >= $d ? $x - $d : 0",
                "MAX_@((int)$x - $d, 0)", "$x - $d < 0 ? 0 : $x - $d", "clamp_@($x - $d, $n)");
    else
        SAY_ONE(pick(3), 0, axis, d, "$x + $d < $n ? $x + $d : $n - 1",
                "$x < $n - $d ? $x + $d : $n - 1", "clamp_@((int)$x + $d, $n)");
}

static int is_linear(void)
{
    return p.storage == LINEAR || p.storage == MEMBERS;
}

static void put_size(int axis)
{
    say(extent(axis));
}

/* A static array of that name. */
static void put_static(const char *name)
{
    say("static $T ");
    say(name);
    for (int axis = 0; axis < p.dimensions; axis++)
        printf("["), put_size(axis), printf("]");
    printf(";\n");
}

/* The same in an index of a linear array. */
static void put_row_size(int axis)
{
    if (p.sizes)
        printf("size_%d_%d", p.number, axis);
    else
        put_size(axis);
}

/* An element of a linear array, by one of some ways to write its index. */
static void put_offset(int axis, const int *d)
{
    put_index(axis, d[axis]);
}

/* An element, by what `put_axis` writes for each axis; one of a linear array in one of some ways.
 */
static void put_by_axes(const char *array, int way, void (*put_axis)(int axis, const int *of),
                        const int *of)
{
    int linear = is_linear(), by_function = linear && way == 2;
    printf(linear && way == 1 ? "*(" : "");
    say(array);
    printf(!linear ? "" : way == 1 ? " + " : "[");
    say(by_function ? "ix_@(" : "");
    for (int axis = 0; axis < p.dimensions; axis++) {
        printf(by_function ? "" : !linear ? "[" : way == 3 && axis == 0 ? "(size_t)(" : "(");
        put_axis(axis, of);
        printf(by_function ? "" : linear ? ")" : "]");
        for (int faster = axis + 1; linear && faster < p.dimensions && !by_function; faster++)
            printf(" * "), put_row_size(faster);
        if (linear && axis < p.dimensions - 1)
            printf(by_function ? ", " : " + ");
    }
    printf(!linear ? "" : by_function ? ", m, l)]" : way == 1 ? ")" : "]");
}

static void put_element(const char *array, const int *d)
{
    put_by_axes(array, p.linear, put_offset, d);
}

static void draw_offsets(int *d)
{
    int used = 0;
    for (int axis = 0; axis < p.dimensions; axis++) {
        int near = p.edge[axis] == KEEP ? p.low[axis] : 2;
        int far = p.edge[axis] == KEEP ? p.high[axis] : 2;
        d[axis] = pick(near + far + 1);
        d[axis] = d[axis] <= far ? d[axis] : far - d[axis];
        if (p.form == COLOURED)
            d[axis] = used || d[axis] == 0 ? 0 : d[axis] > 0 ? 1 : -1;
        if (p.form == IN_PLACE)
            d[axis] = 0;
        used = used || d[axis];
    }
}

/* An element at random distances, behind a guard where it may lie beyond the array. */
static void put_read(const char *array)
{
    int d[3], guards = 0;
    draw_offsets(d);
    for (int axis = 0; axis < p.dimensions; axis++)
        if (p.edge[axis] == ZERO && d[axis]) {
            printf(guards++ ? " && " : "(");
            if (d[axis] < 0)
                printf(pick(2) ? "!(%s < %d)" : "%s >= %d", place(axis), -d[axis]);
            else if (pick(2))
                printf("%s + %d < ", place(axis), d[axis]), put_size(axis);
            else
                printf("%s < ", place(axis)), put_size(axis), printf(" - %d", d[axis]);
        }
    if (guards)
        printf(" ? ");
    put_element(array, d);
    if (guards)
        printf(" : 0)");
}

static void put_here(const char *array)
{
    static const int zero[3];
    put_element(array, zero);
}

/* ------------------------------------------------------------------------------- expressions */

static void put_real(int depth);
static void put_value(int depth);

/* A condition that is not undefined for any cell. */
static void put_condition(int depth)
{
    int axis = pick(p.dimensions), with_test = p.kind_count ? pick(p.kind_count) : 0;
    const char *test = p.kind_count ? p.kind[with_test]->test : NULL;
    if (test && depth > 0 && rarely(3)) {
        put_piece(test, test + strlen(test), with_test);
        return;
    }
    SAY_ONE(pick(depth > 0 ? 18 : 14), depth, axis, 0, "$x > $(1$|2$|3$|4$)",
            "$x == $n - $(1$|2$|3$|4$)", "$($x % $(2$|3$) == 1$|$x % $(2$|3$) != 1$)",
            "$((unsigned)($x - $(1$|2$|3$)) < 2u$|(unsigned)($x - $(1$|2$|3$)) < 3u$|"
            "(unsigned)($x - $(1$|2$|3$)) < 4u$|(unsigned)($x - $(1$|2$|3$)) < 5u$)",
            "$x & 1", "(unsigned char)($x - 3) < 200", "$x - 4 < 2u", "mask[$x] > 50",
            "$(k0 $(!=$|<$) 0$|k0 $(!=$|<$) 1$|k0 $(!=$|<$) 2$|k0 $(!=$|<$) 3$)",
            "t % 2 == $(0$|1$)", "(short)$x < SEVEN_@ - 3", "$x < BIG_@", "-1 < $x - 2",
            "$r > $[0.4$|30$)", "!($D)", "($D$() && ($|) || ($)$D)");
}

/* Reads that C makes for some cells or loops only: elsewhere there is nothing. */
static void put_guarded(int depth)
{
    (void)depth;
    SAY_ONE(pick(6), 0, p.dimensions - 1, 0, "(use ? nothing[$x] : 1)",
            "($x >= 3 ? c0[$x - 3] : 0)", "(t < 2 ? two[t] : 3)",
            "((unsigned)($x - 2) < 3u ? three[$x - 2] : 2)", "($x < 3 && three[$x] > 0 ? 1 : 2)",
            "(use && nothing[0] > 0 ? 4 : 5)");
}

/* A whole number, an int of less than a thousand or a few; its depth bounds its growth. */
static void put_whole(int depth)
{
    int axis = pick(p.dimensions);
    SAY_ONE(pick(depth > 0 ? 21 : 9), depth, axis, 0, "$(1$|2$|3$|4$|5$|6$|7$|8$|9$)", "(int)$x",
            "k$(0$|1$)",
            "$(5$|0b101$|017$|0x1f$|'a'$|'\\n'$|SEVEN_@$|MINUS_@$|(short)70000$|(unsigned char)-3$|"
            "(char)200$|(7L % 4)$|ONE_@$|3u$|true$|'\\377'$)",
            "mask[$x]", "(int)t", "$[k1$|$r$)", "small[$x]", "$[k0$|$g$)", "(short)($W * 300)",
            "(unsigned char)($W)", "$A$W - 9)$($| / -2$)",
            "$($(truth$|byte$)$|narrow$)_@($W$()$| * 77)$)", "($D ? $W : $W)",
            "($W$( % 7)$| / 3)$| & 15)$| ^ 5)$| >> 1)$| < 4)$| - -2)$)", "-($W)",
            "(int)(($W + 3u) % 11)", "least_@($W, $W)", "TWICE_@($W)", "($W$( + $| - $)$W)");
}

static void put_literal(int depth)
{
    (void)depth;
    SAY_ANY("0.25", "0.5f", "1e-1", ".125", "0x1p-2", "3.e-1f", "W_@", "HALF_@", "-0.0", "1.5");
}

static void put_real_leaf(int depth)
{
    int axis = pick(p.dimensions);
    (void)depth;
    SAY_ONE(pick(14), 3, axis, 0, "$r", "$r", "$r", "$l", "x$(0$|1$|2$)", "$c", "q[t * 7 + $x]",
            "$x * 0.125", "t * 0.5", "BIG_@ * 1e-10", "0.01 * $W", "$g", "$q", "fc[$x]");
}

static void put_real(int depth)
{
    if (depth == 0) {
        put_real_leaf(0);
        return;
    }
    int which = pick(16);
    SAY_ONE(which, depth, 0, 0, "$L", "$L", "$L", "-($F)", "($D ? $F : $F)", "$(fabs$|fabsf$)($F)",
            "$(sqrt$|sqrtf$)(fabs($F))", "$(fmax$|fmin$|fmaxf$|fminf$|copysign$)($F",
            "$(truncf$|floor$)($F)", "(float)($F)", "mix_@($F, $F)", "($F) / (1.5 + fabs($F))",
            "$l * $F", "($F$( + $| - $)$F)");
    if (which == 7)
        say_at(pick(3) || !p.odd ? "$(, 0.5)$| * 0, -0.0)$)" : ", $F)", depth, 0, 0);
}

/* One place before or behind along the fastest axis, without a rule for its edges, of what no cell
 * may have written. */
static void put_beside(int d)
{
    int axis = p.dimensions - 1, at[3] = {0};
    enum edge edge = p.edge[axis];
    at[axis] = d;
    p.edge[axis] = KEEP;
    put_element(p.form == IN_PLACE || p.form == COLOURED ? "c" : p.from, at);
    p.edge[axis] = edge;
}

/* Two arrays, which are $3 and $4 in a text, their elements here $1 and $2. */
static const char *here[2];

/* See kinds.h. */
static void put_letter(char letter, int kind)
{
    static const struct {
        char letter;
        void (*put)(int depth);
        int depth; /* -1: one less than that of the text */
    } nested[] = {{'i', put_whole, 0},     {'I', put_whole, 1},      {'W', put_whole, -1},
                  {'R', put_real, 1},      {'F', put_real, -1},      {'V', put_value, -1},
                  {'C', put_condition, 0}, {'D', put_condition, -1}, {'L', put_real_leaf, 0},
                  {'l', put_literal, 0},   {'g', put_guarded, 0}};
    int last = p.dimensions - 1;
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++)
        if (letter == nested[i].letter)
            nested[i].put(nested[i].depth < 0 ? now.depth - 1 : nested[i].depth);
    if (letter == 'v' || letter == 'w' || letter == 'x')
        printf("%s", place(letter == 'v' ? last : letter == 'w' ? pick(p.dimensions) : now.axis));
    else if (letter == 'N' || letter == 'n')
        put_size(letter == 'N' ? last : now.axis);
    else if (letter == '1' || letter == '2')
        put_here(here[letter - '1']);
    else if (letter == '3' || letter == '4')
        say(here[letter - '3']);
    else if (letter == 'r' ||
             (letter == 'c' && p.form != IN_PLACE && p.form != COLOURED && p.edge[0] == KEEP))
        put_read(letter == 'c' ? "c" : p.from);
    else if (letter == 'h' || letter == 'c')
        put_here(letter == 'c' ? "c" : p.from);
    else if (letter == '-' || letter == '+')
        put_beside(letter == '-' ? -1 : 1);
    else if (letter == 'q')
        printf(p.odd && rarely(3) ? "*scalar" : "scalar[0]");
    else if (letter == 'A')
        printf(language == CXX_ONLY ? "abs((int)" : "abs(");
    else if (letter == 'T' || letter == 't')
        printf("%s", letter == 'T' ? p.type : p.whole[kind]);
    else if (letter == 'k')
        printf("%d", p.sweeps);
    else if (letter == 'a')
        printf(p.outside ? "lastprivate(i)" : "");
    else if (letter == 'p' && p.outside && p.dimensions > 1)
        printf(p.dimensions > 2 ? " private(j, k)" : " private(j)");
    else if (strchr("osdmb", letter))
        put_number_letter(letter);
}

static void say_of(const char *text, const char *first, const char *second)
{
    here[0] = first;
    here[1] = second;
    say(text);
}

/* A term of each kind that the program has. */
static void put_terms(void)
{
    static const char *const ways[][2] = {{" + (int)(", ") % 97"}, {" - (int)(", ") % 97"},
                                          {" + ((", ") > 3)"},     {" + ((", ") > -1)"},
                                          {" + 0.01 * (", ")"},    {" + (", ")"},
                                          {" - 0.125f * (", ")"},  {" + (float)(", ")"}};
    for (int kind = 0; kind < p.kind_count; kind++) {
        const char *term = p.kind[kind]->term;
        if (!term || rarely(5))
            continue;
        int way = pick(4) + (p.real ? 4 : 0);
        printf("%s", ways[way][0]);
        put_piece(term, term + strlen(term), kind);
        printf("%s", ways[way][1]);
    }
}

static void put_value(int depth)
{
    int terms = 1 + pick(4);
    printf(!p.real ? "((" : p.type[0] == 'f' && pick(2) ? "0.2f * (0.5f * " : "0.2 * (0.5 * ");
    put_read(p.from);
    for (int i = 0; i < terms; i++) {
        printf(pick(2) ? " - " : " + ");
        if (p.real)
            put_real(depth);
        else
            put_whole(depth);
    }
    if (p.oldest && rarely(4)) {
        printf(p.real ? " + 0.25 * " : " + ");
        put_here(p.oldest);
    }
    put_terms();
    printf(p.real ? ")" : ") %% 1000)");
}

/* -------------------------------------------------------------------------------- statements */

/* The same from the time and those that the loop has set before. */
static void put_settings(void)
{
    static const char *const list[] = {"x0 = 0.5 * t;", "x1 = x0 + t * 0.25;", "k0 = t % 3;",
                                       "k1 = k0 + 2;",  "x2 = x1 * 0.5f;",     "u0 = t + 1;"};
    int left = p.statements;
    for (size_t i = 0; i < sizeof list / sizeof *list && left > 0; i++)
        if (pick(2)) {
            printf("%s\n", list[i]);
            left--;
        }
}

static void put_statements(void)
{
    for (int i = 0; i < p.statements && p.odd; i++)
        if (pick(3))
            SAY_ANY("x0 = 0.5 * t;\n", "x0 = x1;\n", "x1 = x0;\n", "x1 = t * 0.25;\n",
                    "x1 = x0 + t;\n", "x2 = x1 * 0.5f;\n", "k0 = t % 3;\n", "k0 = k1;\n",
                    "k1 = 1 - k0;\n", "k1 = t;\n", "x2 = k0 ? x0 : x1;\n", "x0 = x0 * 0.5 + 1;\n",
                    "k0++;\n", "x1 += 0.125;\n", "if (t > 1) x1 = 0.75;\n",
                    "{ x0 = x1; x1 = t; }\n", "k1 = (short)(t * 30000);\n",
                    "{ double x3 = x0; x1 = x3 + 1; }\n", "u0 = t - 3;\n",
                    "x1 = u0 > 5 ? 0.5 : 0.25;\n", "if (hi > 6) hi--;\n", "lo = 2;\n");
    if (!p.odd)
        put_settings();
}

static void put_low(int low)
{
    if (low < 0 || rarely(4)) {
        SAY_ONE(low < 0 ? 7 : pick(7), 0, 0, low, "$su", "sizeof(char) * $s", "+$s",
                "(int)($s + 0.9)", "$s * !0", "1 ? $s : 9", "(long)$s", "$s");
        return;
    }
    int way = pick(8);
    SAY_ONE(way == 5 && low == 1 ? 7
            : way >= 5           ? 0
                                 : way,
            0, 0, low, "$s", "0b$b", "'\\$s'", "ONE_@ * $s", "(unsigned char)(256 + $s)", "", "",
            "lo");
}

/* The bound that a loop variable stays below. */
static void put_high(int axis, int high, int inclusive)
{
    int less = high + inclusive, way = pick(20), other;
    if (p.behind && pick(3)) {
        printf("nb_%d%s->%s - (%d)", p.number, pick(2) ? "->next" : "", extents[axis], less);
        return;
    }
    if (way == 5 || (way < 5 && less > 0) || (way == 6 && less >= 0)) {
        SAY_ONE(way, 0, axis, -less, "$n - $mL", "$n + ($s)", "$n - (int)sizeof(char) * $m",
                "$n + ~0 - $m + 1", "$n - (unsigned char)$m", "$s + $n", "(int)($n - $m.5) + 1");
        return;
    }
    other = less < 0 ? 0 : pick(8);
    if (other > 4 || (other == 4 && (high != 1 || axis || inclusive || p.storage == STATIC)))
        other = 0;
    SAY_ONE(other || less ? other : 5, 0, axis, -less, "$n $o $d", "$n - $mu", "(short)$n - $m",
            "LESS_@($n, $m)", "hi", "$n");
}

static void put_headers(const int *low, const int *high)
{
    static const char *const steps[] = {"++%s)\n", "%s++)\n", "%s += 1)\n", "%1$s = %1$s + 1)\n",
                                        "%s -= -1)\n"};
    for (int axis = 0; axis < p.dimensions; axis++) {
        const char *v = variables[axis];
        int inclusive = rarely(4), less = high[axis] + p.shift[axis];
        say(p.macros ? "FOR_@(" : "for (");
        printf("%s%s%s%s", p.outside ? "" : wholes[p.iterator], p.outside ? "" : " ", v,
               p.macros ? ", " : " = ");
        put_low(low[axis] - p.shift[axis]);
        if (p.macros) {
            printf(", ");
            put_high(axis, less, 0);
            printf(", %s)\n", v);
            continue;
        }
        printf("; ");
        if (p.odd && rarely(10)) {
            say_at("$n + $s > ", 0, axis, -less);
            printf("%s; %s = %s + 1)\n", v, v, v);
            continue;
        }
        printf("%s %s ", v, inclusive ? "<=" : p.odd && rarely(12) ? "!=" : "<");
        put_high(axis, less, inclusive);
        printf("; ");
        printf(steps[p.odd && rarely(3) ? pick(5) : pick(2)], v);
    }
}

/* Temporaries of the cell, set in some steps. */
static void put_temporaries(void)
{
    const char *kind = p.real ? (pick(3) ? "double" : "float") : pick(2) ? "int" : "long";
    printf("%s%s y = ", pick(2) ? "" : "const ", pick(2) ? p.type : kind);
    put_value(1);
    printf(";\n%s z = y", kind);
    say("$($|$[ * 0.5$| % 50$)$);\n");
    SAY_ONE((pick(5) + 4) % 5, 2, 0, 0, "if (z > y) z = y;\n",
            "if ($D) z = y; else z $(-=$|+=$) 2;\n", "z $[-=$|^=$) $V;\n",
            "short w = $[k0$|y * 300$); z = z + w;\n", "z++;\n");
}

static void put_colour(void)
{
    printf("if ((");
    for (int axis = 0; axis < p.dimensions; axis++)
        printf("%s%s", axis ? " + " : "", place(axis));
    if (p.colour < 0)
        printf(" + t");
    printf(") %% 2 == %d) ", p.colour > 0);
}

/* The oldest state, damped or not, and a source at a place or two. */
static void put_oldest(void)
{
    int axis = pick(p.dimensions);
    SAY_ANY(" - ", " + ");
    here[0] = "c";
    SAY_ONE(pick(4), 0, axis, 0, "$[0.5 * $|$)", "$1$[ * $| % 3 * $)",
            "$[fc[$x] * $|mask[$x] % 2 * $)", "($x < 3 ? $[0.25 *$|2 +$) $x : 1) * ");
    if (rarely(15))
        put_read(p.oldest);
    else
        put_here(p.oldest);
    if (rarely(3))
        say_at(" + ($x == $s ? q[t] : 0)", 0, axis, 1 + pick(4));
}

static void put_assignment(const char *to, int own, int temporaries)
{
    put_here(to);
    if (own && rarely(3)) {
        say_at("$( += $| -= $)$[0.1 * $|$)($V)$[$| % 7$);\n", 2, 0, 0);
        return;
    }
    say_at(" = $V", 3, 0, 0);
    if (temporaries)
        say("$[ + 0.1 * z$| + (int)(z % 9)$)");
    if (p.oldest && !rarely(12))
        put_oldest();
    printf(";\n");
}

/* The element once more, by a loop over neighbours or not. */
static void put_again(const char *to, const char *from)
{
    static const int zero[3];
    int axis = pick(p.dimensions), skip = pick(5), by = pick(3);
    int loop = pick(2), moves = loop && p.edge[axis] == KEEP && p.form != IN_PLACE && pick(4);
    if (loop)
        printf("for (int near = %d; near <= 1; near%s) { ", moves || pick(2) ? -1 : 0,
               by ? "++" : " += 2");
    if (loop && skip == 1)
        printf("if (near == 0) continue; ");
    if (loop && skip == 2)
        printf("if (near != k%d) { ", pick(2));
    if (!loop && pick(2))
        say_at("if ($D) ", 2, 0, 0);
    put_here(to);
    SAY_ANY(" += ", " -= ", " = 1 + ");
    say("$[0.1 * ($|($)");
    if (moves) {
        moved_axis = axis;
        put_element(from, zero);
        moved_axis = -1;
    } else
        put_value(1);
    say(loop ? "$[) * (near + 2);$|) % 5 * near;$)" : "$[);$|) % 7;$)");
    printf("%s\n", !loop ? "" : skip == 2 ? " } }" : " }");
}

/* Adds what a cell was and is to the sum. */
static void put_fold(const char *fresh, const char *older)
{
    static const char *const folds[] = {"s_@ += $1 > $2;\n",
                                        "if ($1 != $2) s_@++;\n",
                                        "s_@ -= 1 < $1 + 0 * $2;\n",
                                        "s_@ = s_@ + ($1 >= $2);\n",
                                        "s_@ = 3 * ($1 < $2) + s_@;\n",
                                        "++s_@, (void)($1 + $2);\n",
                                        "s_@ += 255 & $1 & $2;\n",
                                        "s_@ += 40503u * $1 - (unsigned)$2;\n"};
    say_of(folds[pick(p.real ? 6 : 8)], fresh, older);
}

static void put_sum(int where, const char *fresh, const char *older)
{
    if (p.sums != where)
        return;
    put_headers(p.low, p.high);
    put_fold(fresh, older);
}

static void put_levels(const char *to, const char *from, const char *oldest)
{
    int temporaries = rarely(3), guard = rarely(5);
    const char *begin = rarely(6) ? "<%" : rarely(6) ? "BEGIN_@" : "{";
    p.from = from;
    p.oldest = p.form == RING || p.form == ROTATE || p.form == COPIES ? oldest
               : p.older                                              ? to
                                                                      : NULL;
    p.sweeps++;
    if (p.kind_count)
        printf("\n");
    PUT_PIECES(pragma);
    put_headers(p.low, p.high);
    say(begin);
    printf(rarely(5) ? " /* } a brace's own { */ \n" : "\n");
    PUT_PIECES(cell);
    if (temporaries)
        put_temporaries();
    if (p.form == COLOURED)
        put_colour();
    if (guard)
        say_at("if ($D) ", 2, 0, 0);
    put_assignment(to, p.form == IN_PLACE || p.oldest == to, temporaries);
    if (guard && p.form != COLOURED && pick(2)) {
        printf("else ");
        put_assignment(to, 0, 0);
    }
    if (!guard && p.form != COLOURED && rarely(4))
        put_again(to, from);
    if (p.sums == 1)
        put_fold(to, from);
    PUT_PIECES(tail);
    say(begin[0] == '<' ? "%>\n" : begin[0] == 'B' ? "END_@\n" : "}\n");
}

static void put_copy(const char *to, const char *from)
{
    int low[3], high[3], whole = pick(4);
    if (whole == 3 && is_linear() && pick(2) && !p.overlaps) { /* which memcpy must not */
        say_of("memcpy($3, $4, cells * sizeof($T));\n", to, from);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = whole == 1 ? 0 : p.low[axis] + (whole == 2);
        high[axis] = whole == 1 ? 0 : p.high[axis];
    }
    put_headers(low, high);
    say_of("$1 = $2;\n", to, from);
}

/* The same in one loop for both, over the domain or all cells. */
static void put_two_copies(const char *last, const char *now, const char *next)
{
    static const int none[3];
    int all = pick(2);
    put_headers(all ? none : p.low, all ? none : p.high);
    say_of("{ $1 = $2; ", last, now);
    say_of("$1 = $2; }\n", now, next);
}

static const char *name_of(int which)
{
    static const char *const names[STORAGES][3] = {
        [STATIC] = {"a_@", "b_@", "d_@"}, [MEMBERS] = {"g.a", "g.b", "g.d"}};
    static const char *const plain[] = {"a", "b", "d"};
    return (names[p.storage][0] ? names[p.storage] : plain)[which];
}

/* The place along one axis so many cells from an end, along others a variable. */
static void put_end_axis(int axis, const int of[3])
{
    if (axis != of[0])
        printf("%s", variables[axis]);
    else
        say_at(of[1] ? "$n - $s" : "$s", 0, axis, of[1] ? 1 + of[2] : of[2]);
}

static void put_place(const char *array, int axis, int end, int cells)
{
    put_by_axes(array, 0, put_end_axis, (const int[]){axis, end, cells});
}

/* What a cell beyond one end is set to. */
static void put_border_value(const char *array, int axis, int end, int layer, int way)
{
    int own = end ? p.high[axis] : p.low[axis], other = end ? p.low[axis] : p.high[axis];
    if (way == 1)
        SAY_ANY("0", "1.5", "x2", "-0.0", "fixed", "SEVEN_@");
    else if (way == 2)
        put_place(array, axis, !end, own + other - 1 - layer);
    else if (way == 3)
        put_place(array, axis, end, own + pick(2));
    else if (way == 4)
        put_place(rarely(3) ? name_of(1) : array, axis, end, 2 * own - layer);
    else
        put_place(array, axis, end, own);
}

/* The cells beyond the domain along an axis, by loops along the others. */
static void put_side(const char *array, int axis, int way)
{
    int within = pick(3), begins = pick(6) == 5;
    for (int i = 0; i < p.dimensions; i++)
        if (i != axis) {
            const char *v = variables[i];
            printf("for (%s%s = %d; %s < ", p.outside ? "" : "int ", v,
                   within == 1 ? p.low[i] : begins, v);
            put_size(i);
            printf(" - %d; %s++)\n", within == 1 ? p.high[i] : 0, v);
        }
    printf("{");
    for (int end = 0; end < 2; end++)
        for (int layer = 0; layer < (end ? p.high[axis] : p.low[axis]); layer++) {
            if (rarely(30))
                continue;
            printf(" ");
            put_place(array, axis, end, layer);
            printf(rarely(40) ? " += " : " = ");
            put_border_value(array, axis, end, layer, rarely(12) ? pick(5) : way);
            printf(";");
        }
    printf(" }\n");
}

/* The border of an array, set anew in each loop. */
static void put_borders(int where, const char *array)
{
    int way = pick(5) % 4, backwards = pick(2);
    if (p.borders != where)
        return;
    if (rarely(15))
        array = name_of(pick(2));
    for (int i = 0; i < p.dimensions; i++)
        if (!rarely(12))
            put_side(array, backwards ? p.dimensions - 1 - i : i, rarely(8) ? pick(5) : way);
    if (rarely(12))
        printf("first[%d] = 0;\n", pick(3));
}

/* What a single cell is set to; a variable that each loop sets, if there is one. */
static int pulses, pulse;
static void put_point_value(void)
{
    if (pulse && rarely(2)) {
        printf("pulse_%d", pulse);
        return;
    }
    int way = pick(10);
    SAY_ONE(way > 0 ? way - 1 : 0, 0, 0, 0,
            "$(x0$|x2$|k1$|0.25$|0.5f$|3$|scalar[0]$|u0$|SEVEN_@$|cells$)",
            "(t < 3 ? q[t * 7] : x1)", "$(sin(0.3 * t)$|exp(-x0 * t)$|cosf(x2 + t)$|(float)t / 3$)",
            "$(x0 * x2 * t$|(k1 - t)$|t$|(x0 + 1) * q[t * 7 + k0] - x2$)",
            "$(q[t + 1]$|c0[0]$|fc[1]$|two[k0]$|(use ? nothing[t] : x0)$)", "q[t * 7$($| + 2$)]");
}

/* The place along an axis, by a way for each. */
static void put_way(int axis, const int *way)
{
    static const char *const places[] = {"2", "%s / 2", "%s - 3", "k1",    "lo + k0", "%s / 3",
                                         "0", "%s - 1", "t",      "fixed", "1 + left"};
    int moves = p.odd && (way[axis] == 3 || way[axis] == 4); /* out of the array */
    printf(moves ? "lo" : places[way[axis]], extents[axis]);
}

/* A single cell, mostly within the domain. */
static void put_point(const char *array)
{
    int way[3] = {0}, far = rarely(8), self = rarely(4);
    for (int axis = 0; axis < p.dimensions; axis++)
        way[axis] = pick(far ? 10 : 6);
    put_by_axes(array, 0, put_way, way);
    if (self) {
        printf(" = ");
        put_by_axes(array, 0, put_way, way);
    }
    /* A whole number that no sweep sets again must not grow without end. */
    if (self && p.real)
        SAY_ANY(" + ", " - ", " * ", " + 1 + ");
    else if (self)
        SAY_ANY(" + ", " - ", " / 3 + ", " + 1 + ");
    else if (p.real)
        SAY_ANY(" += ", " = ", " -= ", " *= ", " /= 1 + ");
    else
        SAY_ANY(" += ", " = ", " -= ", " = 1 + "); /* 1 + what is set may be 0 */
    put_point_value();
    if (rarely(4)) {
        SAY_ANY(" + ", " - ", " * ");
        put_point_value();
    }
    printf(";\n");
}

/* What is heard at a place, mostly within the domain. */
static void put_heard(const char *array, int in_loop)
{
    int way[3] = {0}, far = rarely(6);
    for (int axis = 0; axis < p.dimensions; axis++)
        way[axis] = in_loop && pick(2) ? 10 : pick(far ? 10 : 6);
    put_by_axes(array, 0, put_way, way);
}

/* Hands on what is in single cells, of one array mostly, or prints it. */
static void put_receivers(const char *array)
{
    for (int i = 0; i < 1 + rarely(2); i++) {
        int in_loop = pick(3) == 1, prints = rarely(5);
        if (rarely(8))
            printf("if (t %% 2)\n");
        if (in_loop)
            printf("for (%sleft = 0; left < 2; left++)\n", rarely(3) ? "" : "int ");
        if (prints)
            say("printf(\"@ heard %d  %a\\n\", (int)t, (double)");
        else
            SAY_ANY("heard_@[t] = ", "heard_@[4 * t + 1] = ", "heard_@[(int)t % 5] = ",
                    "heard_@[left * 20 + (int)t] += ", "heard_@[(int)(t + 1) * 3] = x0 * t + ",
                    "heard_@[t / 2] = heard_@[t] - ", "heard_@[7] = ", "q[t] = ");
        put_heard(rarely(6) ? name_of(pick(2)) : array, in_loop);
        if (rarely(3)) {
            SAY_ANY(" + ", " * ", " - x1 * ");
            put_heard(rarely(3) ? name_of(pick(2)) : array, in_loop);
        }
        printf(prints ? ");\n" : ";\n");
    }
}

static void put_points(int where, const char *array)
{
    if (p.hears == where)
        put_receivers(array);
    if (p.points != where)
        return;
    if (rarely(15))
        array = name_of(pick(2));
    pulse = 0;
    if (rarely(3)) {
        SAY_ANY("double", "float", "int", "const double");
        printf(" pulse_%d = ", ++pulses);
        put_point_value();
        printf(";\n");
        pulse = pulses;
    }
    for (int i = 0; i < 1 + rarely(2) + rarely(3); i++) {
        if (rarely(4))
            SAY_ANY("if (t < 3)\n", "if (t % 2)\n", "if (q[t] > x0)\n",
                    "if (t >= k1 && use == 0)\n", "if (x2)\n", "if (q[t + k0])\n");
        put_point(array);
    }
    if (p.hears == where && rarely(2))
        put_receivers(array);
}

/* -------------------------------------------------------------------------------- the region */

static void put_exchange(void)
{
    static const char *const ways[] = {"swap = (void *)$3; $3 = $4; $4 = swap;\n",
                                       "{ swap = (void *)$3; $3 = $4; $4 = swap; }\n",
                                       "do { swap = (void *)$3; $3 = $4; $4 = swap; } while (0);\n",
                                       "{ void *swap = (void *)$3; $3 = $4; $4 = swap; }\n"};
    if (is_linear() && p.storage == LINEAR && pick(3) == 2)
        say("exchange_@(&a, &b);\n");
    else
        say_of(language != CXX_ONLY ? ways[pick(4)]
               : pick(2)            ? "std::swap($3, $4);\n"
                                    : "auto other = $3; $3 = $4; $4 = other;\n",
               name_of(0), name_of(1));
}

/* What is written before a sweep of planes, which it sets and reads, and the oldest. */
struct planes {
    const char *before, *to, *from, *oldest;
    int points; /* whether single cells may be set before it, behind it */
};

static void put_sweep_of(const struct planes *planes)
{
    if (planes->points & 1)
        put_points(1, planes->from);
    printf("%s", planes->before);
    put_levels(planes->to, planes->from, planes->oldest);
    if (planes->points & 2)
        put_points(2, planes->to);
}

/* Planes by one number that takes turns, or by two that change places. */
static void put_turns(void)
{
    static const char *const ways[] = {"turn = 1 - turn;",
                                       "other = turn; turn = 1 - turn;",
                                       "aside = turn; turn = other; other = aside;",
                                       "int last = other; other = turn; turn = last;",
                                       "turn = !turn; other ^= 1;",
                                       "turn = other; other = 1 - turn;",
                                       "turn = turn ? 0 : 1;"};
    static const char *const elsewhere[] = {"p[other]", "p[other]", "p[1 - turn]", "p[!turn]",
                                            "p[turn ^ 1]"};
    int way = pick(7), two = way > 0 && way < 6;
    const char *other = elsewhere[two ? pick(5) : 2 + pick(3)], *from = "p[turn]";
    const char *to = rarely(2) ? other : from;
    put_levels(to, to == other ? from : other, NULL);
    put_points(2, to);
    printf("%s\n", ways[way]);
}

static void put_planes(void)
{
    static const struct planes ways[] = {
        {"", "p[(t + 1) % 2]", "p[t % 2]", NULL, 3},
        {"int now = t % 2, next = 1 - now;\n", "p[next]", "p[now]", NULL, 2},
        {"", "p[t % 2 == 0 ? 1 : 0]", "p[t & 1]", NULL, 0},
        {0},
        {"", "p[(unsigned)(t + 1) % 2]", "p[(unsigned)t % 2]", NULL, 0}};
    int way = pick(5);
    if (way == 3)
        put_turns();
    else
        put_sweep_of(&ways[way]);
    if (way == 2)
        put_points(2, "p[(t + 1) % 2]");
}

/* A ring of three planes. */
static void put_ring(void)
{
    static const struct planes ways[] = {
        {"", "p[(t + 1) % 3]", "p[t % 3]", "p[(t + 2) % 3]", 3},
        {"int now = t % 3, next = (t + 1) % 3, last = (t + 2) % 3;\n", "p[next]", "p[now]",
         "p[last]", 2},
        {"", "p[(t + 2) % 3]", "p[(t + 1) % 3]", "p[t % 3]", 0},
        {"", "p[(unsigned)(t + 1) % 3]", "p[(unsigned)t % 3]", "p[(unsigned)(t + 2) % 3]", 0}};
    put_sweep_of(&ways[pick(4)]);
}

/* Three pointers change places in turn: what was read last is the oldest; now and then they do it
 * the other way. */
static void put_rotation(void)
{
    const char *order[3] = {name_of(1), name_of(0), name_of(2)};
    if (language == CXX_ONLY && pick(2)) {
        say_of("auto other = $3; $3 = $4; ", order[0], order[1]);
        say_of("$3 = $4; $4 = other;\n", order[1], order[2]);
        return;
    }
    if (is_linear() && p.storage == LINEAR && rarely(5)) {
        say("exchange_@(&b, &a);\nexchange_@(&a, &d);\n");
        return;
    }
    int first = pick(3), other = rarely(8) ? 2 : 1;
    say_of("swap = (void *)$3; $3 = $4; ", order[first], order[(first + other) % 3]);
    say_of(language == CXX_ONLY ? "$3 = $4; $4 = (decltype(a))swap;\n" : "$3 = $4; $4 = swap;\n",
           order[(first + other) % 3], order[(first + 2 * other) % 3]);
}

/* All arrays. */
static void put_shown(void)
{
    printf("show(\"first\", first, 3 * cells * sizeof *first);");
    for (int i = 0; i < 4 && p.storage == STATIC; i++)
        say((const char *[]){" SHOW(a_@);", " SHOW(b_@);", " SHOW(d_@);", " SHOW(p);"}[i]);
}

/* What a loop does now and then: it shows the state, or changes it or what the loops read. */
static void put_look_body(void)
{
    int way = pick(p.odd ? 12 : 7);
    if (way == 1)
        put_shown();
    else if (way == 6)
        say(p.outside ? "SHOW(i);" : "{ int i = 3; i += t; SHOW(i); }");
    else if (way == 7)
        say(p.counts ? "k0 = 1;" : "if (t > 1) continue;");
    else if (way == 8)
        say(p.counts == DOWN ? "t--;" : "t++;");
    else if (way == 10 && p.storage != STATIC)
        say_of(language == CXX_ONLY ? "std::swap($3, $4);"
                                    : "swap = (void *)$3; $3 = $4; $4 = swap;",
               name_of(0), name_of(1));
    else
        SAY_ONE(way, 0, 0, 0, "show(\"look\", first, 3 * cells * sizeof *first);", "",
                "SHOW(t); SHOW(x0); SHOW(k1);", "first[$(0$|1$|2$)] $[*= 0.5$|= 7$);",
                "$(for (int o_ = 0; o_ < cells; o_++) $(second$|first$)[o_] -= 1;$|"
                "for (int o_ = 0; o_ < cells; o_++) $(second$|first$)[o_] += 1;$)",
                "if ($(k1$|t$) > 2) break;", "", "", "",
                "$(x0 += 0.25;$|k1++;$|u0 = 1;$|turn = 1 - turn;$|lo = 2;$|x1 = x0;$)", "k1 = 1;",
                "if (hi > 5) hi--;");
}

/* Under conditions that are known before the loops run, or, if it is odd, not. */
static void put_look(void)
{
    printf("if (");
    if (p.odd && rarely(4))
        SAY_ANY("k1 < t", "x0 > 0.5", "first[0] > 0", "scalar[0] > 0.5", "u0 % 2", "turn", "swap",
                "hi > 5");
    else
        SAY_ANY("t % 2 == 0", "t % 3 == 1", "(t + 1) % 2 == 0", "t == 1", "t > 1", "t & 1", "use",
                "t % fixed == 0", "k1 > 2 && t % 2", "!use", "end > t", "t == T - 1",
                "(unsigned char)(t * 100) > 90", "t % 2 == 0 || u0 == 9", "nothing == NULL && t");
    printf(") {\n");
    for (int i = 0; i < 2; i++) {
        put_look_body();
        printf("\n");
    }
    printf(rarely(20) ? "} else { x2 = 1; }\n" : "}\n");
}

/* Among the sweeps and what belongs to them. */
static void put_among(void)
{
    if (p.looks & 4)
        put_look();
}

static void put_body(void)
{
    const char *a = name_of(0), *b = name_of(1), *d = name_of(2);
    if (rarely(12))
        printf("#line %d \"elsewhere.c\"\n", 100000 * (p.number + 1));
    if (p.looks & 1)
        put_look();
    PUT_PIECES(step);
    put_statements();
    put_borders(1, a);
    if (p.form != PARITY && p.form != RING)
        put_points(1, a);
    switch (p.form) {
    case PARITY:
        put_planes();
        break;
    case SWAP:
    case COPY_BACK:
        put_levels(b, a, NULL);
        put_among();
        put_points(3, b);
        put_borders(3, b);
        put_sum(2, b, a);
        if (p.form == SWAP)
            put_exchange();
        else
            put_copy(a, b);
        put_sum(3, a, b);
        break;
    case TWO_SWEEPS:
        put_levels(b, a, NULL);
        put_among();
        put_levels(a, b, NULL);
        break;
    case RING:
        put_ring();
        break;
    case ROTATE:
        if (rarely(12)) {
            put_rotation();
            put_levels(d, a, b);
            break;
        }
        put_levels(d, a, b);
        put_points(3, d);
        put_among();
        put_rotation();
        break;
    case COPIES:
        put_levels(d, a, b);
        put_points(3, d);
        if (pick(3) == 1) {
            put_two_copies(b, a, d);
            break;
        }
        put_copy(b, a);
        put_copy(a, d);
        break;
    case COPY_FIRST:
        put_copy(b, a);
        put_points(3, b);
        put_levels(a, b, NULL);
        put_sum(pick(2) ? 2 : 3, a, b);
        break;
    case IN_PLACE:
        put_levels(a, a, NULL);
        break;
    default:
        p.colour = rarely(3) ? -1 : 0;
        put_levels(a, a, NULL);
        if (p.colour == 0) {
            p.colour = 1;
            put_levels(a, a, NULL);
        }
    }
    if (p.form != PARITY && p.form != RING)
        put_points(2, a);
    put_borders(2, a);
    if (p.odd && rarely(3))
        put_statements();
    for (int i = 0; p.looks & 2 && i < 1 + rarely(4); i++)
        put_look();
}

/* How far the time runs: few loops, whichever it is. */
static void put_end(void)
{
    if (!p.odd) {
        SAY_ANY("T", "T", "(int)(T * 0.9)", "(short)T", "T + 0u", "(long)T", "T + ONE_@",
                "(unsigned char)(T + 256)", "fixed");
        return;
    }
    SAY_ANY("T", "T", "T * 0.75", "T / 0.7", "(int)(T * 0.9)", "(short)T", "T + 0u", "(long)T",
            "end", "T + ONE_@", "k1", "(unsigned char)(T + 256)", "fixed");
}

/* The head of a time loop, up to its condition's end, and what follows it. */
static void put_head(const char *type)
{
    static const char *const heads[COUNTS][2] = {
        [WHILE] = {"while (t < ", ""},
        [DOWN] = {"for (t = ", "; t > 0; t--"},
        [DOWN_FIRST] = {"while (left-- > 8 - ", ""},
        [DOUBLE] = {"for (real = 0.3; real < 0.1 * ", "; real += 0.1"},
        [MEMBER] = {"for (held.time = 0; held.time < ", "; ++held.time"},
        [POINTED] = {"for (*pointed = 0; *pointed < ", "; (*pointed)++"},
        [TWO] = {"for (t = 0, left = 5; t < ", "; t += 2, left *= 2"},
        [BESIDE] = {"for (t = 0; t < ", "; t++"}};
    if (p.counts) {
        printf("%s", heads[p.counts][0]);
        put_end();
        printf("%s) {\n", heads[p.counts][1]);
        return;
    }
    printf("for (%s%st = %s; ", p.time_outside ? "" : type, p.time_outside ? "" : " ",
           rarely(4) ? "lo" : "0");
    printf(rarely(5) ? "t <= " : "t < ");
    put_end();
    printf(p.step > 1 ? "; t += %d) {\n" : "; t++) {\n", p.step);
}

/* A loop of any kind that a sum may end. */
static void put_summing(void)
{
    static const char *const loops[][2] = {
        {"for (int o_ = 0; o_ < T; o_++) {\n", "}\n"},
        {"while (r_@ < T && s_@ != 4) {\n", "r_@++; }\n"},
        {"do {\n", "r_@ += 1; } while (r_@ < T && s_@ != last_@);\n"},
        {"for (;;) {\n", "if (++r_@ >= T) break; if (s_@ % 5 == 2) break; }\n"}};
    const char *const *loop = loops[pick(4)];
    say(loop[0]);
    SAY_ANY("s_@ = 0;\n", "last_@ = s_@; s_@ = 1;\n", "\n");
    put_body();
    SAY_ANY("", "if (r_@ % 2) printf(\"%d %ld\\n\", r_@, (long)s_@);\n");
    say(loop[1]);
}

/* Where the same head has a turn, what the loops ask for is there. */
static void put_probe(const char *type)
{
    unsigned long before = state;
    int decided = decision;
    put_head(type);
    say("nb_@ = &bound_@;\nbreak;\n}\n");
    state = before;
    decision = decided;
}

static void put_region(void)
{
    const char *type = wholes[p.time];
    int alone = rarely(6);
    p.counts = !p.sums && rarely(6) && p.time_outside;
    if (p.counts)
        p.counts = 1 + pick(COUNTS - 1);
    if (p.counts == POINTED && !p.pointed)
        p.counts = WHILE;
    if (!p.sums && rarely(4))
        say("#define here_@ here_@\n");
    if (p.behind)
        put_probe(type);
    printf(alone ? "#pragma gz trapezoid\n" : "#pragma scop\n");
    if (p.sums) {
        put_summing();
    } else {
        put_head(type);
        if (p.counts == DOWN_FIRST && pick(2))
            say("real += 0.7;\n");
        put_body();
        if (p.counts == BESIDE)
            say("x1 += 0.125;\nreal = real + 0.5 * left;\n");
        else if (p.counts && p.counts != DOWN && p.counts != TWO && p.counts != POINTED)
            say("t++;\n");
        say("}\n");
    }
    printf(alone ? "" : "#pragma endscop\n");
}

/* ------------------------------------------------------------------------------ the program */

static void put_functions(void)
{
    for (int axis = 1; p.sizes >= 9 && axis < p.dimensions; axis++)
        printf("#define size_%d_%d %s\n", p.number, axis,
               p.sizes == 9    ? extents[axis]
               : p.sizes == 10 ? (axis == 1 ? "(m)" : "(l)")
               : axis == 1     ? "m - 1 + 1"
                               : "l + 0");
    say("enum { ONE_@ = 1, SEVEN_@ = 7, MINUS_@ = -5, BIG_@ = 3000000000 };\n#define N_@ 9\n"
        "#define M_@ 8\n#define L_@ 7\n#define W_@ 0.0625\n#define HALF_@ 1 / 2.0\n"
        "#define TWICE_@(x) 2 * (x)\n#define LESS_@(a, b) a - b\n"
        "#define MAX_@(a, b) ((a) > (b) ? (a) : (b))\n"
        "#define FOR_@(i, low, high, v) for (i = low; v < high; v++)\n#define BEGIN_@ {\n"
        "#define END_@ }\n");
    say("static inline short narrow_@(short v)\n{\nreturn v / 2;\n}\n"
        "static unsigned char byte_@(int v)\n{\nreturn v;\n}\nstatic bool truth_@(signed char v)\n"
        "{\nreturn v;\n}\ntypedef int whole_@;\nstatic int least_@(int v, whole_@ w)\n{\n"
        "const whole_@ less = v < w ? v : w;\nreturn less;\n}\n"
        "static inline double mix_@(double v, float w)\n{\ndouble sum = v + w;\n"
        "return sum > 1 ? 0.5 : sum;\n}\nstatic inline int wrap_@(int i, int n)\n{\n"
        "return i < 0 ? i + n : i >= n ? i - n : i;\n}\nstatic inline int clamp_@(int i, int n)\n"
        "{\nreturn i < 0 ? 0 : i >= n ? n - 1 : i;\n}\n");
    if (p.dimensions == 1)
        say("static inline int ix_@(int i, int m, int l)\n{\nreturn i;\n}\n");
    else if (p.dimensions == 2)
        say("static inline int ix_@(int i, int j, int m, int l)\n{\nreturn i * m + j;\n}\n");
    else
        say("static inline int ix_@(int i, int j, int k, int m, int l)\n{\n"
            "return (i * m + j) * l + k;\n}\n");
    say("static void exchange_@($T **a, $T **b)\n{\n$T *c = *a;\n*a = *b;\n*b = c;\n}\n");
    static const char *const names[] = {"a_@", "b_@", "d_@"};
    for (int i = 0; i < 3 && p.storage == STATIC; i++)
        put_static(names[i]);
}

/* A pointer to an array, or to its rows if it is not linear. */
static void put_pointer(const char *name, const char *value, int planes)
{
    int rows = planes || !is_linear();
    printf("%s %s%s%s", p.type, rows ? "(*" : "*", name, rows ? ")" : "");
    for (int cast = 0; cast < 2; cast++) {
        if (cast)
            printf(" = (%s %s", p.type, rows ? "(*)" : "*");
        if (is_linear() && planes)
            printf("[cells]");
        for (int axis = planes ? 0 : 1; axis < p.dimensions && !is_linear(); axis++)
            printf("["), put_size(axis), printf("]");
    }
    printf(")%s;\n", value);
}

/* Nothing is written beyond the domain, where three arrays or planes mostly hold the same. */
static void put_equal_borders(void)
{
    if ((p.form != RING && p.form != ROTATE && p.form != COPIES) || rarely(6))
        return;
    printf("for (int o_ = 0; o_ < cells; o_++)\nif (0");
    for (int axis = 0; axis < p.dimensions; axis++) {
        char at[40];
        snprintf(at, sizeof at, "o_%s%s %% %s",
                 p.dimensions - axis > 1 ? axis                ? " / l"
                                           : p.dimensions == 3 ? " / l / m"
                                                               : " / m"
                                         : "",
                 "", extents[axis]);
        printf(" || %s < %d || %s >= %s - %d", at, p.low[axis], at, extents[axis], p.high[axis]);
    }
    printf(")\nsecond[o_] = third[o_] = first[o_];\n");
}

static int has_pragma(void)
{
    for (int i = 0; i < p.kind_count; i++)
        if (p.kind[i]->pragma)
            return 1;
    return 0;
}

static void put_arrays(void)
{
    printf("int cells = n%s%s;\n", p.dimensions > 1 ? " * m" : "", p.dimensions > 2 ? " * l" : "");
    say_at("$T *first = $T_array(3 * cells, @), *second = first + cells, *third = second + cells, "
           "*still = $T_array(cells, $s);\n",
           0, 0, p.number + 1000);
    p.overlaps = rarely(12) && !has_pragma();
    if (p.overlaps)
        SAY_ANY("second = first;\n", "still = first;\n", "still = second;\n",
                "second = first + 1;\n", "if (cells > 2) still = first + 2;\n");
    say("$T *q = $T_array(7 * T + 7 + n + m + l, 3), *c0 = $T_array(N, 4);\n"
        "$T *two = $T_array(2, 5), *three = $T_array(3, 6), *nothing = NULL, *fc = $T_array(N, "
        "8);\nint use = 0;\n");
    printf("%s *mask = %s_array(N, 7);\nshort *small = short_array(N, 9);\n"
           "double *scalar = double_array(1, 2);\n",
           p.type[0] == 'f' ? "short" : "int", p.type[0] == 'f' ? "short" : "int");
    put_equal_borders();
    if (p.storage == STATIC) {
        put_static("c");
        put_static("p[3]");
        say("memcpy(a_@, first, cells * sizeof *first), memcpy(b_@, second, cells * sizeof "
            "*first);\n"
            "memcpy(c, still, cells * sizeof *first), memcpy(d_@, third, cells * sizeof *first);\n"
            "memcpy(p, first, 3 * cells * sizeof *first);\n");
    } else if (p.storage == POINTERS) {
        say("$T *rows[4 * n], **a = rows, **b = rows + n, **c = rows + 2 * n, **d = rows + 3 * n, "
            "**p[3] = {a, b, d};\nfor (int i = 0; i < n; i++) {\na[i] = first + i * m;\n"
            "b[i] = second + i * m;\nc[i] = still + i * m;\nd[i] = third + i * m;\n}\n");
    } else {
        put_pointer("a", "first", 0);
        put_pointer("b", "second", 0);
        put_pointer("c", "still", 0);
        put_pointer("d", "third", 0);
        if (language == CXX_ONLY)
            say("$T *p[3] = {a, b, d};\n");
        else
            put_pointer("p", "first", 1);
    }
    static const char *const sizes[] = {"const int", "long",          "short",        "unsigned",
                                        "size_t",    "unsigned char", "volatile int", "int"};
    for (int axis = 1; p.sizes && p.sizes < 9 && axis < p.dimensions; axis++)
        printf("%s size_%d_%d = %s;\n", sizes[p.sizes - 1], p.number, axis, extents[axis]);
    if (p.hears)
        say("static $[double$|int$) heard_@[4096];\nmemset(heard_@, 0, sizeof heard_@);\n");
    if (p.storage == MEMBERS)
        say("struct {\n$T *a, *b, *d;\n} g = {a, b, d};\n");
}

static void put_scalars(void)
{
    say("double x0 = 0.375, x1 = 0.5;\nfloat x2 = 0.625f;\n"
        "int k0 = 1, k1 = 3, turn = 1, other = 0, aside = 4, lo = 1, hi = n - 1;\n"
        "unsigned u0 = 2;\ndouble end = T / 1.5;\nconst int fixed = 3;\n");
    if (p.time_outside)
        printf("%s t = 0;\n", wholes[p.time]);
    if (p.outside)
        printf("%s i = 77, j = 78, k = 79;\n", wholes[p.iterator]);
    say("void *swap = NULL;\nint left = 8;\ndouble real = 0;\nstruct {\nint time;\n} held = "
        "{3};\n");
    if (p.time_outside)
        printf("%s *pointed = %s;\n", wholes[p.time], p.pointed ? "&t" : "NULL");
    if (p.behind)
        say("struct behind_@ {\nint n, m, l, k, w[3];\nstruct behind_@ *next;\n"
            "} bound_@ = {n, m, l, 3, {4, 5, 6}, NULL}, *nb_@ = NULL;\nbound_@.next = &bound_@;\n");
    if (p.sums) {
        printf("const int t = 2;\n%s", wholes[pick(4)]);
        say(" s_@ = 3, last_@ = 9;\nint r_@ = 0;\n");
    }
}

static void put_results(void)
{
    put_shown();
    printf("\n");
    if (p.hears)
        say("SHOW(heard_@);\n");
    if ((p.form == SWAP || p.form == ROTATE) && p.storage != STATIC)
        printf("printf(\"%%d %%d\\n\", program, (void *)%s == (void *)first);\n", name_of(0));
    if (p.time_outside)
        say("SHOW(t);\n(void)pointed;\n");
    if (p.outside)
        for (int axis = 0; axis < p.dimensions; axis++)
            printf("SHOW(%s);\n", variables[axis]);
    say("SHOW(x0);\nSHOW(x1);\nSHOW(x2);\nSHOW(k0);\nSHOW(turn);\nSHOW(other);\nSHOW(aside);\n"
        "SHOW(k1);\nSHOW(u0);\nSHOW(lo);\nSHOW(hi);\nSHOW(left);\nSHOW(real);\nSHOW(held.time);\n");
    if (p.sums)
        say("SHOW(s_@);\nSHOW(last_@);\nSHOW(r_@);\n");
    say("(void)cells, (void)q, (void)c0, (void)two, (void)three, (void)nothing, (void)fc, "
        "(void)use;\n(void)mask, (void)small, (void)scalar, (void)end, (void)fixed, (void)swap;\n");
}

/* Under OpenMP no sweep may write what its threads share. */
static int may_be(const struct kind *kind)
{
    if (kind->pragma && p.sums)
        return 0;
    for (int i = 0; i < p.kind_count; i++)
        if (p.kind[i] == kind || (p.kind[i]->serial && kind->serial))
            return 0;
    return kind->language == BOTH || kind->language == language;
}

/* Up to three kinds, in the order of the table, by their weights. */
static void draw_kinds(void)
{
    static const char *const types[] = {"int",           "char",        "unsigned",      "short",
                                        "unsigned char", "long",        "bool",          "uint16_t",
                                        "long long",     "signed char", "unsigned long", "size_t"};
    static const char *const states[] = {"unsigned", "short",    "long", "uint8_t",
                                         "int8_t",   "uint16_t", "bool"};
    int all = 0, wanted = pick(4);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        all += kinds[i].weight;
    for (int i = 0; i < wanted; i++) {
        int at = pick(all);
        const struct kind *kind = kinds;
        for (; at >= kind->weight; kind++)
            at -= kind->weight;
        if (!may_be(kind) || (kind->real && !p.real))
            continue;
        int slot = p.kind_count++;
        for (; slot > 0 && p.kind[slot - 1] > kind; slot--)
            p.kind[slot] = p.kind[slot - 1];
        p.kind[slot] = kind;
    }
    for (int i = 0; i < p.kind_count; i++) {
        p.whole[i] = types[pick(sizeof types / sizeof *types)];
        p.behind = p.behind || strcmp(p.kind[i]->name, "behind null") == 0;
        if (strcmp(p.kind[i]->name, "state of other types") == 0)
            p.type = states[pick(sizeof states / sizeof *states)], p.real = 0;
    }
}

static void draw(int number)
{
    static const int dimensions[] = {1, 2, 2, 3};
    static const char *const types[] = {"double", "float", "int"};
    p = (struct program){
        .number = number, .dimensions = dimensions[pick(4)], .type = types[pick(3)]};
    p.real = p.type[0] != 'i';
    p.odd = rarely(4);
    p.form = (enum form)pick(FORMS);
    p.sums = rarely(8) ? 1 + pick(4) : 0;
    if (p.sums) {
        static const enum form moved[] = {COPY_BACK, SWAP, COPY_FIRST};
        p.dimensions = p.dimensions == 1 ? 2 : p.dimensions;
        p.form = rarely(8) ? p.form : moved[pick(3)];
        p.odd = 0;
    }
    p.storage = (enum storage)pick(p.dimensions == 2 ? STORAGES : POINTERS);
    if (language == CXX_ONLY && p.storage == ROWS) /* of which clang++ takes none of any size */
        p.storage = LINEAR;
    if (p.storage == STATIC && (p.form == SWAP || p.form == ROTATE))
        p.storage = LINEAR;
    static const enum form bordered[] = {SWAP, COPY_BACK, SWAP, ROTATE, COPY_BACK};
    p.borders = rarely(3) && !p.sums ? 1 + pick(3) : 0;
    if (p.borders && !rarely(8) && p.storage != STATIC)
        p.form = bordered[pick(5)];
    int same = pick(2), first = pick(EDGES);
    for (int axis = 0; axis < 3; axis++) {
        p.edge[axis] = (enum edge)(same ? pick(EDGES) : first);
        if (p.borders && !rarely(12))
            p.edge[axis] = KEEP;
        int margin = p.edge[axis] == KEEP;
        p.low[axis] = margin ? 1 + pick(2) : 0;
        p.high[axis] = margin ? 1 + pick(2) : 0;
    }
    p.iterator = rarely(p.odd ? 2 : 5) ? pick(4) : 0;
    p.outside = pick(2);
    p.time = rarely(p.odd ? 2 : 6) ? pick(4) : 0;
    p.time_outside = pick(2);
    p.pointed = rarely(6);
    p.step = rarely(8) ? 2 + pick(2) : 1;
    p.linear = pick(4);
    p.macros = rarely(8);
    p.statements = rarely(2) ? 1 + pick(3) : 0;
    for (int axis = 0; axis < p.dimensions && rarely(5); axis++)
        p.shift[axis] = p.iterator < 2 ? pick(4) - 1 : -pick(3);
    p.sizes = is_linear() && rarely(4) ? pick(12) : 0;
    p.older = p.form <= TWO_SWEEPS && rarely(3);
    p.points = rarely(4) ? 1 + pick(3) : 0;
    p.hears = rarely(4) ? 1 + pick(3) : 0;
    p.looks = rarely(3) ? 1 + pick(3) : 0;
    if (p.looks && rarely(4))
        p.looks |= 4;
    draw_kinds();
    if (p.sums) { /* The sweeps must not use what each loop sets. */
        p.statements = p.points = p.hears = p.looks = p.time_outside = 0;
        p.kind_count = rarely(3) && !p.behind ? p.kind_count : 0;
        p.behind = 0;
    }
}

/* How three time levels are kept, for the counts. */
static const char *levels(void)
{
    return p.form == RING     ? "three planes, "
           : p.form == ROTATE ? "three pointers, "
           : p.form == COPIES ? "three arrays by copies, "
           : p.older          ? "written over the oldest, "
                              : "";
}

static const char *borders(void)
{
    static const char *const names[] = {"", "borders before, ", "borders behind, ",
                                        "borders between, "};
    return names[p.borders];
}

static void put_program(unsigned long seed, int number)
{
    begin_program(seed, number);
    draw(number);
    printf("/* program %d begins */\n", number);
    put_functions();
    PUT_PIECES(file);
    printf("static void program_%d(int n, int m, int l, int T)\n{\n", number);
    if (p.storage == STATIC)
        say("n = N_@, m = M_@, l = L_@;\n");
    printf("const int N = n > m ? n > l ? n : l : m > l ? m : l;\n");
    put_scalars();
    put_arrays();
    PUT_PIECES(before);
    put_region();
    for (int kind = p.kind_count - 1; kind >= 0; kind--)
        if (p.kind[kind]->closes)
            put_piece(p.kind[kind]->closes, p.kind[kind]->closes + strlen(p.kind[kind]->closes),
                      kind);
    put_results();
    printf("(void)m, (void)l, (void)N;\n} /* program %d: %d decisions; ", number, decision);
    for (int kind = 0; kind < p.kind_count; kind++)
        printf("%s, ", p.kind[kind]->name);
    printf("%s%s%s%s%s%s%s%s */\n\n", p.hears ? "receivers, " : "", p.sums ? "sums, " : "",
           p.counts > WHILE ? "counts, " : "", levels(), borders(), p.points ? "points, " : "",
           p.looks ? "looks, " : "", p.odd ? "odd" : "plain");
}

/* The first line: the language, and flags for gzc and compilers alike, several words. With -O3
 * gcc 12.2's vectoriser of straight-line code computes other values than C's of a program in some
 * thousands. */
static void put_flags(unsigned long seed)
{
    state = (seed + 7) * 0x9e3779b97f4a7c15UL;
    pick(2);
    language = pick(4) == 3 ? CXX_ONLY : C_ONLY;
    printf("/* %s: ", language == CXX_ONLY ? "c++" : "c");
    SAY_ANY("-O2", "-O2", "-O0", "-O1", "-O3 -fno-tree-slp-vectorize", "-O2 -march=native", "-Os");
    if (language == CXX_ONLY)
        SAY_ANY("", " -std=gnu++20", " -std=c++17", " -std=gnu++14");
    else
        SAY_ANY("", "", " -std=gnu99", " -std=c99", " -std=c11", " -std=gnu2x", " -std=gnu17");
    SAY_ANY("", "", "", " -funsigned-char", " -fno-strict-aliasing", " -fsigned-char",
            " -fshort-enums", " -fno-builtin");
    SAY_ANY("", "", " -DGIVEN=7", " -DGIVEN=1+1 -DKIND=char -DWEIGHT=0.1",
            " -DKIND=float -DDOUBLED(x)=x+x", " -DGIVEN -DNDEBUG");
    SAY_ANY("", "", "", "", " -fopenmp");
    printf(" */\n");
}

int main(int argc, char **argv)
{
    return write_programs(argc, argv, put_flags, put_program);
}
