#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gallery.sh - one HTML page, on standard output, of the figures that standard input lists: a line of
# words is a heading, a line FIGURE<tab>TABLE a figure, whose caption is what its table's `#` lines
# say. The page begins with its contents and holds the figures, so it needs no other file. A figure's
# anchor is HEADING-NAME, in small letters, with hyphens for blanks: gallery.html#measured-vcycle_measured.
set -eu

text() { # what is markup in HTML, as text
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}
line() { # TABLE KEY: what its line `# KEY: ...` says
    sed -n "/^[^#]/q; s/^# $2: //p" "$1" | text
}
title() { # TABLE: what it is of
    sed -n '1s/^# [^:]*: //p' "$1" | text
}
anchor() { # HEADING
    printf '%s' "$1" | tr 'A-Z ' 'a-z-' | tr -dc 'a-z0-9-'
}

contents() {
    echo '<ul class="contents">'
    while IFS=$tab read -r figure table; do
        if [ -z "$table" ]; then
            section=$(anchor "$figure")
            printf '<li><a href="#%s"><b>%s</b></a></li>\n' "$section" "$(printf '%s' "$figure" | text)"
            continue
        fi
        name=$(basename "$figure" .svg)
        printf '<li><a href="#%s-%s">%s</a>: %s</li>\n' "$section" "$name" "$name" "$(title "$table")"
    done < "$list"
    echo '</ul>'
}

figures() {
    while IFS=$tab read -r figure table; do
        if [ -z "$table" ]; then
            section=$(anchor "$figure")
            printf '<h2 id="%s">%s</h2>\n' "$section" "$(printf '%s' "$figure" | text)"
            continue
        fi
        name=$(basename "$figure" .svg)
        what=$(title "$table")
        printf '<figure id="%s-%s">\n<img alt="%s" src="data:image/svg+xml;base64,' \
            "$section" "$name" "$(echo "$what" | tr -d '"')"
        base64 "$figure" | tr -d '\n'
        printf '">\n<figcaption><b>%s</b>: %s.<br><small>' "$name" "$what"
        for key in device model date source; do
            said=$(line "$table" $key | tr '\n' ' ')
            [ -z "$said" ] || printf '%s: %s. ' $key "${said% }"
        done
        printf '<a href="#contents">contents</a></small>\n'
        notes=$(line "$table" note | sed 's/$/<br>/')
        [ -z "$notes" ] || printf '<details><summary>notes</summary>\n%s\n</details>\n' "$notes"
        printf '</figcaption>\n</figure>\n'
    done < "$list"
}

tab=$(printf '\t')
section=figures
list=$(mktemp)
trap 'rm -f "$list"' EXIT
cat > "$list"

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
ul.contents { list-style: none; padding: 0; columns: 2 26em; font-size: 13px }
</style>
<h1 id="contents">gzmodel: all figures</h1>
<p>Each figure is drawn from the table of its name. <a href="../README.md">README.md</a>: how to build both.
<a href="../studies/README.md">studies/README.md</a>: findings of each study.</p>
END
contents
figures
echo '</html>'
