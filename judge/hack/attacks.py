"""Large inputs against known weaknesses of programs: colliding hash keys, bad pivots, deep recursion, overflow.

One entry of `ATTACKS` for each: what a source that may have the weakness contains, and what fills the input. Only
attacks whose sign the submission has are tried.
"""

import ast
import math
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, cycle, islice, product, zip_longest
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.hack.sources import Source, find_numbers, read_texts, seeded
from judge.inputs import Grammar
from judge.inputs.build import TooLargeError
from judge.inputs.choose import GrammarError, Random, in_order
from judge.inputs.domains import Domain, Integers, ListRules, Words
from judge.inputs.graphs import Edge, GraphRules
from judge.languages.build import Program
from judge.model import Verdict

_SIZES = (300, 20_000, 1_000_000)  # values of an input, about: many weaknesses need few, and slow ones need many
_COMMENT = re.compile(rb"//[^\n]*|/\*[\s\S]*?\*/|(?<![^\n])[ \t]*#(?!\s*(?:include|define))[^\n]*")
_LARGEST = 1 << 64  # of primes and powers
_VARIANTS = 6  # of an attack, for each size
_SINGLE, _MANY_VARIANTS = 300, 400  # bytes of an input that hardly has lists: its numbers are combined, too
# Three values in four places have so many combinations. With this step through them, the products of each two pairs
# wrap around to each other in one of the first ten.
_COMBINATIONS, _STEP = 3**4, 11
_MAKING = 2.0  # seconds of CPU time for inputs of an attack that are made in vain; 10^6 values take about one
_PERTURBED = 6  # slots at which CPython looks before only the low bits of a key decide

# ---- what fills an input ------------------------------------------------------------------------------------------


class Place(Struct, frozen=True, kw_only=True):
    """Where values are wanted: how many, and from which integer to which, both included.

    Attributes:
        turn: the number of the variant, from 0.
        column: the number of the field among those of a block, from 0.
        constants: the numbers of the source.
        is_distinct: no value may occur twice.
        is_single: the field occurs once in the input.
    """

    count: int
    low: int
    high: int
    turn: int = 0
    column: int = 0
    constants: Sequence[int] = ()
    is_distinct: bool = False
    is_single: bool = False

    def spread(self, ranks: Sequence[int]) -> list[int]:
        """Return values in the same order as some ranks from 0 on, as far apart as possible."""
        step = max(1, (self.high - self.low) // max(1, max(ranks, default=0)))
        return [min(self.high, self.low + rank * step) for rank in ranks]


Numbers = Callable[[Place], Sequence[int]]
Letters = Callable[[Place, str, int], str]
Weighted = tuple[int, int, int | None]
"""An edge: its ends, from 0 on, and its weight above the least one, or -1 for the greatest and so on; None for any."""
Edges = Callable[[int, int, int], Iterable[Weighted]]
"""Returns edges, from the number of the variant, how many nodes there are, and at most how many edges."""

# How many different keys a table of GCC's hash containers has room for, and its number of buckets (`rehash_policy`
# of libstdc++, which doubles to the next of its primes): as g++ 12 prints them with `bucket_count()`. 107897 and 126271
# are those of published inputs against other versions, which were not tried.
_BUCKETS = (541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 107897, 126271, 172933, 351061, 712697)
_BITS = tuple(1 << bits for bits in range(20, 14, -1))  # of tables that take the low bits of a key


def _fill_buckets(place: Place) -> list[int]:
    """Keys that are equal modulo the number of buckets, as many as make the table so large, the first ones again."""

    def cost(buckets: int) -> int:
        """Return about how many keys are looked at."""
        keys = min(place.count, buckets)
        late = max(0, keys - buckets // 2) // 2  # the table has its size from half of the keys on
        late += 0 if place.is_distinct else place.count - keys
        return min(keys, (place.high - max(place.low, -place.high)) // buckets) * late

    buckets = sorted(_BUCKETS, key=cost, reverse=True)[place.turn % 3]
    return _congruent(place, buckets, min(place.count, buckets))


def _congruent(place: Place, modulus: int, keys: int) -> list[int]:
    """Return so many keys with as few remainders as possible, and then the first ones again."""
    low, keys = max(place.low, 0), min(keys, place.high - place.low + 1)
    rows, found = list[Sequence[int]](), 0
    while found < keys:
        first = low + len(rows)
        below = place.low + (first - place.low - 2**64) % modulus  # the least one, where numbers count as unsigned
        rows.append(list(islice(chain(range(first, place.high + 1, modulus), range(below, 0, modulus)), keys)))
        found += len(rows[-1])
    made = [key for column in zip_longest(*rows) for key in column if key is not None][:keys]
    return list(islice(chain(made, cycle(made[:1_000])), place.count))


def _same_remainder(place: Place) -> list[int]:
    """Keys that are equal modulo a number of the source, or in their low bits."""
    moduli = [number for number in place.constants if 1_000 <= number <= 4_000_000][::-1]
    moduli = list(dict.fromkeys((*moduli, *_BITS)))
    modulus = moduli[place.turn % len(moduli)]
    return _congruent(place, modulus, min(place.count, modulus // 2))


def _dict_slots(count: int) -> int:
    """Return the size of a dict with so many keys: two thirds are used at most (CPython, Objects/dictobject.c)."""
    return 1 << max(3, (count * 3 // 2).bit_length())


def _set_slots(count: int) -> int:
    """Return the size of a set with so many keys (CPython, Objects/setobject.c, `set_add_entry`)."""
    slots = 8
    while (used := (slots - 1) * 3 // 5 + 1) <= count:
        slots = 1 << (used * (2 if used > 50_000 else 4)).bit_length()
    return slots


def _chain(place: Place, slots: int, row: int) -> list[int]:
    """Small keys in the slots that CPython looks at for another key, one after the other; then that key, often.

    The search begins at the slot of the key's low bits, and goes on at five times that, plus one, plus what is left of
    the key after five bits less each time; a set looks at `row` neighbours of each slot, too. Where keys must differ,
    other keys follow whose searches come to these slots.
    """
    key = max(place.high - place.turn, place.low)
    mask, taken, filled = slots - 1, bytearray(slots), list[int]()
    most = min(place.count if place.is_distinct else place.count // 2, slots * 3 // 5 - 2) - row

    rest, at = key, key & mask
    for _ in range(most):
        if len(filled) >= most:
            break
        for near in range(at, at + row + 1 if at + row <= mask else at + 1):
            own = near + slots * max(0, -((near - place.low) // slots))  # a key that belongs into this slot
            if not taken[near] and own <= place.high:
                taken[near] = 1
                filled.append(own)
        rest >>= 5
        at = (at * 5 + 1 + rest) & mask
    if not place.is_distinct:
        return filled + [key] * (place.count - len(filled))
    rng, late = random.Random(place.turn), dict[int, None]()
    most_high = min(63, place.high // slots - 1)  # of the bits above those of a slot: few are used up soon
    for _ in range(place.count if most_high > 0 else 0):
        if len(late) >= slots // 15:  # with those, two thirds of the slots are used, and the table grows
            break
        at = filled[int(rng.random() * len(filled))] & mask
        other = rest = at + slots * rng.randint(1, most_high)
        for _ in range(_PERTURBED):
            if not taken[at]:
                break
            rest >>= 5
            at = (at * 5 + 1 + rest) & mask
        else:
            late[other] = None
    return [*filled, *late][: place.count]


def _chain_of_dict(place: Place) -> list[int]:
    return _chain(place, _dict_slots(place.count) // 2 if place.is_distinct else _dict_slots(place.count // 2), 0)


def _chain_of_set(place: Place) -> list[int]:
    return _chain(place, _set_slots(place.count // 2), 9)


def _middle_pivots(count: int) -> list[int]:
    """The element in the middle is the least or greatest of each part (Hoare's partition)."""
    ranks = list(range(count))
    for each in range(2, count):
        ranks[each], ranks[each // 2] = ranks[each // 2], ranks[each]
    return ranks


def _medians_of_three(count: int) -> list[int]:
    """The median of the ends and the middle is always small (Musser, 1997)."""
    half = count // 2
    ranks = [0] * count
    for each in range(half):
        ranks[each] = each if each % 2 == 0 else half + each // 2
        ranks[half + each] = 2 * each + 1
    return ranks


_ORDERS: tuple[Callable[[int], Sequence[int]], ...] = (
    range,
    _middle_pivots,
    lambda count: [0] * count,
    lambda count: range(count - 1, -1, -1),
    lambda count: [min(each, count - each) for each in range(count)],  # an organ pipe
    _medians_of_three,
)


def _ordered(place: Place) -> list[int]:
    return place.spread(_ORDERS[place.turn % len(_ORDERS)](place.count))


def _equal(place: Place) -> list[int]:
    return [(place.low, place.high, (place.low + place.high) // 2)[place.turn % 3]] * place.count


def _extreme(place: Place) -> Sequence[int]:
    low, high = place.low, place.high
    if place.is_distinct:
        return range(low, low + place.count) if place.turn % 2 else range(high - place.count + 1, high + 1)
    return list(islice(cycle(((high,), (low,), (high, low), (high - 1, high))[place.turn % 4]), place.count))


def _powers(place: Place) -> list[int]:
    """Squares, cubes and powers of two and ten, with their neighbours, the largest first."""
    exponent = (2, 3, 2, 3)[place.turn % 4]
    root = int(min(max(place.high, 0), _LARGEST) ** (1 / exponent)) + 1
    bases = [max(0, root - each) ** exponent for each in range(place.count // 3 + 1)]
    if place.turn % 2:
        bases = sorted((base**power for base in (2, 10) for power in range(64)), reverse=True)
    near = [base + by for base in bases for by in (-1, 0, 1) if place.low <= base + by <= place.high]
    first = place.turn // 2 * 2 % max(1, len(near))
    return list(islice(cycle((*near[first:], *near[:first]) or [place.high]), place.count))


def _near_equal(place: Place) -> list[int]:
    """Large numbers that differ little: fractions, slopes and angles of neighbours differ in the last digits.

    Or points far from another one in one direction, and near to it in the other: their distances hardly differ.
    """
    if place.turn % 3 == 2:
        middle = (place.low + place.high) // 2
        if place.column % 2:
            return [max(place.low, middle - each // 2) for each in range(place.count - 1, -1, -1)]
        return [place.low if place.is_single else place.high] * place.count
    spread = 1 + place.turn % 2
    top = place.high - place.column
    return [max(place.low, top - spread * (each // (1 + place.turn // 3))) for each in range(place.count)]


def _few_digits(place: Place) -> list[int]:
    """Numbers of zeros and one or two other digits, and of one digit; some are short."""
    longest = len(str(max(abs(place.low), abs(place.high))))
    of_turn, rng = random.Random(place.turn), random.Random(f"{place.turn}/{place.column}")
    usual, most = of_turn.choice(("01", "10", "012", "0" + of_turn.choice("123456789"))), (18, 3, 6)[place.turn % 3]
    made = list[int]()
    for _ in range(4 * min(place.count, 1_000)):
        digits = usual if rng.random() < 0.8 else rng.choice(("01", "10", "9", "012"))
        made.append(int("".join(rng.choices(digits, k=rng.randint(1, min(longest, most))))))
    fitting = [number for number in made if place.low <= number <= place.high]
    return list(islice(cycle(fitting or [place.low]), place.count))


def _wrapping(place: Place) -> list[int]:
    """Roots of 2^64 and 2^32 and the numbers after them, whose products wrap around to small ones, and 1.

    Numbers that occur once in the input have all combinations of the first three, in an order that mixes them.
    """
    roots = (32, 16, 31, 33)[place.turn // _COMBINATIONS % 4 :]
    near = chain.from_iterable(((1 << root), 1, (1 << root) + 1) for root in roots)
    fitting = [each for each in near if place.low <= each <= place.high] or [place.high]
    if place.is_single:
        return [fitting[place.turn * _STEP // 3**place.column % min(3, len(fitting))]]
    return random.Random(f"{place.turn}/{place.column}").choices(fitting, k=place.count)


def _divisible(place: Place) -> list[int]:
    """Primes and numbers with very many divisors."""
    if place.turn % 2 == 0:
        return list(islice(cycle(_primes_below(min(place.high, _LARGEST), 20) or [place.high]), place.count))
    found, value = [], 1
    for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if value * prime > place.high:
            break
        value *= prime
    found = [value * factor for factor in range(1, 200) if place.low <= value * factor <= place.high]
    return list(islice(cycle(found[::-1] or [place.high]), place.count))


@lru_cache(maxsize=16)
def _primes_below(high: int, count: int) -> list[int]:
    def is_prime(number: int) -> bool:
        return number > 1 and all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7, 11) if number % base)

    return list(islice((each for each in range(high, max(1, high - 5_000), -1) if is_prime(each)), count))


def _thue_morse(place: Place, letters: str, length: int) -> str:
    """A word whose halves have one hash modulo 2^64, with any base: at least 2,048 letters, and others after them."""
    pair = letters[:2] if place.turn % 2 == 0 or len(letters) < 2 else letters[-2:]
    flip, whole = place.column % 2, 1 << max(0, length.bit_length() - 1)
    word = "".join(pair[(each.bit_count() + flip) % 2 % len(pair)] for each in range(whole))
    return word + letters[0] * (length - whole)


def _plain_words(place: Place, letters: str, length: int) -> str:
    """Words on which comparisons take long; words of brackets that match, nested as deep as possible."""
    first, last, half = letters[0], letters[-1], length // 2
    if pair := next((pair for pair in ("()", "[]", "{}", "<>") if set(pair) <= set(letters)), ""):
        deep = pair[0] * (half - 1) + pair[1] * (half - 1)
        return (pair[0] + deep + pair[1], pair + deep, pair * half, deep + pair)[place.turn % 4]
    match place.turn % 5:
        case 0:
            return first * length
        case 1:
            return first * (length - 1) + last
        case 2:
            return ((first + last) * length)[:length]
        case 3:
            return (first * half + last + first * length)[:length]
        case _:
            return last * length


_CODES: tuple[Callable[[str], int], ...] = (ord, lambda letter: ord(letter) - 96, lambda letter: ord(letter) - 97)
_LEAST_MODULUS, _COLLIDING = 1 << 20, 12
_MOST_WORDS = 150_000  # among which two with one hash are looked for: about a second
_FEW_LETTERS = 8
_MOST_LONG = 10  # words in half of the inputs, so that each may be long; in the others, as many as each has letters


@lru_cache(maxsize=32)
def _find_collision(letters: str, base: int, modulus: int, code: int) -> tuple[str, str] | None:
    """Return two words with the same polynomial hash, by the birthday paradox: about sqrt(modulus) words."""
    rng, seen, value = random.Random(1), dict[int, str](), _CODES[code]
    codes = {letter: value(letter) for letter in letters}
    for _ in range(min(_MOST_WORDS, 4 * math.isqrt(modulus))):
        word = "".join(rng.choices(letters, k=_COLLIDING))
        found = 0
        for letter in word:
            found = (found * base + codes[letter]) % modulus
        if seen.setdefault(found, word) != word:
            return seen[found], word
    return None


def _colliding_words(place: Place, letters: str, length: int) -> str:
    """Words of the first letter, which may count as zero; or two words with one hash by a base and a modulus."""
    if place.turn == 0:
        return letters[0] * min(length, 1 + place.column)
    moduli = [each for each in place.constants if _LEAST_MODULUS <= each < 1 << 34 and _primes_below(each, 1) == [each]]
    bases = [each for each in place.constants if 20 < each < 1 << 20 and each != 100]  # which is always among them
    options = [(base, modulus, code) for code in range(len(_CODES)) for modulus in moduli for base in bases]
    if not options or length < _COLLIDING or len(letters) < 2:
        return _thue_morse(place, letters, length)
    found = _find_collision(letters[:_FEW_LETTERS], *options[(place.turn - 1) % len(options)])
    if found is None:
        return letters[0] * length
    return found[place.column % 2] + letters[0] * (length - _COLLIDING)


def _deep(turn: int, nodes: int, _edges: int) -> Iterator[Weighted]:
    """Paths in both directions, stars with either end first, and a path with a star at its end."""
    for node in range(1, nodes):
        match turn % 5:
            case 0:
                yield node - 1, node, None
            case 1:
                yield node, 0, None
            case 2:
                yield 0, node, None
            case 3:
                yield nodes - node, nodes - node - 1, None
            case _:
                yield (node - 1 if node < nodes // 2 else nodes // 2 - 1), node, None


def _slow_paths(turn: int, nodes: int, edges: int) -> Iterator[Weighted]:
    """A path that improves the distances of hubs again and again, or a long grid.

    Each node of the path reaches the hubs a little sooner than the one before. So a queue, rounds over all edges, and
    old entries of a heap visit all neighbours of the hubs again.
    """
    if turn % 2:
        width = (2, 5, 10)[turn // 2 % 3]
        yield from ((max(0, node - width), node, None) for node in range(1, nodes))
        yield from ((node - 1, node, 0) for node in range(2, nodes) if node % width)
        return
    hubs = max(1, min(edges // nodes, nodes // 10))
    length = max(1, (nodes - hubs) // 2)
    yield from ((node - 1, node, 0) for node in range(length - 1, 0, -1))
    for hub in range(length, length + hubs):
        yield from ((node, hub, -1 - 2 * node) for node in range(length - 1, -1, -1))  # the first ones wait longest
        yield from ((hub, node, 0) for node in range(length + hubs, nodes))


# ---- attacks ------------------------------------------------------------------------------------------------------


class Attack(Struct, frozen=True, kw_only=True):
    """A weakness, and what inputs against it look like.

    Attributes:
        name: what the input has, for the report: "keys that ...".
        lesson: what is wrong with the source, and what is right.
        sign: what a source with the weakness contains, a regular expression for each language; "" is for all others. Of
            Python, it is searched for in the lines of `_python_lines`.
        numbers, words, edges: fill lists and blocks, words, and graphs; None leaves them to chance.
        is_small: an input of the least size shows it.
        is_slow: what shows it is an exceeded limit or a crash, no wrong answer.
        shown_on: a program of `bench/attacks` that it breaks.
    """

    name: str
    lesson: str
    sign: dict[str, str]
    numbers: Numbers | None = None
    words: Letters | None = None
    edges: Edges | None = None
    is_small: bool = True
    is_slow: bool = False
    shown_on: str


ATTACKS = (
    Attack(
        name="keys that share one bucket of a hash table of C++",
        lesson="keys with the same remainder by a known prime share one bucket of GCC; use std::map, or a random hash",
        sign={"cpp": r"unordered_|hash_map|hash_table"},
        numbers=_fill_buckets,
        is_small=False,
        is_slow=True,
        shown_on="hash_keys/distinct/unordered-set",
    ),
    Attack(
        name="keys that are equal modulo a number of the source, or in their low bits",
        lesson="keys with the same remainder, or the same low bits, share one bucket; mix them with a random number",
        sign={"cpp": r"hash|bucket|% ?(?:[A-Z]|\d{3})|& ?\(*(?:1 ?<<|[Mm]ask|MASK|0x)", "": r"hash|bucket"},
        numbers=_same_remainder,
        is_small=False,
        is_slow=True,
        shown_on="hash_keys/distinct/linear-probing",
    ),
    Attack(
        name="keys that a dict of Python finds only after a long search",
        lesson="CPython looks for an integer at slots that follow from its value; use strings as keys, or sort",
        sign={"python3": r"\bdict\b|Counter|defaultdict"},
        numbers=_chain_of_dict,
        is_small=False,
        is_slow=True,
        shown_on="hash_keys/pair-with-sum/python-dict",
    ),
    Attack(
        name="keys that a set of Python finds only after a long search",
        lesson="CPython looks for an integer at slots that follow from its value; use strings as keys, or sort",
        sign={"python3": r"\b(?:frozen)?set\b"},
        numbers=_chain_of_set,
        is_small=False,
        is_slow=True,
        shown_on="hash_keys/distinct/python-set",
    ),
    Attack(
        name="values in an order that is bad for sorting with fixed pivots, or for a search that expects luck",
        lesson="a fixed pivot, or one side for all equal elements, is quadratic; use the library, or random pivots",
        sign={"": r"pivot|partition|quick|qsort|nth_element|part\(|->left|\.left|insert|swap"},
        numbers=_ordered,
        is_small=False,
        is_slow=True,
        shown_on="sorting/sort/first-pivot",
    ),
    Attack(
        name="equal values, which a comparison must not call less",
        lesson="a comparison for sorting must be false for equal elements, and ties need a rule",
        sign={"cpp": r"<=|>=", "java": r"compare", "": r"cmp|key="},
        numbers=_equal,
        shown_on="ties/ranking/not-strict",
    ),
    Attack(
        name="values at the ends of their range: sums and products overflow, or exceed 2^53",
        lesson="a sum or product of such values does not fit into its type; use 64 bits, or integers for floats",
        sign={
            "cpp": r"\bint\b|\bfloat\b|\bdouble\b",
            "c": r"\bint\b|\bdouble\b",
            "java": r"\bint\b|\bdouble\b",
            "": r"/ ",
        },
        numbers=_extreme,
        shown_on="overflow/sum-of-all/int-sum",
    ),
    Attack(
        name="factors whose products wrap around to small numbers",
        lesson="a product that wraps around may look right; divide before you compare, or use 128 bits",
        sign={"cpp": r"\*", "c": r"\*", "java": r"\*"},
        numbers=_wrapping,
        shown_on="overflow/equal-areas/long-products",
    ),
    Attack(
        name="squares, cubes and powers with their neighbours, where roots and logarithms are rounded",
        lesson="roots, powers and logarithms of floats are rounded; correct the result with integers, or use isqrt",
        sign={"": r"sqrt|pow|\*\* ?(?:0\.5|\(?1)|cbrt|log|isqrt"},
        numbers=_powers,
        shown_on="roots/cube-root/third-power",
    ),
    Attack(
        name="large values that hardly differ: their quotients, slopes and angles are equal as floats",
        lesson="floats are equal where exact quotients, angles and distances differ; compare products of integers",
        sign={"": r"atan|double|float|/ |hypot|1e-\d|eps|sqrt|\*\* 0\.5"},
        numbers=_near_equal,
        shown_on="floats/directions/slope",
    ),
    Attack(
        name="large primes, and numbers with very many divisors",
        lesson="the time depends on the divisors: stop at the root, and count each prime once",
        sign={"": r"prime|divis|factor|gcd|% ?i\b"},
        numbers=_divisible,
        is_small=False,
        shown_on="roots/prime/all-divisors",
    ),
    Attack(
        name="numbers of few different digits, with zeros between them",
        lesson="digits need care where they are left out or moved: zeros at the start, and equal ones",
        sign={"": r"to_string|sto(?:i|l|ll)\b|digit|- ?'0'|parseInt|\bstr\(|% ?10\b"},
        numbers=_few_digits,
        shown_on="ties/backwards/as-integer",
    ),
    Attack(
        name="words of Thue and Morse, which have one polynomial hash modulo 2^64",
        lesson="a polynomial hash that overflows has one value for them, whatever its base is; use a prime near 2^61",
        sign={"": r"hash|HASH|\b(?:31|33|131|13331|1313|911382323)\b"},
        words=_thue_morse,
        is_small=False,
        shown_on="word_hashes/different-words/modulo-2-to-64",
    ),
    Attack(
        name="words with one polynomial hash by the base and the modulus of the source, or by a first letter of zero",
        lesson="who knows base and modulus finds two words with one hash; draw the base, and use a prime near 2^61",
        sign={"": r"hash|HASH|998244353|100000000[79]|1e9 ?\+ ?[79]|\*\* ?9 ?\+ ?7|\bord\(|- ?'a'"},
        words=_colliding_words,
        shown_on="word_hashes/different-words/modulo-prime",
    ),
    Attack(
        name="words that are deeply nested, or on which comparisons take long",
        lesson="recursion is as deep as the nesting, and words are compared up to their first difference; use a stack",
        sign={"": r"recursion|dfs|parse|find\(|substr|strstr|indexOf|\[i:|\bstr"},
        words=_plain_words,
        is_small=False,
        is_slow=True,
        shown_on="recursion/brackets/descent",
    ),
    Attack(
        name="a path or a star: recursion is deep, trees without balance degenerate",
        lesson="a path makes recursion, and sets without rank and compression, as deep as there are nodes",
        sign={"": r"recursion|dfs|find\(|parent|tree|\bcomp\b|\bup\b|union"},
        edges=_deep,
        is_small=False,
        is_slow=True,
        shown_on="recursion/tree-depth/python-recursion",
    ),
    Attack(
        name="a path that improves the distances of hubs again and again, or a long grid",
        lesson="queues, rounds and old heap entries visit edges again; use Dijkstra's algorithm, and skip old entries",
        sign={"": r"queue|spfa|inq|relax|dist"},
        edges=_slow_paths,
        is_small=False,
        is_slow=True,
        shown_on="paths/shortest-path/spfa",
    ),
)


def find_lesson(name: str, verdict: Verdict) -> str:
    """Return what is to be learned if an attack of this name led to a verdict; "" for nothing."""
    attack = next((each for each in ATTACKS if each.name == name), None)
    if attack is None or (attack.is_slow and verdict in (Verdict.WA, Verdict.PE)):
        return ""
    return attack.lesson


def _python_lines(code: str) -> str:  # noqa: C901 - one case for each kind of node
    """Return what a Python source uses, a line for each node of its syntax tree: no comments and texts.

    `recursion` is for a function that calls itself. A source that this Python cannot parse is returned as it is.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return code
    found = list[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Dict() | ast.DictComp():
                found.append("dict")
            case ast.Set() | ast.SetComp():
                found.append("set")
            case ast.BinOp(op=ast.Div()):
                found.append("/ ")
            case ast.BinOp(op=ast.Pow() | ast.Mod() as operator, right=right):
                found.append(f"{'**' if isinstance(operator, ast.Pow) else '%'} {ast.unparse(right)}")
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=keywords):
                found += [f"{name}(", *(f"{each.arg}=" for each in keywords)]
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.append(name)
            case ast.Constant(value=int() | float() as value):
                found.append(str(value))
            case ast.Slice():
                found.append("[i:")
            case ast.FunctionDef(name=name):
                calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
                found += [name, "recursion" if any(ast.unparse(each) == name for each in calls) else ""]
    return "\n".join(found)


class _Attacker(Random):
    """Chooses large inputs that an attack fills; `is_used` says whether they have a place for what it fills."""

    def __init__(  # noqa: PLR0917 - the last one is the number of the attempt
        self,
        attack: Attack,
        turn: int,
        most: int,
        constants: Sequence[int],
        rng: random.Random,
        is_over: Callable[[], bool],
        attempt: int,
    ) -> None:
        super().__init__(rng, 1.0, attempt, is_over=is_over)
        self._attack = attack
        self._turn = turn
        self._constants = constants
        self._budget = most / 2**attempt  # a limit on a total may allow less
        self._columns: dict[str, Iterator[int | None]] = {}
        self._singles: list[int] = []
        self._words: dict[str, int] = {}
        self._repeats = 1
        self._edges: list[Weighted] = []
        self._last_node = -1
        self.is_used = False

    def count(self, name: str, low: int, high: int, guide: int | None) -> int:
        budget = int(self._budget)
        few = _MOST_LONG if self._turn % 2 == 0 else math.isqrt(budget)
        has_all = self._attack.words is None or self._turn == _VARIANTS - 1  # what looks like a count may be a length
        return max(low, min(high, budget if has_all else few))

    def enter(self, count: int) -> None:
        super().enter(count)
        self._repeats = count
        self._columns.clear()
        self._edges = []

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        made: list[Any] = []
        if isinstance(domain, Integers) and self._attack.numbers is not None:
            is_distinct = kind.copies == 1 or kind.order.startswith("strictly")
            made = list(self._attack.numbers(self._place(domain, count, 0, is_distinct=is_distinct)))
        elif isinstance(domain, Words) and self._attack.words is not None:
            made = list(islice(cycle([self._word(domain, at, count) for at in range(min(count, 100))]), count))
        if not made:
            return super().values(kind, domain, count, guide)
        self.is_used = True
        made = [each for each in made if domain.has(each)]
        if kind.copies is None and not kind.order.startswith("strictly"):
            made += [domain.draw(self._rng) for _ in range(count - len(made))]
        else:
            made = list(dict.fromkeys(made))
            made = list(dict.fromkeys((*made, *(self._sample(domain, count, 1) if len(made) < count else ()))))
        return in_order(kind, made[:count])

    def value(self, domain: Domain, name: str, guide: Any) -> Any:
        found: Any = None
        if isinstance(domain, Words) and self._attack.words is not None:
            self._words[name] = self._words.get(name, len(self._words) - 1) + 1
            found = self._word(domain, self._words[name], self._repeats)
        elif isinstance(domain, Integers):
            if name not in self._columns:
                self._columns[name] = iter(self._column(domain))
            found = next(self._columns[name], None)
        self.is_used |= found is not None
        return found if domain.has(found) else super().value(domain, name, guide)

    def _column(self, domain: Integers) -> Iterable[int | None]:
        """Return the values of a field of a block, or of the weights of edges."""
        place = self._place(domain, self._repeats, len(self._columns))
        if self._attack.numbers is not None:
            return self._attack.numbers(place) if self._turn < _VARIANTS else [self._single(place)]
        if self._attack.edges is not None and place.column == 0 and self._repeats > 1 and place.low in (0, 1):
            nodes = place.high - place.low + 1
            self._edges = list(islice(self._attack.edges(self._turn, nodes, self._repeats), self._repeats))
            self._last_node = place.high
        if place.column < 2 and place.high == self._last_node:
            return [place.low + (one, other)[place.column] for one, other, _ in self._edges]
        weights = (weight for _, _, weight in self._edges)
        return [None if each is None else each + (place.low if each >= 0 else place.high + 1) for each in weights]

    def _single(self, place: Place) -> int:
        """Return a number of the attack, a small one, or one with the digits of another one of the input."""
        assert self._attack.numbers is not None
        found = self._rng.choice(self._attack.numbers(replace(place, count=_VARIANTS**2)))
        match self._rng.randrange(4):
            case 0 | 1 if self._attack.numbers is _wrapping:
                pass
            case 0:
                found = max(place.low, 0) + self._rng.choice((0, 0, 0, 1, 2, 9))
            case 1 if self._singles:
                digits = str(self._rng.choice(self._singles)).lstrip("-")
                found = int("".join(self._rng.sample(digits, len(digits))) if self._rng.random() < 0.5 else digits)
        self._singles.append(found)
        return found

    def permutation(self, first: int, count: int, guide: Sequence[int] | None) -> list[int]:
        if self._attack.numbers is not _ordered:
            return super().permutation(first, count, guide)
        self.is_used = True
        ranks = _ORDERS[self._turn % len(_ORDERS)](count)
        return [first + each for each in ranks] if len(set(ranks)) == count else list(range(first, first + count))

    def edges(self, graph: GraphRules, nodes: int, count: int, guide: Sequence[Edge] | None) -> list[Edge]:
        if self._attack.edges is None:
            return super().edges(graph, nodes, count, guide)
        self._edges = list(islice(self._attack.edges(self._turn, nodes, count), count))
        self._columns.clear()
        self._last_node = -1
        self.is_used = True
        return self._complete(graph, nodes, count, [(a + graph.first, b + graph.first) for a, b, _ in self._edges])

    def _word(self, domain: Words, column: int, count: int) -> str:
        low, high = domain.length or (domain.pattern.shortest, domain.pattern.longest)
        letters = domain.pattern.alphabet
        assert self._attack.words is not None
        return self._attack.words(
            self._place(Integers(((0, 0),)), 1, column),
            letters,
            max(low, min(high, int(self._budget) // (count if count > _MOST_LONG else 1))),
        )

    def _place(self, domain: Integers, count: int, column: int, *, is_distinct: bool = False) -> Place:
        low, high = domain.ranges[0][0], domain.ranges[-1][1]
        return Place(
            count=count,
            low=low,
            high=high,
            turn=self._turn,
            column=column,
            constants=self._constants,
            is_distinct=is_distinct,
            is_single=self._repeats == 1,
        )


def attack_sources(grammar: Grammar, submission: Program, seed: int, *, is_over: Callable[[], bool]) -> list[Source]:
    """Return a source for each attack whose sign the submission has; none makes inputs when the time is over."""
    texts, language = read_texts([submission.source]), submission.language.id
    constants = find_numbers(texts)
    constants += [each + more for each in constants if each == 10**9 for more in (7, 9)]  # 1e9 + 7
    if language == "python3":
        code = _python_lines(b"\n".join(texts).decode(errors="replace"))
    else:
        code = _COMMENT.sub(b"", b"\n".join(texts)).decode("latin-1")

    def make(attack: Attack, turn: int, size: int, rng: random.Random, seconds: float) -> bytes | None:
        """Return an input; None if the format has no place for what the attack fills. Raises GrammarError."""
        end, attackers = time.thread_time() + seconds, list[_Attacker]()

        def choose(attempt: int) -> _Attacker:
            attacker = _Attacker(
                attack, turn, size, constants, rng, lambda: time.thread_time() > end or is_over(), attempt
            )
            attackers.append(attacker)
            return attacker

        data = grammar.make(choose, is_single=True)
        return data if attackers[-1].is_used else None

    def draw(attack: Attack) -> Iterator[bytes]:
        rng, left, is_single = seeded(seed, attack.name), _MAKING, True
        usual = product(_SIZES if attack.is_small else _SIZES[-1:], range(_VARIANTS))
        combined = product(_SIZES[:1], range(_VARIANTS, _MANY_VARIANTS)) if attack.numbers is not None else ()
        for size, turn in chain(usual, combined):
            if turn >= _VARIANTS and not is_single:
                return
            start = time.thread_time()
            try:
                data = make(attack, turn, size, rng, left)
            except (GrammarError, TooLargeError):
                left -= time.thread_time() - start
                if left <= 0 or is_over():
                    return
                continue
            if data is None:
                return
            is_single &= len(data) <= _SINGLE
            yield data

    return [
        Source(attack.name, draw(attack))
        for attack in ATTACKS
        if (sign := attack.sign.get(language, attack.sign.get(""))) and re.search(sign, code)
    ]
