#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# pocl.sh FOLDER GZRUN: FOLDER/vendors, for OCL_ICD_VENDORS, has the system's OpenCL drivers, of which PoCL 3.1 compiles
# kernels in a third of the time. The rest goes into what OpenCL declares, 900 kB before each kernel, and what PoCL defines,
# 9 MB in each process; here that is for numbers and pointers to them alone, which kernels of this project take, and
# not for vectors and images, nor what converts, packs and copies these. PoCL looks for its files next to its library, so
# FOLDER has links to all others. Where GZRUN does not compile a kernel so, they are the system's own.
set -e
gzrun=$(realpath "$2")
mkdir -p "$1"
cd "$1"
rm -rf vendors lib share
mkdir -p vendors lib/any share/pocl/include
cp /etc/OpenCL/vendors/*.icd vendors/ 2> /dev/null && [ -e vendors/pocl.icd ] || exit 0
library=$(${CC:-cc} -print-file-name="$(cat vendors/pocl.icd)")
from=${library%/*}/../../share/pocl
[ -e "$from/include/opencl-c.h" ] || exit 0
ln -s "$library" "${library%/*}/pocl" lib/any/
ln -s "$from"/*.bc share/pocl/
ln -s "$from"/include/* share/pocl/include/
echo "$PWD/lib/any/${library##*/}" > vendors/pocl.icd

# runs: whether a kernel compiles, and computes; what PoCL says is in said.
runs() {
    OCL_ICD_VENDORS=$PWD/vendors POCL_CACHE_DIR=$PWD/cache POCL_DEBUG=llvm \
        "$gzrun" -q -d opencl:0 -a hotspot -s 20 --loops 1 --runs 1 --verify > said 2>&1
    ran=$?
    rm -rf cache
    return $ran
}

header=share/pocl/include/opencl-c.h
rm $header
perl -0pe 's{^[a-z][^;#\n]*__ovld[^;]*;\n}{
    $& =~ /\b[a-z]+(2|3|4|8|16)\b(?!\()|image|\b(convert|async|prefetch|vload|vstore|half|atom_|work_group|wait_group)/ ? "" : $&
    }gme' "$from/include/opencl-c.h" > $header
if ! runs; then
    ln -sf "$from/include/opencl-c.h" $header
    exit 0
fi

# A program that calls each function of numbers, linked with what defines it: by the compiler of PoCL's own version.
defined=$(sed -n 's/.*Using .*\/\([^/]*\.bc\) as the built-in lib.*/\1/p' said)
command -v clang-15 > said && [ -n "$defined" ] || exit 0
compile() {
    clang-15 -cc1 -triple x86_64-pc-linux-gnu -x cl -cl-std=CL1.2 -DPOCL_DEVICE_ADDRESS_BITS=64 -w -include _kernel.h \
        -Ishare/pocl/include "$@"
}
compile -E -P /dev/null | perl -0ne '
    s/__attribute__\(\((?:[^()]|\([^()]*\))*\)\)//g;
    my $number = qr/ *((?:(?:const|volatile|__\w+) )*(?:u?(?:char|short|int|long)|float|double|size_t|cl_mem_fence_flags)\b(?: *\*)?) *\w*/;
    print "void calls(void)\n{\n    printf(\"\");\n";
    while (/^[a-z][\w ]*?\s+(\w+)\(($number(?:,\s*$number)*)?\s*(?:void)?\);/mg) {
        my ($name, $of) = ($1, $2 // "");
        print "    $name(", join(", ", map { /^\s*$number$/; "($1)0" } split(/,/, $of)), ");\n";
    }
    print "}\n"' > calls.cl
compile -mlink-builtin-bitcode "share/pocl/$defined" -disable-llvm-passes -emit-llvm-bc calls.cl -o calls.bc || exit 0
mv calls.bc "share/pocl/$defined"
runs || ln -sf "$from/$defined" share/pocl/
