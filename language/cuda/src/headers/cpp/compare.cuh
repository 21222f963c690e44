// <compare>: the results of `<=>`.
namespace std {
#define __WS_ORDER(NAME)                                                                                   \
    inline bool operator==(NAME a, NAME b) { return a.__value == b.__value; }                              \
    inline bool operator==(NAME a, int) { return a.__value == 0; }                                         \
    inline bool operator!=(NAME a, int) { return a.__value != 0; }                                         \
    inline bool operator<(NAME a, int) { return a.__value == -1; }                                         \
    inline bool operator>(NAME a, int) { return a.__value == 1; }                                          \
    inline bool operator<=(NAME a, int) { return a.__value == -1 || a.__value == 0; }                      \
    inline bool operator>=(NAME a, int) { return a.__value == 1 || a.__value == 0; }                       \
    inline bool operator<(int, NAME a) { return a.__value == 1; }                                          \
    inline bool operator>(int, NAME a) { return a.__value == -1; }                                         \
    inline bool operator<=(int, NAME a) { return a.__value == 1 || a.__value == 0; }                       \
    inline bool operator>=(int, NAME a) { return a.__value == -1 || a.__value == 0; }                      \
    inline bool is_eq(NAME a) { return a == 0; }                                                           \
    inline bool is_neq(NAME a) { return a != 0; }                                                          \
    inline bool is_lt(NAME a) { return a < 0; }                                                            \
    inline bool is_gt(NAME a) { return a > 0; }                                                            \
    inline bool is_lteq(NAME a) { return a <= 0; }                                                         \
    inline bool is_gteq(NAME a) { return a >= 0; }
struct partial_ordering {
    signed char __value;
    static const partial_ordering less, equivalent, greater, unordered;
};
struct weak_ordering {
    signed char __value;
    static const weak_ordering less, equivalent, greater;
    operator partial_ordering() const { return partial_ordering{__value}; }
};
struct strong_ordering {
    signed char __value;
    static const strong_ordering less, equal, equivalent, greater;
    operator weak_ordering() const { return weak_ordering{__value}; }
    operator partial_ordering() const { return partial_ordering{__value}; }
};
inline const partial_ordering partial_ordering::less{-1};
inline const partial_ordering partial_ordering::equivalent{0};
inline const partial_ordering partial_ordering::greater{1};
inline const partial_ordering partial_ordering::unordered{2};
inline const weak_ordering weak_ordering::less{-1};
inline const weak_ordering weak_ordering::equivalent{0};
inline const weak_ordering weak_ordering::greater{1};
inline const strong_ordering strong_ordering::less{-1};
inline const strong_ordering strong_ordering::equal{0};
inline const strong_ordering strong_ordering::equivalent{0};
inline const strong_ordering strong_ordering::greater{1};
__WS_ORDER(partial_ordering)
__WS_ORDER(weak_ordering)
__WS_ORDER(strong_ordering)
#undef __WS_ORDER
template <class A, class B> inline strong_ordering __three_way(A a, B b) {
    return strong_ordering{(signed char)(a < b ? -1 : b < a ? 1 : 0)};
}
#define __WS_FLOATS(A, B)                                                                                  \
    inline partial_ordering __three_way(A a, B b) {                                                        \
        return partial_ordering{(signed char)(a < b ? -1 : b < a ? 1 : a == b ? 0 : 2)};                   \
    }
__WS_FLOATS(float, float)
__WS_FLOATS(double, double)
#undef __WS_FLOATS
class string;
class string_view;
template <class T> inline constexpr bool __is_text = false;
template <> inline constexpr bool __is_text<string> = true;
template <> inline constexpr bool __is_text<string_view> = true;
template <class T> requires __is_text<T> inline strong_ordering operator<=>(const T &a, const T &b) {
    return strong_ordering{(signed char)(a < b ? -1 : b < a ? 1 : 0)};
}
}
