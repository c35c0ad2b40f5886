#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 303-new-stencil - what kernels/README.md promises: two files make a stencil. They are cut out of
# that page, copied into a scratch tree, built and run against the reference; built as a shared
# object and loaded; and a file that is not a stencil is refused.
. "$(dirname "$0")/tap.sh"
scratch
gzrun=$GZ_BUILD/bin/gzrun
needs_device
! sanitized "$gzrun" || skip_all 'the scratch tree is built without sanitizers'
compile_quickly

# code N: the Nth indented block of the page that begins with a licence.
code() {
    awk -v n="$1" '/^    \/\* SPDX/ { seen++ } /^[^ ]/ { inside = 0 }
        /^    \/\* SPDX/ { inside = seen == n } inside { sub(/^    /, ""); print }' \
        "$GZ_SOURCE/kernels/README.md"
}
mkdir "$work/heat"
code 1 > "$work/heat/heat.knl"
code 2 > "$work/heat/heat.c"

# proves NAME COMMAND...: gzrun verifies the stencil at every synchronisation and variant.
proves() {
    what=$1
    shift
    for how in '-b 34x18 -H 3' '-b 34x18 -H 3 -y fence' '-b 20x9 -H 1 --variant naive' \
        '-b 8x8 -H 1 --variant shared'; do
        # Options are split into words on purpose.
        # shellcheck disable=SC2086
        "$@" -q -d opencl:0 -s 61x47 $how --loops 10 --runs 1 --contract off --verify --json \
            > "$work/out" 2> "$work/log" && grep -q '"app": "heat"' "$work/out" &&
            grep -q '"max_error": 0.0' "$work/out"
        verdict $? "$what, $how: equal to the reference bit for bit" || note < "$work/log"
    done
}

# A scratch tree: the sources and what was built of them, with their times, so that little is built.
mkdir "$work/tree"
(cd "$GZ_SOURCE" && tar cf - Makefile libgzmodel kernels calibrate studies plots t) |
    (cd "$work/tree" && tar xf -)
(cd "$GZ_BUILD" && tar cf - kernels libgzmodel lib) |
    (mkdir "$work/tree/built" && cd "$work/tree/built" && tar xf -)
cp "$work"/heat/heat.* "$work/tree/kernels/stencils"
unset MAKEFLAGS MFLAGS MAKELEVEL
(cd "$work/tree" && make -s B=built built/bin/gzrun) > "$work/log" 2>&1
verdict $? 'two files copied, the tree builds' || note < "$work/log"
nothing 'without a warning' "$(grep -i warning "$work/log")"
"$work/tree/built/bin/gzrun" --list | grep -q '^  heat  *1x1  *double 2  *0  *8  *24  *zero'
verdict $? 'the new stencil is listed, with the bytes and arrays that follow'
proves 'built in' "$work/tree/built/bin/gzrun" -a heat

# From outside.
(cd "$work/tree" && make -s B=built stencil STENCIL="$work/heat/heat.c") > "$work/log" 2>&1 &&
    cp "$work/tree/built/outside/heat.so" "$work/F.so"
verdict $? 'the same two files make a shared object' || note < "$work/log"
proves 'loaded' "$gzrun" --stencil "$work/F.so"
(cd "$work" && "$gzrun" -q -d opencl:0 --stencil F.so -s 20 --loops 3 --runs 1 --verify) \
    > "$work/out" 2>&1
verdict $? 'a name without a slash is a file of this folder'

calibrated() {
    "$GZ_BUILD/bin/calibrate" -q --quick -d opencl:0 --stencil "$work/F.so" -o "$work/device.json" \
        > "$work/out" 2> "$work/log" && [ -s "$work/heat.json" ]
    verdict $? 'it is calibrated: an application file' || note < "$work/log"
    "$gzrun" -q -d "$work/device.json" --stencil "$work/F.so" -s 200 --loops 8 --runs 1 --tune=1s \
        --json > "$work/out" 2> "$work/log" && grep -q '"app": "heat"' "$work/out"
    verdict $? 'and tuned' || note < "$work/log"
}
rarely calibrated

# refuses TEXT FILE: exit status 2, one line that says TEXT.
refuses() { fails 2 "$1" "refused: $1" "$gzrun" --stencil "$2"; }
object() {
    cc -shared -fPIC -iquote "$GZ_SOURCE/kernels/stencils" -iquote "$GZ_SOURCE/libgzmodel/tilings" \
        -o "$work/bad.so" "$@"
}
refuses 'must be a shared object' "$work/heat/heat.c"
echo 'int nothing;' > "$work/none.c"
object "$work/none.c"
refuses 'no stencil in it' "$work/bad.so"
echo 'const char gzk_heat_knl[] = "";' > "$work/body.c"
sed 's/[.]dim = 2/.abi = 99, &/' "$work/heat/heat.c" > "$work/later.c"
object -w "$work/later.c" "$work/body.c"
refuses 'built for version 99 of stencil.h' "$work/bad.so"
sed 's/[.]radius = {1, 1, 0}/.radius = {1, 1, 1}/' "$work/heat/heat.c" > "$work/deep.c"
object "$work/deep.c" "$work/body.c"
refuses 'stencil heat: radius: must be' "$work/bad.so"
sed 's/GZK_TYPE(GZK_DOUBLE)/.type = GZK_DOUBLE/' "$work/heat/heat.c" > "$work/untyped.c"
object "$work/untyped.c" "$work/body.c"
refuses 'stencil heat: bytes: must be' "$work/bad.so"
finish
