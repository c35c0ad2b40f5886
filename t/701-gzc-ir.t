#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 701-gzc-ir - the intermediate representation that gzc makes of loops: kept texts, and programs that
# must be lowered whatever they hold. gzc verifies each before it prints it. GZ_SEED=N takes other
# random programs.
. "$(dirname "$0")/tap.sh"
needs_gzc
seed=${GZ_SEED:-1}

# lowers NAME: the C file on standard input, up to a line "IR", becomes what follows that line.
lowers() {
    cat > "$work/both"
    sed '/^IR$/,$d' "$work/both" > "$work/a.${language:-c}"
    sed '1,/^IR$/d' "$work/both" > "$work/expected"
    "$gzc" --ir "$work/a.${language:-c}" 2>&1 | sed '1d' > "$work/got"
    cmp -s "$work/expected" "$work/got"
    verdict $? "$1"
    diff "$work/expected" "$work/got" | note
}
lowers 'toggles, rotations and counts modulo a number are phis' << 'C'
void f(int *out, int m, int T)
{
#pragma scop
    int now = 0, odd = 1, ring = 2, a = 5, b = 6, c = 7, wide = 0, none = 0, late = 9;
    unsigned char byte = 254;
    _Bool side = 0;
    for (int t = 0; t < T; t++) {
        out[t] = now + odd + ring + a + wide + none + byte + side + late;
        now = 1 - now;
        odd ^= 3;
        ring = (ring + 2) % 5;
        int first = a;
        a = b, b = c, c = first;
        wide = (wide + 1) % 9;
        none = (none + m) % 2;
        byte = byte == 1 ? 254 : byte + 1;
        side = !side;
        late = now;
    }
#pragma endscop
}
IR
object out: int, 1 coordinates, written, escapes
loop 0
  while (t@0 < T)
  %26 = (long)t@0
  %33 = (int)byte@0
  out[%26] = ((((((((now@0 + odd@0) + ring@0) + a@0) + wide@0) + none@0) + %33) + (int)side@0) + late@0)
  %38 = (1 - now@0)
  int now@0 = 0 then %38
  int odd@0 = 1 then (odd@0 ^ 3)
  int ring@0 = 2 then ((ring@0 + 2) % 5)
  int a@0 = 5 then b@0
  int b@0 = 6 then c@0
  int c@0 = 7 then a@0
  int wide@0 = 0 then ((wide@0 + 1) % 9)
  int none@0 = 0 then ((none@0 + m) % 2)
  int late@0 = 9 then %38
  unsigned char byte@0 = (unsigned char)254 then (unsigned char)((%33 == 1) ? 254 : (%33 + 1))
  _Bool side@0 = (_Bool)0 then (_Bool)((side@0 != (_Bool)0) ? 0 : 1)
  int t@0 = 0 then (t@0 + 1)
drops now = now@0'
drops odd = odd@0'
drops ring = ring@0'
drops a = a@0'
drops b = b@0'
drops c = c@0'
drops wide = wide@0'
drops none = none@0'
drops late = late@0'
drops byte = byte@0'
drops side = side@0'
C
lowers 'types and conversions as C has them' << 'C'
unsigned char g[64];
void f(short s, unsigned n, float w)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        g[i] += s * w + 1.5f;
#pragma endscop
}
IR
object g: unsigned char, 1 coordinates, read, written, escapes
loop 0
  while (i@0 < n)
  %8 = (long)i@0
  r0 = g[%8]
  g[%8] = (unsigned char)((float)r0 + (((float)(int)s * w) + 1.5f))
  unsigned int i@0 = 0u then (i@0 + 1u)
C
lowers 'what is not understood stays a text, and variables go in and out' << 'C'
double g(double *);
void f(double *u, int n)
{
    double s = 0, x = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        s += g(u);
        u[i] = s * x;
    }
#pragma endscop
}
IR
object u: double, 1 coordinates, written, escapes
loop 0
  while (i@0 < n)
  r0 = opaque "s += g(u)" of s = s@0, u = u (cannot follow a call: g(u))
  %11 = (long)i@0
  u[%11] = (r0.s * x)
  int i@0 = 0 then (i@0 + 1)
  double s@0 = s then r0.s
drops s = s@0'
C
lowers 'copies and zeros are loops, other bytes stay a text; a volatile number that nothing else sees is a number' << 'C'
#include <string.h>
void f(double *u, double (*a)[9], double (*b)[9], int n, int T)
{
    volatile double factor = 0.5;
#pragma scop
    for (int t = 0; t < T; t++) {
        u[1] = factor * u[2];
        memcpy(a, b, n * sizeof *a);
        memset(b, 0, n * sizeof *b);
        memset(b, 1, n);
    }
#pragma endscop
}
IR
object u: double, 1 coordinates, read, written, escapes
object b[]: double, 2 coordinates, read, escapes
object a[]: double, 2 coordinates, written, escapes
loop 0
  while (t@0 < T)
  r0 = u[2l]
  u[1l] = (factor * r0)
  loop 1
    while (counter@1 < (long)n)
    loop 2
      while (counter@2 < 9l)
      r2 = b[][counter@1, counter@2]
      a[][counter@1, counter@2] = r2
      long counter@2 = 0l then (counter@2 + 1l)
    long counter@1 = 0l then (counter@1 + 1l)
  r4 = opaque "memset(b, 0, n * sizeof *b)" of b = b, n = n (cannot follow a call that sets bytes: memset(b, 0, n * sizeof *b))
  r5 = opaque "memset(b, 1, n)" of b = b, n = n (cannot follow a call that sets bytes: memset(b, 1, n))
  int t@0 = 0 then (t@0 + 1)
C
language=cpp lowers 'size(), data(), back() and front() of a vector' << 'C'
namespace std {
template <class T> struct vector {
    T *begin_, *end_;
    T &operator[](unsigned long i) { return begin_[i]; }
    T &front() { return *begin_; }
    T &back() { return end_[-1]; }
    T *data() { return begin_; }
    unsigned long size() const { return end_ - begin_; }
};
}
void f(std::vector<double> &u, int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < u.size(); i++)
            u[i] += 1;
        u.back() = u.front() + u.data()[3];
    }
#pragma endscop
}
IR
object u->data(): double, 1 coordinates, read, written, escapes
object u.size(): unsigned long, 1 coordinates, read, escapes
object u.data(): double *, 1 coordinates, read, escapes
loop 0
  while (t@0 < T)
  loop 1
    while ((unsigned long)i@1 < *u.size())
    %15 = (long)i@1
    r0 = u->data()[%15]
    u->data()[%15] = (r0 + (double)1)
    int i@1 = 1 then (i@1 + 1)
  r2 = u->data()[0l]
  r3 = u->data()[3l]
  %28 = (long)(*u.size() - 1ul)
  u->data()[%28] = (r2 + r3)
  int t@0 = 0 then (t@0 + 1)
C
lowers 'goto and return out of the region, switch, a function with a loop' << 'C'
static int sum(const int *a, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++) {
        if (a[k] < 0)
            return -1;
        s += a[k];
    }
    return s;
}
int f(int *a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (a[i]) {
        case 1:
            a[i] = 2;
        case 2:
            a[i] += 3;
            break;
        case 7:
            goto out;
        default:
            a[i] = sum(a, i);
        }
        if (a[i] > 100)
            return i;
    }
#pragma endscop
out:
    return 0;
}
IR
object a: int, 1 coordinates, read, written, escapes
loop 0
  while ((broken@0 != 0) ? 0 : (i@0 < n))
  %11 = (long)i@0
  r0 = a[%11]
  %14 = (r0 == 1)
  a[%11] = 2 if %14
  %16 = (r0 == 2)
  %17 = (%16 ? 1 : %14)
  r2 = a[%11] if %17
  a[%11] = (r2 + 3) if %17
  %22 = (r0 == 7)
  leave by "goto out" if %22
  %23 = (%14 ? 1 : %16)
  %25 = (%23 ? 0 : (%22 ? 0 : 1))
  loop 1 if %25
    while ((broken.1@1 != 0) ? 0 : (k.1@1 < i@0))
    %35 = (long)k.1@1
    r5 = a[%35]
    %38 = (r5 < 0)
    int jump.1@1 = 0 then (%38 ? 1 : jump.1@1)
    int s.1@1 = 0 then (%38 ? s.1@1 : (s.1@1 + r5))
    int k.1@1 = 0 then (%38 ? k.1@1 : (k.1@1 + 1))
    int broken.1@1 = 0 then (%38 ? 1 : broken.1@1)
    int return.1@1 = undefined then (%38 ? -1 : return.1@1)
  a[%11] = ((%23 ? 0 : (%22 ? 0 : ((jump.1@1' != 0) ? 0 : 1))) ? s.1@1' : return.1@1') if %25
  %55 = (%17 ? 1 : %25)
  r7 = a[%11] if %55
  %59 = (%55 ? (r7 > 100) : 0)
  leave by "return i" with i@0 if %59
  int i@0 = 0 then (%59 ? i@0 : (%22 ? i@0 : (i@0 + 1)))
  int broken@0 = 0 then (%59 ? 1 : (%22 ? 1 : broken@0))
C
lowers 'pointers in an array that change places; copies and memory set to zero' << 'C'
#include <string.h>
void f(float *x, float *y, float *z, int n)
{
    float *ring[3] = {x, y, z};
#pragma scop
    for (int t = 0; t < 9; t++) {
        memset(ring[2], 0, n * sizeof(float));
        memcpy(ring[1] + 1, ring[0], 4);
        float *first = ring[0];
        ring[0] = ring[1];
        ring[1] = ring[2];
        ring[2] = first;
    }
#pragma endscop
}
IR
object ring[2]|ring|ring[1]: float, 2 coordinates, 3 slots, read, written, escapes
loop 0
  while (t@0 < 9)
  loop 1
    while (counter@1 < (((unsigned long)n * 4ul) / 4ul))
    %30 = (long)counter@1
    ring[2]|ring|ring[1][(ring[] + 2l)@0.slot, %30] = (float)0
    unsigned long counter@1 = 0ul then (counter@1 + 1ul)
  loop 2
    while (counter@2 < 1l)
    r1 = ring[2]|ring|ring[1][ring[]@0.slot, counter@2]
    %40 = (1l + counter@2)
    ring[2]|ring|ring[1][(ring[] + 1l)@0.slot, %40] = r1
    long counter@2 = 0l then (counter@2 + 1l)
  int t@0 = 0 then (t@0 + 1)
  float * (ring[] + 2l)@0 = *(ring[] + 2l) then ring[]@0
  float * (ring[] + 1l)@0 = *(ring[] + 1l) then (ring[] + 2l)@0
  float * ring[]@0 = *ring[] then (ring[] + 1l)@0
  int (ring[] + 2l)@0.slot = 0 then ring[]@0.slot
  int ring[]@0.slot = 1 then (ring[] + 1l)@0.slot
  int (ring[] + 1l)@0.slot = 2 then (ring[] + 2l)@0.slot
drops (ring[] + 2l) = (ring[] + 2l)@0'
drops (ring[] + 1l) = (ring[] + 1l)@0'
drops ring[] = ring[]@0'
C

# Whatever a program holds, it is lowered, and what was made is sound.
failed=
for file in plugin alias; do
    "$gzc" --ir "$GZ_SOURCE/t/gzc/$file.c" > "$work/out" 2>> "$work/err" || failed="$failed $file"
done
ok "all programs of t/gzc are lowered" test -z "$failed"
[ -z "$failed" ] || note < "$work/err"

# random GENERATOR MOST: of its programs at most MOST hold what is not understood.
random() {
    ${CC:-cc} -std=c11 -O1 -w "$GZ_SOURCE/t/gzc/$1.c" -o "$work/generate" &&
        "$work/generate" "$seed" "$(bulk 50 1000)" > "$work/random"
    flags=$(sed -n '1s,^/[*] [^:]*: \(.*\) [*]/$,\1,p' "$work/random")
    case $(head -n 1 "$work/random") in *c++:*) random=$work/random.cpp ;; *) random=$work/random.c ;; esac
    mv "$work/random" "$random"
    # Flags are several words on purpose.
    # shellcheck disable=SC2086
    "$gzc" --ir "$random" -- -I"$GZ_SOURCE/t/gzc" $flags > "$work/out" 2> "$work/err"
    verdict $? "random programs are lowered ($1, seed $seed)"
    note < "$work/err"
    share=$(awk '/: region/ { regions++; seen = 0 } / = opaque / && !seen++ { opaque++ }
        END { print int(100 * opaque / regions) }' "$work/out")
    [ "$share" -le "$2" ]
    verdict $? "of these, texts of the user's are left in $share percent"
}
random programs 15
random systems 5
random guards 5
finish
