#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 358-benches - translated.sh, if it cannot run, says so in one line and fails: of a bad command line with
# status 2, before it measures, of what fails in it with status 1.
. "$(dirname "$0")/tap.sh"
scratch
needs_device

# translated.sh with programs in a build folder that fail where a test says so.
translated() {
    sh "$GZ_SOURCE/kernels/bench/translated.sh" "$work/build" "$@"
}
mkdir -p "$work/build/bin"
ln -s "$GZ_BUILD/bin/gzrun" "$work/build/bin/gzrun"
fails 1 'gzc is not built' 'translated: no gzc' translated
printf '#!/bin/sh\necho "gzc: no" >&2\nexit 3\n' >"$work/build/bin/gzc"
chmod +x "$work/build/bin/gzc"
fails 2 'TURNS: "0"' 'translated: no turns' translated opencl:0 0
fails 2 'device nonsense: .*or cuda:INDEX' 'translated: no device' translated nonsense
fails 77 'no such device' 'translated: no such device' translated opencl:99
translated opencl:0 1 >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 1 ] && [ "$(cat "$work/err")" = 'translated: gzc translated.c: status 3: gzc: no' ] &&
    ! grep -q fast "$work/out"
verdict $? 'translated: a program that fails'

# What prints as it goes says at its end if that could not be written.
full() {
    [ -c /dev/full ] || { skip "$1: there is no /dev/full"; return; }
    what=$1
    shift
    "$@" >/dev/full 2>"$work/err"
    status=$?
    [ $status -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'cannot write standard output' "$work/err"
    verdict $? "$what: a full disk" || note <"$work/err"
}
full targets "$GZ_BUILD/studies/bin/targets"
fails 1 'correct: /dev/full: cannot be written' 'correct: a full disk' "$GZ_BUILD/bench/correct" opencl:0 /dev/full star7
finish
