#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Too little memory or disk: each allocation of a run fails in turn, alone and with all that
# follow; and the disk is full at each byte of an output, or at a sample of them. A program then does
# its task, or says in one line why not; it does not crash, and no output is half
# written.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(program execute scratch slurp spew bulk);
use Test::More;

my $build = $ENV{GZ_BUILD} or die "run through make check\n";
my $source = $ENV{GZ_SOURCE} or die "run through make check\n";
my $preload = "$build/t/failing-malloc.so";
my $full = "$build/t/full-disk";
plan skip_all => 'failing-malloc.so is not built (sanitizers have their own malloc)' if !-e $preload;

my $validate = -x program('validate') ? program('validate') : "$build/studies/bin/validate";
my $out = scratch('out');
my @model = qw(-d gtx280 -a hotspot -s 2000);
my @commands = (
    ['predict', program('gzmodel'), 'predict', @model, qw(-b 20 -H 2)],
    ['optimize', program('gzmodel'), 'optimize', @model, qw(-b 20)],
    ['optimize as JSON', program('gzmodel'), 'optimize', @model, qw(-b 20 --json)],
    ['the best tile', program('gzmodel'), 'optimize', @model],
    ['choose', program('gzmodel'), 'choose', @model, qw(-b 20)],
    ['sensitivity', program('gzmodel'), 'sensitivity', @model, qw(-b 20 --json)],
    ['list', program('gzmodel'), 'list'],
    ['a device file', program('gzmodel'), 'predict', '-d',
        "$source/libgzmodel/data/devices/gtx280.json", qw(-a hotspot -s 2000 -b 20 -H 2)],
    ['multigrid on the host', program('gzmg'), qw(-d host -s 8 --verify --sweeps auto --json)],
    ['a table', $validate, "$source/studies/results/pocl-xeon-2core/validation.tsv"],
);

# The command under failing-malloc; what it writes about the number of allocations is its last word
# on stdout's twin.
sub under {
    my ($environment, @words) = @_;
    local %ENV = (%ENV, LD_PRELOAD => $preload, %$environment);
    return execute(@words);
}

# Numbers from 1 to $most: all if they are few, else the first ones and a sample of the rest.
sub sample {
    my ($most, $few) = @_;
    return 1 .. $most if $most <= $few;
    my %chosen = map { $_ => 1 } 1 .. $few / 2;
    $chosen{1 + int(($most - 1) * $_ / ($few / 2))} = 1 for 1 .. $few / 2;
    return sort { $a <=> $b } keys %chosen;
}

for my $command (@commands) {
    my ($what, @words) = @$command;
    my ($status, undef, $err) = under({GZ_COUNT_TO => 2}, @words);
    my ($number) = $err =~ /(\d+)\n\z/;
    if ($status != 0 || !$number) {
        fail("$what: allocations are counted");
        diag("status $status: $err");
        next;
    }
    my (@wrong, $runs);
    for my $which (sample($number, bulk(24, 120))) {
        for my $forever (0, 1) {
            my ($got, $printed, $said) =
                under({GZ_FAIL_ALLOCATION => $which, $forever ? (GZ_FAIL_FOREVER => 1) : ()}, @words);
            my $fine = $got == 0 && $said !~ /\n.*\n/
                || ($got == 1 || $got == 2) && $printed eq '' && $said =~ /\A[a-z-]+: [^\n]+\n\z/;
            push @wrong, "allocation $which of $number, status $got: " . substr($said, 0, 200)
                if !$fine;
            $runs++;
        }
    }
    ok(!@wrong, "$what: $runs runs, of whose $number allocations one fails, or one and all that follow")
        or diag(join "\n", @wrong[0 .. ($#wrong > 5 ? 5 : $#wrong)]);
}

# Runs a command whose output is its file alone; what it says goes through a pipe, since no file may
# grow. Returns exit status and that.
sub through_pipe {
    my @words = @_;
    my $pid = open(my $pipe, "-|") // die "fork: $!\n";
    if ($pid == 0) {
        open STDERR, ">&", \*STDOUT or die;
        exec { $words[0] } @words or die;
    }
    my $said = join "", <$pipe>;
    close $pipe;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, $said);
}

# Outputs on a disk that is full after so many bytes.
my @outputs = (
    ['a prediction', program('gzmodel'), 'predict', @model, qw(-b 20 -H 2 -o), $out],
    ['a device file', program('gzmodel'), qw(list -d gtx280 -o), $out],
    ['JSON', program('gzmodel'), 'sensitivity', @model, qw(-b 20 --json -o), $out],
    ['a study', "$build/studies/bin/sweep", 'cpi', '-o', $out],
);
for my $case (@outputs) {
    my ($what, @words) = @$case;
    unlink $out;
    my ($status, undef, $err) = execute(@words);
    my $whole = $status == 0 ? slurp($out) : '';
    ok($whole ne '', "$what can be written") or diag($err);
    my @wrong;
    for my $bytes (map { $_ - 1 } sample(length $whole, bulk(16, 60))) {
        for my $before (undef, "what was there\n") {
            unlink $out;
            spew($out, $before) if defined $before;
            my ($got, $said) = through_pipe($full, $bytes, @words);
            my $left = -e $out ? slurp($out) : undef;
            my @more = grep { $_ ne $out } glob "$out*";
            my $same = defined $before ? defined $left && $left eq $before : !defined $left;
            push @wrong, "full after $bytes bytes: status $got, said $said"
                if $got != 1 || !$same || @more
                || $said !~ /\A[a-z-]+: [^\n]+\n\z/;
            unlink @more;
        }
    }
    ok(!@wrong, "$what: a disk that fills up leaves what was there, or nothing")
        or diag(join "\n", @wrong[0 .. ($#wrong > 5 ? 5 : $#wrong)]);
}
done_testing();
