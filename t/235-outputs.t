#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 235-outputs - gzmodel and the studies do not write over what they read, and gzmodel says so if the
# grid is smaller than a tile.
. "$(dirname "$0")/tap.sh"
scratch
cp "$GZ_SOURCE/libgzmodel/data/devices/gtx280.json" "$work/m.json"
"$GZ_BUILD/bin/gzmodel" list -a hotspot -o "$work/a.json"
cp "$work/a.json" "$work/a.kept"
cd "$work" || exit 1

# refuses WHAT TEXT COMMAND...
refuses() {
    what=$1 text=$2
    shift 2
    "$@" >said 2>err
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$text" err && [ ! -s said ]
    verdict $? "$what: status 2, one line"
    [ $status -eq 2 ] || note <err
}
predict="$GZ_BUILD/bin/gzmodel predict -s 2000 -b 20 -H 2"
refuses 'gzmodel -d m.json -o m.json' '-o ./m.json: that file is also -d of this run' \
    $predict -d m.json -a hotspot -o ./m.json
refuses 'gzmodel -a a.json -o a.json' '-o a.json: that file is also -a of this run' \
    $predict -d m.json -a a.json -o a.json
refuses 'gzmodel list -d m.json -o m.json' '-o m.json: that file is also -d of this run' \
    "$GZ_BUILD/bin/gzmodel" list -d m.json -o m.json
refuses 'a study' '-o m.json: that file is also -d of this run' \
    "$GZ_BUILD/studies/bin/sweep" cpi -d m.json -o m.json
cmp -s m.json "$GZ_SOURCE/libgzmodel/data/devices/gtx280.json" && cmp -s a.json a.kept
verdict $? 'and the files are as they were'
if [ -x "$GZ_BUILD/bin/gzc" ]; then
    cp "$GZ_SOURCE/t/gzc/forms.c" forms.c
    refuses 'gzc forms.c -o forms.c' '-o forms.c: that file is also the source of this run' \
        "$GZ_BUILD/bin/gzc" forms.c -o forms.c
else
    skip 'there is no gzc'
fi
touch gtx280
$predict -d gtx280 -a hotspot -o gtx280 2>err && [ -s gtx280 ]
verdict $? 'a file may have the name of a built-in device' || note <err

"$GZ_BUILD/bin/gzmodel" predict -d gtx280 -a hotspot -s 2 -b 20 -H 2 >said 2>err
[ $? -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q 'the grid 2x2 is smaller than one tile: the model counts 0.0156 of a trapezoid' err
verdict $? 'a grid smaller than a tile: a line says so'
"$GZ_BUILD/bin/gzmodel" predict -d gtx280 -a hotspot -s 16 -b 20 -H 2 >said 2>err && [ ! -s err ]
verdict $? 'a grid of one tile: no word'
"$GZ_BUILD/bin/gzmodel" optimize -d gtx280 -a hotspot -s 3 -b 20 >said 2>err
[ $? -eq 0 ] && grep -q 'is smaller than one tile' err
verdict $? 'optimize says so too'
finish
