# Mistake: the first guess stays in the buffer, and both programs wait for each other.
import sys

low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess)
    answer = sys.stdin.readline().strip()
    if answer == "right":
        break
    low, high = (low, guess - 1) if answer == "lower" else (guess + 1, high)
