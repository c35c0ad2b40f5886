#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 738-gzc-reasons - forms of real programs: each is taken and gives, on the host (t/gzc/host), what the program itself
# gives, or is refused.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"

# loop_function NUMBER DECLARATIONS LOOP: a time loop with two arrays of doubles and those of the file.
loop_function() {
    cat << C
$2
static void loop_$1(int n, int m, int l, int T)
{
    double *x = double_array(40, 1), *y = double_array(40, 1), *first = x, *second = y;
    int i, j, t, k = 0;
    double s = 0, r = 0, *swap = x;
#pragma scop
    for (t = 0; t < T; t++) {
$3
    }
#pragma endscop
    printf("%d %d %d %g %g\n", program, t, k, s, r);
    SHOW(u), SHOW(v), SHOW(e), SHOW(h), SHOW(planes);
    show("x", first, 40 * sizeof *first);
    show("y", second, 40 * sizeof *second);
    show_more();
    (void)swap, (void)i, (void)j, (void)m, (void)l;
}
C
}
sizes='{24, 1, 1, 7}' shown=8
file="#include \"$GZ_SOURCE/t/gzc/programs.h\"
static double u[24][24], v[24][24], e[40], h[40], planes[2][24][24];
static int now, buffers = 2;
static __attribute__((constructor)) void fill(void)
{
    for (int i = 0; i < 576; i++)
        u[i / 24][i % 24] = v[i / 24][i % 24] = planes[0][i / 24][i % 24] = planes[1][i / 24][i % 24] = i * 37 % 101 / 7.0;
    for (int i = 0; i < 40; i++)
        e[i] = h[i] = i * 37 % 101 / 7.0;
}
static void print(const double *from, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 0.75 + from[i];
    printf(\"%d %.17g\\n\", program, sum);
}"
before="$file
static void show_more(void) {}"
sweep='for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);'
back='for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
electric='for (i = 1; i < 40; i++) e[i] += 0.5 * (h[i - 1] - h[i]);'
magnetic='for (i = 0; i < 39; i++) h[i] += 0.5 * (e[i] - e[i + 1]);'

same 'statements between commas' 1 '' 'for (i = 1; i < n; i++) { double z = x[i - 1]; z *= 0.5, y[i] = z + t; }
        swap = x, x = y, y = swap;'
same 'numbers between commas' 1 '' "s = t * 0.5, r = s + 1; for (i = 1; i < n; i++) y[i] = x[i - 1] * s + r; swap = x, x = y, y = swap;"
same 'elements between commas' 1 '' "$electric
        e[0] = 0.1 * t, e[20] += sin(t);
        $magnetic"
same 'receivers between commas' 1 '' 'for (i = 1; i < n - 1; i++) y[i] = 0.5 * x[i - 1];
        for (i = 1; i < n - 1; i++) x[i] = y[i];
        h[t] = x[3], e[t] = x[5];'
same 'parts between commas' 1 '' 'for (i = 1; i < n - 1; i++) e[i] = h[i - 1] + h[i + 1], x[i] = e[i];
        for (i = 1; i < n - 1; i++) h[i] = x[i] * 0.4, e[i] *= 0.5;'
same 'functions between commas' 1 'static void step(int n, const double *from, double *to) { for (int q = 1; q < n - 1; q++) to[q] = 0.5 * from[q - 1]; }' \
    'step(n, x, y), step(n, y, x);'
same 'commas that an if divides' 0 '' 'for (i = 1; i < n; i++) y[i] = x[i - 1];
        swap = x, x = y, y = swap, k++;
        if (t % 2) s += x[3];'
same 'as statements of their own' 1 '' 'for (i = 1; i < n; i++) y[i] = x[i - 1];
        swap = x, x = y, y = swap; k++;
        if (t % 2) s += x[3];'
same 'two planes of one declaration' 1 '' "int before = now, after = 1 - now;
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[after][i][j] = 0.5 * (planes[before][i - 1][j] + planes[before][i][j + 1]);
        now = after;"
same 'a plane modulo a variable' 0 '' "int after = (now + 1) % buffers;
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[after][i][j] = 0.5 * (planes[now][i - 1][j] + planes[now][i][j + 1]);
        now = after;"
same 'modulo a number' 0 '' "int after = (now + 1) % 2;
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[after][i][j] = 0.5 * (planes[now][i - 1][j] + planes[now][i][j + 1]);
        now = after;"
same 'an if in a block of one thread' 1 '' "$sweep $back
#pragma omp single
        {
            if (t == 4) print(u[5], 24);
        }"
same 'two ifs in a block before the sweeps' 1 '' "{ if (t % 2) print(u[5], 24); if (t == 6) printf(\"%d six\\n\", program); }
        $sweep $back"
same 'ends that are kept in numbers' 0 '' "
        $electric e[0] = s; s = r; r = e[1]; $magnetic"
same 'a loop over kinds' 0 '' "for (k = 0; k < 2; k++) if (t > k) {
            for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) planes[k][i][j] = u[i][j];
            for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] += planes[k][i][j]; }"
same 'a single cell by a linear index' 0 'static double g[576], f[576];' 'for (i = 1; i < n; i++) for (j = 1; j < n; j++) g[i * n + j] += 0.5 * (f[i * n + j] - f[(i - 1) * n + j]);
        g[n / 2 * n + n / 2] += sin(0.1 * t);
        for (i = 0; i < n - 1; i++) for (j = 0; j < n; j++) f[i * n + j] += 0.5 * (g[i * n + j] - g[(i + 1) * n + j]);'
same 'by loops of one turn' 1 '' 'for (i = 1; i < n; i++) for (j = 1; j < n; j++) g[i * n + j] += 0.5 * (f[i * n + j] - f[(i - 1) * n + j]);
        for (i = n / 2; i < n / 2 + 1; i++) for (j = n / 2; j < n / 2 + 1; j++) g[i * n + j] += sin(0.1 * t);
        for (i = 0; i < n - 1; i++) for (j = 0; j < n; j++) f[i * n + j] += 0.5 * (g[i * n + j] - g[(i + 1) * n + j]);'
same 'a mirrored subscript in a temporary' 1 '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int a = i == 0 ? 1 : i - 1; v[i][j] = 0.5 * u[a][j] + 0.25 * u[i][j - 1]; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
same 'mirrored subscripts of both axes, beside a clamped one' 1 '' 'for (i = 0; i < 24; i++) for (j = 0; j < 24; j++) v[i][j] = 0.5 * u[i == 0 ? 1 : i - 1][j == 23 ? 22 : j + 1] + 0.25 * u[i][j == 0 ? 0 : j - 1];
        for (i = 0; i < 24; i++) for (j = 0; j < 24; j++) u[i][j] = v[i][j];'
same 'mirrored at both ends' 1 '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int a = i == 0 ? 1 : i == 23 ? 22 : i - 1; v[i][j] = 0.5 * u[a][j] + 0.25 * u[i][j - 1]; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
same 'mirrored subscripts of several arrays' 1 '' 'for (i = 0; i < 40; i++) e[i] += 0.5 * (h[i == 0 ? 1 : i - 1] - h[i]);
        for (i = 0; i < 40; i++) h[i] += 0.5 * (e[i] - e[i == 39 ? 38 : i + 1]);'
same 'clamped subscripts of what the same loop has set' 1 '' 'for (i = 0; i < 40; i++) e[i] = e[i] * 0.4 + h[i < 39 ? i + 1 : i];
        for (i = 0; i < 40; i++) h[i] = h[i] * 0.3 + e[i > 0 ? i - 1 : i];
        for (i = 0; i < 40; i++) e[i] = e[i] + 0.5 * h[i];'
same 'edges of different kinds' 1 '' 'for (i = 0; i < 39; i++) y[i] = 0.5 * x[i > 0 ? i - 1 : 0] + 0.25 * x[i + 1];
        for (i = 0; i < 39; i++) x[i] = y[i];'
same 'one by a number that changes meanwhile' 0 '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) { int z = i, a = z == 0 ? 1 : z - 1; z = 5; v[i][j] = 0.5 * u[a][j] + z; }
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
same 'mirrored elements' 1 '' 'for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) v[i][j] = 0.5 * (i == 0 ? u[i + 1][j] : u[i - 1][j]) + 0.25 * u[i][j - 1];
        for (i = 0; i < 24; i++) for (j = 1; j < 23; j++) u[i][j] = v[i][j];'
same 'offsets that change places' 0 '' 'for (i = 1; i < 39; i++) e[k + i] = 0.5 * e[now + i - 1] + 0.25 * e[now + i + 1];
        int third = k; k = now; now = third;'
same 'receivers in a plane, beside several arrays' 0 'static double rec[7][3][4];' "$electric $magnetic
        for (i = 1; i < 3; i++) for (j = 0; j < 4; j++) rec[t][i][j] = e[i];"
same 'in a line' 1 'static double line[7][3];' 'for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) u[i][j] += 0.5 * (v[i - 1][j] - v[i][j]);
        for (i = 1; i < 23; i++) for (j = 1; j < 23; j++) v[i][j] += 0.5 * (u[i][j] - u[i][j + 1]);
        for (i = 0; i < 3; i++) line[t][i] = u[i + 2][5];'
same 'a probe that moves' 1 'static int path[7] = {3, 5, 2, 9, 9, 4, 11}; static double probe[7];' "$sweep $back probe[t] = u[path[t]][3];"
same 'a pointer that moves' 0 '' "$sweep $back *y++ = u[3][4];"
compare -fopenmp
same 'an if in a block of one thread' 1 '' "$sweep $back
#pragma omp single
        {
            if (t == 4) print(u[5], 24);
        }"
compare '' ''

# C++.
language=cpp standard=-std=gnu++17
before="$file
#include <iostream>
#include <vector>
static std::vector<double> a(24, 1.0), b(24, 0.5);
static std::vector<std::vector<double>> p(24, std::vector<double>(24, 0.5)), q(p);
static void show_more(void)
{
    for (int i = 0; i < 24; i++)
        show(\"p\", p[i].data(), 192), show(\"q\", q[i].data(), 192);
    show(\"a\", a.data(), 192), show(\"b\", b.data(), 192);
}"
step='for (int i = 1; i < 23; i++) for (int j = 1; j < 23; j++) q[i][j] = p[i][j] + 0.1 * (p[i + 1][j] - p[i][j - 1]) + 0.001 * i;'
same 'output by a stream' 0 '' "$step p.swap(q); std::cout << program << ' ' << t << std::endl;"
same 'every so many' 1 '' "$step p.swap(q); if (t % 3 == 0) std::cout << program << ' ' << p[3][4] << std::endl;"
same 'another name of an element' 0 '' 'for (int i = 1; i < 23; i++) { double &l = b[i]; l = a[i - 1] * 0.5 + a[i + 1]; }
        for (int i = 1; i < 23; i++) a[i] = b[i];'
same 'a copy of a vector of vectors' 0 '' "$step p = q;"
same 'by loops' 0 '' "$step for (int i = 1; i < 23; i++) for (int j = 1; j < 23; j++) p[i][j] = q[i][j]; if (t == 6) std::cout << program << ' ' << p[3][4] << std::endl;"
same 'the last element of a vector' 0 '' 'for (int i = 0; i < 23; i++) b[i] += 0.5 * (a[i + 1] - a[i]);
        for (int i = 1; i < 24; i++) a[i] += 0.5 * (b[i] - b[i - 1]);
        a.back() = a[22];'
same 'by its index, and the first by its name' 1 '' 'for (int i = 0; i < 23; i++) b[i] += 0.5 * (a[i + 1] - a[i]);
        for (int i = 1; i < 24; i++) a[i] += 0.5 * (b[i] - b[i - 1]);
        a[23] = a[22]; a.front() = a[1]; if (t == 6) std::cout << program << " " << a[23] << "\n";'
compare '' ''
finish
