long total(long sum, long x);
