"""What the programs that `checktestdata` translates are made of: never imported, copied in parts to each program."""

# [both]
import sys


class Rejected(Exception):
    pass


def quotient(a, b):
    if b == 0:
        raise Rejected("division by 0")
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return a - b * quotient(a, b)


def power(a, b):
    if b > 10000:
        raise Rejected("the exponent is too large")
    return a**b


def in_array(V, value, name):
    return any(key[0] == name and found == value for key, found in V.items() if isinstance(key, tuple))


def unique(V, *names):
    keys = [key[1:] for key in V if isinstance(key, tuple) and key[0] == names[0]]
    rows = [tuple(V.get((name, *key)) for name in names) for key in keys]
    return len(set(rows)) == len(rows)


def unset(V, name):
    for key in [key for key in V if key == name or (isinstance(key, tuple) and key[0] == name)]:
        del V[key]


# [reader]
import re

INTEGER = re.compile(r"0|-?[1-9][0-9]*")
FIXED = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")
SCIENTIFIC = re.compile(r"-?[0-9](?:\.([0-9]+))?[eE][+-]?[0-9]+")
ANY = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]+)?")


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self.patterns = {}

    def match(self, pattern, what):
        found = pattern.match(self.data, self.at)
        if found is None:
            raise Rejected("expected " + what)
        self.at = found.end()
        return found

    def literal(self, text):
        if not self.data.startswith(text, self.at):
            raise Rejected("expected %r" % text)
        self.at += len(text)

    def int(self, low, high):
        text = self.match(INTEGER, "an integer")[0]
        if len(text) > 4000:
            raise Rejected("an integer with more than 4,000 digits")
        value = int(text)
        if not low <= value <= high:
            self.at -= len(text)
            raise Rejected("%s is not between %s and %s" % (text, low, high))
        return value

    def float(self, low, high, style):
        pattern = FIXED if style == "FIXED" else SCIENTIFIC if style == "SCIENTIFIC" else ANY
        text = self.match(pattern, "a number")[0]
        value = float(text)
        if not low <= value <= high:
            self.at -= len(text)
            raise Rejected("%s is not between %s and %s" % (text, low, high))
        return value

    def floatp(self, low, high, least, most, style):
        start = self.at
        value = self.float(low, high, style or "FIXED")
        places = len(self.data[start : self.at].lower().partition("e")[0].partition(".")[2])
        if not least <= places <= most:
            raise Rejected("a number with %s decimals, expected %s to %s" % (places, least, most))
        return value

    def regex(self, text):
        if text not in self.patterns:
            self.patterns[text] = re.compile(text)
        return self.match(self.patterns[text], text)[0]

    def require(self, is_true, text):
        if not is_true:
            raise Rejected("the assertion %s does not hold" % text)

    def sees(self, letters):
        return self.at < len(self.data) and self.data[self.at] in letters

    def at_end(self):
        return self.at >= len(self.data)

    def end(self):
        if not self.at_end():
            raise Rejected("expected the end of the file")

    def times(self, count, separate):
        for at in range(count):
            if at and separate:
                separate()
            yield at

    def loop(self, goes_on, separate):
        at = 0
        while goes_on():
            if at and separate:
                separate()
            yield at
            at += 1


def check(grammar):
    t = Reader(sys.stdin.buffer.read().decode("latin-1"))
    try:
        grammar(t, {})
        t.end()
    except (Rejected, KeyError, TypeError, ValueError, OverflowError) as error:
        line = t.data.count("\n", 0, t.at) + 1
        column = t.at - t.data.rfind("\n", 0, t.at)
        if isinstance(error, KeyError):
            error = "a variable without a value: %s" % error
        sys.stderr.write("line %s, column %s: %s\n" % (line, column, error))
        sys.exit(43)
    sys.exit(42)


# [writer]
import re
from random import Random

try:
    from re import _parser as sre
except ImportError:
    import sre_parse as sre

MOST = 1 << 20
STYLES = ("tiny", "small", "limits", "any", "any", "equal", "most", "near", "again")


class Writer:
    def __init__(self, random, size):
        self.random = random
        self.size = size
        self.parts = []
        self.length = 0
        self.styles = {}
        self.latest = {}
        self.letters = {}
        self.patterns = {}

    def write(self, value):
        self.literal(value if isinstance(value, str) else str(value))

    def literal(self, text):
        self.parts.append(text)
        self.length += len(text)
        if self.length > MOST:
            raise Rejected("too large")

    def int(self, site, low, high, is_count):
        low, high = int(low), int(high)
        if low > high:
            return
        if is_count:
            top = max(low, min(high, self.size))
            yield self.random.choice((top, self.random.randint(low, top)))
            for _ in range(8):
                yield self.random.randint(low, top)
            yield low
            return
        known = self.latest.setdefault(site, [])
        if site not in self.styles:
            self.styles[site] = self.random.choice(STYLES)
        for at in range(40):
            value = self.number(low, high, self.styles[site] if at < 5 else STYLES[at % len(STYLES)], known)
            if at == 39:
                value = high
            if low <= value <= high:
                known.append(value)
                yield value
                known.pop()

    def number(self, low, high, style, known):
        random = self.random
        if style == "tiny":
            start = 0 if low <= 0 <= high else low
            return random.randint(max(low, start - 1), min(high, start + 2))
        if style == "small":
            start = 0 if low <= 0 <= high else low
            return random.randint(max(low, start - 10), min(high, start + 10))
        if style == "limits":
            return random.choice((low, low, low + 1, high - 1, high, high))
        if style == "most":
            return high if random.random() < 0.9 else random.randint(low, high)
        if known and style == "equal" and random.random() < 0.9:
            return known[0]
        if known and style == "near":
            return known[-1] + random.choice((-1, 0, 1, 1, 1, 2))
        if known and style == "again":
            return random.choice(known)
        return random.randint(low, high)

    def float(self, site, low, high, style):
        return self.floatp(site, low, high, 0, 3, style)

    def floatp(self, site, low, high, least, most, style):
        for _ in range(20):
            places = self.random.randint(int(least), int(most))
            value = self.random.choice((low, high, self.random.uniform(low, high), self.random.uniform(low, high)))
            text = "%.*f" % (places, value)
            if low <= float(text) <= high and float(text) + 0 == float(text):
                yield Decimal(text.lstrip("-") if float(text) == 0 else text)

    def regex(self, site, text, limits):
        exact, most = limits
        if text not in self.patterns:
            self.patterns[text] = sre.parse(text)
        if site not in self.letters or self.random.random() < 0.02:
            self.letters[site] = self.random.choice((1, 2, 3, 100))
        for at in range(30):
            length = self.size if exact is None else int(exact)
            if exact is None:
                length = self.random.randint(0, max(length, 1)) if at else self.random.choice((1, length, length // 2))
                length = length if most is None else min(length, int(most))
            out = []
            few = Random("%s/%s/%s" % (site, self.letters[site], id(self)))
            self.pattern(self.patterns[text], out, length, self.letters[site], few)
            word = "".join(out)
            if exact is None or len(word) == exact:
                yield word

    def pattern(self, pattern, out, length, few, order):
        for kind, value in pattern:
            kind = str(kind)
            if kind == "LITERAL":
                out.append(chr(value))
            elif kind in ("IN", "ANY", "NOT_LITERAL"):
                out.append(self.letter(kind, value, few))
            elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
                low, high, inner = value
                rest = max(0, length - sum(map(len, out)))
                top = min(int(high), max(low, rest))
                is_letter = len(inner) == 1 and str(inner[0][0]) in ("IN", "ANY", "LITERAL", "NOT_LITERAL")
                count = top if is_letter else self.random.randint(low, min(top, low + 8))
                for _ in range(count):
                    self.pattern(inner, out, length, few, order)
            elif kind == "BRANCH":
                self.pattern(self.random.choice(value[1]), out, length, few, order)
            elif kind == "SUBPATTERN":
                self.pattern(value[-1], out, length, few, order)
            elif kind != "AT":
                raise Rejected("a pattern that is not known: " + kind)

    def letter(self, kind, value, few):
        if kind == "ANY":
            return self.random.choice("ab ")
        if kind == "NOT_LITERAL":
            return self.random.choice([each for each in "abAB01 " if each != chr(value)])
        key = str(value)
        if key not in self.patterns:
            letters = []
            for what, each in value:
                what = str(what)
                if what == "LITERAL":
                    letters.append(chr(each))
                elif what == "RANGE":
                    letters += map(chr, range(each[0], each[1] + 1))
                elif what == "CATEGORY":
                    letters += "0123456789" if "DIGIT" in str(each) else "ab" if "WORD" in str(each) else " "
            if value and str(value[0][0]) == "NEGATE":
                letters = [chr(each) for each in range(33, 127) if chr(each) not in letters]
            self.patterns[key] = self.random.sample(letters, len(letters))
        letters = self.patterns[key]
        return letters[int(self.random.random() * min(few, len(letters)))]

    def require(self, is_true, text):
        if not is_true:
            raise Rejected(text)

    def sees(self, letters):
        return self.random.random() < 0.7

    def at_end(self):
        return self.random.random() < 1 / (1 + self.size)

    def end(self):
        pass

    def times(self, count, separate):
        for at in range(int(count)):
            if at and separate:
                separate()
            yield at

    def loop(self, goes_on, separate):
        at = 0
        while goes_on():
            if at and separate:
                separate()
            yield at
            at += 1


class Decimal(float):
    def __new__(cls, text):
        value = float.__new__(cls, text)
        value.text = text
        return value

    def __str__(self):
        return self.text


def make(grammar):
    seed, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random = Random(seed)
    for _ in range(count):
        for attempt in range(20):
            t = Writer(random, max(1, size >> (attempt // 2)))
            try:
                grammar(t, {})
            except (Rejected, KeyError, TypeError, ValueError, OverflowError, RecursionError):
                continue
            data = "".join(t.parts).encode("latin-1", "replace")
            sys.stdout.buffer.write(b"%d\n" % len(data) + data)
            break
