"""`judge editor`: print what an editor needs to run the judge and to jump to what it reports."""

import json
from typing import Annotated, Any

from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import positional
from judge.cli.commands.options import Arguments

EPILOG = """\
The editors read `judge run -f short`: one `FILE:LINE:COLUMN: error: MESSAGE` for each failing case.

examples:
  mkdir -p .vscode && judge editor vscode > .vscode/tasks.json     then Run Task > judge, or judge: watch
  mkdir -p ~/.vim/compiler && judge editor vim > ~/.vim/compiler/judge.vim     then :compiler judge and :make
  judge editor emacs >> ~/.emacs     then M-x judge-run

`>` replaces a file that exists: copy the tasks of a tasks.json of your own. Neovim reads
~/.config/nvim/compiler/judge.vim.
"""

_PLACES = {
    "regexp": r"^(.+?):(\d+):(\d+): (error|warning): (.*)$",
    "file": 1,
    "line": 2,
    "column": 3,
    "severity": 4,
    "message": 5,
}
_BACKGROUND = {
    "activeOnStart": True,
    "beginsPattern": r"^\[\d\d:\d\d:\d\d\] (watching|changed|added|removed)",
    "endsPattern": r"; (waiting for changes|interrupted by a change)$",
}

_VIM = r"""" Vim: `:compiler judge`, then `:make` judges the file of the buffer. Written by `judge editor vim`.
if exists("current_compiler")
  finish
endif
let current_compiler = "judge"
CompilerSet makeprg=judge\ run\ -q\ -f\ short\ %:S
CompilerSet errorformat=%f:%l:%c:\ %t%*[a-z]:\ %m
"""

_EMACS = """\
;; Emacs: M-x judge-run judges the file of the buffer, M-x judge-watch at each save. Written by `judge editor emacs`.
(defun judge-run ()
  "Judge the file of this buffer."
  (interactive)
  (save-buffer)
  (compile (concat "judge run -q -f short " (shell-quote-argument buffer-file-name))))

(defun judge-watch ()
  "Judge the file of this buffer at each save."
  (interactive)
  (compile (concat "judge watch -f short " (shell-quote-argument buffer-file-name))))
"""


class Options(Arguments, frozen=True, kw_only=True):
    """The editor of `judge editor`."""

    editor: Annotated[str, positional(None, "the editor", choices=("vscode", "vim", "emacs"))]


def execute(options: Options) -> ExitStatus:
    """Print the configuration; return the exit status."""
    match options.editor:
        case "vim":
            print(_VIM, end="")
        case "emacs":
            print(_EMACS, end="")
        case _:
            print(json.dumps(_tasks(), indent=2))
    return ExitStatus.SUCCESS


def _tasks() -> dict[str, Any]:
    """Return a tasks.json of VS Code: https://code.visualstudio.com/docs/debugtest/tasks#_defining-a-problem-matcher."""
    matcher = {
        "owner": "judge",
        "source": "judge",
        "fileLocation": ["autoDetect", "${workspaceFolder}"],
        "pattern": _PLACES,
    }

    def task(label: str, command: str, *options: str, **more: Any) -> dict[str, Any]:
        words = [command, *options, "-f", "short", "${file}"]
        return {"label": label, "type": "process", "command": "judge", "args": words, **more}

    run = task(
        "judge",
        "run",
        "-q",
        group={"kind": "test", "isDefault": True},
        presentation={"clear": True},
        problemMatcher=matcher,
    )
    watch = task("judge: watch", "watch", isBackground=True, problemMatcher={**matcher, "background": _BACKGROUND})
    return {"version": "2.0.0", "tasks": [run, watch]}
