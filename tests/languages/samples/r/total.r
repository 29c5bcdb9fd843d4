total <- function(numbers) sum(numbers)
