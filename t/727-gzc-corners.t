#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 727-gzc-corners - loops whose corners and sides are written out, with indices that are right only
# there (t/gzc/corners.c): what gzc makes of them gives the same bits, also on grids on which a side
# is the other one, too; and indices that are right nowhere are refused.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

translate corners branch

same 1 23 31 5 0 3
same 3 31 23 7 1 3
same 2 2 3 4 1 3
same 2 1 5 2 0 1
same 2 6 1 2 0 1
if grep -q 'opencl:0' "$work/reports"; then
    [ "$(grep -c 'the original loops run: the domain is smaller than the stencil' "$work/reports")" -eq 2 ]
    verdict $? 'on a single column the original loops run, and that is said' || note < "$work/reports"
else
    skip 'there is no OpenCL device'
fi

# refused NAME MESSAGE BRANCH: the cell by BRANCH, and otherwise by its neighbours.
refused() {
    cat > "$work/x.c" << C
void f(int n, int m, int T, double *a, double *b, double (*p)[m], double (*q)[m])
{
    void *tmp;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                $3
        $4
    }
#pragma endscop
}
C
    rm -f "$work/result"
    (cd "$work" && "$gzc" --explain x.c -o result 2> err)
    [ $? -eq 2 ] && [ ! -e "$work/result" ] && [ "$(cat "$work/err")" = "$2" ]
    verdict $? "$1" || note < "$work/err"
}
swap='tmp = a; a = b; b = tmp;'
rows='tmp = p; p = q; q = tmp;'
refused 'an element by its number where no guard places it' \
    'x.c:8:44: the subscripts of a[1] differ from those of b[i * m + j]' \
    'if (i == 1) b[i * m + j] = a[1]; else b[i * m + j] = a[i * m + j];' "$swap"
refused 'a size that is not that of the rows' \
    'x.c:8:54: the subscripts of a[n] differ from those of b[i * m + j]' \
    'if (i == 1 && j == 1) b[i * m + j] = a[n]; else b[i * m + j] = a[i * m + j];' "$swap"
refused 'a branch that writes another element' \
    'x.c:8:39: several fields in one sweep are not translated yet: b[m] is written beside b[i * m + j]' \
    'if (i == 1 && j == 1) b[m] = a[m + 1]; else b[i * m + j] = a[i * m + j];' "$swap"
refused 'a row by its number that all cells read' \
    'x.c:8:37: p[0][j] is not a fixed distance from the cell that is computed, q[i][j]' \
    'q[i][j] = p[i][j] + p[0][j];' "$rows"
refused 'a corner that all cells read' \
    'x.c:8:37: p[0][0] is not a fixed distance from the cell that is computed, q[i][j]' \
    'q[i][j] = p[i][j] + p[0][0];' "$rows"
refused 'a row of the other side' \
    'x.c:8:39: p[n - 1][j] is not a fixed distance from the cell that is computed, q[i][j]' \
    'if (i == 1) q[i][j] = p[n - 1][j]; else q[i][j] = p[i][j];' "$rows"
refused 'a corner of the next row but for its end' \
    'x.c:8:53: the subscripts of a[2 * m] differ from those of b[i * m + j]' \
    'if (i == 1 && j > 1) b[i * m + j] = a[2 * m]; else b[i * m + j] = a[i * m + j];' "$swap"
finish
