# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the studies share: their names, their tables, devices that differ, and running
# things. A table is what a study wrote for the GTX 280 before the tests began.
package Studies;
use strict;
use warnings;
use Exporter 'import';
use Command qw(execute never_optimise scratch slurp spew);
use Test::More;

our @EXPORT_OK = qw(studies study_program build source table rows scratch slurp spew run device device_study draws);

my $build = $ENV{GZ_BUILD} or die "run through make check\n";
my $source = $ENV{GZ_SOURCE} or die "run through make check\n";

sub build { return "$build/$_[0]" }
sub source { return "$source/$_[0]" }

# The studies of the GTX 280: those whose tables were built.
sub studies {
    return grep { $_ ne 'targets' } map { m{([^/]+)\.tsv$} } glob "$build/studies/*.tsv";
}

# The command of a study: a program of its own, or a row of sweep's.
sub study_program {
    my ($study) = @_;
    my $own = build("studies/bin/$study");
    return -x $own ? $own : (build('studies/bin/sweep'), $study);
}

sub run { return execute(@_) }

# A TSV: its `#` lines, its columns as declared ([name, unit], ...), its header, its rows as hashes.
sub table {
    my ($path) = @_;
    my %table = (comments => [], columns => [], header => undef, rows => []);
    for my $line (split /\n/, slurp($path)) {
        if ($line =~ /^#/) {
            push @{$table{comments}}, $line;
            push @{$table{columns}}, [$1, $2] if $line =~ /^# column (.+?): (.+?), /;
            next;
        }
        my @cells = split /\t/, $line, -1;
        if (!$table{header}) {
            $table{header} = \@cells;
            next;
        }
        my %row;
        @row{@{$table{header}}} = @cells;
        push @{$table{rows}}, {%row, cells => scalar @cells};
    }
    return \%table;
}

# Rows of a built study in which each given column is what is given.
sub rows {
    my ($study, %want) = @_;
    my @rows = @{table(build("studies/$study.tsv"))->{rows}};
    for my $column (keys %want) {
        @rows = grep { $_->{$column} eq $want{$column} } @rows;
    }
    return @rows;
}

# One check: a table, or a field, of that name is drawn.
sub draws {
    my ($name, $file) = @_;
    my ($status, $out, $err) = run(source('plots/draw.sh'), $name, $file, scratch('.'));
    ok($status == 0 && "$out$err" eq '', "$name is drawn") or diag($err);
}

# Runs a study that needs a device, as small as it can be: its table, drawn too. Only what does not vary from run to run
# is asserted. Options that are given come after the usual ones. Skips the file if there is no device.
sub device_study {
    my ($study, @words) = @_;
    my $file = scratch("$study.tsv");
    never_optimise();
    $ENV{POCL_MAX_PTHREAD_COUNT} = 2;
    my ($status, $out, $err) = run(build("studies/bin/$study"), '-d', source('calibrate/devices/pocl-xeon-2core/device.json'),
        '--on', 'opencl:0', '--small', '--budget', '0.002', '-o', $file, @words);
    plan skip_all => 'there is no OpenCL device' if $status == 77 && !$ENV{GZ_NO_SKIP};
    ok($status == 0 && "$out$err" eq '', "$study is run without a word") or BAIL_OUT("status $status: $err");
    my ($check, undef, $said) = run('awk', '-f', source('plots/check.awk'), $file);
    ok($check == 0, "$study: the table has its shape") or diag($said);
    draws($study, $file);
    my $table = table($file);
    is(scalar(grep { /^# (device: \S|address: \S|driver: \S|date: \S|command: $study)/ } @{$table->{comments}}), 5,
        'it says where and how it was measured');
    return $table;
}

# A copy of the GTX 280's file with some values and, if `name` is among them, another name.
sub device {
    my ($file, %change) = @_;
    my $text = slurp("$source/libgzmodel/data/devices/gtx280.json");
    my $name = delete $change{name};
    $text =~ s/GeForce GTX 280/$name/ or die if defined $name;
    for my $key (keys %change) {
        $text =~ s/("$key":\s*\{"value":\s*)[-+.e0-9]+/$1$change{$key}/ or die "no $key\n";
    }
    return spew(scratch($file), $text);
}

1;
