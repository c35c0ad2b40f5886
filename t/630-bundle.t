#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 630-bundle - the folder that `make bundle` makes: small, complete, and runs from wherever it is put,
# in a root that has the C library and a shell and nothing else that this project uses.
. "$(dirname "$0")/tap.sh"
scratch
bundle=$GZ_BUILD/bundle
[ -x "$bundle/evidence" ] || skip_all 'make bundle was not run'
! grep -qa __asan_init "$bundle/libexec/gzrun" || skip_all 'built with a sanitizer'

ok 'less than 32 MiB' test "$(du -sk "$bundle" | cut -f1)" -lt 32768
missing=$(for program in "$bundle"/libexec/* "$bundle"/t/*.t; do
    LD_LIBRARY_PATH=$bundle/lib ldd "$program" | grep -v "$bundle/lib" |
        grep -E '=> (not|/)' | grep -vE '^\s*(libc|libm|libdl|libpthread|librt)\.so'
done)
nothing 'every library but the C library comes along' "$missing"
nothing 'no path of this machine is in the programs' \
    "$(grep -rlaE "$GZ_SOURCE|$GZ_BUILD" "$bundle/libexec" "$bundle/bin" "$bundle/t" | head -n 3)"

# Elsewhere, with a space in the path, through a link.
cp -r "$bundle" "$work/else where"
ln -s "$work/else where/bin/gzmodel" "$work/linked"
"$work/else where/bin/gzmodel" list >"$work/list" && grep -q gtx280 "$work/list"
verdict $? 'runs from another place'
(cd "$work" && bin=$PWD/else\ where/bin && "$bin/gzrun" -q --variant serial --stencil "$bin/../rows/heat.so" -s 8 --loops 2 --runs 1) \
    >"$work/out" 2>&1
verdict $? 'has a stencil that gzc made' || note <"$work/out"
ln -s "$work/else where/bin" "$work/bin" && "$work/bin/gzmodel" list | cmp -s - "$work/list"
verdict $? 'runs through a link to its folder'

# A bare root: the C library, a shell, and the tools that the scripts name.
bare=$work/root
tools='sh awk sed grep cat date dirname basename mkdir rm mv cp touch tail head tr cut sort timeout sleep
    readlink uname nproc id env ls rmdir wc test chmod tee find cksum'
# take FILE: into the bare root, with the libraries that it needs.
take() {
    real=$(readlink -f "$1")
    mkdir -p "$bare$(dirname "$1")" && cp "$real" "$bare$1" || return
    ldd "$real" 2>/dev/null | grep -oE '/[^ ]+' | while read -r library; do
        [ -e "$bare$library" ] ||
            { mkdir -p "$bare$(dirname "$library")" && cp -L "$library" "$bare$library"; }
    done
}
mkdir -p "$bare/proc" "$bare/sys" "$bare/dev" "$bare/tmp" "$bare/opt" "$bare/usr/bin" "$bare/usr/lib" \
    "$bare/usr/lib64"
for place in bin lib lib64; do ln -s "usr/$place" "$bare/$place"; done
for tool in $tools; do
    path=$(command -v "$tool") && [ -x "$path" ] && take "$path"
done
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
    path=$(ldconfig -p 2>/dev/null | sed -n "s/^.*$library .*x86-64.* => //p" | head -n 1)
    [ -z "$path" ] || take "$path"
done
cp -r "$bundle" "$bare/opt/bundle"
if ! unshare -r chroot "$bare" /bin/sh -c : 2>"$work/err" && ! chroot "$bare" "$(command -v sh)" -c : 2>"$work/err"; then
    for check in 1 2 3 4 5 6 7 8 9 10 11 12 13; do skip "no root of one's own ($check): $(head -n 1 "$work/err")"; done
    finish
fi
# inside COMMAND...: in the bare root.
inside() {
    if [ "$(id -u)" -eq 0 ]; then
        # What is quoted is for the inner shell.
        # shellcheck disable=SC2016
        unshare -m sh -c 'root=$1; shift; mount --bind /proc "$root/proc" 2>/dev/null
            [ -z "$SYS" ] || mount --bind /sys "$root/sys"
            [ -z "$CUDA" ] || { mkdir -p "$root/usr/local/cuda" && mount --bind "$CUDA" "$root/usr/local/cuda"; }
            exec chroot $AS "$root" env -i PATH=/usr/bin:/bin HOME=/tmp $SET "$@"' sh "$bare" "$@"
    else
        unshare -r chroot "$bare" env -i PATH=/usr/bin:/bin HOME=/tmp "$@"
    fi
}
export SYS='' CUDA='' SET='' AS=''

for library in gsl jansson OpenCL; do
    found=$(find "$bare/lib" "$bare/usr" -name "lib$library*" 2>/dev/null)
    [ -z "$found" ] || echo "$found" >>"$work/there"
done
nothing 'the bare root has none of the libraries' "$(cat "$work/there" 2>/dev/null)"
inside /opt/bundle/bin/gzmodel optimize -d gtx280 -a hotspot -s 2000 -b 20 --json >"$work/out" 2>&1 &&
    grep -q '"integer": *2' "$work/out"
verdict $? 'the model runs there'
inside /opt/bundle/bin/gzrun --list >"$work/out" 2>&1 &&
    grep -q 'cuda  *none: no CUDA driver: libcuda.so.1 is not found' "$work/out" &&
    grep -q 'opencl  *none: no OpenCL driver: no \*.icd file in /etc/OpenCL/vendors' "$work/out"
verdict $? 'the list says which driver is not there' || note <"$work/out"
inside /opt/bundle/evidence -d cuda:0 -t 10s -o /tmp/ev >"$work/out" 2>&1
[ $? -eq 77 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && grep -q 'cuda:0: no CUDA driver' "$work/out" &&
    [ ! -e "$bare/tmp/ev" ]
verdict $? 'evidence without a device: one line, status 77, no folder' || note <"$work/out"
mkdir -p "$bare/etc/OpenCL/vendors" && echo libnothing.so.1 >"$bare/etc/OpenCL/vendors/some.icd"
inside /opt/bundle/bin/calibrate --list >"$work/out" 2>&1
grep -q 'opencl  *none: .*some.icd names does not load: .*libnothing.so.1' "$work/out"
verdict $? 'a driver that is named and not there is named' || note <"$work/out"
mv "$bare/etc/OpenCL/vendors/some.icd" "$bare/etc/OpenCL/vendors/pocl.icd"
inside /opt/bundle/bin/calibrate --list >"$work/out" 2>&1
grep -q 'opencl  *none: .*/sys' "$work/out"
verdict $? 'PoCL is not called without /sys' || note <"$work/out"
rm -r "$bare/etc/OpenCL"

# A driver, and a toolkit at its usual place, as on a cluster's node: the fake GPU, which computes
# nothing, so that the runs that are compared are wrong and the timed ones are not.
fake=$GZ_BUILD/t/fakegpu/libcuda/libcuda.so.1
toolkit=$(find -L /usr/local/cuda/lib64 /usr/local/cuda/lib -name 'libnvrtc.so.1[23]' 2>/dev/null | head -n 1)
if [ "$(id -u)" -ne 0 ] || [ ! -e "$fake" ] || [ -z "$toolkit" ]; then
    for check in 1 2 3 4 5 6 7; do skip "no toolkit, no fake driver, or not root ($check)"; done
    finish
fi
loaded=$bare/lib/x86_64-linux-gnu
[ -d "$loaded" ] || loaded=$bare/usr/lib
cp "$fake" "$loaded/libcuda.so.1"
# Found before the toolkit's own, which does not take the fake driver for a GPU's.
cp "$GZ_BUILD"/t/fakegpu/libcupti/libcupti.so.* "$loaded" 2>/dev/null
for library in libstdc++.so.6 libgcc_s.so.1 libutil.so.1; do
    take "$(ldconfig -p | sed -n "s/^.*$library .*x86-64.* => //p" | head -n 1)"
done
CUDA=$(readlink -f /usr/local/cuda)
inside /opt/bundle/bin/gzrun -q -d cuda:0 -a hotspot -s 100 -b 20 --runs 1 >"$work/out" 2>&1
verdict $? 'with a driver: NVRTC is found in /usr/local/cuda' || note <"$work/out"
touch "$bare/dev/nvidiactl" && chmod 600 "$bare/dev/nvidiactl"
AS='--userspec=65534:65534' SET='GZ_FAKE_CUINIT=304' inside /opt/bundle/bin/gzrun --list >"$work/out" 2>&1
grep -q 'cuda  *none: .*this user may not use /dev/nvidiactl' "$work/out"
verdict $? 'a user without access to the device gets a message that says so' || note <"$work/out"
inside /opt/bundle/evidence -d cuda:0 -t 10m -o /tmp/ev --small -s machine,correct,calibrate >"$work/out" 2>&1
status=$?
[ $status -eq 1 ] && grep -q '^failed: correct$' "$work/out"
verdict $? "evidence there: what is wrong makes it fail (status $status)" || note <"$work/out"
grep -q '^- mem_bandwidth: 400e9\|^- mem_bandwidth: 4e+11\|^- mem_bandwidth: 400000000000' "$bare/tmp/ev/SUMMARY.md"
verdict $? 'its page has the calibrated bandwidth' || note <"$bare/tmp/ev/SUMMARY.md"
ok 'and says that nothing was computed' grep -q '^0 right, [1-9][0-9]* wrong' "$bare/tmp/ev/SUMMARY.md"
inside /opt/bundle/evidence -d cuda:0 -t 10m -o /tmp/ev --small -s sweep,tune,verdict >"$work/out" 2>&1
status=$?
[ $status -eq 1 ] && [ "$(grep -c '^  done$' "$work/out")" -eq 2 ] &&
    grep -q '^  failed: gzmg: the device computes wrongly or nothing' "$work/out" && grep -q '^failed: tune$' "$work/out"
verdict $? "sweep and verdict are done there, gzmg says what it found (status $status)" || note <"$work/out"
grep -q '^## The model' "$bare/tmp/ev/SUMMARY.md" &&
    grep -q '^- device (driver): Fake GPU (CUDA driver API 13.0' "$bare/tmp/ev/SUMMARY.md"
verdict $? 'the page names the device, and has the verdict'
finish
