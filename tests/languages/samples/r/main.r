source("total.r")
deep <- function(n) if (n == 0) 0 else 1 + deep(n - 1)
words <- scan(file("stdin"), what = "", quiet = TRUE)
numbers <- as.numeric(words[-1])
mode <- words[1]
if (mode == "sum") cat(format(total(numbers), scientific = FALSE), "\n", sep = "")
if (mode == "deep") cat(deep(numbers[1]), "\n", sep = "")
if (mode == "memory") { kept <- rep(1, numbers[1] * 131072); cat(length(kept), "\n") }
if (mode == "loop") repeat {}
if (mode == "fail") stop("failed")
