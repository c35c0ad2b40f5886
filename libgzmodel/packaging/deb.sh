#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# deb.sh TREE VERSION FOLDER - Debian packages of what `make install DESTDIR=TREE PREFIX=/usr` has installed, into
# FOLDER: gzmodel (programs and shared libraries) and libgzmodel-dev (headers, links, static library).
set -eu
tree=$1 version=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -a "$tree" "$work/gzmodel"
cd "$work"

dev=libgzmodel-dev
mkdir -p $dev/usr/lib $dev/usr/share/man
mv gzmodel/usr/include $dev/usr/
mv gzmodel/usr/lib/*.a gzmodel/usr/lib/*.so gzmodel/usr/lib/pkgconfig gzmodel/usr/lib/cmake $dev/usr/lib/
mv gzmodel/usr/share/man/man3 $dev/usr/share/man/
find . -path '*/man/*' -type f -exec gzip -9n {} +
mkdir -p $dev/usr/share/doc/$dev
mv gzmodel/usr/share/doc/gzmodel/LICENSE gzmodel/usr/share/doc/gzmodel/copyright
cp gzmodel/usr/share/doc/gzmodel/copyright $dev/usr/share/doc/$dev/

mkdir debian
printf 'Source: gzmodel\n\nPackage: gzmodel\nArchitecture: any\n' > debian/control
mpi=$(find gzmodel -name exchange_mpi.so)
programs=$(find gzmodel -path '*/bin/*' -type f -o -name '*.so.*' -type f -o -path '*/gzstencil/compile')
# No name in the tree has a blank.
# shellcheck disable=SC2086
{
    strip --strip-unneeded $programs $mpi
    dpkg-shlibdeps -O $programs ${mpi:+-dRecommends $mpi} > needs 2> warnings || { cat warnings >&2; exit 1; }
}
depends=$(sed -n 's/^shlibs:Depends=//p' needs)
recommends=$(sed -n 's/^shlibs:Recommends=/, /p' needs)
[ ! -e gzmodel/usr/bin/gzc ] || recommends="$recommends, clang-15"

# control PACKAGE SECTION TITLE TEXT FIELDS...: its control file and the package.
control() {
    package=$1
    mkdir -p "$package/DEBIAN"
    {
        printf '%s\n' "Package: $package" "Version: $version" "Architecture: $architecture" "Section: $2" \
            'Priority: optional' 'Maintainer: The gzmodel authors <gzmodel@localhost>' \
            "Installed-Size: $(du -sk "$package/usr" | cut -f1)" "Description: $3" " $4"
        shift 4
        printf '%s\n' "$@"
    } > "$package/DEBIAN/control"
    (cd "$package" && find usr -type f -exec md5sum {} +) > "$package/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$package" "$folder/${package}_${version}_$architecture.deb"
}
mkdir gzmodel/DEBIAN
echo 'activate-noawait ldconfig' > gzmodel/DEBIAN/triggers
control gzmodel science 'model and tuner of ghost zones for iterative stencil loops on GPUs' \
    'Predicts, tunes and runs stencils with overlapped tiles; translates time loops in C.' \
    "Depends: $depends" "Recommends: ocl-icd-libopencl1$recommends" 'Suggests: pocl-opencl-icd'
control $dev libdevel 'headers and libraries of gzmodel' \
    'libgzmodel, libgzstencil and libgzmg for C and C++ programs.' \
    "Depends: gzmodel (= $version), libgsl-dev, libjansson-dev"
