"""The Psychic Poker Player (UVa 131): counts what each category still needs, without trying any discards.

Drawing k cards fixes the deck's part of the final hand; the other 5 - k may be any cards of the hand. So each category
is a question of counting: does the drawn part fit it, and does the hand hold what is missing? The questions go from the
best category down, so each may ask for "at least": what is better has been ruled out before.
"""

import sys

RANKS = "A23456789TJQKA"
STRAIGHTS = [set(RANKS[low:low + 5]) for low in range(10)]


class Draw:
    """The first k cards of the deck, and the hand from which the other 5 - k are kept."""

    def __init__(self, hand, drawn):
        self.hand, self.drawn, self.kept = hand, drawn, 5 - len(drawn)
        hand_ranks = [card[0] for card in hand]
        drawn_ranks = [card[0] for card in drawn]
        self.hand_kinds, self.drawn_kinds = set(hand_ranks), set(drawn_ranks)
        # For each rank: how many cards of it are drawn, and how many the hand could add.
        self.counts = [(drawn_ranks.count(rank), min(self.kept, hand_ranks.count(rank)))
                       for rank in self.hand_kinds | self.drawn_kinds]
        self.most_alike = max(drawn + addable for drawn, addable in self.counts)

    def suited(self):
        """The ranks that the hand and the drawn cards bring to a flush, or None if none is in reach."""
        suit = (self.drawn or self.hand)[0][1]
        drawn = {card[0] for card in self.drawn if card[1] == suit}
        hand = {card[0] for card in self.hand if card[1] == suit}
        return (hand, drawn) if len(drawn) == len(self.drawn) and len(hand) >= self.kept else None


def makes_straight(hand_kinds, drawn_kinds):
    return any(drawn_kinds <= window <= hand_kinds | drawn_kinds for window in STRAIGHTS)


def straight_flush(draw):
    kinds = draw.suited()
    return kinds is not None and makes_straight(*kinds)


def four_of_a_kind(draw):
    return draw.most_alike == 4


def full_house(draw):
    if len(draw.drawn_kinds) > 2:
        return False
    wholly = [(drawn, addable) for drawn, addable in draw.counts if drawn or addable >= 2]
    for three in wholly:
        for pair in wholly:
            all_drawn = three[0] + pair[0] == len(draw.drawn)
            if three is not pair and all_drawn and three[0] <= 3 <= sum(three) and pair[0] <= 2 <= sum(pair):
                return True
    return False


def flush(draw):
    return draw.suited() is not None


def straight(draw):
    return len(draw.drawn_kinds) == len(draw.drawn) and makes_straight(draw.hand_kinds, draw.drawn_kinds)


def three_of_a_kind(draw):
    return draw.most_alike >= 3


def two_pairs(draw):
    needs = sorted(max(0, 2 - drawn) for drawn, addable in draw.counts if drawn + addable >= 2)
    return len(needs) >= 2 and needs[0] + needs[1] <= draw.kept


def one_pair(draw):
    return draw.most_alike >= 2


CATEGORIES = (
    ("straight-flush", straight_flush),
    ("four-of-a-kind", four_of_a_kind),
    ("full-house", full_house),
    ("flush", flush),
    ("straight", straight),
    ("three-of-a-kind", three_of_a_kind),
    ("two-pairs", two_pairs),
    ("one-pair", one_pair),
)


def best_hand(hand, deck):
    draws = [Draw(hand, deck[:k]) for k in range(6)]
    for name, in_reach in CATEGORIES:
        if any(map(in_reach, draws)):
            return name
    return "highest-card"


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            hand, deck = cards[:5], cards[5:]
            print("Hand:", " ".join(hand), "Deck:", " ".join(deck), "Best hand:", best_hand(hand, deck))


main()
