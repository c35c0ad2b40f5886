#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 736-gzc-flags - the flags behind "--" as users paste them, those of OpenMP above all: what gzc writes gives, on
# the host (t/gzc/host), what the program itself gives, compiled with OpenMP, for its simd directives, or without.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"

before="#include \"$GZ_SOURCE/t/gzc/programs.h\"
#define TWO 2
#ifndef FACTOR
#define FACTOR 0.5
#endif
static double u[9][9], v[9][9], rec[5][9];"
sizes='{1, 1, 1, 5}' shown=9

# gcc 12 with -fopenmp-simd takes a directive that it leaves out for a statement, hence the braces.
# loop_function NUMBER OUTER INNER OUTER INNER [BEHIND]: loops of i and j, a sweep and its copy back, each with lines of
# directives before it, and more behind them.
loop_function() {
    cat << C
static void loop_$1(int n, int m, int l, int T)
{
    int i, j, t, r = 55, other = 66;
    for (i = 0; i < 81; i++)
        u[i / 9][i % 9] = v[i / 9][i % 9] = i * 37 % 101 / 7.0;
    i = 70, j = 71;
#pragma scop
    for (t = 0; t < T; t++) {
$2
        for (i = 1; i < 7; i++) {
$3
            for (j = 1; j < 6; j++)
                v[i][j] = FACTOR * u[i - 1][j] + 0.25 * u[i][j + 1];
        }
$4
        for (i = 1; i < 8; i++) {
$5
            for (j = 1; j < 8; j++)
                u[i][j] = v[i][j];
        }
$6
    }
#pragma endscop
    SHOW(u), SHOW(v), SHOW(rec), SHOW(i), SHOW(j), SHOW(t), SHOW(r), SHOW(other), SHOW(n);
    (void)m, (void)l;
}
C
}

parallel='#pragma omp parallel for'
# However OpenMP is asked for, or not.
for way in -fopenmp '' -fopenmp-simd; do
    same 'a loop variable of inner parallel loops' 1 '' "$parallel" '' "$parallel"
    same 'of the second one alone' 1 '' '' '' "$parallel"
    same 'inner loop variables that are handed on' 1 '' "$parallel lastprivate(j)" '' '#pragma omp simd'
    same 'loops shared by two' 1 "$parallel private(j)" '' "$parallel collapse(TWO)" ''
    same 'directives upon directives' 1 '#pragma omp parallel
#pragma omp for private(j)' '' '#pragma omp parallel private(j)
#pragma omp for' ''
    same 'directives between #ifdef _OPENMP' 1 "#ifdef _OPENMP
$parallel private(j)
#endif" '' '' "#if defined(_OPENMP) && _OPENMP >= 201307
$parallel
#endif"
    same 'variables of the loops of receivers' 1 '' '' '' '' "$parallel
        for (r = 0; r < 4; r++)
            rec[r][t] = u[2 * r + 1][r + 3];
        for (other = 4; other < 5; other++)
            rec[other][t] = u[7][other];"
    compare "-O2 $way" "$way"
done

# A loop that is another with OpenMP.
before="#ifndef _OPENMP
#define FACTOR 0.125
#endif
$before"
for ways in 1:-fopenmp:-fopenmp no:-fopenmp: 1:-fno-openmp: no:-fno-openmp:-fopenmp; do
    with=${ways#*:}
    same 'a loop that OpenMP makes another' "${ways%%:*}" '' '' '' ''
    compare "${with%:*}" "${with#*:}"
done
"$gzc" text.c -o made.c 2> err
[ $? -eq 2 ] && grep -q '^text.c:[0-9]*:5: .* depends on _OPENMP: must be the same with and without, or -fopenmp or -fno-openmp stand behind "--"$' err
verdict $? 'a loop that OpenMP makes another, where neither is said' || note < err

# taken NAME FLAGS: x.c is understood with these flags.
# shellcheck disable=SC2086
taken() {
    "$gzc" --explain x.c -- $2 > out 2> err && grep -q '^state  *u' out
    verdict $? "$1: $2" || note < err
}
cat > x.c << C
static double u[9][9], v[9][9];
void f(int T)
{
    int i, j, t;
#pragma scop
    for (t = 0; t < T; t++) {
$parallel private(j)
        for (i = 1; i < 7; i++)
            for (j = 1; j < 6; j++)
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
        for (i = 1; i < 8; i++)
            for (j = 1; j < 8; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}
C
taken 'flags as they are pasted' '-O2 -fopenmp -march=native -std=c99 -Wall -Wextra -pedantic -g -pipe -lm'
taken 'the strictest' '-std=c99 -pedantic-errors -Werror -O3 -fopenmp=libgomp'
taken 'those of old C' '-ansi -O2 -fopenmp-simd'
taken 'flags of gcc that clang has not' '-O3 -march=znver5 -mtune=znver5 -mveclibabi=svml -fgcse-sm -floop-nest-optimize -flto -Werror'
taken 'what distributions build with' '-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fcf-protection -fno-plt -pthread -static-pie -shared'

# What the flags choose in the language stays chosen.
sed -i '1s/^/int restrict;\nint typeof;\n/' x.c
taken 'words of later C as names' -ansi
"$gzc" --explain x.c > out 2> err
[ $? -eq 2 ] && grep -q '^x.c:1:' err
verdict $? 'which are none without' || note < err
finish
