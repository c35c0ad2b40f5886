#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 737-gzc-dialects - what gzc writes compiles under what the original compiles under: C of 1989, and
# flags that make warnings errors.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"
lib=$library

# A compiler that is not there is left out.
# each COMMAND...: it, with $compiler in turn.
each() {
    for compiler in $(bulk gcc 'gcc clang'); do
        if command -v $compiler > /dev/null; then "$@"; else skip "there is no $compiler"; fi
    done
}
# strictly STANDARD FILE: the file compiles without a warning by gcc and clang. Flags are several words.
# shellcheck disable=SC2086
strictly() {
    $compiler $1 -Wno-unknown-pragmas -DUNUSED_=2 '-DAPPLY_(x)=x' -I"$lib" -c "$2" -o strict.o 2> err
    verdict $? "$compiler $1: ${2##*/}"
    head -n 5 err | note
}

# C of 1989: nothing is declared behind a statement or in the head of a loop.
before='#include <math.h>
#include <stdio.h>
#include <string.h>
enum { N = 22 };
#define INNER for (i = 1; i < N - 1; i++) for (j = 1; j < N - 1; j++)
#define LINE for (i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1])
#define EXCHANGE swap = u; u = v; v = swap
#define AROUND(a) (0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]))
static double plane[2][N][N], first[N][N], second[N][N], line[4][64];
static void fill(double *to, int count, int seed) { int i; for (i = 0; i < count; i++) to[i] = (i * 37 + seed * 11) % 101 / 7.0; }
static void print(const double *from, int count) { double sum = 0; int i; for (i = 0; i < count; i++) sum = sum * 0.75 + from[i]; printf(" %.17g", sum); }
static void step(const double *u, double *v, int n) { int i; LINE; }'
loop_function() {
    cat << C
static void loop_$1(void)
{
    int n = 60, T = 7, i = 70, j = 71, t = 72;
    double *u = line[0], *v = line[1], *w = line[2], *swap = NULL, *seen = line[3], most = 1;
    fill(plane[0][0], 2 * N * N, 1), fill(first[0], N * N, 2), fill(second[0], N * N, 2), fill(line[0], 64, 3), fill(u + 64, 64, 3), fill(u + 128, 128, 3);
#pragma scop
$2
#pragma endscop
    printf("$1 %d %d %d %d %.17g", t, i, j, n + T + (u == line[0]) + (v == line[1]) + (w == line[2]) + (swap == u) + (seen == NULL), most);
    print(plane[0][0], 2 * N * N), print(first[0], N * N), print(second[0], N * N), print(line[0], 256), puts("");
}
C
}
old() { same "" 0 "for (t = 0; t < T; t++) { $1 }"; }
old 'INNER plane[(t + 1) % 2][i][j] = 0.5 * plane[t % 2][i - 1][j] + 0.25 * plane[t % 2][i][j + 1];'
old 'memcpy(second, first, sizeof first); INNER first[i][j] = 0.5 * second[i - 1][j] + 0.25 * second[i][j + 1];'
old 'for (i = 1; i < n - 1; i++) w[i] = 2 * v[i] - u[i] + 0.25 * (v[i - 1] - 2 * v[i] + v[i + 1]); swap = u; u = v; v = w; w = swap;'
old 'INNER second[i][j] = AROUND(first); INNER first[i][j] = second[i][j];
        if (t % 3 == 0) { double middle = first[4][5]; printf("%d: %.17g\n", t, middle); }'
old 'LINE; v[0] = v[1]; v[n - 1] = v[n - 2]; EXCHANGE;'
old 'LINE; EXCHANGE; seen[t] = u[3];'
old 'most = 0;
        INNER { second[i][j] = AROUND(first); most = fabs(second[i][j] - first[i][j]) > most ? fabs(second[i][j] - first[i][j]) : most; }
        INNER first[i][j] = second[i][j];
        if (most < 0.2) break;'
old 'u[0] = seen[t]; for (i = 1; i < n; i++) u[i] += 0.5 * (v[i - 1] - v[i]); for (i = 0; i < n - 1; i++) v[i] += 0.5 * (u[i] - u[i + 1]);'
old 'step(u, v, n); step(v, u, n);'
{ cat all.c && echo 'int main(void) {' && seq -f 'loop_%g();' 0 $((count - 1)) && echo 'return 0; }'; } > old.c
flags='-DUNUSED_=2 -DAPPLY_(x)=x'
standard=-std=c89 both old.c "$flags" "$flags"
cmp -s expected got
verdict $? 'as C of 1989, the same bits' || diff expected got | cat err - | note
[ "$(sed -n 's/^\([0-9]*\) ran$/\1/p' ran | sort -u | wc -l)" -ge 8 ] && [ "$(wc -l < said)" -le 2 ]
verdict $? 'by most of its loops' || cat said ran | note
for standard in '-std=c89 -pedantic-errors' '-ansi -O2 -Wall -Wextra -Wpedantic -Wshadow -Wdeclaration-after-statement -Wconversion -Werror' \
    '-std=gnu89 -Werror' '-std=c11 -Wall -Wextra -Wshadow -Wdeclaration-after-statement -Wconversion -Werror'; do
    each strictly "$standard" old.c
    each strictly "$standard" made.c
done

# Every warning of the original, in its line, and no other, though all are asked for.
warnings() {
    case $compiler in
    gcc) all='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdeclaration-after-statement -Wdouble-promotion -Wfloat-equal
        -Wcast-qual -Wcast-align -Wundef -Wvla -Wc++-compat -Wbad-function-cast -Wstrict-prototypes
        -Wmissing-prototypes -Wunused-macros -Wswitch-default -Wwrite-strings -Wlogical-op -Wnull-dereference -Winline -Wjump-misses-init' ;;
    *) all='-Weverything -Wno-conditional-uninitialized' ;;
    esac
    for file in "$1" made.c; do
        # shellcheck disable=SC2086
        $compiler -std=c11 -O1 $all -I"$GZ_SOURCE/t/gzc" -isystem "$lib" -c "$file" -o strict.o 2>&1 |
            sed -nE '/(warning|error):/s/^([^:]*:[0-9]+):[0-9]+/\1/p' | sort -u > "${file##*/}.said"
    done
    comm -13 "${1##*/}.said" made.c.said > new
    nothing "$compiler: nothing that it did not say of ${1##*/}" "$(head -n 5 new)"
}
. "$GZ_SOURCE/t/gzc/loops.sh"
count=0
forms
rarely few
rarely any
rarely looks
main_function $count >> all.c && mv all.c loops.c
for file in loops.c $(rarely echo "$GZ_SOURCE/t/gzc/alias.c"); do
    "$gzc" -k "$file" -o made.c -- -I"$GZ_SOURCE/t/gzc" 2> err
    each warnings "$file"
done
finish
