#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 738-gzc-reasons - forms of real programs: each is taken and gives, on the host (t/gzc/host), what the program itself
# gives, or is refused.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"

# program DECLARATIONS LOOP: a program around a time loop, with two arrays of doubles and one of three planes.
program() {
    cat > "$source" << C
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double u[24][24], v[24][24], e[40], h[40], planes[2][24][24];
static int now, buffers = 2;
static void fill(double *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = i * 37 % 101 / 7.0;
}
static void print(const double *from, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 0.75 + from[i];
    printf("%.17g\n", sum);
}
$1
static void loops(int n, int T, double *x, double *y)
{
    int i, j, t, k = 0;
    double s = 0, r = 0, *swap = x;
#pragma scop
    for (t = 0; t < T; t++) {
$2
    }
#pragma endscop
    printf("%d %d %g %g\n", t, k, s, r);
    (void)swap, (void)i, (void)j, (void)y, (void)n;
}
int main(void)
{
    double *x = (double *)malloc(40 * sizeof *x), *y = (double *)malloc(40 * sizeof *y);
    fill(u[0], 576), fill(v[0], 576), fill(e, 40), fill(h, 40), fill(planes[0][0], 1152), fill(x, 40), fill(y, 40);
    loops(24, 7, x, y);
    print(u[0], 576), print(v[0], 576), print(e, 40), print(h, 40), print(planes[0][0], 1152), print(x, 40), print(y, 40);
    return 0;
}
C
}
sweep='for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);'
back='for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
electric='for (i = 1; i < 40; i++) e[i] += 0.5 * (h[i - 1] - h[i]);'
magnetic='for (i = 0; i < 39; i++) h[i] += 0.5 * (e[i] - e[i + 1]);'

program '' 'for (i = 1; i < n; i++) { double z = x[i - 1]; z *= 0.5, y[i] = z + t; }
        swap = x, x = y, y = swap;'
behaves 'statements between commas' 1
program '' "s = t * 0.5, r = s + 1; for (i = 1; i < n; i++) y[i] = x[i - 1] * s + r; swap = x, x = y, y = swap;"
behaves 'numbers between commas' 1
program '' "$electric
        e[0] = 0.1 * t, e[20] += sin(t);
        $magnetic"
behaves 'elements between commas' 1
program '' 'for (i = 1; i < n - 1; i++) y[i] = 0.5 * x[i - 1];
        for (i = 1; i < n - 1; i++) x[i] = y[i];
        h[t] = x[3], e[t] = x[5];'
behaves 'receivers between commas' 1
program '' 'for (i = 1; i < n - 1; i++) e[i] = h[i - 1] + h[i + 1], x[i] = e[i];
        for (i = 1; i < n - 1; i++) h[i] = x[i] * 0.4, e[i] *= 0.5;'
behaves 'parts between commas' 1
program 'static void step(int n, const double *from, double *to) { for (int q = 1; q < n - 1; q++) to[q] = 0.5 * from[q - 1]; }' \
    'step(n, x, y), step(n, y, x);'
behaves 'functions between commas' 1
program '' 'for (i = 1; i < n; i++) y[i] = x[i - 1];
        swap = x, x = y, y = swap, k++;
        if (t % 2) s += x[3];'
either 'commas that an if divides'
sed -i 's/y = swap, k++/y = swap; k++/' x.c
behaves 'as statements of their own' 1
program '' "int before = now, after = 1 - now;
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[after][i][j] = 0.5 * (planes[before][i - 1][j] + planes[before][i][j + 1]);
        now = after;"
behaves 'two planes of one declaration' 1
program '' "int after = (now + 1) % buffers;
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[after][i][j] = 0.5 * (planes[now][i - 1][j] + planes[now][i][j + 1]);
        now = after;"
either 'a plane modulo a variable'
sed -i 's/% buffers/% 2/' x.c
either 'modulo a number'
program '' "$sweep $back
#pragma omp single
        {
            if (t == 4) print(u[5], 24);
        }"
for way in -fopenmp ''; do
    behaves 'an if in a block of one thread' 1 "$way" "$way"
done
program '' "{ if (t % 2) print(u[5], 24); if (t == 6) printf(\"six\\n\"); }
        $sweep $back"
behaves 'two ifs in a block before the sweeps' 1
program '' "
        $electric e[0] = s; s = r; r = e[1]; $magnetic"
either 'ends that are kept in numbers'
program '' "for (k = 0; k < 2; k++) if (t > k) {
            for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[k][i][j] = u[i][j];
            for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] += planes[k][i][j]; }"
either 'a loop over kinds'
program 'static double g[576], f[576];' 'for (i = 1; i < n; i++) for (j = 1; j < n; j++) g[i * n + j] += 0.5 * (f[i * n + j] - f[(i - 1) * n + j]);
        g[n / 2 * n + n / 2] += sin(0.1 * t);
        for (i = 0; i < n - 1; i++) for (j = 0; j < n; j++) f[i * n + j] += 0.5 * (g[i * n + j] - g[(i + 1) * n + j]);'
either 'a single cell by a linear index'
program 'static double g[576], f[576];' 'for (i = 1; i < n; i++) for (j = 1; j < n; j++) g[i * n + j] += 0.5 * (f[i * n + j] - f[(i - 1) * n + j]);
        for (i = n / 2; i < n / 2 + 1; i++) for (j = n / 2; j < n / 2 + 1; j++) g[i * n + j] += sin(0.1 * t);
        for (i = 0; i < n - 1; i++) for (j = 0; j < n; j++) f[i * n + j] += 0.5 * (g[i * n + j] - g[(i + 1) * n + j]);'
behaves 'by loops of one turn' 1
program '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int a = i == 0 ? 1 : i - 1; v[i][j] = 0.5 * u[a][j] + 0.25 * u[i][j - 1]; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
behaves 'a mirrored subscript in a temporary' 1
program '' 'for (i = 0; i < 24; i++) for (j = 0; j < 24; j++) v[i][j] = 0.5 * u[i == 0 ? 1 : i - 1][j == 23 ? 22 : j + 1] + 0.25 * u[i][j == 0 ? 0 : j - 1];
        for (i = 0; i < 24; i++) for (j = 0; j < 24; j++) u[i][j] = v[i][j];'
behaves 'mirrored subscripts of both axes, beside a clamped one' 1
program '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int a = i == 0 ? 1 : i == 23 ? 22 : i - 1; v[i][j] = 0.5 * u[a][j] + 0.25 * u[i][j - 1]; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
behaves 'mirrored at both ends' 1
program '' 'for (i = 0; i < 40; i++) e[i] += 0.5 * (h[i == 0 ? 1 : i - 1] - h[i]);
        for (i = 0; i < 40; i++) h[i] += 0.5 * (e[i] - e[i == 39 ? 38 : i + 1]);'
behaves 'mirrored subscripts of several arrays' 1
program '' 'for (i = 0; i < 40; i++) e[i] = e[i] * 0.4 + h[i < 39 ? i + 1 : i];
        for (i = 0; i < 40; i++) h[i] = h[i] * 0.3 + e[i > 0 ? i - 1 : i];
        for (i = 0; i < 40; i++) e[i] = e[i] + 0.5 * h[i];'
behaves 'clamped subscripts of what the same loop has set' 1
program '' 'for (i = 0; i < 39; i++) y[i] = 0.5 * x[i > 0 ? i - 1 : 0] + 0.25 * x[i + 1];
        for (i = 0; i < 39; i++) x[i] = y[i];'
behaves 'edges of different kinds' 1
program '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int z = i, a = z == 0 ? 1 : z - 1; z = 5; v[i][j] = 0.5 * u[a][j] + z; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
either 'one by a number that changes meanwhile'
program '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) v[i][j] = 0.5 * (i == 0 ? u[i + 1][j] : u[i - 1][j]) + 0.25 * u[i][j - 1];
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
behaves 'mirrored elements' 1
program '' 'for (i = 1; i < 39; i++) e[k + i] = 0.5 * e[now + i - 1] + 0.25 * e[now + i + 1];
        int third = k; k = now; now = third;'
either 'offsets that change places'
program 'static double rec[7][3][4];' "$electric $magnetic
        for (i = 1; i < 3; i++) for (j = 0; j < 4; j++) rec[t][i][j] = e[i];"
either 'receivers in a plane, beside several arrays'
program 'static double rec[7][3];' 'for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] += 0.5 * (v[i - 1][j] - v[i][j]);
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) v[i][j] += 0.5 * (u[i][j] - u[i][j + 1]);
        for (i = 0; i < 3; i++) rec[t][i] = u[i + 2][5];'
behaves 'in a line' 1
program '' "$sweep $back *y++ = u[3][4];"
either 'a pointer that moves'

# C++.
source=x.cpp made=made.cpp own="${CXX:-c++} -std=gnu++17"
vectors='#include <iostream>
#include <vector>
static std::vector<double> a(24, 1.0), b(24, 0.5);
static std::vector<std::vector<double>> p(24, std::vector<double>(24, 0.5)), q(p);'
step='for (int i = 1; i < 23; i++) for (int j = 1; j < 23; j++) q[i][j] = p[i][j] + 0.1 * (p[i + 1][j] - p[i][j - 1]) + 0.001 * i;'
program "$vectors" "$step p.swap(q); std::cout << t << std::endl;"
either 'output by a stream'
program "$vectors" "$step p.swap(q); if (t % 3 == 0) std::cout << p[3][4] << std::endl;"
behaves 'every so many' 1
program "$vectors" 'for (int i = 1; i < 23; i++) { double &l = b[i]; l = a[i - 1] * 0.5 + a[i + 1]; }
        for (int i = 1; i < 23; i++) a[i] = b[i];'
either 'another name of an element'
program "$vectors" "$step p = q;"
either 'a copy of a vector of vectors'
program "$vectors" "$step for (int i = 1; i < 23; i++) for (int j = 1; j < 23; j++) p[i][j] = q[i][j]; if (t == 6) std::cout << p[3][4];"
either 'by loops'
program "$vectors" 'for (int i = 0; i < 23; i++) b[i] += 0.5 * (a[i + 1] - a[i]);
        for (int i = 1; i < 24; i++) a[i] += 0.5 * (b[i] - b[i - 1]);
        a.back() = a[22];'
either 'the last element of a vector'
program "$vectors" 'for (int i = 0; i < 23; i++) b[i] += 0.5 * (a[i + 1] - a[i]);
        for (int i = 1; i < 24; i++) a[i] += 0.5 * (b[i] - b[i - 1]);
        a[23] = a[22]; a.front() = a[1]; if (t == 6) std::cout << a[23];'
behaves 'by its index, and the first by its name' 1
finish
