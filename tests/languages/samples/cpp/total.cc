#include <numeric>
#include <vector>
long total(const std::vector<long> &numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0L); }
