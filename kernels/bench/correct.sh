#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# correct DEVICE TABLE [STENCIL...] - every built-in stencil and ../rows/*.so, which `gzc --row` made, or those named,
# in every variant and mode, at several heights, streamed tiles in both layouts, with contraction and without, against
# the serial reference (`gzrun --verify`), first on grids on which each block of a fence takes several tiles. One line
# of TABLE for each run; a group of runs that TABLE has is not run again. A way that a device lacks has a line and is
# not a failure. Exit status: 0 if all that ran is right, 1 if not, 2 for a bad command line, 77 if there is no such
# device.
set -u
fail() {
    echo "correct: $2" >&2
    exit "$1"
}
[ $# -ge 2 ] || fail 2 'give DEVICE TABLE [STENCIL...]'
call=$*
here=$(dirname "$(readlink -f "$0")")
gzrun=$here/gzrun
[ -x "$gzrun" ] || gzrun=$here/../bin/gzrun
device=$1 table=$2
shift 2
# name, dimensions, of the stencils that there are
known=$("$gzrun" --list | awk '/^[a-z]*:/ { on = $1 == "stencils:"; next } on && $1 != "stencil" { print $1, split($2, n, "x") }')
# dimensions STENCIL
dimensions() {
    case $1 in
    *.so) "$gzrun" -q --variant serial --stencil "$1" -s 8 --loops 1 --runs 1 | awk '$1 == "size" { print split($2, n, "x") }' ;;
    *) echo "$known" | sed -n "s/^$1 //p" ;;
    esac
}
for name; do
    [ -n "$(dimensions "$name")" ] || fail 2 "\"$name\" is no stencil: must be one of $(echo "$known" | cut -d' ' -f1 | tr '\n' ' ')"
done
# The names are meant to be split.
# shellcheck disable=SC2046
[ $# -gt 0 ] || {
    set -- $(echo "$known" | cut -d' ' -f1)
    for name in "$here"/../rows/*.so; do [ ! -e "$name" ] || set -- "$@" "$name"; done
}
# A device that is not there ends all here, with gzrun's line.
# Another call that was interrupted may still be at its last run.
work=$table.work.$$
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
"$gzrun" -q -d "$device" -a poisson -s 64 --runs 1 --loops 1 >"$work/out" 2>"$work/err" ||
    { status=$? && fail $status "$(sed -n 's/^gzrun: //p' "$work/err" | head -n 1)"; }
# A kernel of a GPU that does not end is given up.
case $device in opencl:*) longest=600 ;; *) longest=60 ;; esac
[ -s "$table" ] || {
    echo "# against the serial reference, on $("$gzrun" --list | sed -n "s/^ *$device  *//p")"
    date -u '+# date: %Y-%m-%d %H:%M UTC'
    echo "# command: correct $call"
    printf 'stencil\tvariant\tsync\tsize\tblock\tthreads\theight\tloops\tcontract\tstatus\tmax_error\tseconds\tnote\n'
} >"$table" 2>/dev/null || fail 1 "$table: cannot be written"

# group NAME VARIANT CONTRACT SIZE LOOPS OPTION...: its runs, all at once.
group() {
    by=-a file=$1 name=${1##*/} variant=$2 contract=$3 size=$4 loops=$5
    [ "$name" = "${name%.so}" ] || by=--stencil
    shift 5
    ! awk -F'\t' -v n="$name" -v v="$variant" -v c="$contract" -v s="$size" \
        '$1 == n && $2 == v && $9 == c && $4 == s { found = 1 } END { exit !found }' "$table" || return
    rm -f "$work/rows" "$work/rows.partial"
    timeout -k 5 $longest "$gzrun" -q -d "$device" $by "$file" -s "$size" --loops "$loops" --contract "$contract" --runs 1 --verify \
        -y all "$@" -o "$work/rows" 2>"$work/err"
    status=$? why=$(tail -n 1 "$work/err" | tr '\t' ' ')
    [ -e "$work/err" ] || fail 1 "$work: runs cannot be kept there"
    cat "$work/rows" "$work/rows.partial" 2>/dev/null >"$work/all"
    case $status in
    0 | 1 | 2) ;;
    *) why="it did not end in $longest s: $status" ;;
    esac
    awk -F'\t' -v OFS='\t' -v n="$name" -v v="$variant" -v c="$contract" -v s="$size" -v l="$loops" -v status=$status -v why="$why" '
        /^# left out, / { sub(/^# left out, [0-9]*: /, ""); print n, v, "-", s, "-", "-", "-", l, c, "absent", "nan", "nan", $0; next }
        /^#/ || /^variant\t/ { next }
        { print n, v, $2, s, $3, $4, $5, l, c, $14 == 1 ? "right" : "wrong", $15, $7, ""; wrong += $14 != 1; rows++ }
        END { if (status == 2 && !rows) print n, v, "-", s, "-", "-", "-", l, c, "absent", "nan", "nan", why
              else if (status && !wrong) print n, v, "-", s, "-", "-", "-", l, c, "failed", "nan", "nan", why }' \
        "$work/all" >>"$table" || fail 1 "$table: cannot be written"
}

for name; do
    case $name in pathfinder) size=1048576 ;; hotspot) size=2048x1536 ;; star7 | star7vc) size=150 ;; *) continue ;; esac
    for variant in trapezoid stream; do group "$name" "$variant" off "$size" 7 --variant "$variant" -H 2; done
done
for name; do
    # Grids that are no multiple of any tile, and blocks that leave room for a few loops at radius 1 and 2; one with few enough
    # elements for a thread each.
    case $(dimensions "$name") in
    1) size=5003 block=128 few=128 heights=1,2,8 highest=8 ;;
    2) size=211x157 block=32x32 few=32x16 heights=1,2,7 highest=7 ;;
    *) size=37x29x23 block=16x12x12 few=16x8x4 heights=1,2,5 highest=2 ;;
    esac
    for contract in off on; do
        # Contraction changes the arithmetic and nothing else: one height will do.
        [ $contract = off ] || heights=$highest
        for variant in trapezoid shared naive column cell stream 'stream ring'; do
            case $variant in
            stream) options="--variant stream -H $heights" ;;
            'stream ring') options="--variant stream --layout ring -H $heights" ;;
            trapezoid) options="-b $block -H $heights" ;;
            shared) options="--variant shared -b $few" ;;
            *) options="--variant $variant" ;;
            esac
            # The options are meant to be split.
            # shellcheck disable=SC2086
            group "$name" "$variant" $contract "$size" 19 $options
        done
    done
done
awk -F'\t' '{ n[$10]++ } END { printf "correct: %d right, %d wrong, %d failed, %d absent\n", n["right"], n["wrong"], n["failed"], n["absent"]
    exit n["wrong"] + n["failed"] > 0 }' "$table" >&2
