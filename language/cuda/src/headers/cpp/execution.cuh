// <execution>: algorithms with execution policies. One thread executes all of them, which the
// policies permit. An exception of an element ends the program ([algorithms.parallel.exceptions]).
#include <algorithm>
#include <numeric>
#include <type_traits>
namespace std {
namespace execution {
class sequenced_policy {};
class parallel_policy {};
class parallel_unsequenced_policy {};
class unsequenced_policy {};
inline constexpr sequenced_policy seq{};
inline constexpr parallel_policy par{};
inline constexpr parallel_unsequenced_policy par_unseq{};
#if __cplusplus >= 202002L
inline constexpr unsequenced_policy unseq{};
#endif
}
template <class T> struct is_execution_policy : false_type {};
template <> struct is_execution_policy<execution::sequenced_policy> : true_type {};
template <> struct is_execution_policy<execution::parallel_policy> : true_type {};
template <> struct is_execution_policy<execution::parallel_unsequenced_policy> : true_type {};
template <> struct is_execution_policy<execution::unsequenced_policy> : true_type {};
template <class T> inline constexpr bool is_execution_policy_v = is_execution_policy<T>::value;
#define __WS_PARALLEL(NAME)                                                                                \
    template <class P, class = enable_if_t<is_execution_policy_v<decay_t<P>>>, class... A>                 \
    inline decltype(auto) NAME(P &&, A &&...list) {                                                        \
        try {                                                                                              \
            return std::NAME((A &&)list...);                                                               \
        } catch (...) {                                                                                    \
            terminate();                                                                                   \
        }                                                                                                  \
    }
__WS_PARALLEL(adjacent_difference)
__WS_PARALLEL(adjacent_find)
__WS_PARALLEL(all_of)
__WS_PARALLEL(any_of)
__WS_PARALLEL(copy)
__WS_PARALLEL(copy_if)
__WS_PARALLEL(copy_n)
__WS_PARALLEL(count)
__WS_PARALLEL(count_if)
__WS_PARALLEL(equal)
__WS_PARALLEL(exclusive_scan)
__WS_PARALLEL(fill)
__WS_PARALLEL(fill_n)
__WS_PARALLEL(find)
__WS_PARALLEL(find_end)
__WS_PARALLEL(find_first_of)
__WS_PARALLEL(find_if)
__WS_PARALLEL(find_if_not)
__WS_PARALLEL(for_each)
__WS_PARALLEL(for_each_n)
__WS_PARALLEL(generate)
__WS_PARALLEL(generate_n)
__WS_PARALLEL(includes)
__WS_PARALLEL(inclusive_scan)
__WS_PARALLEL(inplace_merge)
__WS_PARALLEL(is_heap)
__WS_PARALLEL(is_heap_until)
__WS_PARALLEL(is_partitioned)
__WS_PARALLEL(is_sorted)
__WS_PARALLEL(is_sorted_until)
__WS_PARALLEL(lexicographical_compare)
__WS_PARALLEL(max_element)
__WS_PARALLEL(merge)
__WS_PARALLEL(min_element)
__WS_PARALLEL(minmax_element)
__WS_PARALLEL(mismatch)
__WS_PARALLEL(move)
__WS_PARALLEL(none_of)
__WS_PARALLEL(nth_element)
__WS_PARALLEL(partial_sort)
__WS_PARALLEL(partial_sort_copy)
__WS_PARALLEL(partition)
__WS_PARALLEL(partition_copy)
__WS_PARALLEL(reduce)
__WS_PARALLEL(remove)
__WS_PARALLEL(remove_copy)
__WS_PARALLEL(remove_copy_if)
__WS_PARALLEL(remove_if)
__WS_PARALLEL(replace)
__WS_PARALLEL(replace_copy)
__WS_PARALLEL(replace_copy_if)
__WS_PARALLEL(replace_if)
__WS_PARALLEL(reverse)
__WS_PARALLEL(reverse_copy)
__WS_PARALLEL(rotate)
__WS_PARALLEL(rotate_copy)
__WS_PARALLEL(search)
__WS_PARALLEL(search_n)
__WS_PARALLEL(set_difference)
__WS_PARALLEL(set_intersection)
__WS_PARALLEL(set_symmetric_difference)
__WS_PARALLEL(set_union)
__WS_PARALLEL(sort)
__WS_PARALLEL(stable_partition)
__WS_PARALLEL(stable_sort)
__WS_PARALLEL(swap_ranges)
__WS_PARALLEL(transform)
__WS_PARALLEL(transform_exclusive_scan)
__WS_PARALLEL(transform_inclusive_scan)
__WS_PARALLEL(transform_reduce)
__WS_PARALLEL(unique)
__WS_PARALLEL(unique_copy)
#undef __WS_PARALLEL
}
