// <concepts>.
#include <type_traits>
namespace std {
template <class T, class U> concept __same = is_same_v<T, U>;
template <class T, class U> concept same_as = __same<T, U> && __same<U, T>;
template <class T, class B> concept derived_from = is_base_of_v<B, T> && is_convertible_v<const T *, const B *>;
template <class F, class T> concept convertible_to =
    is_convertible_v<F, T> && requires { static_cast<T>(declval<F>()); };
template <class T, class U> concept common_with =
    same_as<common_type_t<T, U>, common_type_t<U, T>> && convertible_to<T, common_type_t<T, U>>
    && convertible_to<U, common_type_t<T, U>>;
template <class T> concept integral = is_integral_v<T>;
template <class T> concept signed_integral = integral<T> && is_signed_v<T>;
template <class T> concept unsigned_integral = integral<T> && !signed_integral<T>;
template <class T> concept floating_point = is_floating_point_v<T>;
template <class T, class U> concept assignable_from = is_lvalue_reference_v<T> && requires(T to, U &&from) {
    { to = static_cast<U &&>(from) } -> same_as<T>;
};
template <class T> concept destructible = is_destructible_v<T>;
template <class T, class... A> concept constructible_from = destructible<T> && is_constructible_v<T, A...>;
template <class T> concept default_initializable = constructible_from<T> && requires { T{}; };
template <class T> concept move_constructible = constructible_from<T, T> && convertible_to<T, T>;
template <class T> concept copy_constructible =
    move_constructible<T> && constructible_from<T, T &> && convertible_to<T &, T>
    && constructible_from<T, const T &> && convertible_to<const T &, T>;
template <class T> concept swappable =
    is_move_constructible_v<remove_all_extents_t<remove_reference_t<T>>>
    && is_move_assignable_v<remove_all_extents_t<remove_reference_t<T>>>;
template <class T> concept __boolean = convertible_to<T, bool> && requires(T &&value) {
    { !static_cast<T &&>(value) } -> convertible_to<bool>;
};
template <class T, class U> concept __equals =
    requires(const remove_reference_t<T> &a, const remove_reference_t<U> &b) {
        { a == b } -> __boolean;
        { a != b } -> __boolean;
        { b == a } -> __boolean;
        { b != a } -> __boolean;
    };
template <class T> concept equality_comparable = __equals<T, T>;
template <class T, class U> concept equality_comparable_with =
    equality_comparable<T> && equality_comparable<U> && __equals<T, U>;
template <class T, class U> concept __ordered =
    requires(const remove_reference_t<T> &a, const remove_reference_t<U> &b) {
        { a < b } -> __boolean;
        { a > b } -> __boolean;
        { a <= b } -> __boolean;
        { a >= b } -> __boolean;
        { b < a } -> __boolean;
        { b > a } -> __boolean;
        { b <= a } -> __boolean;
        { b >= a } -> __boolean;
    };
template <class T> concept totally_ordered = equality_comparable<T> && __ordered<T, T>;
template <class T, class U> concept totally_ordered_with =
    totally_ordered<T> && totally_ordered<U> && equality_comparable_with<T, U> && __ordered<T, U>;
template <class T> concept movable =
    is_object_v<T> && move_constructible<T> && assignable_from<T &, T> && swappable<T>;
template <class T> concept copyable =
    copy_constructible<T> && movable<T> && assignable_from<T &, T &> && assignable_from<T &, const T &>;
template <class T> concept semiregular = copyable<T> && default_initializable<T>;
template <class T> concept regular = semiregular<T> && equality_comparable<T>;
template <class F, class... A> concept invocable = is_invocable_v<F, A...>;
template <class F, class... A> concept regular_invocable = invocable<F, A...>;
template <class F, class... A> concept predicate =
    regular_invocable<F, A...> && __boolean<invoke_result_t<F, A...>>;
template <class R, class T, class U> concept relation =
    predicate<R, T, T> && predicate<R, U, U> && predicate<R, T, U> && predicate<R, U, T>;
template <class R, class T, class U> concept equivalence_relation = relation<R, T, U>;
template <class R, class T, class U> concept strict_weak_order = relation<R, T, U>;
}
