#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages name every command, function and quantity, and the example of libgzmodel(3) compiles and runs. That
# they are clean and have every option is 265's.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(run slurp spew scratch);
use JSON::PP;
use Test::More;

my ($source, $build) = @ENV{qw(GZ_SOURCE GZ_BUILD)};
my %page = map { m{([^/]+)\z} => slurp($_) } glob "$source/libgzmodel/man/*.[0-9]";
is(join(' ', sort keys %page), 'gzmodel-files.5 gzmodel.1 gzmodel.7 libgzmodel.3', 'the pages');

my $help = (run('--help'))[1];
for my $command ($help =~ /^(?:Usage:|      ) gzmodel (\w+)/mg) {
    like($page{'gzmodel.1'}, qr/^\.It Cm $command$/m, "gzmodel(1) describes $command");
}

my $header = join '', map { slurp($_) } glob "$source/libgzmodel/gzmodel.h $source/libgzmodel/gzmodel/*.h";
my @functions = $header =~ /^GZ_API [\w ]+?[ *](gz_\w+)\(/mg;
cmp_ok(scalar @functions, '>=', 30, 'functions in the headers');
for my $function (@functions) {
    like($page{'libgzmodel.3'}, qr/^\.Fn .*\b$function\b/m, "libgzmodel(3) names $function");
}

for my $kind (qw(device app)) {
    my $schema = decode_json(slurp("$source/libgzmodel/schema/$kind.schema.json"));
    my $top = $schema->{properties};
    my @keys = (keys %$top, keys %{$top->{profile}{properties} // {}});
    like($page{'gzmodel-files.5'}, qr/^\.It Li $_$/m, "gzmodel-files(5) describes $_") for sort @keys;
}

my $path = "$source/libgzmodel/example/height.c";
my $compiler = $ENV{CC} // 'cc';
my $sanitize = $ENV{SANITIZE} ? "-fsanitize=$ENV{SANITIZE}" : '';
my $program = scratch('example');
is(`$compiler -std=c11 -Wall -Wextra -Werror $sanitize -I$source/libgzmodel -o $program $path \\
    $build/lib/libgzmodel.a -lgsl -lgslcblas -ljansson -lm 2>&1`, '', 'the example compiles');
is(`$program`, "height 2, 0.00274414 s per loop\n", 'and gives what libgzmodel/README.md says');

my ($app) = $page{'gzmodel-files.5'} =~ /^\.Sh EXAMPLES\n.*?\.Bd -literal\n(.*?)^\.Ed/ms;
my $file = spew(scratch('app.json'), $app);
is((run('predict', '-d', 'gtx280', '-a', $file, qw(-s 2000 -b 20 -H 2)))[0], 0,
    'the example of gzmodel-files(5) is valid');
done_testing();
