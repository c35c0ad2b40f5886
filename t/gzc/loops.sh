# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: GPL-3.0-or-later
#
# loops.sh - time loops as programs have them, sourced after behave.sh: counted in many ways, with work outside their
# sweeps, with several arrays, with ends of many kinds. `forms` has one of every form; `few` those for grids of six cells
# a side; `any` and `looks` others; `asked` those of which C evaluates nothing; `found` those that end by a maximum,
# minimum or sum of all cells; `hostile` those with cells that are not numbers.

before="#include \"$GZ_SOURCE/t/gzc/programs.h\"
#define INNER for (i = 1; i < n - 1; i++) for (j = 1; j < m - 1; j++)
#define EACH for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
#define LINE for (i = 1; i < count - 1; i++)
#define EXCHANGE(one, other) { void *old = one; one = other; other = old; }
#define ALSO(array, size) (more[mores].bytes = (size), more[mores++].at = (array))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct grid { double *u, *v, *u_old, *v_old, end, now; int n, m, most; };
struct ask { int n, m, two, every, x, y; size_t size; double k, *w; const struct ask *in; };"

# loop_function NUMBER LOOP BEFORE FUNCTIONS: double arrays u and v, which a and b name, p and q, float ones f, g and h, and
# two planes o and r, all of n x m cells; a number for each step in w. ALSO has up to three other arrays shown.
loop_function() {
    cat << C
$4
static void loop_$1(int n, int m, int l, int T)
{
    int count = n * m, i = 71, j = 72, k = 3, t = 73;
    const size_t cells = (size_t)count, bytes = cells * sizeof(double);
    double (*u)[m] = (void *)double_array(cells, 1), (*v)[m] = (void *)double_array(cells, 2), (*p)[m] = (void *)double_array(cells, 3),
        (*q)[m] = (void *)double_array(cells, 4), (*o)[n][m] = (void *)double_array(2 * cells, 5), *w = double_array((size_t)T + 2, 6),
        *a = (double *)u, *b = (double *)v, x = 0.25, y = 7, heard[1024] = {0};
    float (*f)[m] = (void *)float_array(cells, 7), (*g)[m] = (void *)float_array(cells, 8), (*h)[m] = (void *)float_array(cells, 9),
        (*r)[n][m] = (void *)float_array(2 * cells, 10);
    const void *const all[] = {u, v, p, q, o, w, f, g, h, r};
    long large = 3;
    struct { const void *at; size_t bytes; } more[3];
    int mores = 0;
    $3
#pragma scop
$2
#pragma endscop
    for (int one = 0; one < 10; one++)
        show((char[2]){"uvpqowfghr"[one]}, all[one], one == 5 ? (size_t)T * sizeof *w : one > 5 && one < 9 ? bytes / 2 : one == 4 ? 2 * bytes : bytes);
    for (int one = 0; one < mores; one++)
        show("more", more[one].at, more[one].bytes);
    printf("%d %d%d%d%d %d %d %d %d %ld %a %a\n", program, u == all[0], a == all[0], f == all[6], p == all[2], i, j, k, t, large, x, y);
    SHOW(heard);
    (void)b, (void)g, (void)h, (void)l, (void)q, (void)r, (void)w, (void)bytes;
}
C
}
# loop NAME RAN LOOP [BEFORE [FUNCTIONS]]: as same.
loop() {
    same "$1" "$2" "$3" "${4:-}" "${5:-}"
}
# steps NAME RAN STATEMENTS [BEFORE [FUNCTIONS]]: a time loop of these.
steps() {
    loop "$1" "$2" "for (t = 0; t < T; t++) { $3 }" "${4:-}" "${5:-}"
}
line='LINE b[i] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1]); EXCHANGE(a, b)'
flat='INNER b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]); EXCHANGE(a, b)'
mean='v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);'
copy='INNER u[i][j] = v[i][j];'
wave='INNER g[i][j] = 2 * f[i][j] - g[i][j] + 0.1f * (f[i - 1][j] + f[i + 1][j] + f[i][j - 1] + f[i][j + 1] - 4 * f[i][j]);'

few() {
    large='if (n < 6 || m < 6) return;'
    ricker='static double ricker(double z) { return (1 - 2 * z * z) * exp(-z * z); }'
    steps 'sources on both sides of the exchange, two of them at one cell, in two types' 0 "$wave
        float pulse = dt * dt * w[t], twice;
        g[sx][sy[0]] += pulse;
        twice = pulse + ricker(t);
        if (t > 2) g[1][m - 3] -= 2 * twice;
        g[sx][sy[1]] = g[sx][sy[1]] - ricker(0.3 * t) * 2 + 1;
        EXCHANGE(f, g)
        f[sx][sy[0]] -= (t < 3 ? w[t] : 0.125);
        f[1][1]++;
        x = w[t] * 0.1;
        f[1][1] += x;" "$large float dt = 0.3f; int sx = n / 2, sy[2] = {2, m - 2};" "$ricker"
    steps 'three time levels and a source; receivers by lists, along a row, and one of the older state' 0 "$wave
        late[t] = f[n / 2][2];
        g[2][m - 3] += w[t];
        for (k = 0; k < 5; k++) heard[k * T + t] = g[xs[k]][ys[k]];
        EXCHANGE(f, g)
        for (int j = 1; j < m - 1; j++) row[t * m + j] = 0.5f * (f[1][j] + f[2][j]) - (t > 2 ? row[(t - 1) * m + j] : 0);" \
        "$large int xs[5] = {1, n / 2, n - 2, n / 2, 2}, ys[5] = {1, m / 2, m - 2, m / 3, 2};
         float *row = float_array((size_t)m * T, 15); double *late = heard + 512; ALSO(row, (size_t)m * T * sizeof *row);"
    steps 'conditions on cells: what they print and hand on' 2 "$flat
        if (a[m + 1] > 0.3) printf(\"%d %d: %a\n\", program, t, a[2 * m + 2]);
        if (a[m + 2] < 0.6) heard[t] = a[m + 2] - heard[t];" "$large"
    steps 'sums over cells of a row that each time step prints' 2 "$flat
        for (int j = 1; j < 4; j++) row[j] += a[2 * m + j];
        for (int j = 1; j < 4; j++) printf(\"%d %a\n\", program, row[j]);" "$large double row[9] = {0}; ALSO(row, sizeof row);"
    steps 'receivers that a table weighs in some time steps only' 2 "$flat
        if (t >= 3) for (int k = 0; k < at[0]; k++) heard[t * at[0] + k] = a[at[k + 1]] * w[t - 3];" "$large int at[] = {3, m + 1, 2 * m + 2, m + 3};"
}

any() {
    steps 'temporaries that are declared far away and set in branches' 2 'for (i = 0; i < n; i++) for (j = 0; j < m; j++) {
        if (i == 0) up = 0.25f; else up = r[t % 2][i - 1][j];
        down = i == n - 1 ? 0.5f : r[t % 2][i + 1][j];
        left = 0; right = 0;
        if (j > 0) left = r[t % 2][i][j - 1];
        if (j < m - 1) right = r[t % 2][i][j + 1];
        number = 0;
        if (up > left) number++;
        if (down > right) { number += 2; }
        high = number > 1;
        r[(t + 1) % 2][i][j] = high ? 0.25f * (up + left + right - down) : 0.5f * up + number; }' \
        'float up, down, left, right; int number; bool high;'
    loop 'an exchange in a function, beneath a directive' 2 '#pragma omp for ordered
    for (int t = 0; t < T; t++) { INNER b[i * m + j] = 0.5 * a[i * m + j + 1] + 0.25 * a[(i - 1) * m + j]; exchange(&b, &a); }' '' \
        'static void exchange(double **x, double **y) { double *old = *x; *x = *y; *y = old; }'
    steps 'pointers and extents in a structure' 2 'for (int i = 1; i < s->n - 1; i++) for (int j = 1; j < s->m - 1; j++)
            s->v[i * s->m + j] = 0.5 * s->u[i * s->m + j + 1] + 0.25 * s->u[(i - 1) * s->m + j];
        double *other = s->u; s->u = s->v; s->v = other;' 'struct grid grid = {.u = a, .v = b, .n = n, .m = m}, *s = &grid;'
    loop 'planes by number, two sweeps a step' 1 'for (t = 0; t < T; t += 2) {
        INNER o[1][i][j] = 0.25 * (o[0][i - 1][j] + o[0][i][j + 1]) + t;
        INNER o[0][i][j] = 0.25 * (o[1][i - 1][j] + o[1][i][j + 1]) - t; }'
    steps 'planes by variables that change places' 0 'INNER o[next][i][j] = o[cur][i][j - 1] + 0.5 * o[cur][i + 1][j] - 0.25 * o[next][i][j];
        k = cur; cur = next; next = k;' 'int cur = 1, next = 0;'
    steps 'planes by one that changes between 0 and 1' 2 'const int after = k ^ 1;
        INNER r[after][i][j] = 0.5f * r[k][i][j] + 0.25f * r[!after][i + 1][j]; k = after;' 'k = 0;'
    steps 'constant extents, around the grid; the copy goes through all rows by one index' 2 'for (i = 0; i < WIDE; i++) for (j = 0; j < LONG; j++)
            after[i * LONG + j] = 0.25 * (now[i * LONG + (j + 1) % LONG] + now[(i + WIDE - 1) % WIDE * LONG + j] - now[i * LONG + j]);
        for (i = 0; i < WIDE * LONG; i++) now[i] = after[i];' \
        'ALSO(now, sizeof now); ALSO(after, sizeof after); for (k = 0; k < WIDE * LONG; k++) now[k] = after[k] = k * 37 % 101 / 7.0;' \
        'enum { WIDE = 70, LONG = 66 }; static double now[WIDE * LONG], after[WIDE * LONG];'
    steps 'borders before the sweep, in an order in which corners hold what sides held some loops ago' 2 '
        for (int j = 0; j < m; j++) { a[j] = a[m + j]; a[(n - 1) * m + j] = a[(n - 2) * m + j]; }
        for (int i = 1; i < n - 1; i++) { a[i * m] = a[i * m + 1]; a[i * m + m - 1] = a[i * m + m - 2]; }
        '"$flat" 'a = double_array(cells + n + m, 12) + m; b = double_array(cells + n + m, 13) + m; ALSO(a, bytes); ALSO(b, bytes);'
    # How a time loop counts is the program's own business, not the device's.
    loop 'steps that double, beside others' 2 "for (t = 1, k = 0; t < 1 << T; t *= 2, k += 2) { $line }"
    loop 'steps by a variable' 3 "for (t = 0; t < 2 * T; t += k) { $line }" 'k = 1 + T / 3;'
    loop 'steps around the end of a narrow number' 4 "for (small = 250; small > 5; small++) { $line }" 'unsigned char small;'
    loop 'steps below a double' 2 "for (t = 0; t < y; t++) { $line }" 'y = T - 0.5;'
    loop 'steps behind a pointer' 2 \
        'for (*c = 0; *c < s->most; (*c)++) { LINE b[i] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1]) + *c; EXCHANGE(a, b) }' \
        'struct grid grid = {.most = T}, *s = &grid; int *c = &k;'
    loop 'steps of a double in a structure' 3 "while (s->now < s->end) { $line s->now += 0.25; }" 'struct grid grid = {.end = T}, *s = &grid;'
    # Several arrays.
    steps "PolyBench's FDTD: a row set by the time, three fields in place, domains of their own" 2 '
        for (j = 0; j < m; j++) v[0][j] = w[t];
        for (i = 1; i < n; i++) for (j = 0; j < m; j++) v[i][j] = v[i][j] - 0.5 * (p[i][j] - p[i - 1][j]);
        for (i = 0; i < n; i++) for (j = 1; j < m; j++) u[i][j] = u[i][j] - 0.5 * (p[i][j] - p[i][j - 1]);
        for (i = 0; i < n - 1; i++) for (j = 0; j < m - 1; j++) p[i][j] = p[i][j] - 0.7 * (u[i][j + 1] - u[i][j] + v[i + 1][j] - v[i][j]);'
    steps 'a reaction of two substances in one nest, both pairs of pointers exchanged' 2 'INNER {
            float one = r[0][i - 1][j] + r[0][i + 1][j] + r[0][i][j - 1] + r[0][i][j + 1] - 4 * f[i][j];
            float other = g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1] - 4 * g[i][j];
            float both = f[i][j] * g[i][j] * g[i][j];
            h[i][j] = f[i][j] + 0.16F * one - both + feed * (1 - f[i][j]) * exp(-0.01 * t);
            d[i][j] = g[i][j] + 0.08F * other + both - (feed + rate) * g[i][j]; }
        EXCHANGE(f, h) EXCHANGE(g, d)' \
        'const float feed = 0.04F, rate = 0.06F; float (*d)[m] = r[1]; memcpy(h, f, bytes / 2); memcpy(d, g, bytes / 2);'
    steps 'a plane in a structure, by remainders of sizes without a sign, kept between bounds' 2 'react(0.5);' \
        'plane = (struct plane){m, n, a, b, (double *)p, (double *)q}; memcpy(p, a, bytes); memcpy(q, b, bytes);' \
        'static struct plane { size_t width, height; double *u, *v, *next_u, *next_v; } plane;
#define ON(a, x, y) a[(((y) + plane.height) % plane.height) * plane.width + (((x) + plane.width) % plane.width)]
static double around(const double *from, int x, int y)
{
    return 0.05 * ON(from, x - 1, y - 1) + 0.2 * ON(from, x - 1, y) - ON(from, x, y) + 0.2 * ON(from, x, y + 1) + 0.05 * ON(from, x + 1, y + 1);
}
static void react(double dt)
{
    double *swap;
    for (int x = 0; x < (int)plane.width; x++)
        for (int y = 0; y < (int)plane.height; y++) {
            double u = ON(plane.u, x, y), v = ON(plane.v, x, y);
            ON(plane.next_u, x, y) = fmin(1, fmax(-1, u + dt * (around(plane.u, x, y) - u * v * v)));
            ON(plane.next_v, x, y) = fmin(1, fmax(-1, v + dt * (around(plane.v, x, y) + u * v * v)));
        }
    swap = plane.u; plane.u = plane.next_u; plane.next_u = swap;
    swap = plane.v; plane.v = plane.next_v; plane.next_v = swap;
}'
    steps 'copies before the sweep, which reads them alone, of memory that a structure names, and one that nothing reads' 0 '
        memcpy(o, s->v, bytes / 2);
        memcpy(s->u_old, s->u, bytes);
        for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) s->v[i * m + j] += 0.25 * t;
        memcpy(s->v_old, s->v, bytes);
        INNER { const double both = 0.1 * s->u_old[i * m + j] * s->v_old[i * m + j];
            s->u[i * m + j] = s->u_old[(i - 1) * m + j] - both; s->v[i * m + j] = s->v_old[i * m + j - 1] + both; }' \
        'struct grid grid = {a, b, (double *)p, (double *)q}, *s = &grid;'
    steps 'copies back, of which the first step brings other borders, read before and behind' 2 '
        INNER p[i][j] = 0.5 * u[i][j + 1] + 0.25 * (v[i][j] + u[i - 1][j]);
        memcpy(u, p, sizeof(double) * (size_t)n * (size_t)m);
        INNER v[i][j] += 0.125 * u[i][j];
        memmove(q, v, bytes);'
}

# What a time step does now and then.
looks() {
    steps 'a state that is printed, set and copied now and then, and a rate that falls' 8 'if (t % every == 1) {
            printf("%d %d %a %a\n", program, t, u[n / 2][m / 2], v[n - 1][0]);
            u[n / 2][m / 2] += 0.5; x *= 0.75; }
        INNER v[i][j] = u[i][j] + x * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] - 3 * u[i][j]);
        EXCHANGE(u, v)
        if ((t + 1) % every == 0) {
            for (int k = 0; k < n; k++) u[k][0] = u[k][m > 1];
            show("plate u", u, bytes); show("plate v", v, bytes); }
        if (t == T - 2) printf("%d %d %d\n", program, i, j);' 'int every = T > 4 ? 3 : 2;'
    loop 'planes of which every fourth step tells whether it goes on' 0 'for (large = 0; large < 20 * T; large++) {
        LINE z[(large + 1) % 2][i] = 0.5 * (z[large % 2][i - 1] + z[large % 2][i + 1]);
        if (large % 4 == 3) {
            x = 0;
            for (int i = 1; i < count - 1; i++) { double d = z[0][i] - z[1][i]; x += d * d; }
            if (x < 0.05) break; } }' 'double (*z)[count] = (void *)o; z[1][0] = z[0][0]; z[1][count - 1] = z[0][count - 1];'
    loop 'three pointers, a source that ends, a receiver; the loop counts by itself' 2 'while (t < T) {
        if (t < 2) { float more = 1.f; now[count / 2] += more; }
        LINE next[i] = 0.5f * (now[i - 1] + now[i + 1]) + now[i] - (1 - 0.01f * i) * last[i];
        spare = last; last = now; now = next; next = spare;
        if (t % 3 == 2) printf("%d %d %a %a\n", program, t, now[count / 3], last[count / 3]);
        t++; }' \
        't = 0; float *last = (float *)f, *now = (float *)g, *next = (float *)h, *spare; last[0] = next[0] = now[0];
         last[count - 1] = next[count - 1] = now[count - 1];'
    steps 'sweeps in a function, what is printed in another' 8 'half(b, a, count); half(a, b, count);
        if (every && t % *every == 0) printf("%d %d %a %a\n", program, t, mean(a, count), mean(b, count));' 'int *every = &k;' \
        'static void half(double *to, const double *from, int n) { for (int i = 1; i < n - 1; i++) to[i] = from[i] - 0.25 * (from[i + 1] - from[i - 1]); }
static double mean(const double *a, int n) { double sum = 0; for (int i = 0; i < n; i++) sum += a[i]; return sum / n; }'
    steps 'assertions, and what ends the program before the sweep and behind it' 8 'assert(t >= 0);
        if (t % every == 0) {
            FILE *null = fopen("/dev/null", "w");
            if (!null) { perror("null"); exit(2); }
            fprintf(null, "%a\n", u[n / 2][m / 2]);
            fclose(null); }
        INNER { assert(i > 0 && j < m - 1); v[i][j] = u[i][j - 1] + 0.25 * (u[i - 1][j] - u[i + 1][j]); }
        EXCHANGE(u, v)
        if (t % every == 1 && u[n / 2][m / 2] > 1e9) { printf("%d %d\n", program, t); abort(); }' 'int every = T > 4 ? 4 : 2;' '#include <assert.h>'
    steps 'a norm that some steps find, and may end the loop before the rest of the step' 3 '
        INNER v[i][j] = u[i][j] + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        if (t % every == 2) {
            x = 0;
            INNER x += fabs(v[i][j] - u[i][j]);
            printf("%d %d %a\n", program, t, x);
            if (x < 0.04 * count) break; }
        INNER p[i][j] = v[i][j] - u[i][j];
        INNER u[i][j] = v[i][j];' 'int every = T > 4 ? 4 : 3;'
    loop 'one that a function finds, and the head of the loop asks for' 6 'for (t = 0; t < T && x > 0.1; t++) {
        INNER v[i][j] = u[i][j] + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        if (t % every == 1) { x = change(n, m, u, v); if (x > y) { y = x; k++; } }
        INNER u[i][j] = v[i][j]; }' 'int every = T > 4 ? 4 : 2; x = 1;' \
        'static double change(int n, int m, double u[n][m], double v[n][m])
{ double most = 0; for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) most = fmax(most, fabs(v[i][j] - u[i][j])); return most; }'
    steps 'rows that a macro exchanges by their type' 3 'INNER v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] - u[i][j - 1]); SWAP(u, v)' '' \
        '#define SWAP(one, other) { __typeof__(one) old = one; one = other; other = old; }'
    steps 'a look between the sweep and the exchange' 8 'LINE d[i] = c[i] + 0.25f * (c[i - 1] - c[i + 1]);
        if (t % 4 == 1) { printf("%d %d %a %a\n", program, t, c[1 % count], d[1 % count]); d[1 % count] = 0.5f; }
        EXCHANGE(c, d)' 'float *c = (float *)f, *d = (float *)g;'
}

# Each value that these need lies behind a null pointer, or is a quotient by 0, where the time loop does not run or where
# there are no cells.
asked() {
    pointers='double number = 0.05; struct ask grid = {n, m, 2, 2, 1, 1, (size_t)m, 0.375, w, NULL}; grid.in = &grid;
    const int half = l % 2, part = half && n > 1 ? n - 1 : 0, zero = 0; const struct ask *run = T > 0 ? &grid : NULL,
        *all_cells = T > 0 && n > 2 ? &grid : NULL, *rows = n > 1 ? run : NULL, *other = part > 0 ? run : NULL, *source = half && n > 2 ? run : NULL;
    const int acts = source != NULL, has = half && T > 0; const struct ask *some = has ? run : NULL; (void)acts, (void)other, (void)rows;'
    row='for (i = 1; i < n - 1; i++) for (j = 1; j < all_cells->m - 1; j++) v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);'
    steps 'two fields, of which one may have no cells' 1 '
        for (i = 1; i < n; i++) a[i] = a[i] - rows->k * (b[i] - b[i - 1]) * rows->in->w[0];
        for (i = 0; i < part; i++) b[i] = b[i] - other->k * (a[i + 1] - a[i]) * other->in->w[0];' \
        "$pointers a = double_array(cells + n + 1, 11); b = double_array(cells + n + 1, 12); ALSO(a, bytes); ALSO(b, bytes);"
    steps 'points at places, by numbers, of which one may be none' 0 "$row
        if (n > 2) v[run->in->x][run->in->y] += run->in->w[t] / run->two;
        if (acts) v[source->in->x][source->in->y] = source->in->w[t];
        EXCHANGE(u, v)" "$pointers"
    steps 'receivers at places' 2 "$row EXCHANGE(u, v)
        heard[t] = a[run->in->x] * run->in->k;
        if (acts) heard[t] += u[source->in->x][source->in->y];" "$pointers"
    steps 'looks under conditions' 2 'for (i = 1; i < n - 1; i++) for (j = 1; j < (source ? (int)source->in->in->size : m) - 1; j++)
            v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);
        EXCHANGE(u, v)
        if (source && source->in->in->every > 0 && t % source->in->in->every == 0) printf("%d %d %a\n", program, t, n > 2 ? u[1][1] : 0);' "$pointers"
    loop 'steps of a double' 2 'while (y < 0.25 * T) {
        for (i = 1; i < n - 1; i++) for (j = 1; j < all_cells->m - 1; j++) v[i][j] = all_cells->k * (u[i][j - 1] + u[i][j + 1]) + y;
        y += 0.25; EXCHANGE(u, v) }' "$pointers y = 0;"
    loop 'a break before the sweep' 2 "for (t = 0;; t++) { if (t >= T) break; $row EXCHANGE(u, v) }" "$pointers"
    around='v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);'
    loop 'a change that ends the loop' 3 "while (y > 0.05) {
        y = 0;
        for (i = 1; i < n - 1; i++) for (j = 1; j < all_cells->m - 1; j++) $around
        for (i = 1; i < n - 1; i++) for (j = 1; j < all_cells->m - 1; j++) y = fmax(y, fabs(v[i][j] - u[i][j]));
        EXCHANGE(u, v) }" "$pointers y = T && n > 2; memcpy(v, u, bytes);"
    steps 'a change that may end the loop' 2 "if (t > T) break;
        y = 0;
        for (i = 1; i < n - 1; i++) for (j = 1; j < all_cells->m - 1; j++) { $around y = fmax(y, fabs(v[i][j] - u[i][j])); }
        EXCHANGE(u, v)
        if (y < 0.01) break;" "$pointers memcpy(v, u, bytes);"
    steps 'values under conditions, of which some never hold' 2 \
        'LINE b[i] = 0.5 * (a[i - 1] + a[i + 1]) + (has ? some->in->in->k : 1) + (zero ? 100 / zero : 3) +
            (has && some->in->in->k > 0.1 && 6 % some->two == 0 ? 0.5 : 0.25);
        EXCHANGE(a, b)' "$pointers"
    steps 'conditions on values' 2 'LINE b[i] = 0.5 * (a[i - 1] + a[i + 1]) + (has ? i + 0u < some->in->in->size ? 0.5 : 0.25 : 1) +
            (has && (int)some->in->in->size > i + 100 / some->two ? 0.5 : 0.25);
        EXCHANGE(a, b)' "$pointers"
}

# Sweeps of which a number of all cells ends the loop, or is kept over the loops.
found() {
    loop 'the Laplace equation as courses have it: the change is found in the sweep, and printed now and then' 6 'while (y > 0.02 && k < T) {
        y = 0.0;
#pragma omp parallel for reduction(max : y)
        for (j = 1; j < n - 1; j++) {
            for (i = 1; i < m - 1; i++) {
                v[j][i] = 0.25 * (u[j][i + 1] + u[j][i - 1] + u[j - 1][i] + u[j + 1][i]);
                y = fmax(y, fabs(v[j][i] - u[j][i]));
            }
        }
        for (j = 1; j < n - 1; j++) { for (i = 1; i < m - 1; i++) { u[j][i] = v[j][i]; } }
        if (k % 3 == 0) printf("%d %5d, %0.6f\n", program, k, y);
        k++; }' 'y = 1, k = 0;'
    steps 'two pointers in one dimension of memory, temporaries, float, and a break by the larger of a relative change' 2 'largest = 0;
        INNER { float z = 0.125f * (4 * now[i * m + j] + now[(i - 1) * m + j] + now[(i + 1) * m + j] + now[i * m + j - 1] + now[i * m + j + 1]);
            float d = fabsf(z - now[i * m + j]) / (fabsf(z) + 1e-3f);
            largest = MAX(d, largest);
            next[i * m + j] = z; }
        EXCHANGE(now, next)
        if (largest < 0.05f) break;' 'float *now = (float *)f, *next = (float *)g, largest = 0;'
    loop 'do and while, float cells compared in double, by a function, beside the copy back' 2 'do {
        most = 0;
        INNER g[i][j] = (float)(0.2 * (f[i][j] + f[i][j - 1] + f[i][j + 1] + f[i - 1][j] + f[i + 1][j]));
        INNER { most = larger(most, fabs(f[i][j] - g[i][j])); f[i][j] = g[i][j]; }
        large += 1;
        if (most > 0.1 && large < T) { k = 1; } else { k = 0; printf("%d done\n", program); }
    } while (k);' 'float most; large = 0;' 'static double larger(double a, double b) { return a > b ? a : b; }'
    loop 'the least change of whole numbers, a sign and all, in three dimensions, clamped; memcpy' 2 'while (t < T && k < 1) {
        k = 1 << 20;
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int h = 0; h < 7; h++) {
            d[i][j][h] = (c[i > 0 ? i - 1 : 0][j][h] + c[i][j < m - 1 ? j + 1 : m - 1][h] + 2 * c[i][j][h > 0 ? h - 1 : 0]) / 4 - 1;
            int z = d[i][j][h] - c[i][j][h];
            k = z < k ? z : k; }
        memcpy(c, d, 7 * cells * sizeof(int));
        t++; }' \
        'int (*c)[m][7] = (void *)int_array(7 * cells, 11), (*d)[m][7] = (void *)int_array(7 * cells, 12); t = k = 0;
         for (size_t e = 0; e < 7 * cells; e++) ((int *)c)[e] *= 9999; ALSO(c, 7 * cells * sizeof k); ALSO(d, 7 * cells * sizeof k);'
    loop 'a cell beyond all numbers, for one step; what was found before is none' no 'while (!(y <= 0.5) && t < 1) {
        INNER { double far = (u[i][j - 1] + u[i][j + 1] + u[i + 1][j]) - u[i][j]; v[i][j] = u[i][j] + far; y = fmax(v[i][j] - u[i][j], y); }
        memcpy(u, v, (size_t)n * (size_t)m * sizeof(double));
        t++; }' 'y = NAN, t = 0; a[m > 1 && n > 1 ? m : 0] = a[m > 2 && n > 1 ? m + 2 : 0] = 1.5e308; memcpy(v, u, bytes);'
    loop 'how many cells change, under a condition' 2 "do {
        changed = 0;
        INNER { $mean double d = v[i][j] - u[i][j]; if (d > 0.01 || d < -0.01) ++changed; }
        $copy
        t++;
    } while (changed > n && t < T);" 'long changed; t = 0; memcpy(v, u, bytes);'
    steps 'a sum without a sign of what the copy has brought' 2 'INNER v[i][j] = 0.5 * (u[i - 1][j] + u[i][j + 1]);
        INNER { u[i][j] = v[i][j]; high += (unsigned long)(long)(u[i][j] * 1e15) * 99999999977UL; }
        large = high;' 'unsigned long high = 1;'
    loop 'the largest residual, of what the sweep reads around the cell and where it lies; steps counted in memory' 2 'while (*c <= T && y > 0.05) {
        y = 0;
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i][j] = u[i][j];
        INNER { double z;
            if (i == 1 || j == m - 2) z = v[i][j] - p[i][j + 1];
            else z = (x * (v[i - 1][j] + v[i][j + 1]) + v[i + 1][j] + e * v[i][j] - p[i][j]) / e;
            u[i][j] = v[i][j] - 0.5 * z;
            if (fabs(z) * (i + 1) > y) y = fabs(z) * (i + 1); }
        (*c)++;
        y = sqrt(y) / 3; }' 'double e = -1.7; int *c = &k; x = 0.3, y = 1, k = 1;'
    loop 'loops that find nothing and end in their midst' 2 'for (;;) {
        if (left == 0) break;
        INNER v[i][j] = u[i - 1][j] - 0.5 * u[i][j + 1];
        EXCHANGE(u, v)
        if (--left <= T / 2) break;
        if (left % 3 == 0) printf("%d %d left\n", program, left); }' 'int left = 2 * T;'
    loop 'a number that a function of the file finds and returns' 2 \
        'do { rounded = sweep(b, a, n, m); EXCHANGE(a, b) } while (--k > 0 && rounded > 0.01f);' \
        'float rounded; k = T; memcpy(b, a, bytes);' 'static double sweep(const double *u, double *v, int n, int m)
{
    int i, j;
    double diff = 0, d;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            v[i * m + j] = 0.25 * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] + u[(i + 1) * m + j]);
            d = fabs(v[i * m + j] - u[i * m + j]);
            if (d > diff) diff = d;
        }
    return diff;
}'
    # By three limits: none but the first step reaches the first, none the last.
    eps='const double eps = (const double[]){1e30, 0.1, 1e-9}[l % 3]; x = 0.01;'
    loop 'a copy back that the last time step leaves out' 2 "for (t = 0; t < 100; t++) { y = 0;
        EACH { v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1]; y = fmax(y, fabs(v[i][j] - u[i][j])); } if (y < eps) break; EACH u[i][j] = v[i][j]; }" \
        "$eps"
    loop 'the least, guarded; a break by the number of the turn before, at the top' 1 "for (;;) { if (y < eps || t > 30) break; y = 5;
        INNER { v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + x; if (u[i][j] > 0.2 && fabs(v[i][j]) < y) y = fabs(v[i][j]); } $copy t++; }" \
        "$eps t = 0, y = 100;"
    loop 'two nests, one number; columns narrower than the cells' 1 "while (y > eps * 0.5 && t < 40) { y = 0; INNER $mean
        for (int i = 2; i < n - 3; i++) for (int j = 1; j < m - 1; j++) if (fabs(v[i][j] - u[i][j]) > y) y = fabs(v[i][j] - u[i][j]);
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 2; j++) y = fmax(y, 0.5 * fabs(v[i][j] - u[i][j + 1]));
        $copy t++; }" "$eps t = 0, y = 50;"
    steps 'a sum kept over all steps, printed now and then' 8 \
        "INNER { $mean large += v[i][j] > u[i][j]; } $copy if (t % 4 == 1) printf(\"%d %d %ld\n\", program, t, large);"
    steps 'a narrow one' 2 "INNER { $mean if (v[i][j] > u[i][j]) small++; } $copy k = small;" 'unsigned char small = 9;'
}

# These run the original loops: a cell is not a number, which the comparison passes over; the largest change is zero, of
# either sign; and there is no step.
hostile() {
    loop 'a cell that is not a number' no "while (y > 1e-3 && t < T) { y = 0;
        INNER { v[i][j] = 0.5 * (u[i - 1][j] + u[i + 1][j]); if (fabs(v[i][j] - u[i][j]) > y) y = fabs(v[i][j] - u[i][j]); } $copy t++; }" \
        'u[n / 2][m / 2] = NAN; t = 0, y = 1;'
    loop 'a largest change of zero, of either sign' no "do { y = -1;
        INNER { v[i][j] = u[i][j] + 0 * u[i - 1][j] + u[i + 1][j]; y = v[i][j] * u[i][j] > y ? v[i][j] * u[i][j] : y; } $copy } while (y > 0);" \
        'for (k = 0; k < count; k++) a[k] = k % 3 ? 0. : -0.;'
    loop 'no step' no \
        'for (t = 0; t < 10 && y > 9; t++) { y = 0; INNER { v[i][j] = 0.5 * u[i + 1][j]; y = fmax(y, fabs(v[i][j] - u[i][j])); } EXCHANGE(u, v) }'
}

# Forms of loops and subscripts, types, edges and dimensions.
forms() {
    loop 'two planes, each with a border of its own; a domain that is not centred' 3 \
        'for (t = 0; t < T; t++) for (i = 1; i < n - 2; i++) for (j = 2; j < m; j++)
        o[(t + 1) % 2][i][j] = 0.3 * (o[t % 2][i - 1][j] + o[t % 2][i + 2][j - 2]) - o[t % 2][i][j - 1] / 7 + o[t % 2][i + 1][j];' 't = i = j = 0;'
    cube='for (i = 1; i < c - 1; i++) for (j = 1; j < c - 1; j++) for (k = 1; k < c - 1; k++)'
    steps 'two sweeps that differ, three dimensions, pointers to pointers' 3 "$cube
            z[i][j][k] = 0.125 * (e[i + 1][j][k] - 2.0 * e[i][j][k] + e[i - 1][j][k]) + 0.125 * (e[i][j + 1][k] - e[i][j - 1][k]) + e[i][j][k + 1];
        $cube e[i][j][k] = 0.5 * (z[i][j][k - 1] + z[i][j][k]) * t;" \
        'int c = n < 20 ? n : 20; double ***e = cube(c, 11), ***z = cube(c, 12); ALSO(e[0][0], c * c * c * sizeof x);
         ALSO(z[0][0], c * c * c * sizeof x); i = j = k = t = 0;' \
        'static double ***cube(int n, int seed)
{
    double *flat = double_array((size_t)n * n * n, seed), ***made = malloc((size_t)n * sizeof *made);
    for (int i = 0; i < n; i++) {
        made[i] = malloc((size_t)n * sizeof **made);
        for (int j = 0; j < n; j++) made[i][j] = flat + (i * n + j) * n;
    }
    return made;
}'
    steps "clamped indices, per-step arrays, a function: Rodinia's pathfinder in form" 3 'for (int x = 0; x < n; x++)
            d[x] = least(MIN(c[x == 0 ? 0 : x - 1], c[x]), c[x == n - 1 ? n - 1 : x + 1]) + wall[t][x];
        swap = c; c = d; d = swap;' \
        'int *c = int_array(n, 11), *d = int_array(n, 12), (*wall)[n] = (void *)int_array((size_t)n * (T + 1), 13), *swap;
         ALSO(c, n * sizeof k); ALSO(d, n * sizeof k);' \
        '#define MIN(a, b) ((a) < (b) ? (a) : (b))
static int least(int x, int y) { return x < y ? x : y; }'
    steps 'wrapped by a ternary and by a remainder; a constant array read at a distance' 3 'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
            o[(t + 1) % 2][i][j] = 0.4 * o[t % 2][i == 0 ? n - 1 : i - 1][j] + o[t % 2][i == n - 1 ? 0 : i + 1][j] * p[i][(j + 1) % m] -
                o[t % 2][i][(j + 1) % m] + 0.1 * o[t % 2][i][(j + m - 1) % m] * p[i][j];'
    steps 'zero beyond the edges; constant arrays that run along one axis, are transposed or shifted' 3 \
        'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
            e[(t + 1) % 2][i][j] = (i > 0 ? e[t % 2][i - 1][j] : 0.0) * c[j + 1] + (j < n - 1 ? e[t % 2][i][j + 1] * z[j][i] : 0.0);' \
        'double (*e)[n][n] = (void *)double_array((size_t)n * n * 2, 11), (*z)[n] = (void *)double_array((size_t)n * n, 12),
         *c = double_array(n + 1, 13); ALSO(e, 2 * n * n * sizeof x);'
    steps 'colours by a guard, with the time' 3 'INNER if ((i + j + t) % 2 == 0) u[i][j] += 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] - u[i][j + 1]);' \
        't = i = j = 0;'
    loop 'colours by a time without a sign, whose negative is large' 3 'for (unsigned turn = 0; turn < (unsigned)T; turn++)
        INNER if ((i + j + turn) % 2 == 0) u[i][j] += 0.125 * (u[i - 1][j] + u[i + 1][j] - u[i][j - 1] + u[i][j + 1]);'
    steps 'colours in two sweeps' 3 'for (i = 1; i < count - 1; i++) if (i % 2 == 1) c[i] = 0.5f * (c[i - 1] + c[i + 1]);
        for (i = 1; i < count - 1; i++) { if (i % 2 == 0) c[i] = 0.4f * (c[i - 1] + c[i + 1]); }' 'float *c = (float *)f;'
    steps 'a guard in a program of two arrays' 3 'for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if (i != j && (i < 3 || j > 2))
            o[(t + 1) % 2][i][j] = 0.5 * (o[t % 2][i - 1][j] - o[t % 2][i][j + 1]);'
    steps 'an if with an else, and a guard by the state' 0 'for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
            if (life[t % 2][i][j] % 2 == 1) life[(t + 1) % 2][i][j] = life[t % 2][i - 1][j] + life[t % 2][i][j + 1] > 8;
            else if (life[t % 2][i][j] > 4) life[(t + 1) % 2][i][j] = -life[t % 2][i + 1][j] / 2;
            else life[(t + 1) % 2][i][j] = life[t % 2][i][j - 1] + 3;' \
        'int (*life)[n][m] = (void *)int_array(2 * cells, 11); for (int e = 0; e < 2 * count; e++) ((int *)life)[e] /= 10; ALSO(life, 2 * cells * sizeof k);'
    steps 'scalars of other types than the state' 3 \
        'for (int i = 1; i < count - 1; i++) c[(t + 1) % 2][i] = (int)(c[t % 2][i - 1] * fine) + (int)(big >> 40) % 7 +
            (int)(odd % 5u) + (int)(coarse * 3) - c[t % 2][i + 1] % 3;' \
        'int (*c)[count] = (void *)int_array(2 * cells, 11); long big = 0x123456789abcdef; unsigned odd = 4000000000u;
         double fine = 1.0 / 3; float coarse = 0.7f; ALSO(c, 2 * cells * sizeof k);'
    steps 'three time levels in two arrays, whose borders differ' 0 \
        'EACH v[i][j] = 2 * u[i][j] - v[i][j] + 0.1 * p[i][j] * (u[i - 1][j] + u[i + 1][j] - 4 * u[i][j] + u[i][j + 1]);
        double (*z)[m] = u; u = v; v = z;'
    loop 'three planes of a ring' 3 \
        'for (int t = 1; t <= T; t++) for (int i = 0; i < n; i++) c[(t + 1) % 3][i] = c[t % 3][i == 0 ? n - 1 : i - 1] - c[(t - 1) % 3][i] * 0.5 + t;' \
        'double (*c)[n] = (void *)double_array((size_t)n * 3, 11); ALSO(c, 3 * n * sizeof x);'
    steps 'two fields in turn' 3 'for (int i = 1; i < count - 1; i++) b[i] = b[i] - 0.5 * (a[i + 1] - a[i]);
        for (int i = 1; i < count - 1; i++) a[i] = 0.99 * a[i] - 0.5 * (b[i] - b[i - 1]);'
}
