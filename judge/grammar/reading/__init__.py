"""Programs that read an input: what a solution begins with, in Python, C++ and Java.

`writer` walks the grammar and emits lines; Python reads line by line, C++ and Java token by token.
"""

from judge.grammar.read import Description
from judge.grammar.reading.cpp import Cpp
from judge.grammar.reading.java import Java
from judge.grammar.reading.python import Python
from judge.grammar.reading.writer import Writer

_WRITERS: dict[str, type[Writer]] = {"python3": Python, "cpp": Cpp, "java": Java}
LANGUAGES = tuple(_WRITERS)


def write_reading_code(description: Description, language: str) -> str:
    """Return a program that reads an input and does nothing else.

    Raises:
        ValueError: it is not one of `LANGUAGES`.
    """
    if language not in _WRITERS:
        raise ValueError(f"{language}: expected one of {', '.join(LANGUAGES)}")
    writer = _WRITERS[language]()
    writer.body(description.body)
    return writer.finish()
