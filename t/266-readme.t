#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 266-readme - README.md has at most 100 lines, and each of its commands for use works as it is printed, in a copy of the
# tree with the programs that are built; of make, the targets are looked at.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable XDG_CACHE_HOME="$work/cache"
mkdir "$work/cache"
for entry in "$GZ_SOURCE"/*; do
    case ${entry##*/} in build*) ;; *) ln -s "$entry" "$work/" ;; esac
done
mkdir "$work/build"
ln -s "$GZ_BUILD/bin" "$GZ_BUILD/lib" "$work/build/"
cd "$work" || exit 1
sed -n '/^## Use/,/^## /s/^    //p' README.md > "$work/commands"
plan $(($(wc -l < "$work/commands") + 3))

[ "$(wc -l < README.md)" -le 100 ]
verdict $? 'README.md has at most 100 lines'
nothing 'none of them, outside tables, has more than 120 columns' "$(awk '!/^\|/ && length > 120' README.md)"
[ "$(wc -l < "$work/commands")" -ge 10 ]
verdict $? 'it shows how to use what is built'
while IFS= read -r command; do
    # A calibration of seconds, small grids and short tuning do here.
    adapted=$(echo "$command" | sed "s# +\#.*##; s#calibrate #calibrate --quick --force -q #; s#-s 2048 --tune#-s 256 --tune --top 2#
        s#heat 1000 500#heat 100 50#")
    case $command in
    'make install'*) adapted="$adapted B='$GZ_BUILD' -o all" ;;
    make*) adapted="make -n $(echo "$command" | sed 's/^make //')" ;;
    esac
    sh -ec "$adapted" > "$work/out" 2> "$work/err" < /dev/null
    status=$?
    verdict $status "$command"
    [ $status -eq 0 ] || note < "$work/err"
done < "$work/commands"
finish
