#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 775-gzc-contract - functions that devices round differently are refused unless --contract is given;
# then results stay within the stated bound, which does not hide a wrong coefficient.
. "$(dirname "$0")/tap.sh"
needs_gzc
cd "$work" || exit 1
compile_inside
never_optimise

cat > x.c << 'C'
#include <math.h>
#include <stdio.h>
double A[2][RES];
int main(void)
{
    for (int i = 0; i < RES; i++)
        A[0][i] = A[1][i] = (i * 37 % 101) / 101.0;
#pragma scop
    for (int t = 0; t < 6; t++)
        for (int i = 1; i < RES - 1; i++)
            A[(t + 1) % 2][i] = 0.2 * FUNCTION + A[t % 2][i] * 0.3 + A[t % 2][i + 1] * 0.4;
#pragma endscop
    for (int i = 0; i < RES; i++)
        printf("%a %a\n", A[0][i], A[1][i]);
    return 0;
}
C
sed 's/^double A/static double mild(double x) { return exp(x); }\n&/' x.c > y.c
# refused WHAT ARGUMENTS...: with exp, by these words of gzc's.
refused() {
    what=$1
    shift
    fails 2 '^[xy].c:[0-9]*:.*exp: devices do not compute it to the same bits' "$what" "$gzc" "$@"
}
refused 'exp is refused' x.c -o made.c -- -DRES=90 '-DFUNCTION=exp(-A[t % 2][i - 1])'
refused 'by --row, too' --row x.c -o made.c -- -DRES=90 '-DFUNCTION=exp(A[t % 2][i - 1])'
refused 'and in a function of the file' y.c -o made.c -- -DRES=90 '-DFUNCTION=mild(A[t % 2][i - 1])'
ok 'which leaves nothing' test ! -e made.c
for call in 'exp(1.0)' 'exp(-0.1 * t)' 'mild(t)'; do
    "$gzc" y.c -o made.c -- -DRES=90 "-DFUNCTION=$call" && grep -Eq "(STEP|COEF)[(]" made.c
    verdict $? "$call is the same for all cells, and computed by the program"
done

# build FUNCTION: the program that gzc --contract makes of it.
build() {
    "$gzc" --contract x.c -o made.c -- -DRES=90 "-DFUNCTION=$1" &&
        link_gzstencil "$optimised" -ffp-contract=off -DRES=90 "-DFUNCTION=$1" made.c -o made
}
for call in 'exp(-A[t % 2][i - 1])' 'A[t % 2][i - 1]'; do
    build "$call"
    verdict $? "${call%%[(]*}: compiles"
    GZ_DEVICE=opencl:0 GZ_CHECK=1 GZ_REPORT=1 GZ_HEIGHT=2 ./made > got 2> err
    grep -q 'check passed: 90 elements are equal within the bound' err
    on_device err 'GZ_CHECK=1 passes within the bound'
done
build 'A[t % 2][i - 1]'
sed "s/(0[.]2 [*]/(0.2000001 */" made.c > wrong.c
link_gzstencil -O1 -DRES=90 '-DFUNCTION=A[t % 2][i - 1]' wrong.c -o wrong
GZ_DEVICE=opencl:0 GZ_CHECK=1 GZ_REPORT=1 ./wrong > got 2> err
grep -q 'check failed' err
on_device err 'a coefficient that is wrong by 5e-7 is found'

# The functions that gzc knows, as its table lists them, from which exact ones are those with C's bits everywhere.
# listed EXACT: NAME ARGUMENTS a line.
listed() {
    awk -v exact="$1" '/^} lists/, /^};/ { gsub(/[{},"]/, " "); from = 1
            if ($2 == "true" || $2 == "false") { arguments = $1; is = $2; from = 3 }
            for (i = from; i <= NF && is == exact && $1 != ";"; i++) print $i, arguments }' \
        "$GZ_SOURCE/kernels/translate/library.c"
}
listed true > exact
listed false > inexact
grep -q '^fma 3$' exact && grep -q '^atan2 2$' inexact
verdict $? "the table lists $(wc -l < exact) and $(wc -l < inexact) functions"
# Two lines of the page, each with what follows it.
for kind in exact inexact; do
    grep -A 2 "^\.Ql $(sed -n '1s/ .*//p' $kind) , " "$GZ_SOURCE/kernels/translate/gzc.1" | tr -s ' ,' '\n' | grep -Ev '^(\.Ql|and|)$' | sort > page
    cut -d ' ' -f 1 $kind | sort > named
    cmp -s named page
    verdict $? "gzc(1) names the $kind ones"
    diff named page | note
done

# sum SUFFIX: the sum of what the functions of standard input give for numbers in which all are defined.
sum() {
    while read -r name arguments; do
        case $name in acosh) first="1 + X" ;; *) first=X ;; esac
        case $name in fmin | fmax) second=0.4 ;; *) second=Y ;; esac
        case $arguments in 1) echo " + $name$1($first)" ;; 2) echo " + $name$1($first, $second)" ;; 3) echo " + $name$1(X, Y, X)" ;; esac
    done | tr -d '\n'
}
# all KIND TYPE SUFFIX FLAG: a program that calls all of a kind.
all() {
    {
        echo '#include <math.h>
#include <stdio.h>
#define X (REAL)(0.25 + 0.5 * A[t % 2][i - 1])
#define Y (REAL)(0.3 + 0.25 * A[t % 2][i])'
        sed "s/^double A/typedef $2 REAL;\nREAL A/;s/0.2 . FUNCTION.*/0.01 * (0$(sum "$3" < "$1" | sed 's/[&/]/\\&/g'));/" x.c | grep -v '^#include'
    } > all.c
    contract=$([ -z "$4" ] && echo 0 || echo 2)
    # One flag or none.
    # shellcheck disable=SC2086
    rm -f made && "$gzc" $4 all.c -o made.c -- -DRES=90 2> err && grep -Fq "/* contract */ $contract" made.c &&
        link_gzstencil "$optimised" -ffp-contract=off -DRES=90 made.c -o made 2>> err
    verdict $? "all $1 ones of $2: taken${4:+ by $4}" || note < err
    GZ_DEVICE=opencl:0 GZ_CHECK=1 GZ_REPORT=1 GZ_HEIGHT=2 ./made > got 2> err
    grep -q "check passed: 90 elements are equal${4:+ within the bound}\$" err
    on_device err "all $1 ones of $2: right on the device"
}
for type in double $(bulk '' float); do
    suffix=$([ $type = double ] || echo f)
    all exact $type "$suffix" ''
    all inexact $type "$suffix" --contract
done
sed -n '/^#pragma scop/,/^#pragma endscop/p' x.c > loop
{
    sed '/^#pragma scop/,$d' x.c
    while read -r name arguments; do
        case $arguments in 1) call='(A[t % 2][i])' ;; *) call='(A[t % 2][i], 0.5)' ;; esac
        sed "s/FUNCTION/$name$call/" loop
    done < inexact
    echo '}'
} > each.c
"$gzc" -k each.c -o made.c -- -DRES=90 2> err
while read -r name arguments; do
    grep -q ": $name: devices do not compute it to the same bits" err || echo "$name"
done < inexact > wrong
nothing 'each of the others is refused without --contract' "$(cat wrong)"
"$gzc" --help | grep -q -- '--contract'
verdict $? 'help names it'
finish
