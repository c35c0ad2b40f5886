#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 740-gzc-install - what is installed, used through pkg-config only: gzc translates a file, C and C++
# compile it with the installed header and library, and it runs; the header stands on its own.
. "$(dirname "$0")/tap.sh"
command -v pkg-config > /dev/null || skip_all 'there is no pkg-config'
needs_gzc

env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$GZ_SOURCE" B="$GZ_BUILD" install PREFIX="$work/here" \
    > "$work/log" 2>&1
verdict $? 'make install'
head -n 20 "$work/log" | note
PKG_CONFIG_PATH=$work/here/lib/pkgconfig
export PKG_CONFIG_PATH
PATH=$work/here/bin:$PATH
cd "$work" || exit 1
cat > heat.c << 'C'
#include <stdio.h>
static double plate[2][SIZE][SIZE];
int main(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            plate[0][i][j] = plate[1][i][j] = i * 7 % 11 + j * 5 % 13;
#pragma scop
    for (int t = 0; t < 20; t++)
        for (int i = 1; i < SIZE - 1; i++)
            for (int j = 1; j < SIZE - 1; j++)
                plate[(t + 1) % 2][i][j] = plate[t % 2][i][j] + 0.1 * (plate[t % 2][i - 1][j] + plate[t % 2][i + 1][j] + plate[t % 2][i][j - 1] + plate[t % 2][i][j + 1] - 4 * plate[t % 2][i][j]);
#pragma endscop
    for (int i = 0; i < SIZE; i++)
        printf("%a\n", plate[0][i][SIZE / 2]);
    return 0;
}
C
cp heat.c heat.cpp
gzc heat.c -o heat_gz.c -- -DSIZE=50 && gzc heat.cpp -o heat_gz.cpp -- -DSIZE=50
verdict $? 'the installed gzc translates C and C++'
# Flags are several words on purpose.
# shellcheck disable=SC2046
{
    ${CC:-cc} -DSIZE=50 -ffp-contract=off heat.c -o plain && ./plain > expected
    ${CC:-cc} $sanitize -Wall -Wextra -Wno-unknown-pragmas -Werror -DSIZE=50 heat_gz.c -o c $(pkg-config --cflags --libs gzstencil)
    verdict $? 'C'
    ${CXX:-c++} $sanitize -Wall -Wextra -Wno-unknown-pragmas -Werror -DSIZE=50 heat_gz.cpp -o cpp $(pkg-config --cflags --libs gzstencil)
    verdict $? 'C++'
    ./c > got && cmp -s expected got
    verdict $? 'the same bits from C'
    ./cpp > got && cmp -s expected got
    verdict $? 'the same bits from C++'
    echo '#include <gzstencil.h>' > alone.c
    ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags gzstencil) -c alone.c -o alone.o
    verdict $? 'the header stands on its own'
}
nothing 'only gz_stencil_ names are exported' "$(nm -D --defined-only here/lib/libgzstencil.so |
    awk '$2 ~ /[TDBR]/ { print $3 }' | grep -v '^gz_stencil_')"
if command -v cmake > /dev/null; then
    cat > CMakeLists.txt << END
cmake_minimum_required(VERSION 3.10)
project(heat C)
find_package(gzstencil $(pkg-config --modversion gzstencil | cut -d. -f1) REQUIRED)
add_executable(by_cmake heat_gz.c)
target_compile_definitions(by_cmake PRIVATE SIZE=50)
target_link_libraries(by_cmake gzstencil::gzstencil)
END
    cmake -S . -B b -DCMAKE_PREFIX_PATH="$work/here" -DCMAKE_C_COMPILER="$(echo "${CC:-cc}" | sed "s|.* ||")" -DCMAKE_C_FLAGS="$sanitize" > log 2>&1 &&
        cmake --build b >> log 2>&1
    verdict $? 'CMake finds libgzstencil and builds with it'
    ./b/by_cmake > got && cmp -s expected got
    verdict $? 'the same bits from what CMake built'
else
    skip 'there is no cmake'
fi
CC="env ${CC:-cc}" gzc --row heat.c -o heat.so -- -DSIZE=50 &&
    if gzrun -d opencl:0 -l > /dev/null 2>&1; then
        POCL_AFFINITY=1 gzrun --stencil heat.so -d opencl:0 -s 61x47 -b 20x18 -H 3 --loops 7 --runs 1 \
            --contract off --verify > log 2>&1 && grep -q 'verified *true' log
    fi
verdict $? 'gzrun --stencil runs and verifies a stencil that gzc made, by a compiler of several words'
finish
