#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# gzrun's T4 files checked against the published schema of that format (version 1.0.0 of the
# results, as Kernel Tuner ships it), restated here.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(execute program scratch slurp);
use JSON::PP;
use Test::More;

my %type = (
    string => sub { defined $_[0] && !ref $_[0] },
    number => sub { defined $_[0] && !ref $_[0] && $_[0] =~ /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i },
    array => sub { ref $_[0] eq 'ARRAY' },
    object => sub { ref $_[0] eq 'HASH' },
);
my %result = (timestamp => 'string', configuration => 'object', objectives => 'array',
    times => 'object', invalidity => 'string', correctness => 'number', measurements => 'array');
my @needed = qw(configuration times invalidity correctness);
my %states = map { $_ => 1 } qw(timeout compile runtime correctness constraints correct);

sub complaints {
    my ($file) = @_;
    my @wrong;
    push @wrong, 'schema_version' unless ($file->{schema_version} // '') =~ /^\d+\.\d+\.\d+$/;
    push @wrong, 'results' unless $type{array}->($file->{results}) && @{$file->{results}};
    for my $one (@{$file->{results} // []}) {
        push @wrong, "no $_" for grep { !exists $one->{$_} } @needed;
        push @wrong, "$_ is no $result{$_}"
            for grep { exists $one->{$_} && !$type{$result{$_}}->($one->{$_}) } sort keys %result;
        push @wrong, "invalidity $one->{invalidity}" unless $states{$one->{invalidity} // ''};
        push @wrong, 'runtimes' unless $type{array}->($one->{times}{runtimes});
        for my $part (qw(compilation_time framework search_algorithm validation)) {
            push @wrong, "times.$part"
                if exists $one->{times}{$part} && !$type{number}->($one->{times}{$part});
        }
        for my $m (@{$one->{measurements} // []}) {
            push @wrong, 'a measurement' unless $type{string}->($m->{name})
                && $type{string}->($m->{unit})
                && ($type{number}->($m->{value}) || $type{string}->($m->{value})
                    || $type{array}->($m->{value}));
        }
    }
    return join '; ', @wrong;
}

# The kernels of 331 and 336.
$ENV{POCL_EXTRA_BUILD_FLAGS} = '-cl-opt-disable';
my $t4 = scratch('t4.json');
my @run = (program('gzrun'), '-q', '-d', 'opencl:0', '-a', 'hotspot', '-s', '40x30', '-b', '12x10',
    '-H', 2, '--loops', 5, '--runs', 3, '--t4', $t4);
for my $more ([], ['--verify'], ['--sync', 'fence', '--verify']) {
    my ($status, undef, $err) = execute(@run, @$more);
    if ($status == 77 && !$ENV{GZ_NO_SKIP}) {
        plan skip_all => 'there is no OpenCL device';
    }
    my $file = eval { decode_json(slurp($t4)) };
    is($status == 0 && $file ? complaints($file) : "status $status: $err", '',
        "T4 of a run with (@$more) is as the published schema demands");
    ok((grep { $_->{name} eq 'max_error' } @{$file->{results}[0]{measurements}}) == 1,
        'it was compared with the reference') if $file;
    isnt(complaints({%$file, results => [{%{$file->{results}[0]}, invalidity => 'fine'}]}), '',
        'and the check would see if it were not') if $file;
}
done_testing();
