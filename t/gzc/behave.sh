# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# behave.sh - what tests of many short loops share, sourced after tap.sh: in a folder of their own, `same` adds a loop
# to a program of them, all.c, and `compare` judges each loop of what gzc makes of that program by what the compiler
# makes of it, on the host (t/gzc/host). A test defines $before, the program's first lines, and loop_function NUMBER
# WORDS..., which prints loop_NUMBER(n, m, l, T) from the words behind a loop's name and count. Skips the file if gzc
# was left out.

needs_gzc
library=$GZ_SOURCE/kernels/gzstencil
host=$GZ_SOURCE/t/gzc/host
cc=${CC:-cc}
cd "$work" || exit 1
$cc -std=gnu11 -w $optimised -I"$library" -c "$host/host.c" -o host.o || exit 1
# The language, extents and time steps of each run, and how many lines all runs of a loop show at least.
language=c standard=-std=gnu11 sizes='{23, 1, 1, 5}, {9, 1, 1, 4}, {5, 1, 1, 0}' shown=24

# main_function COUNT: prints main, which runs loop_0 to loop_(COUNT - 1) with each of $sizes.
main_function() {
    loops=$(seq -s ', loop_' 0 $(($1 - 1)))
    cat << C
int main(void)
{
    static const int sizes[][4] = {$sizes};
    static void (*const loops[])(int, int, int, int) = {loop_$loops};
    for (int number = 0; number < $1; number++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
            run(number, loops[number], sizes[k]);
    return 0;
}
C
}

# program WORDS...: x.c with that loop.
program() {
    { printf '%s\n' "$before" && loop_function 0 "$@" && main_function 1; } > x.c
}

# same NAME RAN WORDS...: the same bytes as the compiler's, of which RAN runs at least are not the original loops'; or
# none is, if RAN is "no". A loop that gzc refuses runs none. names has a line for each, with RAN and the line in all.c
# that it begins behind.
count=0
same() {
    [ $count -gt 0 ] || { printf '%s\n' "$before" > all.c && : > names; }
    echo "$2 $(wc -l < all.c) $1" >> names
    shift 2
    loop_function $count "$@" >> all.c
    count=$((count + 1))
}

# both NAME.LANGUAGE GZC CC: the programs plain of it and made of what gzc makes of it, with the flags GZC, by the compiler
# with the flags CC; made by clang, which takes a third of gcc's time and which gzc needs, but for `make check-all` and
# where OpenMP or sanitizers need a library of the compiler's own. Flags are several words.
# shellcheck disable=SC2086
both() {
    case ${1##*.} in
    cpp) own=${CXX:-c++} other=clang++-15 ;;
    *) own=$cc other=clang-15 ;;
    esac
    case ${GZ_ALL:+all}$3 in all* | *-fopenmp* | *-fsanitize*) other=$own ;; esac
    rm -f plain made bodies.so
    "$gzc" -k "$1" -o "made.${1##*.}" -- $standard $2 2> said
    $own $standard -w $3 $optimised -ffp-contract=off "$1" -o plain -lm 2> err &&
        $other $standard -w $3 $optimised -I"$library" "made.${1##*.}" host.o -o made -lm -ldl 2>> err &&
        GZ_BODIES=print ./made 2> bodies.c > printed &&
        $cc -std=gnu11 -w -ffp-contract=off -fno-builtin -fPIC -shared -I"$host" bodies.c -o bodies.so -lm 2>> err
    ./plain > expected
    GZ_BODIES=$work/bodies.so ./made > got 2> ran
}

# compare [GZC [CC]]: a check of each loop since the last, with these flags; otherwise CC asks for OpenMP.
compare() {
    main_function $count >> all.c
    mv all.c "text.$language"
    both "text.$language" "${1:-}" "${2--fopenmp}"
    note < err
    [ "$(wc -l < said)" -le $count ]
    verdict $? "one line for each loop that is refused" || note < said
    awk -v shown=$shown 'FILENAME == "names" { times[n] = $1; begin[n] = $2; $1 = $2 = ""; name[n++] = substr($0, 3); next }
        FILENAME == "ran" { if (/ ran$/) line[runs++] = $1; next }
        { text[FILENAME, $1] = text[FILENAME, $1] $0 "\n"; lines[FILENAME, $1]++ }
        END {
            for (k = 0; k < n; k++) {
                found = 0
                for (r = 0; r < runs; r++)
                    found += line[r] > begin[k] && (k == n - 1 || line[r] <= begin[k + 1])
                good = lines["expected", k] >= shown && text["expected", k] == text["got", k] &&
                    (times[k] == "no" ? !found : found >= times[k])
                print !good, k, found, name[k]
            }
        }' names ran expected got > judged
    while read -r status number found name; do
        verdict "$status" "$name${1:+, $1 given}${2+, compiled with ${2:-none}}: C's bits, $found runs elsewhere" || {
            sed -n "s/^$number //p" expected > expected.one
            sed -n "s/^$number //p" got | diff expected.one - | head -n 12 | note
        }
    done < judged
    count=0
}
