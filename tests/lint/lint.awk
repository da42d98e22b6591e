# The rules that neither the compiler nor clang-format checks, file by file:
#   - base <- chess <- eval <- search <- book <- engine: an include names its own layer or one below it, as
#     "layer/name.h"; the tests of a layer see what the layer sees; nothing includes a program
#     (book/makebook, eval/train, chess/eco) but that program itself;
#   - no call of a banned function; no volatile;
#   - libraries never print, exit or abort; base, which programs print with, may;
#   - no tab, no trailing space, no line over 100 columns where clang-format may break it, no note to
#     oneself; no default of an option in its help by hand.
# Comments, strings and character constants are blanked before calls are looked for.

function fault(text)
{
    printf "%s:%d: %s\n", FILENAME, FNR, text
    faults++
}

# The rank of the layer that a path below the root belongs to; 0 for none.
function rank_of(path, part)
{
    split(path, part, "/")
    return (part[1] in rank) ? rank[part[1]] : 0
}

function enter_file(part)
{
    in_comment = 0
    table = 0 # between clang-format off and on
    c_file = FILENAME ~ /\.[ch]$/
    program = ""
    if (match(FILENAME, /^(book\/makebook|eval\/train|chess\/eco)\//))
        program = substr(FILENAME, 1, RLENGTH)
    split(FILENAME, part, "/")
    in_tests = part[1] == "tests"
    # Outside the folders of a layer, tests may see every layer.
    own_rank = in_tests ? ((part[3] in rank) ? rank[part[3]] : rank["train"]) : rank_of(FILENAME)
    if (program == "eval/train/")
        own_rank = rank["train"] # it makes networks with all that is there
    library = !in_tests && program == "" && own_rank > rank["base"] && own_rank < rank["engine"]
}

function check_include(line, path)
{
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
        return
    path = line
    sub(/^[^"]*"/, "", path)
    sub(/".*$/, "", path)
    if (path ~ /\.\.\//)
        fault("include climbs out of its folder: " path)
    else if (rank_of(path) == 0) {
        if (!in_tests)
            fault("include is not \"layer/name.h\": " path)
    } else if (rank_of(path) > own_rank)
        fault("include of a layer above: " path)
    else if (match(path, /^(book\/makebook|eval\/train|chess\/eco)\//) && !in_tests &&
             substr(path, 1, RLENGTH) != program)
        fault("include of a program's header: " path)
}

# The line without comments, strings and character constants.
function code_of(line, out, c)
{
    out = ""
    while (line != "") {
        if (in_comment) {
            if (!match(line, /\*\//))
                return out
            line = substr(line, RSTART + 2)
            in_comment = 0
        } else if (!match(line, /\/\*|\/\/|["']/)) {
            return out line
        } else {
            out = out substr(line, 1, RSTART - 1)
            c = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (c == "//")
                return out
            if (c == "/*")
                in_comment = 1
            else if (c == "\"")
                line = match(line, /^([^"\\]|\\.)*"/) ? substr(line, RLENGTH + 1) : ""
            else
                line = match(line, /^([^'\\]|\\.)*'/) ? substr(line, RLENGTH + 1) : ""
            out = out " "
        }
    }
    return out
}

function check_code(code, name)
{
    if (match(code, banned)) {
        name = substr(code, RSTART, RLENGTH)
        gsub(/[^A-Za-z_]/, "", name)
        fault("banned function: " name)
    }
    if (code ~ /(^|[^A-Za-z0-9_])volatile([^A-Za-z0-9_]|$)/)
        fault("volatile: shared fields are atomic or under a mutex")
    if (library && match(code, loud)) {
        name = substr(code, RSTART, RLENGTH)
        gsub(/[^A-Za-z_]/, "", name)
        fault("a library neither prints nor ends the program: " name)
    }
}

BEGIN {
    count = split("base chess eval search book engine train", names, " ")
    for (i = 1; i <= count; i++)
        rank[names[i]] = i
    banned = "(^|[^A-Za-z0-9_])(atoi|atol|atoll|atof|strtok|v?sprintf|strcpy|strcat|gets|alloca|" \
             "_?setjmp|_?longjmp|sigsetjmp|siglongjmp|s?rand)[ \t]*\\("
    loud = "(^|[^A-Za-z0-9_])((v?printf|puts|putchar|perror|_?exit|_Exit|abort)[ \t]*\\(|" \
           "stdout|stderr)"
}

FNR == 1 {
    enter_file()
}

{
    sub(/\r$/, " ")
    if (index($0, "\t"))
        fault("tab")
    if ($0 ~ / $/)
        fault("trailing space")
    columns = $0
    gsub(/[\200-\277]/, "", columns) # the later bytes of a UTF-8 character
    if ($0 ~ /clang-format (on|off)/)
        table = $0 ~ /clang-format off/
    if (length(columns) > 100 && !table)
        fault("line of " length(columns) " columns")
}

c_file {
    if ($0 ~ /(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)/)
        fault("note to oneself: finish it or file it")
    if (FILENAME ~ /^(book|engine)\// && $0 ~ /\([0-9]+\)",/)
        fault("a default by hand: USUAL() of the row says it")
    check_include($0)
    check_code(code_of($0))
}

END {
    exit faults > 0
}
