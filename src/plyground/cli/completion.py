"""`plyground completion`: what makes a shell complete commands, games, players and their options."""

from __future__ import annotations

import click

VARIABLE = "_PLYGROUND_COMPLETE"
"""How the shell asks the program what may follow."""

# Bash takes `:` and `=` for the ends of words, of which `connect-four:rows=6` has three. So the words are cut anew at
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


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Write the shell code that completes commands and specs.

    Add one line to the start-up file of your shell. Bash, in ~/.bashrc: eval "$(plyground completion bash)". Zsh, in
    ~/.zshrc: eval "$(plyground completion zsh)". Fish, in ~/.config/fish/config.fish: plyground completion fish |
    source. Then Tab completes commands, options, games, players, heuristics and the options of each.
    """
    from click.shell_completion import get_completion_class

    if shell == "bash":
        click.echo(BASH.replace("VARIABLE", VARIABLE), nl=False)
        return
    known = get_completion_class(shell)
    assert known is not None
    click.echo(known(click.get_current_context().find_root().command, {}, "plyground", VARIABLE).source())
