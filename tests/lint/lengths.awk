# Reads sources and reports
#   - functions of more than 60 lines, from the opening to the closing brace;
#   - files of more than 800 lines whose first comment does not give a reason: it must say
#     "long because ...", "... is long" or "Over 800 lines: ...".
# clang-format puts the opening brace of a function, and nothing else, into the first column.

function fault(file, line, text)
{
    printf "%s:%d: %s\n", file, line, text
    faults++
}

function end_file()
{
    if (lines > file_max && comment !~ /long because [^ ]|[^ ] is long|[Oo]ver 800 lines: [^ ]/)
        fault(file, lines, "file of " lines " lines: its first comment must say \"long because ...\"")
}

BEGIN {
    function_max = 60
    file_max = 800
}

FNR == 1 {
    if (file != "")
        end_file()
    file = FILENAME
    comment = ""
    in_comment = /^\/\*/
    start = 0
}

in_comment {
    text = $0
    gsub(/[ \t*\/]+/, " ", text)
    comment = comment text
    if (/\*\//)
        in_comment = 0
}

/^\{/ {
    start = FNR
}

/^\}/ && start {
    if (FNR - start + 1 > function_max)
        fault(FILENAME, start, "function of " (FNR - start + 1) " lines")
    start = 0
}

{
    lines = FNR
}

END {
    if (file != "")
        end_file()
    if (!faults)
        print "no function over " function_max " lines, no file over " file_max " without a reason"
    exit faults > 0
}
