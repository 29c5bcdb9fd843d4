# Mistake: ignores minus signs.
import re
import sys

for line in sys.stdin:
    print(sum(map(int, re.findall("[0-9]+", line))))
