#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The studies that need a device, small, on a CPU with the kept device file; and the images of what gzrun computed.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Studies qw(build device_study draws run scratch slurp source);
use Test::More;

# 570 runs those of multigrid.
my @studies = grep { slurp(source("studies/$_.c")) =~ /"device_study[.]h"/ && $_ ne 'device_study' }
    map { m{([^/]+)\.c$} } glob source('studies/*.c');
my %table = map { $_ => device_study($_) } @studies;

# The rows of jacobi_variants: two sizes, nine ways to compute, each with its prediction. The parts are all of the model's
# time.
my @rows = @{$table{jacobi_variants}{rows}};
my ($version, $kind, $part, $edge, $height, $seconds) = @{$table{jacobi_variants}{header}};
my (%count, %sum, %all, %last);
for (@rows) {
    $count{"$_->{$version} $_->{$kind}"}++;
    $sum{$_->{$version}} += $_->{$seconds}, $last{$_->{$version}} = $_ if $_->{$kind} eq 'component';
    $all{"$_->{$version} $_->{$kind} $_->{$edge} $_->{$height}"} = $_->{$seconds};
}
is(join(', ', map { "$count{$_} $_" } sort keys %count), '7 cell component, 2 cell measured, 2 cell model, 2 cell uncached, '
        . '7 cell-uncached component, 2 column measured, 2 serial measured, 7 shared component, 2 shared measured, 2 shared model, '
        . '7 trapezoid component, 10 trapezoid measured, 10 trapezoid model', 'jacobi_variants has the rows of its rules');
for (['cell', 'cell model'], ['cell-uncached', 'cell uncached'], ['shared', 'shared model'], ['trapezoid', 'trapezoid model']) {
    my ($of, $model) = @$_;
    my $whole = $all{"$model $last{$of}{$edge} " . ($of eq 'trapezoid' ? $last{$of}{$height} : 1)} // 0;
    ok($whole > 0 && abs($sum{$of} / $whole - 1) < 1e-6, "and the parts of ${of}'s prediction are all of it");
}
is(scalar(grep { $_->{$version} eq 'shared' && $_->{$kind} eq 'component' && $_->{$part} =~ /^(LoadSten-own|IterComp)$/
        && $_->{$seconds} > 0 } @rows), 2, 'and are those of the 2011 model');
# Images.
sub image {
    my ($name, @words) = @_;
    my ($status, undef, $err) = run(build('bin/gzrun'), qw(-q -d opencl:0 --runs 1 -o), scratch('log'), '--output',
        scratch("$name.field"), @words);
    ok($status == 0, "$name is computed") or diag($err);
    draws($name, scratch("$name.field"));
}
image('jacobi_solution', qw(-a jacobi -s 31 -b 15 -H 4 --loops 400));
my ($temperature, $power) = (scratch('temperature'), scratch('power'));
run('awk', '-v', 'cells=32', '-v', "power=$power", '-v', "temperature=$temperature", '-f', source('studies/floorplan.awk'));
image('hotspot_run', qw(-a hotspot -s 32 -b 16 -H 2 --loops 200 --input), $temperature, $power);

# Stored tables, without a device.
mkdir scratch('stored') or die;
run('cp', scratch('jacobi_variants.tsv'), scratch('jacobi_solution.field'), scratch('stored'));
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
sub measured { return run('make', '-s', '-C', source(''), 'measured', 'B=' . scratch('build'), 'TABLE=' . scratch($_[0])) }
my ($status, undef, $err) = measured('stored');
is("$status " . scalar(split /\n/, (run('find', scratch('build'), qw(-type f)))[1]), '0 6',
    'make measured TABLE=FOLDER draws what is stored, and builds nothing') or diag($err);
($status, undef, $err) = measured('none.tsv');
ok($status != 0 && $err =~ /none\.tsv/, 'and fails if there is none');
done_testing();
