#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 780-gzc-plans - what a program found by trying is kept for its next start, but not for another driver or size;
# the results are the same in any case. What others wrote, cut or changed of kept files is 352's.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
never_optimise
compile_inside

ok 'the program compiles' link_gzstencil -std=c11 "$optimised" -ffp-contract=off "$GZ_SOURCE/t/gzc/pieces.c" -o "$work/pieces"
XDG_CACHE_HOME=$work/cache GZ_DEVICE=opencl:0 GZ_TRY=1 GZ_REPORT=1
export XDG_CACHE_HOME GZ_DEVICE GZ_TRY GZ_REPORT
plans=$work/cache/gzstencil
"$work/pieces" serial 60 50 7 > "$work/expected"
"$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
if [ $? -eq 77 ]; then
    skip 'there is no OpenCL device'
    finish
    exit
fi

# starts HOW NAME: the next start has the results, and tried by itself or did not.
starts() {
    "$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
    cmp -s "$work/expected" "$work/got" && grep -qE ", $1 [0-9.]+ [mun]?s\$" "$work/err"
    verdict $? "$2" || note < "$work/err"
}
cmp -s "$work/expected" "$work/got" && grep -qE ', tried [0-9.]+ [mun]?s$' "$work/err"
verdict $? 'the first start tries'
entry=$(ls "$plans"/*.plan)
[ "$(ls -A "$plans" | grep -vc '[.]tried$')" -eq 1 ] && [ -f "$entry" ]
verdict $? 'one file is kept, no temporary one'
starts 'tried by an earlier process' 'the second start does not try again'
GZ_TRY=0 "$work/pieces" open 60 50 7 2>&1 > "$work/got" | grep -q 'tried'
[ $? -eq 1 ] && cmp -s "$work/expected" "$work/got"
verdict $? 'GZ_TRY=0 neither tries nor looks'

rm -rf "$plans"
: > "$plans"
starts tried 'a file in the place of the folder does not stop the run'

# A plan that the user names: made by a first start, taken by the next, by gzrun, and from gzrun.
GZ_PLAN=$work/plan.json
export GZ_PLAN
starts tried 'a start makes the plan that GZ_PLAN names'
starts 'tried by an earlier process' 'which the next one takes'
sed 's/"driver": "/&older /' "$GZ_PLAN" > "$work/older.json"
GZ_PLAN=$work/older.json starts tried 'one of another driver is measured again'
sed -e '/"size"/{' -e 'n' -e 's/[0-9]/1&/' -e '}' "$GZ_PLAN" > "$work/other.json"
GZ_PLAN=$work/other.json "$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
cmp -s "$work/expected" "$work/got" &&
    grep -q '^gzstencil: GZ_PLAN: made for size 1[0-9x]*, not for [0-9x]*: tune for this one$' "$work/err"
verdict $? 'one of another size is told, and not taken'
GZ_PLAN=$work/missing.json GZ_TRY=0 "$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
cmp -s "$work/expected" "$work/got" && [ ! -e "$work/missing.json" ] &&
    grep -q '^gzstencil: GZ_PLAN: there is no such file; with GZ_TRY=1 it is made$' "$work/err"
verdict $? 'one that is missing is told where none is made'
heat=$GZ_SOURCE/kernels/translate/example/heat.c
"$GZ_BUILD/bin/gzc" "$heat" -o "$work/heat_gz.c" && "$GZ_BUILD/bin/gzc" --row "$heat" -o "$work/heat.so" &&
    link_gzstencil -O1 "$work/heat_gz.c" -o "$work/heat" &&
    "$GZ_BUILD/bin/gzrun" -q -d opencl:0 --stencil "$work/heat.so" -s 40 --loops 8 --tune=0.001s -y restart -o "$work/heat.json" &&
    GZ_PLAN=$work/heat.json GZ_CHECK=1 "$work/heat" 40 8 > "$work/out" 2> "$work/err" &&
    grep -q ', tried by an earlier process ' "$work/err"
verdict $? 'a plan of gzrun for the row of a loop is taken by the program that gzc made of it' || note < "$work/err"
finish
