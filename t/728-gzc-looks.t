#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 728-gzc-looks - time loops that print, change or stop something now and then (t/gzc/looks.c): what
# gzc makes of them prints the same, the loops in between computed at once, also with GZ_CHECK=1 and
# without a device; and ifs of which is not known when they act are refused by name.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate looks place

same 1 23 31 5 0 20
same 2 31 23 12 1 32
same 2 3 3 4 1 12
same 2 9 8 0 0 0

# With a device: GZ_CHECK=1, and a device that is not there.
library="-L$GZ_BUILD/lib -lgzstencil -lm -Wl,-rpath,$GZ_BUILD/lib"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 "$optimised" -w -ffp-contract=off -I"$lib" -I"$GZ_SOURCE/t/gzc" "$work/made.c" -o "$work/linked" $library
"$work/plain" 9 8 7 > "$work/expected"
GZ_HEIGHT=2 GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 "$work/linked" 9 8 7 > "$work/got" 2> "$work/checks"
cmp -s "$work/expected" "$work/got" && ! grep -q failed "$work/checks" &&
    { grep -q 'opencl:0: no ' "$work/checks" || [ "$(grep -c 'check passed' "$work/checks")" -eq 16 ]; }
verdict $? 'GZ_CHECK=1 compares the loops up to each if, and finds no difference' || note < "$work/checks"
GZ_DEVICE=opencl:99 "$work/linked" 9 8 7 > "$work/got" 2> "$work/said"
cmp -s "$work/expected" "$work/got" && [ "$(wc -l < "$work/said")" -le 6 ]
verdict $? 'without a device the original loops run, which is told once a loop' || note < "$work/said"

# look NAME MESSAGE BEFORE BEHIND: statements before and behind a sweep and its exchange; a message
# or, behind LOOKS, what --explain prints of them.
look() {
    cat > "$work/x.c" << C
#include <stdio.h>
struct all { double *a; int every; };
static double *kept;
#define LOOK if (t > 2) puts("t");
static int odd(int v) { return v & 1; }
void f(int n, int T, double *a, double *b, const struct all *all, FILE *out, volatile int *stop, int k)
{
    double *tmp;
    int i = 0, j = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        $3
        for (i = 1; i < n; i++)
            b[i] = a[i - 1];
        $5
        double *c = a; a = b; b = c;
        $4
    }
#pragma endscop
    (void)i, (void)j, (void)tmp;
}
C
    rm -f "$work/result"
    (cd "$work" && "$gzc" x.c -o result 2> err; "$gzc" --explain x.c > explained 2>&1)
    if [ "${2#LOOKS}" = "$2" ]; then
        [ ! -e "$work/result" ] && [ "$(cat "$work/err")" = "$2" ]
    else
        [ -e "$work/result" ] && [ "$(sed -n 's/^looks  *//p' "$work/explained" | tr '\n' ';')" = "${2#LOOKS }" ] &&
            ${CC:-cc} -std=c11 -w -I"$lib" -x c -c "$work/result" -o "$work/result.o"
    fi
    verdict $? "$1" || cat "$work/err" "$work/explained" | note
}
look 'before and behind' 'LOOKS before the sweeps, if t % k == 0;behind the sweeps, if t == 2 && out;' \
    'if (t % k == 0) fprintf(out, "%g", a[1]), fflush(out);' 'if (t == 2 && out) { k++; return; }'
look 'through a pointer, which must not lead to the arrays' 'LOOKS behind the sweeps, if t % all->every == 0;' \
    '' 'if (t % all->every == 0) puts("t");'
look 'loops, switches and jumps within' 'LOOKS behind the sweeps, if t > k;' \
    '' 'if (t > k) { while (j < 3) { j++; if (j == 2) continue; } switch (j) { case 3: break; } break; }'
look 'a condition that each loop changes' \
    'x.c:17:13: i, which an if beside the sweeps depends on, may change in each loop: its condition must be known before the loops run' \
    '' 'if (i > 3) puts("i");'
look 'a condition of the state' \
    'x.c:17:13: a[2] > 0.5, the condition of an if beside the sweeps, reads an array or calls a function: must be computed from the time and scalars' \
    '' 'if (a[2] > 0.5) puts("a");'
look 'a condition of pointers that change places' \
    'x.c:17:13: a, which an if beside the sweeps depends on, may change in each loop: its condition must be known before the loops run' \
    '' 'if (a == kept) puts("a");'
look 'a condition of a pointer that others may set' \
    'x.c:17:22: kept, which an if beside the sweeps depends on, may change in each loop: its condition must be known before the loops run' \
    '' 'if (t > 2 && kept) puts("kept");'
look 'a condition that others may change' \
    'x.c:17:13: *stop, which an if beside the sweeps depends on, may change in each loop: its condition must be known before the loops run' \
    '' 'if (*stop) break;'
look 'a condition with an effect' \
    'x.c:17:13: k++ > 2 may change something: within an expression, nothing must be assigned and only functions be called that do nothing but compute' \
    '' 'if (k++ > 2) puts("k");'
look 'a call in a condition' \
    'x.c:17:13: odd(t), the condition of an if beside the sweeps, reads an array or calls a function: must be computed from the time and scalars' \
    '' 'if (odd(t)) puts("t");'
look 'among the sweeps' 'LOOKS before the sweeps, if t > 3;among the sweeps, if t > 2;' \
    'if (t > 3) puts("b");' '' 'if (t > 2) puts("t");'
look 'among the sweeps, which it ends' 'x.c:15:22: break in the loop: the loops must run to their ends' \
    '' '' 'if (t > 2) { break; }'
look 'among the sweeps, with a condition of what each loop declares' \
    'x.c:15:22: e is declared in each loop and used in an if beside the sweeps: declare it before the loops' \
    'int e = t / 2;' '' 'if (t > 2 && e) puts("t");'
look 'with an else' 'x.c:17:9: an if between the loops over cells: every time step must do the same' \
    '' 'if (t > 2) puts("t"); else puts("u");'
look 'of what each loop declares' \
    'x.c:17:24: c is declared in each loop and used in an if beside the sweeps: declare it before the loops' \
    '' 'if (t > 2) j = c[1] > 0;'
look 'of what each loop declares, which could be written out' \
    'x.c:17:33: e is declared in each loop and used in an if beside the sweeps: declare it before the loops' \
    '' 'if (t > 2) printf("%d", e);' 'int e = t / 2;'
look 'with a goto' 'x.c:17:22: goto in the loop: the loops must run to their ends' \
    '' 'if (t > 2) { goto there; } there:;'
look 'made by a macro' \
    'x.c:11:5: an if beside the sweeps, and the braces of the time loop, must be written out, not made by a macro or between #if and #endif' \
    '' 'LOOK'
look 'between #if and #endif' \
    'x.c:11:5: an if beside the sweeps, and the braces of the time loop, must be written out, not made by a macro or between #if and #endif' \
    '' '
#if 1
if (t > 2) puts("t");
#endif'
look 'in each loop, without an if' \
    'x.c:17:9: printf is given a in each loop, so that no two loops can be computed at once: call it every so many loops, as by if (t % 10 == 0)' \
    '' 'printf("%p", a);'
finish
