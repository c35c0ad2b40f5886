#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# differ.sh SEED COUNT - compares what gzc makes of random programs (programs.c) with the programs as
# they stand, byte for byte over all arrays and scalars. Runs the bodies as C on the host (host/),
# or, with GZ_DEVICE set, on that device. Of a program that differs the smallest is printed that
# still does, by making one decision after the other plain. Needs $GZ_BUILD and $GZ_SOURCE.
# Those that gzc refuses are not compiled. GZ_EVERY=N takes so many programs at a time; GZ_LOG=FILE
# gets what is refused and, after each, how far it is.
set -u
seed=$1
left=$2
every=${GZ_EVERY:-100}
t=$GZ_SOURCE/t/gzc
work=$(mktemp -d) || exit 1
[ -n "${GZ_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cc=${CC:-cc}
quick=clang-15 # gzc needs it, and without optimisation it is three times as fast as gcc
common="-std=gnu11 -w -ffp-contract=off -I$t"
library=$GZ_SOURCE/kernels/gzstencil
$cc -std=c11 -O1 -w "$t/programs.c" -o "$work/generate" &&
    $cc -std=gnu11 -O2 -I"$library" -c "$t/host/host.c" -o "$work/host.o" || exit 1

# Flags are several words on purpose.
# shellcheck disable=SC2086

# make_made: $work/made of $work/made.c, and what it needs to run.
make_made() {
    if [ -n "${GZ_DEVICE:-}" ]; then
        $quick $common -O0 -I"$library" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" \
            -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
        return
    fi
    $quick $common -O0 -I"$library" "$work/made.c" "$work/host.o" -o "$work/made" -lm -ldl || return
    for sizes in $grids; do
        GZ_BODIES=print "$work/made" $(echo "$sizes" | tr x ' ') 2>&1 > /dev/null
    done > "$work/bodies.c"
    $quick $common -O0 -fno-builtin -fPIC -shared -I"$t/host" "$work/bodies.c" -o "$work/bodies.so" -lm
}

# keep_taken: leaves only what gzc has taken in made.c, and the same programs in x.c.
keep_taken() {
    # shellcheck disable=SC2016
    keep='/program [0-9]+ begins/ { begun = 1; taken = 0; part = ""; number = $3 }
        !begun && !(/^    run\(/ && !(substr($1, 5) + 0 in kept))
        begun { part = part $0 "\n" }
        begun && (which ? number in kept : /gz_stencil_begin/) { taken = 1; kept[number] }
        begun && /^} .. program [0-9]+:/ { begun = 0; if (taken) printf "%s", part }'
    : > "$work/taken"
    awk "$keep END { for (number in kept) print number > \"$work/taken\" }" "$work/made.c" > "$work/less.c" &&
    mv "$work/less.c" "$work/made.c" &&
    awk "BEGIN { which = 1; while ((getline n < \"$work/taken\") > 0) kept[n] } $keep" "$work/x.c" > "$work/less.c" &&
    mv "$work/less.c" "$work/x.c"
}

# compare PROGRAM...: runs generate with these words; sets $different to the programs that differ,
# $refused and $ran to how many were.
grids='9x8x7x4 8x11x9x3 5x6x7x1 6x5x5x0'
[ -z "${GZ_DEVICE:-}" ] || grids='8x11x9x5'
compare() {
    different= ran=0
    rm -f "$work/made.c"
    "$work/generate" "$@" > "$work/x.c" &&
    "$GZ_BUILD/bin/gzc" --keep-going "$work/x.c" -o "$work/made.c" -- -std=gnu11 -I"$t" 2> "$work/refused"
    status=$?
    refused=$(wc -l < "$work/refused")
    [ -e "$work/made.c" ] || [ $status -ne 2 ] || return 0
    keep_taken && $cc $common -O2 "$work/x.c" -o "$work/plain" -lm && make_made ||
        { tail -n 3 "$work/refused" | sed 's/^/# /'; return 1; }
    : > "$work/ran" > "$work/differences"
    for sizes in $grids; do
        "$work/plain" $(echo "$sizes" | tr x ' ') > "$work/expected"
        GZ_REPORT=1 GZ_BODIES=$work/bodies.so "$work/made" $(echo "$sizes" | tr x ' ') > "$work/got" 2>> "$work/ran"
        diff "$work/expected" "$work/got" | grep '^[<>]' >> "$work/differences"
    done
    different=$(awk '{ print $2 }' "$work/differences" | sort -un | tr '\n' ' ')
    ran=$(sed -n 's/ ran$//p; s/^gzstencil: \([^ ]*\): .* loops on .*/\1/p' "$work/ran" | sort -u | wc -l)
}

# shrink PROGRAM: prints the smallest program that still differs.
shrink() {
    "$work/generate" "$seed" "$count" "$1" > "$work/x.c"
    decisions=$(sed -n "s/^} .. program $1: \([0-9]*\) decisions.*/\1/p" "$work/x.c")
    zeroed=
    step=$decisions
    while [ "$step" -ge 1 ]; do
        at=0
        while [ "$at" -lt "$decisions" ]; do
            more=$(seq -s ' ' "$at" $((at + step - 1)))
            # shellcheck disable=SC2086
            if compare "$seed" "$count" "$1" $zeroed $more > /dev/null 2>&1 && [ -n "${different# }" ]; then
                zeroed="$zeroed $more"
            fi
            at=$((at + step))
        done
        step=$((step / 3))
    done
    echo "# seed $seed, program $1: generate $seed $count $1$zeroed"
    # shellcheck disable=SC2086
    "$work/generate" "$seed" "$count" "$1" $zeroed
}

summary() {
    echo "$total programs, to seed $seed: $total_ran ran elsewhere than in their own loops," \
        "$total_refused were refused, $wrong differed"
}

total=0 total_ran=0 total_refused=0 wrong=0
while [ "$left" -gt 0 ]; do
    count=$((left < every ? left : every))
    if compare "$seed" "$count"; then
        total=$((total + count)) total_ran=$((total_ran + ran)) total_refused=$((total_refused + refused))
        for program in $different; do
            wrong=$((wrong + 1))
            echo "# seed $seed, program $program of $count differs:" \
                $(awk -v p="$program" '$1 == ">" && $2 == p { $1 = $2 = ""; print }' "$work/differences" | head -n 3)
            [ -n "${GZ_NO_SHRINK:-}" ] || shrink "$program"
        done
        [ -z "${GZ_LOG:-}" ] || { sed "s/^/$seed: /" "$work/refused"; summary; } >> "$GZ_LOG"
    else
        wrong=$((wrong + 1))
        echo "# seed $seed: $count programs could not be made"
    fi
    left=$((left - count))
    seed=$((seed + 1))
done
seed=$((seed - 1))
summary
[ "$wrong" -eq 0 ]
