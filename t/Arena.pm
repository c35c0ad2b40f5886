# SPDX-License-Identifier: GPL-3.0-or-later
# A folder in which programs are given what is wrong. Whatever is tried, a program ends by itself and not by a
# signal; it refuses in one line, with the status expected, and leaves nothing: no output, no temporary file, no
# change in an input.
package Arena;
use strict;
use warnings;
use Exporter 'import';
use File::Find;
use Command qw(program scratch slurp spew);
use POSIX ();
use Test::More;

our @EXPORT_OK = qw(%file $place %count make_place settle attempt refuses executable);

my $build = $ENV{GZ_BUILD} or die "run through make check\n";
my $source = $ENV{GZ_SOURCE} or die "run through make check\n";
our $place = scratch('place');
our %count;

# A program may take this long, on a machine that does much else, before it counts as hanging.
my $patience = 60;

# The files that attempts work on, made anew if one of them has changed.
our %file = (
    'device.json' => slurp("$source/libgzmodel/data/devices/gtx280.json"),
    'hotspot.json' => slurp("$source/libgzmodel/data/apps/hotspot.json"),
    'grid.txt' => join('', map { "1.5\n" } 1 .. 64),
    'power.txt' => join('', map { "0.5\n" } 1 .. 64),
    'table.tsv' => slurp("$source/studies/results/pocl-xeon-2core/validation.tsv"),
);
my $clean;

# What is there now is what attempts must leave.
sub settle { $clean = inventory() }

sub make_place {
    system 'rm', '-rf', $place;
    mkdir $place or die "$place: $!\n";
    spew("$place/$_", $file{$_}) for keys %file;
    mkdir "$place/folder" or die;
    POSIX::mkfifo("$place/fifo", 0600) or die "mkfifo: $!\n";
    symlink 'loop', "$place/loop" or die;
    symlink 'device.json', "$place/link.json" or die;
    settle();
}

# What is there: names, and the contents of files.
sub inventory {
    my %found;
    find({no_chdir => 1, wanted => sub {
        return if -p $_ || -l $_;
        $found{$_} = -d $_ ? '' : slurp($_);
    }}, $place);
    return \%found;
}

sub differs {
    my ($before, $after) = @_;
    my @said;
    push @said, "new: $_" for grep { !exists $before->{$_} } sort keys %$after;
    for (sort keys %$before) {
        push @said, "gone: $_" if !exists $after->{$_};
        push @said, "changed: $_" if exists $after->{$_} && $after->{$_} ne $before->{$_};
    }
    return @said;
}

# Runs a program in the arena, without a terminal; returns exit status (128 and more: a signal), or
# -1 if it hangs, stdout, stderr.
sub attempt {
    my ($words, $environment) = @_;
    my ($out, $err) = (scratch('.hostile.out'), scratch('.hostile.err'));
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        chdir $place or die;
        $ENV{$_} = $environment->{$_} for keys %{$environment // {}};
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', $out or die;
        open STDERR, '>', $err or die;
        POSIX::setpgid(0, 0);
        exec { $words->[0] } @$words or die;
    }
    my $hangs = 0;
    local $SIG{ALRM} = sub { $hangs = 1; kill 'KILL', -$pid, $pid };
    alarm $patience;
    waitpid $pid, 0;
    my $status = $?;
    alarm 0;
    return (-1, '', '') if $hangs;
    return ($status & 127 ? 128 + ($status & 127) : $status >> 8, slurp($out), slurp($err));
}

# The program of the name that stands before its messages.
sub executable {
    my ($name) = @_;
    $name =~ s/^gz-//;
    return (grep { -x } map { "$build/$_/$name" } qw(bin studies/bin bench bundle))[0] // program($name);
}

# One attempt that must be refused, with one of the statuses @$expected, and a text that matches $like.
# gzc says first where in a file, not who it is.
sub refuses {
    my ($kind, $what, $expected, $name, $words, $environment, $like) = @_;
    my ($status, $out, $err) = attempt([executable($name), @$words], $environment);
    my $who = $name =~ /^gzc\z/ ? '' : '[a-z_-]+: ';
    my @changes = differs($clean, inventory());
    my @wrong;
    push @wrong, 'it hangs' if $status < 0;
    push @wrong, "exit status $status, not @$expected" if !grep { $_ == $status } @$expected;
    push @wrong, 'it prints: ' . substr($out, 0, 200) if $out ne '';
    push @wrong, 'not one line: ' . substr($err, 0, 400)
        if $err !~ /\A$who[^\n]{1,1200}\n\z/ || $err =~ /[\x00-\x08\x0b-\x1f\x7f]/;
    push @wrong, "it says: $err", "not: $like" if defined $like && $err !~ $like;
    push @wrong, @changes;
    $count{$kind}++;
    ok(!@wrong, "$kind: $name $what")
        or diag(join "\n", "command: @$words", @wrong);
    make_place() if @changes;
}

make_place();
1;
