/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decisions.h - what the generators of random programs share: a program is a row of decisions, of
 * which 0 is the plainest. Programs are not indented; differ.sh formats those that it prints.
 *
 *     generate SEED COUNT             programs 0 ... COUNT - 1 of the seed
 *     generate SEED COUNT A-B         those from A to B of them
 *     generate SEED COUNT ONE D...    program ONE, with the decisions D made 0
 */
#ifndef GZC_DECISIONS_H
#define GZC_DECISIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long state;
static int decision;
static char zeroed[100000];

static const char *const variables[] = {"i", "j", "k"};
static const char *const extents[] = {"n", "m", "l"};

/* A number from 0 to `n` - 1. */
static int pick(int n)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    int drawn = (int)((state >> 33) % (unsigned long)n);
    return zeroed[decision++] ? 0 : drawn;
}

/* Once in `n` times. */
static int rarely(int n)
{
    return pick(n) == n - 1;
}

/* Each generator's own: what a letter behind $ in a text means, of a kind if it has some; and
 * whether the state is of real numbers. */
static void put_letter(char letter, int kind);
static int is_real(void);

/* The end of a choice's alternative, or of all. */
static const char *end_of(const char *text, int all)
{
    for (int depth = 0; *text; text++)
        if (text[0] == '$' && (text[1] == '(' || text[1] == '['))
            depth++;
        else if (text[0] == '$' && text[1] == ')' && depth-- == 0)
            break;
        else if (text[0] == '$' && text[1] == '|' && depth == 0 && !all)
            break;
    return text;
}

static int program_number;

/* A text up to `end`: in it, @ is the program's number, $(A$|B$|C$) one of these, of which the
 * first is the plainest, and $[A$|B$) A for states of real numbers, otherwise B. */
static void put_piece(const char *text, const char *end, int kind)
{
    for (; text < end; text++)
        if (text[0] == '@') {
            printf("%d", program_number);
        } else if (text[0] != '$') {
            putchar(text[0]);
        } else if (*++text != '(' && *text != '[') {
            put_letter(*text, kind);
        } else {
            const char *stop = end_of(text + 1, 1), *at = text + 1;
            int count = 1;
            for (const char *next = end_of(at, 0); next < stop; next = end_of(next + 2, 0))
                count++;
            for (int chosen = *text == '[' ? !is_real() : pick(count); chosen > 0; chosen--)
                at = end_of(at, 0) + 2;
            put_piece(at, end_of(at, 0), kind);
            text = stop + 1;
        }
}

/* The values of letters in a text: the depth of the expression around it, an axis, and a number. */
static struct {
    int depth, axis, number;
} now;

static void say(const char *text)
{
    put_piece(text, strchr(text, '\0'), 0);
}

/* Likewise, with what its letters mean. */
static void say_at(const char *text, int depth, int axis, int number)
{
    const int at[] = {now.depth, now.axis, now.number};
    now.depth = depth, now.axis = axis, now.number = number;
    say(text);
    now.depth = at[0], now.axis = at[1], now.number = at[2];
}

/* The letters of all generators: $s is the number, $d its magnitude, $b that in binary digits, $m
 * the number with the other sign, $o its sign. */
static void put_number_letter(char letter)
{
    static const char *const bits[] = {"0", "1", "10", "11"};
    int size = abs(now.number);
    if (letter == 'o')
        putchar(now.number < 0 ? '-' : '+');
    else if (letter == 'b')
        printf("%s", bits[size < 3 ? size : 3]);
    else
        printf("%d", letter == 's' ? now.number : letter == 'd' ? size : -now.number);
}

/* One of some texts, the last of them from there on. */
#define SAY_ONE(which, depth, axis, number, ...)                                                   \
    do {                                                                                           \
        static const char *const list[] = {__VA_ARGS__};                                           \
        int last = sizeof list / sizeof *list - 1, one = which;                                    \
        say_at(list[one < last ? one : last], depth, axis, number);                                \
    } while (0)

/* One of some texts, of which the first is the plainest. */
#define SAY_ANY(...)                                                                               \
    do {                                                                                           \
        static const char *const list[] = {__VA_ARGS__};                                           \
        say(list[pick(sizeof list / sizeof *list)]);                                               \
    } while (0)

/* What is decided from now on is of this program. */
static void begin_program(unsigned long seed, int number)
{
    program_number = number;
    state = (seed * 1000003 + (unsigned long)number + 1) * 0x9e3779b97f4a7c15UL;
    decision = 0;
    pick(2);
}

/* Writes the first line, by `put_head` if flags are drawn, the programs that are asked for, and
 * what runs them. */
static int write_programs(int argc, char **argv, void (*put_head)(unsigned long seed),
                          void (*put_program)(unsigned long seed, int number))
{
    unsigned long seed = argc > 2 ? strtoul(argv[1], NULL, 10) : 1;
    int count = argc > 2 ? atoi(argv[2]) : 1;
    int one = 0, last = count - 1;
    if (argc > 3 && sscanf(argv[3], "%d-%d", &one, &last) == 1)
        last = one;
    for (int i = 4; i < argc; i++)
        if (atoi(argv[i]) >= 0 && atoi(argv[i]) < (int)sizeof zeroed)
            zeroed[atoi(argv[i])] = 1;
    if (put_head)
        put_head(seed);
    else
        printf("/* c: -O2 */\n");
    printf("#include \"programs.h\"\n\n");
    for (int i = 0; i < count; i++)
        if (i >= one && i <= last)
            put_program(seed, i);
    printf(
        "int main(int argc, char **argv)\n{\n    int sizes[4] = {9, 8, 7, 4};\n"
        "    for (int i = 0; i < 4 && i + 1 < argc; i++)\n        sizes[i] = atoi(argv[i + 1]);\n");
    for (int i = 0; i < count; i++)
        if (i >= one && i <= last)
            printf("    run(%d, program_%d, sizes);\n", i, i);
    printf("    return 0;\n}\n");
    return 0;
}

#endif
