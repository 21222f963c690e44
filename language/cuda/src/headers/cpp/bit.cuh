// <bit>: the bits of unsigned numbers.
#include <concepts>
namespace std {
enum class endian { little, big, native = little };
template <class T> concept __bits = unsigned_integral<T> && !is_same_v<remove_cv_t<T>, bool>;
template <__bits T> inline constexpr int __width = 8 * sizeof(T);
template <class T, class F> requires (sizeof(T) == sizeof(F) && is_trivially_copyable_v<T> && is_trivially_copyable_v<F>)
inline T bit_cast(const F &from) {
    T to;
    for (size_t i = 0; i < sizeof(T); ++i) ((char *)&to)[i] = ((const char *)&from)[i];
    return to;
}
template <__bits T> constexpr int popcount(T x) {
    int count = 0;
    for (; x != 0; x = x & (T)(x - 1)) ++count;
    return count;
}
template <__bits T> constexpr int bit_width(T x) {
    int width = 0;
    for (; x != 0; x = x >> 1) ++width;
    return width;
}
template <__bits T> constexpr int countl_zero(T x) { return __width<T> - bit_width(x); }
template <__bits T> constexpr int countl_one(T x) { return countl_zero((T)~x); }
template <__bits T> constexpr int countr_zero(T x) {
    int count = 0;
    for (; count < __width<T> && (x & 1) == 0; x = x >> 1) ++count;
    return count;
}
template <__bits T> constexpr int countr_one(T x) { return countr_zero((T)~x); }
template <__bits T> constexpr bool has_single_bit(T x) { return x != 0 && (x & (T)(x - 1)) == 0; }
template <__bits T> constexpr T bit_floor(T x) { return x == 0 ? (T)0 : (T)((T)1 << (bit_width(x) - 1)); }
template <__bits T> constexpr T bit_ceil(T x) { return x <= 1 ? (T)1 : (T)((T)1 << bit_width((T)(x - 1))); }
template <__bits T> constexpr T rotl(T x, int by) {
    int count = by & (__width<T> - 1);
    return count == 0 ? x : (T)((T)(x << count) | (T)(x >> (__width<T> - count)));
}
template <__bits T> constexpr T rotr(T x, int by) { return rotl(x, -by); }
}
