#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 285-fuzz-table - the reader of measurements on mutated tables, for a few seconds, under the sanitizers that the compiler has.
# To repeat a failure: GZ_FUZZ_SEED=the seed printed. Long runs: make fuzz.
set -eu
: "${GZ_BUILD:?run through make check}"

GZ_FUZZ_SAVE=$(mktemp)
export GZ_FUZZ_SAVE
trap 'rm -f "$GZ_FUZZ_SAVE"' EXIT
if "$GZ_BUILD/fuzz/table-driver" 15000 "${GZ_FUZZ_SEED:-$(date +%s)}" 2>"$GZ_FUZZ_SAVE.log"; then
    rm -f "$GZ_FUZZ_SAVE.log"
else
    status=$?
    sed 's/^/# /' "$GZ_FUZZ_SAVE.log"
    echo "# the text in hexadecimal:"
    od -An -tx1 "$GZ_FUZZ_SAVE" | sed 's/^/#/'
    rm -f "$GZ_FUZZ_SAVE.log"
    exit "$status"
fi
