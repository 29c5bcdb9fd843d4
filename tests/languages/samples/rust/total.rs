pub fn total(numbers: &[i64]) -> i64 { numbers.iter().sum() }
