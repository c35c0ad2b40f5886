#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 700-gzc-forms - what gzc says of loops: their forms, ways to index, edges, inputs. That what it makes of these and others
# (t/gzc/loops.sh) computes the same is 723's.
. "$(dirname "$0")/tap.sh"
needs_gzc
cd "$work" || exit 1

# understood NAME FACTS: adds the function f of standard input to all.c, whose loop has these lines in its explanation.
count=0
understood() {
    count=$((count + 1))
    printf '%s|%s\n' "$1" "$2" >> names
    sed "s/^void f(/void f$count(/" >> all.c
}

# step NAME FACTS PARAMETERS BODY [HEAD [BEFORE]]: likewise a function with these parameters beside n and T, whose
# loop, of another head maybe, has this body; what stands before the function.
step() {
    understood "$1" "$2" << C
$6
void f(int n, int T, $3)
{
    int t = 0, i, j;
#pragma scop
    ${5:-for (int t = 0; t < T; t++)}
    {
        $4
    }
#pragma endscop
}
C
}
line='for (int i = 1; i < n - 1; i++)'
plane="$line for (int j = 1; j < n - 1; j++)"
wide='for (int i = 2; i < n - 2; i++) for (int j = 2; j < n - 2; j++)'
all='for (int i = 0; i < n; i++)'

step 'planes by parity, 2-D, double' \
    'state +A\[\]\[\] \(one of 2 places by turns\)|type +double|gather +-1:1, -1:1|edges +keep.*|operations +6 per cell|bytes +16 per cell.*: 1 read, 1 written|falls back +if there is no device, or it fails' \
    'double A[2][n][n]' \
    "$plane A[(t + 1) % 2][i][j] = 0.2 * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][1 + i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]) - 1;"
step 'planes by parity from t = 1, with t - 1, inclusive bounds' \
    'time +for \(t = 1; t <= T; t\+\+\)|domain +i from 1 to below n - 1|gather +-1:1' 'float A[2][n]' \
    'for (i = 1; i <= n - 2; i++) A[t % 2][i] = 0.5f * (A[(t - 1) % 2][i - 1] + A[(t - 1) % 2][i + 1]);' 'for (t = 1; t <= T; t++)'
understood 'planes by parity with t & 1, behind a cast of a flat array' \
    'state +A.*|dimensions +2|gather +-2:2, -2:2' << C
void f(float *flat, int n, int T)
{
    float(*A)[n][n] = (float(*)[n][n])flat;
#pragma scop
    for (int t = 0; t < T; t++)
        $wide A[(t + 1) & 1][i][j] = (A[t & 1][i - 2][j - 2] + 15.f * A[t & 1][i + 2][j + 2]) / 118;
#pragma endscop
}
C
understood 'pointers that change places' \
    'state +in.out \(one of 2 places by turns\)' << 'C'
void f(int n, int T, float *in, float *out)
{
    for (int once = 0; once < 1; once++) {
#pragma gz trapezoid height(4) dimension(1) gather(-1:1) obj(out)
        for (int t = 0; t < T; t++) {
            for (int i = 1; i < n - 1; i++)
                out[i] = in[i - 1] + in[i + 1];
            float *swap = in;
            in = out;
            out = swap;
        }
    }
}
C
step 'pointers to pointers, three dimensions' 'dimensions +3|gather +-1:1, 0:1, -3:0|radius +1, 1, 3' 'double ***in, double ***out' \
    'for (i = 3; i < n - 3; i++) for (j = 3; j < n - 3; j++) for (int k = 3; k < n - 3; k++)
            out[i][j][k] = in[i - 1][j][k] + in[i + 1][j][k] + in[i][j + 1][k] + in[i][j][k - 3];
        double ***swap = in; in = out; out = swap;'
step 'linear indices, clamped by ternaries' 'dimensions +2|gather +-1:1, -1:1' 'int m, float *a, float *b' \
    'for (i = 0; i < n; i++) for (j = 0; j < m; j++)
            b[i * m + j] = a[(i == 0 ? 0 : i - 1) * m + j] + a[(i == n - 1 ? i : i + 1) * m + j]
                + a[i * m + (j > 0 ? j - 1 : j)] + a[m * i + (j + 1 < m ? j + 1 : m - 1)];
        float *swap = a; a = b; b = swap;'
step 'linear indices in three dimensions, offsets multiplied by sizes' 'dimensions +3|gather +-1:1, -1:1, -1:1|edges +keep.*' \
    'int m, int l, double *a, double *b' \
    'INNER b[AT(k, j, i)] = a[AT(k - 1, j, i)] + a[AT(k + 1, j, i)] + a[AT(k, j - 1, i)] + a[AT(k, j + 1, i)] + a[AT(k, j, i - 1)] + a[AT(k, j, i + 1)];
        INNER a[AT(k, j, i)] = b[AT(k, j, i)];' '' \
    '#define AT(z, y, x) ((z) * m * l + (y) * l + (x))
#define INNER for (int k = 1; k < n - 1; k++) for (j = 1; j < m - 1; j++) for (i = 1; i < l - 1; i++)'
step 'wrapped along a channel, clamped across it' 'edges +i: periodic.*' 'int m, double A[2][n][m]' \
    "$all for (int j = 0; j < m; j++)
            A[(t + 1) % 2][i][j] = A[t % 2][(i + 1) % n][j > 0 ? j - 1 : 0] + A[t % 2][i == 0 ? n - 1 : i - 1][j < m - 1 ? j + 1 : m - 1];"
step 'an annulus: walls that are never written, wrapped around' 'edges +i: keep.*| +j: keep.*| +k: periodic.*|radius +1, 2, 1' \
    'int m, int l, double A[2][n][m][l]' \
    "$line for (int j = 2; j < m - 2; j++) for (int k = 0; k < l; k++)
            A[(t + 1) % 2][i][j][k] = A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j + 2][k] - A[t % 2][i][j - 2][(k + 1) % l] + A[t % 2][i][j][k == 0 ? l - 1 : k - 1];"
step 'constant arrays, per-step arrays, scalars, the iterator as a value' \
    'constant +[23]: k\[i\]\[j - 1\].*, w\[j\]|step arrays +1: q\[t\]\[i\]\[j\]|scalars +2: double dt, double c\[3\]' \
    'double A[2][n][n], double k[n][n], double *w, double q[T][n][n], double c[4], double dt' \
    "$plane A[(t + 1) % 2][i][j] = A[t % 2][i][j] + dt * (k[i][j - 1] + k[i][j + 1]) * w[j] + q[t][i][j] * c[3] + i;"
understood 'token pasting, a label, unary minus, a function of the C library' \
    'scalars +0|operations +6 per cell' << 'C'
#include <math.h>
#define TYPE float
#define VALUE(x) x##f
void f(int n, int T, TYPE A[2][n])
{
    int t, i;
#pragma scop
loop:
    for (t = 0; t < T; t++)
        for (i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = VALUE(0.25) * -A[t % 2][i - 1] + 1.0f / sqrt(A[t % 2][i] + 1);
#pragma endscop
    if (T < 0) goto loop;
}
C
step 'a domain that is not centred, another order of loops' 'domain +i from 3 to below n, j from 0 to below m - 1|gather +-3:0, 0:1' \
    'int m, double A[2][n][m]' \
    'for (int j = 0; j < m - 1; j++) for (int i = 3; i < n; i++) A[(t + 1) % 2][i][j] = A[t % 2][i - 3][j] + A[t % 2][i][j + 1];'
step 'a member of a structure, an enumeration constant, a cast' 'scalars +1: double p->dt|state +g->A.*' \
    'struct grid *g, const struct grid *p' \
    'for (int i = 1; i < g->n - 1; i++) g->A[(t + 1) % 2][i] = (double)(float)(g->A[t % 2][i - 1] / HALF) * p->dt;' '' \
    'enum { HALF = 2 };
struct grid { double (*A)[SIZE]; int n; double dt; };'
step 'in place without a guard, reading only what has not been written yet' 'state +A|gather +0:1' 'double *A' \
    'for (int i = 0; i < n - 1; i++) A[i] = 0.5 * (A[i] + A[i + 1]);'
step 'a hundred reads' 'gather +-2:2, -2:2, -2:2' 'double A[2][n][n][n]' \
    "$wide for (int k = 2; k < n - 2; k++) A[(t + 1) % 2][i][j][k] = (0
$(for i in -2 -1 +0 +1 +2; do for j in -2 -1 +0 +1 +2; do for k in -2 -1 +0 +1 +2; do
    echo "+ 0.5 * A[t % 2][i $i][j $j][k $k]"
done; done; done)) / 118;"
step 'three time levels: the new state over the oldest, then a swap' 'state +u.v .*, u.v .*|gather +-1:1|constant +1: c\[i\]' \
    'double *u, double *v, const double *c' \
    "$line v[i] = 2 * u[i] - v[i] + c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]); double *w = u; u = v; v = w;"
step 'three time levels: two planes, damped' 'state +u.*, u.*|constant +1: damp\[i\]' 'float u[2][n][n], const float *damp' \
    "$plane u[(t + 1) % 2][i][j] = damp[i] * (u[t % 2][i - 1][j] + u[t % 2][i][j + 1] - u[(t + 1) % 2][i][j]);"
step 'two fields in turn, each updated by the other' 'state +h, e|bytes +32 per cell.*' 'double *e, double *h' \
    "$line h[i] = h[i] - 0.5 * (e[i + 1] - e[i]); $line e[i] = e[i] - 0.5 * (h[i] - h[i - 1]);"
step 'three arrays, whose pointers change places' 'state +u.w.v \(one of 3 places by turns\), .*|bytes +32 per cell.*' \
    'double *u, double *v, double *w, double *spare' \
    "$line w[i] = u[i - 1] + u[i + 1] - v[i]; spare = v; v = u; u = w; w = spare;"
understood 'loops over neighbours, one skipped' 'type        int|radius      1, 1|gather      -1:1, -1:1' << 'C'
static int neighbours(int h, int w, int u[h][w], int y, int x)
{
    int n = 0;
    for (int r = y - 1; r <= y + 1; r++)
        for (int s = x - 1; s <= x + 1; s++) {
            if ((r == y && s == x) || r < 0 || s < 0 || r >= h || s >= w)
                continue;
            n += u[r][s];
        }
    return n;
}
void f(int h, int w, int T, int u[h][w], int v[h][w])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                v[y][x] = neighbours(h, w, u, y, x) == 3 || (neighbours(h, w, u, y, x) == 2 && u[y][x]);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                u[y][x] = v[y][x];
    }
#pragma endscop
}
C
step 'a convolution by an array of weights' 'radius      1, 1|edges       keep.*' \
    'float a[n][n], float b[n][n], const float k[3][3]' '
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += k[p][q] * a[i + p - 1][j + q - 1];
            b[i][j] = s;
        }
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            a[i][j] = b[i][j];'
step 'neighbours by a table' 'gather      -1:1, -1:1|edges       keep.*' 'float a[n][n], float b[n][n]' '
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            float s = 0;
            for (int k = 0; k < 4; k++)
                s += a[i + near[k][0]][j + near[k][1]];
            b[i][j] = s * 0.25F;
        }
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            a[i][j] = b[i][j];' '' 'static const int near[4][2] = {{1, 0}, {-1}, {0, 1}, {0, -1}};'

# All at once, each in a paragraph of its own, in the order of the loops.
"$gzc" --explain all.c -- -DSIZE=100 > out 2> err && [ ! -s err ]
verdict $? "$count loops are understood" || note < err
number=0
while IFS='|' read -r name facts; do
    number=$((number + 1))
    awk -v RS= -v number=$number 'NR == number' out > one
    printf '%s\n' "$facts" | tr '|' '\n' | while IFS= read -r fact; do grep -qE "^$fact\$" one || echo "$fact"; done > missing
    [ ! -s missing ]
    verdict $? "$name" || cat missing one | note
done < names
cat > b.cpp << 'C'
#include <utility>
static inline double half(double x) { return 0.5 * x; }
namespace heat {
void f(int n, int T, double *a, double *b)
{
#pragma scop
    for (int t = 0; t < T; ++t) {
        for (int i = 1; i < n - 1; ++i)
            b[i] = half(a[i - 1] + a[i + 1]);
        std::swap(a, b);
    }
#pragma endscop
}
}
C
"$gzc" --explain b.cpp -- -std=c++17 > out 2>&1 && grep -q "places by turns" out &&
    grep -q "^operations  2 per cell" out
verdict $? 'C++ with std::swap'
finish
