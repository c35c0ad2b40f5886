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
[ "$(offers gzmodel gzmodel pre)" = predict ]
verdict $? "gzmodel pre... is predict: $(offers gzmodel gzmodel pre)"
[ "$(offers gzmodel gzmodel predict --sync f)" = fence ]
verdict $? '--sync f... is fence'
[ "$(offers gzmodel gzmodel predict -y r)" = restart ]
verdict $? '-y r... is restart'
[ "$(offers gzmodel gzmodel predict -d gtx)" = gtx280 ]
verdict $? 'a built-in device'
[ "$(offers gzmodel gzmodel predict -a hot)" = hotspot ]
verdict $? 'a built-in application'
[ "$(offers gzrun gzrun --variant st)" = stream ]
verdict $? 'a variant'
[ "$(offers gzrun gzrun --layout r)" = ring ]
verdict $? 'one of a few words'
[ "$(offers gzrun gzrun --network nv)" = nvlink-4 ]
verdict $? 'a network'
[ "$(offers gzrun gzrun -d tab)" = table.tsv ]
verdict $? 'a device file'
[ "$(offers measure gz-measure -o tab)" = table.tsv ]
verdict $? 'a file'
[ "$(offers calibrate gz-calibrate --apps fol)" = folder ]
verdict $? 'a folder'
[ -z "$(offers gzrun gzrun --height '')" ]
verdict $? 'nothing if a number is expected'
finish
