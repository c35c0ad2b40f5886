#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 703-gzc-plans - programs that gzc --plan makes print what they print themselves, with their bodies on the host
# (t/gzc/host); so do random ones. What the call inserts compiles without a warning as C of 1989, C++ and with OpenMP.
# GZ_SEED=N takes other random programs, GZ_PROGRAMS=N so many.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"
t=$GZ_SOURCE/t/gzc
plan 14

# same NAME RAN: as above, of programs in many styles, with RAN runs at least.
same() {
    "$gzc" --plan -k "$t/$1.c" -o made.c -- -I"$t" 2> said
    $cc -std=gnu11 -w -O1 -ffp-contract=off -I"$t" "$t/$1.c" -o plain -lm &&
        $cc -std=gnu11 -w -O0 -ffp-contract=off -I"$t" -I"$library" made.c host.o -o made -lm -ldl 2> said
    GZ_BODIES=print ./made 23 31 5 2> bodies.c > printed
    $cc -std=gnu11 -w -ffp-contract=off -fno-builtin -fPIC -shared -I"$host" bodies.c -o bodies.so -lm
    ./plain 23 31 5 > expected
    GZ_BODIES=$work/bodies.so ./made 23 31 5 > got 2> ran
    [ -s expected ] && cmp -s expected got && [ "$(grep -c ' ran$' ran)" -ge "$2" ]
    verdict $? "$1.c: the same output, $(grep -c ' ran$' ran) runs"
    diff expected got | cat - said | head -n 5 | note
}
same forms 18
same exchanges 10
same corners 3
same borders 6
same fields 17
same receivers 8
same probes 5
if [ "$(bulk 0 1)" = 1 ]; then
    same styles 21
    same counts 25
    same nothing 27
    same measure 19
    same ends 32
fi

cat > x.c << 'C'
#include <stdio.h>
void heat(double *a, double *b, int n, int m, int steps)
{
    int t, i, j;
    double *swap;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m + j] + 0.1 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] - 2 * a[i * m + j]);
        if (t % 10 == 9)
            printf("%d\n", t);
        swap = a;
        a = b;
        b = swap;
    }
#pragma endscop
}
C
cp x.c x.cpp
# strict WHAT COMPILER SOURCE FLAGS GZC: gzc's output compiles under these flags without a warning.
# shellcheck disable=SC2086
strict() {
    made=made.${3#x.}
    "$gzc" --plan "$3" -o "$made" -- $5 2> said &&
        $2 $4 -Wall -Wextra -Wshadow -Wconversion -Wno-unknown-pragmas -Werror -I"$library" -c "$made" -o x.o 2>> said
    verdict $? "$1"
    head -n 5 said | note
}
strict 'C of 1989' "$cc" x.c '-std=c89 -ansi -Wdeclaration-after-statement'
strict 'C++' "${CXX:-c++}" x.cpp -std=c++17
strict 'OpenMP' "$cc" x.c '-std=c11 -O2 -fopenmp' -fopenmp

seed=${GZ_SEED:-1} count=${GZ_PROGRAMS:-$(bulk 8 40)}
result=$(GZ_BY_PLAN=1 GZ_NO_SHRINK=1 sh "$t/differ.sh" "$seed" "$count" 2>&1)
verdict $? "$(echo "$result" | grep 'programs, to seed')"
echo "$result" | grep -v '^# .* taken, ' | note
finish
