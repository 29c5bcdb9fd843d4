"""`judge help`: about a command, or about one of the topics, which are the files of judge/cli/topics."""

from collections.abc import Sequence
from pathlib import Path

from judge.cli.table import COMMANDS
from judge.errors import UsageError

TOPICS = Path(__file__).parent / "topics"


def show_help(words: Sequence[str], overview: str) -> int:
    """Print the help about a command or topic, or without one, the overview and the topics; return the exit status.

    Raises:
        UsageError: there is no such command or topic.
    """
    match [word for word in words if word not in ("-h", "--help")]:
        case []:
            width = max(map(len, topic_names())) + 2
            topics = "".join(f"  {name:<{width}}{_read_topic(name)[0]}\n" for name in topic_names())
            print(f"{overview}\ntopics of `judge help TOPIC`:\n{topics}", end="")
        case [name] if name in COMMANDS:
            from judge.cli.parser import make_parser

            make_parser(name).print_help()
        case [name] if name in topic_names():
            print(_read_topic(name)[1], end="")
        case [name]:
            raise UsageError(_explain_unknown(name))
        case _:
            raise UsageError("`judge help` takes one command or topic; `judge help` lists them")
    return 0


def topic_names() -> list[str]:
    """Return the names of all topics."""
    return sorted(path.stem for path in TOPICS.glob("*.txt"))


def _read_topic(name: str) -> tuple[str, str]:
    """Return the summary of a topic, which is its first line, and the whole text."""
    text = (TOPICS / f"{name}.txt").read_text(encoding="utf-8")
    return text.partition("\n")[0], text


def _explain_unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*COMMANDS, *topic_names()], n=1)
    hint = f"did you mean {near[0]}?" if near else "`judge help` lists them"
    return f"{name}: no such command or topic; {hint}"
