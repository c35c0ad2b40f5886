#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 455-interrupt - Ctrl-C in the programs that run kernels: SIGINT to the whole process group, while
# a driver compiles (with an empty cache) and later. One line on stderr, exit status 130, no file; a
# second one ends the program at once. Each program has work for minutes, so that none ends by itself
# before a signal that comes late. SIGTERM and SIGHUP likewise; and all three while a program is
# inside code that never checks whether it was interrupted.
. "$(dirname "$0")/tap.sh"
# nohup ignores SIGHUP, which the programs respect and a shell cannot undo.
if grep -qs '^SigIgn:.*[13579bdf]$' /proc/self/status; then
    exec perl -e '$SIG{HUP} = "DEFAULT"; exec @ARGV' "$0"
fi
scratch
command -v setsid > /dev/null || skip_all 'there is no setsid'
[ -d /proc/self ] || skip_all 'there is no /proc'
needs_device

# starts COMMAND...: in a process group of its own, $pid, with an empty cache; comes back when it
# catches interrupts, which is when it blocks them, or has a process of its own to do the work.
starts() {
    rm -rf "$work/cache" "$work/out"
    mkdir "$work/cache" "$work/out"
    POCL_CACHE_DIR=$work/cache setsid "$@" > "$work/log" 2> "$work/err" &
    pid=$!
    while [ -d "/proc/$pid" ] && ! grep -q '^SigBlk:.*[2367abef]$' "/proc/$pid/status" &&
        [ -z "$(cat "/proc/$pid/task/$pid/children" 2> /dev/null)" ]; do
        sleep 0.01
    done
}

# interrupts SECONDS COMMAND...: so long after it has started; the program ends well.
interrupts() {
    after=$1
    shift
    starts "$@"
    sleep "$after"
    kill "-${signal:-INT}" "-$pid"
    wait "$pid"
    status=$?
    [ $status -eq "${want:-130}" ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -q interrupted "$work/err" &&
        [ -z "$(ls "$work/out")" ]
    verdict $? "${signal:-INT}, ${1##*/} after $after s: exit $status, one line, no file" || note < "$work/err"
}

# A device file for the sweep: any will do, since --on gives the device's address.
cp "$GZ_SOURCE/libgzmodel/data/devices/gtx280.json" "$work/device.json"
cp "$GZ_SOURCE/libgzmodel/data/apps/hotspot.json" "$work"

for after in $(bulk '0 0.6' '0 0.3 0.6 1 2'); do
    interrupts $after "$GZ_BUILD/bin/calibrate" -d opencl:0 -o "$work/out/new.json"
done
for after in $(bulk '0 0.3' '0 0.1 0.3 0.6 1'); do
    interrupts $after "$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a hotspot -s 512 --loops 300 --runs 1000 \
        -o "$work/out/new.txt"
done
for after in $(bulk 0.6 '0.2 0.6 1'); do
    interrupts $after "$GZ_BUILD/bin/measure" -d "$work/device.json" --on opencl:0 --budget 1000 --total 9h \
        -o "$work/out/new.tsv" hotspot
done

# Pipes that are open for writing, and never written: reading one never ends.
mkfifo "$work/temperature" "$work/power"
exec 7<> "$work/temperature" 8<> "$work/power"
for which in 'INT 130' 'TERM 143' 'HUP 129'; do
    signal=${which% *} want=${which#* }
    rarely interrupts 0.3 "$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a hotspot -s 512 --loops 300 --runs 1000 \
        -o "$work/out/new.txt"
    interrupts 0.2 "$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a hotspot -s 64 \
        --input "$work/temperature" "$work/power" -o "$work/out/new.txt"
done

# gzc, while the C compiler that it has started is at work: that ends, too.
cat > "$work/slow" << 'SH'
#!/bin/sh
echo $$ > "$(dirname "$0")/compiler"
sleep 30
SH
chmod +x "$work/slow"
for which in 'INT 130' 'TERM 143' 'HUP 129'; do
    if [ ! -x "$GZ_BUILD/bin/gzc" ]; then
        skip 'gzc was left out'
        continue
    fi
    signal=${which% *} want=${which#* }
    rm -f "$work/compiler"
    CC=$work/slow starts "$GZ_BUILD/bin/gzc" --row "$GZ_SOURCE/kernels/translate/example/heat.c" -o "$work/out/heat.so"
    while [ -d "/proc/$pid" ] && [ ! -s "$work/compiler" ]; do sleep 0.02; done
    kill "-$signal" "$pid"
    wait "$pid"
    status=$?
    [ $status -eq "$want" ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -q interrupted "$work/err" &&
        [ -z "$(ls -A "$work/out")" ] && ! kill -0 "$(cat "$work/compiler")" 2> /dev/null
    verdict $? "$signal, gzc --row: exit $status, one line, no file or folder, and no compiler"
done

# twice COMMAND...: again and again while a build goes on, since two that come together may count
# as one.
twice() {
    starts "$@"
    sleep 0.1
    while kill -INT "-$pid" 2> /dev/null; do
        sleep 0.02
    done
    wait "$pid"
    status=$?
    [ $status -eq 130 ] && [ -z "$(ls "$work/out")" ]
    verdict $? "${1##*/}, twice: the signal itself ends it ($status)"
}
twice "$GZ_BUILD/bin/calibrate" -d opencl:0 -o "$work/out/new.json"
twice "$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a hotspot -s 512 --loops 300 --runs 1000 -o "$work/out/new.txt"
finish
