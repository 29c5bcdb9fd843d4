"""Inputs that are like known ones: neighbours, other white space, and several of their tests in one.

Inputs that turn out to be valid and to have a new answer become known themselves, if they are small.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from judge.hack.sources import Source, seeded
from judge.inputs import Grammar
from judge.inputs.structure import INTEGER

_MAX_KNOWN = 400
_MAX_SIZE = 4_000  # bytes of an input that is changed
_IN_A_ROW = 4  # neighbours of one input

Neighbourhood = Callable[[bytes, Sequence[bytes], Random], Iterator[bytes]]
"""Yields the neighbours of an input; takes it, all that are known, and what decides."""


def neighbours_of(
    name: str, known: Sequence[bytes], neighbourhood: Neighbourhood, seed: int, *, joins: bool = False
) -> Source:
    """Return neighbours of known valid inputs, of small ones more often; those with new answers become known."""
    random = seeded(seed, name)
    pool = sorted((each for each in known if each.strip() and len(each) <= _MAX_SIZE), key=len)[:_MAX_KNOWN]

    def proposals() -> Iterator[bytes]:
        failures = 0
        while pool and failures < _MAX_KNOWN:
            failures += 1
            data = pool[int(len(pool) * random.random() ** 2)]
            for found in islice(neighbourhood(data, pool, random), _IN_A_ROW):
                failures = 0
                yield found

    def learn(data: bytes) -> None:
        if data.strip() and len(data) <= _MAX_SIZE and len(pool) < _MAX_KNOWN:
            pool.append(data)

    return Source(name, proposals(), joins, learn=learn)


def text_neighbourhood(numbers: Sequence[int]) -> Neighbourhood:
    """Return what changes tokens and lines of texts; `numbers` are those that the problem mentions."""

    def neighbours(data: bytes, known: Sequence[bytes], random: Random) -> Iterator[bytes]:
        while True:
            changed = data
            for _ in range(random.randint(1, 3)):
                changed = mutate_text(changed, known, numbers, random)
            if changed.strip():
                yield changed

    return neighbours


def other_token(text: bytes, numbers: Sequence[int], random: Random) -> bytes:  # noqa: PLR0911 - one for each change
    """Return a token like another one: a number near it or at a boundary, or a word with a changed letter."""
    if INTEGER.fullmatch(text):
        number = int(text)
        choice = random.randrange(8)
        if choice < 3:
            return b"%d" % (number + random.choice((-2, -1, 1, 2)))
        if choice < 6 and numbers:
            return b"%d" % (random.choice(numbers) + random.choice((0, 0, 0, -1, 1)))
        return b"%d" % random.choice((-number, number // 2, number * 2, random.randint(0, max(1, 2 * abs(number)))))
    if not text:
        return text
    at = random.randrange(len(text))
    match random.randrange(5):
        case 0:
            return text[:at] + text[at + 1 :] if len(text) > 1 else text
        case 1:
            return text[:at] + text[random.randrange(len(text)) :][:1] + text[at:]
        case 2:
            return text[:at] + text[at:][::-1]
        case 3:
            letters = bytes(sorted(set(text)))
            return text[:at] + bytes([random.choice(letters)]) + text[at + 1 :]
        case _:
            letter = text[at]
            near = letter + random.choice((-1, 1))
            return text[:at] + bytes([near if 33 <= near <= 126 else letter]) + text[at + 1 :]


def mutate_text(data: bytes, known: Sequence[bytes], numbers: Sequence[int], random: Random) -> bytes:
    """Return a text with a changed token or line; nothing is known of its shape."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        return data
    at = random.randrange(len(lines))
    tokens = lines[at].split(b" ")
    place = random.randrange(len(tokens))
    match random.randrange(8):
        case 0 if len(lines) > 1:
            del lines[at]
        case 1:
            lines.insert(random.randrange(len(lines) + 1), lines[at])
        case 2:
            other = random.choice(known).split(b"\n")
            lines[at] = random.choice(other[:-1] or other)
        case 3 if len(tokens) > 1:
            second = random.randrange(len(tokens))
            tokens[place], tokens[second] = tokens[second], tokens[place]
            lines[at] = b" ".join(tokens)
        case 4 if len(tokens) > 1:
            tokens.pop(place)
            lines[at] = b" ".join(tokens)
        case 5:
            words = random.choice(known).split()
            tokens[place] = random.choice(words) if words else tokens[place]
            lines[at] = b" ".join(tokens)
        case _:
            tokens[place] = other_token(tokens[place], numbers, random)
            lines[at] = b" ".join(tokens)
    return b"\n".join(lines) + b"\n"


def white_space(known: Sequence[bytes], seed: int) -> Source:
    """Return inputs with blank lines, more spaces, tabs, CRLF, and no newline at the end."""
    small = sorted((each for each in known if len(each) <= _MAX_SIZE), key=len)[:20]
    random = seeded(seed, "white space")

    def inputs() -> Iterator[bytes]:
        while small:
            lines = random.choice(small).splitlines()[: random.choice((1, 2, 3, 1000))]
            data = b"\n".join(lines) + b"\n"
            for _ in range(random.choice((1, 1, 2))):
                change = random.choice((*_TEXT_CHANGES, *_LINE_CHANGES))
                if change in _TEXT_CHANGES:
                    data = change(data)
                else:
                    rows = data.split(b"\n")
                    at = random.randrange(len(rows))
                    data = b"\n".join([*rows[:at], change(rows[at]), *rows[at + 1 :]])
            yield data

    return Source("white space", inputs())


_TEXT_CHANGES: Sequence[Callable[[bytes], bytes]] = (
    lambda data: data.rstrip(b"\n"),
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data + b"\n",
)
_LINE_CHANGES: Sequence[Callable[[bytes], bytes]] = (
    lambda line: b"\n" + line,
    lambda line: b"  \n" + line,
    lambda line: line.replace(b" ", b"  "),
    lambda line: line.replace(b" ", b"\t", 1),
    lambda line: b" " + line,
    lambda line: line + b" ",
)

_MAX_TESTS = 500  # to choose from
_MAX_JOINED = 1 << 20  # bytes of an input
_LEAST = 10  # tests; fewer are tried anyway
_ROUNDS = 3


def many_tests(known: Sequence[bytes], joining: Grammar, numbers: Sequence[int], seed: int) -> Source:
    """Return inputs with one test more than some numbers: a program may have room for so many, or read no more.

    The tests are those of known inputs; the most promising numbers come first.
    """
    tests = list(dict.fromkeys(islice((test for each in known for test in joining.split(each) or ()), _MAX_TESTS)))
    random = seeded(seed, "many tests")
    average = sum(map(len, tests)) / max(1, len(tests))
    counts = [each + 1 for each in dict.fromkeys(numbers) if each >= _LEAST and each * average <= _MAX_JOINED]
    made = (joining.join(random.choices(tests, k=count)) for count in counts * _ROUNDS if tests)
    return Source("many tests", (data for data in made if data is not None))
