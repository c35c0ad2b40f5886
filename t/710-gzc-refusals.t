#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 710-gzc-refusals - what gzc refuses, word for word, with file, line and column; nothing is written.
. "$(dirname "$0")/tap.sh"
gzc=$GZ_BUILD/bin/gzc
[ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
scratch
cd "$work" || exit 1

# refused NAME MESSAGE: the C file on standard input is refused in exactly these words.
refused() {
    cat > x.c
    "$gzc" --explain x.c -o result > out 2> err
    got=$?
    [ $got -eq 2 ] && [ ! -s out ] && [ ! -e result ] && [ "$(cat err)" = "$2" ]
    verdict $? "$1" || printf 'exit %s, said: %s\n' "$got" "$(cat err out)" | note
}

# loop NAME MESSAGE TEXT: the same of a loop in one dimension over x[0 .. n - 1], y, int idx, z.
loop() {
    refused "$1" "$2" << C
#define HERE __LINE__
extern int printf(const char *, ...);
double get(void);
void f(int n, int T, double *x, double *y, int *idx, double u[T][n], double A[2][n], double s)
{
    int t, i, j, i0 = 0, i1 = 1, last;
    double *tmp;
#pragma scop
$3
#pragma endscop
}
C
}

refused 'Gauss-Seidel order' \
    'x.c:8:29: A[i-1][j-1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' << 'C'
void f(int n, int T, double A[n][n])
{
  int t, i, j;
#pragma scop
  for (t = 0; t <= T - 1; t++)
    for (i = 1; i <= n - 2; i++)
      for (j = 1; j <= n - 2; j++)
        A[i][j] = A[i][j] + A[i-1][j-1] + A[i][j+1];
#pragma endscop
}
C
loop 'every time step kept' \
    'x.c:10:31: u[t][i] keeps every time step: use two arrays, or an index of (t + 1) % 2' \
    'for (t = 1; t < T; t++) {
 for (i = 1; i < n - 1; i++) {u[t][i] = u[t - 1][i - 1] + u[t - 1][i + 1]; }}'
loop 'every time step kept, written ahead' \
    'x.c:10:30: u[t+1][i] keeps every time step: use two arrays, or an index of (t + 1) % 2' \
    'for (t = 0; t < T - 1; t++)
 for (i = 1; i < n - 1; i++) u[t+1][i] = u[t][i - 1] + u[t][i + 1];'
loop 'a subscript that is read from an array' \
    'x.c:10:37: subscript 1 of x is idx[i]: must be a loop variable plus a constant, clamped or wrapped or not' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[idx[i]];
 tmp = x; x = y; y = tmp; }'
loop 'a subscript that is a product of the loop variable' \
    'x.c:10:37: subscript 1 of x is 2 * i: must be a loop variable plus a constant, clamped or wrapped or not' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[2 * i];
 tmp = x; x = y; y = tmp; }'
loop 'a reduction' \
    'x.c:11:34: a sum of a loop is found where one sweep goes from one array to another, all of it, and a copy or an exchange follows' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[i];
     for (i = 1; i < n - 1; i++) s += x[i] * y[i];
 }'
loop 'a maximum without a state that moves' \
    'x.c:11:30: the largest change of a loop is found where one sweep goes from one array to another, all of it, and a copy or an exchange follows' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[i];
 for (i = 1; i < n - 1; i++) if (y[i] > s) s = y[i];
 }'
refused 'an annotation that states less than is read' \
    'x.c:6:49: gather(-1:1) in i, but A[t%2][i+2][j] is read: must be gather(-1:2)' << 'C'
void f(int n, int T, double A[2][n][n])
{
#pragma gz trapezoid gather(-1:1, 0:0)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 2; i++) for (int j = 0; j < n; j++)
            A[(t+1)%2][i][j] = A[t%2][i-1][j] +   A[t%2][i+2][j];
}
C
refused 'an annotation that states more than is read' \
    'x.c:3:1: gather(-2:2) in i, but no cell that far away is read: must be gather(-1:1)' << 'C'
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid gather(-2:2)
    for (int t = 0; t < T; t++)
        for (int i = 2; i < n - 2; i++)
            A[(t+1)%2][i] = A[t%2][i-1] + A[t%2][i+1];
}
C
refused 'no directive' 'x.c:2:1: no #pragma scop and no #pragma gz trapezoid' << 'C'
void f(void) {}
C
refused 'a clause that there is not' \
    'x.c:3:22: "width" is not a clause: must be height, obj, dimension, gather or live-out' << 'C'
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid width(4)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
}
C
refused 'another dimension than stated' \
    'x.c:3:1: dimension(2), but the loops have 1: must be dimension(1)' << 'C'
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid dimension(2)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
}
C
refused 'another object than stated' 'x.c:3:1: obj(B), but the loops write A: must be obj(A)' << 'C'
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid obj(B)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
}
C
loop 'a recurrence inside a sweep' \
    'x.c:10:43: y[i - 1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[i] +y[i - 1];
 tmp = x; x = y; y = tmp; }'
loop 'three time levels, the oldest at a neighbour' \
    'x.c:10:51: A[(t + 1) % 2][i + 1] is the state before the last beside the cell that is computed: of three time levels, the oldest may be read at the cell itself only' \
    'for (t = 0; t < T; t++)
 for (i = 1; i < n; i++) A[(t + 1) % 2][i] = 2 * (A[(t + 1) % 2][i + 1]) - A[t % 2][i - 1];'
loop 'three time levels, none of the two before' \
    'x.c:10:49: u[(t + 2) % 3][i] is none of the two states before the one that is computed: of three time levels, the others must be read' \
    'for (t = 0; t < T; t++)
 for (i = 1; i < n; i++) u[(t + 2) % 3][i] = 2 *u[(t + 2) % 3][i] - u[(t + 1) % 3][i - 1];'
refused 'three time levels, some cells left out' \
    'x.c:6:26: a guard leaves cells of three arrays as they were: assign in an else as well' << 'C'
void f(int n, int T, double *u, double *v, double *w, double *s)
{
    int t, i;
#pragma scop
for (t = 0; t < T; t++) {
 for (i = 1; i < n; i++) if (i % 2 == 0) w[i] = v[i] - u[i - 1];
 s = v; v = u; u = w; w = s; }
#pragma endscop
}
C
loop 'a recurrence by way of another array' \
    'x.c:10:37: y[i - 1] reaches more than 32 cells away, by way of what is set before it in the same loop' \
    'for (t = 0; t < T; t++)
   for (i = 1; i < n; i++) { x[i] = y[i - 1];
       y[i] = x[i]; }'
loop 'several arrays and something else' \
    'x.c:10:4: s = s * 2: a loop that sets several arrays may only assign elements in loops over cells, and then exchange pointers' \
    'for (t = 0; t < T; t++) {
   s = s * 2;
   for (i = 1; i < n; i++) { x[i] = x[i] * s;
       y[i] = x[i]; } }'
loop 'several arrays, one of which is read under a condition only' \
    'x.c:10:45: y[i - 1] of several arrays is read under a condition only: cells there must be read or set in any case, too' \
    'for (t = 0; t < T; t++)
   for (i = 1; i < n; i++) { x[i] = s > 0 ? y[i - 1] : 0;
       A[0][i] = x[i - 1]; y[i] = x[i]; }'
loop 'several arrays, one of them from a fixed cell' \
    'x.c:11:15: x[0] is not a fixed distance from the cell that is computed, y[i]' \
    'for (t = 0; t < T; t++)
   for (i = 1; i < n; i++) { x[i] = x[i] * s;
       y[i] = x[0]; }'
loop 'several arrays, one read beside the domain and around it' \
    'x.c:11:63: x[i - 1]: edges of different kinds along i are not translated yet: those of one loop must all be kept, clamped, wrapped or zero' \
    'for (t = 0; t < T; t++) {
   for (i = 0; i < n; i++) x[i] = x[i] + y[i] * s;
   for (i = 0; i < n; i++) y[i] = y[i] * s + x[(i + 1) % n] + x[i - 1]; }'
loop 'what is written by a wrapped subscript, where cells beyond it are read' \
    'x.c:10:34: y[(i + n) % n]: each subscript of the element that is written must be a loop variable of its own, with or without a constant added, where cells beyond the domain are read' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n - 1; i++) { y[(i + n) % n] = x[i - 1] + x[i + 1]; }
   tmp = x; x = y; y = tmp; }'
loop 'several arrays, between other bounds than those of an edge' \
    'x.c:11:28: y[i] is set between other bounds than x[i], and subscripts along i are wrapped: all must be set from the first to the last cell' \
    'for (t = 0; t < T; t++) {
   for (i = 0; i < n; i++) x[i] = x[i] + y[(i + 1) % n] * s;
   for (i = 1; i < n; i++) y[i] = y[i] * s + x[i];
   for (i = 0; i < n; i++) x[i] = x[i] + 0.5 * y[i]; }'
loop 'several arrays, one at its own place beyond an edge' \
    'x.c:11:46: x[(i + 1) % n] is read across an edge, and this loop has set it before, from loop variables: not translated yet' \
    'for (t = 0; t < T; t++) {
   for (i = 0; i < n; i++) x[i] = x[i] * s + i;
   for (i = 0; i < n; i++) y[i] = y[i] * s + x[(i + 1) % n];
   for (i = 0; i < n; i++) x[i] = x[i] + 0.5 * y[i]; }'
loop 'several arrays, one around an edge in the loops that set it' \
    'x.c:11:22: x[(i + n - 1) % n] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' \
    'for (t = 0; t < T; t++)
   for (i = 0; i < n; i++) { x[i] = x[i] * s + y[i];
   y[i] = y[i] * s + x[(i + n - 1) % n]; }'
loop 'two of three pointers that change places set' \
    'x.c:12:4: x and y change places, and the loop sets both: must set one' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n; i++) { x[i] = x[i] * s;
       y[i] = x[i]; }
   tmp = x; x = y; y = tmp; }'
# copying NAME MESSAGE BEFORE BEHIND: the same of a loop that sets u and v, with these statements around its nest.
copying() {
    refused "$1" "$2" << C
#include <string.h>
void f(int n, int T, double *u, double *v, double *w, double *h)
{
#pragma scop
for (int t = 0; t < T; t++) {
$3
 for (int i = 1; i < n - 1; i++) { u[i] = v[i + 1]; v[i] = u[i] + w[i - 1]; }
$4
}
#pragma endscop
}
C
}
copying 'several arrays, of which a copy keeps every step' \
    'x.c:8:2: memcpy(h + t * n, u, n * sizeof *u): a copy among several arrays must be of the same arrays and as many bytes in all loops' \
    '' ' memcpy(h + t * n, u, n * sizeof *u);'
copying 'several arrays, one of which is set and copied to' \
    'x.c:8:2: memcpy(u, v, n * sizeof *u) copies into u, which the loop sets in another way, too: must be set in one way' \
    '' ' memcpy(u, v, n * sizeof *u);'
copying 'several arrays and a copy of what never changes' \
    'x.c:6:1: memcpy(w, h, n * sizeof *w) copies h, which no statement of the loop sets' \
    'memcpy(w, h, n * sizeof *w);' ''
copying 'several arrays, one of which is copied back too early' \
    'x.c:8:1: memcpy(w, v, n * sizeof *w) copies v back, and the loop sets it behind that, too' \
    '' 'memcpy(w, v, n * sizeof *w); for (int i = 1; i < n - 1; i++) v[i] *= 2;'
loop 'several arrays, the oldest state of one in two planes' \
    'x.c:10:65: A[(t + 1) % 2][i] is needed as the loop before the last has left it: where several arrays are set, of two planes, only the one that is read may hand values on' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) { x[i] = A[t % 2][i - 1] + x[i];
    A[(t + 1) % 2][i] = x[i] - A[t % 2][i - 1] * 2 + s * y[i] -  A[(t + 1) % 2][i]; }'
loop 'several arrays, one in both planes' \
    'x.c:10:1: A[t % 2][i] and another element of A are set in both of two planes: must be set in one' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) { x[i] = x[i] * s; A[(t + 1) % 2][i] = A[t % 2][i - 1] + x[i];
A[t % 2][i] = x[i]; }'
loop 'two fields, one of which is read under a condition only' \
    'x.c:11:61: x[i + 1] of several arrays is read under a condition only: cells there must be read or set in any case, too' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n - 1; i++) x[i] = x[i] + y[i] - y[i - 1];
    for (i = 1; i < n - 1; i++) if (y[i] > s) y[i] = y[i] + x[i + 1]; }'
loop 'two fields, one of which is read at a cell too far beside an edge' \
    'x.c:11:53: x[i - 2] of several arrays is read under a condition only: cells there must be read or set in any case, too' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n; i++) x[i] = x[i] + y[i] - (i < n - 1 ? y[i + 1] : 0);
    for (i = 1; i < n; i++) y[i] = y[i] + (i >= 2 ? x[i - 2] : 0); }'
loop 'two numbers that choose planes, of which one stays' \
    'x.c:11:4: i0 = i1 is executed in each loop: besides its sweeps, a loop may only exchange two pointers' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n; i++) A[i1][i] = A[i0][i - 1];
   i0 = i1; i1 = i0; }'
loop 'two numbers that choose planes, and a third that is set again' \
    'x.c:11:35: last = 3 is executed in each loop: besides its sweeps, a loop may only exchange two pointers' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n; i++) A[i1][i] = A[i0][i - 1];
   last = i0; i0 = i1; i1 = last; last = 3; }'
loop 'two numbers that choose planes, one of them read as a number' \
    'x.c:10:50: i0, which chooses the plane, must not be read elsewhere, as in i1: use the time instead' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n; i++) A[i1][i] = A[i0][i] * i1;
   last = i0; i0 = i1; i1 = last; }'
loop 'a cell behind what changes the planes' \
    'x.c:11:17: A[1 - i0][3] += s sets cells beside the sweep: 1 - i0 is not proven to be the plane that the sweep writes' \
    'for (t = 0; t < T; t++) {
   for (i = 1; i < n; i++) A[1 - i0][i] = A[i0][i - 1];
   i0 = 1 - i0; A[1 - i0][3] += s; }'
loop 'two fields and a value of each loop' \
    'x.c:12:5: A[0][t] = x[t] hands on what a loop leaves in single cells: which cells it reads must be the same in all loops, and t is not' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n - 1; i++) x[i] = x[i] + y[i] - y[i - 1];
    for (i = 1; i < n - 1; i++) y[i] = y[i] + x[i + 1] - x[i];
    A[0][t] = x[t]; }'
refused 'copies in the wrong order' \
    'x.c:7:2: memcpy(u, w, n * sizeof *u) does not hand the state on: behind a sweep C = f(A, B), copies must be A = C, or B = A and then A = C' << 'C'
#include <string.h>
void f(int n, int T, double *u, double *v, double *w)
{
#pragma scop
for (int t = 0; t < T; t++) {
 for (int i = 1; i < n; i++) w[i] = v[i] - u[i - 1];
 memcpy(u, w, n * sizeof *u); memcpy(v, u, n * sizeof *u); }
#pragma endscop
}
C
loop 'a temporary that is read before it is set' \
    'x.c:10:35: s depends on all cells of the previous loop: no tile can compute it on its own' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) { s = s + A[t % 2][i - 1];
       A[(t + 1) % 2][i] = s * s; }'
loop 'a beginning of the time that an if sets, after which it would divide by 0' \
    'x.c:9:15: i1, with which the time begins, is set by an if beside the sweeps: set another variable there' \
    'for (t = i0 / i1; t < T; t++) {
    for (i = 1; i < n; i++) y[i] = x[i - 1];
    tmp = x; x = y; y = tmp;
    if (t == 2) i1 = 0; }'
loop 'a temporary that only some cells set' \
    'x.c:11:28: s depends on all cells of the previous loop: no tile can compute it on its own' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) { if (A[t % 2][i] > 0) s = A[t % 2][i - 1];
       A[(t + 1) % 2][i] = s * s; }'
loop 'a temporary that is a pointer' \
    'x.c:10:31: p is a double *: a temporary per cell must be a number' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) { double *p = A[t % 2]; p++;
       A[(t + 1) % 2][i] = p[i]; }'
refused 'a temporary whose last value is read behind the loops' \
    'x.c:5:5: s is set for each cell and used elsewhere: declare it within the loops' << 'C'
double f(int n, int T, double A[2][n])
{
    double s;
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++) { s = A[t % 2][i - 1]; A[(t + 1) % 2][i] = s * s; }
    return s;
}
C
# seen NAME HOW BEFORE BEHIND: a temporary s of f(), which statements before and behind the loops use.
seen() {
    refused "$1" "x.c:10:5: s is set for each cell and $2: declare it within the loops" << C
extern int printf(const char *, ...);
extern double *kept;
void take(double *), *env[5];
double *same(double *x);
int get(void);
void f(int n, int T, double A[2][n])
{
    double s = 0; int rep = 0; $3
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++) { s = A[t % 2][i - 1]; A[(t + 1) % 2][i] = s * s; }
    $4
}
C
}
back='used before the loops, to which'
seen 'a temporary that is read before the loops, which a goto repeats' "$back goto again may lead back" \
    'again: printf("%g", s);' 'if (rep++ < 3) goto again;'
seen 'one that a computed goto repeats' "$back &&again may lead back" \
    'void *label = &&again; again: printf("%g", s);' 'if (rep++ < 3) goto *label;'
seen 'one that an assembler repeats' "$back asm goto(\"\" :::: again) may lead back" \
    'again: printf("%g", s);' 'asm goto("" :::: again);'
seen 'one behind setjmp' "$back __builtin_setjmp(env) may lead back" \
    'if (__builtin_setjmp(env)) printf("%g", s);' ''
seen 'one in a loop' 'used elsewhere' 'do { printf("%g", s);' '} while (rep++ < 3);'
seen 'one whose address is kept' 'reached by &s, too' 'double *at = &s;' 'printf("%g", *at);'
seen 'one whose address is handed over' 'reached by &s, too' 'kept = same(&s);' ''
seen 'one whose address lies in an array' 'reached by &s, too' 'double *all[] = {0, &s};' 'printf("%g", *all[1]);'
seen 'one that an assembler knows' 'reached by asm volatile("" : "=m"(s)), too' 'asm volatile("" : "=m"(s));' ''
refused 'a temporary that others can see' \
    'x.c:5:5: s is set for each cell and static or extern: declare it within the loops' << 'C'
double s;
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++) { s = A[t % 2][i - 1]; A[(t + 1) % 2][i] = s * s; }
}
C
loop 'break' 'x.c:11:16: break in the loop: the loops must run to their ends' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) {
    A[(t + 1) % 2][i] = A[t % 2][i - 1];
    if (s < 0) break; }'
loop 'output' \
    'x.c:11:5: printf is called in each loop: input, output and other effects must stay outside' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];
    printf("%d", i); }'
loop 'a call of an unknown function' \
    "x.c:10:49: get is called in the loop: must be one of the functions of <math.h> that gzc(1) names, or one that this file defines" \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) A[(t + 1) % 2][i] = get() * A[t % 2][i - 1];'
refused 'an impure function' \
    'x.c:8:29: count is not pure, because of calls: a function in a sweep must compute its result from its arguments only' << 'C'
static int calls;
static double count(double x) { calls++; return x; }
void f(int n, int T, double A[2][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = count(A[t%2][i-1]);
#pragma endscop
}
C
refused 'four dimensions' \
    'x.c:8:17: more than three dimensions: a stencil has one to three' << 'C'
void f(int n, int T, double A[2][n][n][n][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    A[(t+1)%2][i][j][k][l] = A[t%2][i][j][k][l];
#pragma endscop
}
C
refused 'another type' 'x.c:6:13: A has elements of type long: must be int, float or double' << 'C'
void f(int n, int T, long A[2][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
#pragma endscop
}
C
refused 'a constant array of a wider type' \
    "x.c:6:43: k has elements of type double: must be the state's type, float" << 'C'
void f(int n, int T, float A[2][n], double *k)
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1] * k[i];
#pragma endscop
}
C
loop 'a triangular domain' \
    'x.c:10:45: the bound i changes within the loops: must stay the same' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) for (j = 0; j < i; j++) u[i][j] = u[i][j + 1];'
loop 'a loop that runs backwards' \
    'x.c:10:5: i counts down: a loop must count up, as for (i = LOW; i < HIGH; i++) does' \
    'for (t = 0; t < T; t++)
    for (i = n - 1; i > 0; i--) A[(t + 1) % 2][i] = A[t % 2][i - 1];'
loop 'a double that counts the loops and is set on the border' \
    'x.c:10:37: s changes in each loop: must be used in the cells of sweeps alone, or change by the same whole number in each loop, behind the sweeps' \
    'for (s = 0; s < 2.5; s += 0.1) { for (i = 1; i < n; i++) y[i] = x[i - 1];
    tmp = x; x = y; y = tmp; x[0] = s; }'
loop 'a number that is set among the sweeps where an if stands behind them' \
    'x.c:10:1: t++: numbers must be set before or behind all else in a time loop that sets several arrays or more than the cells of its sweeps' \
    'while (t < T) { for (i = 1; i < n; i++) y[i] = x[i - 1];
t++; tmp = x; x = y; y = tmp; if (t % 8 == 0) printf("%g", x[1]); }'
loop 'a switch in which a case runs into the next' \
    'x.c:11:5: a switch must hold cases of plain numbers that each end in break: must be ifs' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n; i++)

    switch (i % 2) { case 0: y[i] = x[i]; default: y[i] = x[i - 1]; }
    tmp = x; x = y; y = tmp; }'
loop 'a switch with a break among a case' \
    'x.c:11:5: a switch must hold cases of plain numbers that each end in break: must be ifs' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n; i++)

    switch (i % 2) { case 0: y[i] = 1; if (x[i] < 0) break; y[i] = x[i]; break; default: y[i] = x[i - 1]; }
    tmp = x; x = y; y = tmp; }'
loop 'a switch with a variable of its own' \
    'x.c:11:5: a switch must hold cases of plain numbers that each end in break: must be ifs' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n; i++)

    switch (i % 2) { double d; case 0: d = 1; y[i] = x[i] + d; break; default: y[i] = x[i - 1]; }
    tmp = x; x = y; y = tmp; }'
loop 'a time loop whose condition the data set' \
    'x.c:9:1: the time loop must count: for (t = 0; t < STEPS; t++), or while (t < STEPS) with t++ at its end; no tile can tell when the data end it' \
    'while (s > 0.5) { for (i = 1; i < n; i++) y[i] = x[i - 1];
    tmp = x; x = y; y = tmp; s = x[3]; }'
loop 'a sum beside the element' \
    'x.c:10:48: a sum of a loop is found in two or three dimensions' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n; i++) { y[i] = x[i - 1]; s = s + y[i] * y[i]; }
    tmp = x; x = y; y = tmp; }'
refused 'a sum with three time levels' \
    'x.c:9:54: a sum of a loop is found with two time levels, and this loop reads the state before the last' << 'C'
void f(int n, int T, double (*a)[n], double (*b)[n], long *found)
{
    long s = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        s = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i][j] = 2 * a[i][j - 1] - b[i][j]; s += b[i][j] > a[i][j];
            }
        double (*c)[n] = a;
        a = b;
        b = c;
    }
#pragma endscop
    *found = s;
}
C
refused 'a sum beside a condition that cuts its sweep' \
    'x.c:10:17: a sum of a loop is found where one sweep goes from one array to another, all of it, and a copy or an exchange follows' << 'C'
void f(int n, int T, double a[n][n], double b[n][n], int *found)
{
    int s = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        s = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (i > 1) b[i][j] = 0.5 * (a[i - 1][j] + a[i][j]);
                s += b[i][j] > a[i][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
    *found = s;
}
C
loop 'an element that is set in both branches, then again' \
    'x.c:10:1: A[(t + 1) % 2][i] is set more than once for a cell: set a variable so, and the element once, at the end' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) { if (i > 3) A[(t + 1) % 2][i] = 1; else A[(t + 1) % 2][i] = 3;
A[(t + 1) % 2][i] = A[(t + 1) % 2][i] + A[t % 2][i - 1]; }'
loop 'a stride over cells' \
    'x.c:10:5: a loop over cells with a step of 2: must be 1 (colour the cells by an if instead)' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n - 1; i += 2) A[(t + 1) % 2][i] = A[t % 2][i - 1];'
loop 'a colour that does not separate the cells' \
    'x.c:10:46: x[i - 2] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' \
    'for (t = 0; t < T; t++)
    for (i = 2; i < n; i++) if (i % 2) x[i] =x[i - 2];'
loop 'a guard by the state in a program of two arrays' \
    'x.c:10:29: a guard that depends on the time or the state leaves cells of two arrays at different times: write in place, or assign in an else as well' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) if (A[t % 2][i] > 0) A[(t + 1) % 2][i] = A[t % 2][i - 1];'
loop 'two statements' \
    'x.c:11:1: the annotated part must be a single time loop' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) x[i] = x[i] + 1;

s = 0;'
loop 'a variable that is not declared' "x.c:9:56: use of undeclared identifier 'q'" \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) x[i] = q;'
loop 'a loop that counts and then goes on' \
    'x.c:9:1: the time loop must count: for (t = 0; t < STEPS; t++), or while (t < STEPS) with t++ at its end; no tile can tell when the data end it' \
    'do { for (i = 1; i < n - 1; i++) x[i] = y[i]; t++; } while (t < T && x[1] > 0);'
loop 'loops in a function that is called' \
    'x.c:9:27: get() is called in each loop, but this file does not define it: write its loops over cells here' \
    'for (t = 0; t < T; t++) {  get(); }'
loop 'no time loop' \
    'x.c:9:53: u[i][j] is written and never read: the outermost loop, over i, must be the time loop' \
    'for (i = 1; i < T; i++) for (j = 1; j < n - 1; j++)     u[i][j] = x[j] + y[j - 1];'
refused 'a swap that cannot change pointers' \
    'x.c:8:9: swap is given x in each loop, so that no two loops can be computed at once: call it every so many loops, as by if (t % 10 == 0)' << 'C'
void swap(double *a, double *b);
void f(int n, int T, double *x, double *y)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n; i++)
            y[i] = x[i - 1];
        swap(x, y);
    }
#pragma endscop
}
C
# sweeps NAME MESSAGE FUNCTIONS STATEMENTS: the same of a time loop with these statements from line 9 on, after functions in line 4.
sweeps() {
    refused "$1" "$2" << C
#include <math.h>
#include <stdio.h>
static double u[900][900], v[900][900], w[900][900], row[900];
$3
void f(int n, int T, FILE *out, double (*p)[900], double (*q)[900], double (*r)[900], double (*old)[900])
{
#pragma scop
    for (int t = 0; t < T; t++) {
$4
    }
#pragma endscop
}
C
}
all='for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)'
sweep="$all v[i][j] = u[i - 1][j] + u[i][j + 1]; $all u[i][j] = v[i][j];"
sweeps 'Gauss-Seidel order in a function that returns early' \
    'x.c:9:75: at reads u, where this sweep may have written it already (Gauss-Seidel order): write to a second array, or colour the cells' \
    'static double at(double a[900][900], int i, int j) { if (i == 1) return a[i][j]; return a[i - 1][j]; }' "$all u[i][j] = at(u, i, j);"
sweeps 'Gauss-Seidel order in a function with a loop' \
    'x.c:9:75: at reads u, where this sweep may have written it already (Gauss-Seidel order): write to a second array, or colour the cells' \
    'static double at(int i, int j) { double s = 0; for (int k = -1; k < 2; k++) s += u[i + k][j]; return s; }' "$all u[i][j] = at(i, j);"
sweeps 'a function that returns early' \
    'x.c:9:75: at takes a pointer: a function in a sweep must take numbers only, or do no more than to declare variables and return a value' \
    'static double at(double a[900][900], int i, int j) { if (i == 1) return a[i][j]; return a[i - 1][j]; }' \
    "$all v[i][j] = at(u, i, j); $all u[i][j] = v[i][j];"
sweeps 'a function of cells with more arguments than parameters' \
    'x.c:9:75: half is called with 2 arguments, but is defined with 0: must be as many' \
    'static double half() { return 0.5; }' "$all v[i][j] = half(i, j) * u[i - 1][j]; $all u[i][j] = v[i][j];"
sweeps 'a function of sweeps with more arguments than parameters' \
    'x.c:9:1: step is called with 1 argument, but is defined with 0: must be as many' "static void step() { int n = 9; $sweep }" 'step(t);'
sweeps 'a file in each loop' \
    'x.c:10:1: fwrite is given u in each loop, so that no two loops can be computed at once: call it every so many loops, as by if (t % 10 == 0)' \
    '' "$sweep
fwrite(u, sizeof u, 1, out);"
sweeps 'all cells in each loop' \
    'x.c:10:63: fprintf is given u in each loop, so that no two loops can be computed at once: call it every so many loops, as by if (t % 10 == 0)' \
    '' "$sweep
for (int i = 0; i < 900; i++) { for (int j = 0; j < 900; j++) fprintf(out, \"%g \", u[i][j]); fprintf(out, \"; \"); }"
sweeps 'a sum of each row' \
    'x.c:9:77: a sum along j: no tile holds a whole line of cells; must be of a few, between bounds that are numbers' \
    '' "for (int i = 1; i < n - 1; i++) { double s = 0; for (int j = 0; j < n; j++)     s += u[i][j]; row[i] = s; }
$all v[i][j] = u[i - 1][j] - row[i]; $all u[i][j] = v[i][j];"
sweeps 'a sum of each column in an array' \
    'x.c:10:57: a sum along i: no tile holds a whole line of cells; must be of a few, between bounds that are numbers' \
    '' "for (int j = 0; j < n; j++) row[j] = 0;
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)         row[j] += u[i][j];
$all v[i][j] = u[i - 1][j] - row[j]; $all u[i][j] = v[i][j];"
sweeps 'three time levels beside another field' \
    'x.c:11:1: p becomes q, which does not become p: several arrays may be exchanged in pairs only; three time levels must be copied' \
    '' "$all r[i][j] = 2 * q[i][j] - p[i][j] + w[i][j] * q[i - 1][j];
$all w[i][j] = w[i][j] * 0.5 + r[i][j];
old = p; p = q; q = r; r = old;"
sweeps 'an exchange between two sweeps' \
    'x.c:10:1: old = p among the sweeps: a loop that sets several arrays may exchange pointers behind all of them only' \
    '' "$all q[i][j] = p[i - 1][j] + w[i][j];
old = p; p = q; q = old;
$all w[i][j] = p[i][j - 1];"
sum=$(i=1; while [ $i -le 129 ]; do printf '+ c[%d]' $i; i=$((i + 1)); done)
refused 'more scalars than there is room for' \
    'x.c:4:5: 129 scalars, loop variables and bounds are read: at most 128 fit' << C
void f(int n, int T, double A[2][n], const double *c)
{
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t + 1) % 2][i] = A[t % 2][i - 1] $sum;
}
C

# reasons NAME LINE...: --explain says all these reasons of the C file on standard input, by place, and the translation one of
# them.
reasons() {
    name=$1
    shift
    cat > x.c
    printf '%s\n' "$@" > expected
    "$gzc" --explain x.c > out 2> err
    got=$?
    "$gzc" x.c -o result > /dev/null 2> one
    [ $got -eq 2 ] && [ ! -s out ] && [ ! -e result ] && cmp -s expected err && [ "$(wc -l < one)" -eq 1 ] &&
        grep -qxFf one expected
    verdict $? "$name" || diff expected err | cat - one | note
}
reasons 'reasons of several kinds, in two loops' \
    'x.c:9:9: printf is called in each loop: input, output and other effects must stay outside' \
    'x.c:11:20: subscript 1 of x is idx[i]: must be a loop variable plus a constant, clamped or wrapped or not' \
    'x.c:11:32: get is called in the loop: must be one of the functions of <math.h> that gzc(1) names, or one that this file defines' \
    'x.c:12:20: subscript 1 of x is 2 * i: must be a loop variable plus a constant, clamped or wrapped or not' \
    'x.c:13:20: c has elements of type long: must be the state'"'"'s type, double' \
    'x.c:19:9: a loop over cells with a step of 2: must be 1 (colour the cells by an if instead)' \
    'x.c:21:9: i counts down: a loop must count up, as for (i = LOW; i < HIGH; i++) does' \
    'x.c:25:9: return in the loop: the loops must run to their ends' << 'C'
extern int printf(const char *, ...);
double get(void);
void f(int n, int T, double *x, double *y, int *idx, long *c, double s)
{
    int t, i;
    double *tmp;
#pragma scop
    for (t = 0; t < T; t++) {
        printf("%p\n", (void *)x);
        for (i = 1; i < n - 1; i++)
            y[i] = x[idx[i]] + get()
                 + x[2 * i]
                 + c[i] * x[i - 1];
        tmp = x; x = y; y = tmp;
    }
#pragma endscop
#pragma scop
    for (t = T; t > 0; t--) {
        for (i = 1; i < n - 1; i += 2)
            y[i] = x[i];
        for (i = n - 2; i > 0; i--)
            y[i] += x[i] + s;
        for (i = 1; i < n - 1; i++)
            x[i] = y[i];
        return;
    }
#pragma endscop
}
C
reasons 'a sum and a call' \
    'x.c:8:41: a sum of a loop is found in two or three dimensions' \
    'x.c:9:9: log_it is called in each loop: input, output and other effects must stay outside' << 'C'
void log_it(double);
void f(int n, int T, double *x, double *y)
{
    double sum = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i + 1];
        for (int i = 1; i < n - 1; i++) sum += y[i];
        log_it(sum);
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
    }
#pragma endscop
}
C
reasons 'the order, twice, with a function that is written out' \
    'x.c:7:60: A[i / 2][j] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' \
    'x.c:7:75: A[i][j - 1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' << 'C'
static double half(double a) { return 0.5 * a; }
void f(int n, double s, double A[n][n])
{
#pragma scop
    for (int t = 0; t < s; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) A[i][j] = half(A[i / 2][j]) + A[i][j - 1];
#pragma endscop
}
C
reasons 'ranges of gather, each' \
    'x.c:3:1: gather(-1:1) in j, but no cell that far away is read: must be gather(0:0)' \
    'x.c:6:68: gather(0:1) in i, but A[t % 2][i - 1][j] is read: must be gather(-1:1)' << 'C'
void f(int n, int T, double A[2][n][n])
{
#pragma gz trapezoid gather(0:1, -1:1)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j];
}
C
{
    echo 'void f(int n, int T, double *x, double *y, int *k) {'
    echo '#pragma scop'
    echo 'for (int t = 0; t < T; t++) { for (int i = 0; i < n; i++) y[i] = 0'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do echo " + x[k[i] + $i]"; done
    echo '; for (int i = 0; i < n; i++) x[i] = y[i]; }'
    echo '#pragma endscop'
    echo '}'
} > x.c
"$gzc" --explain x.c > out 2> err
[ $? -eq 2 ] && [ "$(wc -l < err)" -eq 21 ] && [ "$(tail -n 1 err)" = 'x.c: 3 reasons more' ]
verdict $? 'no more than twenty are said' || note < err
finish
