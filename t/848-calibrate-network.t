#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 848-calibrate-network - gz-calibrate --network between ranks of this machine: a file that gzmodel and
# gzrun take, and what is refused before anything is measured.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
plan 13

# ranks N ARGUMENTS: gz-calibrate --network on so many ranks; $tmp/out, $tmp/err.
ranks() {
    n=$1
    shift
    on_ranks "$n" "$GZ_BUILD/bin/calibrate" -d opencl:0 --network "$@"
}
# patiently N ARGUMENTS: as ranks, but again where noise of a busy machine hid what bytes cost, which is said.
patiently() {
    tries=0
    while ! ranks "$@" && grep -q 'more bytes took no longer' "$tmp/err" && [ $tries -lt 8 ]; do
        tries=$((tries + 1))
    done
}
# refused WHAT TEXT N ARGUMENTS: status 2, that text, and no file.
refused() {
    what=$1 text=$2
    shift 2
    ranks "$@" -o "$tmp/new.json"
    [ $? -eq 2 ] && grep -q -e "$text" "$tmp/err" && [ ! -s "$tmp/out" ] && [ ! -e "$tmp/new.json" ]
    verdict $? "$what is refused"
    note < "$tmp/err"
}

patiently 2 --quick -o "$tmp/two.json"
[ -s "$tmp/two.json" ]
verdict $? 'two ranks: a file'
note < "$tmp/err"
grep -q '^16 exchanges, of which half are within [0-9]* % of these$' "$tmp/out"
verdict $? 'and a table that says how well it fits'
note < "$tmp/out"
[ ! -s "$tmp/err" ]
verdict $? 'and nothing else'
for quantity in latency message_cost bandwidth pack_bandwidth overlap; do
    grep -A 3 "\"$quantity\"" "$tmp/two.json" | grep -q '"origin": "measured"' || echo $quantity
done > "$tmp/missing"
nothing 'all five quantities are measured' "$(cat "$tmp/missing")"
"$GZ_BUILD/bin/gzmodel" ranks -d generic-cpu -a star7 -s 64 -n 2 --network "$tmp/two.json" > "$tmp/out" 2> "$tmp/err" &&
    grep -q '^network 2 ranks, ' "$tmp/out"
verdict $? 'gzmodel predicts with it'
note < "$tmp/err"
cp "$tmp/two.json" "$tmp/before.json"
patiently 4 --quick --json -o "$tmp/two.json"
cmp -s "$tmp/out" "$tmp/two.json" &&
    ! cmp -s "$tmp/two.json" "$tmp/before.json" && grep -q '"name": "4 ranks, ' "$tmp/out"
verdict $? 'four ranks write over a network file, and print it'
note < "$tmp/err"

refused 'one rank' 'measures between ranks: start two at least' 1
ranks 2 -d opencl:9 -o "$tmp/new.json"
[ $? -eq 77 ] && grep -q 'no such device' "$tmp/err" && [ ! -e "$tmp/new.json" ]
verdict $? 'a device that is not there: status 77'
refused '--fit' '--fit' 2 --fit
refused '--apps' 'has no stencils' 2 --apps "$tmp"
echo '{}' > "$tmp/mine.json"
ranks 2 -o "$tmp/mine.json"
[ $? -eq 2 ] && grep -q 'is there and no network file' "$tmp/err" && [ "$(cat "$tmp/mine.json")" = '{}' ]
verdict $? 'a file of another kind is refused and stays'
ranks 2 -o "$tmp/none/new.json"
[ $? -eq 2 ] && grep -q 'none' "$tmp/err"
verdict $? 'so is a folder that is not there'

# Interrupted, whenever that is: no file, or a whole one.
timeout 300 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n 2 "$GZ_BUILD/bin/calibrate" -d opencl:0 --network \
    -o "$tmp/new.json" > "$tmp/out" 2> "$tmp/err" < /dev/null &
pid=$!
sleep 0.7
kill -INT $pid 2> /dev/null
wait $pid
status=$?
[ ! -e "$tmp/new.json" ] ||
    "$GZ_BUILD/bin/gzmodel" ranks -d generic-cpu -a star7 -s 64 -n 2 --network "$tmp/new.json" > /dev/null 2> "$tmp/err"
verdict $? "interrupted ($status): no file, or a whole one"
note < "$tmp/err"
finish
