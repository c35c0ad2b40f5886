#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 920-header - the public header stands alone, in C and in C++, without a warning.
. "$(dirname "$0")/tap.sh"
scratch

cat > "$work/alone.c" <<'END'
#include <gzmodel.h>
#include <gzmodel.h>
int check(const gz_device *dev, const gz_app *app, const gz_config *cfg);
int check(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    gz_prediction p;
    return gz_predict(dev, app, cfg, 1, &p, NULL) == GZ_OK && p.term[GZ_TERM_COMMIT] > 0;
}
END
cp "$work/alone.c" "$work/alone.cpp"

# compiles COMPILER STANDARD FILE
compiles() {
    if ! command -v "$1" > "$work/which"; then
        skip "there is no $1"
        return
    fi
    "$1" "-std=$2" -Wall -Wextra -pedantic -Wconversion -Wshadow -Werror -I"$GZ_SOURCE/libgzmodel" -c \
        -o "$work/alone.o" "$work/$3" 2> "$work/log"
    verdict $? "$1 -std=$2" || note < "$work/log"
}
for standard in c11 c17 gnu11; do
    compiles gcc $standard alone.c
    compiles clang $standard alone.c
done
for standard in c++11 c++17 c++20; do
    compiles g++ $standard alone.cpp
    compiles clang++ $standard alone.cpp
done
finish
