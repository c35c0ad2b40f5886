#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gallery.sh - one HTML page, on standard output, of the figures that standard input lists: a line of
# words is a heading, a line FIGURE<tab>TABLE a figure, whose caption is what its table's `#` lines
# say. The page holds the figures, so it needs no other file.
set -eu

text() { # what is markup in HTML, as text
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}
line() { # TABLE KEY: what its line `# KEY: ...` says
    sed -n "/^[^#]/q; s/^# $2: //p" "$1" | text
}

cat <<'END'
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>gzmodel: all figures</title>
<style>
body { font: 15px/1.45 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #202020 }
figure { margin: 2.5em 0; border-top: 1px solid #d0d0d0; padding-top: 1em }
img { max-width: 100%; height: auto; display: block }
figcaption { margin-top: .6em }
small, details { color: #606060 }
</style>
<h1>gzmodel: all figures</h1>
END
number=0
tab=$(printf '\t')
while IFS=$tab read -r figure table; do
    if [ -z "$table" ]; then
        printf '<h2>%s</h2>\n' "$(printf '%s' "$figure" | text)"
        continue
    fi
    number=$((number + 1))
    name=$(basename "$figure" .svg)
    what=$(sed -n '1s/^# [^:]*: //p' "$table" | text)
    printf '<figure id="figure%d">\n<img alt="%s" src="data:image/svg+xml;base64,' \
        "$number" "$(echo "$what" | tr -d '"')"
    base64 "$figure" | tr -d '\n'
    printf '">\n<figcaption><b>%s</b>: %s.<br><small>' "$name" "$what"
    for key in device model date source; do
        said=$(line "$table" $key | tr '\n' ' ')
        [ -z "$said" ] || printf '%s: %s. ' $key "${said% }"
    done
    printf '</small>\n'
    notes=$(line "$table" note | sed 's/$/<br>/')
    [ -z "$notes" ] || printf '<details><summary>notes</summary>\n%s\n</details>\n' "$notes"
    printf '</figcaption>\n</figure>\n'
done
echo '</html>'
