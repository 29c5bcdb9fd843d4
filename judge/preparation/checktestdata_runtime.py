"""What validators translated from Checktestdata have in common: never imported, copied to each program."""

import re
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
    keys, *others = [{key[1:] for key in V if isinstance(key, tuple) and key[0] == name} for name in names]
    if any(each != keys for each in others):
        raise Rejected("%s have different indices" % " and ".join(names))
    rows = [tuple(V[(name, *key)] for name in names) for key in keys]
    return len(set(rows)) == len(rows)


def unset(V, name):
    for key in [key for key in V if key == name or (isinstance(key, tuple) and key[0] == name)]:
        del V[key]


INTEGER = re.compile(r"0|-?[1-9][0-9]*")
FIXED = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
SCIENTIFIC = re.compile(FIXED.pattern + r"[eE][+-]?(?:0|[1-9][0-9]*)")
ANY = re.compile("%s|%s" % (SCIENTIFIC.pattern, FIXED.pattern))


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
        value = self.float(low, high, style)
        digits, exponent, _ = self.data[start : self.at].lower().partition("e")
        whole, _, decimals = digits.lstrip("-").partition(".")
        if not least <= len(decimals) <= most:
            raise Rejected("a number with %s decimals, expected %s to %s" % (len(decimals), least, most))
        if exponent and (whole == "0" or len(whole) > 1):
            raise Rejected("%s in place of one digit from 1 to 9 before the decimal point" % whole)
        return value

    def regex(self, text):
        if text not in self.patterns:
            self.patterns[text] = re.compile(text.removeprefix("^"), re.DOTALL)  # of Python, that is the beginning of the file
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
    except (Rejected, KeyError, TypeError, ValueError, ArithmeticError, re.error) as error:
        line = t.data.count("\n", 0, t.at) + 1
        column = t.at - t.data.rfind("\n", 0, t.at)
        if isinstance(error, KeyError):
            error = "a variable without a value: %s" % error
        sys.stderr.write("line %s, column %s: %s\n" % (line, column, error))
        sys.exit(43)
    sys.exit(42)
