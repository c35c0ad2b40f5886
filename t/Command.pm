# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the programs share: run one, look at its status, output and errors.
package Command;
use strict;
use warnings;
use Exporter 'import';
use File::Temp 'tempdir';
use Test::More;

our @EXPORT_OK = qw(program execute run refused slurp spew scratch bulk compile_quickly never_optimise);

my $build = $ENV{GZ_BUILD} or die "run through make check\n";
my $scratch = tempdir(CLEANUP => 1);

# How many cases to take: $all in make check-all (GZ_ALL=1), otherwise $few.
sub bulk { my ($few, $all) = @_; return $ENV{GZ_ALL} ? $all : $few }

# PoCL compiles without optimising unless there is time for more (make check-all).
sub never_optimise { $ENV{POCL_EXTRA_BUILD_FLAGS} = '-cl-opt-disable' }
sub compile_quickly { never_optimise() unless ($ENV{GZ_ALL} // '') eq '2' }

# A file's place in a folder that goes away with the test.
sub scratch { return "$scratch/$_[0]" }

sub program { return "$build/bin/$_[0]" }

sub slurp {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar(<$file>) // '';
}

sub spew {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Runs a command; returns exit status (128 and more: a signal), stdout, stderr.
sub execute {
    my @words = @_;
    my ($out, $err) = (scratch('.out'), scratch('.err'));
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        open STDOUT, '>', $out or die;
        open STDERR, '>', $err or die;
        exec { $words[0] } @words or die;
    }
    waitpid $pid, 0;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, slurp($out), slurp($err));
}

# Likewise gzmodel with the given words.
sub run { return execute(program('gzmodel'), @_) }

# One test: gzmodel with these words exits with $status, prints nothing, and says one line on stderr
# that matches.
sub refused {
    my ($status, $like, $what, @words) = @_;
    my ($got, $out, $err) = run(@words);
    my $ok = $got == $status && $out eq '' && $err =~ /\Agzmodel: [^\n]+\n\z/ && $err =~ $like;
    ok($ok, $what) or diag("status $got, want $status\nstdout: $out\nstderr: $err\nwant: $like");
    return $ok;
}

1;
