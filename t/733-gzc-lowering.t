#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 733-gzc-lowering - the intermediate representation of gzc's regions, printed back as C
# (t/gzc/unlower.c), does what the programs do: the same bytes in all arrays and scalars for random
# programs, those that gzc refuses included, and the same output of time loops as programs have them.
# GZ_SEED=N takes others, GZ_PROGRAMS=N so many of each of the three generators.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"
. "$GZ_SOURCE/t/gzc/loops.sh"
unset GZ_DEVICE
for generator in programs systems guards; do
    random_programs $generator "${GZ_SEED:-1}" "${GZ_PROGRAMS:-$(bulk 10 300)}" GZ_UNLOWER=1 GZ_PROGRAMS=$generator
done

sizes='{23, 31, 0, 5}, {9, 8, 1, 12}' shown=2
forms && few && any && looks && asked && found && hostile
main_function $count >> all.c
"$GZ_BUILD/t/gzc/unlower" all.c > made.c 2> said && $cc -std=gnu11 "$optimised" -w -ffp-contract=off all.c -o plain -lm 2>> said &&
    $cc -std=gnu11 "$optimised" -w -ffp-contract=off made.c -o made -lm 2>> said && ./plain > expected && ./made > got
verdict $? "$count loops as programs have them" || note < said
diff expected got > said && [ "$(cut -d ' ' -f 1 expected | uniq | wc -l)" -eq $count ]
verdict $? 'print the same' || head -n 12 said | note
finish
