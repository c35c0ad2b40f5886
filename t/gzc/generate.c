/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * generate.c - writes a C program of random stencil loops, each in a function of its own that
 * prints a sum over the bits of all arrays that its loop writes. Arguments: a seed and how many
 * loops. The same seed gives the same program. For t/730-gzc-random.t.
 */
#include <stdio.h>
#include <stdlib.h>

enum form { PARITY, TWO_SWEEPS, COPY_BACK, SWAP, COLOURED, FORMS };
enum edge { KEEP, CLAMP, WRAP, ZERO, EDGES };

/* How elements are named: by subscripts, by a function that tells their place, by sums of pointers;
 * the latter two if they are linear. */
enum naming { SUBSCRIPTS, FUNCTION, SUMS, NAMINGS };

struct loop {
    int number, dimensions, type, radius, linear, guard, per_step;
    int called;      /* whether sweeps and copies stand in functions */
    int members;     /* whether the arrays are members of a structure */
    int temporaries; /* whether the innermost loop sets some first */
    int moved;       /* whether memcpy copies back, or a function exchanges the pointers */
    int first;       /* whether a copy is made before the sweep */
    enum naming naming;
    enum form form;
    enum edge edge[3];   /* by axis, from the slowest */
    int low[3], high[3]; /* cells left out before and behind the domain, from the slowest axis */
};

static unsigned long state;

/* A number from 0 to `n` - 1. */
static int pick(int n)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((state >> 33) % (unsigned long)n);
}

static const char *const variables[] = {"i", "j", "k"};
static const char *const sizes[] = {"n", "m", "l"};
static const char *const types[] = {"int", "float", "double"};

/* A coordinate `d` from a loop variable, as the edges require it. */
static void put_index(const struct loop *loop, int axis, int d)
{
    const char *v = variables[axis], *n = sizes[axis];
    enum edge edge = loop->edge[axis];
    if (d == 0)
        printf("%s", v);
    else if (edge == WRAP && pick(2))
        printf("(%s + %d + %s) %% %s", v, d, n, n);
    else if (edge == WRAP && d > 0)
        printf("(%s + %d >= %s ? %s + %d - %s : %s + %d)", v, d, n, v, d, n, v, d);
    else if (edge == WRAP)
        printf("(%s < %d ? %s - %d + %s : %s - %d)", v, -d, v, -d, n, v, -d);
    else if (edge == CLAMP && d > 0)
        printf("(%s + %d < %s ? %s + %d : %s - 1)", v, d, n, v, d, n);
    else if (edge == CLAMP)
        printf("(%s >= %d ? %s - %d : 0)", v, -d, v, -d);
    else if (pick(2))
        printf("%d + %s", d, v);
    else
        printf("%s %c %d", v, d < 0 ? '-' : '+', abs(d));
}

/* An element of an array with those distances. */
static void put_element(const struct loop *loop, const char *array, const int *d)
{
    int n = loop->dimensions;
    if (loop->naming == FUNCTION) {
        printf("*at_%s_%d(%s", types[loop->type], n, array);
        for (int axis = 0; axis < n; axis++) {
            printf(", ");
            put_index(loop, axis, d[axis]);
        }
        printf(", m, l)");
        return;
    }
    printf(loop->naming == SUMS ? "*(%s + " : "%s[", array);
    for (int axis = 0; axis < n; axis++) {
        if (!loop->linear) {
            put_index(loop, axis, d[axis]);
            printf(axis < n - 1 ? "][" : "]");
            continue;
        }
        printf("(");
        put_index(loop, axis, d[axis]);
        printf(")");
        for (int faster = axis + 1; faster < n; faster++)
            printf(" * %s", sizes[faster]);
        printf(axis < n - 1 ? " + " : loop->naming == SUMS ? ")" : "]");
    }
}

static void draw_offsets(const struct loop *loop, int *d)
{
    for (int axis = 0; axis < loop->dimensions; axis++) {
        int lowest = -loop->radius, highest = loop->radius;
        if (loop->edge[axis] == KEEP) {
            lowest = -loop->low[axis];
            highest = loop->high[axis];
        }
        d[axis] = lowest + pick(highest - lowest + 1);
        if (pick(3) == 0)
            d[axis] = 0;
    }
    /* With two colours only neighbours of the other colour are read, and the cell. */
    if (loop->form == COLOURED)
        for (int axis = 0, used = 0; axis < loop->dimensions; axis++) {
            d[axis] = used || d[axis] == 0 ? 0 : d[axis] > 0 ? 1 : -1;
            used = used || d[axis];
        }
}

static int has_edge(const struct loop *loop, enum edge edge)
{
    for (int axis = 0; axis < loop->dimensions; axis++)
        if (loop->edge[axis] == edge)
            return 1;
    return 0;
}

static void put_read(const struct loop *loop, const char *array)
{
    int d[3], guards = 0;
    draw_offsets(loop, d);
    if (has_edge(loop, ZERO)) {
        printf("(");
        for (int axis = 0; axis < loop->dimensions; axis++)
            if (loop->edge[axis] != ZERO)
                continue;
            else if (d[axis] < 0)
                printf("%s%s >= %d", guards++ ? " && " : "", variables[axis], -d[axis]);
            else if (d[axis] > 0)
                printf("%s%s < %s - %d", guards++ ? " && " : "", variables[axis], sizes[axis],
                       d[axis]);
        if (guards)
            printf(" ? ");
    }
    put_element(loop, array, d);
    if (has_edge(loop, ZERO))
        printf(guards ? " : 0)" : ")");
}

static const char *literal(const struct loop *loop)
{
    static char text[40];
    if (loop->type == 0)
        snprintf(text, sizeof text, "%d", 1 + pick(5));
    else if (pick(2))
        snprintf(text, sizeof text, "0.%02d%s", 1 + pick(30),
                 loop->type == 1 && pick(2) ? "f" : "");
    else
        snprintf(text, sizeof text, "%d.5e-1%s", pick(2), pick(3) == 0 ? "f" : "");
    return text;
}

/* The first term reads the state, which a loop that makes any sense does. */
static void put_term(const struct loop *loop, const char *from, int first)
{
    int zero[3] = {0};
    switch (first ? 7 : pick(9)) {
    case 0:
        printf("%s * ", literal(loop));
        if (has_edge(loop, ZERO) || has_edge(loop, KEEP))
            put_element(loop, "c", zero);
        else
            put_read(loop, "c");
        break;
    case 1:
        printf("(%s + %s * ", literal(loop), literal(loop));
        put_read(loop, from);
        printf(") %s", loop->type ? "/ 3" : "% 17");
        break;
    case 2:
        printf(loop->type ? "s * " : "(int)(s * 9) + ");
        put_read(loop, from);
        break;
    case 3:
        printf("%sleast(%s, ", loop->type ? "" : "(int)", literal(loop));
        put_read(loop, from);
        printf(")");
        break;
    case 4:
        printf("(");
        put_read(loop, from);
        printf(" > %s ? ", literal(loop));
        put_read(loop, from);
        printf(" : -");
        put_read(loop, from);
        printf(")");
        break;
    case 5:
        if (loop->type == 0)
            printf("%s", variables[pick(loop->dimensions)]);
        else
            printf("%s * %s", literal(loop), pick(2) ? "t" : variables[pick(loop->dimensions)]);
        break;
    case 6:
        if (loop->type) {
            printf("%s(fabs%s(", pick(2) || loop->type == 2 ? "sqrt" : "sqrtf", pick(2) ? "" : "f");
            put_read(loop, from);
            printf(") + %s)", literal(loop));
            break;
        } /* fall through */
    default:
        printf("%s * ", literal(loop));
        put_read(loop, from);
    }
}

static void put_value(const struct loop *loop, const char *from)
{
    int terms = 2 + pick(5) - loop->temporaries;
    printf(loop->type ? "%s * (" : "(%s * (", loop->type == 1 ? "0.3f" : loop->type ? "0.3" : "1");
    for (int i = 0; i < terms; i++) {
        if (i)
            printf(pick(3) ? " + " : " - ");
        put_term(loop, from, i == 0);
    }
    if (loop->per_step)
        printf(" + q[t * 7 + %s]", variables[0]);
    if (loop->temporaries)
        printf(pick(2) ? " + y" : " - x * y");
    printf(loop->type ? ")" : ")) %% 1000");
}

/* Temporaries of the cell, one set in two steps or by an if. */
static void put_temporaries(const struct loop *loop, const char *from, int indent)
{
    const char *type = types[loop->type == 1 && pick(2) ? 2 : loop->type];
    printf("%*s%s%s x = ", indent, "", pick(2) ? "const " : "", types[loop->type]);
    put_term(loop, from, 1);
    printf(";\n%*s%s y = x %s ", indent, "", type, loop->type ? "+" : "% 50 +");
    put_term(loop, from, pick(2));
    printf(";\n%*s", indent, "");
    switch (pick(3)) {
    case 0:
        printf("if (y > x)\n%*sy = x%s;\n", indent + 4, "", pick(2) ? "" : " + y");
        break;
    case 1:
        printf("if (%s > 2)\n%*sy -= x;\n%*selse\n%*sy = ", variables[0], indent + 4, "", indent,
               "", indent + 4, "");
        put_term(loop, from, 1);
        printf(";\n");
        break;
    default:
        printf("y %s ", pick(2) ? "+=" : "-=");
        put_term(loop, from, 1);
        printf(";\n");
    }
    printf("%*s", indent, "");
}

static void put_bounds(const struct loop *loop, int indent)
{
    for (int axis = 0; axis < loop->dimensions; axis++)
        printf("%*sfor (%s = %d; %s < %s - %d; %s++)\n", indent + 4 * axis, "", variables[axis],
               loop->low[axis], variables[axis], sizes[axis], loop->high[axis], variables[axis]);
}

static void put_sweep(const struct loop *loop, const char *to, const char *from, int colour)
{
    int zero[3] = {0}, indent = 12 + 4 * loop->dimensions;
    put_bounds(loop, 12);
    printf("%*s%s", indent, "", loop->temporaries ? "{\n" : "");
    if (loop->temporaries)
        put_temporaries(loop, from, indent);
    if (loop->form == COLOURED) {
        printf("if ((");
        for (int axis = 0; axis < loop->dimensions; axis++)
            printf("%s + ", variables[axis]);
        printf(colour < 0 ? "t) %% 2 == 0) " : "%d) %% 2 == 0) ", colour);
    } else if (loop->guard) {
        printf("if (%s %% 3 != 1) ", variables[loop->dimensions - 1]);
    }
    put_element(loop, to, zero);
    printf(" = ");
    put_value(loop, from);
    printf(loop->temporaries ? ";\n%*s}\n" : ";\n", indent, "");
}

static void put_copy(const struct loop *loop, const char *to, const char *from)
{
    int zero[3] = {0};
    put_bounds(loop, 12);
    printf("%*s", 12 + 4 * loop->dimensions, "");
    put_element(loop, to, zero);
    printf(" = ");
    put_element(loop, from, zero);
    printf(";\n");
}

/* An array, be it a variable or a member of a structure. */
static const char *array(const struct loop *loop, const char *name)
{
    static char text[4][8];
    static int next;
    next = (next + 1) % 4;
    snprintf(text[next], sizeof text[next], "%s%s", loop->members ? "g." : "", name);
    return text[next];
}

/* A pointer to an array of the loop, as a declaration. */
static void put_declarator(const struct loop *loop, const char *name)
{
    printf("%s %s%s%s", types[loop->type], loop->linear ? "*" : "(*", name,
           loop->linear ? "" : ")");
    for (int axis = 1; axis < loop->dimensions && !loop->linear; axis++)
        printf("[%s]", sizes[axis]);
}

/* The functions that the loop calls: a sweep, by colour, and a copy. */
static void put_functions(const struct loop *loop, int one_sweep)
{
    int colours = loop->form == COLOURED && !one_sweep ? 2 : 1;
    for (int colour = 0; colour < colours; colour++) {
        printf("static void sweep_%d_%d(int n, int m, int l, int t, double s, ", loop->number,
               colour);
        put_declarator(loop, "to");
        printf(", ");
        put_declarator(loop, "from");
        printf(", ");
        put_declarator(loop, "c");
        printf(", const %s *q)\n{\n    int i, j, k;\n", types[loop->type]);
        put_sweep(loop, "to", "from", one_sweep && loop->form == COLOURED ? -1 : colour);
        printf("    (void)n;\n    (void)m;\n    (void)l;\n    (void)s;\n    (void)t;\n    "
               "(void)q;\n    (void)c;\n}\n\n");
    }
    printf("static void copy_%d(int n, int m, int l, ", loop->number);
    put_declarator(loop, "to");
    printf(", ");
    put_declarator(loop, "from");
    printf(")\n{\n    int i, j, k;\n");
    put_copy(loop, "to", "from");
    printf("    return;\n}\n\n");
}

/* A sweep, or the call of one. */
static void put_sweep_or_call(const struct loop *loop, const char *to, const char *from, int colour)
{
    if (loop->called)
        printf("            sweep_%d_%d(n, m, l, t, s, %s, %s, c, q);\n", loop->number,
               colour > 0 ? colour : 0, to, from);
    else
        put_sweep(loop, to, from, colour);
}

static void put_copying(const struct loop *loop, const char *to, const char *from)
{
    if (loop->moved)
        printf("            memcpy(%s, %s, sizeof *first * (size_t)cells);\n", to, from);
    else if (loop->called)
        printf("            copy_%d(n, m, l, %s, %s);\n", loop->number, to, from);
    else
        put_copy(loop, to, from);
}

static void put_time_loop(const struct loop *loop, int one_sweep)
{
    const char *a = array(loop, "a"), *b = array(loop, "b"), *type = types[loop->type];
    printf("#pragma scop\n        for (t = 0; t < T; t++) {\n");
    switch (loop->form) {
    case PARITY:
        put_sweep_or_call(loop, "p[(t + 1) % 2]", "p[t % 2]", 0);
        break;
    case TWO_SWEEPS:
        put_sweep_or_call(loop, b, a, 0);
        put_sweep_or_call(loop, a, b, 0);
        break;
    case COPY_BACK:
        if (loop->first)
            put_copying(loop, b, a);
        put_sweep_or_call(loop, loop->first ? a : b, loop->first ? b : a, 0);
        if (!loop->first)
            put_copying(loop, a, b);
        break;
    case SWAP:
        put_sweep_or_call(loop, b, a, 0);
        if (loop->moved && loop->members)
            printf("            flip_%s(&g);\n", type);
        else if (loop->moved && loop->linear)
            printf("            exchange_%s(&a, &b);\n", type);
        else
            printf("            swap = %s;\n            %s = %s;\n            %s = swap;\n", a, a,
                   b, b);
        break;
    default:
        put_sweep_or_call(loop, a, a, one_sweep ? -1 : 0);
        if (!one_sweep)
            put_sweep_or_call(loop, a, a, 1);
    }
    printf("        }\n#pragma endscop\n");
}

/* The type of a pointer to the array, or to its rows if it is not linear. */
static void put_pointer(const struct loop *loop, const char *name, const char *from, int planes)
{
    int rows = !loop->linear || planes;
    printf("        %s %s%s%s", types[loop->type], rows ? "(*" : "*", name, rows ? ")" : "");
    if (loop->linear && planes)
        printf("[cells]");
    for (int axis = planes ? 0 : 1; axis < loop->dimensions && !loop->linear; axis++)
        printf("[%s]", sizes[axis]);
    printf(" = (void *)%s;\n", from);
}

static void put_loop(const struct loop *loop)
{
    const char *type = types[loop->type];
    int one_sweep = pick(2);
    if (loop->called)
        put_functions(loop, one_sweep);
    printf("static void loop_%d(int n, int m, int l, int T, double s)\n{\n", loop->number);
    printf("    int t = 0, i = 0, j = 0, k = 0, cells = n%s%s;\n",
           loop->dimensions > 1 ? " * m" : "", loop->dimensions > 2 ? " * l" : "");
    printf("    %s *first = made_%s(2 * cells, %d), *still = made_%s(cells, %d);\n", type, type,
           loop->number, type, loop->number + 1000);
    printf("    %s *q = made_%s(7 * T + n, %d);\n    {\n", type, type, loop->number + 2000);
    put_pointer(loop, "c", "still", 0);
    if (loop->form == PARITY)
        put_pointer(loop, "p", "first", 1);
    else if (loop->members)
        printf("        struct pair_%s g = {first, first + cells};\n", type);
    else
        put_pointer(loop, "a", "first", 0);
    if (loop->form != PARITY && loop->form != COLOURED && !loop->members)
        put_pointer(loop, "b", "(first + cells)", 0);
    /* A copy of whole arrays must not bring another border. */
    if (loop->form == COPY_BACK && loop->moved)
        printf("        memcpy(first + cells, first, sizeof *first * (size_t)cells);\n");
    if (loop->form == SWAP && !(loop->moved && (loop->members || loop->linear)))
        put_pointer(loop, "swap", "first", 0);
    put_time_loop(loop, one_sweep);
    printf("        (void)c;\n    }\n    (void)s;\n");
    printf("    printf(\"%d: %%d %%d %%d %%d %%08x\\n\", t, i, j, k, sum_of(first, 2 * "
           "(size_t)cells * "
           "sizeof *first));\n",
           loop->number);
    printf("    free(first);\n    free(still);\n    free(q);\n    (void)m;\n    (void)l;\n}\n\n");
}

static struct loop draw(int number)
{
    struct loop loop = {.number = number};
    loop.dimensions = 1 + pick(3);
    loop.type = pick(3);
    loop.form = (enum form)pick(FORMS);
    enum edge edge = (enum edge)(pick(2) ? KEEP : pick(EDGES));
    loop.radius = 1 + pick(loop.dimensions == 3 ? 2 : 3);
    loop.linear = pick(2);
    loop.per_step = pick(4) == 0;
    loop.guard = (loop.form == PARITY || loop.form == SWAP) && pick(4) == 0;
    loop.called = pick(3) == 0;
    loop.members = loop.linear && loop.form != PARITY && pick(3) == 0;
    loop.temporaries = pick(4) == 0;
    loop.moved = pick(2);
    loop.first = loop.form == COPY_BACK && pick(3) == 0;
    if (loop.linear && loop.form != PARITY && pick(3) == 0)
        loop.naming = (enum naming)pick(NAMINGS);
    /* A third of the loops has other edges along each axis. */
    int mixed = pick(3) == 0;
    for (int axis = 0; axis < loop.dimensions; axis++) {
        loop.edge[axis] = mixed ? (enum edge)pick(EDGES) : edge;
        if (loop.form == COLOURED && loop.edge[axis] != KEEP)
            loop.edge[axis] = ZERO;
        if (loop.edge[axis] == KEEP) {
            loop.low[axis] = pick(loop.radius + 1);
            loop.high[axis] = pick(loop.radius + 1);
        }
    }
    return loop;
}

static const char *const opening =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    "static unsigned sum_of(const void *bytes, size_t count)\n{\n"
    "    const unsigned char *b = bytes;\n    unsigned sum = 5381;\n"
    "    while (count-- > 0)\n        sum = sum * 33 + *b++;\n    return sum;\n}\n\n"
    "static double noise(size_t i)\n{\n"
    "    unsigned long x = (i + 1) * 0x9e3779b97f4a7c15UL;\n"
    "    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9UL;\n"
    "    return (double)(x >> 12) * 0x1p-52;\n}\n\n"
    "#define MADE(type, scale) \\\n"
    "    static type *made_##type(int count, int seed) \\\n    { \\\n"
    "        type *array = calloc((size_t)count + 1, sizeof *array); \\\n"
    "        if (!array) \\\n            exit(1); \\\n"
    "        for (int i = 0; i < count; i++) \\\n"
    "            array[i] = (type)((scale) * noise((size_t)seed * 1000003 + (size_t)i)); \\\n"
    "        return array; \\\n    }\n"
    "MADE(int, 100)\nMADE(float, 1)\nMADE(double, 1)\n\n"
    "#define PLACES(type) \\\n"
    "    static inline type *at_##type##_1(type *a, int i, int m, int l) \\\n    { \\\n"
    "        return &a[i]; \\\n    } \\\n"
    "    static inline type *at_##type##_2(type *a, int i, int j, int m, int l) \\\n    { \\\n"
    "        return a + i * m + j; \\\n    } \\\n"
    "    static inline type *at_##type##_3(type *a, int i, int j, int k, int m, int l) \\\n"
    "    { \\\n        return &a[(i * m + j) * l + k]; \\\n    } \\\n"
    "    static inline void exchange_##type(type **x, type **y) \\\n    { \\\n"
    "        type *z = *x; \\\n        *x = *y; \\\n        *y = z; \\\n    } \\\n"
    "    struct pair_##type { \\\n        type *a, *b; \\\n    }; \\\n"
    "    static inline void flip_##type(struct pair_##type *g) \\\n    { \\\n"
    "        type *z = g->a; \\\n        g->a = g->b; \\\n        g->b = z; \\\n    }\n"
    "PLACES(int)\nPLACES(float)\nPLACES(double)\n\n"
    "static inline double least(double x, double y)\n{\n    return x < y ? x : y;\n}\n\n";

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int count = atoi(argv[2]);
    state = strtoul(argv[1], NULL, 10) * 2 + 1;
    pick(1);
    printf("/* seed %s, %d loops */\n%s", argv[1], count, opening);
    for (int i = 0; i < count; i++) {
        struct loop loop = draw(i);
        put_loop(&loop);
    }
    printf("int main(int argc, char **argv)\n{\n    if (argc != 5)\n        return 2;\n"
           "    int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]), T = atoi(argv[4]);\n");
    for (int i = 0; i < count; i++)
        printf("    loop_%d(n, m, l, T, 0.123456789);\n", i);
    printf("    return 0;\n}\n");
    return 0;
}
