"""Many names are kept packed: nothing is lost, their order is that of all other lists, and each costs few bytes."""

import random
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from judge.problems.folder import NoteBook, PackedNames, natural

MANY = 9_000  # more than are sorted at once
# what os.fsdecode returns for names that are no UTF-8 as well; no file's name has a slash or NUL
names = st.binary(min_size=1, max_size=9).map(lambda name: name.translate(None, b"/\0") or b"x")
names_as_text = names.map(lambda name: name.decode("utf-8", "surrogateescape"))


def shuffled(count: int) -> list[str]:
    found = [f"test-{number}" for number in range(count)]
    random.Random(count).shuffle(found)
    return found


@given(st.lists(st.tuples(names_as_text, st.integers(0, 2).map(lambda bit: 1 << bit))))
def test_each_name_comes_once_with_all_of_its_bits(noted: list[tuple[str, int]]) -> None:
    book, expected = NoteBook(), dict[str, int]()
    for name, bit in noted:
        book.note(name, bit)
        expected[name] = expected.get(name, 0) | bit
    assert list(book.in_order()) == sorted(expected.items(), key=lambda item: natural(item[0]))


def test_names_that_are_noted_far_apart_come_together_and_2_before_10() -> None:
    book = NoteBook()
    for bit in (1, 4):
        for name in shuffled(MANY):
            book.note(name, bit)
    assert list(book.in_order()) == [(f"test-{number}", 5) for number in range(MANY)]


@given(st.lists(st.tuples(names_as_text, st.integers(0, 255))))
def test_packed_names_are_what_was_packed(kept: list[tuple[str, int]]) -> None:
    packed = PackedNames()
    for name, number in kept:
        packed.append(name, number)
    assert [packed[at] for at in range(len(packed))] == kept


def test_a_name_costs_a_few_bytes_more_than_its_letters() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        book, packed = NoteBook(), PackedNames()
        for number in range(count):
            for bit in (1, 2):
                book.note(f"{number * 7919 % count:06}", bit)
        for name, seen in book.in_order():
            packed.append(name, seen)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    assert (peak(4 * MANY) - peak(MANY)) / (3 * MANY) < 40
