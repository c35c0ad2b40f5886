#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 930-compilers - everything compiles without a warning, with gcc, which finds some of them only when it
# optimises, and with clang, which does not need to make code; and with clang's sanitizers a program runs. Linking is the
# build's own.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL
commands=$(mktemp) || exit 1
trap 'rm -f "$commands"' EXIT
for compiler in gcc clang; do
    # The build itself was gcc's, without a warning, where .ci/run made it.
    [ "$compiler${CFLAGS:-}" != gcc-Werror ] || continue
    how='-c -o /dev/null'
    [ $compiler = gcc ] || how=-fsyntax-only
    if ! command -v $compiler > /dev/null; then
        skip "there is no $compiler"
        continue
    fi
    # Each source as make would compile it.
    make -nB B="$GZ_BUILD" CC=$compiler SANITIZE= OPT=-O2 CFLAGS=-Werror all tests study-programs 2> /dev/null |
        sed -nE "s| -MMD -MP | |; s| -MT [^ ]+ -MF [^ ]+ | |; s| && mv .*||; s| -c -o [^ ]+ | $how |p" > "$commands"
    log=$(nice xargs -P 2 -d '\n' -n 1 sh -c < "$commands" 2>&1) && [ "$(wc -l < "$commands")" -gt 300 ]
    verdict $? "$compiler compiles $(wc -l < "$commands") sources, of all, the tests and the studies, without a warning"
    [ -z "$log" ] || printf '%s\n' "$log" | tail -n 20 | note
done

# Libraries whose undefined names the sanitizers' runtime brings only with the program.
if ! echo "int main(void) { return 0; }" | clang -fsanitize=address,undefined -x c -o /dev/null - 2> /dev/null; then
    skip 'there is no clang with sanitizers'
else
    b=$GZ_BUILD/clang-sanitized
    log=$(nice make -s -j2 B="$b" CC=clang SANITIZE=address,undefined OPT=-O0 "$b/bin/gzmodel" "$b/lib/libgzstencil.so" 2>&1) &&
        "$b/bin/gzmodel" --version > /dev/null
    verdict $? 'clang links libraries with its sanitizers, and a program with them runs'
    [ -z "$log" ] || printf '%s\n' "$log" | tail -n 20 | note
fi
finish
