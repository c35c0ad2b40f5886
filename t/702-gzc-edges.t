#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 702-gzc-edges - the data flow of time loops, as gzc --edges prints it: which store made what each
# load sees. What is there behind the region is tested where it says something.
. "$(dirname "$0")/tap.sh"
gzc=$GZ_BUILD/bin/gzc
[ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
plan 18

# flows NAME STATEMENTS: the time loop of these statements has the edges on standard input.
flows() {
    cat > "$work/expected"
    cat > "$work/a.c" << C
void f(int n, int m, int T, double *a, double *b, double *c, double (*u)[m], double (*v)[m], double (*w)[m],
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
    "$gzc" --edges "$work/a.c" 2>&1 | sed '/^  behind/,/^  [^ ]/{/^  behind/d;/ behind: /d;}' > "$work/got"
    cmp -s "$work/expected" "$work/got"
    verdict $? "$1"
    diff "$work/expected" "$work/got" | note
}
sweep='for (int i = 1; i < n - 1; i++)'
flows 'pointers that change places are one object with a slot' \
    "$sweep b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 2, a|b
    op 0, a|b: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, a|b: before the region, a|b, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 1, a|b: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a|b: before the region, a|b, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
EDGES
flows 'planes by the time are elements' \
    "$sweep p[(t + 1) % 2][i] = p[t % 2][i - 1] + p[t % 2][i + 1];" << 'EDGES'
edges
  op 2, p[]
    op 0, p[]: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, p[]: before the region, p[], distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 1, p[]: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, p[]: before the region, p[], distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
EDGES
flows 'a copy back is looked through' \
    "$sweep b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 0; i < n; i++) a[i] = b[i];" << 'EDGES'
edges
  op 2, b
    op 0, a: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, a: before the region, b, distance (-1) where [n, T] -> { [t, i = 1] : t > 0 }
    op 0, a: before the region, a, distance (-1) where [n, T] -> { [t = 0, i] }
    op 1, a: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a: before the region, b, distance (1) where [n, T] -> { [t, i = -2 + n] : t > 0 }
    op 1, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] }
  op 4, a
    op 3, b: op 2, 0 loops ago, distance (0) where [n, T] -> { [t, i] : 0 < i <= -2 + n }
    op 3, b: before the region, b, distance (0) where [n, T] -> { [t, i = 0]; [t, i = -1 + n] }
EDGES
flows 'a copy of bytes may set any element, and reads all' \
    "$sweep b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        __builtin_memcpy(a + 1, mask, 3 * n);" << 'EDGES'
edges
  op 2, b
    op 0, a: op 3, in any loop by [T, n] -> { [t, i] -> [a0] : 0 <= a0 < t }
    op 0, a: before the region, a, distance (-1)
    op 1, a: op 3, in any loop by [T, n] -> { [t, i] -> [a0] : 0 <= a0 < t }
    op 1, a: before the region, a, distance (1)
  op 3
    copied: before the region, mask by [T, n] -> { [t] -> [] }
EDGES
flows 'two sweeps' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        $sweep a[i] = b[i - 1] + b[i + 1];" << 'EDGES'
edges
  op 2, b
    op 0, a: op 5, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, a: before the region, a, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 1, a: op 5, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
  op 5, a
    op 3, b: op 2, 0 loops ago, distance (-1) where [n, T] -> { [t, i] : i >= 2 }
    op 3, b: before the region, b, distance (-1) where [n, T] -> { [t, i = 1] }
    op 4, b: op 2, 0 loops ago, distance (1) where [n, T] -> { [t, i] : i <= -3 + n }
    op 4, b: before the region, b, distance (1) where [n, T] -> { [t, i = -2 + n] }
EDGES
flows 'three time levels by a rotation' \
    "$sweep c[i] = 2 * b[i] - a[i] + b[i - 1] + b[i + 1];
        s = a; a = b; b = c; c = s;" << 'EDGES'
edges
  op 4, b|c|a
    op 0, b|c|a: op 4, 1 loop ago, distance (0) where [n, T] -> { [t, i] : t > 0 }
    op 0, b|c|a: before the region, b|c|a, distance (0) where [n, T] -> { [t = 0, i] }
    op 1, b|c|a: op 4, 2 loops ago, distance (0) where [n, T] -> { [t, i] : (t >= 3 and 3*floor((t)/3) >= -1 + t) or (t) mod 3 = 2 }
    op 1, b|c|a: before the region, b|c|a, distance (0) where [n, T] -> { [t, i] : t <= 1 }
    op 2, b|c|a: op 4, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 2, b|c|a: before the region, b|c|a, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 3, b|c|a: op 4, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 3, b|c|a: before the region, b|c|a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
EDGES
flows 'borders behind the sweep: the nearest cell before, the opposite one behind' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        b[0] = b[1]; b[n - 1] = b[1];
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 2, a|b
    op 0, a|b: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, a|b: op 2, 1 loop ago, distance (0) where [n, T] -> { [t, i = 1] : t > 0 }
    op 0, a|b: before the region, a|b, distance (-1) where [n, T] -> { [t = 0, i] }
    op 1, a|b: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a|b: op 2, 1 loop ago by [T, n] -> { [t, i = -2 + n] -> [b0 = -1 + t, b1 = 1] : t > 0 }
    op 1, a|b: before the region, a|b, distance (1) where [n, T] -> { [t = 0, i] }
  op 4, a|b
    op 3, a|b: op 2, 0 loops ago, distance (1)
  op 6, a|b
    op 5, a|b: op 2, 0 loops ago by [T, n] -> { [t] -> [b0 = t, b1 = 1] }
EDGES
flows 'clamped and wrapped subscripts' \
    "for (int i = 0; i < n; i++) b[i] = a[i > 0 ? i - 1 : 0] + a[(i + 1) % n];
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 2, a|b
    op 0, a|b: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i > 0 }
    op 0, a|b: op 2, 1 loop ago, distance (0) where [n, T] -> { [t, i = 0] : t > 0 }
    op 0, a|b: before the region, a|b, distance (-1) where [n, T] -> { [t = 0, i] : i > 0 }
    op 0, a|b: before the region, a|b, distance (0) where [n, T] -> { [t = 0, i = 0] }
    op 1, a|b: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -2 + n }
    op 1, a|b: op 2, 1 loop ago by [T, n] -> { [t, i = -1 + n] -> [b0 = -1 + t, b1 = 0] : t > 0 }
    op 1, a|b: before the region, a|b, distance (1) where [n, T] -> { [t = 0, i] : i <= -2 + n }
    op 1, a|b: before the region, a|b by [T, n] -> { [t = 0, i = -1 + n] -> [0, 0] }
EDGES
flows 'Gauss-Seidel order: a store of this loop' \
    "$sweep a[i] = a[i - 1] + a[i + 1];" << 'EDGES'
edges
  op 2, a
    op 0, a: op 2, 0 loops ago, distance (-1) where [n, T] -> { [t, i] : i >= 2 }
    op 0, a: before the region, a, distance (-1) where [n, T] -> { [t, i = 1] }
    op 1, a: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
EDGES
flows 'red and black in place' \
    "$sweep if (i % 2 == 0) a[i] = a[i - 1] + a[i + 1];
        $sweep if (i % 2 == 1) a[i] = a[i - 1] + a[i + 1];" << 'EDGES'
edges
  op 2, a
    op 0, a: op 5, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 }
    op 0, a: before the region, a, distance (-1) where [n, T] -> { [t = 0, i] }
    op 1, a: op 5, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
  op 5, a
    op 3, a: op 2, 0 loops ago, distance (-1) where [n, T] -> { [t, i] : i >= 3 }
    op 3, a: before the region, a, distance (-1) where [n, T] -> { [t, i = 1] }
    op 4, a: op 2, 0 loops ago, distance (1) where [n, T] -> { [t, i] : i <= -3 + n }
    op 4, a: before the region, a, distance (1) where [n, T] -> { [t, i = -2 + n] }
EDGES
flows 'FDTD: what this loop has set, and the loop before' \
    "for (int j = 0; j < m; j++) u[0][j] = rec[t];
        for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) u[i][j] -= w[i][j] - w[i - 1][j];
        for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) v[i][j] -= w[i][j] - w[i][j - 1];
        for (int i = 0; i < n - 1; i++) for (int j = 0; j < m - 1; j++) w[i][j] -= v[i][j + 1] - v[i][j] + u[i + 1][j] - u[i][j];" << 'EDGES'
edges
  op 1, u[]
    op 0, rec: before the region, rec by [T, m, n] -> { [t, j] -> [t] }
  op 5, u[]
    op 2, w[]: op 15, 1 loop ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : t > 0 and i <= -2 + n and j <= -2 + m }
    op 2, w[]: before the region, w[], distance (0, 0) where [n, m, T] -> { [t = 0, i, j] : i <= -2 + n and j <= -2 + m; [t, i = -1 + n, j]; [t, i, j = -1 + m] : i <= -2 + n }
    op 3, w[]: op 15, 1 loop ago, distance (-1, 0) where [n, m, T] -> { [t, i, j] : t > 0 and j <= -2 + m }
    op 3, w[]: before the region, w[], distance (-1, 0) where [n, m, T] -> { [t = 0, i, j] : j <= -2 + m; [t, i, j = -1 + m] }
    op 4, u[]: op 5, 1 loop ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : t > 0 }
    op 4, u[]: before the region, u[], distance (0, 0) where [n, m, T] -> { [t = 0, i, j] }
  op 9, v[]
    op 6, w[]: op 15, 1 loop ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : t > 0 and i <= -2 + n and j <= -2 + m }
    op 6, w[]: before the region, w[], distance (0, 0) where [n, m, T] -> { [t = 0, i, j] : i <= -2 + n and j <= -2 + m; [t, i = -1 + n, j]; [t, i, j = -1 + m] : i <= -2 + n }
    op 7, w[]: op 15, 1 loop ago, distance (0, -1) where [n, m, T] -> { [t, i, j] : t > 0 and i <= -2 + n }
    op 7, w[]: before the region, w[], distance (0, -1) where [n, m, T] -> { [t = 0, i, j] : i <= -2 + n; [t, i = -1 + n, j] }
    op 8, v[]: op 9, 1 loop ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : t > 0 }
    op 8, v[]: before the region, v[], distance (0, 0) where [n, m, T] -> { [t = 0, i, j] }
  op 15, w[]
    op 10, v[]: op 9, 0 loops ago, distance (0, 1)
    op 11, v[]: op 9, 0 loops ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : j > 0 }
    op 11, v[]: before the region, v[], distance (0, 0) where [n, m, T] -> { [t, i, j = 0] }
    op 12, u[]: op 5, 0 loops ago, distance (1, 0)
    op 13, u[]: before the region, rec by [T, n, m] -> { [t, i = 0, j] -> [t] }
    op 13, u[]: op 5, 0 loops ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : i > 0 }
    op 14, w[]: op 15, 1 loop ago, distance (0, 0) where [n, m, T] -> { [t, i, j] : t > 0 }
    op 14, w[]: before the region, w[], distance (0, 0) where [n, m, T] -> { [t = 0, i, j] }
EDGES
flows 'a guard is part of the cells' \
    "for (int i = 0; i < n; i++) if (i > 0) b[i - 1] = a[i];
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 1, a|b
    op 0, a|b: op 1, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -2 + n }
    op 0, a|b: before the region, a|b, distance (1) where [n, T] -> { [t = 0, i] : i <= -2 + n; [t, i = -1 + n] }
EDGES
flows 'a guard by data keeps the element' \
    "$sweep if (mask[i]) b[i] = a[i - 1] + a[i + 1];
        $sweep a[i] = b[i];" << 'EDGES'
edges
  op 3, b
    op 0, mask: before the region, mask, distance (0)
    op 1, a: op 3, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 1, a: before the region, a, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 2, a: op 3, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 2, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
    kept: op 3, 1 loop ago, distance (0) where [n, T] -> { [t, i] : t > 0 }
    kept: before the region, b, distance (0) where [n, T] -> { [t = 0, i] }
  op 5, a
    op 4, b: op 3, 0 loops ago, distance (0)
EDGES
flows 'a receiver and a source behind the sweep' \
    "$sweep b[i] = a[i - 1] + a[i + 1];
        b[5] += c[t]; rec[t] = b[7];
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 2, a|b
    op 0, a|b: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 and (i >= 7 or i <= 5) }
    op 0, a|b: op 5, 1 loop ago, distance (-1) where [n, T] -> { [t, i = 6] : t > 0 }
    op 0, a|b: before the region, a|b, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 1, a|b: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and (i <= 3 or (5 <= i <= -3 + n)) }
    op 1, a|b: op 5, 1 loop ago, distance (1) where [n, T] -> { [t, i = 4] : t > 0 }
    op 1, a|b: before the region, a|b, distance (1) where [n, T] -> { [t = 0, i] : i <= 4 or (5 <= i <= -3 + n); [t, i = -2 + n] : n >= 7 }
  op 5, a|b
    op 3, c: before the region, c by [T, n] -> { [t] -> [t] }
    op 4, a|b: op 2, 0 loops ago, distance (0) where [n, T] -> { [t] : n >= 7 }
    op 4, a|b: op 5, 2 loops ago, distance (0) where [n, T] -> { [t] : n = 6 and t >= 2 }
    op 4, a|b: before the region, a|b, distance (0) where [n, T] -> { [t] : n = 6 and t <= 1 }
  op 7, rec
    op 6, a|b: op 2, 0 loops ago by [T, n] -> { [t] -> [b0 = t, b1 = 7] : n >= 9 }
    op 6, a|b: before the region, a|b by [T, n] -> { [t] -> [o0, 7] : (1 + t + o0) mod 2 = 0 and n <= 8 and 0 <= o0 <= 1 }
EDGES
flows 'linear subscripts are taken apart' \
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1] + a[(n - 1) * m + j];
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 3, a|b
    op 0, a|b: op 3, 1 loop ago, distance (-1, 0) where [m, n, T] -> { [t, i, j] : t > 0 and i >= 2 }
    op 0, a|b: before the region, a|b, distance (-1, 0) where [m, n, T] -> { [t, i = 1, j]; [t = 0, i, j] : i >= 2 }
    op 1, a|b: op 3, 1 loop ago, distance (0, 1) where [m, n, T] -> { [t, i, j] : t > 0 and j <= -3 + m }
    op 1, a|b: before the region, a|b, distance (0, 1) where [m, n, T] -> { [t = 0, i, j] : j <= -3 + m; [t, i, j = -2 + m] }
    op 2, a|b: before the region, a|b by [T, n, m] -> { [t, i, j] -> [o0, -1 + n, j] : (t + o0) mod 2 = 0 and 0 <= o0 <= 1 }
EDGES
flows 'loops that count down, and by while' \
    "for (int i = n - 2; i > 0; i--) b[i] = a[i - 1] + a[i + 1];
        int k = 1; while (k < n - 1) { a[k] = b[k]; k++; }" << 'EDGES'
edges
  op 2, b
    op 0, a: op 2, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t > 0 and i >= 2 }
    op 0, a: before the region, a, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
    op 1, a: op 2, 1 loop ago, distance (1) where [n, T] -> { [t, i] : t > 0 and i <= -3 + n }
    op 1, a: before the region, a, distance (1) where [n, T] -> { [t = 0, i] : i <= -3 + n; [t, i = -2 + n] }
  op 4, a
    op 3, b: op 2, 0 loops ago, distance (0)
EDGES
flows 'a sweep under a condition on the time' \
    "if (t % 2 == 0) { $sweep b[i] = a[i - 1]; } else { $sweep b[i] = a[i + 1]; }
        s = a; a = b; b = s;" << 'EDGES'
edges
  op 1, a|b
    op 0, a|b: op 3, 1 loop ago, distance (-1) where [n, T] -> { [t, i] : t >= 2 and i >= 2 }
    op 0, a|b: before the region, a|b, distance (-1) where [n, T] -> { [t, i = 1]; [t = 0, i] : i >= 2 }
  op 3, a|b
    op 2, a|b: op 1, 1 loop ago, distance (1) where [n, T] -> { [t, i] : i <= -3 + n }
    op 2, a|b: before the region, a|b, distance (1) where [n, T] -> { [t, i = -2 + n] }
EDGES
flows 'a recurrence and a sum are carried' \
    "double last = a[0]; $sweep { b[i] = last; last = a[i]; }
        s = a; a = b; b = s;" << 'EDGES'
edges
  carried by loop 1: last
EDGES
finish
