#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 702-gzc-edges - the data flow of time loops, as gzc --edges prints it: which store of the same time step made what a
# load sees, and whether one of an earlier step did. What elements hold at the end of a step is tested where it says
# something.
. "$(dirname "$0")/tap.sh"
needs_gzc
cd "$work" || exit 1

# flows NAME STATEMENTS [ALL]: adds a function to all.c, the time loop of these statements, which has the edges on standard
# input, or begins with them. There "op 1, a < 2" is a load of a that sees what operation 2 stored in an earlier time step.
count=0
flows() {
    count=$((count + 1))
    echo "${3-begin}|$1" >> names
    { echo "$1" && cat; } >> expected
    cat >> all.c << C
void f$count(int n, int m, int T, double *a, double *b, double *c, double (*u)[m], double (*v)[m], double (*w)[m],
       double (*p)[n], const int *mask, double *rec)
{
    double *s;
#pragma scop
    for (int t = 0; t < T; t++) {
        $2
    }
#pragma endscop
}
C
}
sweep='for (int i = 1; i < n - 1; i++)'
flows 'pointers that change places are one object with a slot' \
    "$sweep b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        s = a; a = b; b = s;" << 'EDGES'
op 0, a|b < 2
op 1, a|b < 2
EDGES
flows 'a copy back' \
    "$sweep b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 0; i < n; i++) a[i] = b[i];" << 'EDGES'
op 0, a < 4
op 1, a < 4
op 3, b
    op 2: [n] -> { [t, i] -> [t' = t, i' = i] : 0 < i <= -2 + n }
EDGES
flows 'two sweeps' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        $sweep a[i] = b[i - 1] + b[i + 1];" << 'EDGES'
op 0, a < 5
op 1, a < 5
op 3, b
    op 2: { [t, i] -> [t' = t, i' = -1 + i] : i >= 2 }
op 4, b
    op 2: [n] -> { [t, i] -> [t' = t, i' = 1 + i] : i <= -3 + n }
EDGES
flows 'three time levels by a rotation' \
    "$sweep c[i] = 2 * b[i] - a[i] + b[i - 1] + b[i + 1];
        s = a; a = b; b = c; c = s;" << 'EDGES'
op 0, b|c|a < 4
op 1, b|c|a < 4
op 2, b|c|a < 4
op 3, b|c|a < 4
EDGES
flows 'borders behind the sweep: the nearest cell before, the opposite one behind' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        b[0] = b[1]; b[n - 1] = b[1];
        s = a; a = b; b = s;" '' << 'EDGES'
op 0, a|b < 2 < 4
op 1, a|b < 2 < 6
op 3, a|b
    op 2: { [t] -> [t' = t, i = 1] }
op 5, a|b
    op 2: { [t] -> [t' = t, i = 1] }
a|b at the end of a time step
    op 6: [n, T] -> { [t, i1, -1 + n] -> [t' = t] : (1 + t + i1) mod 2 = 0 and t < T and i1 >= 0 and -t < i1 <= 1 }
    op 4: [T] -> { [t, i1, 0] -> [t' = t] : (1 + t + i1) mod 2 = 0 and t < T and i1 >= 0 and -t < i1 <= 1 }
    op 2: [n, T] -> { [t, i1, i2] -> [t' = t, i = i2] : (1 + t + i1) mod 2 = 0 and t < T and i1 >= 0 and -t < i1 <= 1 and 0 < i2 <= -2 + n }
 < 2 < 4 < 6
EDGES
flows 'clamped and wrapped subscripts' \
    "for (int i = 0; i < n; i++) b[i] = a[i > 0 ? i - 1 : 0] + a[(i + 1) % n];
        s = a; a = b; b = s;" << 'EDGES'
op 0, a|b < 2
op 1, a|b < 2
EDGES
flows 'Gauss-Seidel order: a store of this loop' \
    "$sweep a[i] = a[i - 1] + a[i + 1];" << 'EDGES'
op 0, a
    op 2: { [t, i] -> [t' = t, i' = -1 + i] : i >= 2 }
op 1, a < 2
EDGES
flows 'red and black in place' \
    "$sweep if (i % 2 == 0) a[i] = a[i - 1] + a[i + 1];
        $sweep if (i % 2 == 1) a[i] = a[i - 1] + a[i + 1];" '' << 'EDGES'
op 0, a < 5
op 1, a < 5
op 3, a
    op 2: { [t, i] -> [t' = t, i' = -1 + i] : i >= 3 }
op 4, a
    op 2: [n] -> { [t, i] -> [t' = t, i' = 1 + i] : i <= -3 + n }
a at the end of a time step
    op 5: [n, T] -> { [t, i1] -> [t' = t, i = i1] : (1 + i1) mod 2 = 0 and 0 <= t < T and 0 < i1 <= -2 + n }
    op 2: [n, T] -> { [t, i1] -> [t' = t, i = i1] : (i1) mod 2 = 0 and 0 <= t < T and 2 <= i1 <= -2 + n }
EDGES
flows 'FDTD: what this loop has set, and the loop before' \
    "for (int j = 0; j < m; j++) u[0][j] = rec[t];
        for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) u[i][j] -= w[i][j] - w[i - 1][j];
        for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) v[i][j] -= w[i][j] - w[i][j - 1];
        for (int i = 0; i < n - 1; i++) for (int j = 0; j < m - 1; j++) w[i][j] -= v[i][j + 1] - v[i][j] + u[i + 1][j] - u[i][j];" << 'EDGES'
op 2, w[] < 15
op 3, w[] < 15
op 4, u[] < 5
op 6, w[] < 15
op 7, w[] < 15
op 8, v[] < 9
op 10, v[]
    op 9: { [t, i, j] -> [t' = t, i' = i, j' = 1 + j] }
op 11, v[]
    op 9: { [t, i, j] -> [t' = t, i' = i, j' = j] : j > 0 }
op 12, u[]
    op 5: { [t, i, j] -> [t' = t, i' = 1 + i, j' = j] }
op 13, u[]
    op 5: { [t, i, j] -> [t' = t, i' = i, j' = j] : i > 0 }
    op 1: { [t, i = 0, j] -> [t' = t, j' = j] }
op 14, w[] < 15
EDGES
flows 'a guard is part of the cells' \
    "for (int i = 0; i < n; i++) if (i > 0) b[i - 1] = a[i];
        s = a; a = b; b = s;" '' << 'EDGES'
op 0, a|b < 1
a|b at the end of a time step
    op 1: [n, T] -> { [t, i1, i2] -> [t' = t, i = 1 + i2] : (1 + t + i1) mod 2 = 0 and t < T and i1 >= 0 and -t < i1 <= 1 and 0 <= i2 <= -2 + n }
 < 1
EDGES
flows 'a guard by data keeps the element' \
    "$sweep if (mask[i]) b[i] = a[i - 1] + a[i + 1];
        $sweep a[i] = b[i];" << 'EDGES'
op 1, a < 5
op 2, a < 5
op 3, b < 3
op 4, b
    op 3: { [t, i] -> [t' = t, i' = i] }
EDGES
flows 'a receiver and a source behind the sweep' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        b[5] += c[t]; rec[t] = b[7];
        s = a; a = b; b = s;" << 'EDGES'
op 0, a|b < 2 < 5
op 1, a|b < 2 < 5
op 4, a|b
    op 2: { [t] -> [t' = t, i = 5] }
op 6, a|b
    op 2: [n] -> { [t] -> [t' = t, i = 7] : n >= 9 }
EDGES
flows 'linear subscripts are taken apart' \
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1] + a[(n - 1) * m + j];
        s = a; a = b; b = s;" << 'EDGES'
op 0, a|b < 3
op 1, a|b < 3
EDGES
flows 'loops that count down, and by while' \
    "for (int i = n - 2; i > 0; i--) b[i] = a[i - 1] + a[i + 1];
        int k = 1; while (k < n - 1) { a[k] = b[k]; k++; }" << 'EDGES'
op 0, a < 4
op 1, a < 4
op 3, b
    op 2: { [t, k] -> [t' = t, i = k] }
EDGES
flows 'a sweep under a condition on the time' \
    "if (t % 2 == 0) { $sweep b[i] = a[i - 1]; } else { $sweep b[i] = a[i + 1]; }
        s = a; a = b; b = s;" '' << 'EDGES'
op 0, a|b < 3
op 2, a|b < 1
a|b at the end of a time step
    op 3: [n, T] -> { [t, 0, i2] -> [t' = t, i = i2] : (1 + t) mod 2 = 0 and 0 < t < T and 0 < i2 <= -2 + n }
    op 1: [n, T] -> { [t, 1, i2] -> [t' = t, i = i2] : (t) mod 2 = 0 and 0 <= t < T and 0 < i2 <= -2 + n }
 < 1 < 3
EDGES

"$gzc" --edges all.c > out 2>&1
awk -F'|' 'function put() { if (line) print line; line = "" }
    FILENAME == "names" { part[++names] = $1; name[names] = $2; next }
    /^edges$/ { put(); print name[++loops]; skip = 0; next }
    / at the end of a time step$/ { put(); skip = part[loops] == "begin" }
    skip || !NF { next }
    /^  [^ ]/ { put(); line = substr($0, 3); next }
    / of an earlier time step$/ { split($0, word, " "); line = line " < " word[2]; next }
    { put(); print }
    END { put() }' names out > got
diff expected got > differ
verdict $? "$count loops have these edges" || cat differ out | note
finish
