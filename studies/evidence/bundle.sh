#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bundle.sh FOLDER LIBGZSTENCIL NAME=PROGRAM... -- TEST... - makes a folder that runs where nothing
# can be installed: the programs, stripped, with the shared libraries that they need besides the C
# library's, found beside them wherever the folder is. It appears whole or not at all.
set -eu
folder=$1
stencil=$2
shift 2
case $folder in '' | / | .) echo "bundle: not into \"$folder\"" >&2 && exit 2 ;; esac
mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$new"
mkdir "$new/bin" "$new/libexec" "$new/lib" "$new/t" "$new/share"

# take PROGRAM PLACE: a copy without symbols, and the libraries that it needs.
take() {
    cp "$1" "$2"
    strip "$2" 2>/dev/null || :
    ldd "$1" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 } $2 == "=>" && $3 == "not" { print $1, "" }' |
        while read -r name path; do
            # The C library and the loader have to be the machine's own.
            case $name in
            libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | ld-linux*) continue ;;
            esac
            if [ -z "$path" ]; then
                echo "bundle: $1 needs $name, which is not here" >&2
                exit 1
            fi
            cp -L "$path" "$new/lib/$name"
            chmod 644 "$new/lib/$name"
        done
}

# One wrapper for all programs, which is called by their names.
cat >"$new/bin/.run" <<'END'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/..
LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$root/lib exec "$root/libexec/$(basename "$0")" "$@"
END
chmod 755 "$new/bin/.run"

while [ $# -gt 0 ] && [ "$1" != -- ]; do
    take "${1#*=}" "$new/libexec/${1%%=*}"
    ln -s .run "$new/bin/${1%%=*}"
    shift
done
[ $# -eq 0 ] || shift
for test; do
    take "$test" "$new/t/$(basename "$test")"
done

# What programs that gzc has translated are linked with.
here=$(dirname "$0")
if [ -n "$stencil" ]; then
    mkdir "$new/lib/gzstencil" "$new/include"
    take "$stencil" "$new/lib/libgzstencil.so.2"
    ln -s libgzstencil.so.2 "$new/lib/libgzstencil.so"
    take "$(dirname "$stencil")/gzstencil/compile" "$new/lib/gzstencil/compile"
    cp "$here/../../kernels/gzstencil/gzstencil.h" "$new/include"
    cp -r "$(dirname "$stencil")/../rows" "$new/rows"
fi

# glibc FILE...: the newest C library that they ask for.
glibc() {
    objdump -T "$@" 2>/dev/null | sed -n 's/.*(*GLIBC_\(2\.[0-9]*\).*/\1/p' | sort -V | tail -n 1
}
# The OpenCL loader, which is opened at run time, unless it asks for a newer one than the rest.
version=$(glibc "$new"/libexec/* "$new"/lib/*.so*)
loader=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL[.]so[.]1 .*=> //p' | head -n 1)
if [ -n "$loader" ] && [ "$(printf '%s\n' "$version" "$(glibc "$loader")" | sort -V | tail -n 1)" = "$version" ]; then
    cp -L "$loader" "$new/lib/libOpenCL.so.1"
    chmod 644 "$new/lib/libOpenCL.so.1"
fi

cp "$here/evidence.sh" "$new/evidence"
chmod 755 "$new/evidence"
cp "$here/BUNDLE" "$new/README"
cp "$here/../../LICENSE" "$new/LICENSE"
cp -r "$here/../../libgzmodel/data" "$new/share/data"
cp -r "$here/../../calibrate/devices" "$new/share/devices"
# The manual pages of what is here; MANPATH=share/man shows them.
for page in libgzmodel/man/gzmodel.1 libgzmodel/man/gzmodel-files.5 kernels/gzrun/gzrun.1 calibrate/gz-calibrate.1 \
    studies/validation/gz-measure.1 studies/validation/gz-validate.1; do
    mkdir -p "$new/share/man/man${page##*.}"
    cp "$here/../../$page" "$new/share/man/man${page##*.}"
done
kib=$(du -sk "$new" | cut -f1)
# What a sanitizer adds does not count: such a bundle is for tests only.
if [ "$kib" -ge 32768 ] && ! grep -qaE '__(asan|tsan|ubsan)_' "$new/libexec/gzrun"; then
    echo "bundle: 32 MiB are the limit" >&2
    exit 1
fi

# The old one goes aside first, so that at no time a part of either lies there.
[ ! -e "$folder" ] || mv "$folder" "$new/old"
mv "$new" "$folder"
rm -rf "$folder/old"
trap - EXIT
echo "$folder: $kib KiB, for $(uname -m) with glibc ${version:-unknown} or later"
