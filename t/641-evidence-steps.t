#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 641-evidence-steps - how the script that collects evidence spends its time, with programs that only
# pretend: what is cut goes on or begins anew with more time, what has a partial result gets the time
# that remains, and the page says what became of each step.
. "$(dirname "$0")/tap.sh"
scratch
mkdir -p "$work/bundle/libexec" "$work/bundle/lib" "$work/bundle/t"
cp "$GZ_SOURCE/studies/evidence/evidence.sh" "$work/bundle/evidence" && chmod 755 "$work/bundle/evidence"
ev=$work/ev said=$work/said
export SAID="$said"

# pretend PROGRAM: what it does is the standard input, after a line in $SAID with its words.
pretend() {
    {
        echo '#!/bin/sh'
        echo "echo $1 \"\$@\" >>\"\$SAID\""
        cat
    } >"$work/bundle/libexec/$1"
    chmod 755 "$work/bundle/libexec/$1"
}
# evidence TIME STEPS...: a call; its status in $status, how often PROGRAM was run: runs PROGRAM.
evidence() {
    time=$1
    shift
    : >"$said"
    "$work/bundle/evidence" -d "${ON:-opencl:0}" -o "$ev" -t "$time" "$@" >"$work/out" 2>&1
    status=$?
}
runs() { grep -c "^$1 " "$said"; }
# state NAME: the last that the page says of a step.
state() { sed -n "s/^| $1 | \([a-z]*\) .*/\1/p" "$ev/SUMMARY.md"; }
# is WHAT GOT WANTED
is() {
    [ "$2" = "$3" ]
    verdict $? "$1"
    [ "$2" = "$3" ] || echo "got $2, not $3" | note
}

pretend gzrun <<'END'
case $1 in --list) printf 'stencils:\n  stencil what\n  cell x\n  star7 x\n  star7vc x\ndevices:\n' ;; esac
END
pretend gzmg <<'END'
echo verified
END
pretend gzmodel <<'END'
echo gzmodel 1.2.3
END
pretend calibrate <<'END'
case $1 in --list) echo 'opencl:0   Some device (some driver 7)' && exit ;; esac
[ -z "$SLOW" ] || sleep 20
echo '{"note": "calibrated"}' >calibrated/device.json
END
pretend correct <<'END'
echo "a line" >>"$2"
[ "$(wc -l <"$2")" -ge 2 ] || sleep 20
END
pretend measure <<'END'
echo x >>validation.tsv
if [ "$(wc -l <validation.tsv)" -lt 3 ]; then : >validation.tsv.partial; else rm -f validation.tsv.partial; fi
[ -z "$SLOW" ] || sleep 4
END
pretend validate <<'END'
echo judged
END
# What goes on does so in a later call, what begins anew only with more time than it was cut after.
SLOW=1 evidence 4s -s machine,correct,calibrate
is 'cut: status 3' $status 3
is 'what was done is done' "$(state machine)" 'done'
is 'what the time was up for is cut' "$(state correct)" cut
is 'what there was no time for is left' "$(state calibrate)" left
SLOW=1 evidence 4s -s correct,calibrate
is 'what was cut goes on' "$(state correct)" 'done'
is 'what follows is cut' "$(state calibrate)" cut
ok 'the page says how long was too short' grep -q '^| calibrate |.*begins anew, needs more than [3-9] s |$' "$ev/SUMMARY.md"
SLOW='' evidence 3s -s calibrate
is 'it is not begun with less' "$(runs 'calibrate -d')" 0
SLOW='' evidence 20s -s calibrate
is 'with more time it is' "$(state calibrate)" 'done'
grep -q '^calibrate -d .* --quick --model both ' "$said" && ! grep -q "$work" "$said"
verdict $? 'after a cut it is the quick one; no folder is named'

# A partial result that took time gets what remains, and is judged each time; one that ends at once does not.
SLOW='' evidence 20s -s sweep,verdict
is 'partial, and ends at once: not tried again' "$(runs measure) $(state sweep) $(state verdict)" '1 part done'
rm -f "$ev"/validation.tsv*
SLOW=1 evidence 60s -s sweep,verdict
is 'partial: what remains is spent on it' "$(runs measure) $(state sweep)" '3 done'
ok 'and it is judged again' test "$(runs validate)" -ge 2
[ "$(runs validate)" -ge 2 ] || note <"$work/out"

# The machine's description names no folder of the bundle's.
sed -i '/^machine/d' "$ev/progress.tsv"
LD_LIBRARY_PATH=/their/own evidence 20s -s machine
grep -q '^LD_LIBRARY_PATH=/their/own$' "$ev/machine.txt" && ! grep -q "$work" "$ev/machine.txt"
verdict $? 'the description of the machine names no folder of the bundle'

# The comparisons that fail make the step fail, and are not made again unless it is asked for.
pretend correct <<'END'
printf 'hotspot\tstream\trestart\t9x9\t3\t1\t3\t3\ton\tfailed\tnan\tnan\tlost\n' >>"$2"
exit 1
END
ev=$work/lost
evidence 20s -s correct
evidence 20s -s correct
is 'what fails is not tried again' "$(runs correct) $(state correct)" '0 failed'
evidence 20s -s correct --again
is 'unless it is asked for' "$(runs correct) $(state correct)" '1 failed'
grep -q '^0 right, 0 wrong, 2 failed, 0 that' "$ev/SUMMARY.md" && grep -q '^- hotspot, stream, restart, height 3, contraction on: failed, off by nan lost$' "$ev/SUMMARY.md"
verdict $? 'the page counts and lists them'

# One archive and one page, whatever becomes of the call.
pretend gzrun <<'END'
case " $* " in *" --tune"*) ;; *) exit ;; esac
kill -9 "$GZ_PARENT"
sleep 20
END
mkdir "$work/kept"
evidence 20s -s machine,tune -p "$work/kept/all.tgz"
is 'killed' $status 137
is 'one archive and one page are there' "$(cd "$work/kept" && echo *)" 'all.md all.tgz'
tar xzf "$work/kept/all.tgz" -C "$work/kept" && cmp -s "$work/kept/lost/machine.txt" "$ev/machine.txt" &&
    grep -q '^| machine | done' "$work/kept/all.md"
verdict $? 'with the results of the step before'
for _ in 1 2 3 4 5 6 7 8; do pgrep -f "$work/bundle/libexec/gzrun" >/dev/null && sleep 0.5; done
! pgrep -f "$work/bundle/libexec/gzrun" >/dev/null
verdict $? 'and no step goes on running'
for bad in "$work/kept/all" "$ev/all.tgz" "$work/nowhere/all.tgz"; do
    evidence 20s -s machine -p "$bad"
    [ $status -eq 2 ] && [ "$(wc -l <"$work/out")" -eq 1 ]
    verdict $? "refused: -p ${bad#"$work/"}"
done
ev=$work/ev

# The page.
pretend validate <<'END'
exit 5
END
sed -i '/^verdict/d' "$ev/progress.tsv"
evidence 20s -s verdict
[ $status -eq 1 ] && [ "$(state verdict)" = failed ] && grep -q '^4 of 6 steps are done. failed: verdict. left: tune.' "$ev/SUMMARY.md"
verdict $? 'what fails is failed, on the page and in the status'
grep -q '^- device (driver): Some device (some driver 7)$' "$ev/SUMMARY.md" &&
    grep -q '^- programs: gzmodel 1.2.3$' "$ev/SUMMARY.md"
verdict $? 'the page has device, driver and version'
# The backquotes are the page's.
# shellcheck disable=SC2016
grep -q '^- call of 20[-0-9]* [0-9:]* UTC: `evidence -d opencl:0 -t 4s -s machine,correct,calibrate`$' "$ev/SUMMARY.md" &&
    [ "$(grep -c '^- call of' "$ev/SUMMARY.md")" -eq "$(wc -l <"$ev/calls.tsv")" ]
verdict $? 'and every call with its date'
finish
