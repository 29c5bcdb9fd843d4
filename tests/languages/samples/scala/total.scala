object Total { def total(numbers: Array[Long]): Long = numbers.sum }
