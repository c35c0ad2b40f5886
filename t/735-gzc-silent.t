#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 735-gzc-silent - loops that once ran with other results than C's, without a word: each gives C's
# bits now, on the host with the arithmetic of a device (t/gzc/host), or is refused.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"

# loop_function NUMBER FUNCTIONS BEFORE LOOP: prints loop_NUMBER, that loop over the double arrays a and
# b of n numbers.
loop_function() {
    cat << C
$2
static void loop_$1(int n, int m, int l, int T)
{
    double *a = double_array((size_t)n, 1), *b = double_array((size_t)n, 2), *swap = NULL;
    int *whole = int_array((size_t)n, 3), *other = int_array((size_t)n, 4), *nothing = NULL;
    int i = 77, j = 78, t = 79, lo = 1, none = 0;
    double x = 0.5, y = 0.25, dt = 0.3;
    $3
#pragma scop
$4
#pragma endscop
    show("a", a, (size_t)n * sizeof *a);
    show("b", b, (size_t)n * sizeof *b);
    show("whole", whole, (size_t)n * sizeof *whole);
    show("other", other, (size_t)n * sizeof *other);
    SHOW(i);
    SHOW(t);
    SHOW(x);
    SHOW(y);
    (void)m, (void)l, (void)swap, (void)nothing, (void)j, (void)lo, (void)none, (void)dt;
}
C
}
before="#include \"$GZ_SOURCE/t/gzc/programs.h\""

swap='swap = a; a = b; b = swap;'
sweep="for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); $swap"

# steps NAME RAN STATEMENTS [FUNCTIONS [BEFORE]]: a time loop of these.
steps() {
    same "$1" "$2" "${4:-}" "${5:-}" "for (t = 0; t < T; t++) { $3 }"
}
# cells NAME RAN STATEMENT [FUNCTIONS [BEFORE]]: for the inner cells, before the arrays change places.
cells() {
    steps "$1" "$2" "for (i = 1; i < n - 1; i++) $3 $swap" "${4:-}" "${5:-}"
}
# numbers NAME RAN STATEMENT [FUNCTIONS [BEFORE]]: for all elements.
numbers() {
    same "$1" "$2" "${4:-}" "${5:-}" "for (t = 0; t < T; t++) for (i = 0; i < n; i++) $3"
}

same 'a bound of the time that is no whole number' 2 '' '' "for (t = 0; t < T / dt; t++) { $sweep }"
same 'a bound of the time that each loop changes' 2 '' '' "for (t = 0; t < lo + 3; t++) { lo = t / 2; $sweep }"
same 'a bound of the time that an element of the state is' 0 'static int *counter;' 'counter = &whole[3];' \
    'for (*counter = 0; *counter < T; ++*counter) for (i = 1; i < n - 1; i++) whole[i] = (whole[i] + 3) % 100;'
for start in lo:1 'lo - 4:0'; do
    same "planes by the parity of a time from ${start%:*}" ${start#*:} 'static double planes[4][20];' \
        'double (*plane)[20] = planes + 1; for (i = 0; i < 80; i++) planes[0][i] = i * 0.5;' \
        "for (t = ${start%:*}; t < T; t++) for (i = 1; i < 19; i++) plane[(t + 1) % 2][i] = 0.5 * (plane[t % 2][i - 1] + plane[t % 2][i + 1]);
        a[0] = planes[0][5], a[1] = planes[1][5], b[0] = planes[2][5], b[1] = planes[3][5];"
done
int_sweep='for (i = 1; i < n - 1; i++) other[i] = (whole[i - 1] + whole[i + 1] + lo) % 97; for (i = 1; i < n - 1; i++) whole[i] = other[i];'
steps 'integers, beside numbers whose addresses were taken' 1 "$int_sweep" '' 'sscanf("3", "%d", &lo); n -= sscanf("2", "%d", &i);'
steps 'a bound that a pointer leads to' 0 "$int_sweep *to -= 1;" '' 'int *to = &n;'
steps 'as bytes' 0 "$int_sweep *to = 9;" '' 'unsigned char *to = (unsigned char *)&n;'
steps 'such a number' 0 "$int_sweep *to += 1;" '' 'int *to = &lo;'
steps 'such a number of the file' 0 "for (i = 1; i < end - 1; i++) other[i] = whole[i - 1]; $int_sweep *to -= 1;" 'static int end;' 'int *to = &end; end = n;'
steps 'a number beside the sweep that they read by another name' 0 \
    "for (i = 1; i < n - 1; i++) b[i] = *p * a[i - 1]; $swap number += 0.5;" 'static double number;' 'double *p = &number; number = 0.25;'
same 'a bound of cells that a loop sets which stays a text' no 'static int last;' '' \
    "last = 2; for (j = 0; j < 3; j++) if (n > j) { switch (m & 1) { case 0 ... 1: last += 2; continue; } }
    for (t = 0; t < T; t++) { for (i = 1; i < last; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 1; i < last; i++) a[i] = b[i]; }"
same 'a number that is set in the midst, then asked for' 2 '' '' \
    "while (x < 1 + 0.1 * T) { y += x; $sweep x += 0.1; lo = lo + 2; }"
same 'an if that ends what steps too small to add would not' 2 '' '' \
    "for (x = 1, t = 0; x < T; x += 1e-30, t++) { $sweep if (t > 90) x = T; }"
same 'a bound of the time without a sign' 0 '' '' "for (t = -1; t < T - 4u; t++) { $sweep }"
steps 'the end of arrays that change places, by the parity of cell and time' 2 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i] + 0.1;
    for (i = 0; i < n - 1; i++) { if (i % 2 == t % 2) whole[i] = (whole[i] + (int)(b[i + 1] * 8) + whole[i + 1]) % 100; b[i] = 0.3 * b[i + 1]; } $swap"
window='static double inner[40], outer[40], weight[42]; static int some[40];'
begin='for (i = 0; i < 40; i++) inner[i] = i % 7, weight[i] = i, some[i] = i % 3;'
masked='for (i = 1; i < 39; i++) outer[i] = inner[i - 1] + inner[i + 1] + (some[i] ? weight[i + 3] : 0);
    for (i = 1; i < 39; i++) inner[i] = 0.5 * outer[i]; x = inner[20];'
steps 'a constant array under a mask, within its declared extents' 2 "$masked" "$window" "$begin"
steps 'a sum over five neighbours, added up in the element' 2 \
    'for (i = 2; i < n - 2; i++) { b[i] = 0; for (j = -2; j <= 2 && j < l + 2; j++) b[i] += 0.2 * a[i + j]; }
    for (i = 2; i < n - 2; i++) a[i] = b[i];'
steps 'two sweeps that clamp both axes at several distances' 1 \
    'for (i = 0; i < n / 5; i++) for (j = 0; j < 5; j++) v[i][j] = u[i + 2 < n / 5 ? i + 2 : n / 5 - 1][j > 1 ? j - 2 : 0] + u[i >= 2 ? i - 2 : 0][j >= 2 ? j - 2 : 0];
    for (i = 0; i < n / 5; i++) for (j = 0; j < 5; j++) u[i][j] = 0.3 * (v[i >= 1 ? i - 1 : 0][j < 4 ? j + 1 : 4] + v[i][j > 1 ? j - 2 : 0] + v[i > 1 ? i - 2 : 0][j < 4 ? j + 1 : 4]);' \
    '' 'double (*u)[5] = (void *)a, (*v)[5] = (void *)b;'
cells 'a member of a structure whose tag the function defines anew' 0 'b[i] = many->v * (a[i - 1] + a[i + 1]);' \
    'static struct many { double w, v; } of_many = {9, 0.25}, *many = &of_many;' 'struct many { char v; } z = {1}; x += z.v;'
steps 'a number in each cell that each time step counts by another name' 0 'for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i] - 0.01 * k; ++*p; swap = a; a = b; b = swap;' \
    '' 'int k = 1, *p = &k;'
steps 'records of some time steps, each in its place' 2 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); for (i = 1; i < n - 1; i++) p[i] = q[i];
    if (t % 3 == 1) memcpy(a + (t / 3) * 4, p + 1, 4 * sizeof *a);' '' 'double *p = double_array(n, 5), *q = double_array(n, 6);'
same 'loops until a number is another' 2 '' '' \
    "for (t = 0; t != T; t++) { for (i = 1; i != n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = n - 2; i != 0; i--) a[i] = b[i]; }"
rows='for (i = 0; i < n / 5; i++) p[i] = a + 5 * i, q[i] = b + 5 * i;'
turned='for (i = 0; i < n / 5; i++) for (j = 1; j < 5; j++) q[i][j] = 0.5 * (p[i][j - 1] + p[i][j]);
    for (i = 0; i < n / 5; i++) for (j = 1; j < 5; j++) p[i][j] = q[i][j];'
steps 'rows that change places where another function is called' 1 \
    "$turned if (t == 1) hook(p, n / 5 - (n > 5));" 'static double *p[8], *q[8];
static void turn(double **rows, int last) { double *first = rows[0]; rows[0] = rows[last], rows[last] = first; }
static void (*volatile hook)(double **, int) = turn;' "$rows"
same 'stages of a time step, of which each needs the one before' 1 '' \
    'const double part[] = {0, 0.75, 0.25};' \
    'for (t = 0; t < T; t++) for (int k = 0; k < 3; k++) {
        if (k == 0) for (i = 0; i < n; i++) b[i] = a[i];
        for (i = 1; i < n - 1; i++) whole[i] = (int)(100 * (a[i - 1] - a[i + 1]));
        for (i = 1; i < n - 1; i++) a[i] = part[k] * b[i] + (1 - part[k]) * (a[i] - 0.001 * whole[i]); }'
same 'pointers that are exchanged, there and in another function' 0 \
    'static double *here, *there;
static void turn_all(void) { double *first = here; here = there, there = first; here[1] = 7; }
static void (*volatile all)(void) = turn_all;' \
    'here = a, there = b;' "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) there[i] = 0.5 * (here[i - 1] + here[i + 1]);
    swap = here; here = there; there = swap; if (t == 1) all(); }"
saving='static void told(double *at, float *value) { at[1] += *value; }
static void (*volatile tell)(double *, float *) = told;
static void save_some(double *from, int time, int when) { static int saved; float value; if (time % 4 == when) {
    for (int k = 0; k < 5; k += when) { value = from[k] > 1 ? saved : -1; saved++; tell(from, &value); } } }'
steps 'a function that decides when to do what is unknown, with a variable of its own' 1 \
    "for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); save_some(b, t, 1); $swap" "$saving"
steps 'a function that sets a number in turns of its own' 0 \
    "$sweep if (t == 1) x = 2; set_one(&x, t); for (i = 1; i < n - 1; i++) b[i] += x;" \
    'static double answer(void) { return 0.125; }
static double (*volatile question)(void) = answer;
static void set_one(double *value, int time) { if (time == 2) { *value += question(); } }'
steps 'a function that ends the program where a number has no use' 2 \
    'for (i = 1; i < n - 1; i++) b[i] = share_of(t) * a[i - 1]; swap = a; a = b; b = swap;' \
    '#include <stdlib.h>
static double share_of(int time) { double value; switch (time % 2) { case 0: value = 0.5; break; case 1: value = 0.25; break;
    default: value = 7; exit(1); } return value; }'
steps 'cells after a condition of a text, and others under it' 1 \
    "for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); $swap
    if (t % 4 == 1) { float value = 1; tell(a, &value); for (i = 1; i < n - 1; i++) a[i] += a[i - 1]; x = a[2]; }"
same 'sizes in parentheses' 2 '' 'double here[(n + 1) * 2], (*there)[(n)] = (double (*)[(n)])b; for (i = 0; i < n; i++) here[i] = a[i];' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) there[0][i] = 0.5 * (here[i - 1] + here[i + 1]);
    for (i = 1; i < n - 1; i++) here[i] = there[0][i]; }'
rows='for (t = 0; t < T * (n > 15); t++, k = 1 - k) { for (i = 1; i < 7; i++) (&u[1 - k][0][0])[i] = 0.5 * (&u[k][0][0])[i - 1] + (&u[k][0][0])[i + 1];'
same 'rows of a plane by one index from its first element' 1 '' 'double (*u)[2][4] = (double (*)[2][4])a; int k = 0; a[8] = a[0], a[15] = a[7];' "$rows }"
same 'rows of a plane by one index, and an element by its own' 0 '' 'double (*u)[2][4] = (double (*)[2][4])a; int k = 0; a[8] = a[0], a[15] = a[7];' \
    "$rows u[1 - k][1][0] += 0.25 * u[k][1][1]; }"
planes='for (t = 0; t < T; t++) { q = (p + 1) OP; for (i = 0; i < 4; i++) u[q][i] = 0.5 * (u[p][i > 0 ? i - 1 : 0] + u[p][i]); p = q; }'
same 'planes by a remainder of the last one' 1 '' 'double (*u)[4] = (double (*)[4])(n > 8 ? a : double_array(8, 1)); int p = 1, q;' "$(echo "$planes" | sed 's/OP/% 2/')"
same 'planes by the last bit of one that begins beyond them' 0 '' 'double (*u)[4] = (double (*)[4])(n > 15 ? a : double_array(12, 1)); int p = 2, q;' \
    "$(echo "$planes" | sed 's/OP/\& 1/')"
same 'neighbours around by the last bits' 1 '' '' 'for (t = 0; t < T * (n > 15); t++) {
    for (i = 0; i < 16; i++) b[i] = 0.5 * (a[(i - 1) & 15] + a[i + 3 & 15]); for (i = 0; i < 16; i++) a[i] = b[i]; }'
steps 'scalars in the order in which they are set' 2 "y = t * 0.25; x = y + 1; for (i = 1; i < n - 1; i++) b[i] = x * a[i - 1] + y; $swap"
steps 'a scalar that keeps what the loop before set' 0 "x = y; y = t * 0.25; for (i = 1; i < n - 1; i++) b[i] = x * a[i - 1] + y; $swap"
steps 'loop variables behind a copy of more' 2 \
    'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 0; i < n; i++) a[i] = b[i];' '' 'b[0] = a[0], b[n - 1] = a[n - 1];'
steps 'loop variables of sweeps of every other time step' 2 \
    'if (t % 2) { for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); } else for (i = 2; i < n - 2; i++) b[i] = a[i] * 0.75;
    for (j = 1; j < n - 1; j++) a[j] = b[j];'
steps 'a loop variable that only some time steps set' 4 \
    "if (t % 2) { for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1]; } for (j = 1; j < n - 1; j++) a[j] = b[j];"
steps 'a loop variable of some time steps, printed before one of them' 2 \
    "if (t == 3) printf(\"%d\\n\", i); for (j = 1; j < n - 1; j++) b[j] = a[j - 1] * 0.5; if (t > 1) { for (i = 1; i < n - 1; i++) a[i] = b[i]; }"
steps 'arrays that change places in all time steps but the last' 2 \
    'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); if (t != T - 1) { swap = a; a = b; b = swap; }'
steps 'planes that do' 2 'for (i = 1; i < n - 1; i++) planes[1 - lo][i] = 0.5 * (planes[lo][i - 1] + planes[lo][i + 1]);
    if (t + 1 < T) lo = 1 - lo;' '' 'static double planes[2][40]; lo = 0; for (i = 0; i < n; i++) planes[0][i] = planes[1][i] = a[i]; a = planes[0];'
steps 'a scalar that takes what the time step before set' 2 "x = j; j = t; for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1]; $swap"
steps 'a scalar that an empty loop leaves, taken, then set' 2 \
    "for (j = 0; j < t % 2; j++) lo = j; x = lo; lo = 9; for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1]; $swap"
steps 'a scalar that is set behind what ends the loop by cells' 2 \
    'x = 0; for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) { q[k][o] = 0.25 * (p[k - 1][o] + p[k + 1][o] + p[k][o - 1] + p[k][o + 1]); x = fmax(x, fabs(q[k][o] - p[k][o])); }
    for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) p[k][o] = q[k][o];
    if (x < 0.1 * t) break; y = t;' '' 'double (*p)[12] = (void *)double_array(12 * (size_t)n, 5), (*q)[12] = (void *)double_array(12 * (size_t)n, 5);'
grid='double (*p)[12] = (void *)double_array(12 * (size_t)n, 5), (*q)[12] = (void *)double_array(12 * (size_t)n, 5); j = 0;'
flags='j = 1; for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) { q[k][o] = 0.25 * (p[k - 1][o] + p[k + 1][o] + p[k][o - 1] + p[k][o + 1]); IF }
    for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) p[k][o] = q[k][o];
    if (j == 1) { printf("%s", ""); break; } y = t;'
steps 'a number that any cell sets, which ends the loop' 2 "$(echo "$flags" | sed 's/IF/if (o > 2 \&\& !(fabs(q[k][o] - p[k][o]) < dt)) j = -3;/')" '' "$grid"
steps 'a number that all cells leave, which ends the loop' 2 "$(echo "$flags" | sed 's/IF/if (fabs(q[k][o] - p[k][o]) < dt) {} else j = 0;/')" '' "$grid"
steps 'a number that the last cell sets, which ends the loop' 0 "$(echo "$flags" | sed 's/IF/if (fabs(q[k][o] - p[k][o]) < dt) j = 1; else j = 0;/')" '' "$grid"
steps 'a copy of more, with another border' 2 'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 0; i < n; i++) a[i] = b[i];'
steps 'a copy of one side more, with another border' 2 'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]) + t; for (i = 1; i < n; i++) a[i] = b[i];'
numbers 'abs, which has no sign on devices' 2 'whole[i] = (whole[i] + abs(whole[i] - 50) / -3) % 100;'
cells 'an element that is assigned again and again' 2 \
    '{ b[i] = a[i - 1] * 0.5; if (a[i] > 0.5) b[i] += a[i + 1] / 3; else b[i] -= y; double z = b[i]; b[i] *= 0.75 + z * 0; b[i]++; }'
steps 'floats that round at each assignment to the element' 2 \
    'for (i = 1; i < n - 1; i++) { g[i] = f[i - 1] * 0.3; g[i] += f[i + 1] * 0.7; g[i] *= 1.0000001; } for (i = 1; i < n - 1; i++) { f[i] = g[i - 1] * 0.1; f[i] += g[i]; }' '' 'static float f[99], g[99]; for (i = 0; i < n; i++) f[i] = a[i], g[i] = 0; a = (double *)f, b = (double *)g;'
same 'borders of three planes of floats, with double arithmetic' 2 '' \
    'static float f[3][99]; for (i = 0; i < n; i++) f[0][i] = f[1][i] = f[2][i] = a[i]; a = (double *)f;' \
    'for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) f[(t + 1) % 3][i] = 0.5 * f[t % 3][i - 1] - x * f[(t + 2) % 3][i];'
cells 'an element that an if may leave before it is changed' 0 '{ if (a[i] > 0.5) b[i] = a[i + 1]; b[i] *= 0.5; b[i] += a[i - 1] * b[i]; }'
steps 'a variable of other loops over cells, which has been read before the loops' 0 \
    'for (i = 1; i < n; i++) b[i] = a[i - 1]; for (j = 1; j < n; j++) a[j] = b[j - 1] * i * 0.01;'
steps 'the same in a subscript' 0 'for (i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (j = 1; j < n; j++) a[j] = b[j - 1] * other[i];'
cells 'an element that is assigned by two texts' 0 '{ b[i] = a[i - 1]; b[i + 0] += a[i + 1]; }'
cells 'an element whose index is moved between two assignments' 0 '{ j = i; b[j] = a[i - 1]; j++; b[j] += a[i + 1]; }'
steps 'loops over neighbours, of which some are skipped' 0 \
    "for (i = 2; i < n - 2; i++) { double s = 0; for (int k = -2; k <= 2; k++) { if (k == 0 || k == lo) continue; double d = a[i + k] - a[i]; if (d < 0) continue; s += d * k; } b[i] = 0.2 * s + a[i]; } $swap"
cells 'a loop over neighbours within another, that adds to the element' 0 \
    '{ b[i] = 0; for (int k = 0; k < 2; k++) for (int q = 0; q < 3; q++) b[i] += w[k][q] * a[i + q - 1] / (k + 1); b[i] *= 0.5; }' '' 'double w[2][3] = {{0.1, 0.2, -0.3}, {0.25, 0.125, 0.5}};'
cells 'a loop over neighbours before an else' 0 \
    '{ double s = 0; if (i % 2) for (int k = -1; k < 2; k++) s += a[i + k]; else for (int k = 0; k < 2; k++) { s -= a[i - k]; } b[i] = s / 4; }'
cells 'a loop over neighbours without a sign, by twos' 0 '{ double s = 1; for (unsigned k = 0; k < 3; k += 2) s -= (a[i + k - 1] - k) / (0u - k + 3); b[i] = s * 0.5; }'
cells 'a loop over neighbours whose variable is read behind the loops' 0 '{ double s = 0; for (j = -1; j < 2; j++) s += a[i + j]; b[i] = s; }'
cells 'a loop over neighbours that ends early' 0 '{ double s = 0; for (int k = -1; k < 2; k++) { s += a[i + k]; if (s > 1) break; } b[i] = s; }'
cells 'round and fmod of either sign' 2 'b[i] = 0.25 * round(a[i - 1] * 6 - 3) + fmod(a[i] * 7 - 3, 0.3) + copysign(0.1, round(0.4 * (0.5 - a[i]))) + fmodf(i - 5.5f, 2);'
cells 'fmin and fmax of zeros, of which one is a number' 2 'b[i] = copysign(1.0, fmax(a[i] * 0, -0.0)) + copysign(0.5, fmin(-a[i - 1] * 0, 0.0));'
cells 'fmax of zeros that may have signs' 0 'b[i] = fmax(a[i] * 0, -a[i - 1] * 0);'
numbers 'narrow parameters and results' 2 'whole[i] = f(whole[i] * 7) % 1000;' 'static short f(unsigned char v) { return v * 300; }'
numbers 'a typedef in a function' 2 'whole[i] = g(whole[i] * 7) % 1000;' 'typedef short narrow; static int g(int v) { const narrow w = v * 999; return w; }'
numbers 'large and negative enumerators' 2 'whole[i] = (whole[i]-LESS + (whole[i] < LARGE)) % 100;' 'enum { LARGE = 3000000000, LESS = -5 };'
same 'numbers by 0b, characters, octal and casts' 2 '' '' \
    "for (t = '\\0'; t < T; t++) { for (i = (unsigned char)257; i < n - 0b1; i++) b[i] = a[i - 01] * 0.5 + a[i + '\\1']; $swap }"
cells 'an index that is cut to a narrow type' 0 'b[i] = (unsigned char)(i - 3) < 250 ? a[i - 1] : 2 * a[i];'
cells 'an index that is another beyond 255' 0 'b[i] = a[(unsigned char)(i - 1)];'
# At what they leave for the next cell: the element of an array that no time step writes.
moves() {
    steps "an element that moves on from cell to cell, by $1" 0 "$2 for (i = 1; i < n - 1; i++) { b[i] = 0.5 * a[i - 1] + $3; } $swap"
}
moves 'a remainder' 'lo = 0;' 'other[lo]; lo = (lo + 7) % n'
moves 'a remainder that is known of few' 'lo = 0;' 'other[lo]; lo = 5 * i % n'
moves 'conditions on elements' 'lo = 0;' 'other[lo]; if (whole[i] > 50) lo++'
moves 'the element before' 'lo = 0;' 'other[lo]; lo = other[lo] % n'
moves 'a double' 'y = 0;' 'other[(int)y]; y += 0.75'
moves 'a pointer that turns back' 'int *e = other;' '*e; e = e == other ? e + 1 : other'
moves 'a narrow number that goes around' 'signed char c = 120;' 'other[(unsigned char)c % n]; c++'
# overlaps HOW ELEMENT [BEFORE]: of an array that the state begins in, between the elements of the first and last cell.
overlaps() {
    steps "an element of memory that the state shares, $1" 0 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + $2;
        for (i = 1; i < n - 1; i++) a[i] = b[i];" '' "double *c = double_array(3 * (size_t)n, 9); a = c + 6; ${3:-}"
}
overlaps 'by squares' 'c[i * i % n]'
overlaps 'there and back' 'c[i < n / 2 ? i : n - 1 - i]'
overlaps 'from where indices say' 'c[other[i]]' 'for (i = 0; i < n; i++) other[i] = i == 1 || i == n - 2 ? 0 : i;'
overlaps 'by rows' 'row[i][1]' 'double *row[30]; for (i = 0; i < n; i++) row[i] = b; row[3] = a;'
steps 'indices in memory that the state shares, behind the first' 0 \
    'for (i = 1; i < n - 1; i++) other[i] = (whole[i - 1] + (int)(8 * a[at[i]])) % n; for (i = 1; i < n - 1; i++) whole[i] = other[i];' \
    '' 'int *at = int_array(3 * (size_t)n, 9); for (i = 0; i < 3 * n; i++) at[i] %= n; whole = at + 4;'
cells 'signed against unsigned' 2 'b[i] = i - 3 < 2u ? a[i - 1] : a[i + 1];'
steps 'a negative number against an unsigned long' 2 "for (size_t k = 2; k < n - 2; k++) b[k] = -1 < k - 2 ? a[k - 1] : a[k + 2]; $swap"
numbers 'an array that is not there, behind a scalar' 2 'whole[i] = (whole[i] + (none ? nothing[i] : 1)) % 100;'
numbers 'an array that is short, behind a condition on the place' 2 'whole[i] = (whole[i] + (i >= 5 ? other[i - 5] : 0)) % 100;'
numbers 'an array that is short, behind a condition without a sign' 2 \
    'whole[i] = (whole[i] + ((unsigned)(i - 1) < 3u ? short_one[i - 1] : 0)) % 100;' '' 'int *short_one = int_array(3, 5);'
fill='static struct { int v, w; } rows[200]; int *at = whole + 1; for (i = 0; i < 200; i++) rows[i].v = i * 3 % 17;'
same 'a member by an element of the state, by the time' 0 '' "$fill" \
    'for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) whole[i] = (whole[i] + rows[at[t]].v) % 100;'
same 'a member by an element of the state, by another and by a temporary' 0 '' "$fill" \
    'for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) { int s = rows[at[t]].v; whole[i] = (whole[i] + rows[s].v) % 100; }'
same 'a member by an element of the state, by the cell' 0 '' "$fill" \
    'for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) whole[i] = (whole[i] + (i > 2 ? rows[at[i]].v : 1)) % 100;'
same 'a number that grows by what lies at a computed address' 0 '' '' \
    "for (x = 0; x < 2; x += *(b + lo) + 0.1, lo++) { $sweep }"
numbers 'an array of two steps' 2 'whole[i] = (whole[i] + (t < 2 ? two[t] : 0)) % 100;' '' 'int *two = int_array(2, 6);'
cells 'a scalar in memory, behind a condition on the place' 0 \
    'b[i] = a[i - 1] * (i > n ? no_list->s->v : 1) + (i > 2 && i * 0.5 < eight[0] + n ? eight[0] : 0);' 'struct s { double v; }; struct l { struct s *s; };' 'struct l *no_list = NULL; double *eight = double_array(1, 8);'
cells 'a scalar of each step, behind a condition on the place and the time' 2 'b[i] = a[i - 1] + (t < 2 && i > 2 ? two[t] : 0.5);' '' 'double *two = double_array(2, 8);'
steps 'an array that is short in the first loops, later not there' 2 'for (i = 0; i < n; i++) whole[i] = (whole[i] + (t < 3 && i > 4 ? other[i - 5] : 1)) % 100;'
steps 'an array of which each loop reads every other element' 2 'for (i = 1; i < n - 1; i++) whole[i] = (i + t) % 2 ? whole[i] : other[i] + 3 * (whole[i] % 7);'
same 'a single loop of these' 0 '' '' \
    "for (t = 0; t < (T > 0); t++) { for (i = 1; i < n - 1; i++) whole[i] = (i + t) % 2 ? whole[i] : other[i] + 3 * (whole[i] % 7); }"
steps 'a number that takes turns in a condition and as a value' 0 \
    'for (i = 1; i < n - 1; i++) p[turn][i] = p[1 - turn][i - 1] * 0.5 + (turn ? other[i] : 0.25) + turn; turn = 1 - turn;' '' 'int turn = 1; a = double_array(2 * n, 9), b = a + n; double (*p)[n] = (void *)a;'
numbers 'an array read where the state says so' 0 'whole[i] = (whole[i] + (whole[i] > 3 ? other[i] : 0)) % 100;'
numbers 'an array read elsewhere, too' 2 'whole[i] = (other[i] + (whole[i] > 3 ? other[i] : 0)) % 100;'
same 'a loop that a macro writes' 0 \
    '#define LOOP(x) for (t = 0; t < T; t++) x' '' "LOOP({ $sweep })"
numbers 'a function that calls itself' 0 'whole[i] = self(whole[i]);' 'static int self(int v) { return v > 9 ? self(v / 2) : v; }'
numbers 'two functions that call one another' 0 \
    'whole[i] = ping(whole[i]);' 'static int pong(int); static int ping(int v) { return v > 9 ? pong(v / 2) : v; } static int pong(int v) { return ping(v); }'
numbers 'a variable of the file that is another where the loops stand' 0 \
    'for (j = 0; j < n_; j++) whole[at(i, j)] = n_;' 'static int n_ = 3; static int at(int k, int l) { return k * n_ + l; }' 'int n_ = 1;'
numbers 'a name of those that gzc writes' 0 'whole[i] = whole[i] * gz_low % 100;' '' 'int gz_low = 3;'
temporaries=$(awk 'BEGIN { for (k = 1; k < 40; k++) printf "double t%d = t%d * 0.5 + t%d * 0.25;", k, k - 1, k - 1 }')
cells 'forty temporaries, each used twice' 2 "{ double t0 = a[i]; $temporaries b[i] = t39 + a[i - 1]; }"
# Turns of the program's own behind those of a device, which leaves b as it was.
keep='static void keep_(const double *v, int n, int *to) { for (int k = 0; k < n; k++) *to = (int)(31u * *to + (unsigned)(int)(1e6 * v[k])); }
static void (*volatile keep)(const double *, int, int *) = keep_;'
back='for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 1; i < n - 1; i++) a[i] = b[i];'
steps 'a buffer that a function reads in one time step of four' 2 "if (t % 4 == 3) keep(b, n, other); $back" "$keep"
steps 'which it reads by another name' 2 "if (t % 4 == 3) keep(e, n, other); $back" '' 'double *e = b;'
steps 'and arrays that change places' 2 "if (t % 4 == 3) { keep(e, n, other); keep(f, n, other); } $sweep" '' 'double *e = a, *f = b;'
steps 'and numbers, in each time step' 0 "x = e[3]; $back" '' 'double *e = b;'
steps 'and numbers in one of three' 0 "if (t % 3 == 1) x = e[3]; if (t % 4 == 3) y = y * 0.5 + x; $back" '' 'double *e = b;'
steps 'and all of them, in each time step' 0 "x = 0; for (int k = 0; k < n; k++) x += e[k]; $back" '' 'double *e = b;'
steps 'and copies' 0 "for (int k = 0; k < n; k++) c[k] = 0.5 * d[k] + e[k]; x = d[2]; $back" '' 'double *e = b, *c = double_array(n, 9), *d = c;'
steps 'and ends by' 0 "if (t > 1 && e[3] != 0) { x = e[3] + t; if (e[1] > e[2]) break; } $back" '' 'double *e = b;'
steps 'a cell around another grid than the sweep' 0 \
    'for (i = 0; i < few; i++) { b[i] = a[i] + 1; a[i] = b[(i - 1 + n) % n]; } for (i = 0; i < n; i++) b[i] = x;' '' 'int few = T > 3 ? n : 0;'
steps 'a number of two sets, one of them in some time steps' 2 \
    'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); if (t % 2) b[2] = other[t]; b[3] += other[t]; for (i = 1; i < n - 1; i++) a[i] = b[i];'
# The last, since #line holds to the end of the file.
same 'braces in macros, digraphs and comments, #line' 0 '#define BEGIN {
#define END }
#define here here' '' "    for (t = 0; t < T; t++) BEGIN
#line 500 \"elsewhere.c\"
        for (i = 1; i < n - 1; i++) <% /* } */ b[i] = 0.5 * (a[i - 1] + a[i + 1]); %>
        $swap
    END"
compare '' ''
cells "a weak function, of which the linker may take another definition" no "b[i] = half(a[i - 1]);" "__attribute__((weak)) double half(double z) { return 0.5 * z; }"
cells "a function whose name has that word" 2 "b[i] = weaken(a[i - 1]);" "static double weaken(double z);
static double weaken(double z) { return 0.5 * z; }"
cells "one of a pragma" no "b[i] = third(a[i - 1]);" "#pragma weak third
double third(double z) { return z / 3; }"
cells "one that is declared so behind its definition" no "b[i] = fourth(a[i - 1]);" "double fourth(double z) { return z / 4; }
double fourth(double z) __attribute__((weak));"
cells "one that the assembler is told so" no "b[i] = fifth(a[i - 1]);" 'double fifth(double z) { return z / 5; }
__asm__(".weak fifth");'
cells "one that another function declares so" no "b[i] = sixth(a[i - 1]);" "double sixth(double z) { return z / 6; }
void *of_sixth(void) { extern double sixth(double z) __attribute__((weak)); return (void *)sixth; }"
cells "a weak array of constants" no "b[i] = a[i - given_[1]];" "__attribute__((weak)) const int given_[2] = {0, 1};"
cells 'forty such, before an array is read' 0 "{ double t0 = i; $temporaries b[i] = a[i - 1] + (t39 > 2 ? a[i] * other[i] : a[i]); }"

# What other types and places than the generator's (t/gzc/programs.c) bring.
modes='enum mode { A_, B_ }; struct s { enum mode mode; unsigned flag : 3; int sign : 3; unsigned long wide : 40; };'
steps 'a sum without a sign that goes around and back' 2 "for (unsigned k = 0; k < n - 2; k++) b[k] = k - 1u + 1u < 1u ? a[k + 2] : a[k]; $swap"
steps 'an int of what goes around below zero' 2 "for (size_t k = 0; k < n - 2; k++) b[k] = (int)(k - 1) < 0 ? a[k + 2] : a[k]; $swap"
steps 'a size without a sign, less more than it is' 1 \
    'for (unsigned k = 0; k < un; k++) b[k] = k > un - 12u ? a[k] : a[k + 1]; for (unsigned k = 0; k < un; k++) a[k] = b[k];' '' 'unsigned un = n; a = double_array((size_t)n + 1, 9);'
steps 'a narrow temporary that a branch adds to' 0 \
    "for (i = 0; i < n - 2; i++) { unsigned char s = i; if (i > 2) s += 250; b[i] = i > 5 && s < 200 ? a[i + 2] : a[i]; } $swap"
cells 'enumerations, whose numbers have no sign' 2 \
    'b[i] = (s.mode - 1) / 2 * a[i - 1] * 1e-9 + (e[i] - 50) * 1e-9;' "$modes" 'struct s s = {A_}; enum mode *e = (enum mode *)other;'
numbers 'an array of an enumeration as the state' 0 'e[i] = (e[i] - 90) / 3 % 100;' '' 'enum mode *e = (enum mode *)other;'
cells 'bit-fields, which become ints' 2 'b[i] = s.flag - 1 < 0 ? a[i - 1] * s.sign : a[i + 1];' '' 'struct s s = {.flag = 0, .sign = -1};'
words='typedef union { double d; long l; } words; struct shared { union { struct { double d, e; }; long l; }; };'
steps 'a member of a union that has the name of a typedef' no "w.l = t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + w.d * 1e300; $swap" "$words" 'words w = {3};'
steps 'one of a union without a name, in structures' no "w.l = t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + w.d * 1e300; $swap" '' 'struct shared w = {{{3}}};'
steps 'a pointer to a structure without a name' no "p->v = t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * p->v; $swap" '' 'struct { int v; } one = {1}, *p = &one;'
cells 'a bit-field of more bits than an int' 0 'b[i] = a[i - 1] * (s.wide << 30);' '' 'struct s s = {.wide = 2000};'
same 'times beyond an int' 0 '' '' \
    "for (long q = 2147483646L; q < 2147483646L + T; q++) { for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + q; $swap }"
cells 'a pointer to the time' 0 'b[i] = a[i - 1] + p[0];' '' 'int *p = &t;'
cells 'a pointer to the loop variable, of a structure' 0 'b[i] = a[i - 1] + p->v;' 'struct one { int v; };' 'struct one *p = (struct one *)&i;'
steps 'a pointer to what each loop sets' 0 "x = t * 0.5; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * p[0]; $swap" '' 'double *p = &x;'
cells 'a static temporary' 0 '{ static double k = 1; k += 0.5; b[i] = a[i - 1] * k; }'
steps 'a variable that a function is called for where it ends' 0 \
    "__attribute__((cleanup(ended))) int last = t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + ends; $swap" \
    'static int ends; static void ended(int *last) { ends += *last; }' 'ends = 0;'
cells 'a static variable of a function' 0 'b[i] = f(a[i - 1]);' 'static double f(double v) { static double k = 0; k += 1; return v * k; }'
steps 'a variable of the file behind one of the function' 0 \
    "extern double k; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * k; $swap" 'double k = 0.75;' 'double k = 0.125; (void)k;'
cells 'a type that is another in the loop' 0 '{ typedef char number; b[i] = a[i - 1] + other[(number)(n + 256 - n)]; }' 'typedef long number;'
steps 'an enumeration in the loop' 0 "enum { K_ = 3 }; for (i = 1; i < n - 3; i++) b[i] = a[i - 1] + other[i + K_] * K_; $swap" 'enum { K_ = 1 };'
counts='static int calls; static double *kept; static double *get(void) { calls++; return kept; }'
cells 'a function that counts how often it tells an array' 0 'b[i] = a[i - 1] + get()[i];' "$counts" 'kept = double_array((size_t)n, 9);'
cells 'an index that counts' 0 'b[i] = a[i - 1 + 0 * j++];'
cells 'members of the elements of an array' 2 \
    '{ int k = i + 1; b[i] = a[i - 1] * c[i].v + c[k].w + c[2].w + (i > 5 ? c[i - 5].w : c[t].v); }' 'struct pair { double v; int w; };' 'struct pair *c = (struct pair *)double_array(2 * (size_t)n + 2, 9); for (int k = 0; k < n; k++) c[k].w = k % 7;'
cells 'a jump into the loop' 0 'within: b[i] = a[i - 1];' '' 'if (n == 9) { i = 1; goto within; }'
cells 'a label that nobody jumps to' 2 'within: b[i] = a[i - 1];' '' 'if (n == 1) goto end; end:;'
payoff='double *w = double_array((size_t)(T + n), 5);'
cells 'what a condition on the state chooses, of what it reads itself' 2 \
    '{ double c = 0.5 * (a[i - 1] + a[i + 1]); b[i] = c > w[t] ? c : w[t]; if (b[i] < w[3]) b[i] = w[3]; if (b[i] < g->strike - w[n - 1 - i]) b[i] = g->strike - w[n - 1 - i]; }' 'struct option { double strike; };' "$payoff struct option one = {0.4}, *g = &one;"
cells 'what a condition on the state chooses alone' 0 'b[i] = a[i] > w[t] ? w[t + 1] : a[i - 1];' '' "$payoff"
same 'loops that a goto repeats, with temporaries of their own' 6 '' 'again:;' \
    "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) { double z = a[i - 1]; b[i] = z * a[i + 1]; } $swap }
#pragma endscop
    x += a[i] + t;
    if (lo++ < 3) goto again;
#pragma scop
    for (t = 0; t < 0; t++) { $sweep }"
same 'loop variables and numbers of each loop whose addresses are kept' 2 '' 'int *at[] = {&i, &t, &lo};' \
    "for (t = 0; t < T; t++) { lo = t % 3; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + lo; $swap }
#pragma endscop
    y = *at[0] + 100 * *at[1] + 10000 * *at[2];
#pragma scop
    for (t = 0; t < 0; t++) { $sweep }"
steps 'an edge behind a condition without a sign' 2 "for (i = 0; i < n; i++) b[i] = i - 1u < n - 2u ? 0.5 * (a[i - 1] + a[i + 1]) : a[i]; $swap"
steps 'an edge behind a condition on the place and the state' 2 \
    "for (i = 0; i < n; i++) b[i] = i > 0 && a[i] > 0.5 ? a[i - 1] : !(i > n - 2 || a[i] < 0.2) ? a[i + 1] : 0.5; $swap"
steps 'an edge behind a condition on the place, with bounds that nothing is known of' 0 "for (i = lo; i < n; i++) b[i] = i >= 2 ? a[i - 2] : a[i]; $swap"
steps 'the same, of as few cells as numbers say' 0 "for (i = 1; i < 6; i++) b[i] = i >= 2 ? a[i - 2] : a[i]; $swap"
steps 'an edge behind a condition that is not in whole numbers' 0 "for (i = 0; i < n; i++) b[i] = i * 0.1f > 0.0f ? a[i - 1] : a[i]; $swap"
same 'loop variables of which OpenMP gives each thread its own' 2 '#include <omp.h>' 'double (*p)[3] = (void *)double_array(3 * (size_t)n, 9), (*q)[3] = (void *)double_array(3 * (size_t)n, 8);' \
    '    for (t = 0; t < T; t++) {
#pragma omp parallel for private(i)
        for (int k = 1; k < n - 1; k++) for (i = 0; i < 3; i++) q[k][i] = p[k - 1][i] * 0.5;
#pragma omp parallel for
        for (i = 1; i < n - 1; i++) for (int k = 0; k < 3; k++) p[i][k] = q[i][k];
    }'
same 'a loop variable that OpenMP hands on' 2 '' '' '    for (t = 0; t < T; t++) {
#pragma omp parallel for
        for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * 0.5;
#pragma omp parallel for schedule(static, 2) lastprivate(i)
        for (i = 1; i < n - 1; i++) a[i] = b[i];
    }'
region='{ x = 0.25;
        #pragma omp for
        for (i = 1; i < n - 1; i++) b[i] = x * a[i - 1]; }'
for clause in 'private(x)' 'firstprivate(y, x)'; do
    steps "a number that OpenMP gives each thread by $clause, read behind that" 0 "
        #pragma omp parallel $clause
        $region
        for (i = 1; i < n - 1; i++) a[i] = x * b[i];"
    steps "a number that OpenMP gives each thread by $clause, set behind that" 2 "
        #pragma omp parallel $clause
        $region
        x = 0.5; for (i = 1; i < n - 1; i++) a[i] = x * b[i];"
done
for construct in task target; do
    steps "a number of its own that OpenMP gives a $construct" no "
        #pragma omp $construct
        x = t * 0.25;
        #pragma omp taskwait
        for (i = 1; i < n - 1; i++) b[i] = x * a[i - 1];
        $swap"
done
steps 'an array that OpenMP gives each thread' 0 '
        #pragma omp parallel firstprivate(v)
        { v[lo] = 0.5;
        #pragma omp for
        for (i = 1; i < n - 1; i++) b[i] = v[1] * a[i - 1]; }
        for (i = 1; i < n - 1; i++) a[i] = v[1] * b[i];' '' 'double v[2] = {1, 0.25};'
own='#pragma omp parallel for num_threads(2)
        for (i = 1; i < n - 1; i++) b[i] = own'
steps 'a variable that each thread has by its type' 0 "own0 *= 0.75;
        ${own}0 * a[i - 1];
        $swap" 'static __thread double own0;' 'own0 = 0.5;'
steps 'a variable that each thread has by OpenMP' 0 "own1 *= 0.75;
        ${own}1 * a[i - 1];
        $swap" 'static double own1 = 0.5;
#pragma omp threadprivate(own1)' 'own1 = 0.5;'
steps 'a maximum over cells that OpenMP gives each thread' 0 '
        #pragma omp parallel for firstprivate(lo)
        for (i = 1; i < n - 1; i++) for (int k = 0; k < 4; k++) { p[i][k] = q[i - 1][k] * 0.5; lo = lo > i + k ? lo : i + k; }
        for (i = 1; i < n - 1; i++) for (int k = 0; k < 4; k++) q[i][k] = p[i][k];
        if (lo > 5) break;' '' 'double (*p)[4] = (void *)double_array(4 * (size_t)n, 9), (*q)[4] = (void *)double_array(4 * (size_t)n, 8); a = (double *)p; b = (double *)q;'
steps 'a number that each thread adds to, one after the other' no "
        #pragma omp parallel num_threads(2)
        {
        #pragma omp atomic
        lo += 2;
        #pragma omp barrier
        #pragma omp for
        for (i = 1; i < n - 1; i++) b[i] = lo * a[i - 1]; }
        $swap"
steps 'a number of each thread that its cells count' no '
        lo = 0;
        #pragma omp parallel for num_threads(2) schedule(static) firstprivate(lo)
        for (i = 1; i < n - 1; i++) { b[i] = 0.5 * a[i - 1] + lo; lo++; }
        for (i = 1; i < n - 1; i++) a[i] = b[i];'
steps 'a number that becomes a sum of what each thread adds' no "
        #pragma omp parallel num_threads(2) reduction(+ : lo)
        { lo += 2;
        #pragma omp for
        for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1]; }
        for (i = 1; i < n - 1; i++) a[i] = b[i] + lo;"
steps 'elements that each thread adds to' no "
        for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1];
        #pragma omp parallel private(i) num_threads(2)
        #pragma omp critical
        for (i = 1; i < n - 1; i++) b[i] += 1;
        $swap"
steps 'a maximum over the cells of each thread, then of all' 1 '
        double most = 0;
        #pragma omp parallel num_threads(2)
        { double own = 0;
        #pragma omp for
        for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) { q[k][o] = 0.5 * p[k - 1][o]; own = fmax(own, fabs(q[k][o] - p[k][o])); }
        #pragma omp critical
        if (own > most) most = own; }
        for (int k = 1; k < n - 1; k++) for (int o = 1; o < 11; o++) p[k][o] = q[k][o];
        if (most < 0.01) break;' '' 'double (*p)[12] = (void *)double_array(12 * (size_t)n, 5), (*q)[12] = (void *)double_array(12 * (size_t)n, 6); a = p[0]; b = q[0];'
cells 'a loop that is another for another compiler' 0 'b[i] = a[i - 1] * W_;' '#ifdef __clang__
#define W_ 0.5
#else
#define W_ 0.25
#endif'
cells 'a function that is another where compilers optimise' 0 \
    'b[i] = halved(a[i - 1]);' '#ifdef __OPTIMIZE__
static double halved(double v) { return v * 0.5; }
#else
static double halved(double v) { return v * 0.25; }
#endif'
# apart NAME STATEMENT FOR_CLANG FOR_OTHERS: cells by a declaration that others see otherwise.
apart() {
    cells "$1 that is another for another compiler" no "$2" "#ifdef __clang__
$3
#else
$4
#endif"
}
apart 'a type' 'b[i] = a[i - 1] * (own_type)(0.3 * i);' 'typedef float own_type;' 'typedef double own_type;'
apart 'a table' 'b[i] = a[i - own_table[1]];' 'static const int own_table[] = {0, 1};' 'static const int own_table[] = {1, 0};'
apart 'an enumerator' 'b[i] = a[i - OWN];' 'enum { OWN = 1 };' 'enum { OWN };'
apart 'a parameter' 'b[i] = own_half(a[i - 1]);' 'static double own_half(float v) { return v * 0.5; }' 'static double own_half(double v) { return v * 0.5; }'
apart 'the type of a variable' 'b[i] = t - own_number < 100 ? a[i - 1] : a[i + 1];' 'static int own_number = 3;' 'static unsigned int own_number = 3;'
apart 'the type of a member' 'b[i] = a[i - 1] * own_record.v;' 'static struct { float v; } own_record = {0.3f};' 'static struct { double v; } own_record = {0.3f};'
cells 'what compilers see otherwise and the loop does not use' 2 \
    'b[i] = a[i - 1] * FACTOR;' '#ifdef __clang__
static double unused(double v) { return v * 0.5; }
#endif
#if __GNUC__ > 3
#define FACTOR 0.75
#endif'
numbers 'binary numbers and their types' 2 'whole[i] = (whole[i] + (0b101u > -1) + 0b11l * 1000000000 % 7 + 0B1 / 2) % 100;'
same 'a scalar that the loops write by way of a pointer' 0 '' 'double *p = &x;' \
    'for (t = 0; t < T; t++) for (i = 0; i < 1; i++) p[i] = p[i] * 0.5 + x;'
cells 'a temporary by its bytes' 0 '{ double z = a[i - 1]; *(unsigned char *)&z = 0; b[i] = z; }'
steps 'a number of the function by another sign' 0 "*(unsigned *)&lo += 3; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * lo; $swap"
shorter='*p -= 1; for (i = 1; i < end - 1; i++) b[i] = 0.5 * a[i - 1]; for (i = 1; i < end - 1; i++) a[i] = b[i];'
steps 'the end of a sweep by a pointer of another sign' 0 "$shorter" '' 'int end = n; unsigned *p = (unsigned *)&end;'
steps 'the end of a sweep of the file by a pointer' 0 "$shorter" 'static int end;' 'end = n; unsigned *p = (unsigned *)&end;'
steps 'the end of a sweep that is a member by a pointer' 0 "$(echo "$shorter" | sed 's/end/end.v/g')" '' 'struct { int v; } end = {n}; int *p = &end.v;'
steps 'variables without an address' 2 "k += 0.125; for (register int o = 1; o < n - 1; o++) b[o] = k * a[o - 1]; other_ = a; a = b; b = other_;" '' 'register double k = 0.5, *other_;'
cells 'a number that is volatile by its typedef' no 'b[i] = moving * a[i - 1];' 'typedef volatile double moving_; static moving_ moving = 2;'
steps 'halves and thirds of a grid' 1 'for (i = n / 3; i < (n + 1) / 2; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = n / 3; i < (n + 1) / 2; i++) a[i] = b[i];'

steps "another file's function with the name of one of C++" no \
    "for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 1; i < n - 1; i++) a[i] = b[i]; exchange(a, b);" \
    'void swap(double *, double *) __asm__("own_swap");
void own_swap(double *v, double *w) { v[1] = 2 * w[1]; }
static void exchange(double *v, double *w) { swap(v, w); }'

# What libclang has no kind for, and what the device language has other words for.
cells 'a value or else another' 0 'b[i] = a[i - 1] + (m ?: nothing[i]);'
cells 'one of two expressions' 0 'b[i] = a[i - 1] + __builtin_choose_expr(1, 0.5, nothing[i]);'
steps 'an edge behind an unclear condition, on a grid that is smaller than any radius' 0 "for (unsigned k = 0; k < 5; k++) b[k] = k > 0.5 ? a[k - 1] : 1; $swap"
cells 'a condition that is a number with a fraction' 2 'b[i] = a[i] * 0 ? a[i - 1] : a[i] - 0.25 ? a[i + 1] * 0.5 : 3;'
cells 'elements and members at the place that a temporary tells, with names of variables around' 2 \
    '{ int j = 1, t = 2; b[i] = a[i - 1] * c[j].v + (t < 3 ? c[t].w + other[t] : 0); }' '' 'struct pair *c = (struct pair *)double_array(20, 9); j = 3; t = 4; for (int k = 0; k < 10; k++) c[k].w = k % 7;'
cells 'a member at two places of one temporary' 2 \
    '{ int j = 1; double s = c[j].v; j = 2; b[i] = a[i - 1] * s + c[j].v; }' 'struct couple { double v; int w; };' 'struct couple *c = (struct couple *)double_array(20, 9);'
cells 'a member at the place that a temporary tells, in the state' 0 '{ int j = 2; b[i] = a[i - 1] * ((struct other *)a)[j].v; }' 'struct other { double v; };'
same 'planes that run into one another' 0 '' 'int p = 3, r = 3;' \
    'for (t = 0; t < T; t++) for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) for (int k = 0; k < 1; k++) a[i * p + j * r + k] = a[i * p + j * r + k] * 0.5 + 0.25;'
cells 'parameters and variables with names of devices' 2 \
    'b[i] = scaled(a[i - 1], i);' 'static double scaled(double half, int kernel) { const double LOOP = half * kernel; return LOOP * 0.25; }'
steps "reads that conditions joined by &, * and | keep within the array" 2 \
    "for (i = 0; i < n; i++) b[i] = (i > 0 & a[i] > 0.3 ? a[i - 1] : 1) - ((i > 0) * (a[i] < 2) ? a[i - 1] : 2) + (i < 1 | a[i] > 0.9 ? 3 : a[i - 1]); $swap" "" ""
same "three arrays with a border that C never reads, before the array" 0 "" "double *d = double_array((size_t)n, 5);" \
    "for (t = 0; t < T; t++) { for (i = 0; i < n / 3; i++) for (j = 0; j < 3; j++) d[i * 3 + j] = (whole[i * 3 + j] > 200 ? a[i * 3 + j - 1] : a[i * 3 + j]) - 0.5 * b[i * 3 + j];
        swap = b; b = a; a = d; d = swap; }"
wave="for (i = 2; i < n - 2; i++) d[i] = 0.75 * (a[i - 2] + a[i + 1]) - b[i];"
third='double *d = double_array((size_t)n + 1, 5); whole = (int *)d; other = whole + n;'
steps 'three arrays by copies of the domain' 2 "$wave for (i = 2; i < n - 2; i++) b[i] = a[i]; for (i = 2; i < n - 2; i++) a[i] = d[i];" '' "$third"
steps 'three arrays by copies of all, whose borders differ' 0 "$wave for (i = 0; i < n; i++) b[i] = a[i]; for (i = 0; i < n; i++) a[i] = d[i];" '' "$third"
steps 'three arrays by copies of more, with borders that differ where C reads none' 2 \
    "$wave for (i = -1; i < n; i++) b[i] = a[i]; for (i = -1; i < n; i++) a[i] = d[i];" '' "$third a = double_array((size_t)n + 1, 7) + 1; b = double_array((size_t)n + 1, 8) + 1; d++; whole = (int *)(a - 1); other = (int *)(b - 1); d[0] = a[0]; d[1] = a[1]; d[n - 2] = a[n - 2];"
steps 'three arrays by two copies in one loop' 2 \
    "$wave for (j = 0; j < n; j++) { b[j] = a[j]; a[j] = d[j]; }" '' "$third d[0] = a[0]; d[1] = a[1]; d[n - 2] = a[n - 2]; d[n - 1] = a[n - 1];"
steps 'three arrays by memcpy, of more at one side' 2 \
    "$wave memcpy(b + 1, a + 1, (n - 3) * sizeof *b); memcpy(a, d, (n - 2) * sizeof *a);" '' "$third d[0] = a[0]; d[1] = a[1];"
steps 'three arrays by copies, of which one leaves cells out' 0 \
    "$wave for (i = 3; i < n - 2; i++) b[i] = a[i]; memcpy(a, d, (n - 2) * sizeof *a);" '' "$third d[0] = a[0]; d[1] = a[1];"
same 'three arrays by copies, two of which are one' 0 '' "$third double *c = a;" \
    "for (t = 0; t < T; t++) { for (i = 2; i < n - 2; i++) d[i] = 0.75 * (c[i - 2] + c[i + 1]) - b[i];
        for (i = 2; i < n - 2; i++) b[i] = c[i]; for (i = 2; i < n - 2; i++) c[i] = d[i]; d = a; }"
steps "an if beside the sweeps that changes what they read" 2 \
    "for (i = 1; i < n - 1; i++) b[i] = y * (a[i - 1] + a[i + 1]); $swap if (t % 2 == 1) { y *= 0.5; a[3] += 1; }" "" ""
steps "an if beside the sweeps whose condition follows the time by a pointer" 0 \
    "for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; $swap if (*p % 2 == 1) a[3] += x;" "" "int *p = &t;"
steps "an if beside the sweeps that moves the time" 2 "for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + t * a[i + 1]; $swap if (t == 1) t++;" "" ""
cells "three time levels, of which the oldest is added to" 0 'b[i] += 0.5 * (a[i - 1] - a[i + 1]);' "" ""
same "two fields, each of which is changed by the other" 2 "" "" \
    "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] -= 0.5 * (a[i + 1] - a[i]);
        for (i = 1; i < n - 1; i++) a[i] *= 0.5 * (b[i] - b[i - 1]); }"
steps "three time levels of whole numbers, of which the oldest is counted" 0 \
    'for (i = 1; i < n - 1; i++) if (whole[i - 1] > 2) other[i]++; else other[i] = whole[i + 1]; s = whole; whole = other; other = s;' "" "int *s;"
same 'hints for compilers, and directives of loops' 2 '' '' \
    "for (t = 0; t < T; t++) { __builtin_assume_aligned(a, 8); a = (double *)__builtin_assume_aligned(a, 8); __builtin_prefetch(b);
        #pragma GCC unroll 4
        for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); $swap }"
same 'variables of regions of their own, in a loop that data end' 1 '' 'int r = 8; x = 1; a = double_array(8 * n, 1), b = double_array(8 * n, 2);' \
    'while (x > 0.01) {
        #pragma omp parallel private(i, j)
        {
            #pragma omp for
            for (i = 0; i < n; i++) for (j = 0; j < r; j++) b[i * r + j] = a[i * r + j];
            #pragma omp for
            for (i = 1; i < n - 1; i++) for (j = 1; j < r - 1; j++) a[i * r + j] = 0.25 * (b[i * r + j - 1] + b[(i + 1) * r + j]);
        }
        x = 0;
        #pragma omp parallel for private(j) reduction(max : x)
        for (i = 1; i < n - 1; i++) for (j = 1; j < r - 1; j++) x = fmax(x, fabs(a[i * r + j] - b[i * r + j]));
    }'
steps 'heads that add to their variables' 2 \
    'for (i = 1; i + 1 < n; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (unsigned k = 1; k + 2u <= (unsigned)n; k++) a[k] = b[k];'
cells 'a size without a sign that goes around by the time' 0 '{ size_t z = t * 77; if (i < 4) z -= 90; b[i] = 0.5 * a[i - 1] + z % 9 * 0.5; }'
same 'numbers by an unsigned counter of time steps' 2 '' '' \
    "for (unsigned s = 0; s < 9; s++) { for (i = 2; i < n; i++) if (s % 2 == 0) b[i] = 0.2 * a[i - 2] + 0.1 * a[i - 1]; else b[i] = 0.2 * a[i - 2] - 0.5 * a[i - 1];
        for (i = 2; i < n; i++) a[i] = b[i]; }"
same 'sums in heads of loops, with and without a sign' 2 '' 'unsigned long size = n; short small = n;' \
    "for (t = 0; t < T; t++) { for (unsigned k = 1; k + 1 < n; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]); for (int k = 1; k + lo < size; k++) a[k] = b[k];
        for (long k = 1; size > 1 + k; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]); for (unsigned long k = 1; small - lo >= k + 1; k++) a[k] = b[k]; }"
steps 'sums that go around none' 0 \
    'for (int k = 1; k + lo < size; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]); for (int k = 1; k + lo < size; k++) a[k] = b[k];' '' 'unsigned size = none, two = n;'
steps 'a summand that is negative' 0 \
    'for (unsigned k = 1; k + lo < size; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]); for (unsigned k = 1; k + lo < size; k++) a[k] = b[k];' '' 'unsigned size = n - 3; lo = -1;'
steps 'a negative summand with a sign' 2 'for (i = 2; i + lo < n - 3; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 2; i - 1 < n - 3; i++) a[i] = b[i];' '' 'lo = -1;'
steps 'a sum that would go around' 0 "for (int k = lo; k + 1 < size; k++) b[k] = 0.5 * (a[k - 1] + a[k + 1]); $swap" '' 'unsigned size = n;'
steps 'a head that adds to its variable, up to a size of none' 0 "for (unsigned k = 0; k + 1 < (unsigned)none; k++) b[k] = 0.5 * a[k]; $swap"
# rows NAME RAN BEFORE [STATEMENTS [FUNCTIONS]]: in blocks whose rows have as many elements as a variable says.
rows() {
    steps "rows of a size $1" "$2" "${4:-} for (int k = 1; k < n - 1; k++) for (int o = 1; o < 5; o++) q[k][o] = 0.25 * (p[k - 1][o] + p[k + 1][o] + p[k][o - 1] + p[k][o + 1]);
        for (int k = 1; k < n - 1; k++) for (int o = 1; o < 5; o++) p[k][o] = q[k][o];" "${5:-}" "a = double_array(9 * (size_t)n, 5), b = double_array(9 * (size_t)n, 6); $3"
}
sized='int r = 7; double (*p)[r] = (void *)a, (*q)[r] = (void *)b;'
rows 'that a variable says' 2 "$sized"
rows 'of a type that has a name' 2 "int d = 7; typedef double line[d]; line *p = (void *)a, *q = (void *)b;"
rows 'that another variable said' no "int d = 7; typedef double line[d]; line *p = (void *)a, *q = (void *)b; d = 9;"
rows 'that a variable said before it was set' no "$sized r = 9;"
rows 'that it said before each time step' 2 "$sized" 'r = 8 - t % 2;'
rows 'that a variable counts' no 'int r = 7; double (*p)[r++] = (void *)a, (*q)[--r] = (void *)b;'
rows 'that each time step sets a variable of all files to' no "size_ = 7; double (*p)[7] = (void *)a, (*q)[7] = (void *)b; void *v = a, *w = b;" \
    'mean(n, v, w, size_); mean(n, w, v, size_); size_ = 8 - t % 2;' 'static int size_;
static void mean(int n, double (*p)[size_], double (*q)[size_], int size) { for (int k = 1; k < n - 1; k++) for (int o = 1; o < 5; o++) q[k][o] = 0.5 * p[k - 1][o]; }'
rows 'by a name that means another where the loops stand' no "size_ = 7; double (*p)[7] = (void *)a, (*q)[7] = (void *)b; void *v = a, *w = b; int size_ = 9;" \
    'mean(n, v, w, size_); mean(n, w, v, size_);'
same 'a number that is set again before the time loop' no '' '' "    int k = lo; lo = 3; for (t = 0; t < T; t++) { for (i = 1; i < n - k; i++) b[i] = a[i - 1] * 0.5; $swap }"
same 'a variable of the file that is' no 'static int size2_ = 1;' '' "    int k = size2_; size2_ = 3; for (t = 0; t < T; t++) { for (i = 1; i < n - k; i++) b[i] = a[i - 1] * 0.5; $swap } size2_ = 1;"
same 'arrays that change places before the time loop' no '' '' "    $swap for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); for (i = 1; i < n - 1; i++) a[i] = b[i]; }"
steps 'rows of two lengths in one block' no 'double (*r)[11] = (void *)p;
        for (int k = 1; k < n - 1; k++) for (int o = 1; o < 5; o++) q[k][o] = 0.5 * r[k - 1][o];
        for (int k = 1; k < n - 1; k++) for (int o = 1; o < 5; o++) p[k][o] = q[k][o];' '' 'double (*p)[9] = (void *)double_array(12 * (size_t)n, 5), (*q)[9] = (void *)double_array(12 * (size_t)n, 6); a = p[0], b = q[0];'
steps 'a block within an expression' 0 "for (i = 1; i < n - 1; i++) b[i] = ({ double v = a[i - 1]; v * 0.5; }); $swap"
cells 'a macro that names itself' 0 'b[i] = a[i - 1] * k_;' 'static double k_ = 0.5;
#define k_ (k_ + 1)'
compare
numbers 'a char that has no sign by a flag' 2 '{ char c = whole[i] * 5; whole[i] = c / 3 + (char)(whole[i] * 3); }'
cells 'enumerations that are narrow by a flag' 2 'b[i] = a[i - 1] * (enum narrow)(i & 1) + N2_ - e;' 'enum narrow { N0_, N1_, N2_ };' 'enum narrow e = N1_;'
compare '-funsigned-char -fshort-enums' '-funsigned-char -fshort-enums'
program 'double floor(double) __asm__("another_floor");' '' \
    "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + floor(a[i]); $swap }"
fails 2 floor 'a function of the C library by name alone: refused by name' "$gzc" x.c -o made.c
language=cpp standard=-std=gnu++17
cells 'words for signs, behind which an array is read that is not there' 2 'b[i] = a[i - 1] + (none and nothing[i]) + (not (m or nothing[i])) + (i bitand compl 2);'
steps 'arrays that change places' 0 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); for (i = 1; i < n - 1; i++) p[i] = q[i]; std::swap(p, r);' '' 'static double p[40], q[40], r[40]; for (i = 0; i < n; i++) p[i] = a[i], r[i] = b[i]; a = p;'
cells 'a place that is computed behind what is assigned there' 2 '{ int k = i; b[k++] = 0.5 * a[k - 1] + 0.25 * a[k]; }'
cells 'functions of one name' 2 \
    'b[i] = one::f(a[i - 1]) - two::f(a[i]) + two::f(i);' 'namespace one { static double f(double v) { return v * 2; } } namespace two { static double f(double v) { return v * 3; } static int f(int v) { return v; } }'
same 'std::min and std::max, of NaN, zeros of both signs and whole numbers' 2 '' '' \
    "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = std::copysign(1.0, std::max(a[i - 1] * 0, -a[i] * 0)) + std::copysign(0.5, std::min(-a[i] * 0, a[i + 1] * 0))
        + (std::min(std::sqrt(-1 - a[i] * a[i]), a[i]) == a[i]) + 2 * (std::max<double>(a[i], std::sqrt(-1 - a[i] * a[i])) == a[i]) + 0.1 * std::max(whole[i], std::min(7, i)) + std::min(float(i), 2.5f); $swap }"
steps 'vectors by index, that change places' 2 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); p.swap(q);' '#include <vector>' 'std::vector<double> p(a, a + n), q(b, b + n); a = p.data(), b = q.data();'
steps 'vectors of vectors, up to their size' 2 \
    'for (i = 1; i < p.size() - 1; i++) for (j = 1; j < n - 1; j++) q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] * p[i][j + 1]); for (i = 1; i < p.size() - 1; i++) for (j = 1; j < n - 1; j++) p[i][j] = q[i][j];' '#include <vector>' 'std::vector<std::vector<double>> p(7, std::vector<double>(a, a + n)), q(7, std::vector<double>(b, b + n)); a = p[3].data(), b = q[3].data();'
for way in 'const double &way = z;' 'auto way = [&] { return z; };' 'auto way = [&r = z] { return r; };'; do
    same "a temporary that C++ reaches by $way" 0 '' "double z = 0; $way" \
        "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) { z = a[i - 1]; b[i] = z * a[i + 1]; } $swap }"
done
steps 'a vector that is assigned back' 2 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); p = q;' '#include <vector>' 'std::vector<double> p(a, a + n), q(p); a = p.data(), b = q.data();'
same 'a vector of another size that is assigned back' 0 '#include <vector>' 'std::vector<double> p(a, a + n), q(n + 3, 0.5);' \
    'for (t = 0; t < T; t++) { for (i = 1; i + 1 < n; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); p = q; } a = p.data(); b = q.data();'
steps 'vectors whose allocator stands before their data' 0 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); for (i = 1; i < n - 1; i++) p[i] = q[i];' '#include <vector>
template <class T> struct own { using value_type = T; T *first; own(T *first) : first(first) {} T *allocate(size_t k) { return new T[k]; }
void deallocate(T *, size_t) {} bool operator==(const own &) const { return true; } bool operator!=(const own &) const { return false; } };' \
    'std::vector<double, own<double>> p(a, a + n, own<double>(double_array(n, 5))), q(b, b + n, own<double>(double_array(n, 6))); a = p.data();'
steps 'a vector by two names' 0 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]); for (i = 1; i < n - 1; i++) p[i] = q[i];' '#include <vector>' 'std::vector<double> p(a, a + n), &q = p; a = p.data();'
same 'vectors that change places with their sizes' 2 '#include <vector>' 'std::vector<double> p(a, a + n), q(p), r(p); q.resize(n + 1, 0.5); r.resize(n + 2, 0.5);' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) r[i] = 0.5 * (q[i - 1] + q[i + 1]) - p[i]; std::swap(p, q); q.swap(r); }
#pragma endscop
    a = p.data(), b = q.data(), x = 100 * p.size() + 10 * q.size() + r.size();
#pragma scop
    for (t = 0; t < 0; t++) for (i = 1; i < n - 1; i++) whole[i] = other[i];'
steps 'vectors of vectors that change places' 2 \
    'for (i = 1; i < 7; i++) for (j = 1; j < n - 1; j++) q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] * p[i][j + 1]); std::swap(p, q);' '#include <vector>' 'std::vector<std::vector<double>> p(8, std::vector<double>(a, a + n)), q(p); a = p[3].data(), b = q[3].data();'
same 'an array of vectors by parity' 0 '#include <vector>' 'std::vector<double> p[2] = {std::vector<double>(a, a + n), std::vector<double>(a, a + n)};' \
    'for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) p[(t + 1) % 2][i] = 0.5 * (p[t % 2][i - 1] + p[t % 2][i + 1]);
    a = p[0].data(); b = p[1].data();'
same 'a template that is a function of two types' no 'template <class F> static void mean(F *p, F *q, int n, int T) {
#pragma scop
    for (int t = 0; t < T; t++) { for (int k = 1; k < n - 1; k++) q[k] = (p[k - 1] + p[k + 1]) / 3; std::swap(p, q); }
#pragma endscop
}' 'mean((float *)a, (float *)b, n, T); mean(a, b, n, T);' ''
steps 'numbers of namespaces, with the names of others' 2 "for (i = 1; i < n - 1; i++) b[i] = physics::x * a[i - 1] + physics::inner::scaled(a[i]); $swap" \
    'namespace physics { static double x = 0.25; namespace inner { static double z = 0.125; static double scaled(double v) { return v * z; } } } static double z = 7;'
counted='static int count; struct counted { double by = 0.5; counted() { count++; } ~counted() { count += 10; } };'
steps 'an object that counts its beginnings and ends' 0 "counted one; for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + count; $swap" "$counted"
cells 'an object of a function that does, too' 0 'b[i] = counting(a[i - 1]);' 'static double counting(double v) { counted one; return v * count; }' 'count = 0;'
cells 'a structure whose members begin with values' 0 '{ begun one; one.by += a[i - 1]; b[i] = one.by * 0.5; }' 'struct begun { double by = 0.5; };'
steps 'a member that all objects share, by one of them' no \
    "all::v += t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * one.v; $swap" 'struct all { static int v; static constexpr double scale = 0.5; }; int all::v = 3;' 'all one;'
steps 'a number that all objects share, by its class' no "all::v += t; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * all::v + (0 < all::scale); $swap"
cells 'a constant that the first call sets' 0 'b[i] = first(a[i - 1]);' 'static double first(double v) { static const double k = v; return v * k; }'
cells 'a constant that the compiler sets' 2 'b[i] = given(a[i - 1]);' 'static double given(double v) { static const double k = 0.25 * 2; return v * k; }'
grid='struct grid { double *p, *q; int n; double k; double &at(int i) { return p[i]; } const double &at(int i) const { return q[i]; } double more(double v) const { return k * v; } grid &self() { return *this; }
void sweep() { for (int i = 1; i < n - 1; i++) q[i] = more(at(i - 1) + this->at(i + 1)); } void step() { sweep(); double *h = p; p = q; q = h; } };'
steps 'methods of an object' 1 'one.step(); a = one.p; b = one.q;' "$grid" 'grid one{a, b, n, 0.4};'
steps 'methods by their constness, by another name of the object' 0 \
    "for (i = 1; i < n - 1; i++) one.q[i] = one.more(one.at(i - 1) - 0.5 * two.at(i)); for (i = 1; i < n - 1; i++) one.self().at(i) = two.at(i);" '' 'grid one{a, b, n, 0.4}; const grid &two = one;'
steps 'the same member of two classes' 0 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + o.below::z - o.z; $swap o.below::z += 1; o.z *= 0.5; x = o.z + o.below::z;" \
    'struct below { double z; }; struct above : below { double z; };' 'above o; o.below::z = 1, o.z = 2;'
steps 'by a method' 0 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + o.get(); $swap o.z *= 0.5;" \
    'struct lower { double z; }; struct upper : lower { double z; double get() const { return z - lower::z; } };' 'upper o; o.lower::z = 1, o.z = 2;'
steps 'a method of the second of two classes' 0 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + o.get(i); $swap o.z += 1;" \
    'struct left { double q; }; struct right { double z; double get(int i) const { return z * i; } }; struct both : left, right {};' 'both o; o.q = 7, o.z = 2;'
steps 'a virtual method' 0 "for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i - 1] + o.get(i); $swap" \
    'struct some { double z = 2; virtual double get(int i) const { return z * i; } }; struct other_some : some { double get(int i) const override { return -z * i; } };' 'other_some own; some &o = own;'
steps 'a reference that a function returns' 1 "for (i = 1; i < n - 1; i++) { double &r = element(b, i); r = 0.5 * element(a, i - 1); element(b, i) += r; } $swap counted(lo) += 2;" \
    'static double &element(double *p, int i) { return p[i]; } static int &counted(int &k) { k++; return k; }'
steps 'a number by a reference' 2 \
    'for (i = 1; i < n - 1; i++) q[i] = 0.5 * (p[i - 1] + p[i + 1]) * k; for (i = 1; i < n - 1; i++) p[i] = q[i];' '#include <vector>' 'std::vector<double> p(a, a + n), q(b, b + n); a = p.data(); double &k = b[1];'
steps 'a pointer into a vector' 0 \
    'for (i = 1; i < n - 1; i++) q[i - 1] = 0.5 * (p[i - 1] + p[i + 1]); for (i = 1; i < n - 1; i++) p[i] = q[i];' '#include <vector>' 'std::vector<double> p(a, a + n); a = p.data(); double *q = a + 1;'
cells 'functions of namespace std, of several types' 2 'b[i] = 0.1 * std::copysign(whole[i], a[i - 1] - 0.5f) + std::fmod(float(i), 0.3) + std::sqrt(other[i]);'
cells 'functions of namespace std, which know float' 2 "b[i] = std::sqrt(float(i)) + std::abs(a[i] - 0.5) - std::abs(i - 5) / 2 + std::floor(a[i - 1] * 1'0.5f);"
compare '' ''
program 'namespace mine { double floor(double); }' '' \
    "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + mine::floor(a[i]); $swap }"
mv x.c x.cpp
fails 2 floor "a namespace's own function with a name of the C library's: refused by name" "$gzc" x.cpp -o made.cpp
program '#include <vector>' 'std::vector<double> p(a, a + n), q(b, b + n + 3);' \
    'for (t = 0; t < T; t++) { for (i = 1; i < (int)p.size() - 1; i++) q[i] = p[i - 1]; p.swap(q); }'
mv x.c x.cpp
fails 2 'the size of a vector' 'the size of a vector that changes places: refused by name' "$gzc" x.cpp -o made.cpp
language=c standard=-std=gnu11

# run_on_device: what x.c prints as C and after gzc on opencl:0, in expected and got.
compile_quickly
compile_inside
run_on_device() {
    "$gzc" x.c -o made.c -- -std=gnu11 2> err && $cc -std=gnu11 -w "$optimised" -ffp-contract=off -fopenmp x.c -o plain -lm &&
        link_gzstencil -std=gnu11 -fopenmp made.c -o made && ./plain > expected && GZ_DEVICE=opencl:0 GZ_REPORT=1 ./made > got 2> err
}

# On a device: arrays at whose edge memory ends, where C, as the data are, reads nothing.
program '#include <sys/mman.h>
static double *at_the_edge(const double *from, int n) {
char *p = mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
mprotect(p, 1 << 16, PROT_NONE);
double *a = (double *)(p + (1 << 16));
for (int i = 0; i < n; i++) a[i] = from[i];
a[0] = -1;
return a; }' 'a = at_the_edge(a, n), b = at_the_edge(b, n);' \
    "for (t = 0; t < T; t++) { for (i = 0; i < n - 1; i++) b[i] = a[i] > 0 ? a[i - 1] + a[i + 1] : a[i] * 0.5; $swap }"
run_on_device
cmp -s expected got && [ "$(grep -c 'original loops run: a border of its arrays lies where nothing can be read' err)" -eq 2 ]
on_device err 'memory that C does not read is not read'

# On a device, since only libgzstencil was wrong: the second border is that of one axis alone.
program '' 'a = double_array(11 * n, 9), b = double_array(11 * n, 8); double (*p)[11] = (void *)a, (*q)[11] = (void *)b;' \
    'for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) for (j = 0; j < 11; j++) q[i][j] = 0.5 * p[i + 1][j] + (j + 2 < 11 ? 0.25 * p[i][j + 2] : 0); for (i = 0; i < n; i++) for (j = 0; j < 11; j++) p[i][j] = q[i][j]; }'
run_on_device
diff expected got >> err && [ "$(grep -c ' on opencl:0: ' err)" -eq 2 ]
on_device err 'another border from the second loop on, along one axis of two'

program '' '' "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) if (int q = i % 3; q > 1) b[i] = a[i - 1]; else b[i] = a[i + 1]; $swap }"
mv x.c x.cpp
fails 2 'an if: ' 'an if that declares a variable: refused by name' "$gzc" x.cpp -o made.cpp -- -std=gnu++17
program "$window" "$begin" "for (t = 0; t < T; t++) { $(echo "$masked" | sed 's/i + 3/i + 4/') }"
fails 2 'weight\[i + 4\] is read under a condition on data, and may not be there$' \
    'a mask that keeps reads within the declared extents: refused by name' "$gzc" x.c -o made.c
program '' 'double **p = malloc(n * sizeof *p), **q = malloc(n * sizeof *q), **r;
    for (i = 0; i < n; i++) p[i] = calloc(4, 8), q[i] = calloc(4, 8), other[i] = i > 0 && i < n - 1;' \
    "for (t = 0; t < T; t++) { for (i = 0; i < n; i++) for (j = 0; j < 4; j++) if (other[i]) q[i][j] = p[i - 1][j] + p[i + 1][j];
    r = p; p = q; q = r; }"
fails 2 'p\[i - 1\]\[j\] is read under a condition on data, and may not be there$' \
    'a mask that keeps reads within the rows: refused by name' "$gzc" x.c -o made.c

# The compiler is given other macros than gzc was, and the same.
# given MACRO WHAT RAN: a loop by MACRO.
given() {
    same "$2" "$3" "#ifndef $1
#define $1 0.5
#endif" '' "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * $1; $swap }"
}
given W_ 'a macro that the compiler alone is given' no
compare '' -DW_=0.25
given W_ 'a macro that gzc alone is given' no
compare -DW_=0.25 ''
given W_ 'a macro with another value' no
compare -DW_=0.25 -DW_=0.125
given W_ 'a macro with the same value' 2
given X_ 'a macro with parameters of the same meaning' 2
compare '-DW_=0.25+0.5 -DX_=V_(3) -DV_(x)=x*0.25' '-DV_(x)=x*0.25 -DX_=V_(3) -DW_=0.25+0.5'

# The original loops, where contraction is what the compiler does by itself and the processor can.
# contracting FILE: the program of FILE, made so.
contracting() {
    $cc -std=gnu11 -w -O2 -march=native -ffp-contract=fast -I"$library" -fopenmp "$1" host.o -o "${1%.c}" -lm -ldl
}
program '' '' "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * dt + a[i + 1] * x; $swap }"
"$gzc" x.c -o made.c -- -std=gnu11 2> err &&
    $cc -std=gnu11 -w "$optimised" -ffp-contract=off -fopenmp x.c -o plain -lm && contracting made.c && contracting x.c &&
    ./plain > expected && ./x > contracted && ./made > got
cmp -s expected got
verdict $? 'the loops that stay are not contracted, whatever the flags' || note < err
if cmp -s expected contracted; then skip 'no flag makes this processor contract'; else verdict 0 'as the program itself then is'; fi

# The command line: a name that begins with @, a name with a quotation mark, a flag that writes.
program '' '' "for (t = 0; t < T; t++) { $sweep }"
cp x.c @x2.c
"$gzc" @x2.c -o made.c 2> err && grep -q gz_stencil_begin made.c
verdict $? 'a file whose name begins with @' || note < err
cp x.c 'x"3.c'
"$gzc" 'x"3.c' -o made.c 2> err && $cc -std=gnu11 -w -I"$library" -c made.c -o made.o 2>> err
verdict $? 'a file with a quotation mark in its name' || note < err
newline='x
4.c'
cp x.c "$newline"
"$gzc" "$newline" -o made.c 2> err && $cc -std=gnu11 -w -I"$library" -c made.c -o made.o 2>> err && grep -q '^#line 1 "x.n4.c"$' made.c
verdict $? 'a file with a newline in its name' || note < err
sed 's/a\[i - 1\]/a[i * i]/' x.c > "$newline"
fails 2 '^x?4.c:[0-9]*:[0-9]*: ' 'of which a refusal is one line' "$gzc" "$newline" -o made.c
{ printf '\357\273\277' && cat x.c; } > marked.c
"$gzc" marked.c -o made.c 2> err && $cc -std=gnu11 -w -I"$library" -c made.c -o made.o 2>> err
verdict $? 'a file that begins with a byte order mark' || note < err
{ printf '\357\273\277#if SIZE > 1\n#endif\n' && cat x.c; } > marked.c
"$gzc" marked.c -o made.c 2> err && $cc -std=gnu11 -w -I"$library" -c made.c -o made.o 2>> err && grep -q 'defined SIZE' made.c
verdict $? 'and behind it asks for a macro' || note < err
fails 2 '^"-fsingle-precision-constant" after "--"' 'a flag that would make constants others than the device has is refused' \
    "$gzc" x.c -o made.c -- -fsingle-precision-constant
fails 2 '^"-fwrapv" after "--"' 'one that gives sums of whole numbers another meaning, too' "$gzc" x.c -o made.c -- -fwrapv
program '#pragma STDC FENV_ACCESS ON' '' "for (t = 0; t < T; t++) { $sweep }"
fails 2 'flags of arithmetic' 'flags of arithmetic, which no device sets, are refused' "$gzc" x.c -o made.c
program '' '' "for (t = 0; t < T; t++) { $sweep }
#pragma endscop
#pragma scop
    for (t = 0; t < a[0]; t++) { $sweep }"
"$gzc" -k x.c -o made.c 2> err && [ "$(wc -l < err)" -eq 1 ] && [ "$(grep -c gz_stencil_begin made.c)" -eq 1 ]
verdict $? '-k leaves a loop that is refused and takes the other' || note < err
program '' 'struct { double v; } *p = (void *)a, *q = (void *)b;' "for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) { q[i] = p[i - 1]; q[i] = p[i + 1]; } }
#pragma endscop
#pragma scop
    for (t = 0; t < T; t++) { for (i = 1; i < n - 1; i++) { b[i] = a[i - 1]; b[i] += a[i + 1]; } $swap }"
"$gzc" -k x.c -o made.c 2> err && [ "$(wc -l < err)" -eq 1 ] && [ "$(grep -c gz_stencil_begin made.c)" -eq 1 ]
verdict $? '-k takes a loop though another cannot be written otherwise' || note < err
program '' 'volatile int v = 1;' "for (t = 0; t < T; t++) { v = t * 2; for (i = 1; i < n - 1; i++) b[i] = a[i - 1] * v; $swap }"
cp x.c x.cpp
"$gzc" x.cpp -o made.cpp 2> err && ${CXX:-c++} -w -I"$library" -fopenmp -c made.cpp -o made.o 2>> err
verdict $? 'a volatile scalar in C++' || note < err
program '' '' "for (t = 0; t < T; t++) { $sweep }
#pragma endscop
#pragma scop"
"$gzc" -k x.c -o made.c 2> err && [ "$(wc -l < err)" -eq 1 ] && grep -q gz_stencil_begin made.c
verdict $? '-k goes on where there is no loop' || note < err
finish
