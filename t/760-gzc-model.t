#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 760-gzc-model - gzc --predict, and programs that choose by a device file.
. "$(dirname "$0")/tap.sh"
needs_gzc
never_optimise
compile_inside
heat=$GZ_SOURCE/kernels/translate/example/heat.c
cpu=$GZ_SOURCE/calibrate/devices/pocl-xeon-2core/device.json

# predict SIZE: seconds per loop, and what was chosen into $work/out.
predict() {
    "$gzc" --predict --json -d gtx280 -s "$1" "$heat" > "$work/out" 2> "$work/err" &&
        sed -nE 's/.*"seconds_per_loop": ([0-9.e+-]+).*/\1/p' "$work/out"
}
small=$(predict 1000x1000)
large=$(predict 4000x1000)
awk -v a="$small" -v b="$large" 'BEGIN { exit !(a > 0 && b > 3.6 * a && b < 4.4 * a) }'
verdict $? 'four times the cells take about four times as long'
tr -d '\n ' < "$work/out" | grep -qE '^\{"device":"GeForceGTX280","block":\[[0-9]+,[0-9]+\],"height":[0-9]+,"sync":"(restart|fence|graph)",'
verdict $? 'block, height and synchronisation'
"$gzc" --predict -d gtx280 -s 4000x1000 "$heat" | grep -q '^instructions  *estimated'
verdict $? 'says that instructions are estimated'

for device in h200 gtx280; do
    "$gzc" --predict -d $device -s 4000x1000 "$heat" > "$work/$device" 2>> "$work/$device.err"
done
grep -q '^model  *gz2: device and' "$work/h200" && grep -q '^model  *meng2011: device: warp_size is missing' "$work/gtx280"
verdict $? 'gz2 predicts where the device file has what it needs'
"$gzc" --predict -d h200 --model meng2011 -s 4000x1000 "$heat" | grep -q '^model  *meng2011: as requested'
verdict $? 'and the 2011 model, with --model'

# reads SUM: what a cell reads of its tile, in a stencil of two dimensions with A[0] and the array B.
reads() {
    sed "s#SUM#$1#; s#A(#A[t % 2][j#g; s#B(#B[j#g; s#:#][i#g; s#)\.#]#g" > "$work/sum.c" <<'END'
void f(int n, int m, int T, double A[2][n][m], const double B[n][m])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < m - 1; i++)
                A[(t + 1) % 2][j][i] = SUM;
#pragma endscop
}
END
    "$gzc" --predict -d mi210 -s 1000x1000 "$work/sum.c" 2> "$work/err" |
        sed -n 's/^instructions .* and \([0-9]*\) reads of its tile .*/\1/p'
}
ok 'elements of the tile that a cell reads are counted' test "$(reads 'A(-1:-1). + A(:). + A(+1:+1).')" = 3
ok 'each once' test "$(reads 'A(-1:-1). * A(:). + A(:). * A(-1:-1).')" = 2
[ "$(reads 'A(:-1). + A(:). + B(:). * B(:+1). + B(:).')" = 4 ]
verdict $? 'and those of other arrays' || note < "$work/err"

# wrong TEXT ARGUMENTS...: refused with that text.
wrong() {
    text=$1
    shift
    "$gzc" "$@" > "$work/out" 2> "$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "$text" "$work/err" &&
        [ "$(wc -l < "$work/err")" -eq 1 ]
    verdict $? "refused: $text" || note < "$work/err"
}
"$gzc" --predict -s 4000 "$heat" | grep -q '^device  *GeForce GTX 280$'
verdict $? '--predict names the device that it takes unless one is given'
wrong 'needs --size' --predict "$heat"
wrong 'warp_size is missing' --predict -d gtx280 --model gz2 -s 100x100 "$heat"
"$gzc" --predict -d "$cpu" -s 100x100 "$heat" | grep -q "^model  *gz2: .* by what it reads"
verdict $? "a calibrated device predicts a stencil that is not by what it reads"
wrong 'meng2011 or gz2' --predict -d gtx280 --model gz3 -s 100x100 "$heat"
wrong 'nosuch' --predict -d nosuch -s 100x100 "$heat"
wrong 'size' --predict -s 100x100x100 "$heat"

"$gzc" "$heat" -o "$work/heat.c" && ${CC:-cc} -w "$optimised" -ffp-contract=off "$heat" -o "$work/plain" &&
    link_gzstencil "$optimised" -ffp-contract=off "$work/heat.c" -o "$work/heat"
verdict $? 'the example compiles'
"$work/plain" 300 13 > "$work/expected"
# starts ARGUMENTS...: runs the example with the device file; the results are the same.
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
starts() {
    env GZ_DEVICE=opencl:0 GZ_DEVICE_FILE="$cpu" GZ_REPORT=1 "$@" "$work/heat" 300 13 > "$work/got" \
        2> "$work/report"
    cmp -s "$work/expected" "$work/got"
}
starts GZ_TRY=1 && grep -qE ', tried [0-9.]+ [mun]?s' "$work/report"
on_device "$work/report" 'what the model chooses for the device file is tried, and results are the same'
starts GZ_TRY=1 && grep -q ', tried by an earlier process ' "$work/report"
on_device "$work/report" 'a later start uses what was found'
starts GZ_TRY=0 && ! grep -q tried "$work/report" && grep -qE ', predicted [0-9.]+ [mun]?s .model gz2: ' "$work/report"
on_device "$work/report" 'a run that tries nothing is predicted'
env GZ_DEVICE=opencl:0 GZ_CHECK=1 GZ_REPORT=1 GZ_TRY=0 "$work/heat" 1000 25 2> "$work/report" > "$work/got"
grep -q 'check passed: 1000000 elements' "$work/report" && grep -q ': stream, ' "$work/report"
on_device "$work/report" 'without a device file a larger run is streamed, and the state is that of the original'
env GZ_DEVICE=opencl:0 GZ_VARIANT=nosuch "$work/heat" 300 13 > "$work/got" 2> "$work/report"
cmp -s "$work/expected" "$work/got" && [ "$(wc -l < "$work/report")" -eq 1 ] &&
    grep -q 'GZ_VARIANT=nosuch is ignored: must be stream, trapezoid or naive' "$work/report"
on_device "$work/report" 'a variant that does not exist is told, and does not stop the run'
GZ_DEVICE=opencl:0 GZ_DEVICE_FILE=nosuch "$work/heat" 300 13 > "$work/got" 2> "$work/report"
cmp -s "$work/expected" "$work/got" && { grep -q nosuch "$work/report" || [ ! -s "$work/report" ]; }
verdict $? 'a device file that cannot be read does not stop the run'
# A loop that its data end: the fewer loops are expected, the lower the tiles.
cat > "$work/ends.c" << 'C'
#include <math.h>
void f(int n, double u[n][n], double v[n][n], double eps)
{
    double err = 1;
#pragma scop
    while (err > eps) {
        err = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                err = fmax(err, fabs(v[i][j] - u[i][j]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}
C
for loops in 2 20 200 2000 1000000; do
    "$gzc" --predict --json -d "$cpu" -s 2000x2000 --loops $loops "$work/ends.c" | tr '\n' ' '
    echo
done > "$work/out" 2> "$work/err"
sed -nE 's/.*"height": ([0-9]+), .*"variant": "stream", .*"more_loops": ([0-9.e+-]+).*/\1 \2/p' "$work/out" |
    awk '{ wrong += $1 < last || $2 != $1 - 1; last = $1; if (NR == 1) first = $1 } END { exit !(NR == 5 && !wrong && last > 2 * first) }'
verdict $? 'of loops that data end the height rises with the loops that are expected, and so many but one are computed more' || cat "$work/err" "$work/out" | note
"$gzc" --predict -d "$cpu" -s 2000x2000 "$work/ends.c" > "$work/out" 2>&1
grep -q '^ending  *by the data: .*--loops' "$work/out" && ! "$gzc" --predict -d "$cpu" -s 2000x2000 "$heat" | grep -q '^ending'
verdict $? 'without --loops it says so'
"$gzc" --predict -s 2000x2000 "$work/ends.c" > "$work/out" 2>&1
[ $? -eq 2 ] && grep -q 'warp_size is missing: model gz2' "$work/out"
verdict $? 'a device that only the model of 2011 describes is refused'
"$gzc" --predict -s 2000x2000 --loops 0 "$work/ends.c" > "$work/out" 2>&1
[ $? -eq 2 ] && grep -q '^gzc: --loops 0: must' "$work/out"
verdict $? 'so are 0 loops' || note < "$work/out"

finish
