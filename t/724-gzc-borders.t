#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 724-gzc-borders - time loops that set cells beyond the domain beside their sweep (t/gzc/borders.c):
# the same bits in all cells, the loops computed elsewhere but for the first, until the border is
# what each leaves, and the last; and what is not proven to be an edge's rule is refused by name.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate borders place

same 1 23 31 9 0 8
same 2 31 23 12 1 10
same 2 23 31 0 0 0
same 2 23 31 1 0 0
same 2 6 6 20 1 12
same 2 3 2 6 1 0
same 2 2 3 6 0 0

# border NAME MESSAGE BEFORE AMONG BEHIND: statements beside a sweep and its exchange; a message or,
# behind EDGES, the rule that --explain prints of them.
border() {
    beside 'void f(int n, int m, int T, double a[n][m], double b[n][m], double *rate, int *e)' \
        "$3" "$4" "$5"
    (cd "$work" && "$gzc" x.c -o result 2> err; "$gzc" --explain x.c > explained 2>&1)
    if [ "${2#EDGES}" = "$2" ]; then
        [ "$(cat "$work/err")" = "$2" ]
    else
        [ ! -s "$work/err" ] && grep -q "^edges  *${2#EDGES }" "$work/explained"
    fi
    verdict $? "$1" || cat "$work/err" "$work/explained" | note
}
rows='for (int j = 0; j < m; j++) { a[0][j] = a[1][j]; a[n - 1][j] = a[n - 2][j]; }'
columns='for (int i = 0; i < n; i++) { a[i][0] = a[i][1]; a[i][m - 1] = a[i][m - 2]; }'
border 'the nearest cells' 'EDGES clamp' '' '' "$rows $columns"
border 'numbers, of which one stands in memory' 'EDGES keep' \
    'for (int j = 0; j < m; j++) a[0][j] = *rate; for (int i = 0; i < n; i++) a[i][m - 1] = 0;' '' ''
border 'between sweep and exchange, of the array that was read' \
    'x.c:10:39: a[0][j] = a[1][j] sets cells beside the sweep: must be of b there, which the next sweep reads' '' "$rows" ''
border 'one side only' \
    'x.c:12:39: a[0][j] = a[1][j] sets cells beside the sweep: what the sweep reads beyond the domain along i is not proven to be left alone, the nearest cell or the opposite one at both sides' \
    '' '' 'for (int j = 0; j < m; j++) { a[0][j] = a[1][j]; }'
border 'fewer cells than the sweep reads' \
    'x.c:12:58: a[n - 1][j] = a[n - 2][j] sets cells beside the sweep: what the sweep reads beyond the domain along i is not proven to be left alone, the nearest cell or the opposite one at both sides' \
    '' '' 'for (int j = 2; j < m; j++) { a[0][j] = a[1][j];                         a[n - 1][j] = a[n - 2][j]; }'
border 'the older array' \
    'x.c:12:39: a[0][j] = b[1][j] sets cells beside the sweep: must not hang on b, another array that the loops write' \
    '' '' 'for (int j = 0; j < m; j++) { a[0][j] = b[1][j]; }'
border 'a number of each loop' \
    'x.c:12:37: a[0][j] = t sets cells beside the sweep: must be the same in all loops' \
    '' '' 'for (int j = 0; j < m; j++)  a[0][j] = t;'
border 'what is added' \
    'x.c:12:37: a[0][j] += *rate sets cells beside the sweep: must assign an element by =; by +=, only single cells of the domain may be set' \
    '' '' 'for (int j = 0; j < m; j++)  a[0][j] += *rate;'
border 'the nearest cells, behind a point' 'EDGES clamp' '' '' "a[n / 2][3] += 1; $rows $columns"
border 'what each side hands on to the next' \
    'x.c:12:37: a[0][j] = a[0][j - 1] sets cells beside the sweep: what the sweep reads beyond the domain along i is not proven to be left alone, the nearest cell or the opposite one at both sides' \
    '' '' 'for (int j = 1; j < m; j++)  a[0][j] = a[0][j - 1];'
border 'cells that the sweep computes' \
    'x.c:12:39: a[1][j] = a[2][j] sets cells beside the sweep: they must lie beyond the cells that the sweep computes: only single cells may lie within' \
    '' '' 'for (int j = 0; j < m; j++) { a[1][j] = a[2][j]; }'
border 'a loop that does more' \
    'x.c:12:37: *e = 0 sets cells beside the sweep: must assign an element by =; by +=, only single cells of the domain may be set' \
    '' '' 'for (int j = 1; j < m; j++)  *e = 0;'
finish
