#compdef caxton makebook
# Completion for caxton and makebook. The program itself says which words it knows: `--help=words`
# prints lines "WORD<tab>VALUES<tab>HELP" (VALUES: - none, ? any, else a|b|c).
local program=$words[1] before=$words[CURRENT-1] word values help
local -a known rows
(( CURRENT == 2 )) || known=($words[2])
while IFS= read -r word; do
    values=${${word#*$'\t'}%%$'\t'*}
    help=${word##*$'\t'}
    word=${word%%$'\t'*}
    if [[ $word == $before && $values == *\|* ]]; then
        compadd -- ${(s:|:)values}
        return
    fi
    rows+=("${word}:${help}")
done < <($program $known --help=words 2>/dev/null)
if (( CURRENT == 2 )) || [[ $words[CURRENT] == -* ]]; then
    _describe word rows
else
    _files
fi
