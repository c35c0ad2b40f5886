#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 266-readme - README.md has at most 100 lines, and each command for use in it and in TUTORIAL.md works as it is printed,
# in a copy of the tree with the programs that are built; of make, the targets are looked at. gzmodel(7) has every
# variable of the environment that a source reads.
. "$(dirname "$0")/tap.sh"
scratch
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable XDG_CACHE_HOME="$work/cache" PATH="$work/build/bin:$PATH"
for entry in "$GZ_SOURCE"/*; do
    case ${entry##*/} in build*) ;; *) ln -s "$entry" "$work/" ;; esac
done
mkdir -p "$work/cache" "$work/build/tutorial"
ln -s "$GZ_BUILD/bin" "$GZ_BUILD/lib" "$work/build/"
cd "$work" || exit 1
{
    sed -n '/^## Use/,/^## /s/^    //p' README.md
    sed '/^```c/,/^```/d' TUTORIAL.md | sed -n 's/^    //p' | grep -v '^gzstencil: '
} > commands
sed -n '/^```c/,/^```/p' TUTORIAL.md | sed '1d;$d' > build/tutorial/plate.c

ok 'README.md has at most 100 lines' test "$(wc -l < README.md)" -le 100
[ "$(wc -l < commands)" -ge 20 ] && [ "$(wc -l < build/tutorial/plate.c)" -gt 20 ]
verdict $? 'they show how to use what is built'
while IFS= read -r command; do
    # A calibration of seconds, small grids and short tuning do here.
    adapted=$(echo "$command" | sed "s# +\#.*##; s#calibrate #calibrate --quick --force -q #; s#--tune#--tune=1s#
        s#-s 2048#-s 256#; s#heat 1000 500#heat 100 50#; s#-H 1:8#-H 1:2#")
    case $command in
    'make install'*) adapted="$adapted B='$GZ_BUILD' -o all" ;;
    make*) adapted="make -n $(echo "$command" | sed 's/^make //')" ;;
    *mpirun*) command -v mpirun >/dev/null || { skip "there is no mpirun"; continue; } ;;
    esac
    sh -ec "$adapted" > out 2> err < /dev/null
    verdict $? "$command" || note < err
    case $command in *'plate 1000 200') cp out sum ;; *'plate_gz 1000 200') cp out sum_gz ;; esac
done < commands
grep -qF "$(cat sum)" TUTORIAL.md && cmp -s sum sum_gz
verdict $? 'the sum of the tutorial is what it prints, before and after gzc'
nothing 'gzmodel(7) has each variable that a source reads' "$(grep -rhoE 'getenv\("[A-Z_]+"\)|\{"GZ_[A-Z]+",' \
    libgzmodel/ kernels/ calibrate/ studies/ --include='*.c' | grep -oE '[A-Z][A-Z_]+' | sort -u |
    grep -vxE 'HOME|PATH|OCL_ICD_VENDORS|OMP_NUM_THREADS|OMP_PROC_BIND|POCL_MAX_PTHREAD_COUNT|GZ_E[A-Z]+|GZ_OK|GZ_STENCIL_' |
    while read -r name; do grep -qE "^\.It Ev .*$name" libgzmodel/man/gzmodel.7 || echo "$name"; done)"
finish
