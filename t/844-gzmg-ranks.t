#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 844-gzmg-ranks - gzmg with its levels divided among ranks: the residuals of one rank and the serial
# reference's bits, whatever the ranks, the layout and the halos' depths; what is counted, chosen and
# refused.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
compile_quickly
program='gzmg -d opencl:0'

# problem ARGUMENTS: what one rank makes of it, in $tmp/one.
problem() {
    problem="--tail 300 $*"
    # shellcheck disable=SC2086
    timeout 120 "$GZ_BUILD/bin/"$program $problem --json > "$tmp/one" 2> "$tmp/err"
}

# same LAYOUT ARGUMENTS: these ranks make the same of it.
same() {
    layout=$1
    shift
    # shellcheck disable=SC2086
    ranks $(($(echo "$layout" | tr x '*'))) $problem --ranks "$layout" --verify --json "$@"
    perl -MJSON::PP -e '
        my ($layout, $one, $all) = ($ARGV[0], map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV[1, 2]);
        die "layout $all->{layout}\n" if $all->{layout} ne $layout;
        die "not the reference\n" if !$all->{verified};
        die "first residual\n" if $all->{first_residual} != $one->{first_residual};
        die "residuals @{$all->{residuals}}, not @{$one->{residuals}}\n" if "@{$all->{residuals}}" ne "@{$one->{residuals}}";
        die "error\n" if defined $one->{error} && $all->{error} != $one->{error};
        die "nothing sent\n" if $layout ne "1x1x1" && !$all->{levels}[0]{messages};' "$layout" "$tmp/one" "$tmp/out" \
        2>> "$tmp/err"
    verdict $? "$problem on $layout $*" || note < "$tmp/err"
}

# levels CODE: whether CODE, Perl, says nothing of the last run, whose levels are @l.
levels() {
    perl -MJSON::PP -e 'local $/; my @l = @{decode_json(<STDIN>)->{levels}}; '"$1" < "$tmp/out" 2> "$tmp/err"
}

few='--tolerance 1e-3'
if has_device; then
    # Walls where the whole grid has them, and coarse levels that every rank computes.
    problem -s 32 --edges dirichlet "$few"
    same 2x2x1 --rank-depth 2
    # Two elements of each box go along x, and along y those with their halo of x.
    levels '
        my @bytes = map { my $n = 32 / 2 ** $_; 8 * 4 * (2 * $n / 2 * $n + ($n / 2 + 2) * 2 * $n) } 0 .. 2;
        for (0 .. 2) {
            die "depth\n" if $l[$_]{rank_depth} != 2;
            die "messages\n" if $l[$_]{exchanges} < 4 || $l[$_]{messages} != 8 * $l[$_]{exchanges};
            die "$l[$_]{bytes} bytes\n" if $l[$_]{bytes} != $bytes[$_] * $l[$_]{exchanges};
        }
        die "exchange\n" if !($l[0]{seconds_by_part}{exchange} > 0);
        die "whole\n" if grep { $_->{rank_depth} || $_->{messages} } @l[3, 4];'
    verdict $? 'messages and bytes are those of the division' || note < "$tmp/err"
    shallow=$(levels 'print $l[0]{exchanges}')
    same 2x2x1 --rank-depth 5,3,1
    deep=$(levels 'die "depths\n" if "@{[map { $_->{rank_depth} } @l]}" ne "6 4 2 0 0"; print $l[0]{exchanges}')
    verdict "$([ "${deep:-99}" -lt "$shallow" ]; echo $?)" "a deeper halo is exchanged $deep times, not $shallow"
    # Colours in a grid that closes upon itself; a level on every rank that the device computes. Ranks each compile
    # their kernels, so that two do for most.
    problem -s 32 --operator star7vc --cycle full "$few"
    in_full same 1x2x4 --rank-depth 1
    in_full same 7x1x1
    in_full same 1x1x1
    same 3x1x1 --rank-depth 3
    problem -s 32x48x32 --operator star7vc --edges neumann --lambda 2 --type float --cycle f "$few"
    in_full same 1x3x2 --rank-depth 3
    same 1x1x2
    problem -s 32x48x32 --operator star7vc --edges neumann --smoother jacobi --sweeps 3,0 "$few"
    same 1x3x1 --rank-depth 3
    problem -s 32 --edges dirichlet --sweeps 0,3 "$few"
    in_full same 4x1x2 --rank-depth 2
    same 1x2x1 --rank-depth 7,5,3
    problem -s 32 --edges neumann --variant trapezoid --depth 2 --cycle w "$few"
    in_full same 2x2x2
    same 2x1x1
    problem -s 32 --operator star13 "$few"
    same 2x1x1 --rank-depth 2
    problem -s 32 --operator box27 "$few"
    same 1x2x1 --rank-depth 1,2
    problem -s 32 --operator box125 --lambda 10 --sweeps 1,1 "$few"
    same 2x1x1
    problem -s 64x32x32 --variant naive --type float "$few"
    same 2x1x1 --rank-depth 3
    # The state's rounding ends all ranks' cycles where it ends those of one.
    problem -s 32 --edges dirichlet --type float
    same 2x1x1
    levels 'die "depths @{[map { $_->{rank_depth} } @l]}\n" if !$l[0]{rank_depth}'
    verdict $? 'with depths of the model' || note < "$tmp/err"

    refused 2 'rank depth 4: the halo would be wider .* at most 2 for 8x8x8 elements' 4 -s 32 --tail 300 \
        --ranks 4x1x1 --rank-depth 4
    refused 2 'boxes of 32x32x32 elements must have even extents: must be at most 16x16x16' 17 -s 32 --ranks 17x1x1
    refused 2 'no level of 16x16x16 is computed by launches' 2 -s 16 --ranks 2x1x1
    refused 2 '2x2x1 are 4 ranks, and 2 were started' 2 -s 32 --ranks 2x2x1
else
    skip 'there is no OpenCL device'
fi

finish
