#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 241-deb - the Debian packages of `make deb`: they name every library that they need, install into a root that has
# these libraries alone, run there, and leave nothing behind.
. "$(dirname "$0")/tap.sh"
for tool in dpkg dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || skip_all "there is no $tool"
done
[ "$(id -u)" -eq 0 ] || skip_all 'installing packages needs root'
[ -z "${SANITIZE:-}" ] || skip_all 'built with a sanitizer'
scratch
root=$work/root
chroot / /bin/true 2>/dev/null || skip_all 'chroot is not allowed'

env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$GZ_SOURCE" B="$GZ_BUILD" deb >"$work/out" 2>&1
verdict $? 'make deb'
version=$(sed -n 's/^#define GZ_VERSION_[A-Z]* //p' "$GZ_SOURCE/libgzmodel/gzmodel.h" | paste -sd.)
set -- "$GZ_BUILD"/deb/*.deb
[ $# -eq 2 ] && [ "$(dpkg-deb -f "$1" Version)" = "$version" ]
verdict $? "two packages of version $version"

# A root with dpkg's records, a shell, and what the programs are linked with.
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/tmp" "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64"
for place in bin lib lib64; do ln -s "usr/$place" "$root/$place"; done
: > "$root/var/lib/dpkg/status"
PATH=$PATH:/usr/sbin:/sbin dpkg --root="$root" --force-depends,script-chrootless -i "$@" >"$work/out" 2>&1
verdict $? 'both install' || note <"$work/out"
named=$(dpkg-deb -f "$1" Depends)
# What each file itself is linked with; what these libraries need is theirs to name.
nothing 'the package depends on every library' "$(readelf -d "$root"/usr/bin/gz* "$root"/usr/lib/*.so.* |
    sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u | while read -r name; do
        dpkg -S "*/$name" 2>/dev/null | sed 's/:.*//' | while read -r owner; do
            case " $named" in *" $owner "*) echo "$owner" ;; esac
        done | grep -q . || echo "$name"
    done)"
ldd /bin/sh /usr/bin/env "$root"/usr/bin/gz* | grep -oE '/[^ ):]+' | grep -vF "$root" | sort -u | while read -r library; do
    [ -e "$root$library" ] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
done
cp -L /bin/sh /usr/bin/env "$root/bin/"
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/bin HOME=/tmp "$@" >"$work/out" 2>&1
}
inside gzmodel optimize -d gtx280 -a hotspot -s 2000 -b 20 --json && grep -q '"integer": *2' "$work/out"
verdict $? 'the model runs there'
inside gzmodel --version && grep -qF " $version" "$work/out"
verdict $? 'as this version'
inside gzrun --list && grep -q 'opencl  *none: ' "$work/out"
verdict $? 'gzrun says that there is no device'
if [ -e "$root/usr/bin/gzc" ]; then
    inside gzc --version && grep -qF " $version" "$work/out"
    verdict $? 'gzc starts'
else
    skip 'gzc was not built'
fi
inside gz-calibrate --help && [ -s "$work/out" ]
verdict $? 'gz-calibrate starts'
[ -s "$root/usr/share/man/man1/gzmodel.1.gz" ] && [ -s "$root/usr/share/man/man3/libgzmodel.3.gz" ]
verdict $? 'pages are there'
[ "$(PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$root/usr/lib/pkgconfig pkg-config --modversion gzmodel)" = "$version" ]
verdict $? 'pkg-config finds the library'
PATH=$PATH:/usr/sbin:/sbin dpkg --root="$root" --force-script-chrootless -P libgzmodel-dev gzmodel >"$work/out" 2>&1 &&
    [ -z "$(find "$root/usr" -iname '*gzm*' -o -iname '*gzstencil*' -o -name 'gzrun*')" ]
verdict $? 'purging them leaves nothing'
recipe=$(sed -n '/^    from spack/,/^[^ ]/p' "$GZ_SOURCE/libgzmodel/packaging/README.md")
echo "$recipe" | grep -qF "version(\"$version\""
verdict $? 'the recipe for spack has this version'
finish
