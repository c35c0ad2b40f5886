#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON Schemas agree with the reader: both accept the built-in files and their harmless variants,
# and both refuse the bad ones, but for what a schema cannot express.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use BadFiles qw(bad_files good_files place);
use Command qw(run slurp);
use JSON::PP;
use Test::More;

if (!eval { require JSON::Validator; 1 }) {
    die "JSON::Validator is missing\n" if $ENV{GZ_NO_SKIP};
    plan skip_all => 'JSON::Validator is missing (libjson-validator-perl)';
}

my $source = $ENV{GZ_SOURCE};
my %text = (device => (run(qw(list -d gtx280)))[1], app => slurp("$ENV{GZ_SOURCE}/libgzmodel/data/apps/hotspot.json"),
    network => slurp("$source/libgzmodel/data/networks/nvlink-4.json"));
my $json = JSON::PP->new->utf8;
my %validator;
for my $kind (qw(device app network)) {
    my $schema = $json->decode(slurp("$source/libgzmodel/schema/$kind.schema.json"));
    is($schema->{'$schema'}, 'http://json-schema.org/draft-07/schema#', "$kind: draft-07");
    $validator{$kind} = JSON::Validator->new->schema($schema);
    is(ref $validator{$kind}->schema, "JSON::Validator::Schema::Draft7", "$kind: read as such");
}

# What the schema says against a text; JSON that does not parse is refused too.
sub complaints {
    my ($kind, $text) = @_;
    my $value = eval { $json->decode($text) };
    return "no JSON: $@" if $@;
    return join '; ', $validator{$kind}->validate($value);
}

for my $kind (qw(device app network)) {
    my $folder = "$source/libgzmodel/data/devices/generic-gpu";
    for my $path (glob("$source/libgzmodel/data/${kind}s/*.json"), grep { m{/device\.json$} == ($kind eq 'device') }
        $kind eq 'network' ? () : glob "$folder/*.json") {
        is(complaints($kind, slurp($path)), '', "$kind: " . $path =~ s{.*/}{}r);
    }
}
for my $entry (good_files()) {
    is(complaints($entry->{kind}, (place($entry, \%text))[0]), '', "$entry->{kind}: $entry->{what}");
}
for my $entry (bad_files()) {
    my $complaints = complaints($entry->{kind}, (place($entry, \%text))[0]);
    if ($entry->{schema} // 1) {
        isnt($complaints, '', "$entry->{kind}: refused: $entry->{what}");
    } else {
        is($complaints, '', "$entry->{kind}: beyond a schema: $entry->{what}");
    }
}
done_testing();
