/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include "numbers.h"

/* The sums leave some seconds of the minute and the quarter for what is under way when a budget
 * ends, which no part interrupts. */
static const struct {
    const char *name;
    double budget_s;
} parts_of[GZC_PARTS] = {[GZC_PART_BENCHES] = {"compiling the benchmarks", 6},
                         [GZC_PART_BEFORE] = {"cache's edge and the like, before", 10},
                         [GZC_PART_ROUNDS] = {"rounds of the other benchmarks", 17},
                         [GZC_PART_STAGES] = {"nearly empty stages", 5},
                         [GZC_PART_AFTER] = {"cache's edge and the like, after", 8},
                         [GZC_PART_SOLVE] = {"estimates and fits", 9},
                         [GZC_PART_PROFILES] = {"compiling it", 0.5},
                         [GZC_PART_KERNELS] = {"compiling its kernels ahead", 5.5},
                         [GZC_PART_LOOPS] = {"rounds of its loops", 1},
                         [GZC_PART_RUNS] = {"its runs", 6},
                         [GZC_PART_COUNTS] = {"counts of instructions", 1},
                         [GZC_PART_FACTORS] = {"its runs for --fit", 0.9}};

const char *gzc_part_name(enum gzc_part part)
{
    return parts_of[part].name;
}

double gzc_part_budget_s(enum gzc_part part)
{
    return parts_of[part].budget_s;
}

void gzc_parts_begin(struct gzc_parts *parts)
{
    *parts = (struct gzc_parts){.begun_s = cli_now()};
    parts->since_s = parts->begun_s;
}

void gzc_parts_spend(struct gzc_parts *parts, enum gzc_part part)
{
    double now_s = cli_now();
    parts->spent_s[part] += now_s - parts->since_s;
    parts->since_s = now_s;
}

bool gzc_parts_fits(const struct gzc_parts *parts, enum gzc_part part, int stencils, double next_s)
{
    double budget_s = parts_of[part].budget_s * (part < GZC_PART_OF_STENCIL ? 1 : stencils);
    return parts->spent_s[part] + next_s <= budget_s;
}

static void print_parts(const struct gzc_parts *parts, int first, int end, int times,
                        const char *what, FILE *to)
{
    double spent_s = 0, budget_s = 0;
    for (int p = first; p < end; p++) {
        fprintf(to, "  %-36s %8.1f %8.1f\n", parts_of[p].name, parts->spent_s[p] / times,
                parts_of[p].budget_s);
        spent_s += parts->spent_s[p] / times;
        budget_s += parts_of[p].budget_s;
    }
    fprintf(to, "  %-36s %8.1f %8.1f\n", what, spent_s, budget_s);
}

void gzc_parts_print(const struct gzc_parts *parts, int stencils, FILE *to)
{
    char each[40];
    snprintf(each, sizeof each, stencils > 1 ? "each of %d stencils" : "the stencil", stencils);
    fprintf(to, "Time\n  %-36s %8s %8s\n", "for", "seconds", "at most");
    print_parts(parts, 0, GZC_PART_OF_STENCIL, 1, "the device", to);
    if (stencils > 0)
        print_parts(parts, GZC_PART_OF_STENCIL, GZC_PARTS, stencils, each, to);
}
