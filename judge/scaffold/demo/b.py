n = int(input())
numbers = list(map(int, input().split()))

current = 0
best = max(numbers)
for number in numbers:
    if number < 0:
        best = max(best, current)
        current = max(current + number, 0)
    else:
        current += number
if best <= 0:
    best = max(numbers)
print(best)
