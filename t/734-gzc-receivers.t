#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 734-gzc-receivers - time loops that hand on what each loop leaves in single cells (t/gzc/receivers.c): the
# same bits there, in all arrays, variables and output; and what cannot be handed on is refused by name.
. "$(dirname "$0")/tap.sh"
host=1
. "$GZ_SOURCE/t/gzc/translate.sh"

translate receivers form
same 1 23 31 9 0 9
same 3 12 7 23 1 9
same 2 5 6 1 0 7
same 2 4 4 0 0 0

# takes NAME MESSAGE BEHIND AMONG BEFORE: beside a sweep and its exchange; a message, or nothing.
takes() {
    beside 'void f(int n, int m, int T, double a[n][m], double b[n][m], double *r, double *q, int *at, int e)' "$5" "$4" "$3"
    (cd "$work" && "$gzc" x.c -o result 2> err)
    [ "$(cat "$work/err")" = "$2" ]
    verdict $? "$1" || note < "$work/err"
}
said='hands on what a loop leaves in single cells:'
takes 'a receiver' '' 'r[t] = a[3][4];'
takes 'before and after the exchange, of both arrays' '' 'r[2 * t] = a[3][4] + b[3][4];' 'r[2 * t + 1] = a[1][1] - b[1][1];'
takes 'before the sweep' '' '' '' 'r[t] = a[3][4];'
takes 'places in arrays, and what was handed on before' '' 'for (int k = 0; k < at[0]; k++) r[t * at[0] + k] = a[at[k + 1]][3] + (t ? r[(t - 1) * at[0] + k] : 0);'
takes 'a line' '' 'for (int j = 1; j < m; j++) r[t * m + j] = a[1][j];'
takes 'output' '' 'printf("%d %g\n", t, a[3][4]);'
takes 'a receiver and output of numbers' '' 'r[t] = a[3][4]; printf("%d\n", t);'
takes 'output of cells and, apart, of numbers' \
    'x.c:12:9: printf("%d ", t) is printed beside cells, by printf("%g\n", a[3][4]): must be printed by the same statement' \
    'printf("%d ", t); printf("%g\n", a[3][4]);'
takes 'at intervals' '' 'if (t % 5 == 0) r[t / 5] = a[3][4];'
takes 'a place that moves' \
    "x.c:12:9: r[t] = a[t + 1][4] $said which cells it reads must be the same in all loops, and t is not" 'r[t] = a[t + 1][4];'
takes 'a place that follows from the state' \
    "x.c:12:9: r[t] = a[(int)a[1][1]][4] $said which cells it reads must not hang on a[1][1]" 'r[t] = a[(int)a[1][1]][4];'
takes 'a place that follows from what is handed on' \
    "x.c:12:9: r[t] = a[(int)r[0]][4] $said which cells it reads must not hang on r, which it sets" 'r[t] = a[(int)r[0]][4];'
takes 'a cell that is read now and then' \
    "x.c:12:9: r[t] = e > t ? a[3][4] : 0 $said a[3][4] is read under a condition" 'r[t] = e > t ? a[3][4] : 0;'
takes 'an effect within' \
    'x.c:12:16: a[3][e++] may change something: within an expression, nothing must be assigned and only functions be called that do nothing but compute' \
    'r[t] = a[3][e++];'
takes 'what the sweeps read, which is no receiver' \
    "x.c:10:9: q[t] = b[3][4] sets cells beside the sweep: must be of b there, which holds the state" \
    'a[1][1] += q[t];' 'q[t] = b[3][4];'
takes 'once for all loops, which is no receiver' \
    "x.c:12:9: r[1] = a[3][4] sets cells beside the sweep: must be of a there, which holds the state" 'r[1] = a[3][4];'
takes 'behind an if that looks' \
    "x.c:12:31: r[t] = a[3][4] $said it must stand on the sweeps' side of the ifs beside them" \
    'if (t == 7) q[0] = e; r[t] = a[3][4];'
finish
