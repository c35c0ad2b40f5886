#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 734-gzc-sizes - texts that are large: functions that call others in many ways, temporaries that are set often,
# many reads that wrap. Processor time and memory are bounded, except where sanitizers take more of both.
. "$(dirname "$0")/tap.sh"
needs_gzc
cd "$work" || exit 1

# quickly [SECONDS]: gzc on x.c, within so much processor time.
quickly() {
    (
        [ -n "$sanitize" ] || ulimit -v 1000000
        ulimit -t "$((${1:-2} * ${sanitize:+5}1))" && "$gzc" x.c -o made.c
    ) > out 2> err
}
# text STATEMENT: x.c, the standard input and then a loop over cells that does STATEMENT.
text() {
    {
        cat
        echo "void f(int n, int T, double *a, double *b) {"
        echo "#pragma scop"
        echo "for (int t = 0; t < T; t++) { for (int i = 1; i < n; i++) { $1 } double *s = a; a = b; b = s; }"
        echo "#pragma endscop"
        echo "}"
    } > x.c
}
awk 'BEGIN { print "static double g0(double v) { return v; }"
    while (++i <= 60) printf "static double g%d(double v) { return g%d(g%d(v)); }\n", i, i - 1, i - 1 }' | text 'b[i] = g60(a[i - 1]);'
! quickly && [ "$(wc -l < err)" -eq 1 ]
verdict $? "functions that each call the one before twice: refused by name, at once" || note < err
text "double s = a[i]; $(awk 'BEGIN { while (i++ < 6000) print "s = s + a[i - 1];" }') b[i] = s;" < /dev/null
quickly 4
verdict $? "a temporary that is set 6,000 times: translated at once" || note < err
{
    echo "void f(int n, int T, double (*a)[n][n], double (*b)[n][n]) {"
    echo "#pragma scop"
    echo "for (int t = 0; t < T; t++) {"
    for array in b a; do
        echo "for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) $array[k][j][i] = 0"
        for z in -2 -1 0 1 2; do
            for y in -2 -1 0 1 2; do
                for x in -2 -1 0 1 2; do
                    [ $array = a ] || echo "+ a[(k + $z + n) % n][(j + $y + n) % n][(i + $x + n) % n]"
                done
            done
        done
        [ $array = b ] || echo "+ b[k][j][i]"
        echo ";"
    done
    echo "}"
    echo "#pragma endscop"
    echo "}"
} > x.c
quickly 10 && grep -q "GZ_STENCIL_PERIODIC, GZ_STENCIL_PERIODIC, GZ_STENCIL_PERIODIC" made.c
verdict $? "125 periodic reads of three axes: translated in less than ten seconds" || note < err
{
    echo "void f(int n, int T, int x, int y, int z, int u, int v, int w, float (*a)[n][n], float (*b)[n][n], float *s, float *r) {"
    echo "#pragma scop"
    echo "for (int t = 0; t < T; t++) {"
    echo "for (int k = 2; k < n - 2; k++) for (int j = 2; j < n - 2; j++) for (int i = 2; i < n - 2; i++)"
    echo "b[k][j][i] = 2 * a[k][j][i] - b[k][j][i]"
    for far in -2 -1 1 2; do echo "+ 0.1f * (a[k + $far][j][i] + a[k][j + $far][i] + a[k][j][i + $far])"; done
    echo "; b[x][y][z] += s[t]; r[t] = b[u][v][w];"
    echo "float (*c)[n][n] = a; a = b; b = c; }"
    echo "#pragma endscop"
    echo "}"
} > x.c
quickly 5 && [ "$(wc -c < made.c)" -lt 100000 ]
verdict $? 'a source and a receiver at places of three dimensions that only the program knows: in 100,000 bytes' || note < err
# functions CALLED: x.c with 20,000 functions that each call the one before, and a loop that calls the one CALLED.
functions() {
    awk 'BEGIN { print "static double g0(double v) { return v * 0.5; }"
        while (++i < 20000) printf "static double g%d(double v) { return g%d(v); }\n", i, i - 1 }' | text "b[i] = g$1(a[i - 1]);"
}
functions 19999
! quickly 10 && [ "$(wc -l < err)" -eq 1 ]
verdict $? '20,000 functions that each call the one before: refused by name, in less than ten seconds and a gigabyte' || note < err
functions 20
quickly 10 && grep -q gz_stencil_begin made.c
verdict $? '20,000 functions, of which the loop calls few: translated, likewise' || note < err

finish
