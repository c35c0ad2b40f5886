#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 780-gzc-plans - what a program found by trying is kept for its next start, and nothing that others
# wrote, cut or changed is used; the results are the same in any case.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
compile_quickly
plan 18

${CC:-cc} $sanitize -std=c11 -O1 -ffp-contract=off -I"$GZ_SOURCE/kernels/gzstencil" "$GZ_SOURCE/t/gzc/pieces.c" \
    -o "$work/pieces" -L"$GZ_BUILD/lib" -lgzstencil -Wl,-rpath,"$GZ_BUILD/lib"
verdict $? 'the program compiles'
XDG_CACHE_HOME=$work/cache GZ_DEVICE=opencl:0 GZ_TRY=1 GZ_REPORT=1
export XDG_CACHE_HOME GZ_DEVICE GZ_TRY GZ_REPORT
plans=$work/cache/gzstencil
"$work/pieces" serial 60 50 7 > "$work/expected"
"$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
if [ $? -eq 77 ]; then
    for i in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do skip 'there is no OpenCL device'; done
    finish
    exit
fi

# starts HOW NAME: the next start has the results, and tried by itself or did not.
starts() {
    "$work/pieces" open 60 50 7 > "$work/got" 2> "$work/err"
    cmp -s "$work/expected" "$work/got" && grep -qE ", $1 [0-9.e-]+\$" "$work/err"
    verdict $? "$2"
    note < "$work/err"
}
cmp -s "$work/expected" "$work/got" && grep -qE ', tried [0-9.e-]+$' "$work/err"
verdict $? 'the first start tries'
entry=$(ls "$plans"/*.plan)
[ "$(ls -A "$plans" | grep -vc '[.]tried$')" -eq 1 ] && [ -f "$entry" ]
verdict $? 'one file is kept, no temporary one'
nothing 'nobody else can write to it' "$(find "$plans" -perm /077)"
cp "$entry" "$work/good"
starts 'tried by an earlier process' 'the second start does not try again'
GZ_TRY=0 "$work/pieces" open 60 50 7 2>&1 > "$work/got" | grep -q 'tried'
[ $? -eq 1 ] && cmp -s "$work/expected" "$work/got"
verdict $? 'GZ_TRY=0 neither tries nor looks'

head -c 30 "$work/good" > "$entry"
starts tried 'a file that was cut is not used'
sed 's/^gzmodel/gzmodeL/' "$work/good" > "$entry"
starts tried 'nor one of another kind'
cp "$work/good" "$entry"
printf '\377' | dd of="$entry" bs=1 seek=$(($(wc -c < "$entry") - 30)) conv=notrunc 2> "$work/dd"
starts tried 'nor one whose contents were changed'
starts "tried by an earlier process" "which is replaced by a good one"
cp "$work/good" "$entry"
chmod g+w "$entry"
starts tried 'nor one that others could write'
rm "$entry"
cp "$work/good" "$work/elsewhere"
ln -s "$work/elsewhere" "$entry"
starts tried 'nor a link'
cmp -s "$work/good" "$work/elsewhere" && [ ! -L "$entry" ]
verdict $? 'which is replaced, and nothing written through it'
rm "$entry"
mkfifo "$entry"
starts tried 'nor a FIFO, which is not waited for'
chmod g+w "$plans"
starts tried 'a folder that others could write to is not used'
rm -rf "$plans"
mkdir "$work/folder"
ln -s "$work/folder" "$plans"
starts tried 'nor a link to a folder'
nothing 'in which nothing was written' "$(ls -A "$work/folder")"
rm "$plans"
: > "$plans"
starts tried 'a file in the place of the folder does not stop the run'
finish
