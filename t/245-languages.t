#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 245-languages - the library from C++, and through a foreign-function interface: a program that never
# sees the header opens the shared object and finds its function by name.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
shared=$(echo "$GZ_BUILD"/lib/libgzmodel.so.[0-9]*.*.*)
[ -e "$shared" ] || skip_all 'the shared library is not built'
! sanitized "$shared" || skip_all 'a sanitizer must be linked into the program too'
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

cat > "$dir/tune.cpp" <<'END'
#include <gzmodel.h>
#include <iostream>
#include <stdexcept>
#include <vector>

// A result or an exception: what a C++ program makes of the status and the message.
template <class Call> void check(Call call)
{
    gz_error error;
    if (call(&error) != GZ_OK)
        throw std::runtime_error(error.text);
}

int main()
{
    gz_device dev;
    gz_app app;
    check([&](gz_error *e) { return gz_device_open("gtx280", &dev, e); });
    check([&](gz_error *e) { return gz_app_open("hotspot", "gtx280", &app, e); });
    gz_tune_request request = gz_tune_request();
    request.data_length[0] = request.data_length[1] = 2000;
    std::vector<gz_candidate> best(3);
    size_t found = 0;
    check([&](gz_error *e) {
        return gz_ideas(&dev, &app, &request, best.data(), best.size(), &found, nullptr, e);
    });
    for (size_t k = 0; k < found; k++)
        std::cout << best[k].way.block[0] << 'x' << best[k].way.block[1] << " height "
                  << best[k].way.height << ' ' << gz_name(GZ_SYNCS, best[k].way.sync) << '\n';
    try {
        request.data_length[1] = 0;
        check([&](gz_error *e) {
            return gz_ideas(&dev, &app, &request, best.data(), best.size(), &found, nullptr, e);
        });
    } catch (const std::exception &refused) {
        std::cout << refused.what() << '\n';
    }
}
END
g++ -std=c++11 -Wall -Wextra -pedantic -Werror -Ilibgzmodel -o "$dir/tune" "$dir/tune.cpp" "$shared" \
    2> "$dir/log"
verdict $? 'a program in C++ compiles' || note < "$dir/log"
LD_LIBRARY_PATH=$GZ_BUILD/lib "$dir/tune" > "$dir/out" 2>&1
"$GZ_BUILD/bin/gzmodel" tune -d gtx280 -a hotspot -s 2000 --top 3 |
    awk '$1 ~ /^[0-9]+x[0-9]+$/ { print $1, "height", $3, $4 }' > "$dir/want"
echo 'size: extent 1 is 0 elements: must be at least 1 and at most 1e+15' >> "$dir/want"
nothing 'and prints what gzmodel tune does' "$(diff "$dir/want" "$dir/out")"

# As any language does that knows no structure: questions and answers in JSON.
cat > "$dir/ask.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    static char answer[100000];
    void *lib = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    size_t (*ask)(const char *, char *, size_t);
    *(void **)&ask = lib ? dlsym(lib, "gz_ask") : NULL;
    if (!ask)
        return 1;
    size_t needed = ask(argv[2], NULL, 0), few = ask(argv[2], answer, needed - 1);
    if (few != needed || answer[0])
        return 2;
    ask(argv[2], answer, sizeof answer);
    puts(answer);
    return 0;
}
END
cc -std=gnu11 -Wall -Werror -o "$dir/ask" "$dir/ask.c" -ldl 2> "$dir/log"
verdict $? 'a program without the header compiles' || note < "$dir/log"
# asked QUESTION ARGUMENT...: whether the answer is what gzmodel prints.
asked() {
    question=$1
    shift
    "$dir/ask" "$shared" "$question" > "$dir/out" 2>&1
    "$GZ_BUILD/bin/gzmodel" "$@" --json 2> "$dir/log" > "$dir/want"
    diff "$dir/want" "$dir/out"
}
nothing 'and every answer is what gzmodel --json prints' "$(
    asked '{"do": "predict", "device": "gtx280", "app": "hotspot", "size": [2000, 1000], "block": 20,
            "height": 2.5, "sync": "fence"}' predict -d gtx280 -a hotspot -s 2000x1000 -b 20 -H 2.5 -y fence
    asked '{"do": "optimize", "device": "gtx280", "app": "hotspot", "size": 2000}' \
        optimize -d gtx280 -a hotspot -s 2000
    asked '{"do": "choose", "device": "pocl-xeon-2core", "app": "hotspot", "size": 1024, "block": [34, 18],
            "threads": 1}' choose -d pocl-xeon-2core -a hotspot -s 1024 -b 34x18 --threads 1
    asked '{"do": "sensitivity", "device": "gtx280", "app": "pathfinder", "size": 1e6, "block": 256}' \
        sensitivity -d gtx280 -a pathfinder -s 1000000 -b 256
    asked '{"do": "tune", "device": "gtx280", "app": "hotspot", "size": 2000, "top": 3,
            "limits": {"height_max": 4}, "model": "auto"}' \
        tune -d gtx280 -a hotspot -s 2000 --top 3 --max-height 4
    asked '{"do": "vcycle", "device": "h200", "app": "gsrb", "size": 64, "smooth": [4, 3], "cycle": "f",
            "depth": [3, 1], "tail": 512, "levels": 4}' \
        vcycle -d h200 -a gsrb -s 64 --smooth 4,3 --cycle f --depth 3,1 --tail 512 --levels 4
    asked '{"do": "vcycle", "device": "gtx280", "app": "hotspot", "size": 512, "smooth": 3}' \
        vcycle -d gtx280 -a hotspot -s 512 --smooth 3
    asked '{"do": "ranks", "device": "gtx280", "app": "hotspot", "size": 1024, "ranks": [1, 8]}' \
        ranks -d gtx280 -a hotspot -s 1024 -n 1,8
    asked '{"do": "ranks", "device": "h200", "app": "pathfinder", "size": 4096, "ranks": 4, "network": "nvlink-4"}' \
        ranks -d h200 -a pathfinder -s 4096 -n 4 --network nvlink-4
    "$dir/ask" "$shared" '{"do": "ranks", "device": "h200", "app": "hotspot", "size": 1024, "ranks": [4, 0]}' |
        grep -q 'ranks must be whole numbers from 1 to 16777216' || echo 'no rank'
    "$dir/ask" "$shared" '{"do": "ranks", "device": "h200", "app": "hotspot", "size": 1024}' |
        grep -q 'ranks must be a number' || echo 'ranks without a number of them'
    "$dir/ask" "$shared" '{"do": "vcycle", "device": "gtx280", "app": "hotspot", "size": 512, "depth": [1, 17]}' |
        grep -q 'depth must be whole numbers from 1 to 16' || echo 'a depth beyond the deepest'
    "$dir/ask" "$shared" '{"do": "predict", "device": "gtx280", "app": "hotspot", "size": 2000, "block": 2,
        "height": 1}' | grep -q '"status": "GZ_EBLOCK"' || echo 'a bad block'
    "$dir/ask" "$shared" '{"do": "fly"}' | grep -q 'do must be predict' || echo 'a bad question'
    "$dir/ask" "$shared" '{"do": "tune"' | grep -q 'request:1:' || echo 'no JSON'
    "$dir/ask" "$shared" '{"do": "predict", "device": "gtx280", "app": "hotspot", "set": {"cpi": -1},
        "size": 2000, "block": 20, "height": 1}' | grep -q 'cpi is -1' || echo 'a bad quantity'
)"

# The page's example in Julia: the types of its calls are the header's.
page=libgzmodel/README.md
types=$(sed -n '/^In Julia/,$s/.*gz_ask(\(.*\))::\([A-Za-z_]*\)$/\1, \2/p' "$page" | sed 's/[a-zA-Z0-9_]*:://g' | sort -u)
grep -qx 'GZ_API size_t gz_ask(const char \*request, char \*answer, size_t size);' libgzmodel/gzmodel.h &&
    [ "$types" = 'Cstring, Ptr{UInt8}, Csize_t, Csize_t' ]
verdict $? "Julia's calls have the header's types: $types"
finish
