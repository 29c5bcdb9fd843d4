"""Words in which some characters occur as often as they must."""

from collections.abc import Callable, Sequence

from judge.inputs.choose import Rejected


def place_characters(  # noqa: C901 - two passes over the rules
    words: Sequence[str],
    rules: Sequence[tuple[str, int, int]],
    alphabets: Sequence[str],
    below: Callable[[int], int],
) -> list[str]:
    """Change as few characters of some words as possible, so that some occur as often as they must.

    Args:
        words: stay as they are.
        rules: a character, and how often it occurs at least and at most.
        alphabets: what each word may have.
        below: returns a number from 0 to one less than its argument.

    Raises:
        Rejected: that is not possible.
    """
    found = [list(word) for word in words]
    special = {char for char, _, _ in rules}
    places: dict[str, list[tuple[int, int]]] = {char: [] for char in special}
    others: list[tuple[int, int]] = []
    for number, word in enumerate(found):
        for at, char in enumerate(word):
            places.get(char, others).append((number, at))

    def take(free: list[tuple[int, int]], wanted: str) -> tuple[int, int]:
        """Remove a place where a character is allowed."""
        for _ in range(len(free)):
            at = below(len(free))
            free[at], free[-1] = free[-1], free[at]
            if wanted in alphabets[free[-1][0]]:
                return free.pop()
        raise Rejected

    for char, _, most in rules:
        while len(places[char]) > most:
            number, at = take(places[char], char)
            left = [each for each in alphabets[number] if each not in special]
            left = left or [each for each, least, _ in rules if each in alphabets[number] and len(places[each]) < least]
            if not left:
                raise Rejected
            found[number][at] = left[below(len(left))]
            places.get(found[number][at], others).append((number, at))
    for char, least, _ in rules:
        while len(places[char]) < least:
            spare = next((places[each] for each, low, _ in rules if each != char and len(places[each]) > low), [])
            number, at = take(others or spare, char)
            found[number][at] = char
            places[char].append((number, at))
    return ["".join(word) for word in found]
