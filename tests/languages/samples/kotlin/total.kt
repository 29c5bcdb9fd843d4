fun total(numbers: List<Long>): Long = numbers.sum()
