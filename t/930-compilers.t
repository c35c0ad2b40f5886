#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 930-compilers - everything builds without a warning, with gcc, which finds some of them only when it
# optimises, and with clang, which does not need to, and with clang's sanitizers.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL
plan 3
for compiler in gcc clang; do
    optimise=-O2
    [ $compiler = gcc ] || optimise=-O0
    if ! command -v $compiler > /dev/null; then
        skip "there is no $compiler"
        continue
    fi
    log=$(nice make -s -j2 B="$GZ_BUILD/$compiler" CC=$compiler SANITIZE= OPT="$optimise" CFLAGS=-Werror all tests \
        study-programs 2>&1)
    verdict $? "$compiler builds all, the tests and the studies without a warning"
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
