"""`judge completion`: print the script that completes command lines in a shell.

The scripts ask `judge complete` (see `judge.cli.complete`) at every Tab, so they need no update.
"""

import argparse

from msgspec import Struct

from judge.commands import ExitStatus

EPILOG = """\
Commands, options, problems, cases, solutions and files are completed.

examples:
  mkdir -p ~/.local/share/bash-completion/completions
  judge completion bash > ~/.local/share/bash-completion/completions/judge

  mkdir -p ~/.zfunc                  and in ~/.zshrc, before compinit: fpath+=~/.zfunc
  judge completion zsh > ~/.zfunc/_judge

  judge completion fish > ~/.config/fish/completions/judge.fish

For the current shell only: source <(judge completion bash), or with zsh; in fish: judge completion fish | source
"""

_BASH = r"""# bash completion for judge; written by `judge completion bash`
_judge() {
    local current=${COMP_WORDS[COMP_CWORD]} prefix='' kind='' value
    local program=${COMP_WORDS[0]/#\~/$HOME}
    case $current in
        =) current='' ;;
        -*=*) prefix=${current%%=*}= current=${current#*=} ;;
    esac
    COMPREPLY=()
    {
        IFS= read -r kind
        while IFS=$'\t' read -r value _; do
            [[ $value == "$current"* ]] && COMPREPLY+=("$prefix$value")
        done
    } < <("$program" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    case $kind in
        files) kind=-f ;;
        folders) kind=-d ;;
        *) return ;;
    esac
    compopt -o filenames
    while IFS= read -r value; do
        COMPREPLY+=("$prefix$value")
    done < <(compgen "$kind" -- "$current")
}
complete -F _judge judge
"""

_ZSH = r"""#compdef judge
# zsh completion for judge; written by `judge completion zsh`
_judge() {
    local line value
    local -a lines values
    lines=("${(@f)$("${(Q)words[1]/#\~/$HOME}" complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    [[ $PREFIX == --*=* ]] && compset -P '*='
    for line in "${(@)lines[2,-1]}"; do
        value=${line%%$'\t'*}
        values+=("${value//:/\\:}${${line#$value}/#$'\t'/:}")
    done
    (( $#values )) && _describe -t values 'judge' values
    case $lines[1] in
        files) _files ;;
        folders) _files -/ ;;
    esac
}
if [[ $funcstack[1] == _judge ]]; then
    _judge "$@"
else
    compdef _judge judge
fi
"""

_FISH = r"""# fish completion for judge; written by `judge completion fish`
function __judge_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l prefix (string match -r -- '^--[^=]+=' $last)
    set -l lines ($program complete $words[2..] "$last" 2>/dev/null)
    for line in $lines[2..]
        echo -- "$prefix$line"
    end
    set -l path (string replace -r -- '^--[^=]+=' '' $last)
    switch "$lines[1]"
        case files
            for found in (__fish_complete_path "$path")
                echo -- "$prefix$found"
            end
        case folders
            for found in (__fish_complete_directories "$path")
                echo -- "$prefix$found"
            end
    end
end
complete -c judge -f -a '(__judge_complete)'
"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


class Options(Struct, frozen=True, kw_only=True):
    """The shell whose script `judge completion` prints."""

    shell: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge completion`."""
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell that you use")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(shell=args.shell)


def execute(options: Options) -> ExitStatus:
    """Print the script; return the exit status."""
    print(SCRIPTS[options.shell], end="")
    return ExitStatus.SUCCESS
