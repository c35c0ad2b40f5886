# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# behave.sh - what tests of single programs share, sourced after tap.sh: in a folder of their own, `behaves`
# compares $source, compiled by $own, with what gzc makes of it, on the host (t/gzc/host). Skips the file if gzc was
# left out.

needs_gzc
library=$GZ_SOURCE/kernels/gzstencil
host=$GZ_SOURCE/t/gzc/host
cc=${CC:-cc}
cd "$work" || exit 1
$cc -std=gnu11 -w $optimised -I"$library" -c "$host/host.c" -o host.o || exit 1
source=x.c made=made.c own="$cc -std=gnu11"

# build FLAGS: the programs plain of $source and made of $made.
# Flags and compilers are several words.
# shellcheck disable=SC2086
build() {
    $own -w $optimised $1 -ffp-contract=off $source -o plain -lm &&
        $own -w $optimised $1 -I"$library" $made host.o -o made -lm -ldl &&
        GZ_BODIES=print ./made 2> bodies.c > printed &&
        $cc -std=gnu11 -w -ffp-contract=off -fno-builtin -fPIC -shared -I"$host" bodies.c -o bodies.so -lm
}

# behaves NAME RAN GZC CC: $source by gzc with the flags GZC, and the compiler with the flags CC, prints what it prints
# itself, and RAN runs at least, or none if that is 0, are not the original loops'.
# shellcheck disable=SC2086
behaves() {
    rm -f made $made plain bodies.so
    { "$gzc" $source -o $made -- $3 && build "$4"; } 2> err
    ./plain > expected
    GZ_BODIES=$work/bodies.so ./made > got 2> ran
    runs=$(grep -c " ran$" ran)
    [ -s expected ] && cmp -s expected got && [ "$runs" -ge "$2" ] && { [ "$2" -gt 0 ] || [ "$runs" -eq 0 ]; }
    verdict $? "$1, ${3:-none} given, compiled with ${4:-none}"
    diff expected got | cat - err ran | note
}

# either NAME: $source, of which gzc may refuse loops, prints what it prints itself.
either() {
    rm -f made $made plain bodies.so
    { "$gzc" -k $source -o $made && build ''; } 2> err
    ./plain > expected
    GZ_BODIES=$work/bodies.so ./made > got 2> ran
    [ -s expected ] && cmp -s expected got
    verdict $? "$1, $(grep -c ' ran$' ran) runs"
    diff expected got | cat - err ran | note
}
