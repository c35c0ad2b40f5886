#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 295-completion - the completion scripts for bash, run by bash: every option of --help is offered,
# and what may follow an option.
. "$(dirname "$0")/tap.sh"
command -v bash >/dev/null || skip_all 'there is no bash'
scratch
cd "$work" || exit 1
programs='gzmodel gzrun gzmg calibrate measure validate'
touch table.tsv
mkdir folder

# offers PROGRAM WORDS...: what is offered for the last word, in one line.
offers() {
    program=$1
    shift
    bash -c '
        . "$1" || exit 1
        function=$(complete -p | sed -n "s/.* -F \([^ ]*\) .*/\1/p")
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        $function && echo "${COMPREPLY[*]}"' bash "$work/$program" "$@"
}

for program in $programs; do
    "$GZ_BUILD/bin/$program" --completion >"$work/$program" 2>"$work/err" &&
        bash -n "$work/$program" 2>"$work/err"
    verdict $? "$program --completion is a script" || note <"$work/err"
    offered=" $(offers "$program" "$program" --) "
    nothing 'which offers every long option of --help' "$("$GZ_BUILD/bin/$program" --help |
        sed -nE 's/^  .{4}(--[a-z0-9-]+).*/\1/p' | while read -r option; do
        case $offered in *" $option "*) ;; *) echo "$option" ;; esac
    done)"
done
nothing 'every command of gzmodel is offered' "$("$GZ_BUILD/bin/gzmodel" --help |
    sed -nE 's/^(Usage:|      ) gzmodel ([a-z]+) .*/\2/p' | while read -r command; do
    offers gzmodel gzmodel "$command" | grep -qx "$command" || echo "$command"
done)"
ok "gzmodel pre... is predict: $(offers gzmodel gzmodel pre)" test "$(offers gzmodel gzmodel pre)" = predict
ok '--sync f... is fence' test "$(offers gzmodel gzmodel predict --sync f)" = fence
ok '-y r... is restart' test "$(offers gzmodel gzmodel predict -y r)" = restart
ok 'a built-in device' test "$(offers gzmodel gzmodel predict -d gtx)" = gtx280
ok 'a built-in application' test "$(offers gzmodel gzmodel predict -a hot)" = hotspot
ok 'a variant' test "$(offers gzrun gzrun --variant st)" = stream
ok 'one of a few words' test "$(offers gzrun gzrun --layout r)" = ring
ok 'a network' test "$(offers gzrun gzrun --network nv)" = nvlink-4
ok 'a device file' test "$(offers gzrun gzrun -d tab)" = table.tsv
ok 'a file' test "$(offers measure gz-measure -o tab)" = table.tsv
ok 'a folder' test "$(offers calibrate gz-calibrate --apps fol)" = folder
ok 'nothing if a number is expected' test -z "$(offers gzrun gzrun --height '')"
finish
