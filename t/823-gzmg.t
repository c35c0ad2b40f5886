#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 823-gzmg - the program: what it reports as JSON and to a terminal.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
gzmg=$GZ_BUILD/bin/gzmg
scratch
compile_quickly

"$gzmg" -d host -s 24 --edges dirichlet --json -o "$work/json" 2>"$work/err" && perl -MJSON::PP -e '
    local $/;
    my $r = decode_json(<STDIN>);
    my @sizes = map { $_->{size}[0] } @{$r->{levels}};
    die "@sizes" if "@sizes" ne "24 12 6 3" || $r->{device} ne "host" || $r->{type} ne "double" || !$r->{converged} || $r->{at_rounding};
    die "residuals" if $r->{cycles} < 5 || @{$r->{residuals}} != $r->{cycles} || $r->{residuals}[-1] > 1e-10;
    die "first" if $r->{tolerance} != 1e-10 || !($r->{first_residual} > 1) || $r->{residuals}[0] >= 1;
    for (@{$r->{levels}}) {
        die "parts" if abs($_->{seconds} - eval join "+", values %{$_->{seconds_by_part}}) > 1e-9;
        die "on the host" if $_->{depth} != 1 || $_->{seconds_depth_1} != $_->{seconds} || "@{$_->{sweeps}}" ne "2 2";
    }
    die "rate" if !($r->{dof_per_second} > 0) || defined $r->{verified} || defined $r->{reason};' <"$work/json"
verdict $? 'as JSON'

"$gzmg" -d host -s 24 --sweeps auto --json -o "$work/json" 2>"$work/err" && perl -MJSON::PP -e '
    local $/;
    my $r = decode_json(<STDIN>);
    my @tried = @{$r->{sweeps_tried}};
    my ($best) = sort { $a->{predicted_seconds_per_digit} <=> $b->{predicted_seconds_per_digit} } @tried;
    die "best" if @tried != 4 || grep { $_ != $best->{sweeps} } @{$r->{sweeps}};
    for my $k (0 .. 3) {
        my ($factor, $seconds) = @{$tried[$k]}{qw(factor predicted_seconds_per_cycle)};
        my $digit = $seconds / -log($factor) * log(10);
        die "digits" if !(abs($tried[$k]{predicted_seconds_per_digit} / $digit - 1) < 1e-9);
        die "factors" if $k > 0 && $factor >= $tried[$k - 1]{factor};
    }' <"$work/json"
verdict $? "sweeps by seconds per digit" || note <"$work/err"

# shown ARGUMENTS...: what a terminal gets of stderr.
shown() {
    script -q -e -c "'$gzmg' -d host -s 16 --verify $* >'$work/out'" /dev/null </dev/null >"$work/screen" 2>&1
}
if command -v script >"$work/which"; then
    shown && tr '\r' '\n' <"$work/screen" | perl -ne '
        $cycle = $1 if /\[#*\.*\] .*cycle ([0-9]+), residual [0-9.e-]+ of the first$/ && $1 == $cycle + 1;
        $reference++ if /serial reference/;
        END { exit !($cycle >= 5 && $cycle == $reference) }'
    verdict $? 'a terminal is told of each cycle'
    { cat "$work/screen"; echo; } | tr '\r' '\n' | note
    shown -q && [ -s "$work/out" ] && [ ! -s "$work/screen" ]
    verdict $? 'but not with -q'
else
    skip 'there is no terminal'
fi

if has_device; then
    "$gzmg" -d opencl:0 -s 32 --edges dirichlet --depth 4,2,1 --variant stream --tail 600 --verify \
        --json -o "$work/json" 2>"$work/err" && perl -MJSON::PP -e '
        local $/;
        my $r = decode_json(<STDIN>);
        my ($first, $second, $third) = @{$r->{levels}};
        die "verified" if !$r->{verified};
        die "depths" if $first->{depth} != 4 || $second->{depth} != 2 || $first->{variant} ne "stream";
        die "levels" if $second->{on} ne "device" || $third->{on} ne "host" || $third->{depth} != 1;
        die "visits" if $first->{visits} != $r->{cycles};
        my @launches = map { $_->{launches} } @{$r->{levels}};
        die "launches @launches" if $launches[0] != 2 * $r->{cycles} + 1 || grep { $_ } @launches[2 .. 4];
        my $parts = $first->{seconds_by_part};
        my $slower = $first->{predicted_by_part}{smooth_at_depth_1} / $first->{predicted_by_part}{smooth};
        my $shallow = $first->{seconds} + ($slower - 1) * $parts->{smooth};
        die "depth 1" if abs($first->{seconds_depth_1} - $shallow) > 1e-9 * $shallow;
        my $sum = 0;
        for my $level (@{$r->{levels}}) {
            $sum += $level->{predicted_by_part}{$_} for qw(smooth restrict prolong norm tail);
        }
        die "predicted" if abs($sum / $r->{predicted}{seconds_per_cycle} - 1) > 1e-9;
        die "parts" if grep { !($first->{predicted_by_part}{$_} > 0) } qw(smooth restrict prolong norm);
        die "tail" if $third->{predicted_by_part}{smooth} != 0 || !($third->{predicted_by_part}{tail} > 0);
' <"$work/json"
    verdict $? 'depths by level, verified, and what depth 1 would take' || note <"$work/err"
else
    skip 'there is no OpenCL device'
fi
finish
