"""Walk through the ranks, ace first, with the set of all possible states of the unfinished runs.

A set is 3 or 4 cards of one rank, so the cards of a rank that go into runs are all of them, or all but a set. The run
cards of a suit are fine when each unbroken stretch of them has at least 3 cards, so of a suit's open stretch only the
length matters: 0, 1, 2, or 3 and more. That is 4 states a suit and 256 in all; a set of them is a 256-bit number.
Which aces end a run after the king is tried in every way beforehand: they come off the front and count at the end.

Sets of states are the nodes of an automaton that is built as the hands need it: most steps are a look-up.
"""
import sys

RANKS = "A23456789TJQK"
SUITS = range(4)
# A hand is a number: a hexadecimal digit a rank, the ace's first; a bit of the digit a suit.
WEIGHT = {
    rank + suit: 1 << (4 * (12 - r) + s)
    for r, rank in enumerate(RANKS)
    for s, suit in enumerate("CDHS")
}
IN_SET = [s for s in range(16) if bin(s).count("1") in (0, 3, 4)]
# State number: two bits a suit, the length of its open run (3 is "3 and more").
OPEN = [
    [sum(1 << state for state in range(256) if state >> 2 * s & 3 == n) for n in range(4)]
    for s in SUITS
]


def after_rank(states, running):
    """Return the states after a rank whose suits in `running` go into runs; the others end or stay closed."""
    for s in SUITS:
        none, one, two, more = OPEN[s]
        if running >> s & 1:
            states = (states & (none | one | two)) << 4 ** s | states & more
        else:
            states = states & none | (states & more) >> 3 * 4 ** s
    return states


class Node(dict):
    """A set of states; node[digit] is the node after a rank of which the suits in the hexadecimal digit are held."""

    known = {}

    def __init__(self, states):
        super().__init__()
        self.states = states

    def __missing__(self, digit):
        held = int(digit, 16)
        states = 0
        for in_set in IN_SET:
            if in_set & held == in_set:
                states |= after_rank(self.states, held ^ in_set)
        if states not in self.known:
            self.known[states] = Node(states)
        self[digit] = node = self.known[states]
        return node


def final_states(high):
    """Return the states that end well after the king when the aces in `high` are added: long enough or closed."""
    states = -1
    for s in SUITS:
        none, one, two, more = OPEN[s]
        states &= two | more if high >> s & 1 else none | more
    return states


FINAL = [final_states(high) for high in range(16)]
SUBSETS = [[part for part in range(16) if part & whole == part] for whole in range(16)]


def clears(hand, start):
    aces, queens, kings = hand >> 48, hand >> 4 & 15, hand & 15
    for high in SUBSETS[aces & queens & kings]:
        node = start
        for digit in "%013x" % (hand - (high << 48)):
            node = node[digit]
        if node.states & FINAL[high]:
            return True
    return False


def main():
    start = Node(1)
    answers = []
    for line in sys.stdin:
        fields = line.split()
        if fields:
            hand = sum([WEIGHT[card] for card in fields[1:]])
            answers.append("YES" if clears(hand, start) else "NO")
    print("\n".join(answers))


main()
