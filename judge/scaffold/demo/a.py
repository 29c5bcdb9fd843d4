n = int(input())
numbers = list(map(int, input().split()))

current = 0
best = 0
for number in numbers:
    current = max(current + number, number)
    best = max(best, current)
print(best)
