#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 910-symbols - what the library exports, and what it calls: no allocation in a prediction, no
# output, no exit, no writable globals.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
shared=$GZ_BUILD/lib/libgzmodel.so
static=$GZ_BUILD/lib/libgzmodel.a
front=$GZ_BUILD/libgzmodel/libfront.a
for library in "$shared" "$static" "$front"; do
    [ -e "$library" ] || skip_all 'the library is not built'
done

# The functions of the headers: a declaration may run over lines, so these are joined first.
declared=$(cat libgzmodel/gzmodel.h libgzmodel/gzmodel/*.h | tr '\n' ' ' | grep -oE 'GZ_API [a-z_ ]*\*? ?gz_[a-z0-9_]+\(' |
    sed -E 's/.*[ *](gz_[a-z0-9_]+)\($/\1/' | sort)
exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | grep -v '^__' | sort)
ok 'the headers declare functions' test "$(echo "$declared" | wc -l)" -ge 50
nothing '036 calls each of them' "$(for name in $declared; do grep -q "[^a-z_]$name(" t/036-abuse.c || echo "$name"; done)"
printf '%s\n' "$declared" "$exported" | sort | uniq -u > "$GZ_BUILD/t/symbols.diff"
nothing 'the shared library exports what the headers declare, and nothing else' \
    "$(cat "$GZ_BUILD/t/symbols.diff")"
nothing 'the static library defines no other global names than gz_ and gzi_' \
    "$(nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | grep -vE '^(gz_|gzi_|__)')"

nothing 'what all programs share defines no other global names than cli_' \
    "$(nm -g --defined-only "$front" | awk 'NF == 3 { print $3 }' | grep -vE '^(cli_|__)')"

readelf -d "$shared" | grep -qE 'SONAME.*libgzmodel\.so\.[0-9]+\]'
verdict $? 'the soname carries the major version'

# "object function" for each undefined symbol of the library's objects.
calls=$(nm -u -A "$static" | sed -E 's/^[^:]*:([^:]*):[[:space:]]*[Uw] (.*)/\1 \2/; s/@.*//')
allocators='malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|v?asprintf|strn?dup'
allocators="$allocators|fopen|gsl_.*|json_.*|pthread_.*"
nothing 'nothing but optimisers, searches, and what reads and writes JSON can allocate' \
    "$(echo "$calls" | grep -vE '^(newton|paramfile|paramwrite|ask|answer|search|shapes|ideas|tuner|gz2_contract)\.o ' | grep -E " ($allocators)$")"
process='v?f?printf|__v?f?printf_chk|f?puts|f?putc|putchar|fwrite|perror|stdout|stderr|_?exit|abort'
process="$process|signal|setlocale|getenv|gsl_set_error_handler.*"
nothing 'the library does not print, exit or touch the process' \
    "$(echo "$calls" | grep -E " ($process)$")"
# (strerror is safe in glibc from 2.32 on)
unsafe='s?rand|random|strtok|localtime|gmtime|asctime|ctime'
nothing 'the library calls nothing that is not safe in threads' \
    "$(echo "$calls" | grep -E " ($unsafe)$")"

if sanitized "$static"; then
    skip 'sanitizers add globals'
else
    nothing 'the library keeps no globals that can change' "$(size -A "$static" |
        awk '/\.o / { object = $1 } /^\.(data|bss|tdata|tbss) / && $2 > 0 { print object, $1, $2 }')"
fi
finish
