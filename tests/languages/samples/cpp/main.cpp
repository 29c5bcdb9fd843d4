#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
long total(const std::vector<long> &numbers);
volatile int sink;
static int deep(int n) { int r = n == 0 ? 0 : 1 + deep(n - 1); sink = r; return r; }
int main() {
    std::string mode;
    std::cin >> mode;
    std::vector<long> numbers;
    for (long x; std::cin >> x;) numbers.push_back(x);
    if (mode == "sum") std::cout << total(numbers) << "\n";
    if (mode == "deep") std::cout << deep(numbers[0]) << "\n";
    if (mode == "memory") { std::vector<char> kept(numbers[0] << 20, 1); std::cout << kept.size() << "\n"; }
    if (mode == "loop") for (;;) sink = sink + 1;
    if (mode == "fail") throw std::runtime_error("failed");
}
