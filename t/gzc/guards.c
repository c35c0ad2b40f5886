/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * guards.c - writes C programs of random time loops that run beyond their arrays, at either end of
 * any axis, and touch under conditions only what lies in them: loops of all kinds, left or gone on
 * with by continue, break and goto, with subscripts that an array holds and a number that a pointer
 * leads to. Arrays, or all rows of one, lie between pages that nobody may touch (programs.h). A
 * program is a row of decisions, of which 0 is the plainest.
 */
#include "decisions.h"

enum { BY_POINTERS, IN_PLACE, TWO_SWEEPS, COPIED_BACK, BY_TIME, SEVERAL, SEVERAL_MOVED, WAYS };
enum { ROWS, LINEAR, POINTERS, LAYOUTS };
enum { UP, DOWN, BY_TWO, WHILE, DO, FORMS };               /* of loops */
enum { AND, NESTED, BITS, CONTINUE, GOTO, BREAK, JOINTS }; /* of conditions */

static struct {
    int dimensions, way, layout;
    int far; /* how far neighbours lie */
} p;

/* One sweep: what is added to the loop variables, and cells beyond the arrays at either end. */
static struct {
    int add[3], below[3], above[3], bounds; /* bounds: conditions that have been written */
    int joined, form[3];
    int own;            /* whether it reads the cell itself only */
    int looked;         /* the axis whose subscripts stand in an array, -1 if none */
    const char *end[3]; /* extents, or a number that none is below */
} s;
static int label;

/* The loop that is written: its first value, and whether its bound is part of it. */
static int from, inclusive;

/* Beside the numbers of all generators, $v and $e are the variable and the end along the axis, $p
 * and $q the number less and more one, $i that of a bound, by a comparison $c, $f and $P where the
 * loop begins and the number before. */
static void put_letter(char letter, int kind)
{
    (void)kind;
    if (letter == 'v' || letter == 'e')
        printf("%s", letter == 'v' ? variables[now.axis] : s.end[now.axis]);
    else if (letter == 'p' || letter == 'q')
        printf("%d", now.number + (letter == 'p' ? -1 : 1));
    else if (letter == 'f' || letter == 'P')
        printf("%d", from - (letter == 'P'));
    else if (letter == 'i')
        printf("%d", now.number + inclusive);
    else if (letter == 'c')
        printf(inclusive ? "<=" : "<");
    else
        put_number_letter(letter);
}

static int is_real(void)
{
    return 1;
}

/* The element of an array that lies so far from the cell that is written along an axis. */
static void put_element(const char *array, int axis, int distance)
{
    int linear = p.layout == LINEAR && p.dimensions > 1;
    printf(linear ? "%s[" : "%s", array);
    for (int a = 0; a < p.dimensions; a++) {
        int more = s.add[a] + (a == axis ? distance : 0);
        char v[20];
        snprintf(v, sizeof v, a == s.looked ? "same[%s + 8]" : "%s", variables[a]);
        if (linear)
            printf(a ? " + (%s + %d)" : "(%s + %d)", v, more);
        else
            printf(more ? "[%s %c %d]" : "[%s]", v, more < 0 ? '-' : '+', abs(more));
        for (int b = a + 1; b < p.dimensions && linear; b++)
            printf(" * %s", extents[b]);
    }
    printf(linear ? "]" : "");
}

/* Where the loop variable of an axis must lie: from `first` to the extent less `less`. */
static int first_of(int axis)
{
    return p.far * !s.own - s.add[axis];
}
static int less_of(int axis)
{
    return p.far * !s.own + s.add[axis];
}

/* What stands before the first condition, between two and behind the last. */
static void put_joint(int at)
{
    static const char *const joints[JOINTS][3] = {
        {"if (", " && ", ")\n"},
        {"if (", ")\nif (", ")\n"},
        {"if ((", ") & (", "))\n"},
        {"if (!(", "))\ncontinue;\nif (!(", "))\ncontinue;\n"},
        {"if (!(", "))\ngoto next_%1$d;\nif (!(", "))\ngoto next_%1$d;\n"},
        {"if (!(", "))\nbreak;\nif (!(", "))\nbreak;\n"}};
    printf(joints[s.joined][at], label);
}

/* Begins one more condition. */
static void put_next(void)
{
    put_joint(s.bounds++ > 0);
}

static void put_lower(int axis, int first, int below)
{
    put_next();
    SAY_ONE(pick(below == 1 ? 8 : 7), 0, axis, first, "$v >= $s", "$v > $p", "$s <= $v",
            "!($v < $s)", "!($s > $v || $e < 0)", "$v - ($s) >= 0",
            "x * ($v - ($s)) >= 0" /* which is not understood */, "$v != $p");
}

static void put_upper(int axis, int less, int above)
{
    put_next();
    SAY_ONE(pick(above == 1 ? 6 : 5), 0, axis, less, "$v < $e - ($s)", "$v <= $e - ($q)",
            "$e - ($s) > $v", "!($v >= $e - ($s))", "$v + ($s) < $e", "$v != $e - ($s)");
}

static void put_loops(void)
{
    static const char *const forms[FORMS] = {
        "for ($v = $f; $v $c $e - ($i); $v++)\n", "for ($v = $e - ($q); $v >= $f; $v--)\n",
        "for ($v = $f; $v $c $e - ($i); $v += 2)\n", "{ $v = $P; while (++$v $c $e - ($i))\n",
        "{ $v = $f; if ($v < $e - ($s)) do {\n"};
    for (int a = 0; a < p.dimensions; a++) {
        s.form[a] = rarely(3) ? pick(FORMS) : UP;
        from = first_of(a) - s.below[a], inclusive = pick(2);
        say_at(forms[s.form[a]], 0, a, less_of(a) - s.above[a]);
    }
    printf("{\n");
}

/* Ends the loops, the innermost first. */
static void put_ends(void)
{
    if (s.joined == GOTO && s.bounds)
        printf("next_%d:;\n", label++);
    printf("}\n");
    for (int a = p.dimensions - 1; a >= 0; a--)
        say_at(s.form[a] == DO      ? "} while (++$v < $e - ($s)); }\n"
               : s.form[a] == WHILE ? "}\n"
                                    : "",
               0, a, less_of(a) - s.above[a]);
}

/* A condition that leaves out some cells, at an end for some sizes, or an end that no bound tells.
 */
static void put_other(void)
{
    put_next();
    if (p.dimensions > 1 && pick(2))
        SAY_ANY("(i + j) % 2 == 0", "i + j > 3", "i != j", "i + j < n + m - 4",
                "(i - 4) * (i - 4) + (j - 4) * (j - 4) < 14", "(i + j + t) % 2");
    else
        SAY_ANY("i != 5", "i % 2 == 0", "i % 3 != 1", "i * i > 1", "i != n / 2", "t != 2");
}

static void put_conditions(void)
{
    for (int a = 0; a < p.dimensions; a++) {
        if (s.below[a])
            put_lower(a, first_of(a), s.below[a]);
        if (s.above[a])
            put_upper(a, less_of(a), s.above[a]);
    }
    if (rarely(4))
        put_other();
    if (s.bounds)
        put_joint(2);
}

/* A neighbour that is an element for some cells only, read there. */
static void put_farther(const char *array, int axis)
{
    int away = p.far + 1 + pick(2), before = pick(2);
    if (before)
        printf(" + 0.05 * (%s >= %d ? ", variables[axis], away - s.add[axis]);
    else
        printf(" + 0.05 * (%s < %s - (%d) ? ", variables[axis], extents[axis], away + s.add[axis]);
    put_element(array, axis, before ? -away : away);
    printf(" : 0.5)");
}

/* TO = what a neighbour on either side of each axis and the cell itself hold in FROM, or only the
 * latter. */
static void put_sweep(const char *to, const char *from, int own)
{
    int kept = rarely(4) ? pick(3) : 0;
    memset(&s, 0, sizeof s);
    s.joined = pick(3);
    if (rarely(3))
        s.joined = pick(JOINTS);
    s.looked = rarely(4) ? pick(p.dimensions) : -1;
    s.own = own;
    for (int a = 0; a < p.dimensions; a++) {
        s.add[a] = rarely(3) ? pick(3) - 1 : 0;
        s.below[a] = pick(2) ? 1 + pick(2) : 0;
        s.above[a] = pick(2) ? 1 + pick(2) : 0;
        s.end[a] = rarely(4) ? "5" : extents[a];
    }
    put_loops();
    put_conditions();
    put_element(to, 0, 0);
    printf(" = 0.5 * ");
    put_element(own ? to : from, 0, 0);
    printf(" + 0.1");
    for (int a = 0; a < p.dimensions; a++) {
        int side = pick(3);
        for (int d = -1; d <= 1; d += 2)
            if (side != 1 + d || own) {
                printf(" - 0.1 * ");
                put_element(from, a, own ? 0 : d * p.far);
            }
        if (rarely(4))
            put_farther(from, a);
    }
    printf("%s;\n", kept == 2 ? " - 0.01 * *kept" : kept ? " - 0.01 * x" : "");
    put_ends();
}

static void put_copy(void)
{
    memset(&s, 0, sizeof s);
    s.own = 1;
    s.looked = -1;
    memcpy(s.end, extents, sizeof s.end);
    put_loops();
    put_element("a", 0, 0);
    printf(" = ");
    put_element("b", 0, 0);
    printf(";\n");
    put_ends();
}

static void put_body(void)
{
    static const struct {
        const char *to[2], *from[2], *after;
    } ways[WAYS] = {
        [BY_POINTERS] = {{"b"}, {"a"}, "swap = a;\na = b;\nb = swap;\n"},
        [IN_PLACE] = {{"a"}, {"c"}, ""},
        [TWO_SWEEPS] = {{"b", "a"}, {"a", "b"}, ""},
        [COPIED_BACK] = {{"b"}, {"a"}, ""},
        [BY_TIME] = {{"g[(t + 1) % 2]"}, {"g[t % 2]"}, ""},
        [SEVERAL] = {{"a", "b"}, {"b", "a"}, ""},
        [SEVERAL_MOVED] = {{"b", "d"},
                           {"a", "c"},
                           "{ swap = a; a = b; b = swap; }\nswap = c;\nc = d;\nd = swap;\n"}};
    for (int i = 0; i < 2 && ways[p.way].to[i]; i++)
        put_sweep(ways[p.way].to[i], ways[p.way].from[i],
                  p.way == IN_PLACE || (p.way == SEVERAL && pick(2)));
    if (p.way == COPIED_BACK)
        put_copy();
    printf("%s", ways[p.way].after);
}

/* The bounds of an array that is declared, or cast to, from an axis on: [m][l]. */
static void put_bounds(int axis)
{
    for (; axis < p.dimensions && p.layout == ROWS; axis++)
        printf("[%s]", extents[axis]);
}

static void put_arrays(void)
{
    int rows = p.layout == ROWS && p.dimensions > 1, pointers = p.layout == POINTERS;
    for (int array = 0; array < 4; array++) {
        char name = (char)('a' + array);
        if (pointers) {
            printf("double **%c = pointers(n);\nfor (i = 0; i < n; i++)\n"
                   "%c[i] = double_array((size_t)m, %d + i);\n",
                   name, name, array % 2 * 100);
            continue;
        }
        printf(rows ? "double (*%c)" : "double *%c", name);
        put_bounds(1);
        printf(rows ? " = (double (*)" : " = ");
        put_bounds(1);
        printf("%sdouble_array(count, %d);\n", rows ? ")" : "", 2 * array + pick(2));
    }
    printf(pointers ? "double **swap" : rows ? "double (*swap)" : "double *swap");
    put_bounds(1);
    printf(" = 0;\n");
    if (p.way == BY_TIME) {
        printf("double (*g)");
        put_bounds(0);
        printf(" = (double (*)");
        put_bounds(0);
        printf(")double_array(2 * count, %d);\n", pick(2));
    }
    for (int pair = 0; pair < 2; pair++)
        if (p.way != IN_PLACE && p.way != BY_TIME && p.way != SEVERAL && pick(4))
            printf(
                pointers
                    ? "for (i = 0; i < n; i++)\nmemcpy(%c[i], %c[i], (size_t)m * sizeof(double));\n"
                    : "memcpy(%c, %c, count * sizeof(double));\n",
                "bd"[pair], "ac"[pair]);
}

static void put_program(unsigned long seed, int number)
{
    static const char *const ways[] = {"exchange",         "in place",       "two sweeps",
                                       "copies back",      "planes by time", "several",
                                       "several exchanged"};
    static const char *const layouts[] = {"rows", "linear", "pointers"};
    begin_program(seed, number);
    p.dimensions = 1 + pick(3);
    p.way = pick(WAYS);
    p.layout = pick(LAYOUTS);
    p.far = 1 + pick(2);
    if (p.way == BY_TIME || (p.layout == POINTERS && p.dimensions != 2))
        p.layout = ROWS;
    say("/* program @ begins */\nstatic void program_@(int n, int m, int l, int T)\n{\n"
        "int i = 77, j = 78, k = 79, t = 80, x = 1;\nsize_t count = (size_t)n");
    for (int a = 1; a < p.dimensions; a++)
        printf(" * (size_t)%s", extents[a]);
    printf(";\n");
    put_arrays();
    printf("int *kept = &x, *same = (int *)fenced((count + 24) * sizeof(int), 1);\n"
           "for (size_t o = 0; o < count + 24; o++)\nsame[o] = (int)o - 8;\n");
    printf("#pragma scop\nfor (t = 0; t < T; t++) {\n");
    put_body();
    if (rarely(6))
        printf(pick(2) ? "x++;\n" : "++*kept;\n");
    printf("}\n#pragma endscop\n");
    for (int array = 0; array < 4; array++)
        printf(
            p.layout == POINTERS
                ? "for (int r = 0; r < n; r++)\nshow(\"%c\", %c[r], (size_t)m * sizeof(double));\n"
                : "show(\"%c\", %c, count * sizeof(double));\n",
            'a' + array, 'a' + array);
    if (p.way == BY_TIME)
        printf("show(\"g\", g, 2 * count * sizeof(double));\n");
    printf("SHOW(i);\nSHOW(j);\nSHOW(k);\nSHOW(t);\n"
           "(void)m, (void)l, (void)swap, (void)x, (void)kept, (void)same;\n"
           "} /* program %d: %d decisions; %s, %s, %d dimensions */\n\n",
           number, decision, ways[p.way], layouts[p.layout], p.dimensions);
}

int main(int argc, char **argv)
{
    return write_programs(argc, argv, NULL, put_program);
}
