#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 729-gzc-measure - time loops that find the largest or least change of a loop, and end by it
# (t/gzc/measure.c): what gzc makes of them ends after as many loops with the same bits, and prints the
# same, also where a cell is not a number or the change is zero; what cannot be is refused by name.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
plan "$(bulk 24 26)"
host=1

translate measure change

same 1 23 31 5 0 7
same 2 40 37 60 1 7
same 3 9 8 1 0 7
same 2 2 9 3 0 1

# With a device: each stage may compute loops too many, which are run anew.
library="-L$GZ_BUILD/lib -lgzstencil -lm -Wl,-rpath,$GZ_BUILD/lib"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 -w -ffp-contract=off -I"$lib" -I"$GZ_SOURCE/t/gzc" "$work/made.c" -o "$work/linked" $library
# device HEIGHT CHECK N M T
device() {
    "$work/plain" "$3" "$4" "$5" > "$work/expected"
    GZ_HEIGHT=$1 GZ_BLOCK=20x18x12 GZ_CHECK=$2 GZ_REPORT=1 GZ_DEVICE=opencl:0 "$work/linked" "$3" "$4" "$5" > "$work/got" 2> "$work/said"
    cmp -s "$work/expected" "$work/got" && ! grep -q failed "$work/said" &&
        { grep -q 'opencl:0: no ' "$work/said" || [ "$(grep -c ' on opencl:0: stream' "$work/said")" -eq 7 ]; }
    verdict $? "height $1, ${3}x$4: the same bits"
    diff "$work/expected" "$work/got" | cat - "$work/said" | note
}
device 4 0 23 31 6
device 4 1 40 37 60
grep -q 'opencl:0: no ' "$work/said" ||
    [ "$(grep -c 'run: what a loop changes is not a number\|run: the largest change is zero' "$work/said")" -eq 2 ]
verdict $? 'a cell that is not a number and a zero of either sign are left to the original loops'

# measure NAME MESSAGE BEFORE SWEEP AMONG COPY BEHIND: of a while with these in a sweep and its copy and around
# both; a message or the line on the time that --explain prints.
measure() {
    cat > "$work/x.c" << C
#include <math.h>
#include <stdio.h>
double other, *kept;
static double bigger(double a, double b) { return a < b ? b : a; }
void f(int n, double u[n][n], double v[n][n], double eps, FILE *out)
{
    double err = 1, sum = 0, d = 0;
    int t = 0, i, j;
#pragma scop
    while (err > eps) {
        $3
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++) {
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                $4
            }
        $5
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++) {
                $6
                u[i][j] = v[i][j];
            }
        $7
    }
#pragma endscop
    printf("%d %g %g", t, err, sum);
}
C
    rm -f "$work/result"
    (cd "$work" && "$gzc" x.c -o result 2> err; "$gzc" --explain x.c > explained 2>&1)
    if [ "${2#TIME}" = "$2" ]; then
        [ ! -e "$work/result" ] && [ "$(cat "$work/err")" = "$2" ]
    else
        [ "$(sed -n 's/^time  *//p' "$work/explained")" = "${2#TIME }" ] && [ -e "$work/result" ] &&
            ${CC:-cc} -std=c11 -w -I"$lib" -x c -c "$work/result" -o "$work/result.o"
    fi
    pass=$?
    verdict $pass "$1"
    [ $pass -eq 0 ] || cat "$work/err" "$work/explained" | note
}
fold='err = fmax(err, fabs(v[i][j] - u[i][j]));'
measure 'in the sweep' 'TIME as the loop says, by the largest of fabs(v[i][j] - u[i][j]), 1 sweep a loop' \
    'err = 0; t++;' "$fold"
measure 'by a function of the file, beside the copy' \
    'TIME as the loop says, by the largest of fabs(u[i][j] - v[i][j]), 1 sweep a loop' \
    'err = 0;' '' 'if (t % 10 == 9) fprintf(out, "%g\n", err);' 'err = bigger(err, fabs(u[i][j] - v[i][j]));'
measure 'a sum' 'x.c:15:17: err depends on all cells of the previous loop: no tile can compute it on its own' \
    'err = 0;' 'err += fabs(v[i][j] - u[i][j]);'
measure 'a sum beside it' 'x.c:16:17: sum depends on all cells of the previous loop: no tile can compute it on its own' \
    'err = 0;' "$fold
                sum += v[i][j];"
measure 'two at once' 'x.c:16:30: other depends on all cells of the previous loop: no tile can compute it on its own' \
    'err = 0;' "$fold
                other = fmax(other, v[i][j]);"
measure 'of a neighbour' \
    'x.c:15:48: u[i][j - 1], in what a loop compares, is not the cell'"'"'s own state before or after the loop' \
    'err = 0;' 'err = fmax(err, fabs(v[i][j] - u[i][j - 1]));'
measure 'of the new state before it is there' \
    'x.c:11:86: v[i][j], in what a loop compares, is not the cell'"'"'s own state before or after the loop' \
    'for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++) err = fmax(err, fabs(v[i][j] - u[i][j]));'
measure 'of the old state where it is overwritten' \
    'x.c:23:96: u[i][j], in what a loop compares, is not the cell'"'"'s own state before or after the loop' \
    'err = 0;' '' '' '' 'for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++) err = fmax(err, fabs(v[i][j] - u[i][j]));'
measure 'of a scalar' 'x.c:15:59: eps, in what a loop compares, is not the cell'"'"'s own state before or after the loop' \
    'err = 0;' 'err = fmax(err, fabs(v[i][j] - u[i][j]) * eps);'
measure 'what the sweeps use changes' \
    'x.c:15:19: t changes in each loop and is used in the sweeps: in a loop that finds the largest change, what they use must stay the same' \
    'err = 0; t++;' '+ t; err = fmax(err, fabs(v[i][j] - u[i][j]));'
measure 'what prints the state' \
    'x.c:11:31: u[1][1]: a loop that finds the largest change may, besides its sweeps, only set and print numbers and end by them' \
    'err = 0; printf("%g", u[1][1]);' "$fold"
measure 'a variable of the cells' \
    'x.c:11:24: i: a loop that finds the largest change may, besides its sweeps, only set and print numbers and end by them' \
    'err = 0; sum = i;' "$fold"
measure 'another call' 'x.c:11:18: system is called in each loop: input, output and other effects must stay outside' \
    'err = 0; system("true");' "$fold"
measure 'an end before the copy' \
    'x.c:17:9: break between the sweep and what moves the state: must stand behind both' \
    'err = 0;' "$fold" 'if (err < 2 * eps) break;'
measure 'a temporary that is used behind the loops' \
    'TIME as the loop says, by the largest of d, 1 sweep a loop' \
    'err = 0;' 'd = fabs(v[i][j] - u[i][j]); if (d > err) err = d;'
finish
