#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 257-new-quantity - a model's quantity added to a copy of the library takes one row in one file: then
# reader, writer, schema, manual and parameters have it, and programs compiled before still work.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
copy=$dir/copy
mkdir -p "$copy/calibrate" "$dir/before"
cp -R Makefile libgzmodel "$copy"
cp -R calibrate/devices "$copy/calibrate"
cp -R libgzmodel/gzmodel.h libgzmodel/gzmodel "$dir/before"

# judged STATUS NAME: as verdict, with the output if it failed.
judged() {
    verdict "$1" "$2"
    [ "$1" -eq 0 ] || tail -n 20 "$dir/log" | note
}

# The program of today, linked with today's library.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 ${SANITIZE:+-fsanitize=$SANITIZE} -I"$dir/before" -o "$dir/program" \
    t/abi/program.c -L"$GZ_BUILD/lib" -lgzmodel 2> "$dir/log" &&
    LD_LIBRARY_PATH=$GZ_BUILD/lib "$dir/program" > "$dir/before.out" 2> "$dir/log"
judged $? 'a program compiled before'

perl -0pi -e 's{(naive_cell_time"\))\n}{$1 \\\n    ROW(TLB_REACH, tlb_reach, "TLB reach", "B", whole_positive, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, "memory that the TLB maps")\n}' \
    "$copy/libgzmodel/own.h"
nothing 'one file changes' "$(diff -rq libgzmodel "$copy/libgzmodel" | grep -v 'own\.h ')"

version=$(sed -n 's/^#define GZ_VERSION_[A-Z]* //p' libgzmodel/gzmodel.h | paste -sd.)
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$copy" B="$copy/build" OPT=-O0 ${CC:+CC="$CC"} \
    ${SANITIZE:+SANITIZE="$SANITIZE"} "$copy/build/lib/libgzmodel.so.$version" \
    "$copy/build/libgzmodel/describe" "$copy/build/bin/gzmodel" > "$dir/log" 2>&1
judged $? 'the library is built'

sed 's/"cpi":/"tlb_reach": {"value": 2097152, "unit": "B", "origin": "query"},\n  &/' \
    libgzmodel/data/devices/gtx280.json > "$dir/new.json"
"$copy/build/bin/gzmodel" predict -d "$dir/new.json" -a hotspot -s 1000 -b 16 -H 2 > "$dir/log" 2>&1
judged $? 'a file that states it is read'
sed 's/2097152/0.5/' "$dir/new.json" > "$dir/bad.json"
"$copy/build/bin/gzmodel" predict -d "$dir/bad.json" -a hotspot -s 1000 -b 16 -H 2 > "$dir/log" 2>&1
[ $? -eq 2 ] && grep -q 'tlb_reach is 0.5: must be a whole number' "$dir/log"
verdict $? 'in its range'
"$copy/build/libgzmodel/describe" device < libgzmodel/schema/device.schema.json | grep -q '"tlb_reach"'
verdict $? 'the schema has it'
"$copy/build/libgzmodel/describe" manual < libgzmodel/man/gzmodel-files.5 | grep -q '^\.It Li tlb_reach'
verdict $? 'the manual has it'

LD_LIBRARY_PATH=$copy/build/lib "$dir/program" > "$dir/after.out" 2>&1
cmp "$dir/before.out" "$dir/after.out" > "$dir/log" 2>&1
judged $? 'the program compiled before does the same with the new library'
finish
