# Completion for caxton and makebook. The program itself says which words it knows: `--help=words`
# prints lines "WORD<tab>VALUES<tab>HELP" (VALUES: - none, ? any, else a|b|c).
_caxton()
{
    local program=$1 current=$2 before=$3 word values help known=()
    COMPREPLY=()
    [[ $COMP_CWORD -eq 1 ]] || known=("${COMP_WORDS[1]}")
    while IFS=$'\t' read -r word values help; do
        if [[ $word == "$before" && $values == *\|* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "${values//|/ }" -- "$current")
            return
        fi
        [[ $word != "$current"* || ( $COMP_CWORD -gt 1 && -z $current ) ]] || COMPREPLY+=("$word")
    done < <("$program" "${known[@]}" --help=words 2>/dev/null)
}
complete -o bashdefault -o default -F _caxton caxton makebook
