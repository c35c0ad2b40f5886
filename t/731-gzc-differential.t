#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 731-gzc-differential - programs that know nothing of what gzc knows (t/gzc/programs.c) and what gzc
# makes of them: the same bytes in all arrays and scalars as with gcc -O2 -ffp-contract=off. Three
# hundred on the host, and thirty of them on a device. GZ_SEED=N takes others.
. "$(dirname "$0")/tap.sh"
[ -x "$GZ_BUILD/bin/gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
plan 2
seed=${GZ_SEED:-1}
export GZ_BUILD GZ_SOURCE
unset GZ_DEVICE

result=$(sh "$GZ_SOURCE/t/gzc/differ.sh" "$seed" 300 2>&1)
verdict $? "seed $seed, 300 programs: $(echo "$result" | tail -n 1)"
echo "$result" | note

result=$(GZ_EVERY=30 GZ_DEVICE=opencl:0 sh "$GZ_SOURCE/t/gzc/differ.sh" "$seed" 30 2>&1)
verdict $? "on a device: $(echo "$result" | tail -n 1)"
echo "$result" | note
finish
