#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 641-evidence-steps - how the script that collects evidence spends its time, with programs that only
# pretend: what is cut goes on or begins anew with more time, what has a partial result gets the time
# that remains, and the page says what became of each step.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
plan 45
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
pretend bench <<'END'
printf '# of all\n%s\t1\n# %s: best\n' "$2" "$2"
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
grep -q '^| calibrate |.*begins anew, needs more than [3-9] s |$' "$ev/SUMMARY.md"
verdict $? 'the page says how long was too short'
SLOW='' evidence 3s -s calibrate
is 'it is not begun with less' "$(runs 'calibrate -d')" 0
SLOW='' evidence 20s -s calibrate
is 'with more time it is' "$(state calibrate)" 'done'
grep -q '^calibrate -d .* --quick --model both ' "$said" && ! grep -q "$work" "$said"
verdict $? 'after a cut it is the quick one; no folder is named'

# A partial result that took time gets what remains, and is judged each time; one that ends at once does not.
SLOW='' evidence 20s -s validation,verdict
is 'partial, and ends at once: not tried again' "$(runs measure) $(state validation) $(state verdict)" '1 part done'
rm -f "$ev"/validation.tsv*
SLOW=1 evidence 60s -s validation,verdict
is 'partial: what remains is spent on it' "$(runs measure) $(state validation)" '3 done'
[ "$(runs validate)" -ge 2 ]
verdict $? 'and it is judged again'
[ "$(runs validate)" -ge 2 ] || note <"$work/out"

# Each stencil has its line, whose name is not the beginning of another's.
evidence 20s -s bench
is 'each stencil once, the first ones first' \
    "$(sed -n 's/^bench opencl:0 //p' "$said" | tr '\n' ' ')" 'pathfinder hotspot poisson cell star7 star7vc '
sed -i '/^star7	/d' "$ev/bench.tsv"
sed -i '/^bench/d' "$ev/progress.tsv"
evidence 20s -s bench
is 'only the missing one is run again' "$(sed -n 's/^bench opencl:0 //p' "$said")" star7
is 'the page has what they share once' "$(grep -c '# of all' "$ev/SUMMARY.md")" 1

# gz2's runs, each try whole or not at all, without what a driver says.
cp "$work/bundle/libexec/calibrate" "$work/calibrate"
pretend calibrate <<'END'
case $7 in cell) if [ -e "$SAID.one" ] && [ ! -e "$SAID.two" ]; then touch "$SAID.two" && exit 1; fi && touch "$SAID.one" ;; esac
printf 'a driver speaks\nrun\tstencil\tseconds_per_loop\n0\t%s\t1\n1\t%s\t2\n' "$7" "$7"
END
evidence 20s -s runs
is 'runs that fail make the step fail' "$status $(state runs)" '1 failed'
evidence 20s -s runs --again
is 'what is there is not run again' "$(runs calibrate) $(state runs) $(grep -v '^#' "$ev/runs.tsv" | cut -f 1-3,5- | sort | uniq | wc -l)" \
    '10 done 43'
cp "$work/calibrate" "$work/bundle/libexec/calibrate"

# What was cut before a part of it was done goes on with more time only, after the others.
pretend bench <<'END'
[ -z "$SLOW" ] || sleep 20
printf '%s\t1\n' "$2"
END
rm "$ev/bench.tsv"
sed -i '/^bench/d' "$ev/progress.tsv"
SLOW=1 evidence 4s -s bench
grep -q '^| bench | cut |.*no part of it was done in [345] s |$' "$ev/SUMMARY.md"
verdict $? 'the page says that no part was done'
grep -q '^bench needs a call of more than 3[345] s: give -t$' "$work/out"
verdict $? 'and the last lines what time it takes'
SLOW='' evidence 20s -s bench
is 'with less it is not begun' "$status $(runs bench)" '3 0'
sed -i '/^verdict/d' "$ev/progress.tsv"
SLOW='' evidence 90s -s bench,verdict
is 'with more it goes on, after the others' "$status $(sed -n 's/ .*//p' "$said" | grep -v gz | uniq | tr '\n' ' ')" \
    '0 validate bench '

# Test programs that failed are run again if it is asked for, and only these.
for name in 1-good 2-bad; do
    # The variable is for that script.
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho %s test >>"$SAID"\necho ok 1\n' $name >"$work/bundle/t/$name.t"
    chmod 755 "$work/bundle/t/$name.t"
done
printf 'echo not ok 2\nexit 1\n' >>"$work/bundle/t/2-bad.t"
evidence 20s -s tests
is 'a test program that fails makes the step fail' "$status $(state tests)" '1 failed'
evidence 20s -s tests
is 'it is not run again' "$(grep -c test "$said")" 0
[ "$(grep -c -e '^# device: opencl:0, Some device (some driver 7)$' -e '^# date: 20' -e '^# command: ' "$ev/tests.txt")" -eq 6 ]
verdict $? 'each says device, driver, date and command'
evidence 20s -s tests --again
is 'unless it is asked for' "$(runs 1-good) $(runs 2-bad) $(grep -c '^- test' "$ev/SUMMARY.md")" '0 1 2'
sed -i '/not ok/d; /exit/d' "$work/bundle/t/2-bad.t"
evidence 20s -s tests --again
is 'what is right then is right' "$(state tests) $(grep -c ': all 1 right' "$ev/tests.txt")" 'done 2'

# The machine's description names no folder of the bundle's.
sed -i '/^machine/d' "$ev/progress.tsv"
LD_LIBRARY_PATH=/their/own evidence 20s -s machine
grep -q '^LD_LIBRARY_PATH=/their/own$' "$ev/machine.txt" && ! grep -q "$work" "$ev/machine.txt"
verdict $? 'the description of the machine names no folder of the bundle'

# Counted instructions in place of those that were timed, in the table of the sweep.
ev=$work/counted
export ON=cuda:0
cat >"$work/app" <<'END'
{
  "name": "Cell", "element_size": {"value": 4, "unit": "B"},
  "elements": ELEMENTS,
  "insts_per_sm_misc": {"value": MISC, "unit": "1", "origin": "HOW", "note": "timed over counted 3"},
  "insts_per_sm_iter": {"value": 8, "unit": "1", "origin": "HOW", "note": "timed over counted 3"}
}
END
export WORK="$work"
pretend calibrate <<'END'
case " $* " in *" --list "*) exit ;; *" --counters off "*) how=measured misc=10 elements=64 folder=calibrated ;;
*) how=$HOW misc=5 elements=32 folder=counted ;; esac
sed "s/MISC/$misc/; s/HOW/$how/; s/ELEMENTS/$elements/" "$WORK/app" >$folder/cell.json
echo '{"note": "x"}' >$folder/device.json
END
pretend measure <<'END'
{ echo "# app poisson: {\"elements\": 7}"; echo "# app cell: $(tr -d '\n' <calibrated/cell.json)"; echo cell; } >validation.tsv
END
HOW=measured evidence 20s -s machine,calibrate,validation,verdict,counted,recount
is 'counters that are refused: skipped' "$(state counted) $(state recount)" 'skipped skipped'
HOW=counted evidence 20s -s counted,recount --again
is 'else judged once more' "$(state counted) $(state recount) $(runs validate) $(runs measure)" 'done done 1 0'
sed 's/"value": 10\(.*"origin": "\)measured\(.*"value": 8.*\)measured/"value": 5\1counted\2counted/
    s/"elements": 64/"elements": 32/' "$ev/validation.tsv" >"$work/wanted"
cmp "$work/wanted" "$ev/validation-counted.tsv" >"$work/out" 2>&1
result=$?
verdict $result 'on a table that differs only in what was counted'
[ $result -eq 0 ] || diff "$work/wanted" "$ev/validation-counted.tsv" | note

# Of a sanitizer's runs only those that were not right are made again.
mkdir "$work/bin"
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
echo "sanitizer $*" >>"$SAID"
case "$*" in *fence*) exit "$FENCE" ;; esac
echo '========= ERROR SUMMARY: 0 errors'
END
chmod 755 "$work/bin/compute-sanitizer"
PATH=$work/bin:$PATH
FENCE=9 evidence 20s -s racecheck
is 'a hazard makes the step fail' "$(runs sanitizer) $(state racecheck)" '9 failed'
[ "$(grep -c 'racecheck.txt:.*ERROR SUMMARY: 0 errors' "$ev/SUMMARY.md")" -eq 7 ]
verdict $? 'the page has the summaries'
FENCE=0 evidence 20s -s racecheck --again
is 'which is run again if it is asked for' "$(runs sanitizer) $(state racecheck)" '2 done'
ev=$work/ev ON=opencl:0

# A device that is lost ends the process, not the step; what failed is run once more, and no more.
pretend correct <<'END'
printf 'hotspot\tstream\trestart\t9x9\t3\t1\t%d\t3\ton\t%s\t0\t0\t0\t0\tlost\n' "$(($(grep -vc bad "$2") + 1))" failed >>"$2"
exit $((3 - ($(wc -l <"$2") > 2) * 2))
END
ev=$work/lost
evidence 20s -s correct
is 'a lost device: the next process goes on; what failed is run again, once' \
    "$(runs correct) $(state correct) $(wc -l <"$ev/correctness.tsv") $(wc -l <"$ev/correctness-failed.tsv")" '6 failed 3 3'

# One archive and one page, whatever becomes of the call.
pretend bench <<'END'
kill -9 "$GZ_PARENT"
sleep 20
END
mkdir "$work/kept"
evidence 20s -s machine,bench -p "$work/kept/all.tgz"
is 'killed' $status 137
is 'one archive and one page are there' "$(cd "$work/kept" && echo *)" 'all.md all.tgz'
tar xzf "$work/kept/all.tgz" -C "$work/kept" && cmp -s "$work/kept/lost/machine.txt" "$ev/machine.txt" &&
    grep -q '^| machine | done' "$work/kept/all.md"
verdict $? 'with the results of the step before'
for _ in 1 2 3 4 5 6 7 8; do pgrep -f "$work/bundle/libexec/bench" >/dev/null && sleep 0.5; done
! pgrep -f "$work/bundle/libexec/bench" >/dev/null
verdict $? 'and no step goes on running'
for bad in "$work/kept/all" "$ev/all.tgz" "$work/nowhere/all.tgz"; do
    evidence 20s -s machine -p "$bad"
    [ $status -eq 2 ] && [ "$(wc -l <"$work/out")" -eq 1 ]
    verdict $? "refused: -p ${bad#"$work/"}"
done
ev=$work/ev

# The page.
pretend bench <<'END'
exit 5
END
rm -f "$ev/bench.tsv"
sed -i '/^bench/d' "$ev/progress.tsv"
evidence 20s -s bench
[ $status -eq 1 ] && [ "$(state bench)" = failed ] && grep -q '^7 of 18 steps are done. failed: bench.' "$ev/SUMMARY.md"
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
