# SPDX-License-Identifier: GPL-3.0-or-later
# Device, application and network files that must be refused, and others that must be accepted: edits of the
# built-in GTX 280, HotSpot and NVLink 4. The tests of the reader and of the schemas share them.
package BadFiles;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(bad_files good_files place);

# An entry: what it is, a pattern and what replaces its first match ($1 is its first group), and for
# a bad file a pattern of the message. <!> marks the character that the message's line and column
# must name: the wrong value; the object that lacks something; the unknown key; or, of a token that
# JSON does not allow there, its last character. `schema => 0`: a schema cannot express it.
sub device { return entry(q(device), @_) }
sub app    { return entry('app', @_) }
sub network { return entry('network', @_) }

sub entry {
    my ($kind, $what, $from, $to, $like, %more) = @_;
    return {kind => $kind, what => $what, from => $from, to => $to, like => $like, schema => 1, %more};
}

# All of the text.
my $all = qr/\A.*\z/s;

sub syntax {
    return (
        device('an empty file', $all, '<!>', qr/expected near end of file/),
        device('no JSON', $all, 'cloc<!>k_rate = 1', qr/'\[' or '\{' expected/),
        device('a byte-order mark', qr{\A}, "<!>\xEF\xBB\xBF", qr{byte-order mark}),
        device('an array', $all, '<!>[]', qr/must be a JSON object/),
        device('a number', $all, '<!>1', qr/'\[' or '\{' expected/),
        device('half a file', qr/\A(.*"vendor")(\}).*\z/s, '$1<!>}', qr/expected near end of file/),
        device('text after the object', qr/\}\s*\z/, '} <!>x', qr/end of file expected/),
        device('a comma too many', qr/\}\s*\}\s*\z/, "},\n<!>}", qr/string or .\}. expected near '\}'/),
        device('NaN', qr/1\.3e9/, 'Na<!>N', qr/invalid token near 'NaN'/),
        device('Infinity', qr/1\.3e9/, 'Infinit<!>y', qr/invalid token near 'Infinity'/),
        device('a number beyond doubles', qr/1\.3e9/, '1e40<!>0', qr/overflow/),
        device('bytes that are not UTF-8', qr/"GeForce/, qq(<!>"\xff), qr/decode byte 0xff/),
        device('a NUL in a string', qr/GTX 280"/, '\u0000<!>"', qr/\\u0000/, schema => 0),
        device('a duplicate key', qr/(?="cpi":)/,
            '"clock_rate<!>": {"value": 1, "unit": "Hz", "origin": "paper"}, ',
            qr/duplicate object key near '"clock_rate"'/, schema => 0),
        app('a duplicate key in the profile', qr/(?="bank_conf)/, '"elements<!>": 5, ',
            qr/duplicate object key near '"elements"'/, schema => 0),
    );
}

sub keys_and_missing {
    return (
        device('an unknown key', qr/(?="cpi":)/, '<!>"cip": 4, ', qr/unknown key "cip"/),
        device('an unknown key with an escape', qr/(?="cpi":)/, '<!>"c\nm": 4, ',
            qr/unknown key "c\?m"/),
        device('an unknown key in a quantity', qr/(?="unit": "Hz")/, '<!>"uint": "Hz", ',
            qr/unknown key "uint" in clock_rate/),
        app('an unknown key', qr/(?="profile":)/, '<!>"radius": 1, ', qr/unknown key "radius"/),
        app('an unknown key in the profile', qr/(?="elements":)/, '<!>"n": 1, ',
            qr/unknown key "n" in profile/),
        app('a key of the profile outside', qr/(?="profile":)/, '<!>"insts_per_sm_misc": 1, ',
            qr/unknown key "insts_per_sm_misc"/),

        (map { device("no $_", qr/\A\{(.*?)"$_": *\{[^}]*\},/s, '<!>{$1',
                   qr/quantity $_ \([^)]+\) is missing/) }
            qw(clock_rate mem_bandwidth uncontended_latency sm_count blocks_per_sm cpi
               launch_overhead fence_overhead fence_exposure latency_hiding dimension_penalty
               max_threads_per_block)),
        device('no name', qr/\A\{(.*?)"name": "[^"]*",/s, '<!>{$1', qr/name must be a string/),
        device('no schema', qr/\A\{\s*"schema": "[^"]*",/, '<!>{',
            qr/schema must be "gzmodel-device-1"/),
        device('no value', qr/\{"value": 1\.3e9,/, '<!>{', qr/clock_rate must be a number, greater/),
        device('no unit', qr/\{("value": 1\.3e9), *"unit": "Hz"/, '<!>{$1',
            qr/unit of clock_rate is missing: must be "Hz"/),
        device('no origin', qr/\{("value": 1\.3e9, *"unit": "Hz"), *"origin": "vendor"/, '<!>{$1',
            qr/origin of clock_rate must be one of paper, vendor/),
        app('no halo_width', qr/\A\{(.*?)"halo_width": [^]]*\],/s, '<!>{$1',
            qr/halo_width must be an array of 1 to 3/),
        app('no profile', qr/\A\{(.*),\s*"profile": \{.*?\}/s, '<!>{$1',
            qr/profile must be an object/),
        app('no element_size', qr/\A\{(.*?)"element_size": [^}]*\},/s, '<!>{$1',
            qr/quantity element_size is missing/),
        (map { app("no $_", qr/\A\{(.*?)"$_": \d+,/s, '<!>{$1', qr/quantity $_ is missing/) }
            qw(stencil_arrays elements_per_op)),
        (map { app("no $_", qr/(?<="profile": )\{(.*?)"$_": \d+,/s, '<!>{$1',
                   qr/quantity $_ is missing/) }
            qw(elements insts_per_sm_misc insts_per_sm_iter)),
        app('no bank_conflict_rate', qr/(?<="profile": )\{(.*?),\s*"bank_conflict_rate": \d+/s,
            '<!>{$1', qr/quantity bank_conflict_rate is missing/),
    );
}

sub types {
    return (
        device('another schema', qr/"gzmodel-device-1"/, '<!>"gzmodel-app-1"',
            qr/schema must be "gzmodel-device-1"/),
        app('another schema', qr/"gzmodel-app-1"/, '<!>"gzmodel-device-1"',
            qr/schema must be "gzmodel-app-1"/),
        device('an empty name', qr/"GeForce GTX 280"/, '<!>""', qr/a string of 1 to 63 bytes/),
        device('a name of 64 bytes', qr/"GeForce GTX 280"/, '<!>"' . 'x' x 64 . '"',
            qr/a string of 1 to 63 bytes/),
        device('a name of 32 characters and 64 bytes', qr/"GeForce GTX 280"/,
            '<!>"' . "\xc3\xa9" x 32 . '"', qr/a string of 1 to 63 bytes/, schema => 0),
        device('a name that is a number', qr/"GeForce GTX 280"/, '<!>280', qr/must be a string/),
        device('a plain number', qr/\{"value": 1\.3e9.*?\}/, '<!>1.3e9',
            qr/clock_rate must be an object with value, unit and origin/),
        device('a value in quotes', qr/1\.3e9/, '<!>"1.3e9"', qr/clock_rate must be a number/),
        device('null', qr/1\.3e9/, '<!>null', qr/clock_rate must be a number/),
        device('another unit', qr/"Hz"/, '<!>"MHz"', qr/clock_rate is "MHz": must be "Hz"/),
        device('another origin', qr/"vendor"/, '<!>"hearsay"', qr/origin of clock_rate must be one/),
        device('a note that is a number', qr/"vendor"/, '"vendor", "note": <!>1',
            qr/note of clock_rate must be a string/),
        device('a standard deviation in quotes', qr/"vendor"/, '"vendor", "sd": <!>"1"',
            qr/sd of clock_rate must be a number, at least 0/),
        app('no dimension', qr/\[2, 2\]/, '<!>[]', qr/halo_width must be an array/),
        app('four dimensions', qr/\[2, 2\]/, '<!>[2, 2, 2, 2]', qr/halo_width must be an array/),
        app('a halo in quotes', qr/\[2, 2\]/, '<!>["2", 2]', qr/halo_width must be a number/),
        app('an element size without unit', qr/\{"value": 4, "unit": "B"\}/, '<!>4',
            qr/element_size must be an object with value, unit/),
        app('another unit in the profile', qr/250000/, '{"value": 250000, "unit": <!>"B"}',
            qr/unit of elements is "B": must be "1"/),
        app('an unknown key in the profile\'s quantity', qr/250000/,
            '{"value": 250000, "unit": "1", <!>"x": 1}', qr/unknown key "x" in elements/),
        app('a profile that is a number', qr/\{\s*"device".*?\}/s, '<!>1',
            qr/profile must be an object/),
    );
}

# Quantities that must be in a range, each with some values beyond it.
sub beyond {
    my ($kind, $range, $values, @keys) = @_;
    return map { my $key = $_; map {
        entry($kind, "$key of $_", qr/("$key": *(?:\{"value": )?)[-+.e0-9]+/, "\$1<!>$_", qr/\b$key is [^ ]+: must be $range/)
    } @$values } @keys;
}

sub ranges {
    return (
        beyond('device', 'greater than 0', [qw(0 -1 1e-400)], qw(clock_rate mem_bandwidth cpi dimension_penalty)),
        beyond('device', 'at least 0', [qw(-0.5)], qw(uncontended_latency launch_overhead fence_overhead)),
        beyond('device', 'at least 0 and at most 1', [qw(1.1 -0.1)], qw(fence_exposure latency_hiding)),
        beyond('device', 'a whole number at least 1 and at most 1e\+09', [qw(30.5 0 1e10)], qw(sm_count blocks_per_sm)),
        beyond('device', 'a whole number', [qw(0 0.5)], qw(max_threads_per_block shared_mem_per_block)),
        device('a negative graph overhead', qr/(?="cpi":)/,
            '"graph_overhead": {"value": <!>-1, "unit": "cycle", "origin": "default"}, ',
            qr/graph_overhead is -1: must be at least 0/),
        device('a negative standard deviation', qr/"vendor"/, '"vendor", "sd": <!>-1',
            qr/sd of clock_rate must be a number, at least 0/),
        app('a halo of 0 everywhere', qr/\[2, 2\]/, '<!>[0, 0]', qr/is 0 in every dimension/),
        app('a negative halo', qr/\[2, 2\]/, '<!>[2, -2]', qr/halo_width is -2: must be a whole/),
        app('half a halo', qr/\[2, 2\]/, '<!>[2.5, 2]', qr/halo_width is 2\.5: must be a whole/),
        app('a halo too wide', qr/\[2, 2\]/, '<!>[2000000, 2]', qr/is 2000000: must be .* at most/),
        beyond('app', '', [qw(0 1.5)], qw(element_size stencil_arrays)),
        beyond('app', '(a whole number )?at least 0', [qw(-1)], qw(elements_per_op insts_per_sm_misc insts_per_sm_iter bank_conflict_rate)),
        beyond('app', 'a whole number at least 1', [qw(0)], 'elements'),
        app('the same as a quantity', qr/250000/, '{"value": <!>0, "unit": "1"}',
            qr/elements is 0: must be a whole number at least 1/),
    );
}

sub networks {
    return (
        network('another schema', qr/"gzmodel-network-1"/, '<!>"gzmodel-device-1"', qr/schema must be "gzmodel-network-1"/),
        network('an unknown key', qr/(?="latency")/, '<!>"lag": 1, ', qr/unknown key "lag"/),
        network('no bandwidth', qr/\A(.*),\s*"bandwidth": \{[^}]*\}/s, '<!>$1',
            qr{bandwidth \(B/s\) is missing}),
        network('a plain number', qr/\{"value": 45[^}]*\}/, '<!>450e9', qr/bandwidth must be an object/),
        network('another unit', qr{"B/s"}, '<!>"GB/s"', qr{bandwidth is "GB/s": must be "B/s"}),
        network('a bandwidth of 0', qr/450000000000/, '<!>0', qr/bandwidth is 0: must be greater than 0/),
        network('a negative latency', qr/2e-06/, '<!>-1', qr/latency is -1: must be at least 0/),
        network('another origin', qr/"vendor"/, '<!>"hearsay"', qr/origin of bandwidth must be one/),
    );
}

sub bad_files { return (syntax(), keys_and_missing(), types(), ranges(), networks()) }

sub good_files {
    return (
        device('the GTX 280', qr/\A/, ''),
        device('no shared memory stated', qr/,\s*"shared_mem_per_block":[^}]*\}/, ''),
        device('a graph overhead with deviation and note', qr/(?="cpi":)/,
            '"graph_overhead": {"value": 1300.5, "unit": "cycle", "origin": "measured",' .
            ' "sd": 12.5, "note": "median of 100"}, '),
        device('a launch of no time', qr/3350/, '0'),
        device('a mu of 0', qr/("fence_exposure": *\{"value": )0\.5/, q($1) . 0),
        device('a count written with an exponent', qr/512/, '5.12e2'),
        device('an integer beyond 64 bits', qr/1\.3e9/, '99999999999999999999'),
        device('a name of 63 bytes', qr/GeForce GTX 280/, 'x' x 63),
        app('HotSpot', qr/\A/, ''),
        app('one dimension', qr/\[2, 2\]/, '[1]'),
        app('a dimension without halo', qr/\[2, 2\]/, '[0, 1000000]'),
        app('a quantity in place of a number', qr/(?<="elements_per_op": )0/,
            '{"value": 0, "unit": "1", "origin": "counted", "sd": 0}'),
        app('a fractional average with deviation', qr/13488/,
            '{"value": 13488.25, "unit": "1", "sd": 3, "note": "x"}'),
    );
}

# The text of an entry, from those of the built-in files by kind, and the marker's place,
# "line:column" (undef if there is none).
sub place {
    my ($entry, $texts) = @_;
    my $text = $texts->{$entry->{kind}};
    my $to = $entry->{to};
    $text =~ s{$entry->{from}}{my $part = $1 // ''; $to =~ s/\$1/$part/r}e
        or die "$entry->{what}: nothing to edit\n";
    my $at = index $text, '<!>';
    return ($text, undef) if $at < 0;
    substr($text, $at, 3) = '';
    my $before = substr $text, 0, $at;
    my $line = 1 + ($before =~ tr/\n//);
    $before =~ s/\A.*\n//s;
    return ($text, "$line:" . (1 + length $before));
}

1;
