#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 920-header - the public header stands alone, in C and in C++, without a warning.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

cat > "$dir/alone.c" <<'END'
#include <gzmodel.h>
#include <gzmodel.h>
int check(const gz_device *dev, const gz_app *app, const gz_config *cfg);
int check(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    gz_prediction p;
    return gz_predict(dev, app, cfg, 1, &p, NULL) == GZ_OK && p.term[GZ_TERM_COMMIT] > 0;
}
END
sed 's/^int check.*;$/&/' "$dir/alone.c" > "$dir/alone.cpp"

# compiles COMPILER STANDARD FILE
compiles() {
    if ! command -v "$1" > "$dir/which"; then
        skip "there is no $1"
        return
    fi
    "$1" "-std=$2" -Wall -Wextra -pedantic -Wconversion -Wshadow -Werror -Ilibgzmodel -c \
        -o "$dir/alone.o" "$dir/$3" 2> "$dir/log"
    verdict $? "$1 -std=$2" || note < "$dir/log"
}
for compiler in gcc clang; do
    for standard in c11 c17 gnu11; do
        compiles $compiler $standard alone.c
    done
done
for compiler in g++ clang++; do
    for standard in c++11 c++17 c++20; do
        compiles $compiler $standard alone.cpp
    done
done
finish
