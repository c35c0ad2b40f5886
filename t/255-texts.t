#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 255-texts - the schemas and the manual's lists are what follows from the table of quantities.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
describe=$GZ_BUILD/libgzmodel/describe
[ -x "$describe" ] || skip_all "$describe is not built"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# follows WHAT FILE [INPUT]: describe WHAT prints the file, from itself or from INPUT.
follows() {
    "$describe" "$1" < "${3:-$2}" > "$dir/text"
    cmp "$dir/text" "$2" > "$dir/log" 2>&1
    verdict $? "$2 follows from the table (else: make texts)" || note < "$dir/log"
}
follows device libgzmodel/schema/device.schema.json
follows app libgzmodel/schema/app.schema.json
follows manual libgzmodel/man/gzmodel-files.5
follows page libgzmodel/models/gz2/README.md

# A page whose lists are empty gets them back.
awk '/^\.\\" end$/ { inside = 0 } !inside { print } /^\.\\" list / { inside = 1 }' \
    libgzmodel/man/gzmodel-files.5 > "$dir/empty"
cmp -s "$dir/empty" libgzmodel/man/gzmodel-files.5
[ $? -eq 1 ]
verdict $? 'the page has lists'
follows manual libgzmodel/man/gzmodel-files.5 "$dir/empty"
echo '.\" list wishes' | "$describe" manual > "$dir/text" 2> "$dir/log"
[ $? -eq 2 ] && grep -q 'there is no list "wishes"' "$dir/log"
verdict $? 'a list that does not exist is refused'
finish
