"""Attacks: inputs are valid, and do to models of hash tables, sorting and hashes what their names say."""

import random
import re
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bench.bench_attacks import read_tasks
from judge.hack import attacks
from judge.hack.attacks import ATTACKS, Attack, Place, attack_sources, find_lesson
from judge.hack.sources import read_texts
from judge.inputs import Grammar
from judge.languages.build import Program
from judge.languages.table import find_language
from judge.model import Verdict

ARRAY = [{"n": "1..3000"}, {"a": {"list": "1..10^9", "count": "n"}}]
GRAMMARS: dict[str, Any] = {
    "array": ARRAY,
    "distinct": [{"n": "1..300"}, {"a": {"list": "-500..500", "count": "n", "distinct": True}}],
    "sorted": [{"n": "1..300"}, {"a": {"list": "0..10^6", "count": "n", "order": "ascending"}}],
    "permutation": [{"n": "1..300"}, {"p": {"permutation": "n"}}],
    "points": [{"n": "1..300"}, {"repeat": "n", "lines": [{"x": "-10^6..10^6", "y": "0..5"}]}],
    "words": [{"s": {"word": "[a-z]", "length": "1..3000"}}, {"t": {"word": "[()]", "length": "2..300"}}],
    "tree": [{"n": "1..300"}, {"graph": {"nodes": "n", "edges": "n-1", "connected": True}}],
    "graph": [
        {"n": "2..300", "m": "n-1..min(300, n*(n-1)/2)"},
        {"graph": {"nodes": "n", "edges": "m", "connected": True}},
    ],
    "huge": [{"n": "1..10^400"}],
    "tests": [{"t": "1..10"}, {"tests": "t", "lines": ARRAY}],
}


def make(attack: Attack, grammar: Grammar, turn: int = 0, most: int = 10_000) -> bytes:
    chooser = partial(attacks._Attacker, attack, turn, most, (), random.Random(1), lambda: False)
    return grammar.make(chooser, is_single=True)


def named(word: str) -> Attack:
    return next(attack for attack in ATTACKS if word in attack.name)


def values(attack: Attack, turn: int = 0) -> list[int]:
    return list(map(int, make(attack, Grammar.from_yaml(ARRAY), turn).split()))[1:]


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_input_is_valid_whatever_the_format(name: str) -> None:
    grammar = Grammar.from_yaml(GRAMMARS[name])
    for turn, attack in enumerate(ATTACKS):
        assert grammar.check(make(attack, grammar, turn % attacks._VARIANTS, most=60)) is None


def look_up(keys: list[int], wanted: int, slots: int, neighbours: int) -> int:
    """Return how many slots CPython looks at for a key: Objects/dictobject.c, Objects/setobject.c."""
    table: list[int | None] = [None] * slots

    def find(key: int) -> tuple[int, int]:
        at, rest, looked = key % slots, key, 0
        while True:
            for each in range(at, at + neighbours + 1) if at + neighbours < slots else [at]:
                looked += 1
                if table[each] in (None, key):
                    return each, looked
            rest >>= 5
            at = (5 * at + rest + 1) % slots

    for key in keys:
        table[find(key)[0]] = key
    return find(wanted)[1]


@pytest.mark.parametrize(("word", "slots", "neighbours"), [("dict", 4096, 0), ("set", 8192, 9)])
def test_the_search_for_a_key_meets_all_others(word: str, slots: int, neighbours: int) -> None:
    counted = Counter(values(named(f"a {word} of Python")))
    (often, count), *_ = counted.most_common()
    assert count >= 1_400
    assert look_up(list(counted), often, slots, neighbours) > 1_400


@pytest.mark.parametrize("turn", range(3))
def test_keys_share_a_bucket_when_the_table_has_its_size(turn: int) -> None:
    """Buckets as g++ 12 prints them: 5087 from 2,358 keys on."""
    buckets = 13
    seen: set[int] = set()
    for key in values(named("one bucket"), turn):
        seen.add(key)
        if len(seen) > buckets:
            buckets = next(each for each in (29, 59, 127, 257, 541, 1109, 2357, 5087) if each >= len(seen))
    (_, largest), *_ = Counter(key % buckets for key in seen).most_common()
    assert largest >= 500


def test_a_pivot_in_the_middle_is_always_the_least_or_greatest() -> None:
    steps = 0
    parts = [attacks._middle_pivots(200)]
    while parts:  # Hoare's partition, as it is usually written
        part = parts.pop()
        low, high, pivot = 0, len(part) - 1, part[(len(part) - 1) // 2]
        steps += len(part)
        while low <= high:
            while part[low] < pivot:
                low += 1
            while part[high] > pivot:
                high -= 1
            if low <= high:
                part[low], part[high] = part[high], part[low]
                low, high = low + 1, high - 1
        parts += [each for each in (part[: high + 1], part[low:]) if len(each) > 1]
    assert steps > 200 * 200 / 5


def polynomial(word: str, base: int, modulus: int) -> int:
    found = 0
    for letter in word:
        found = (found * base + ord(letter)) % modulus
    return found


def test_different_words_have_one_hash() -> None:
    one, other = (attacks._thue_morse(place(column), "ab", 2048) for column in (0, 1))
    assert one != other
    for base in (31, 131, 911382323):
        assert polynomial(one, base, 2**64) == polynomial(other, base, 2**64)
    constants = (131, 10**9 + 7)
    one, other = (attacks._colliding_words(place(column, constants, 1), "abcdefgh", 30) for column in (0, 1))
    assert one != other
    assert polynomial(one, *constants) == polynomial(other, *constants)


def place(column: int, constants: tuple[int, ...] = (), turn: int = 0) -> Place:
    return Place(count=1, low=0, high=0, turn=turn, column=column, constants=constants)


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("a.cpp", "#include <unordered_map>\nstd::unordered_map<long, long> m;", ["one bucket"]),
        ("a.cpp", "// unordered_map is slow\n/* a set */ std::map<long, long> m;", []),
        ("a.py", "seen = set()\n", ["a set of Python"]),
        ("a.py", "# a dict, or a set() of them\nprint(sorted(a), 'of a dict')\n", []),
        ("a.py", "seen = {}\n", ["a dict of Python"]),
        ("a.py", "print seen / 2  # of Python 2\n", ["ends of their range", "hardly differ"]),
        ("A.java", "double root = Math.sqrt(n);", ["ends of their range", "squares", "hardly differ"]),
    ],
)
def test_a_source_is_attacked_where_it_may_be_weak(tmp_path: Path, name: str, source: str, words: list[str]) -> None:
    (tmp_path / name).write_text(source)
    assert read_texts([tmp_path / name])
    path = tmp_path / name
    program = Program(language=find_language(path), argv=(), source=path, copy=path, place=tmp_path)
    found = attack_sources(Grammar.from_yaml(ARRAY), program, 1, is_over=lambda: False)
    assert [source.name for source in found] == [named(word).name for word in words]


def test_a_python_function_that_calls_itself_is_a_recursion() -> None:
    """Whatever it is called, and not in a text; a comparison of neighbours is none."""
    assert "recursion" in attacks._python_lines("def visit(u):\n    def inner(v):\n        inner(v)\n")
    assert "recursion" not in attacks._python_lines("def visit(u):\n    'recursion'\n    walk(u)  # recursion\n")


def test_a_lesson_belongs_to_what_the_attack_aims_at() -> None:
    for attack in ATTACKS:
        assert find_lesson(attack.name, Verdict.TLE) == attack.lesson
        assert bool(find_lesson(attack.name, Verdict.WA)) is not attack.is_slow
    assert find_lesson("known cases", Verdict.WA) == ""


def test_an_attack_without_a_place_in_the_format_proposes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("queue<int> dist; // hash\nunordered_map<int, int> hash;")
    program = Program(
        language=find_language(tmp_path / "a.cpp"), argv=(), source=tmp_path / "a.cpp", copy=tmp_path, place=tmp_path
    )
    found = attack_sources(Grammar.from_yaml(ARRAY), program, 1, is_over=lambda: False)
    assert [source.name for source in found if source.next()] == [
        named(word).name for word in ("one bucket", "low bits", "ends of their range")
    ]
    assert len(found) > 3


def test_each_attack_breaks_a_program_of_the_benchmark_whose_source_has_its_sign() -> None:
    tasks = {task.id: task for task in read_tasks()}
    for attack in ATTACKS:
        task = tasks[attack.shown_on]
        name, source = task.entry.file
        language = find_language(Path(name)).id
        code = attacks._python_lines(source) if language == "python3" else source
        assert re.search(attack.sign.get(language, attack.sign.get("", "$^")), code), attack.name
        assert task.is_weak


def test_words_of_brackets_match() -> None:
    for turn, length in product(range(6), range(2, 9)):
        word = attacks._plain_words(Place(count=1, low=0, high=0, turn=turn), "()", length)
        while "()" in word:
            word = word.replace("()", "")
        assert not word


def test_numbers_that_occur_once_have_all_combinations_against_products() -> None:
    one, root, after = 1, 1 << 32, (1 << 32) + 1
    found = {
        tuple(
            attacks._wrapping(Place(count=1, low=1, high=10**18, turn=turn, column=at, is_single=True))[0]
            for at in range(4)
        )
        for turn in range(81)
    }
    assert found == set(product((one, root, after), repeat=4))
