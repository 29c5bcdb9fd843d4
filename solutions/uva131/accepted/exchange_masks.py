"""The Psychic Poker Player (UVa 131): exchanges cards in place, mask by mask, and counts ranks in an array.

A mask says which of the five places of the hand are exchanged. The masks with k ones are walked from 11..00 to 00..11:
the last one that can move right moves, and the ones behind it close up to it. Each exchanged hand is classified by its
array of rank counts.
"""

import sys

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
RANKS = "A23456789TJQK"
RANK_INDEX = {rank: index for index, rank in enumerate(RANKS)}
FIVE_SINGLES = [1] * 5


def next_mask(mask):
    """The mask after `mask` with as many ones, or None after the last."""
    for place in range(len(mask) - 2, -1, -1):
        if mask[place] and not mask[place + 1]:
            behind = sum(mask[place + 2:])
            zeros = len(mask) - place - 2 - behind
            return mask[:place] + [0, 1] + [1] * behind + [0] * zeros
    return None


def all_masks():
    """For every way to exchange, the places in the ten cards from which the five cards of the new hand come."""
    sources = []
    for exchanged in range(6):
        mask = [1] * exchanged + [0] * (5 - exchanged)
        while mask is not None:
            deck_top = iter(range(5, 10))
            sources.append([next(deck_top) if bit else place for place, bit in enumerate(mask)])
            mask = next_mask(mask)
    return sources


MASKS = all_masks()


def is_straight(counts):
    """Whether five different ranks follow each other; `counts` has the ace at both ends."""
    low = counts.index(1)
    if counts[low:low + 5] == FIVE_SINGLES:
        return True
    return low == 0 and counts[9:] == FIVE_SINGLES


def category(a, b, c, d, e, suits):
    """The place in CATEGORIES of five cards, given as rank indices and a list of their suits."""
    counts = [0] * 14
    counts[a] = 1
    counts[b] += 1
    counts[c] += 1
    counts[d] += 1
    counts[e] += 1
    unused = counts.count(0)
    if unused == 10:
        return 7
    if unused == 11:
        return 5 if 3 in counts else 6
    if unused == 12:
        return 1 if 4 in counts else 2
    counts[13] = counts[0]
    flush = suits.count(suits[0]) == 5
    if is_straight(counts):
        return 0 if flush else 4
    return 3 if flush else 8


def best_hand(cards):
    """The best place in CATEGORIES that ten cards, the hand's five first, can reach."""
    ranks = [RANK_INDEX[card[0]] for card in cards]
    suits = [card[1] for card in cards]
    best = 8
    for a, b, c, d, e in MASKS:
        found = category(ranks[a], ranks[b], ranks[c], ranks[d], ranks[e],
                         (suits[a], suits[b], suits[c], suits[d], suits[e]))
        if found < best:
            best = found
    return best


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            name = CATEGORIES[best_hand(cards)]
            print("Hand: {} {} {} {} {} Deck: {} {} {} {} {} Best hand: {}".format(*cards + [name]))


main()
