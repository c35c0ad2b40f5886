#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 280-fuzz - every reader (parameter files, tables, command lines, files of values) on mutated texts,
# for a few seconds, under the sanitizers that the compiler has. GZ_SEED sets another seed. Long runs: make fuzz.
. "$(dirname "$0")/tap.sh"
scratch
seed=${GZ_SEED:-280}
for reader in paramfile table words values; do
    texts=$(bulk 2000 15000)
    [ $reader = values ] && texts=$(bulk 1000 4000)
    GZ_FUZZ_SAVE=$work/text "$GZ_BUILD/fuzz/$reader-driver" $texts "$seed" > "$work/out" 2> "$work/err"
    result=$?
    grep '^# ' "$work/out"
    verdict $result "$reader: $texts mutated texts"
    if [ $result -ne 0 ]; then
        note < "$work/err"
        echo 'the text in hexadecimal:' | note
        od -An -tx1 "$work/text" | note
    fi
done
finish
