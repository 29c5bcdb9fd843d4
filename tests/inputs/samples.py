"""Grammars that the tests of this folder share, one for each form."""

from functools import cache

import yaml

from judge.inputs import Grammar

CARDS = """
- tests: 1..10000
  until: end of file
  lines: [{cards: {list: {word: "[A2-9TJQK][CDHS]"}, count: 10, distinct: true}}]
"""

SAMPLES = {
    "cards": CARDS,
    "counted cards": """
- tests: 1..200
  until: end of file
  lines: [{n: 0..52, cards: {list: {word: "[A2-9TJQK][CDHS]"}, count: n, distinct: true}}]
""",
    "copies": """
- tests: 1..2000
  until: end of file
  lines: [{tiles: {list: 1..9 or 11..19 or 21..29, count: 1..17, copies: 4}}]
""",
    "connected graph": """
constants: {MAX: 200000}
lines:
  - {n: 1..MAX, m: 0..MAX}
  - graph: {nodes: n, edges: m, connected: true, weight: 1..10^9}
""",
    "graph": """
- {n: 1..100, m: 0..200}
- graph: {nodes: n, edges: m}
""",
    "acyclic graph": """
- {n: 1..50, m: 0..100}
- graph: {nodes: n, edges: m, acyclic: true, first: 0}
""",
    "tree": "[{n: 1..200000}, {tree: n}]",
    "sums": """
- t: 1..10^4
- tests: t
  sum: {n: 200000}
  lines: [{n: 1..200000}, {a: {list: -10^9..10^9, count: n}}]
""",
    "queries": """
- {n: 1..1000, q: 1..1000}
- p: {permutation: n}
- repeat: q
  lines:
    - either: [{type: 1, l: 1..n, r: l..n}, {type: 2, x: 1..n}, {type: {word: end}}]
""",
    "words and relations": """
- n: 1..200000
- s: {word: "[a-z]", length: n}
- {a: 1..10, b: 1..10, c: 1..10}
- where: [a < b <= c, a + c != 7]
""",
    "grid": """
- {h: 1..50, w: 1..50}
- repeat: h
  lines: [{row: {word: "[.#]", length: w}}]
""",
    "terminator": """
- repeat: 0..100
  until: "0 0"
  lines: [{a: 0..10, b: 0..10}]
""",
    "nested": """
- n: 1..20
- repeat: n
  distinct: name
  lines:
    - {name: {word: "[a-z]{1,8}"}, k: 0..5}
    - {v: {list: 1..n, count: k, order: strictly ascending}}
- "---"
- ""
- title: {text: "[ -~]{0,20}"}
- {x: {real: -1.5..1.5, decimals: 1..3}, mode: {choice: [fast, slow]}}
""",
    "rising": """
- n: 1..1000
- repeat: n
  order: {t: strictly ascending}
  lines: [{t: 0..10^9, x: 1..5}]
- {begin: 0..10^9, end: begin+1..2*10^9}
""",
    "previous": """
- n: 1..100
- repeat: n
  lines: [{l: "previous(r, 0) + 1..10^9", r: l..10^9}]
""",
    "numbered": """
- n: 2..300
- p: {list: 1..i, count: n-1, index: i}
- repeat: n
  index: row
  lines: [{k: 0..row, a: {list: 1..row, count: k}}]
""",
    "maze": """
- {h: 1..30, w: 2..30}
- repeat: h
  characters: {S: 1, E: 1, "#": "0..h*w/2"}
  lines: [{row: {word: "[.#SE]", length: w}}]
""",
    "counted words": """
- n: 2..4
- repeat: n
  characters: {"#": 1..n}
  lines: [{row: {word: "[.#x]", length: 3, characters: {".": 1}}}]
- s: {list: {word: "[.#]", length: 1..4, characters: {"#": 1}}, count: n}
""",
    "half": """
- n: 1..500
- s: {word: "[+-]", length: 2*n, characters: {"+": n}}
""",
    "items of lists": """
- {n: 2..100, q: 1..100}
- a: {list: 1..10^9, count: n, order: ascending}
- names: {list: {word: "[a-z]{1,6}"}, count: n, distinct: true}
- repeat: q
  lines: [{i: 1..n, j: i..n, x: "a[i]..a[j]", name: {member: names}}]
""",
    "earlier rows": """
- {n: 1..50, m: 1..50}
- repeat: n
  distinct: id
  lines: [{id: {word: "[A-Z]{3}"}, size: 1..100}]
- repeat: m
  lines: [{who: {member: id}, k: 1..n, amount: "1..size[k]"}]
- total: sum(size)
""",
    "conditions": """
- {n: 1..100, kind: 1..3}
- if: kind = 1
  lines: [{a: {list: 1..9, count: n}}]
  else: [{b: 1..9}, {c: 1..9}]
- if: kind > 1 and n < 50
  lines: [{repeat: n, lines: [{d: 1..9}]}]
- {repeat: (n > 50)*2 + (not (n > 50))*n, lines: [{e: 1..9}]}
""",
    "rows": """
- n: 1..20
- {a: {list: 0..9, count: n}, b: {list: {real: 0..2, decimals: 1..2}, count: n}}
- {s: {list: {word: "[ab]{1,20}"}, count: n}, t: {list: {word: "[a-z]{1,20}"}, count: n}}
""",
    "ranges": """
- {n: 1..10^9, q: 0..1000}
- {repeat: q, lines: [{l: 1..n, r: l..n, c: 1..3 or 7}]}
""",
    "columns": """
- n: 1..1000
- repeat: n
  lines: [{x: 0..10^9, y: -5..5}]
""",
}


@cache
def sample(name: str) -> Grammar:
    """Return a grammar of the table."""
    return grammar(SAMPLES[name])


def grammar(text: str) -> Grammar:
    """Return the grammar that a text in YAML describes."""
    return Grammar.from_yaml(yaml.safe_load(text))
