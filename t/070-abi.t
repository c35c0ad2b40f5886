#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 070-abi - a program that was compiled with the header of an earlier version of this major version
# runs with today's library: the same sizes, numbers and results. t/abi/gzmodel-MAJOR.MINOR.h are
# those headers, kept when a version is released; as long as there is none, today's header is taken.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
library=$GZ_BUILD/lib/libgzmodel.so
[ -e "$library" ] || skip_all 'the library is not built'
major=$(sed -n 's/^#define GZ_VERSION_MAJOR //p' libgzmodel/gzmodel.h)
set -- t/abi/gzmodel-"$major".*.h
[ -e "$1" ] || set -- libgzmodel/gzmodel.h
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# table HEADER: a program that prints the size of each structure and the number of each enumerator
# that HEADER declares.
table() {
    printf '#include <gzmodel.h>\n#include <stdio.h>\nint main(void)\n{\n'
    sed -nE 's/^\} (gz_[a-z0-9_]+);$/    printf("sizeof \1 %zu\\n", sizeof(\1));/p' "$1"
    sed -n '/^typedef enum/,/^}/p' "$1" | sed 's,/\*.*,,' | grep -oE '\bGZ_[A-Z0-9_]+' | sort -u |
        sed 's/.*/    printf("& %d\\n", (int)&);/'
    printf '    return 0;\n}\n'
}

# compiled SOURCE INCLUDE PROGRAM: with the headers of a folder, linked with today's library.
compiled() {
    rm -f "$3"
    # CC and SANITIZE hold words
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror ${SANITIZE:+-fsanitize=$SANITIZE} -I"$2" -o "$3" "$1" \
        "$library" -Wl,-rpath,"$(dirname "$library")" 2> "$dir/log"
}

# same NAME: both programs run and print the same.
same() {
    { "$dir/old" > "$dir/old.out" 2>&1 && "$dir/new" > "$dir/new.out" 2>&1 &&
        diff "$dir/old.out" "$dir/new.out" > "$dir/log" 2>&1; }
    verdict $? "$1"
    note < "$dir/log"
}

for header; do
    version=$(basename "$header" .h)
    mkdir -p "$dir/$version"
    cp "$header" "$dir/$version/gzmodel.h"

    nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u > "$dir/exported"
    tr '\n' ' ' < "$header" | grep -oE 'GZ_API [a-z_ ]*\*? ?gz_[a-z0-9_]+\(' |
        sed -E 's/.*[ *](gz_[a-z0-9_]+)\($/\1/' | sort -u > "$dir/declared"
    nothing "$version: every function is still there" "$(comm -23 "$dir/declared" "$dir/exported")"

    table "$header" > "$dir/table.c"
    compiled "$dir/table.c" "$dir/$version" "$dir/old" && compiled "$dir/table.c" libgzmodel "$dir/new"
    verdict $? "$version: every structure and enumerator is still declared"
    note < "$dir/log"
    same "$version: with the same size and the same number"

    compiled t/abi/program.c "$dir/$version" "$dir/old" &&
        compiled t/abi/program.c libgzmodel "$dir/new"
    verdict $? "$version: a program compiles with it and with today's header"
    note < "$dir/log"
    same "$version: and does the same with today's library"
done
finish
