/* The options of the sanitizers, in the program: where /proc is hidden, they cannot read their environment variables. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((no_sanitize_address)) const char *__asan_default_options(void) { return ASAN_OPTIONS; }
#ifdef UBSAN_OPTIONS
__attribute__((no_sanitize_address)) const char *__ubsan_default_options(void) { return UBSAN_OPTIONS; }
#endif
#ifdef __cplusplus
}
#endif
#undef ASAN_OPTIONS
#undef UBSAN_OPTIONS

#ifdef MORE_CHECKS
#undef MORE_CHECKS
/* New memory is usually 0 in a short program. One value for all bytes, as the sanitizer's own filling has, leaves counters
   in their right order. The sanitizer clears the memory of `calloc` after this, up to 128 KiB at least. */
#ifdef __cplusplus
extern "C"
#endif
__attribute__((weak, no_sanitize("address", "undefined")))
void __sanitizer_malloc_hook(const volatile void *place, __SIZE_TYPE__ size) {
    unsigned char *bytes = (unsigned char *)place;
    unsigned value = 1;
    if (size <= 65536)
        for (__SIZE_TYPE__ i = 0; i < size; i++) bytes[i] = (value = value * 1664525u + 1013904223u) >> 24;
}

/* `accumulate(a.begin(), a.end(), 0)` sums up in an `int`, whatever is in `a`: here, what does not fit is an overflow. */
#if __cplusplus > 201703L
namespace std {
inline void judge_overflow() { volatile int most = __INT_MAX__; most = most + 1; }
template <class Number> constexpr void judge_check(const Number &, int) {}
constexpr void judge_check(long long sum, int kept) { if (sum != kept) judge_overflow(); }
constexpr void judge_check(long sum, int kept) { if (sum != kept) judge_overflow(); }
template <class Iterator> constexpr int accumulate(Iterator first, Iterator last, int sum) {
    for (; first != last; ++first) {
        auto next = sum + *first;
        sum = next;
        judge_check(next, sum);
    }
    return sum;
}
}
#endif
#endif
