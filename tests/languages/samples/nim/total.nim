proc total*(numbers: seq[int]): int =
  for x in numbers: result += x
