# Prints what documents refer to, one reference a line: "DOCUMENT:LINE kind item ...".
#   link PATH             a relative link of Markdown, seen from the document's folder
#   path PATH             `search/node.c` in backticks, seen from the root
#   param NAME            `RFP_BASE` in backticks: perhaps a number of the search
#   names NAME PATH..     `name()` in a row of a table that names files: one of them must hold it
#   wide COLUMNS          a line over 100 columns that could be broken
# Fenced blocks and indented ones are passed over; placeholders in capitals are no names.

function references(line, row, item, rest, paths, names, count, i)
{
    rest = line
    while (match(rest, /\]\([^)]*\)/)) {
        item = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/#.*$/, "", item)
        if (item != "" && item !~ /^[a-z]+:/)
            print FILENAME ":" FNR, "link", item
    }
    rest = line
    while (match(rest, /`[^`]*`/)) {
        item = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        if (item !~ /[A-Z][A-Z]/ && item ~ /^(base|chess|eval|search|book|engine|tests|docs|books|cmake)\/[A-Za-z0-9_.*\/-]*$/) {
            print FILENAME ":" FNR, "path", item
            paths = paths " " item
        } else if (item ~ /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/)
            print FILENAME ":" FNR, "param", item
        else if (item ~ /^[a-z_0-9]+\(\)$/)
            names[++count] = substr(item, 1, length(item) - 2)
    }
    for (i = 1; row && paths != "" && i <= count; i++)
        print FILENAME ":" FNR, "names", names[i] paths
}

FNR == 1 {
    fenced = 0
}

/^```/ {
    fenced = !fenced
    next
}

!fenced && !/^(    |\||!\[)/ {
    columns = $0
    gsub(/[\200-\277]/, "", columns) # the later bytes of a UTF-8 character
    if (length(columns) > 100 && columns ~ /[^ ] +[^ ]+ +[^ ]/)
        print FILENAME ":" FNR, "wide", length(columns)
}

!fenced && !/^    / {
    references($0, /^\|/)
}
