#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 737-gzc-guards - loops that run beyond their arrays, and touch under conditions only what lies in
# them: exactly that is read and written. Random ones of them (t/gzc/guards.c), whose arrays and rows
# lie between pages that nobody may touch; and what --explain says of some.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
plan 9

result=$(GZ_PROGRAMS=guards GZ_EVERY=60 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" "$(bulk 60 600)" 2>&1)
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
    verdict $? "$1"
    note < "$work/said"
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

GZ_ALL='' GZ_PROGRAMS=guards GZ_SANITIZE=address,undefined GZ_EVERY=30 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" \
    "$(bulk 30 120)" > "$work/said" 2>&1
verdict $? "the same under AddressSanitizer: $(grep "programs, to seed" "$work/said")"
note < "$work/said"
finish
