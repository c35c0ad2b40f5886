#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 545-make - the variables that users give to make: blanks and apostrophes in paths, names that lead
# out of their folder, two runs in one tree, and what a killed run leaves.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
scratch

# A build of its own, with everything built already.
mkdir "$work/b"
for part in bin calibrate kernels lib libgzmodel plots studies; do
    cp -a "$GZ_BUILD/$part" "$work/b/" 2>/dev/null
done
rm -rf "$work/b/studies"/*.tsv "$work/b/plots"
make_here() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s B="$work/b" CC="${CC:-cc}" \
        SANITIZE="${SANITIZE-}" "$@" >"$work/said" 2>"$work/err"
}
# refuses PATTERN NAME ARGUMENTS...: make fails, and says so; nothing that it was given is run or made.
refuses() {
    pattern=$1 name=$2
    shift 2
    ! make_here "$@" && grep -q -e "$pattern" "$work/err" && [ ! -e "$work/ran" ] && [ ! -e x ] &&
        [ ! -e studies/results/a ] && [ ! -e "$work/a" ] && [ ! -e "$work/b/calibrated/device.json" ]
    verdict $? "$name"
}

refuses "x';touch" 'an apostrophe in DEVICE runs no shell code' "$work/b/studies/cpi.tsv" DEVICE="x';touch '$work/ran"
cp libgzmodel/data/devices/gtx280.json "$work/it's mine.json"
make_here "$work/b/studies/cpi.tsv" DEVICE="$work/it's mine.json" && [ -s "$work/b/studies/cpi.tsv" ]
verdict $? 'a device file with an apostrophe and a blank in its name'

# A folder that was built when a source had another place.
object=$work/b/kernels/stencils.o
echo "$object: kernels/moved-since.c libgzmodel/gzmodel.h" >"${object%.o}.d"
touch "$object"
make_here "$object"
verdict $? 'an old folder, whose object was compiled from a source that is gone: is built'
[ $(wc -c <"$object") -gt 0 ] && ! grep -q moved-since "${object%.o}.d" && make_here -q "$object"
verdict $? 'anew, once'

# Two runs at once, for two devices: they take turns. A few studies do for that; 520 draws all.
few='cpi adaptive energy'
rm -f "$work/b/studies/device"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s B="$work/b" CC="${CC:-cc}" SANITIZE="${SANITIZE-}" \
    studies STUDIES="$few" DEVICE=h200 >"$work/first" 2>&1 &
other=$!
make_here studies STUDIES="$few"
first=$?
wait $other
second=$?
[ $first -eq 0 ] && [ $second -eq 0 ]
verdict $? "two runs of make studies at once: $first, $second"
[ $first -eq 0 ] || note <"$work/err"
[ $second -eq 0 ] || note <"$work/first"
[ -s "$work/b/plots/cpi.svg" ] && [ -z "$(find "$work/b/studies" "$work/b/plots" -name 'device.*' -o -name '.cpi.*')" ]
verdict $? 'draw these and leave nothing else'

# What a killed run left: a folder whose owner is gone; not one whose owner lives.
sleep 0 &
gone=$!
wait $gone
mkdir "$work/b/plots/.cpi.$gone-abcdef" "$work/b/plots/.cpi.$$-abcdef"
plots/draw.sh cpi "$work/b/studies/cpi.tsv" "$work/b/plots"
verdict $? 'a figure is drawn'
[ ! -e "$work/b/plots/.cpi.$gone-abcdef" ] && [ -d "$work/b/plots/.cpi.$$-abcdef" ]
verdict $? 'and what a killed run left is gone, but not what belongs to another run'

# Validation.
mkdir "$work/it's a folder"
cp studies/results/pocl-xeon-2core/validation.tsv "$work/it's a folder/my table.tsv"
make_here validate TABLE="$work/it's a folder/my table.tsv"
verdict $? 'make validate TABLE= with blanks and an apostrophe'
[ -s "$work/b/validate/verdict.md" ] && [ -s "$work/b/validate/plots/validate_height.svg" ]
verdict $? 'judges and draws'
cp calibrate/devices/pocl-xeon-2core/device.json "$work/it's its.json"
make_here validate TABLE="$work/it's a folder/my table.tsv" DEVICE="$work/it's its.json"
verdict $? 'and so with another file of its device'
refuses 'cannot be opened' 'an apostrophe in TABLE runs no shell code' validate TABLE="$work/none.tsv' || touch '$work/ran"
for name in ../../x 'a b' "x'y" .hidden -rf ''; do
    refuses 'give NAME= of letters' "NAME='$name' is refused" keep-validation NAME="$name"
done

refuses 'STUDY: there is no cpi nosuch: must be of' 'an unknown STUDY is refused before anything is calibrated' \
    measured STUDY='cpi nosuch'
cp studies/results/pocl-xeon-2core/jacobi_variants.tsv "$work/it's a folder/"
rm "$work/it's a folder/my table.tsv"
make_here measured TABLE="$work/it's a folder" && [ -s "$work/b/measured/plots/jacobi_variants.svg" ]
verdict $? 'make measured TABLE= draws the tables of such a folder'

# What make itself would run: text, in every variable that is one.
for variable in NAME TIME DEVICE EVIDENCE; do
    refuses '^keep-evidence: ' "$variable with a \$(shell ...) in it runs nothing" \
        keep-evidence NAME=some "$variable=\$(shell touch '$work/ran')\$(error no)"
    ! grep 'no\.  Stop' "$work/err"
    verdict $? '  nor is it expanded'
done

# An interrupted bundle leaves nothing, and the old one as it was.
mkdir "$work/slow" "$work/bundled" "$work/bundled/here"
printf '#!/bin/sh\ntouch "$begun"\nsleep 60\n' >"$work/slow/strip"
chmod +x "$work/slow/strip"
for signal in INT TERM; do
    # In a group of its own, in which INT is not ignored as in what a shell starts with &.
    begun=$work/begun PATH=$work/slow:$PATH perl -e 'setpgrp; $SIG{INT} = "DEFAULT"; exec @ARGV' \
        studies/evidence/bundle.sh "$work/bundled/here" "" \
        "gzmodel=$GZ_BUILD/bin/gzmodel" -- 2>"$work/err" &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ ! -e "$work/begun" ]; do sleep 0.02; done
    kill -$signal -$pid
    wait $pid
    status=$?
    [ $status -ne 0 ] && [ -e "$work/begun" ] &&
        [ "$(ls -A "$work/bundled")" = here ] && [ -z "$(ls -A "$work/bundled/here")" ]
    verdict $? "$signal while a bundle is made ($status): the folder that was there, and nothing else"
    rm -f "$work/begun"
done

for prefix in "$work/a b" "$work/a'b"; do
    refuses 'must have no blank in it, and none of' "install PREFIX=\"$prefix\" is refused, and nothing is installed" \
        install PREFIX="$prefix"
done
finish
