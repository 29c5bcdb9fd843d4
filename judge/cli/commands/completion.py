"""`judge completion`: print the script that completes command lines in a shell.

The scripts ask `judge complete` (see `judge.cli.complete`) at every Tab, so they need no update.
"""

from typing import Annotated

from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import positional
from judge.cli.commands.options import Arguments

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
    local current=${COMP_WORDS[COMP_CWORD]} prefix='' kind='' value quoted tilde is_special=''
    local program=${COMP_WORDS[0]/#\~/$HOME}
    local -a values=()
    case $current in
        =) current='' ;;
        -*=*) prefix=${current%%=*}= current=${current#*=} ;;
    esac
    local plain=${current//\\\\/$'\1'}
    plain=${plain//\\/}
    plain=${plain//$'\1'/\\}
    {
        IFS= read -r kind
        while IFS=$'\t' read -r value _; do
            [[ $value == "$plain"* ]] && values+=("$value")
        done
    } < <("$program" complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$prefix$plain" 2>/dev/null)
    case $kind in
        files) kind=-f ;;
        folders) kind=-d ;;
    esac
    [[ $kind ]] && while IFS= read -r value; do
        # compgen prints a name with a line end as two lines
        [[ -e $value || -L $value || $value == \~* ]] && values+=("$value")
    done < <(compgen "$kind" -- "$current")
    COMPREPLY=()
    for value in "${values[@]}"; do
        printf -v quoted %q "$value"
        [[ $quoted == "$value" ]] || is_special=yes
        COMPREPLY+=("$prefix$value")
    done
    if [[ ! $is_special || $current == [\"\']* ]]; then
        [[ $kind ]] && compopt -o filenames
        return
    fi
    # Bash itself does not quote every `$`.
    COMPREPLY=()
    for value in "${values[@]}"; do
        tilde=''
        [[ $value == \~* && ! -e $value ]] && tilde=\~ value=${value:1}
        printf -v quoted %q "$value"
        [[ $kind && -d ${tilde:+$HOME}$value ]] && quoted+=/ && compopt -o nospace
        COMPREPLY+=("$prefix$tilde$quoted")
    done
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
        values+=("${${value//\\/\\\\}//:/\\:}${${line#$value}/#$'\t'/:}")
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
    set -l paths
    switch "$lines[1]"
        case files
            set paths (__fish_complete_path "$path")
        case folders
            set paths (__fish_complete_directories "$path")
    end
    for found in $paths
        # fish prints a name with a line end as two lines, and cuts a name at a tab
        set -l name (string split -m 1 -f 1 \t -- $found)
        if test -e "$name"; or string match -q -- '~*' "$name"
            echo -- "$prefix$found"
        end
    end
end
complete -c judge -f -a '(__judge_complete)'
"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


class Options(Arguments, frozen=True, kw_only=True):
    """The shell whose script `judge completion` prints."""

    shell: Annotated[str, positional(None, "the shell that you use", choices=tuple(SCRIPTS))]


def execute(options: Options) -> ExitStatus:
    """Print the script; return the exit status."""
    print(SCRIPTS[options.shell], end="")
    return ExitStatus.SUCCESS
