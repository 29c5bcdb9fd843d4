class Total { static long total(java.util.List<Long> numbers) { long sum = 0; for (long x : numbers) sum += x; return sum; } }
