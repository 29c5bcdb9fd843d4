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
