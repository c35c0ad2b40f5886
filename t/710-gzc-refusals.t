#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 710-gzc-refusals - what gzc refuses, word for word, with file, line and column; nothing is written.
. "$(dirname "$0")/tap.sh"
needs_gzc
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

# clause NAME MESSAGE CLAUSE: the same of a loop with this clause.
clause() {
    refused "$1" "$2" << C
void f(int n, int T, double A[2][n])
{
#pragma gz trapezoid $3
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
}
C
}

loop 'Gauss-Seidel order' \
    'x.c:10:43: y[i - 1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells (see line 10)' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[i] +y[i - 1];
 tmp = x; x = y; y = tmp; }'
refused 'Gauss-Seidel order by way of a function' \
    'x.c:1:47: a[k - 1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells (see line 7)' << 'C'
static double left(double *a, int k) { return a[k - 1]; }
void f(int n, int T, double *a)
{
    int t, i;
#pragma gz trapezoid
    for (t = 0; t < T; t++)
        for (i = 1; i < n; i++) a[i] = 0.5 * left(a, i);
}
C
loop 'every time step kept' \
    'x.c:10:41: u[t - 1][i - 1] is another block of memory in every time step: use two planes' \
    'for (t = 1; t < T; t++) {
 for (i = 1; i < n - 1; i++) {u[t][i] = u[t - 1][i - 1] + u[t - 1][i + 1]; }}'
loop 'a subscript that is read from an array' \
    'x.c:10:37: x[idx[i]] has a subscript that is no sum of loop variables: idx[i]' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[idx[i]];
 tmp = x; x = y; y = tmp; }'
loop 'arrays that change places in some time steps' \
    'x.c:10:30: y[i] = 0.5 * (x[i - 1] + x[i + 1]) lies in arrays that change places in some time steps only' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = 0.5 * (x[i - 1] + x[i + 1]);
 if (t % 3) tmp = x, x = y, y = tmp; }'
loop 'a reduction' \
    'x.c:9:1: no array is carried from one time step to the next' \
    'for (t = 0; t < T; t++) {
 for (i = 1; i < n - 1; i++) y[i] = x[i];
     for (i = 1; i < n - 1; i++) s += x[i] * y[i];
 }'
refused 'an annotation that states less than is read' \
    'x.c:3:1: gather(-1:1) in i, but cells from -1 to 2 are read: must be gather(-1:2)' << 'C'
void f(int n, int T, double A[2][n][n])
{
#pragma gz trapezoid gather(-1:1, 0:0)
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 2; i++) for (int j = 0; j < n; j++)
            A[(t+1)%2][i][j] = A[t%2][i-1][j] +   A[t%2][i+2][j];
}
C
refused 'an annotation that states more than is read' \
    'x.c:3:1: gather(-2:2) in i, but cells from -1 to 1 are read: must be gather(-1:1)' << 'C'
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
clause 'a clause that there is not' \
    'x.c:3:22: "width" is not a clause: must be height(N), obj(NAME), dimension(N), gather(LOW:HIGH, ...) or live-out(NAME, ...)' 'width(4)'
clause 'another dimension than stated' \
    'x.c:3:1: dimension(2), but the loops have 1: must be dimension(1)' 'dimension(2)'
clause 'another object than stated' 'x.c:3:1: obj(B), but the loops write A: must be obj(A)' 'obj(B)'
loop 'several arrays, one read beside the domain and around it' \
    'x.c:11:63: some reads beyond the grid go around it, and others do not (see line 11)' \
    'for (t = 0; t < T; t++) {
   for (i = 0; i < n; i++) x[i] = x[i] + y[i] * s;
   for (i = 0; i < n; i++) y[i] = y[i] * s + x[(i + 1) % n] + x[i - 1]; }'
loop 'a temporary that is read before it is set' \
    'x.c:11:8: s is carried from cell to cell' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) { s = s + A[t % 2][i - 1];
       A[(t + 1) % 2][i] = s * s; }'
loop 'numbers that delay an end of the grid' \
    'x.c:9:1: a time step computes with s, which is carried from single cells or loop variables of earlier ones' \
    'for (t = 0; t < T; t++) {
    for (i = 1; i < n; i++) x[i] += 0.5 * (y[i - 1] - y[i]);
    x[0] = s; s = x[1];
    for (i = 0; i < n - 1; i++) y[i] += 0.5 * (x[i] - x[i + 1]); }'
loop 'an end that another number says' \
    'x.c:10:48: this is read at a distance from the cell that differs from cell to cell, by n and i1 (see line 10)' \
    'for (t = 0; t < T; t++) {
    for (i = 0; i < n - 1; i++) y[i] += 0.5 * (x[i + 1] - x[i]);
    for (i = 1; i < n; i++) x[i] += 0.5 * (y[i] - y[i - 1]);
    x[i1 - 1] = x[n - 2]; }'
loop 'sweeps that data decide' \
    'x.c:10:30: y[i] = x[i - 1] + x[i + 1] is set in a loop that runs under a condition on data: (idx[j] == 1)' \
    'for (t = 0; t < T; t++) { for (j = 0; j < 4; j++) if (idx[j] == 1) {
 for (i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i + 1];
 for (i = 1; i < n - 1; i++) x[i] = y[i];
 idx[j] = x[3] > s; } }'
loop 'break' \
    'x.c:10:5: A[(t + 1) % 2][i] = A[t % 2][i - 1] is set in a loop whose bounds do not say for which cells' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) {
    A[(t + 1) % 2][i] = A[t % 2][i - 1];
    if (s < 0) break; }'
loop 'a call of an unknown function' \
    'x.c:10:29: cannot follow a call: get()' \
    'for (t = 0; t < T; t++)
    for (i = 1; i < n; i++) A[(t + 1) % 2][i] = get() * A[t % 2][i - 1];'
refused 'four dimensions' \
    'x.c:9:46: A[][][][] has not the grid'"'"'s 1 to 3 dimensions' << 'C'
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
refused 'another type' \
    'x.c:6:29: A[t%2][i-1] is no array of double, float or int' << 'C'
void f(int n, int T, long A[2][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t+1)%2][i] = A[t%2][i-1];
#pragma endscop
}
C
loop 'a time loop whose condition the data set' \
    'x.c:9:1: how the time loop goes on depends on what it computes' \
    'while (s > 0.5) { for (i = 1; i < n; i++) y[i] = x[i - 1];
    tmp = x; x = y; y = tmp; s = x[3]; }'
loop 'a variable that is not declared' \
    'x.c:9:56: use of undeclared identifier '"'"'q'"'"'' \
    'for (t = 0; t < T; t++) for (i = 1; i < n; i++) x[i] = q;'
sum=$(i=1; while [ $i -le 129 ]; do printf '+ c[%d]' $i; i=$((i + 1)); done)
refused 'more scalars than there is room for' \
    'x.c:4:5: more than 128 scalars and bounds are read' << C
void f(int n, int T, double A[2][n], const double *c)
{
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            A[(t + 1) % 2][i] = A[t % 2][i - 1] $sum;
}
C

cat > x.c << 'C'
void f(int n, int T, double *x, double *y, int *idx)
{
    double s = 0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n; i++)
            x[i] = x[i - 1];
#pragma gz trapezoid
    while (s < 1) {
        for (int i = 1; i < n - 1; i++)
            y[i] = x[i];
        s = x[3];
    }
}
C
"$gzc" --explain x.c > out 2> err
[ $? -eq 2 ] && [ ! -s out ] && [ "$(cut -d : -f 2 err | tr '\n' ' ')" = '7 9 ' ]
verdict $? '--explain says why of each of several loops' || note < err
"$gzc" x.c -o result 2> err
[ $? -eq 2 ] && [ ! -e result ] && [ "$(wc -l < err)" -eq 1 ]
verdict $? 'which the translation does of the first' || note < err
"$gzc" -k x.c -o result 2> err && [ "$(wc -l < err)" -eq 2 ] &&
    sed '1,/^#line 1 /d' result | cmp -s - x.c
verdict $? 'and -k leaves both as they are' || note < err
finish
