/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decisions.h - what the generators of random programs share: a program is a row of decisions, of
 * which 0 is the plainest.
 *
 *     generate SEED COUNT             programs 0 ... COUNT - 1 of the seed
 *     generate SEED COUNT A-B         those from A to B of them
 *     generate SEED COUNT ONE D...    program ONE, with the decisions D made 0
 */
#ifndef GZC_DECISIONS_H
#define GZC_DECISIONS_H

#include <stdio.h>
#include <stdlib.h>

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

/* What is decided from now on is of this program. */
static void begin_program(unsigned long seed, int number)
{
    state = (seed * 1000003 + (unsigned long)number + 1) * 0x9e3779b97f4a7c15UL;
    decision = 0;
    pick(2);
}

/* Writes the first line, by `put_head`, the programs that are asked for, and what runs them. */
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
    put_head(seed);
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
