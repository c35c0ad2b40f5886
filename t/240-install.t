#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 240-install - the installed libraries used from C and from C++ outside the tree, through pkg-config, shared and static,
# and through CMake; gzc as it is installed, and what it makes; the installed programs and manual pages; DESTDIR;
# uninstall; folders that are no folders.
. "$(dirname "$0")/tap.sh"
command -v pkg-config >/dev/null || skip_all 'there is no pkg-config'

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix=$place/prefix

# A make of its own, not a part of the one that runs the tests.
make_here() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$GZ_SOURCE" B="$GZ_BUILD" "$@"
}

ok "make install" make_here install PREFIX="$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
version=$(sed -n 's/^#define GZ_VERSION_[A-Z]* //p' "$GZ_SOURCE/libgzmodel/gzmodel.h" | paste -sd.)
ok "pkg-config finds version $version" test "$(pkg-config --modversion gzmodel)" = "$version"
ok "the soname has the major version" sh -c \
    "readelf -d '$prefix/lib/libgzmodel.so' | grep -q 'SONAME.*\[libgzmodel.so.${version%%.*}\]'"
ok "only gz_ names are exported" sh -c \
    "! nm -D --defined-only '$prefix/lib/libgzmodel.so' | awk '\$2 ~ /[TDBR]/ {print \$3}' |
     grep -v '^gz_'"

cat >"$place/user.c" <<'END'
#include <gzmodel.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    gz_device dev;
    gz_app app;
    gz_optimum best;
    gz_config cfg;
    gz_error error;
    int i;
    memset(&cfg, 0, sizeof cfg);
    cfg.sync = GZ_SYNC_FENCE;
    cfg.tau = GZ_TAU_PRINTED;
    for (i = 0; i < GZ_MAX_DIM; i++) {
        cfg.data_length[i] = 1e6;
        cfg.block_len[i] = 256;
    }
    if (gz_device_open("gtx280", &dev, &error) || gz_app_open("pathfinder", "gtx280", &app, &error) ||
        gz_check(&dev, &app, &cfg, &error) || gz_optimize(&dev, &app, &cfg, NULL, &best, &error))
        return 1;
    printf("%d %d %s\n", best.integer, best.truncated, gz_version());
    return 0;
}
END
cp "$place/user.c" "$place/user.cc"
strict="-Wall -Wextra -Wpedantic -Werror"

# try WHAT COMPILER SOURCE FLAGS...: compiles and runs a user of the library.
try() {
    kind=$1 compiler=$2 source=$3
    shift 3
    ok "$kind: compiles" $compiler $strict $sanitize -o "$place/user" "$place/$source" "$@"
    ok "$kind: finds PathFinder's heights with fences" test \
        "$(env -u LD_LIBRARY_PATH "$place/user")" = "20 19 $version"
    rm -f "$place/user"
}

cc=${CC:-cc} cxx=${CXX:-c++}
# the static library alone, so that the linker cannot take the shared one
mkdir "$place/static"
ln -s "$prefix/lib/libgzmodel.a" "$place/static"
shared=$(pkg-config --cflags --libs gzmodel)
static="-L$place/static $(pkg-config --static --cflags --libs gzmodel)"
try "C, shared" "$cc -std=c11" user.c $shared
try "C89, shared" "$cc -std=c89" user.c $shared
try "C++, shared" "$cxx -std=c++98" user.cc $shared
try "C, static" "$cc -std=c11" user.c $static
try "C++, static" "$cxx -std=c++17" user.cc $static
$cc $sanitize -o "$place/user" "$place/user.c" $static
ok "the static user needs no libgzmodel.so" sh -c "! ldd '$place/user' | grep gzmodel"
$cc $sanitize -o "$place/user" "$place/user.c" $shared
ok "the shared one needs it by its soname" sh -c \
    "readelf -d '$place/user' | grep -q 'NEEDED.*libgzmodel.so.${version%%.*}\]'"

# CMake, which finds a library by its own file.
# project FOLDER PACKAGE VERSION SOURCE: a project of that program there, with SIZE=50.
project() {
    mkdir "$place/$1"
    cp "$4" "$place/$1"
    cat >"$place/$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.10)
project(user C)
find_package($2 $3 REQUIRED)
add_executable(user ${4##*/})
target_compile_definitions(user PRIVATE SIZE=50)
target_link_libraries(user $2::$2)
END
    cmake -S "$place/$1" -B "$place/$1/b" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="${cc##* }" -DCMAKE_C_FLAGS="$sanitize"
}
if command -v cmake >/dev/null; then
    ok "CMake finds the library" project cmake gzmodel "${version%%.*}" "$place/user.c"
    ok "builds with it" cmake --build "$place/cmake/b"
    ok "and what it builds runs" test "$("$place/cmake/b/user")" = "20 19 $version"
    sed -i 's/gzmodel [0-9]* REQUIRED/gzmodel 99 REQUIRED/' "$place/cmake/CMakeLists.txt"
    ok "but not another major version" sh -c "! cmake -S '$place/cmake' -B '$place/cmake/c' -DCMAKE_PREFIX_PATH='$prefix'"
fi

# What gzc makes of a program, with libgzstencil.
heat_of() {
    cd "$place" || exit 1
    PATH=$prefix/bin:$PATH
    cat >heat.c <<'END'
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
END
    cp heat.c heat.cpp
    gzc heat.c -o heat_gz.c -- -DSIZE=50 && gzc heat.cpp -o heat_gz.cpp -- -DSIZE=50 &&
        $cc -DSIZE=50 -ffp-contract=off heat.c -o plain && ./plain >expected
}
# same_bits PROGRAM: it prints what the original does.
same_bits() {
    "$1" | cmp - "$place/expected"
}
# as_a_stencil: gzrun verifies a row that gzc made by a compiler of several words, where there is a device.
as_a_stencil() {
    cd "$place" && CC="env $cc" "$prefix/bin/gzc" --row heat.c -o heat.so -- -DSIZE=50 || return
    "$prefix/bin/gzrun" -d opencl:0 -l >/dev/null 2>&1 || return 0
    POCL_AFFINITY=1 "$prefix/bin/gzrun" --stencil heat.so -d opencl:0 -s 61x47 -b 20x18 -H 3 --loops 7 --runs 1 \
        --contract off --verify | grep -q 'verified *true'
}
if [ -x "$prefix/bin/gzc" ]; then
    made=$(pkg-config --cflags --libs gzstencil)
    strict="-Wall -Wextra -Wno-unknown-pragmas -Werror -DSIZE=50"
    ok "the installed gzc translates C and C++" heat_of
    for kind in "c $cc" "cpp $cxx"; do
        ok "${kind%% *}: compiles" ${kind#* } $strict $sanitize "$place/heat_gz.${kind%% *}" -o "$place/heat" $made
        ok "${kind%% *}: the same bits" same_bits "$place/heat"
    done
    echo '#include <gzstencil.h>' >"$place/alone.c"
    ok "the header stands on its own" $cc -std=c99 -Wall -Wextra -Wpedantic -Werror $made -c "$place/alone.c" -o "$place/alone.o"
    ok "only gz_stencil_ names are exported" sh -c "! nm -D --defined-only '$prefix/lib/libgzstencil.so' |
        awk '\$2 ~ /[TDBR]/ {print \$3}' | grep -v '^gz_stencil_'"
    if command -v cmake >/dev/null; then
        ok "CMake finds libgzstencil" project stencil gzstencil "$(pkg-config --modversion gzstencil | cut -d. -f1)" "$place/heat_gz.c"
        ok "and builds with it" cmake --build "$place/stencil/b"
        ok "the same bits" same_bits "$place/stencil/b/user"
    fi
    ok "a row is a stencil that gzrun verifies" as_a_stencil
fi
for program in gzmodel gzrun gzmg gz-calibrate gz-measure gz-validate; do
    ok "the completion of $program is installed" grep -q "complete .* $program\$" \
        "$prefix/share/bash-completion/completions/$program"
done
for program in gzmodel gz-measure gz-validate; do
    ok "$program names itself as it is installed" sh -c \
        "'$prefix/bin/$program' --version | grep -q '^$program '"
done

ok "the installed gzmodel works from elsewhere" sh -c \
    "cd / && env -i '$prefix/bin/gzmodel' optimize -d gtx280 -a hotspot -s 2000 -b 20 --json"
for file in share/man/man3/libgzmodel.3 share/man/man5/gzmodel-files.5 \
    share/gzmodel/device.schema.json share/gzmodel/app.schema.json share/doc/gzmodel/LICENSE share/doc/gzmodel/height.c; do
    ok "$file is installed" test -s "$prefix/$file"
done
for program in "$prefix"/bin/*; do
    ok "${program##*/} has a manual page" test -s "$prefix/share/man/man1/${program##*/}.1"
done
for program in calibrate measure validate; do
    ok "gz-$program is installed" test -x "$prefix/bin/gz-$program"
    ok "but no $program" test ! -e "$prefix/bin/$program"
done

ok "make uninstall" make_here uninstall PREFIX="$prefix"
ok "leaves no file" test -z "$(find "$prefix" ! -type d)"

ok "make install with DESTDIR" make_here install PREFIX=/usr DESTDIR="$place/root"
ok "puts everything below it" test -x "$place/root/usr/bin/gzmodel"
ok "but its name into no file" sh -c "! grep -r '$place' '$place/root/usr/lib/pkgconfig'"
ok "pkg-config's prefix is PREFIX" grep -qx 'prefix=/usr' \
    "$place/root/usr/lib/pkgconfig/gzmodel.pc"

# What is given is text, which neither make nor the shell evaluates.
for given in 'DESTDIR=$(shell touch ran)' 'PREFIX=/usr/`touch ran`' 'LIBDIR=$(shell touch ran)' 'MANDIR=/usr;touch ran;' \
    'BINDIR=a b'; do
    folder=$place/${given%%=*}
    mkdir "$folder"
    for goal in install uninstall; do
        make_here $goal DESTDIR="$folder" "$given" >"$place/said" 2>&1
        status=$?
        ok "$goal $given is refused" test $status -ne 0 -a -z "$(find "$folder" ! -type d)" -a ! -e "$GZ_SOURCE/ran"
        ok "in one line" test "$(grep -cF "$given: must have no blank in it, and none of" "$place/said")" -eq "$(wc -l <"$place/said")"
    done
done
# shellcheck disable=SC2016 # not evaluated
DESTDIR='$(shell touch ran)' make_here install >/dev/null 2>&1
ok 'nor if the environment has it' test $? -ne 0 -a ! -e "$GZ_SOURCE/ran"

finish
