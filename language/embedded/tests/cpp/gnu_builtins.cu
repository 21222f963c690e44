// Built-in functions and macros of GNU's compilers, in constants, too.
#include <cstdio>
static_assert(__builtin_popcount(7) == 3 && __builtin_clz(1) == 31, "");
#if !defined(__linux__) || !defined(__GNUC__) || !defined(__unix__) || __CHAR_BIT__ != 8
#error "the macros of the system are missing"
#endif
int main() {
    unsigned w = 0x100;
    int x = 5;
    printf("%d %d %d %d\n", __builtin_popcount(w), __builtin_clz(w), __builtin_ctz(w), __builtin_ffs(8));
    printf("%d %d %d\n", __builtin_popcountll(~0ull), __builtin_clzll(7), __builtin_ctzl(8ul << 40));
    printf("%x %llx %d\n", __builtin_bswap32(1), (unsigned long long)__builtin_bswap64(1), __builtin_bswap16(1));
    printf("%d %d %ld\n", __builtin_parity(7), __builtin_abs(-3), __builtin_expect(x > 3, 1));
    printf("%d %d %d\n", __builtin_isnan(0.0), __builtin_huge_val() > 1e308, __builtin_addressof(x) == &x);
    __builtin_prefetch(&x);
    char a[4];
    __builtin_memset(a, 1, 4);
    printf("%d %d %g\n", a[1], (int)__builtin_strlen("ab"), __builtin_sqrt(4.0));
    printf("%d %d %g\n", __INT_MAX__, __LONG_MAX__ > 0, (double)__FLT_EPSILON__);
    return 0;
}
