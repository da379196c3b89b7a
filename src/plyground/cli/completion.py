"""`plyground completion`: what makes a shell complete commands, games, players and their options."""

from __future__ import annotations

import click

VARIABLE = "_PLYGROUND_COMPLETE"
"""How the shell asks the program what may follow."""

# Bash takes `:` and `=` for the ends of words, of which `connect-four:rows=6` has three. So the words are cut again at
# blanks, and of each answer only what follows the last of these two is given back.
BASH = """\
_plyground_completion() {
    local line=${COMP_LINE:0:COMP_POINT} words current kept reply type value
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("''")
    current=${words[${#words[@]}-1]}
    [[ $current == "''" ]] && current=
    kept=${current%"${current##*[:=]}"}
    local IFS=$'\\n'
    reply=$(IFS=' '; env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]}-1)) VARIABLE=bash_complete "$1")
    COMPREPLY=()
    for value in $reply; do
        type=${value%%,*}
        value=${value#*,}
        if [[ $type == file ]]; then
            compopt -o default
        elif [[ $type == plain ]]; then
            [[ $value == *= ]] && compopt -o nospace
            COMPREPLY+=("${value#"$kept"}")
        fi
    done
}

complete -o nosort -F _plyground_completion plyground
"""

# Zsh adds a blank after a completed word; after `rows=` a value follows. Items with a description come with their
# colons escaped, the others as they are.
ZSH = """\
#compdef plyground

_plyground_completion() {
    local type key about
    local -a plain unfinished described response
    (( ! $+commands[plyground] )) && return 1
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) VARIABLE=zsh_complete plyground)}")
    for type key about in $response; do
        if [[ $type == file ]]; then
            _path_files -f
        elif [[ $type == plain && $key == *= ]]; then
            unfinished+=("${key//\\\\:/:}")
        elif [[ $type == plain && $about == _ ]]; then
            plain+=("$key")
        elif [[ $type == plain ]]; then
            described+=("$key:$about")
        fi
    done
    (( $#described )) && _describe -V unsorted described -U
    (( $#plain )) && compadd -U -V unsorted -a plain
    (( $#unfinished )) && compadd -U -V unsorted -S "" -a unfinished
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _plyground_completion "$@"
else
    (( $+functions[compdef] )) || { autoload -U compinit && compinit }
    compdef _plyground_completion plyground
fi
"""

# The kind of an answer ends at its first comma: `hazar-isik:plies=3,heuristic=` has commas of its own.
FISH = """\
function _plyground_completion
    set -l words (commandline -cp)
    set -l response (env VARIABLE=fish_complete COMP_WORDS="$words" COMP_CWORD=(commandline -t) plyground)
    for line in $response
        set -l answer (string split --max 1 "," -- $line)
        switch $answer[1]
            case file
                __fish_complete_path $answer[2]
            case plain
                echo $answer[2]
        end
    end
end

complete --no-files --command plyground --arguments "(_plyground_completion)"
"""

CODE = {"bash": BASH, "zsh": ZSH, "fish": FISH}


@click.command()
@click.argument("shell", type=click.Choice(list(CODE)))
def completion(shell: str) -> None:
    """Print the shell code that completes commands and specs.

    Add one line to the start-up file of your shell. Bash, in ~/.bashrc: eval "$(plyground completion bash)". Zsh, in
    ~/.zshrc: eval "$(plyground completion zsh)". Fish, in ~/.config/fish/config.fish: plyground completion fish |
    source. Then Tab completes commands, options, games, players, heuristics and the options of each.
    """
    click.echo(CODE[shell].replace("VARIABLE", VARIABLE), nl=False)
