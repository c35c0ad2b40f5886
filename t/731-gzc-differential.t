#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 731-gzc-differential - programs that know nothing of what gzc knows (t/gzc/programs.c) and what gzc
# makes of them: the same bytes in all arrays and scalars as with gcc -O2 -ffp-contract=off. Forty
# on the host, five of them on a device, and ten others on the host under sanitizers; ten whose first loops
# are their own, behind which what gzc wrote goes on; ten times as many with GZ_ALL=2.
# GZ_SEED=N takes others.
. "$(dirname "$0")/tap.sh"
[ -x "$GZ_BUILD/bin/gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
seed=${GZ_SEED:-1}
unset GZ_DEVICE
compile_inside
every=1
[ "${GZ_ALL:-}" != 2 ] || every=10

random_programs 'on the host' "$seed" $((40 * every))
random_programs 'on the host, behind two loops of their own' $((seed + 20)) $((10 * every)) GZ_FIRST=2
random_programs 'on a device' "$seed" $((5 * every)) GZ_EVERY=30 GZ_DEVICE=opencl:0
if echo "int main(void) { return 0; }" | ${CC:-cc} -fsanitize=address,undefined -x c -o /dev/null - 2> /dev/null; then
    random_programs 'under AddressSanitizer and UndefinedBehaviorSanitizer' $((seed + 10)) $((10 * every)) \
        GZ_SANITIZE=address,undefined
else
    skip "the compiler has no sanitizers"
fi
finish
