/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * systems.c - writes C programs of random time loops that set several arrays, as programs.c does of
 * one: it knows what C leaves undefined, and keeps off it, but nothing of gzc. A program is a row
 * of decisions, of which 0 is the plainest.
 */
#include "decisions.h"

enum { MOST_ARRAYS = 5, MOST_PARTS = 24 };

static struct {
    int dimensions, arrays, rows, outside, integer;
    const char *type;
    int low[3], high[3]; /* of the nest: cells left out */
    int fixed;           /* an axis along which it has one cell, or -1 */
    int point;           /* whether it has one cell in all */
    int temporaries;     /* of the cell so far */
    int swapped;         /* pairs of arrays between which the state moves, the first ones */
    int moves;           /* how */
    int two;             /* of planes by toggle, two numbers that change places choose them */
    int pointed;         /* whether ifs set cells beside the nests */
    int hears;           /* whether cells are handed on */
    int behind;      /* whether what it asks for lies behind a null pointer where no loop runs */
    int far;         /* whether the nest has cells only if T > 3, and asks elsewhere then */
    int again;       /* whether a goto repeats the loops */
    int looks;       /* where some time steps look at the cells: nowhere, before the rest, ... */
    int pairs, read; /* of a sweep of theirs: so many are read, and the second of each, or not */
    enum { KEPT, WRAPPED, CLAMPED, CUT } edge[3];
} p;

enum { BY_POINTERS, BY_CALLS, COPIED_BACK, COPIED_FIRST, BY_TIME, BY_NUMBERS, BY_TOGGLE, MOVES };

static int is_real(void)
{
    return !p.integer;
}

/* The place of the cell moved across an edge, or not at all; extents are larger than the distance.
 */
static void put_bent(int axis, int d)
{
    static const char *const spellings[2][3][3] = {
        {{"($v + $n - $d) % $n", "($v < $d ? $v + $n - $d : $v - $d)", "($v - $d + $n) % $n"},
         {"($v + $n) % $n", "$v % $n", "($v + $n - 0) % $n"},
         {"($v + $d) % $n", "($v >= $n - $d ? $v + $d - $n : $v + $d)",
          "($v + $d < $n ? $v + $d : $v + $d - $n)"}},
        {{"($v < $d ? 0 : $v - $d)", "($v - $d > 0 ? $v - $d : 0)", "($v >= $d ? $v - $d : 0)"},
         {"($v < 0 ? 0 : $v)", "($v < $n ? $v : $n - 1)", "($v > 0 ? $v : 0)"},
         {"($v + $d < $n ? $v + $d : $n - 1)", "($v >= $n - $d ? $n - 1 : $v + $d)",
          "($v > $n - 1 - $d ? $n - 1 : $v + $d)"}}};
    say_at(spellings[p.edge[axis] == CLAMPED][(d > 0) - (d < 0) + 1][pick(3)], 0, axis, d);
}

/* The place of a nest's cell along an axis, moved. */
static void put_index(int axis, int d)
{
    if (axis == p.fixed || p.point)
        say_at(p.low[axis] ? "$n - $s" : "$s", 0, axis, p.low[axis] ? p.low[axis] - d : d);
    else if (p.edge[axis] && p.edge[axis] != CUT && (d || rarely(8)))
        put_bent(axis, d);
    else
        say_at(d ? "$v $o $d" : "$v", 0, axis, d);
}

/* Whether an array is one of two planes, the first of a pair that which is read. */
static int is_plane(int array)
{
    return p.moves >= BY_TIME && array < 2 * p.swapped;
}

static void put_plane(int array)
{
    static const char *const planes[3][2][2] = {
        {{"t % 2", "1 - (t + 1) % 2"}, {"(t + 1) % 2", "1 - t % 2"}},
        {{"now", "1 - next"}, {"next", "1 - now"}},
        {{"toggle", "toggle"}, {"1 - toggle", "!toggle"}}};
    if (p.two && array % 2 && pick(2))
        printf("g%d[other]", array / 2);
    else
        printf("g%d[%s]", array / 2, planes[p.moves - BY_TIME][array % 2][pick(2)]);
}

static const int here[3];

static void put_element(int array, const int d[3])
{
    if (is_plane(array))
        put_plane(array);
    else
        printf("f%d", array);
    for (int axis = 0; axis < p.dimensions; axis++) {
        printf(p.rows ? "[" : axis ? " + (" : "[(");
        put_index(axis, d[axis]);
        printf(p.rows ? "]" : ")");
        for (int faster = axis + 1; faster < p.dimensions && !p.rows; faster++)
            printf(" * %s", extents[faster]);
    }
    printf(p.rows ? "" : "]");
}

/* Whether the cell so far away lies within the array, where an axis may end before it. */
static int put_inside(const int d[3])
{
    static const char *const spellings[2][3] = {
        {"$v >= $d", "$v - $d >= 0", "($v < $d) == 0"},
        {"$v + $d < $n", "$v < $n - $d", "$v + $d <= $n - 1"}};
    int count = 0;
    for (int axis = 0; axis < p.dimensions; axis++)
        if (p.edge[axis] == CUT && axis != p.fixed && !p.point && d[axis]) {
            printf("%s", count++ ? " && " : "(");
            say_at(spellings[d[axis] > 0][pick(3)], 0, axis, d[axis]);
        }
    return count;
}

/* A read of an array that stays within it. */
static void put_read(int array, int near)
{
    int d[3] = {0};
    for (int axis = 0; axis < p.dimensions && !near; axis++) {
        if (axis == p.fixed || p.point) {
            int to = pick(3);
            d[axis] = p.low[axis] ? -to : to;
            continue;
        }
        if (pick(2) == 0)
            continue;
        int span = p.low[axis] + p.high[axis];
        if (p.edge[axis])
            d[axis] = pick(2) ? 1 - 2 * pick(2) : pick(5) - 2;
        else
            d[axis] = span ? pick(span + 1) - p.low[axis] : 0;
    }
    if (!put_inside(d)) {
        put_element(array, d);
        return;
    }
    printf(" ? ");
    put_element(array, d);
    printf(" : ");
    if (pick(2))
        printf(pick(2) ? "x" : "0");
    else
        put_element(array, here);
    printf(")");
}

/* An array that may be read for its neighbours. */
static int some_array(void)
{
    return p.pairs ? 2 * pick(p.pairs) + p.read : pick(p.arrays);
}

static void put_letter(char letter, int kind)
{
    (void)kind;
    if (letter == 'T')
        printf("%s", p.type);
    else if (letter == 'v' || letter == 'n')
        printf("%s", letter == 'v' ? variables[now.axis] : extents[now.axis]);
    else if (letter == 'r' || letter == 'h')
        put_read(some_array(), letter == 'h');
    else if (letter == 'f' || letter == 'F')
        put_read(p.arrays, letter == 'F');
    else if (letter == 'z' && p.temporaries)
        printf("z%d", pick(p.temporaries));
    else if (letter == 'z')
        printf("y");
    else if (letter == 'N')
        printf(p.far ? "far->next->k" : p.behind ? "nb->next->k" : "x");
    else if (letter == 'i')
        printf("%s", p.fixed == 0 || p.point ? "t" : "i");
    else if (letter == 'c')
        printf("%s", p.fixed == 0 && p.dimensions == 1 ? "t" : p.fixed == 0 ? "j" : "i");
    else
        put_number_letter(letter);
}

static void put_term(void)
{
    SAY_ONE(pick(15), 0, 0, 0, "$r", "$r", "$r", "$r", "$r", "$h", "$N", "$f", "s[t]", "$i",
            "$[t * 0.01$|t % 5$)", "$z", "($r > $h ? x : $h)",
            "$[$|(int)(3 * $)$($(sin(x * 0.5)$|cosf(s[t])$)$|exp(-0.1 * t)$)$[$|)$)",
            "$[0.25f$|3$)");
}

static void put_value(void)
{
    int terms = 1 + pick(4);
    printf(p.integer ? "(" : "%s * (", pick(3) ? "0.3" : "0.41f");
    for (int i = 0; i < terms; i++) {
        printf("%s", i == 0 ? "" : pick(3) ? " + " : " - ");
        put_term();
    }
    printf(p.integer ? ") %% 1000" : ")");
}

static void put_condition(void)
{
    SAY_ONE(pick(4), 0, 0, 0, "$c % 2 == t % 2", "$h > x", "t > 2", "$F > 0");
}

static void put_assignment(void)
{
    int array = pick(p.arrays), guarded = rarely(7), other = guarded && pick(2);
    if (guarded) {
        printf("if (");
        put_condition();
        printf(")\n");
    }
    for (int i = 0; i <= other; i++) {
        printf(i ? "else\n" : "");
        put_element(array, here);
        SAY_ANY(" = ", " = ", " = ", " += ", " -= ", " = ");
        put_value();
        printf(";\n");
    }
}

static void put_headers(void)
{
    for (int axis = 0; axis < p.dimensions; axis++) {
        if (axis == p.fixed)
            continue;
        const char *v = variables[axis];
        const char *from = p.behind && pick(2) ? pick(2) ? "nb->next->" : "nb->" : "";
        from = p.far && axis > 0 ? "far->next->" : from;
        printf("for (%s%s = %d; %s < %s%s", p.outside ? "" : "int ", v, p.low[axis], v,
               p.far && axis == 0 ? "" : from, p.far && axis == 0 ? "few" : extents[axis]);
        if (p.high[axis])
            printf(" - %d", p.high[axis]);
        printf("; %s++)\n", v);
    }
    printf("{\n");
}

/* Along an axis with an edge, nests have all cells, as a rule. */
static void fill_axes(void)
{
    for (int axis = 0; axis < p.dimensions; axis++)
        if (p.edge[axis] && axis != p.fixed && !rarely(12))
            p.low[axis] = p.high[axis] = 0;
}

static void put_nest(void)
{
    p.fixed = rarely(5) ? pick(p.dimensions) : -1;
    if (p.fixed >= 0 && p.edge[p.fixed] && !rarely(4))
        p.fixed = -1;
    p.temporaries = 0;
    for (int axis = 0; axis < p.dimensions; axis++) {
        p.low[axis] = axis == p.fixed ? pick(2) : pick(3);
        p.high[axis] = pick(3);
    }
    if (p.fixed >= 0 && p.low[p.fixed])
        p.low[p.fixed] = 1;
    fill_axes();
    p.far = p.behind && p.fixed != 0 && rarely(3);
    put_headers();
    for (int i = pick(3); i > 0; i--) {
        printf("%s z%d = ", p.type, p.temporaries);
        put_value();
        printf(";\n");
        p.temporaries++;
    }
    for (int i = 1 + pick(3); i > 0; i--)
        put_assignment();
    printf("}\n");
    p.far = 0;
}

/* The place of a single cell, until p.point is 0 again. */
static void draw_point(void)
{
    p.point = 1;
    for (int axis = 0; axis < p.dimensions; axis++)
        p.low[axis] = pick(2) * (1 + pick(2));
}

/* Cells that an if sets or changes beside the nests, such as sources that end. */
static void put_points(void)
{
    draw_point();
    p.temporaries = 0;
    SAY_ANY("if (t < 3) {\n", "if (t % 2 == 0) {\n", "if (t > 1 && t != 4) {\n", "if (x > t) {\n");
    for (int i = 1 + rarely(3); i > 0; i--) {
        put_element(p.swapped ? 2 * pick(p.swapped) + 1 : pick(p.arrays), here);
        printf(pick(3) ? " += " : " = ");
        put_value();
        printf(";\n");
    }
    printf("}\n");
    p.point = 0;
}

/* Hands on what is in single cells, or prints it. */
static void put_receivers(void)
{
    if (!p.hears || pick(2))
        return;
    draw_point();
    int prints = rarely(5), more = rarely(3);
    if (prints) {
        say("printf(\"@ heard %d  %a\\n\", t, (double)");
    } else {
        SAY_ANY("heard_@[t]", "heard_@[3 * t + 1]", "heard_@[t + 40]", "heard_@[t / 2]");
        printf(pick(4) ? " = " : " += ");
    }
    put_element(pick(p.arrays), here);
    if (more) {
        printf(" - ");
        put_element(pick(p.arrays), here);
    }
    printf(prints ? ");\n" : ";\n");
    p.point = 0;
}

static void put_memory_copy(int to, int from)
{
    static const char *const calls[] = {"memcpy(f%d, f%d, bytes", "memcpy(f%d, f%d, sizeof(",
                                        "memmove(f%d, f%d, count * sizeof x);\n",
                                        "memcpy(&f%d[0], &f%d[0], bytes);\n"};
    int way = pick(4);
    printf(calls[way], to, from);
    if (way == 0)
        say("$($|$|$| / 2$| - sizeof(x)$));\n");
    else if (way == 1)
        printf("%s) * count);\n", p.type);
}

/* Two pointers change places: among the other statements, in a block, or in one that runs once. */
static void put_exchange(int a, int b)
{
    static const char *const ways[] = {
        "swap = f%1$d; f%1$d = f%2$d; f%2$d = swap;\n",
        "{ swap = f%1$d; f%1$d = f%2$d; f%2$d = swap; }\n",
        "do { swap = f%1$d; f%1$d = f%2$d; f%2$d = swap; } while (0);\n",
        "{ { swap = f%1$d; } f%1$d = f%2$d; f%2$d = swap; }\n",
        "{ __typeof__(swap) swap = f%1$d; f%1$d = f%2$d; f%2$d = swap; }\n"};
    printf(ways[pick(5)], a, b);
}

/* How the state comes back into the arrays that are read, for a pair. */
static void put_move(int i)
{
    if (p.moves == COPIED_BACK)
        put_memory_copy(2 * i, 2 * i + 1);
    else if (p.moves == BY_CALLS)
        printf("exchange_%d(&f%d, &f%d);\n", program_number, 2 * i, 2 * i + 1);
    else if (p.moves == BY_POINTERS)
        put_exchange(2 * i, 2 * i + 1);
}

/* A sweep into the second array of a pair, or of all pairs, or back. */
static void put_pairs(void)
{
    int back = p.moves == COPIED_FIRST;
    for (int i = 0; i < p.swapped && back; i++)
        put_memory_copy(2 * i + 1, 2 * i);
    p.fixed = -1;
    p.temporaries = 0;
    for (int axis = 0; axis < p.dimensions; axis++)
        p.low[axis] = p.high[axis] = 1;
    fill_axes();
    put_headers();
    for (int i = 0; i < p.swapped; i++) {
        put_element(2 * i + !back, here);
        printf(" = ");
        p.pairs = p.swapped;
        p.read = back;
        put_value();
        p.pairs = 0;
        if (!p.integer)
            printf(" + 0.5 * "), put_read(2 * i + back, 0);
        printf(";\n");
    }
    printf("}\n");
    put_receivers();
    if (rarely(3))
        put_nest();
    if (p.pointed && !back)
        put_points();
    put_receivers();
    int last = rarely(2);
    for (int i = 0; i < p.swapped; i++)
        put_move(last ? p.swapped - 1 - i : i);
    if (p.moves == BY_TOGGLE && p.two)
        SAY_ANY("aside = toggle;\ntoggle = other;\nother = aside;\n",
                "other = toggle;\ntoggle = 1 - toggle;\n", "toggle ^= 1;\nother ^= 1;\n",
                "int last = toggle;\ntoggle = other;\nother = last;\n");
    else if (p.moves == BY_TOGGLE)
        SAY_ANY("toggle = 1 - toggle;\n", "toggle ^= 1;\n", "toggle = !toggle;\n");
}

static void put_copy(int from, int to)
{
    p.fixed = -1;
    for (int axis = 0; axis < p.dimensions; axis++)
        p.low[axis] = p.high[axis] = pick(3);
    fill_axes();
    put_headers();
    put_element(to, here);
    printf(" = ");
    put_element(from, here);
    printf(";\n}\n");
}

/* A number that each loop sets, between nests. */
static void put_number(void)
{
    SAY_ANY("y = $[exp(-0.1 * t)$|t % 7$);\n", "y = $[x * 0.5 + t * 0.01$|x + t % 3$);\n",
            "y = $[sin(x) - cosf(0.3f * t)$|3 - x$);\n");
}

/* Some time steps look at all cells, which may end the loop, and at a number that it has found. */
static void put_look(void)
{
    SAY_ANY("if (t % 3 == 1) {\n", "if (++looks == 4) {\nlooks = 0;\n",
            "if (t > 2 && (t + 1) % 2 == 0) {\n");
    say("norm = 0;\n");
    p.fixed = -1;
    for (int axis = 0; axis < p.dimensions; axis++)
        p.low[axis] = p.high[axis] = pick(2);
    fill_axes();
    put_headers();
    SAY_ANY("norm $[+$|^$)= ", "norm = norm $[* 0.5 +$|-$) ", "if (norm < 2) norm = ");
    put_element(pick(p.arrays), here);
    printf(";\n}\n");
    SAY_ANY("", "printf(\"%d %a\\n\", t, (double)norm);\n", "if (norm > x)\ny = norm;\n");
    SAY_ANY("if (norm $[> 40$|% 5 == 3$))\nbreak;\n}\n", "if (norm < 0)\nstop = 1;\n}\n", "}\n");
}

static void put_body(void)
{
    int numbered = rarely(4);
    if (p.swapped && p.moves == BY_NUMBERS)
        printf("const int now = t %% 2, next = 1 - now;\n");
    if (rarely(9))
        printf("if (t %% 3 == 1)\nshow(\"one\", %s0, bytes);\n", is_plane(0) ? "g" : "f");
    if (p.looks == 1)
        put_look();
    if (p.swapped)
        put_pairs();
    if (p.looks == 2)
        put_look();
    for (int i = p.swapped ? rarely(6) : 1 + pick(4); i > 0; i--) {
        if (numbered && pick(2))
            put_number(), numbered = 0;
        put_receivers();
        put_nest();
    }
    if (p.pointed && !p.swapped)
        put_points();
    if (!p.swapped && rarely(8))
        put_memory_copy(p.arrays - 1, 0);
    if (!p.swapped && rarely(4))
        put_copy(pick(p.arrays), pick(p.arrays));
    put_receivers();
    put_receivers();
    if (rarely(12))
        printf("if (t == 4)\nx = 0;\n");
    if (p.looks == 3)
        put_look();
}

static void put_arrays(void)
{
    static const char *const casts[] = {"", "[m]", "[m][l]"};
    printf("const size_t count = (size_t)n%s%s, bytes = count * sizeof(%s);\n",
           p.dimensions > 1 ? " * (size_t)m" : "", p.dimensions > 2 ? " * (size_t)l" : "", p.type);
    const char *rows = casts[p.rows ? p.dimensions - 1 : 0];
    int rowed = *rows != 0;
    for (int i = 0; i < p.swapped && is_plane(0); i++)
        printf("%s (*g%d)%s%s = (%s (*)%s%s)%s_array(2 * count, %d);\n", p.type, i,
               rowed || p.dimensions == 1 ? "[n]" : "[count]", rows, p.type,
               rowed || p.dimensions == 1 ? "[n]" : "[count]", rows, p.type, i + 1);
    for (int i = is_plane(0) ? 2 * p.swapped : 0; i <= p.arrays; i++)
        printf(rowed ? "%s (*f%d)%s = (%s (*)%s)%s_array(count, %d);\n"
                     : "%s *f%d%s = (%s *%s)%s_array(count, %d);\n",
               p.type, i, rows, p.type, rows, p.type, i + 1);
    printf(rowed ? "%s (*swap)%s = 0;\n" : "%s *swap%s = 0;\n", p.type, rows);
    printf("%s *s = %s_array((size_t)T + 1, 9);\n", p.type, p.type);
    for (int i = 0; i < p.swapped; i++)
        if (!rarely(5))
            printf(is_plane(0) ? "memcpy(g%d[1], g%d[0], bytes);\n" : "memcpy(f%d, f%d, bytes);\n",
                   is_plane(0) ? i : 2 * i + 1, is_plane(0) ? i : 2 * i);
}

static void put_program(unsigned long seed, int number)
{
    static const char *const types[] = {"double", "double", "float", "int"};
    static const char *const ways[] = {"exchange",        "exchange by calls", "copies back",
                                       "copies first",    "planes by time",    "planes by numbers",
                                       "planes by toggle"};
    static const char *const edges[] = {"kept", "wrapped", "clamped", "cut"};
    begin_program(seed, number);
    p.dimensions = 1 + pick(5) % 3;
    p.type = types[pick(4)];
    p.integer = strcmp(p.type, "int") == 0;
    p.rows = p.dimensions == 1 || pick(2);
    p.outside = pick(2);
    p.arrays = 2 + pick(MOST_ARRAYS - 1);
    p.swapped = pick(2) ? p.arrays / 2 : 0;
    p.moves = pick(MOVES);
    p.hears = rarely(3);
    p.behind = rarely(3);
    p.again = rarely(5);
    p.looks = rarely(3) ? 1 + pick(3) : 0;
    p.two = p.moves == BY_TOGGLE && pick(2);
    p.pointed = rarely(4) && p.rows && !(p.swapped && p.moves == COPIED_FIRST);
    if (p.moves == BY_CALLS && p.rows && p.dimensions > 1)
        p.moves = BY_POINTERS;
    for (int axis = 0, bent = rarely(3); axis < 3; axis++)
        p.edge[axis] = bent && axis < p.dimensions ? pick(4) : KEPT;
    say("/* program @ begins */\n");
    if (p.swapped && p.moves == BY_CALLS)
        say("static void exchange_@($T **a, $T **b)\n{\n$T *c = *a;\n*a = *b;\n*b = c;\n}\n\n");
    say("static void program_@(int n, int m, int l, int T)\n{\n"
        "int i = 77, j = 78, k = 79, t = 80, toggle = 0, other = 1, aside = 9;\n"
        "$T x = ($T)$[0.375$|7$), y = ($T)2;\n");
    put_arrays();
    if (p.hears)
        say("static double heard_@[4096];\nmemset(heard_@, 0, sizeof heard_@);\n");
    if (p.behind)
        say("struct behind_@ {\nint n, m, l;\n$T k;\nstruct behind_@ *next;\n"
            "} bound = {n, m, l, ($T)3, NULL}, *nb = T > 0 ? &bound : NULL;\n"
            "int few = T > 3 ? n : 0;\nstruct behind_@ *far = few > 0 ? &bound : "
            "NULL;\n(void)far;\n"
            "bound.next = &bound;\n");
    if (p.again)
        say("int turn = 0;\nagain_@:\nSHOW(x);\n");
    if (p.looks)
        say("$T norm = 0;\nint looks = 1, stop = 0;\n");
    printf("#pragma scop\nfor (t = 0; t < T%s; t++) {\n", p.looks ? " && !stop" : "");
    put_body();
    printf("}\n#pragma endscop\n");
    if (p.again)
        say("if (turn++ < 2)\ngoto again_@;\n");
    for (int i = 0; i < p.swapped && is_plane(0); i++)
        printf("show(\"g%d\", g%d, 2 * bytes);\n", i, i);
    for (int array = is_plane(0) ? 2 * p.swapped : 0; array < p.arrays; array++)
        printf("show(\"f%d\", f%d, bytes);\n", array, array);
    if (p.hears)
        say("SHOW(heard_@);\n");
    if (p.looks)
        say("SHOW(norm);\nSHOW(looks);\nSHOW(stop);\n");
    printf("SHOW(i);\nSHOW(j);\nSHOW(k);\nSHOW(t);\nSHOW(toggle);\nSHOW(other);\nSHOW(aside);\n"
           "SHOW(x);\nSHOW(y);\n(void)m, (void)l, (void)swap, (void)s, (void)bytes;\n"
           "} /* program %d: %d decisions; %s, %d dimensions",
           number, decision, p.swapped ? ways[p.moves] : "in place", p.dimensions);
    printf("%s%s%s%s%s", p.pointed ? ", points" : "", p.hears ? ", receivers" : "",
           p.looks ? ", looks" : "", p.behind ? ", behind null" : "",
           p.again ? ", repeated by goto" : "");
    for (int axis = 0; axis < 3; axis++)
        if (p.edge[axis])
            printf(", %s along %s", edges[p.edge[axis]], variables[axis]);
    printf(" */\n\n");
}

int main(int argc, char **argv)
{
    return write_programs(argc, argv, NULL, put_program);
}
