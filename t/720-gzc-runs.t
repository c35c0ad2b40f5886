#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 720-gzc-runs - what gzc makes of a loop of every form gives the same bits as the loop, at extents
# from three cells to several tiles, no loop and several, at heights from 1 to 3; and it compiles
# without a warning.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

translate forms form 0

# Of what gzc wrote, a line that closes a brace begins where the line began that opened it, and what is
# in between further in.
awk '/^#line/ { next } /gz_body\[\]/ { depth = 1; margin[1] = -1 } !depth || /^#/ || /^ *"/ { next }
    { match($0, /[^ ]/); at = RSTART; text = $0; closed = 0; line = FNR ": " $0 }
    /^ *}/ { closed = 1; if (at != margin[depth] && margin[depth] > 0) print line }
    !closed && at <= margin[depth] { print line }
    { opens = gsub(/{/, "", text); closes = gsub(/}/, "", text)
      for (opens -= closes; opens > 0; opens--) margin[++depth] = at
      depth += opens < 0 ? opens : 0
      if (/gz_stencil_original/) depth = 0 }' "$work/made.c" > "$work/ragged"
nothing 'what gzc writes is indented by its braces' "$(head -n 5 "$work/ragged")"

# same HEIGHT N M T: both programs print the same.
same() {
    "$work/plain" "$2" "$3" "$4" > "$work/expected"
    GZ_HEIGHT=$(height "$1") GZ_BLOCK=14x10x12 GZ_DEVICE=opencl:0 GZ_REPORT=1 "$work/made" "$2" "$3" "$4" \
        > "$work/got" 2> "$work/reports"
    cmp -s "$work/expected" "$work/got"
    verdict $? "height $(height "$1"), ${2}x$3, $4 loops" || diff "$work/expected" "$work/got" | note
}
same 0 23 31 5
if grep -q 'opencl:0' "$work/reports"; then
    verdict 0 'there is a device'
    [ "$(grep -c " on opencl:0: " "$work/reports")" -ge 12 ]
    verdict $? 'most loops ran on it' || note < "$work/reports"
else
    skip 'there is no OpenCL device: only the original loops ran'
fi
same 3 37 18 7
same 2 37 18 1
same 2 37 18 0
same 2 3 3 4
same 3 1 1 2
export GZ_VARIANT=stream
rarely same 3 37 18 7
rarely same 2 3 3 4
unset GZ_VARIANT

# With the tiles of above, whose kernels are there.
GZ_HEIGHT=2 GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 "$work/made" 9 8 4 > "$work/got" 2> "$work/checks"
"$work/plain" 9 8 4 | cmp -s - "$work/got" && ! grep -q failed "$work/checks"
verdict $? 'GZ_CHECK=1 finds no difference'
GZ_DEVICE=opencl:99 GZ_REPORT=1 "$work/made" 9 8 4 > "$work/got" 2> "$work/reports"
"$work/plain" 9 8 4 | cmp -s - "$work/got" && [ "$(grep -c 'original loops run' "$work/reports")" -ge 13 ]
verdict $? 'without a device the original loops run'
finish
