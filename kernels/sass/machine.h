/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine.h - the machine code of an NVIDIA GPU, read and followed without one: how many
 * instructions a warp executes. The integer part is computed, exactly; what is loaded from memory
 * is 0, since no branch of a stencil depends on it, and floating point is left out.
 */
#ifndef GZK_MACHINE_H
#define GZK_MACHINE_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

enum { GZK_SASS_OPERANDS = 10, GZK_SASS_CONSTANTS = 4096 };

enum gzk_sass_kind {
    GZK_SASS_REGISTER, /* also with a 64-bit address, and as a memory operand's base */
    GZK_SASS_UNIFORM,
    GZK_SASS_PREDICATE,
    GZK_SASS_UNIFORM_PREDICATE,
    GZK_SASS_NUMBER,
    GZK_SASS_CONSTANT, /* of bank `index`, at `value` */
    GZK_SASS_SPECIAL,  /* a special register: `text` */
    GZK_SASS_LABEL     /* `value` is the instruction's number, -1: none */
};

struct gzk_sass_operand {
    enum gzk_sass_kind kind;
    int index;     /* of a register or bank; 255, 63 and 7 are those that hold 0, 0 and true */
    int64_t value; /* of a number, or a memory operand's displacement */
    char negative, inverted, absolute; /* -, ~ or !, | | */
    char text[32];
};

struct gzk_sass_instruction {
    char name[40]; /* "IMAD.WIDE.U32" */
    int guard;     /* the predicate that it is executed under; 7: always */
    int guard_uniform, guard_inverted;
    int operands;
    struct gzk_sass_operand operand[GZK_SASS_OPERANDS];
};

struct gzk_sass_code {
    struct gzk_sass_instruction *of; /* to be freed */
    int count;
};

/* Disassembles machine code by NVIDIA's nvdisasm: $NVDISASM, or of PATH or the CUDA toolkit.
 * GZK_NO_DEVICE if there is none, GZK_FAILED if it fails. `code->of` is to be freed. */
int gzk_sass_read(const void *cubin, size_t bytes, struct gzk_sass_code *code,
                  struct gzk_error *error);

/* A launch: bytes of constant bank 0, a block and how many threads it has, in one dimension. */
struct gzk_sass_launch {
    unsigned char constants[GZK_SASS_CONSTANTS];
    int block[3], threads;
};

/* Instructions that one warp executes, and how many of these are in double precision. */
struct gzk_sass_counted {
    double all, doubles;
};

/* Follows the 32 threads of the warp whose first one has number `first` in its block, and counts
 * each instruction that some of them execute together once. Threads that a branch parts go on by
 * turns, those behind first, until they meet. GZK_FAILED for an instruction that is not known, or a
 * loop without end. */
int gzk_sass_follow(const struct gzk_sass_code *code, const struct gzk_sass_launch *launch,
                    int first, struct gzk_sass_counted *out, struct gzk_error *error);

#endif
