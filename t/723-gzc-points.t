#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 723-gzc-points - time loops that set or change single cells beside their sweep (t/gzc/points.c): the
# same bits in all cells, the loops computed elsewhere but for a last one behind a copy back; and what is
# no such point is refused by name.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate points place

same 1 23 31 9 0 10
same 3 12 7 23 1 10
same 2 8 9 1 1 8
same 2 8 9 0 0 0
same 2 3 9 4 0 7

# point NAME MESSAGE STATEMENTS: behind a sweep and its exchange; a message, or nothing.
point() {
    beside 'double moved(double x) { static double y; return y += x; }
void f(int n, int m, int T, double a[n][m], double b[n][m], double *w, int *at, int e)' "$5" "$4" "$3"
    (cd "$work" && "$gzc" x.c -o result 2> err)
    [ "$(cat "$work/err")" = "$2" ]
    verdict $? "$1" || note < "$work/err"
}
said='sets cells beside the sweep:'
point 'a source, by an array of places' '' 'a[at[0]][at[1]] += w[t];'
point 'what is set, by functions that devices lack' '' 'a[n / 2][3] = exp(-0.1 * t) * e;'
point 'in a block' '' '{ a[n / 2][3] -= 1; a[3][3]--; }'
point 'before the sweep, by a number that each loop computes' '' '' '' 'double s = sin(t) * w[t]; a[3][e] += s;'
point 'now and then, which is no look' '' 'if (t % 2 && w[t] > 1) a[3][3] = e;'
point 'a number that a sweep uses, too' \
    'x.c:7:9: double s = w[t]; is executed in each loop: besides its sweeps, a loop may only exchange two pointers' \
    'a[3][3] = s + e;' '' 'double s = w[t]; e += s > 1;'
point 'a place that moves' \
    "x.c:13:9: a[t + 1][3] += 1 $said its place must be the same in all loops, and t is not" 'a[t + 1][3] += 1;'
point 'of the array that was read' \
    "x.c:13:9: b[3][3] += 1 $said must be of a there, which holds the state" 'b[3][3] += 1;'
point 'of the array that was read, before the exchange' \
    "x.c:11:9: a[3][3] += 1 $said must be of b there, which holds the state" '' 'a[3][3] += 1;'
point 'from another cell' \
    "x.c:13:9: a[3][3] = a[3][4] $said must follow from that cell, the time and what stays the same, not from a" \
    'a[3][3] = a[3][4];'
point 'by a function of that cell' \
    "x.c:13:9: a[3][3] = fabs(a[3][3]) $said must be computed from that cell by +, -, * and / of what does not hang on it" \
    'a[3][3] = fabs(a[3][3]);'
point 'by a function that keeps something' \
    'x.c:13:20: moved(t) may change something: within an expression, nothing must be assigned and only functions be called that do nothing but compute' \
    'a[3][3] += moved(t);'
point 'by an index that does something' \
    'x.c:13:9: a[e++][3] may change something: within an expression, nothing must be assigned and only functions be called that do nothing but compute' \
    'a[e++][3] += 1;'
point 'beyond the domain' \
    "x.c:13:9: a[0][3] += 1 $said must assign an element by =; by +=, only single cells of the domain may be set" \
    'a[0][3] += 1;'
point 'behind a border' \
    "x.c:13:50: a[3][3] += 1 $said a point must be set before the border" \
    'for (int j = 0; j < m; j++) a[0][j] = 0; a[3][3] += 1;'
finish
