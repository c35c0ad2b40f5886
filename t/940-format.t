#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 940-format - C sources are as clang-format leaves them. Versions differ in details, so only the
# one of Debian 12 is used.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
formatter=
for name in clang-format-14 clang-format; do
    if [ -z "$formatter" ] && $name --version 2> /dev/null | grep -q 'version 14\.'; then
        formatter=$name
    fi
done
[ -n "$formatter" ] || skip_all 'there is no clang-format 14'
nothing 'C sources are formatted' "$(find . -path ./.git -prune -o -path './build*' -prune -o \
    -name '*.[ch]' -exec "$formatter" --dry-run {} + 2>&1 | grep 'warning:')"
finish
