#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 737-gzc-guards - loops that run beyond their arrays, and touch under conditions only what lies in
# them: exactly that is read and written. Random ones of them (t/gzc/guards.c), whose arrays and rows
# lie between pages that nobody may touch.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

result=$(GZ_PROGRAMS=guards GZ_EVERY=60 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" "$(bulk 30 60)" 2>&1)
verdict $? "random programs: $(echo "$result" | grep "programs, to seed")"
echo "$result" | note

finish
