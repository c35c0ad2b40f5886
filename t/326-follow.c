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

/* Counts what a warp of another program executes: whole ones, whose operands are as nvdisasm writes
 * them. */
struct written {
    const char *name;
    int guard, operands;
    struct gzk_sass_operand operand[6];
};
static struct gzk_sass_counted warp_executes(const struct written *from, int count, int *status)
{
    static struct gzk_sass_instruction of[20];
    const struct gzk_sass_code code = {of, count};
    struct gzk_sass_launch launch = {.threads = 32};
    struct gzk_sass_counted counted;
    struct gzk_error error = {.text = ""};
    for (int k = 0; k < count; k++) {
        of[k] = (struct gzk_sass_instruction){.guard = from[k].guard, .operands = from[k].operands};
        strcpy(of[k].name, from[k].name);
        memcpy(of[k].operand, from[k].operand, sizeof from[k].operand);
    }
    *status = gzk_sass_follow(&code, &launch, 0, &counted, &error);
    if (*status != 0)
        tap_note("%s", error.text);
    return counted;
}
#define TID ((struct gzk_sass_operand){.kind = GZK_SASS_SPECIAL, .text = "SR_TID.X"})
#define BARRIER ((struct gzk_sass_operand){.kind = GZK_SASS_NUMBER, .text = "B0"})
#define AND_TABLE NUMBER(0xc0)

static void parted(void)
{
    int status;
    /* Half of the threads go one way, half the other; they meet at BSYNC, which stands before the
     * other way's instructions, as compilers place rare ones. */
    const struct written two_ways[] = {{"S2R", 7, 2, {R(2), TID}},
                                       {"BSSY", 7, 2, {BARRIER, TO(5)}},
                                       {"ISETP.LT.AND", 7, 5, {P(0), P(7), R(2), NUMBER(16), P(7)}},
                                       {"BRA", 0, 1, {TO(7)}},
                                       {"NOP", 7, 0, {R(255)}},
                                       {"BSYNC", 7, 1, {BARRIER}},
                                       {"EXIT", 7, 0, {R(255)}},
                                       {"NOP", 7, 0, {R(255)}},
                                       {"BRA", 7, 1, {TO(5)}}};
    double n = warp_executes(two_ways, 9, &status).all;
    tap_ok(status == 0 && n == 4 + 1 + 2 + 2 + 1, "two ways are both executed, then one: %g", n);
    /* As before, but the threads of one way are not waited for. */
    struct written leaving[9];
    memcpy(leaving, two_ways, sizeof leaving);
    leaving[7] = (struct written){"BREAK.RELIABLE", 7, 2, {P(7), BARRIER}};
    leaving[8] = (struct written){"EXIT", 7, 0, {R(255)}};
    n = warp_executes(leaving, 9, &status).all;
    tap_ok(status == 0 && n == 4 + 3 + 2, "or left: %g", n);
    /* Even threads do something in even turns of four, odd ones in odd turns: the warp in all. */
    const struct written in_turns[] = {
        {"S2R", 7, 2, {R(2), TID}},
        {"MOV", 7, 2, {R(1), NUMBER(0)}},
        {"IADD3", 7, 4, {R(3), R(1), R(2), R(255)}},
        {"LOP3.LUT", 7, 6, {P(0), R(3), R(3), NUMBER(1), R(255), AND_TABLE}},
        {"BRA", 0, 1, {TO(6)}},
        {"DADD", 7, 3, {R(4), R(4), R(4)}},
        {"IADD3", 7, 4, {R(1), R(1), NUMBER(1), R(255)}},
        {"ISETP.LT.AND", 7, 5, {P(1), P(7), R(1), NUMBER(4), P(7)}},
        {"BRA", 1, 1, {TO(2)}},
        {"EXIT", 7, 0, {R(255)}}};
    struct gzk_sass_counted counted = warp_executes(in_turns, 10, &status);
    tap_ok(status == 0 && counted.doubles == 4 && counted.all == 2 + 4 * 7 + 1,
           "what threads do in turns a warp does in each: %g of %g", counted.doubles, counted.all);
    /* 2^32 - 1 and 1, of two words each. */
    const struct written wide[] = {{"MOV", 7, 2, {R(4), NUMBER(-1)}},
                                   {"MOV", 7, 2, {R(5), NUMBER(0)}},
                                   {"IADD.64", 7, 3, {R(4), R(4), NUMBER(1)}},
                                   {"ISETP.EQ.AND", 7, 5, {P(0), P(7), R(5), NUMBER(1), P(7)}},
                                   {"EXIT", 0, 0, {R(255)}},
                                   {"EXIT", 7, 0, {R(255)}}};
    n = warp_executes(wide, 6, &status).all;
    tap_ok(status == 0 && n == 5, "IADD.64 carries into the second word: %g", n);
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
    tap_plan(12);
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
    parted();
    real_kernel();
    return tap_done();
}
