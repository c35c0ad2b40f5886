#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile attempts on all programs, some hundreds, counted by kind. Whatever is tried, a program ends
# by itself and not by a signal; it refuses in one line, with status 2 (1 if an output
# cannot be written, 77 if there is no such device), and leaves nothing: no output, no temporary
# file, no change in an input. What it must not do is accept nonsense without a word.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Arena qw(%count %file $place executable make_place refuses settle);
use Command qw(bulk program slurp spew);
use POSIX ();
use Test::More;

my ($build, $source) = @ENV{qw(GZ_BUILD GZ_SOURCE)};
my $gzc = program('gzc');

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
# One kernel for all, that PoCL does not optimise.
my @run = qw(-d opencl:0 -a poisson -s 8 -b 6 --loops 2 --runs 1);
$ENV{POCL_EXTRA_BUILD_FLAGS} = '-cl-opt-disable';
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
    ['input', 'gzrun', @run, qw(--input FILE)],
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
        settle();
        refuses('inputs', "$what: $kind", [2], $name, $with->('./bad'));
    }
    unlink "$place/bad";
    make_place();
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

# ----------------------------------------------------------------------- shared objects

# A whole one without a stencil in it, cut off at many lengths; and what is no file.
my ($library) = glob "$build/lib/libgzmodel.so.*.*.*";
my $object = slurp($library);
my @cuts = (0, 1, 4, 15, 16, 63, 64, 65, 120, 1000, map { int($_ * length($object) / 20) } 1 .. 15);
for my $name (qw(gzrun gz-calibrate)) {
    my @words = $name eq 'gzrun' ? @run[0, 1] : qw(-d opencl:0 --quick -o new.json);
    for my $cut (@cuts) {
        spew("$place/cut.so", substr($object, 0, $cut));
        settle();
        refuses('objects', "cut off after $cut bytes", [2], $name, [@words, qw(--stencil ./cut.so)]);
    }
    spew("$place/cut.so", "\x7fELF" . "\xff" x 4096);
    settle();
    refuses('objects', 'a header of ones', [2], $name, [@words, qw(--stencil ./cut.so)]);
    unlink "$place/cut.so";
    settle();
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
        # These measure before they write, and warn on the way where the machine does other work.
        next if $name =~ /calibrate|measure/ && $kind eq 'the full device';
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
        settle();
        refuses('resumed', "from $kind", [1, 2], $name, \@words);
        make_place();
    }
}
settle();

# --------------------------------------------------------------------- words ---------------

for my $name (qw(gz-calibrate gzmg gzmodel gzrun measure validate)) {
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
# ---------------------------------------------------------------------------- environment

refuses('environment', 'no OpenCL driver', [77], $_->[0], [qw(-d opencl:0), @$_[1 .. $#$_]],
    {OCL_ICD_VENDORS => "$place/folder"}) for ['gzrun', qw(-a hotspot)], [qw(gz-calibrate -o new.json)];

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
    'rows as long as forty sums, each of one twice' => source('int t0 = n; '
        . join('', map { "int t$_ = t@{[$_ - 1]} + t@{[$_ - 1]};" } 1 .. 40)
        . " double (*c)[t40] = (void *)a; for (i = 1; i < n; i++) b[i] = c[0][i - 1]; $swapped"),
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
        settle();
        refuses('sources', $kind, [2], 'gzc', [qw(x.c -o new.c)]);
    }
    spew("$place/x.c", $plain);
    settle();
    refuses('sources', $_, [1, 2], 'gzc', ['x.c', @{$source_words{$_}}]) for sort keys %source_words;
    unlink "$place/x.c";
    make_place();
    refuses('sources', $_, [2], 'gzc', [$_, qw(-o new.c)])
        for qw(fifo folder loop nothing.c /dev/null /dev/zero folder/../fifo -x @x), '', "a\nb", 'x' x 5000;
}

my $sum = 0;
for my $kind (sort keys %count) {
    note(sprintf '%4d attempts: %s', $count{$kind}, $kind);
    $sum += $count{$kind};
}
note("$sum attempts in all");
ok($sum >= 540, "$sum hostile attempts");
done_testing();
