def total(numbers) = numbers.sum
