#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 736-gzc-flags - the flags behind "--" as users paste them, those of OpenMP above all: what gzc writes gives, on
# the host (t/gzc/host), what the program itself gives, compiled with OpenMP, for its simd directives, or without.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"

# ways NAME: the same however OpenMP is asked for, or not.
ways() {
    for way in -fopenmp '' -fopenmp-simd; do
        behaves "$1" 1 "-O2 $way" "$way"
    done
}

# gcc 12 with -fopenmp-simd takes a directive that it leaves out for a statement, hence the braces.
# program OUTER INNER OUTER INNER: loops of i and j, a sweep and its copy back, each with lines of directives before it.
program() {
    cat << C
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#define TWO 2
static double u[9][9], v[9][9];
int main(void)
{
    int i = 70, j = 71, k, t;
    double s = 0;
    for (k = 0; k < 81; k++)
        u[k / 9][k % 9] = v[k / 9][k % 9] = k * 37 % 101 / 7.0;
#pragma scop
    for (t = 0; t < 5; t++) {
$1
        for (i = 1; i < 7; i++) {
$2
            for (j = 1; j < 6; j++)
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
        }
$3
        for (i = 1; i < 8; i++) {
$4
            for (j = 1; j < 8; j++)
                u[i][j] = v[i][j];
        }
    }
#pragma endscop
    for (k = 0; k < 81; k++)
        s += u[k / 9][k % 9] * (k % 13);
    printf("%.17g i %d j %d\n", s, i, j);
    return 0;
}
C
}
parallel='#pragma omp parallel for'

program '' "$parallel" '' "$parallel" > x.c
ways 'a loop variable of inner parallel loops'
program '' '' '' "$parallel" > x.c
ways 'of the second one alone'
program '' "$parallel lastprivate(j)" '' '#pragma omp simd' > x.c
ways 'inner loop variables that are handed on'
program "$parallel private(j)" '' "$parallel collapse(TWO)" '' > x.c
ways 'loops shared by two'
program '#pragma omp parallel
#pragma omp for private(j)' '' '#pragma omp parallel private(j)
#pragma omp for' '' > x.c
ways 'directives upon directives'
program "#ifdef _OPENMP
$parallel private(j)
#endif" '' '' "#if defined(_OPENMP) && _OPENMP >= 201307
$parallel
#endif" > x.c
ways 'directives between #ifdef _OPENMP'

cat > x.c << 'C'
#include <stdio.h>
static double u[24][24], v[24][24], rec[5][9];
int main(void)
{
    int i, j, t, r = 55, other = 66;
    double s = 0;
    for (i = 0; i < 24; i++)
        for (j = 0; j < 24; j++)
            u[i][j] = v[i][j] = (i * 7 + j * 3) % 11;
#pragma gz trapezoid
    for (t = 0; t < 9; t++) {
        for (i = 1; i < 23; i++)
            for (j = 1; j < 23; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (i = 1; i < 23; i++)
            for (j = 1; j < 23; j++)
                u[i][j] = v[i][j];
#pragma omp parallel for
        for (r = 0; r < 4; r++)
            rec[r][t] = u[2 * r + 1][r + 3];
        for (other = 4; other < 5; other++)
            rec[other][t] = u[7][other];
    }
    for (i = 0; i < 45; i++)
        s += rec[i / 9][i % 9] * (i % 13);
    printf("%.17g %d %d %d %d\n", s, i, j, r, other);
    return 0;
}
C
ways 'variables of the loops of receivers'

# Loops that are others with OpenMP.
program '' '' '' '' | sed 's/0.5 \*/FACTOR */
s/^#define TWO 2/#ifdef _OPENMP\n#define FACTOR 0.5\n#else\n#define FACTOR 0.125\n#endif/' > x.c
behaves 'a loop that OpenMP makes another' 1 -fopenmp -fopenmp
behaves 'a loop that OpenMP makes another' 0 -fopenmp ''
behaves 'a loop that OpenMP makes another' 1 -fno-openmp ''
behaves 'a loop that OpenMP makes another' 0 -fno-openmp -fopenmp
"$gzc" x.c -o made.c 2> err
[ $? -eq 2 ] && grep -q '^x.c:1[0-9]:5: .* depends on _OPENMP: must be the same with and without, or -fopenmp or -fno-openmp stand behind "--"$' err
verdict $? 'a loop that OpenMP makes another, where neither is said' || note < err

# taken NAME FLAGS: x.c is understood with these flags.
# shellcheck disable=SC2086
taken() {
    "$gzc" --explain x.c -- $2 > out 2> err && grep -q '^state  *u' out
    verdict $? "$1: $2" || note < err
}
program "$parallel private(j)" '' '' '' > x.c
taken 'flags as they are pasted' '-O2 -fopenmp -march=native -std=c99 -Wall -Wextra -pedantic -g -pipe -lm'
taken 'the strictest' '-std=c99 -pedantic-errors -Werror -O3 -fopenmp=libgomp'
taken 'those of old C' '-ansi -O2 -fopenmp-simd'
taken 'flags of gcc that clang has not' '-O3 -march=znver5 -mtune=znver5 -mveclibabi=svml -fgcse-sm -floop-nest-optimize -flto -Werror'
taken 'what distributions build with' '-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fcf-protection -fno-plt -pthread -static-pie -shared'

# What the flags choose in the language stays chosen.
echo 'int restrict;
int typeof;' > x.c
program '' '' '' '' >> x.c
taken 'words of later C as names' -ansi
"$gzc" --explain x.c > out 2> err
[ $? -eq 2 ] && grep -q '^x.c:1:' err
verdict $? 'which are none without' || note < err
finish
