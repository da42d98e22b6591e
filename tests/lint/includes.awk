# Reads every source of the layers and reports
#   - circles of includes among files: a header, its source and its `_internal.h` are one unit;
#   - circles of calls among files: a function that one file defines is called by another. Includes
#     do not show them where a header declares functions of several sources;
#   - circles among folders: every folder is a node, a sub-folder is another one;
#   - arrows between folders that are not those drawn between the marks of a page;
#   - tags of structs, unions and enums that are defined twice: a tag means one thing in the whole tree.
# Variable: page (path of that page).
# A circle is printed as "a -> b -> a". Of circles that share members one is printed: the shortest
# through their first member.

# The unit that a file belongs to.
function unit_of(path)
{
    sub(/\.[ch]$/, "", path)
    sub(/_internal$/, "", path)
    return path
}

function folder_of(path)
{
    sub(/\/[^\/]*$/, "", path)
    return path
}

# graph["kind", n, 1 .. edges[kind, n]]: the nodes that n points to.
function add_edge(kind, from, to)
{
    add_node(kind, from)
    add_node(kind, to)
    if (from == to || ((kind, from, to) in known))
        return
    known[kind, from, to] = FILENAME ":" FNR
    graph[kind, from, ++edges[kind, from]] = to
}

function add_node(kind, name)
{
    if ((kind, name) in edges)
        return
    edges[kind, name] = 0
    nodes[kind, ++node_count[kind]] = name
}

# Tarjan's strongly connected components: part[kind, n] is the component of n.
function visit(kind, n, i, to)
{
    order[kind, n] = low[kind, n] = ++clock
    stack[++stacked] = n
    on_stack[kind, n] = 1
    for (i = 1; i <= edges[kind, n]; i++) {
        to = graph[kind, n, i]
        if (!((kind, to) in order)) {
            visit(kind, to)
            if (low[kind, to] < low[kind, n])
                low[kind, n] = low[kind, to]
        } else if (on_stack[kind, to] && order[kind, to] < low[kind, n])
            low[kind, n] = order[kind, to]
    }
    if (low[kind, n] != order[kind, n])
        return
    components++
    do {
        to = stack[stacked--]
        on_stack[kind, to] = 0
        part[kind, to] = components
        members[components]++
    } while (to != n)
}

# The shortest way from `start` back to itself, by breadth-first search.
function circle_through(kind, start, queue, came, head, tail, n, i, to, text)
{
    split("", queue)
    split("", came)
    queue[tail = 1] = start
    for (head = 1; head <= tail; head++) {
        n = queue[head]
        for (i = 1; i <= edges[kind, n]; i++) {
            to = graph[kind, n, i]
            if (to == start) {
                text = start
                for (to = n; to != start; to = came[to])
                    text = to " -> " text
                return start " -> " text
            }
            if (part[kind, to] == part[kind, start] && !(to in came)) {
                came[to] = n
                queue[++tail] = to
            }
        }
    }
    return start
}

# A folder's circle needs the places of its includes: the names alone do not tell them.
function print_places(circle, names, count, i)
{
    count = split(circle, names, " -> ")
    for (i = 1; i < count; i++)
        printf "    %s: %s -> %s\n", known["folder", names[i], names[i + 1]], names[i], names[i + 1]
}

function print_circles(kind, i, n, said, circle)
{
    for (i = 1; i <= node_count[kind]; i++)
        if (!((kind, nodes[kind, i]) in order))
            visit(kind, nodes[kind, i])
    for (i = 1; i <= node_count[kind]; i++) {
        n = nodes[kind, i]
        if (members[part[kind, n]] < 2 || (part[kind, n] in said))
            continue
        said[part[kind, n]] = 1
        circle = circle_through(kind, n)
        printf "circle of %ss: %s\n", kind, circle
        if (kind == "folder")
            print_places(circle)
        faults++
    }
}

# In the order of the layers, each layer's folders by name.
function before(a, b, x, y)
{
    x = rank[substr(a, 1, index(a "/", "/") - 1)]
    y = rank[substr(b, 1, index(b "/", "/") - 1)]
    return x != y ? x < y : a < b
}

function sort(list, count, i, j, item)
{
    for (i = 2; i <= count; i++) {
        item = list[i]
        for (j = i - 1; j > 0 && before(item, list[j]); j--)
            list[j + 1] = list[j]
        list[j + 1] = item
    }
}

# The lines that the page should hold, in arrows[1 .. count].
function list_arrows(count, i, j, n, names, targets, line)
{
    count = node_count["folder"]
    for (i = 1; i <= count; i++)
        names[i] = nodes["folder", i]
    sort(names, count)
    for (i = 1; i <= count; i++) {
        n = names[i]
        split("", targets)
        for (j = 1; j <= edges["folder", n]; j++)
            targets[j] = graph["folder", n, j]
        sort(targets, edges["folder", n])
        line = n " ->"
        for (j = 1; j <= edges["folder", n]; j++)
            line = line " " targets[j]
        arrows[i] = line
    }
    return count
}

# The lines between the marks of the page, in drawn[]; a line that begins with a blank continues the
# one before it.
function read_page(line, inside, count, i)
{
    while ((getline line <page) > 0) {
        sub(/[ \t\r]+$/, "", line)
        if (line == "<!-- end of arrows -->")
            inside = 0
        if (inside && line ~ /^ /) {
            sub(/^ +/, " ", line)
            lines[count] = lines[count] line
        } else if (inside && line ~ /->/)
            lines[++count] = line
        if (line == "<!-- arrows -->")
            inside = 1
    }
    close(page)
    for (i = 1; i <= count; i++)
        drawn[lines[i]] = 1
    return count
}

# Prints a line in at most 100 columns.
function print_wrapped(line, words, count, i, column)
{
    count = split(line, words, " ")
    for (i = 1; i <= count; i++) {
        if (column && column + 1 + length(words[i]) > 100) {
            printf "\n   "
            column = 3
        }
        printf "%s%s", column ? " " : "", words[i]
        column += (column > 0) + length(words[i])
    }
    print ""
}

# Names each line of the page that is wrong, then the whole block.
function check_page(count, read, i, wanted, wrong)
{
    count = list_arrows()
    for (i = 1; i <= count; i++)
        wanted[arrows[i]] = 1
    read = read_page()
    for (i = 1; i <= read; i++)
        if (!(lines[i] in wanted)) {
            printf "%s: drawn, but not so: %s\n", page, lines[i]
            wrong++
        }
    for (i = 1; i <= count; i++)
        if (!(arrows[i] in drawn)) {
            printf "%s: not drawn: %s\n", page, arrows[i]
            wrong++
        }
    if (!wrong)
        return
    printf "%s: this block should stand there:\n<!-- arrows -->\n```text\n", page
    for (i = 1; i <= count; i++)
        print_wrapped(arrows[i])
    print "```\n<!-- end of arrows -->"
    faults += wrong
}

BEGIN {
    count = split("base chess eval search book engine", names, " ")
    for (i = 1; i <= count; i++)
        rank[names[i]] = i
}

FNR == 1 {
    add_node("file", unit_of(FILENAME))
    add_node("folder", folder_of(FILENAME))
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    path = $0
    sub(/^[^"]*"/, "", path)
    sub(/".*$/, "", path)
    if (!(substr(path, 1, index(path "/", "/") - 1) in rank))
        next # lint.awk refuses it
    add_edge("file", unit_of(FILENAME), unit_of(path))
    add_edge("folder", folder_of(FILENAME), folder_of(path))
}

# The text of a line without strings and comments. Comments may go on over lines.
function code_of(line, at)
{
    if (in_comment) {
        if (!(at = index(line, "*/")))
            return ""
        line = substr(line, at + 2)
        in_comment = 0
    }
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    while (at = index(line, "/*")) {
        if (!match(substr(line, at), /\*\//)) {
            in_comment = 1
            return substr(line, 1, at - 1)
        }
        line = substr(line, 1, at - 1) " " substr(line, at + RSTART + 1)
    }
    return line
}

FNR == 1 { in_comment = 0 }

# A function begins at the left margin, what it calls is indented.
{
    line = code_of($0)
    if (line ~ /^[a-z][A-Za-z0-9_ *]*\(/ && line !~ /;[ \t]*$/ && FILENAME ~ /\.c$/) {
        name = substr(line, 1, index(line, "(") - 1)
        sub(/^.*[ *]/, "", name)
        if (line ~ /^static/)
            own[unit_of(FILENAME), name] = 1
        else if (!(name in definer))
            definer[name] = unit_of(FILENAME)
    }
    while (line ~ /^[ \t]/ && match(line, /[^A-Za-z0-9_.>][a-z][A-Za-z0-9_]*\(/)) {
        name = substr(line, RSTART + 1, RLENGTH - 2)
        line = " " substr(line, RSTART + RLENGTH)
        if (!((unit_of(FILENAME), name) in calls)) {
            calls[unit_of(FILENAME), name] = FILENAME ":" FNR
            callers[++caller_count] = unit_of(FILENAME)
            callees[caller_count] = name
        }
    }
}

# What base/posix and base/windows each define is one thing.
function twin_of(path)
{
    sub(/\/(posix|windows)\//, "/", path)
    return path
}

match($0, /^[ \t]*(static |const |typedef )*(struct|union|enum) [A-Za-z0-9_]+ \{/) {
    tag = substr($0, 1, RSTART + RLENGTH - 3)
    sub(/^.* /, "", tag)
    if (!(tag in tags)) {
        tags[tag] = FILENAME ":" FNR
        tagger[tag] = twin_of(FILENAME)
    } else if (tagger[tag] != twin_of(FILENAME)) {
        printf "%s:%d: tag %s means something else in %s\n", FILENAME, FNR, tag, tags[tag]
        faults++
    }
}

function add_calls(i, name)
{
    for (i = 1; i <= caller_count; i++) {
        name = callees[i]
        if (name in definer && !((callers[i], name) in own))
            add_edge("call", callers[i], definer[name])
    }
}

END {
    add_calls()
    print_circles("call")
    print_circles("file")
    print_circles("folder")
    check_page()
    if (!faults)
        printf "%d files in %d folders, no circle by includes or calls, arrows as drawn, each tag once\n", node_count["file"], node_count["folder"]
    exit faults > 0
}
