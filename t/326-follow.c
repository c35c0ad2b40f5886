/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machine code that is followed: loops by a launch's constants, threads that differ, instructions
 * that are not known and loops without end; and, where NVRTC and nvdisasm are, that a kernel's
 * instructions grow with its loops by as many each.
 */
#include "insts.h"
#include "machine.h"
#include "registry.h"
#include "tap.h"

#include <string.h>

enum { PARAMETERS = 0x210 };

static struct gzk_sass_operand of_kind(enum gzk_sass_kind kind, int index, long value)
{
    return (struct gzk_sass_operand){.kind = kind, .index = index, .value = value};
}
#define R(k) of_kind(GZK_SASS_REGISTER, k, 0)
#define P(k) of_kind(GZK_SASS_PREDICATE, k, 0)
#define NUMBER(v) of_kind(GZK_SASS_NUMBER, 0, v)
#define TO(k) of_kind(GZK_SASS_LABEL, 0, k)
#define GIVEN of_kind(GZK_SASS_CONSTANT, 0, PARAMETERS)

/* Counts R1 from 0 to the number in the constants, or to the thread's, if that is less. */
static struct gzk_sass_instruction program[] = {{.name = "MOV", .guard = 7, .operands = 2},
                                                {.name = "S2R", .guard = 7, .operands = 2},
                                                {.name = "IMNMX", .guard = 7, .operands = 4},
                                                {.name = "IADD3", .guard = 7, .operands = 4},
                                                {.name = "ISETP.LT.AND", .guard = 7, .operands = 5},
                                                {.name = "BRA", .guard = 0, .operands = 1},
                                                {.name = "EXIT", .guard = 7}};
enum { LENGTH = sizeof program / sizeof *program, BODY = 3 };

static void fill(void)
{
    const struct gzk_sass_operand operands[LENGTH][5] = {{R(1), NUMBER(0)},
                                                         {R(2), of_kind(GZK_SASS_SPECIAL, 0, 0)},
                                                         {R(3), R(2), GIVEN, P(7)},
                                                         {R(1), R(1), NUMBER(1), R(255)},
                                                         {P(0), P(7), R(1), R(3), P(7)},
                                                         {TO(BODY)}};
    for (int k = 0; k < LENGTH; k++)
        memcpy(program[k].operand, operands[k], sizeof operands[k]);
    strcpy(program[1].operand[1].text, "SR_TID.X");
}

static double follow(int most, int threads, int first, int *status, struct gzk_error *error)
{
    const struct gzk_sass_code code = {program, LENGTH};
    struct gzk_sass_launch launch = {.threads = threads};
    struct gzk_sass_counted counted;
    memcpy(launch.constants + PARAMETERS, &most, sizeof most);
    *status = gzk_sass_follow(&code, &launch, first, &counted, error);
    return counted.all;
}

/* Trapezoids of HotSpot: loops cost alike, the load once. */
static void real_kernel(void)
{
    struct gzk_config config = {.stencil = gzk_stencil_find("hotspot"),
                                .variant = GZK_TRAPEZOID,
                                .size = {240, 240, 1},
                                .block = {64, 64, 1},
                                .threads = {32, 8, 1},
                                .height = 8,
                                .loops = 8,
                                .contract = true};
    static const int steps[] = {0, 2, 4, 6};
    struct gzk_error error = {.text = ""};
    double n[4], doubles[4];
    int registers = 0,
        status = gzk_count_warp(&config, 90, steps, 4, n, doubles, &registers, &error);
    if (status == GZK_NO_DEVICE) {
        for (int k = 0; k < 3; k++)
            tap_ok(1, "# SKIP %s", error.text);
        return;
    }
    tap_ok(status == 0 && n[0] > 50 && registers >= 16, "HotSpot loads by %g instructions %s", n[0],
           error.text);
    tap_ok(n[2] - n[1] > 0 && n[2] - n[1] == n[3] - n[2], "and two loops take %g more, every time",
           n[2] - n[1]);
    tap_ok(doubles[3] == 0, "none of them in double precision");
}

int main(void)
{
    struct gzk_error error = {.text = ""};
    int status;
    tap_plan(8);
    fill();
    double n = follow(10, 64, 32, &status, &error);
    tap_ok(status == 0 && n == 3 + 3 * 10 + 1, "a loop of ten: %g instructions %s", n, error.text);
    n = follow(100, 64, 0, &status, &error);
    tap_ok(status == 0 && n == 3 + 3 * 31 + 1, "threads of a warp that differ: the most, %g", n);
    n = follow(100, 5, 0, &status, &error);
    tap_ok(status == 0 && n == 3 + 3 * 4 + 1, "a warp that is not full: %g", n);
    strcpy(program[BODY].name, "IADDX");
    follow(10, 64, 32, &status, &error);
    tap_ok(status == GZK_FAILED && strstr(error.text, "IADDX"), "%s", error.text);
    strcpy(program[BODY].name, "NOP");
    follow(10, 64, 32, &status, &error);
    tap_ok(status == GZK_FAILED && strstr(error.text, "end"), "%s", error.text);
    real_kernel();
    return tap_done();
}
