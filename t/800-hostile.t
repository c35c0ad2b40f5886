#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile attempts on all programs, some hundreds, counted by kind. Whatever is tried, a program ends
# by itself and not by a signal; it refuses in one line, with status 2 (1 if an output
# cannot be written, 77 if there is no such device), and leaves nothing: no output, no temporary
# file, no change in an input. What it must not do is accept nonsense without a word.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Find;
use FindBin;
use lib $FindBin::Bin;
use Command qw(bulk program scratch slurp spew);
use POSIX ();
use Test::More;

my $build = $ENV{GZ_BUILD} or die "run through make check\n";
my $source = $ENV{GZ_SOURCE} or die "run through make check\n";
my $place = scratch('place');
my %count;

# A program may take this long, on a machine that does much else, before it counts as hanging.
my $patience = 60;

# --------------------------------------------------------------------------------- the arena

# The files that attempts work on, made anew if one of them has changed.
my %file = (
    'device.json' => slurp("$source/libgzmodel/data/devices/gtx280.json"),
    'hotspot.json' => slurp("$source/libgzmodel/data/apps/hotspot.json"),
    'grid.txt' => join('', map { "1.5\n" } 1 .. 64),
    'power.txt' => join('', map { "0.5\n" } 1 .. 64),
    'table.tsv' => slurp("$source/studies/results/pocl-xeon-2core/validation.tsv"),
);

sub make_place {
    system 'rm', '-rf', $place;
    mkdir $place or die "$place: $!\n";
    spew("$place/$_", $file{$_}) for keys %file;
    mkdir "$place/folder" or die;
    POSIX::mkfifo("$place/fifo", 0600) or die "mkfifo: $!\n";
    symlink 'loop', "$place/loop" or die;
    symlink 'device.json', "$place/link.json" or die;
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

make_place();
my $clean = inventory();

# The programs, by the name that stands before their messages.
my %program = (
    gzmodel => program('gzmodel'),
    gzrun => program('gzrun'),
    gzmg => program('gzmg'),
    'gz-calibrate' => program('calibrate'),
    measure => -x program('measure') ? program('measure') : "$build/studies/bin/measure",
    validate => -x program('validate') ? program('validate') : "$build/studies/bin/validate",
);
my $gzc = program('gzc'); # says first where in a file, not who it is

# One attempt that must be refused, with one of the statuses @$expected.
sub refuses {
    my ($kind, $what, $expected, $name, $words, $environment) = @_;
    my ($status, $out, $err) = attempt([$program{$name} // $gzc, @$words], $environment);
    my $who = $name eq 'gzc' ? '' : '[a-z-]+: ';
    my @changes = differs($clean, inventory());
    my @wrong;
    push @wrong, 'it hangs' if $status < 0;
    push @wrong, "exit status $status, not @$expected" if !grep { $_ == $status } @$expected;
    push @wrong, 'it prints: ' . substr($out, 0, 200) if $out ne '';
    push @wrong, 'not one line: ' . substr($err, 0, 400)
        if $err !~ /\A$who[^\n]{1,1200}\n\z/ || $err =~ /[\x00-\x08\x0b-\x1f\x7f]/;
    push @wrong, @changes;
    $count{$kind}++;
    ok(!@wrong, "$kind: $name $what")
        or diag(join "\n", "command: @$words", @wrong);
    make_place() if @changes;
}

# Text that may be part of the name of a test.
sub shown {
    my ($text) = @_;
    $text = substr($text, 0, 24) . '...' if length $text > 27;
    $text =~ s/([^ -~]|#)/sprintf '\\x%02x', ord $1/ge;
    return "\"$text\"";
}

# ------------------------------------------------------------------------------- numbers

my @evil = ('', ' ', 'abc', 'nan', 'NaN', 'inf', '-inf', '-1', '0x10', '1e400', '-0.5', '1e-400',
            "1\n", "1\t", '1;ls', '$(ls)', '1 2', '1..2', '--', '-', '9' x 400, "\xd9\xa3",
            "1\x{1}", '%n%s%s%s', '١٢');
my @model = qw(-d gtx280 -a hotspot -s 2000 -b 20);
my @run = qw(-d opencl:0 -a hotspot -s 32 -b 10 --loops 2 --runs 1);
my %numbers = (
    gzmodel => [map { [[qw(predict), @model], $_] } qw(--height --size --block)],
    gzrun => [map { [[@run], $_] } qw(--size --block --height --threads --loops --runs --seed)],
    gzmg => [map { [[qw(-d host -s 8)], $_] } qw(--size --sweeps --depth --lambda --tolerance --tail)],
    measure => [map { [[qw(-d device.json --on opencl:0 -o new.tsv)], $_] }
              qw(--total --budget --seed --max-height)],
);
# Every fourth text for each option, by turns, or all.
my ($every, $turn) = (bulk(4, 1), 0);
for my $name (sort keys %numbers) {
    for my $case (@{$numbers{$name}}) {
        my ($words, $option) = @$case;
        $turn++;
        for my $text (map { $evil[$_] } grep { ($_ + $turn) % $every == 0 } 0 .. $#evil) {
            refuses('numbers', "$option " . shown($text), [2], $name,
                [@$words, "$option=$text"]);
        }
    }
}

# --------------------------------------------------------------------------- input files

# A file that is read: by which words, with FILE in its place.
my @readers = (
    ['device', 'gzmodel', qw(predict -a hotspot -s 2000 -b 20 -H 2 -d FILE)],
    ['application', 'gzmodel', qw(predict -d gtx280 -s 2000 -b 20 -H 2 -a FILE)],
    ['device', 'measure', qw(-o new.tsv --on opencl:0 -d FILE)],
    ['table', 'validate', qw(FILE)],
    ['input', 'gzrun', qw(-d opencl:0 -a poisson -s 8 -b 6 --loops 2 --runs 1 --input FILE)],
);
my $json = $file{'device.json'};
my %bad = (
    'empty' => '',
    'one byte' => '{',
    'zeros' => "\0" x 4096,
    'a NUL inside' => "1.5\n1.\0005\n" . "1.5\n" x 62,
    'binary' => join('', map { chr(($_ * 37 + 11) % 256) } 0 .. 9999),
    'deeply nested' => '[' x 100000,
    'UTF-16' => join('', map { "$_\0" } split //, $json),
    'half a device' => substr($json, 0, length($json) / 2),
    'a long line' => 'x' x 1000000,
    'two values on a line of blanks' => '1.5' . ' ' x 199 . "2\n" . "1.5\n" x 63,
    'a shebang' => "#!/bin/sh\necho no\n",
    'words' => "one\ntwo\n",
);
for my $reader (@readers) {
    my ($what, $name, @words) = @$reader;
    my $with = sub { my ($file) = @_; return [map { $_ eq 'FILE' ? $file : $_ } @words] };
    for my $kind (sort keys %bad) {
        spew("$place/bad", $bad{$kind});
        $clean = inventory();
        refuses('inputs', "$what: $kind", [2], $name, $with->('./bad'));
    }
    unlink "$place/bad";
    make_place();
    $clean = inventory();
    my %path = ('no file' => './nothing.json', 'a folder' => './folder',
                'a file as a folder' => './device.json/x', 'a loop of links' => './loop',
                'a FIFO without a writer' => './fifo', 'no name' => '',
                'a path of 5000 characters' => './' . 'x' x 5000,
                'a name with a line break' => "./a\nb", 'the null device' => '/dev/null',
                'endless zeros' => '/dev/zero');
    for my $kind (sort keys %path) {
        refuses('inputs', "$what: $kind", [1, 2], $name, $with->($path{$kind}));
    }
}

# Bytes of the kept table that are changed, lost or repeated.
my @lines = split /(?<=\n)/, $file{'table.tsv'};
my ($first) = grep { $lines[$_] !~ /^#/ } 0 .. $#lines;
my %table = (
    'cut at the end of a line' => join('', @lines[0 .. $#lines - 5]),
    'cut in a line' => substr($file{'table.tsv'}, 0, -20),
    'a row twice' => join('', @lines, $lines[$first + 3]),
    'no header' => join('', grep { $_ ne $lines[$first] } @lines),
    'a column less' => join('', map { s/\t[^\t\n]*$//r } @lines),
    'no comments' => join('', grep { !/^#/ } @lines),
    'CRLF' => join('', map { s/\n/\r\n/r } @lines),
    'a byte-order mark' => "\xef\xbb\xbf" . $file{'table.tsv'},
    'a word in a number' => join('', map { s/\t(\d+\.\d+e-\d+)\t/\tfast\t/r } @lines),
    'negative times' => join('', map { s/\t(\d[.\d]*e-\d+)\t/\t-$1\t/r } @lines),
);
for my $kind (sort keys %table) {
    spew("$place/bad", $table{$kind});
    $clean = inventory();
    refuses('tables', $kind, [2], 'validate', ['./bad']);
}
make_place();
$clean = inventory();

# ----------------------------------------------------------------------- shared objects

# A whole one without a stencil in it, cut off at many lengths; and what is no file.
my ($library) = glob "$build/lib/libgzmodel.so.*.*.*";
my $object = slurp($library);
my @cuts = (0, 1, 4, 15, 16, 63, 64, 65, 120, 1000, map { int($_ * length($object) / 20) } 1 .. 15);
for my $name (qw(gzrun gz-calibrate)) {
    my @words = $name eq 'gzrun' ? @run[0, 1] : qw(-d opencl:0 --quick -o new.json);
    for my $cut (@cuts) {
        spew("$place/cut.so", substr($object, 0, $cut));
        $clean = inventory();
        refuses('objects', "cut off after $cut bytes", [2], $name, [@words, qw(--stencil ./cut.so)]);
    }
    spew("$place/cut.so", "\x7fELF" . "\xff" x 4096);
    $clean = inventory();
    refuses('objects', 'a header of ones', [2], $name, [@words, qw(--stencil ./cut.so)]);
    unlink "$place/cut.so";
    $clean = inventory();
    for my $path ($library, './fifo', './folder', './loop', './device.json', '/dev/null', '/dev/zero',
                  './nothing.so', '') {
        refuses('objects', $path =~ s/.*\///r, [2], $name, [@words, '--stencil', $path]);
    }
}

# ------------------------------------------------------------------------------- outputs

my @writers = (
    ['gzmodel', qw(list -d gtx280 -o)],
    ['gzmodel', 'predict', @model, qw(-H 2 -o)],
    ['gzrun', @run, '-o'],
    ['gzrun', @run, '--output'],
    ['gzrun', @run, '--t4'],
    ['gz-calibrate', qw(-d opencl:0 --quick -a hotspot -o)],
    ['measure', qw(-d device.json --on opencl:0 --small -o)],
);
my %output = (
    'a folder' => './folder', 'in a folder that is not there' => './none/x',
    'below a file' => './device.json/x', 'a loop of links' => './loop/x',
    'a path of 1199 characters' => './' . join('/', map { 'y' x 199 } 1 .. 6),
    'a path of 5000 characters' => './' . 'x' x 5000, 'no name' => '',
    'a name of 300 characters' => './' . 'z' x 300, 'the full device' => '/dev/full',
);
for my $writer (@writers) {
    my ($name, @words) = @$writer;
    for my $kind (sort keys %output) {
        # What calibrate warns of on the way, on a machine that does other work, is not a refusal.
        next if $name eq 'gz-calibrate' && $kind eq 'the full device';
        refuses('outputs', "$words[-1] $kind", [1, 2], $name, [@words, $output{$kind}]);
    }
}

# What an interrupted run is said to have left, which --resume would go on with.
my @resumed = (
    ['gzrun', qw(-d opencl:0 -a hotspot -s 32 -b 10 -H 1:2 --loops 2 --runs 1 --resume -o new.tsv)],
    ['measure', qw(-d device.json --on opencl:0 --small --resume -o new.tsv)],
);
my %left = (
    'a folder' => sub { mkdir $_[0] }, 'a FIFO' => sub { POSIX::mkfifo($_[0], 0600) },
    'a loop of links' => sub { symlink 'new.tsv.partial', $_[0] },
    'a link to an input' => sub { symlink 'device.json', $_[0] },
    'a link to the null device' => sub { symlink '/dev/null', $_[0] },
    'binary' => sub { spew($_[0], $bad{binary}) }, 'zeros' => sub { spew($_[0], $bad{zeros}) },
    'a table of something else' => sub { spew($_[0], "app\tseconds\nhotspot\t1\n") },
    'half a line' => sub { spew($_[0], substr($file{'table.tsv'}, 0, 20)) },
);
for my $case (@resumed) {
    my ($name, @words) = @$case;
    for my $kind (sort keys %left) {
        $left{$kind}->("$place/new.tsv.partial");
        $clean = inventory();
        refuses('resumed', "from $kind", [1, 2], $name, \@words);
        make_place();
    }
}
$clean = inventory();

# Outputs that are inputs, or one another.
my @same = (
    ['gzmodel', 'the device file as output', qw(predict -d device.json -a hotspot -s 2000 -b 20 -H 2
        -o device.json)],
    ['gzmodel', 'the same by another path', qw(predict -d device.json -a hotspot -s 2000 -b 20 -H 2
        -o ./folder/../device.json)],
    ['gzmodel', 'the same by a link', qw(predict -d device.json -a hotspot -s 2000 -b 20 -H 2
        -o link.json)],
    ['gzmodel', 'the application file as output', qw(optimize -d gtx280 -a ./hotspot.json -s 2000 -b 20
        -o hotspot.json)],
    ['gzrun', 'its input as output', qw(-d opencl:0 -a poisson -s 8 -b 6 --loops 2 --runs 1 --input
        grid.txt --output grid.txt)],
    ['gzrun', 'its second input as output', qw(-d opencl:0 -a hotspot -s 8 -b 6 --loops 2 --runs 1
        --input grid.txt power.txt --output power.txt)],
    ['gzrun', 'its input as T4', qw(-d opencl:0 -a poisson -s 8 -b 6 --loops 2 --runs 1 --input
        grid.txt --t4 grid.txt)],
    ['gzrun', 'its input as report', qw(-d opencl:0 -a poisson -s 8 -b 6 --loops 2 --runs 1 --input
        grid.txt -o grid.txt)],
    ['gzrun', 'two outputs in one file', @run, qw(--output new --t4 new)],
    ['gzrun', 'report and T4 in one file', @run, qw(-o new --t4 ./new)],
    ['gzrun', 'three outputs in one file', @run, qw(-o new --output new --t4 new)],
    ['gz-calibrate', 'device and application file in one', qw(-d opencl:0 --quick -a hotspot -o
        new/../hotspot.json)],
    ['gz-calibrate', 'device and application file in one, plainly', qw(-d opencl:0 --quick -a hotspot
        -o hotspot.json)],
    ['measure', 'the device file as table', qw(-d device.json --on opencl:0 --small -o device.json)],
    ['measure', 'an application file as table', qw(-d device.json --on opencl:0 --small -o
        hotspot.json hotspot)],
);
for my $case (@same) {
    my ($name, $what, @words) = @$case;
    refuses('same file', $what, [2], $name, \@words);
}

# --------------------------------------------------------------------- words and combinations

for my $name (sort keys %program) {
    for my $words ([], ['--nonsense'], ['-Z'], ['--'], ['-o'], ['--device'], ['--help=1'],
                   ["\xff\xfe"], ["\e[31mred"], ['--device', '-1'], ['-d', 'opencl:-1'],
                   ['-d', 'opencl:99999999999999999999'], ['-d', 'opencl:'], ['-d', 'vulkan:0'],
                   ['-d', 'cuda:'], ['-d', 'cuda:x'], ['--app', 'nosuch'],
                   ['-a', '../../etc/passwd'], [map { "w$_" } 1 .. 2000]) {
        next if $name =~ /^gz(run|mg)\z/ && "@$words" =~ /\A(--)?\z/;
        refuses('words', join(' ', map { shown($_) } @$words[0 .. ($#$words > 2 ? 2 : $#$words)]),
            [2, 77], $name, $words)
            unless $name eq 'gz-calibrate' && (!@$words || "@$words" eq '--');
    }
}
my @impossible = (
    [qw(-H 0)], [qw(-H 5 -b 10)], [qw(-b 2)], [qw(-b 1000000)], [qw(-s 8x8x8)], [qw(--threads 0)],
    [qw(--threads 100000)], [qw(--threads 4x4x4)], [qw(--variant nosuch)], [qw(-y barrier)],
    [qw(--variant naive -H 2)], [qw(--variant shared -y fence)], [qw(--contract maybe)],
    [qw(-s 100000000)], [qw(-s 2147483647x2147483647)], [qw(--loops 9000000000000000000)],
    [qw(--runs 0)], [qw(--runs 1e9)], [qw(--seed -1)], [qw(--seed 1.5)], [qw(-H 1.5)],
    [qw(-H 2147483648)], [qw(--input a b c d e f g)], [qw(-y graph)],
);
for my $words (@impossible) {
    refuses('impossible', join(' ', @$words), [2], 'gzrun', [@run, @$words]);
}

# ---------------------------------------------------------------------------- environment

my @around = (
    ['no OpenCL driver', 'gzrun', [@run], {OCL_ICD_VENDORS => "$place/folder"}, [77]],
    ['no OpenCL driver', 'gz-calibrate', [qw(-d opencl:0 -o new.json)],
        {OCL_ICD_VENDORS => "$place/folder"}, [77]],
    ['no CUDA device', 'gzrun', [qw(-d cuda:0 -a hotspot)], {}, [77]],
    ['no CUDA device', 'gz-calibrate', [qw(-d cuda:0 -o new.json)], {}, [77]],
    ['device 7', 'gzrun', [qw(-d opencl:7 -a hotspot)], {}, [77]],
    ['device 7', 'gz-calibrate', [qw(-d 7 -o new.json)], {}, [77]],
);
for my $case (@around) {
    my ($what, $name, $words, $environment, $expected) = @$case;
    refuses('environment', $what, $expected, $name, $words, $environment);
}

# -------------------------------------------------------------------------- gzc's sources

# A function with a time loop around `sweep`; a and b are doubles, k is whole numbers.
sub source {
    my ($sweep, %part) = @_;
    my $time = $part{time} // 'int t = 0; t < T; t++';
    return ($part{before} // '') . "
void f(int n, int T, double *a, double *b, int *k, int *none, double x, double y)
{
    double *swap;
    int i;
    " . ($part{first} // '') . "
#pragma scop
    for ($time) { $sweep }
#pragma endscop
}
";
}
my $copied = 'for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);';
my $swapped = 'swap = a; a = b; b = swap;';
my $plain = source("$copied $swapped");
my %source = (
    'nothing' => '', 'zeros' => "\0" x 4096, 'binary' => $bad{binary}, 'half a loop' => substr($plain, 0, 200),
    'no loop' => "int main(void) { return 0; }\n", 'half a directive' => "#pragma scop\n",
    'an end alone' => "#pragma endscop\n", 'itself' => "#include \"x.c\"\n",
    'a header that is not there' => "#include <nothing/there.h>\n$plain",
    'UTF-16' => join('', map { "$_\0" } split //, $plain), 'a folder' => "#include \"folder\"\n$plain",
    'scalars handed on' => source("x = y; y = t; $copied $swapped"),
    'a sum over all cells' => source("$copied for (i = 0; i < n; i++) x += b[i]; $swapped"),
    'what is read has been written' => source('for (i = 1; i < n; i++) a[i] = a[i - 1];'),
    'an index from memory' => source('for (i = 0; i < n; i++) b[i] = a[k[i]]; ' . $swapped),
    'an index that is cut' => source('for (i = 1; i < n; i++) b[i] = a[(unsigned char)(i - 1)]; ' . $swapped),
    'every step kept' => source('for (i = 1; i < n; i++) a[(t + 1) * n + i] = a[t * n + i - 1];'),
    'a guard by the state' => source("for (i = 0; i < n; i++) k[i] = k[i] + (k[i] > 3 ? none[i] : 0);"),
    'zeros of both signs' => source('for (i = 1; i < n; i++) b[i] = __builtin_fmax(a[i] * 0, -a[i - 1] * 0); ' . $swapped),
    'a number that takes turns and is read' => source('for (i = 1; i < n; i++) a[(1 - turn) * n + i] = a[turn * n + i] + turn; turn = 1 - turn;',
        first => 'int turn = 0;'),
    'a function that calls itself' => source("for (i = 0; i < n; i++) k[i] = g(k[i]);",
        before => 'static int g(int v) { return v > 9 ? g(v / 2) : v; }'),
    'functions that call one another' => source("for (i = 0; i < n; i++) k[i] = g(k[i]);",
        before => 'static int h(int); static int g(int v) { return v > 9 ? h(v / 2) : v; } static int h(int v) { return g(v); }'),
    'a function that prints' => source("$copied show(a); $swapped", before => 'int show(int *);'),
    'a jump' => source("$copied if (t > 3) break; $swapped"),
    'assembler' => source("$copied __asm__(\"\"); $swapped"),
    'names of gzc' => source("for (i = 0; i < n; i++) k[i] = k[i] * gz_low;", first => 'int gz_low = 3;'),
    'a loop by a macro' => source('LOOP', before => "#define LOOP $copied $swapped\n#define for int f_; for\n"),
    'four dimensions' => "void f(int n, int T, int a[2][9][9][9][9]) {\n#pragma scop\nfor (int t = 0; t < T; t++) "
        . join('', map { "for (int $_ = 1; $_ < 8; $_++) " } qw(i j k l))
        . "a[(t + 1) % 2][i][j][k][l] = a[t % 2][i][j][k][l - 1];\n#pragma endscop\n}\n",
    'a reach of a thousand' => source('for (i = 1000; i < n; i++) b[i] = a[i - 1000]; ' . $swapped),
    '60,000 terms' => source('for (i = 1; i < n; i++) b[i] = a[i]' . "\n+ a[i - 1]" x 60000 . "; $swapped"),
    '60,000 commas' => source("i = 0" . "\n, i = 1" x 60000 . "; $copied $swapped"),
    '60,000 conditions' => source("i = " . "\nn > 1 ? 2 :" x 60000 . " 3; $copied $swapped"),
    '60,000 signs' => source("i = " . "- + " x 30000 . " 3; $copied $swapped"),
    '60,000 elses' => source("if (n > 1) i = 2;" . "\nelse if (n > 2) i = 3;" x 60000 . " $copied $swapped"),
    '60,000 brackets' => source("i = " . '(' x 60000 . '3' . ')' x 60000 . "; $copied $swapped"),
    '60,000 blocks' => source('{' x 60000 . $copied . '}' x 60000 . $swapped),
    '60,000 stars' => "int " . '*' x 60000 . "p;\n" . source('for (i = 1; i < n; i++) a[i] = a[i - 1];'),
    'forty temporaries, each twice' => source('for (i = 1; i < n; i++) { int t0 = i;'
        . join('', map { "int t$_ = t@{[$_ - 1]} + t@{[$_ - 1]};" } 1 .. 40) . "b[i] = a[i - 1] * none[t40]; } $swapped"),
);
my %source_words = (
    'a file beside' => [qw(-o), './folder/../x.c'], 'the file itself' => [qw(-o x.c)], 'a folder' => [qw(-o folder)],
    'no output' => [], 'two modes' => [qw(--row --explain -o new.so)], 'a second file' => [qw(grid.txt -o new.c)],
    'a row without an end' => [qw(--row)], 'the full device' => [qw(-o /dev/full)],
    (map { ("flag @$_" => ['-o', 'new.c', '--', @$_]) } ['-o', 'device.json'], ['-odevice.json'], ['@device.json'],
        ['-fplugin=./device.json'], ['-Xclang', '-load'], ['-M', '-MF', 'device.json'], ['-MMD'], ['-save-temps'],
        ['-x', 'c++'], ['-Wp,-o,device.json'], ['-###'], ['--version'], ['-S'], ['-dD', '-o', 'device.json'], ['device.json']),
);
if (-x $gzc) {
    for my $kind (sort keys %source) {
        spew("$place/x.c", $source{$kind});
        $clean = inventory();
        refuses('sources', $kind, [2], 'gzc', [qw(x.c -o new.c)]);
    }
    spew("$place/x.c", $plain);
    $clean = inventory();
    refuses('sources', $_, [1, 2], 'gzc', ['x.c', @{$source_words{$_}}]) for sort keys %source_words;
    unlink "$place/x.c";
    make_place();
    $clean = inventory();
    refuses('sources', $_, [2], 'gzc', [$_, qw(-o new.c)])
        for qw(fifo folder loop nothing.c /dev/null /dev/zero folder/../fifo -x @x), '', "a\nb", 'x' x 5000;
}

my $sum = 0;
for my $kind (sort keys %count) {
    note(sprintf '%4d attempts: %s', $count{$kind}, $kind);
    $sum += $count{$kind};
}
note("$sum attempts in all");
ok($sum >= 580, "$sum hostile attempts");
done_testing();
