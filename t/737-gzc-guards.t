#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 737-gzc-guards - loops that run beyond their arrays, and touch under conditions only what lies in
# them: exactly that is read and written. Random ones of them (t/gzc/guards.c), whose arrays and rows
# lie between pages that nobody may touch; and what --explain says of some.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

result=$(GZ_PROGRAMS=guards GZ_EVERY=60 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" "$(bulk 30 60)" 2>&1)
verdict $? "random programs: $(echo "$result" | grep "programs, to seed")"
echo "$result" | note

# domain NAME EXPECTED SWEEP...: what --explain says of the domain, or a part, in a loop of these sweeps.
domain() {
    {
        echo 'void f(int n, int m, int T, double *a, double *b, int *p)'
        echo '{'
        echo '#pragma scop'
        echo 'for (int t = 0; t < T; t++) {'
        echo "$3"
        echo '}'
        echo '#pragma endscop'
        echo '}'
    } > "$work/x.c"
    "$gzc" --explain "$work/x.c" > "$work/said" 2>&1
    grep -qF "$2" "$work/said"
    verdict $? "$1" || note < "$work/said"
}
swap='double *c = a; a = b; b = c;'
sweep='b[i] = 0.5 * (a[i - 1] + a[i + 1]);'
domain 'both ends' 'domain      i from 0 to below n, where i > 0 and i < n - 1' \
    "for (int i = 0; i < n; i++) if (i > 0 && i < n - 1) $sweep $swap"
domain 'an end that is left out by its number' 'domain      i from 0 to below n - 1, where i != 0' \
    "for (int i = 0; i < n - 1; i++) if (i != 0) $sweep $swap"
domain 'one of two parts' 'sets        a[i - 1], i from 0 to n, where i > 0' \
    'for (int i = 0; i <= n; i++) if (i > 0) a[i - 1] += b[i - 1]; for (int i = 0; i < n; i++) b[i] -= a[i];'
domain 'what no condition leaves' 'domain      i from 1 to below n - 1, where not i == n - 2' \
    "for (int i = 1; i < n - 1; i++) if (!(i == n - 2)) $sweep $swap"
domain 'no end: a gap' 'domain      i from 1 to below n - 1
' "for (int i = 1; i < n - 1; i++) if (i != 5) $sweep $swap"
domain 'no end: a condition on the time' 'domain      i from 1 to below n - 1
' "for (int i = 1; i < n - 1; i++) if (i > t) a[i] = a[i] + p[i];"
domain 'the radius is that of what is left' 'edges       none: no cell beyond the domain is read' \
    "for (int i = 0; i <= n; i++) if (i < n) b[i] = 0.5 * a[i]; $swap"

sanitized() {
    GZ_ALL='' GZ_PROGRAMS=guards GZ_SANITIZE=address,undefined GZ_EVERY=30 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" \
        15 > "$work/said" 2>&1
    verdict $? "the same under AddressSanitizer: $(grep "programs, to seed" "$work/said")" || note < "$work/said"
}
rarely sanitized

# What results set must be writable, but nothing that C does not write: pages that end where another
# begins that may be read only.
cat > "$work/x.c" << 'C'
#include <stdio.h>
#include <sys/mman.h>
enum { N = 512 };
static double *pages(int which)
{
    double *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 3 * N; i++)
        p[i] = (i * 7 + which) % 11;
    mprotect(p, 4096, PROT_READ);
    mprotect(p + 2 * N, 4096, PROT_READ);
    return p + N;
}
static void tell(const double *p)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 1.01 + p[i];
    printf("%.17g\n", sum);
}
static void exchanged(int T)
{
    double *a = pages(1), *b = pages(1);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = -1; i <= N; i++)
            if (i >= 0 && i < N)
                b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *c = a;
        a = b;
        b = c;
    }
#pragma endscop
    tell(a), tell(b);
}
static void never(int T)
{
    double *a = pages(1) - N;
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 0; i < N; i++)
            if (a[i] > 100)
                a[i] = a[i] - 1;
#pragma endscop
    tell(a);
}
static void once(int T)
{
    double *a = pages(1) - N, *b = pages(1);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N; i++)
            b[i] = a[i] - 0.5 * a[i - 1];
        double *c = a;
        a = b;
        b = c;
    }
#pragma endscop
    tell(a), tell(b);
}
static void several(int T)
{
    double *e = pages(1), *h = pages(2);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i <= N; i++)
            if (i > 0)
                e[i - 1] = 0.5 * e[i - 1] + 0.25 * (h[i] - h[i - 1]);
        for (int i = -1; i < N; i++)
            if (!(i == -1))
                h[i] = 0.5 * h[i] + 0.25 * (e[i] - e[i - 1]);
    }
#pragma endscop
    tell(e), tell(h);
}
int main(void)
{
    exchanged(5), never(3), once(1), several(6);
    return 0;
}
C
"$gzc" "$work/x.c" -o "$work/made.c" && ${CC:-cc} -w -std=gnu11 "$optimised" -ffp-contract=off "$work/x.c" -o "$work/plain" -lm &&
    ${CC:-cc} -w -std=gnu11 -I"$lib" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" -lgzstencil -Wl,-rpath,"$GZ_BUILD/lib"
verdict $? 'arrays beside which nothing may be written'
"$work/plain" > "$work/expected"
GZ_HEIGHT=1 GZ_BLOCK=130x1x1 GZ_ORIGINAL=never GZ_DEVICE=opencl:0 GZ_REPORT=1 "$work/made" > "$work/got" 2> "$work/err"
cmp -s "$work/expected" "$work/got" && { grep -q 'opencl:0: no ' "$work/err" ||
    { [ "$(grep -c ' on opencl:0: ' "$work/err")" -eq 3 ] && grep -q 'lies where nothing can be written' "$work/err"; }; }
verdict $? 'the same there; and what C never writes is found before' || note < "$work/err"

# Stars of neighbours: no corner is read. Arrays from the first element that C touches to the last:
# star NAME TARGET SUBTRACTED FACTOR BEHIND: of a sum of a's neighbours, each with that factor.
star() {
    cat > "$work/x.c" << C
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j, k) (((i) * m + (j)) * l + (k))
static double *make(long low, long high)
{
    double *p = malloc((size_t)(high - low) * sizeof *p);
    for (long i = 0; i < high - low; i++)
        p[i] = (double)(i * 7 % 11);
    return p - low;
}
int main(void)
{
    int n = 9, m = 8, l = 10;
    long low = AT(0, 2, 2), high = AT(n - 1, m - 3, l - 3) + 1;
    double *a = make(low, high), *b = make(low, high), *c = make(low, high), *d = a;
#pragma scop
    for (int t = 0; t < 7; t++) {
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                for (int k = 2; k < l - 2; k++)
                    $2[AT(i, j, k)] = 0.2 * (a[AT(i - 2, j, k)] + a[AT(i + 2, j, k)]) - $3[AT(i, j, k)] +
                        0.1 * (a[AT(i, j - 2, k)] - a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k + 2)])$4;
        $5
    }
#pragma endscop
    for (long x = low; x < high; x++)
        printf("%.17g %.17g %.17g\n", a[x], b[x], c[x]);
    return d == NULL;
}
C
    sanitizer='-w -std=gnu11 -ffp-contract=off -fsanitize=address'
    # Options are several words.
    # shellcheck disable=SC2086
    "$gzc" "$work/x.c" -o "$work/made.c" && ${CC:-cc} $sanitizer "$work/x.c" -o "$work/plain" &&
        ${CC:-cc} $sanitizer -I"$lib" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" -lgzstencil \
            -Wl,-rpath,"$GZ_BUILD/lib" &&
        ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0 "$work/plain" > "$work/expected" &&
        ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0 GZ_HEIGHT=1 GZ_BLOCK=10x4x4 GZ_ORIGINAL=never \
            GZ_DEVICE=opencl:0 "$work/made" > "$work/got" 2> "$work/err" && cmp -s "$work/expected" "$work/got"
    verdict $? "$1: C's bits, and AddressSanitizer finds nothing" || note < "$work/err"
}
star 'two arrays' b a '' 'd = a; a = b; b = d;'
star 'three arrays' c b '' 'd = b; b = a; a = c; c = d;'
star 'an array that no loop sets' b a ' + 0.1 * (c[AT(i - 2, j, k)] + c[AT(i + 2, j, k)] +
    c[AT(i, j - 2, k)] + c[AT(i, j + 1, k)] + c[AT(i, j, k - 1)] + c[AT(i, j, k + 2)])' 'd = a; a = b; b = d;'
star 'several arrays' b c '' 'for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                for (int k = 2; k < l - 2; k++)
                    a[AT(i, j, k)] += 0.1 * (b[AT(i - 2, j, k)] + b[AT(i + 2, j, k)] - b[AT(i, j - 2, k)] +
                        b[AT(i, j + 1, k)] + b[AT(i, j, k - 1)] - b[AT(i, j, k + 2)]);'
finish
