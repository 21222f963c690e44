// <algorithm>.
#include <__algobase>
#include <__heap>
#include <initializer_list>
#include <utility>
namespace std {
template <class T> inline T min(initializer_list<T> list) {
    T best = *list.begin();
    for (const T *at = list.begin(); at != list.end(); ++at)
        if (*at < best) best = *at;
    return best;
}
template <class T> inline T max(initializer_list<T> list) {
    T best = *list.begin();
    for (const T *at = list.begin(); at != list.end(); ++at)
        if (best < *at) best = *at;
    return best;
}
template <class T> inline pair<T, T> minmax(const T &a, const T &b) {
    return b < a ? pair<T, T>(b, a) : pair<T, T>(a, b);
}
template <class I> inline I min_element(I first, I last) {
    I best = first;
    for (; first != last; ++first)
        if (*first < *best) best = first;
    return best;
}
template <class I, class F> inline I min_element(I first, I last, F less) {
    I best = first;
    for (; first != last; ++first)
        if (less(*first, *best)) best = first;
    return best;
}
template <class I> inline I max_element(I first, I last) {
    I best = first;
    for (; first != last; ++first)
        if (*best < *first) best = first;
    return best;
}
template <class I, class F> inline I max_element(I first, I last, F less) {
    I best = first;
    for (; first != last; ++first)
        if (less(*best, *first)) best = first;
    return best;
}
template <class T> inline const T &clamp(const T &value, const T &low, const T &high) {
    return value < low ? low : high < value ? high : value;
}
template <class I, class F> inline void generate(I first, I last, F make) {
    for (; first != last; ++first) *first = make();
}
template <class I, class N, class F> inline I generate_n(I first, N count, F make) {
    for (N i = 0; i < count; ++i) {
        *first = make();
        ++first;
    }
    return first;
}
template <class I, class N, class O> inline O copy_n(I first, N count, O to) {
    for (N i = 0; i < count; ++i) {
        *to = *first;
        ++first;
        ++to;
    }
    return to;
}
template <class I, class O, class F> inline O copy_if(I first, I last, O to, F takes) {
    for (; first != last; ++first)
        if (takes(*first)) {
            *to = *first;
            ++to;
        }
    return to;
}
template <class I, class F> inline F for_each(I first, I last, F call) {
    for (; first != last; ++first) call(*first);
    return call;
}
template <class I, class O, class F> inline O transform(I first, I last, O to, F call) {
    for (; first != last; ++first) {
        *to = call(*first);
        ++to;
    }
    return to;
}
template <class I, class J, class O, class F> inline O transform(I first, I last, J other, O to, F call) {
    for (; first != last; ++first) {
        *to = call(*first, *other);
        ++other;
        ++to;
    }
    return to;
}
template <class I, class T> inline I find(I first, I last, const T &value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class I, class F> inline I find_if(I first, I last, F takes) {
    while (first != last && !takes(*first)) ++first;
    return first;
}
template <class I, class T> inline ptrdiff_t count(I first, I last, const T &value) {
    ptrdiff_t found = 0;
    for (; first != last; ++first)
        if (*first == value) ++found;
    return found;
}
template <class I, class F> inline ptrdiff_t count_if(I first, I last, F takes) {
    ptrdiff_t found = 0;
    for (; first != last; ++first)
        if (takes(*first)) ++found;
    return found;
}
template <class I, class F> inline bool all_of(I first, I last, F takes) {
    for (; first != last; ++first)
        if (!takes(*first)) return false;
    return true;
}
template <class I, class F> inline bool any_of(I first, I last, F takes) {
    for (; first != last; ++first)
        if (takes(*first)) return true;
    return false;
}
template <class I, class F> inline bool none_of(I first, I last, F takes) {
    return !any_of(first, last, takes);
}
template <class I> inline void reverse(I first, I last) {
    while (first != last) {
        --last;
        if (first == last) return;
        iter_swap(first, last);
        ++first;
    }
}
template <class I> inline I unique(I first, I last) {
    if (first == last) return last;
    I to = first;
    for (++first; first != last; ++first)
        if (!(*to == *first)) {
            ++to;
            *to = *first;
        }
    ++to;
    return to;
}
template <class I, class T> inline I remove(I first, I last, const T &value) {
    I to = first;
    for (; first != last; ++first)
        if (!(*first == value)) {
            *to = *first;
            ++to;
        }
    return to;
}
template <class I, class F> inline I remove_if(I first, I last, F takes) {
    I to = first;
    for (; first != last; ++first)
        if (!takes(*first)) {
            *to = *first;
            ++to;
        }
    return to;
}
template <class I, class T> inline void replace(I first, I last, const T &old, const T &value) {
    for (; first != last; ++first)
        if (*first == old) *first = value;
}
template <class I> inline I rotate(I first, I middle, I last) {
    reverse(first, middle);
    reverse(middle, last);
    reverse(first, last);
    return first + (last - middle);
}
// A stable merge sort of elements that are bytes.
template <class T, class F> inline void __merge_sort(T *list, T *work, size_t count, F &less) {
    if (count < 2) return;
    if (count <= 8) {
        for (size_t i = 1; i < count; ++i)
            for (size_t j = i; j > 0 && less(list[j], list[j - 1]); --j) {
                T value = list[j];
                list[j] = list[j - 1];
                list[j - 1] = value;
            }
        return;
    }
    size_t half = count / 2;
    __merge_sort(list, work, half, less);
    __merge_sort(list + half, work, count - half, less);
    if (!less(list[half], list[half - 1])) return;
    memcpy((void *)work, (void *)list, half * sizeof(T));
    size_t a = 0, b = half, to = 0;
    while (a < half) {
        if (b < count && less(list[b], work[a])) list[to++] = list[b++];
        else list[to++] = work[a++];
    }
}
template <class I, class F> inline void stable_sort(I first, I last, F less) {
    typedef typename iterator_traits<I>::value_type value_type;
    size_t count = last - first;
    if (count < 2) return;
    if constexpr (__is_pointer_type<I> && __is_plain(value_type)) {
        value_type *work = (value_type *)__ws_malloc((count / 2 + 1) * sizeof(value_type));
        __merge_sort(first, work, count, less);
        free((void *)work);
    } else {
        // The addresses are sorted, then each element moves once to other memory, and back.
        value_type **places = (value_type **)__ws_malloc((count + count / 2 + 1) * sizeof(value_type *));
        value_type *work = (value_type *)__ws_malloc(count * sizeof(value_type));
        for (size_t i = 0; i < count; ++i) places[i] = &first[i];
        auto by_address = [&](value_type *a, value_type *b) { return less(*a, *b); };
        __merge_sort(places, places + count, count, by_address);
        for (size_t i = 0; i < count; ++i) new (work + i) value_type((value_type &&)*places[i]);
        for (size_t i = 0; i < count; ++i) {
            first[i] = (value_type &&)work[i];
            work[i].~value_type();
        }
        free((void *)work);
        free((void *)places);
    }
}
template <class I> inline void stable_sort(I first, I last) { stable_sort(first, last, __less()); }
// The steps of GNU's library, so that equal elements have its order.
template <class I, class F> inline void __insert_behind_less(I last, F &less) {
    typename iterator_traits<I>::value_type value = move(*last);
    I next = last;
    --next;
    while (less(value, *next)) {
        *last = move(*next);
        last = next;
        --next;
    }
    *last = move(value);
}
template <class I, class F> inline void __insertion_sort(I first, I last, F &less) {
    if (first == last) return;
    for (I at = first + 1; at != last; ++at) {
        if (less(*at, *first)) {
            typename iterator_traits<I>::value_type value = move(*at);
            move_backward(first, at, at + 1);
            *first = move(value);
        } else {
            __insert_behind_less(at, less);
        }
    }
}
template <class I, class F> inline I __part_by_median(I first, I last, F &less) {
    I a = first + 1, b = first + (last - first) / 2, c = last - 1;
    if (less(*a, *b)) iter_swap(first, less(*b, *c) ? b : less(*a, *c) ? c : a);
    else iter_swap(first, less(*a, *c) ? a : less(*b, *c) ? c : b);
    I low = first + 1, high = last;
    for (;;) {
        while (less(*low, *first)) ++low;
        --high;
        while (less(*first, *high)) --high;
        if (!(low < high)) return low;
        iter_swap(low, high);
        ++low;
    }
}
template <class I, class F> inline void __select_heap(I first, I middle, I last, F &less) {
    make_heap(first, middle, less);
    for (I at = middle; at < last; ++at)
        if (less(*at, *first)) {
            typename iterator_traits<I>::value_type value = move(*at);
            *at = move(*first);
            __sift_down(first, 0, middle - first, move(value), less);
        }
}
template <class I, class F> inline void partial_sort(I first, I middle, I last, F less) {
    if (first == middle) return;
    __select_heap(first, middle, last, less);
    sort_heap(first, middle, less);
}
template <class I> inline void partial_sort(I first, I middle, I last) { partial_sort(first, middle, last, __less()); }
// The logarithm to base 2, rounded down, as programs take it from libstdc++.
template <class T> constexpr T __lg(T value) {
    T made = 0;
    while (value >>= 1) ++made;
    return made;
}
inline int __twice_log2(ptrdiff_t count) {
    int depth = 0;
    for (; count > 1; count /= 2) depth += 2;
    return depth;
}
template <class I, class F> inline void __sort_parts(I first, I last, int depth, F &less) {
    while (last - first > 16) {
        if (depth == 0) {
            partial_sort(first, last, last, less);
            return;
        }
        --depth;
        I cut = __part_by_median(first, last, less);
        __sort_parts(cut, last, depth, less);
        last = cut;
    }
}
template <class I, class F> inline void sort(I first, I last, F less) {
    if (first == last) return;
    __sort_parts(first, last, __twice_log2(last - first), less);
    if (last - first <= 16) {
        __insertion_sort(first, last, less);
        return;
    }
    __insertion_sort(first, first + 16, less);
    for (I at = first + 16; at != last; ++at) __insert_behind_less(at, less);
}
template <class I> inline void sort(I first, I last) { sort(first, last, __less()); }
template <class I, class F> inline void nth_element(I first, I nth, I last, F less) {
    if (first == last || nth == last) return;
    int depth = __twice_log2(last - first);
    while (last - first > 3) {
        if (depth == 0) {
            __select_heap(first, nth + 1, last, less);
            iter_swap(first, nth);
            return;
        }
        --depth;
        I cut = __part_by_median(first, last, less);
        if (cut <= nth) first = cut;
        else last = cut;
    }
    __insertion_sort(first, last, less);
}
template <class I> inline void nth_element(I first, I nth, I last) { nth_element(first, nth, last, __less()); }
template <class I> inline bool is_sorted(I first, I last) {
    if (first == last) return true;
    I before = first;
    for (++first; first != last; ++first) {
        if (*first < *before) return false;
        before = first;
    }
    return true;
}
template <class I, class T, class F> inline I upper_bound(I first, I last, const T &value, F less) {
    ptrdiff_t count = distance(first, last);
    while (count > 0) {
        ptrdiff_t half = count / 2;
        I middle = first;
        advance(middle, half);
        if (!less(value, *middle)) {
            first = ++middle;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
template <class I, class T> inline I upper_bound(I first, I last, const T &value) {
    return upper_bound(first, last, value, __less());
}
template <class I, class T> inline bool binary_search(I first, I last, const T &value) {
    first = lower_bound(first, last, value);
    return first != last && !(value < *first);
}
template <class I, class J, class O> inline O merge(I first, I last, J other, J end, O to) {
    while (first != last || other != end) {
        if (first == last || other != end && *other < *first) {
            *to = *other;
            ++other;
        } else {
            *to = *first;
            ++first;
        }
        ++to;
    }
    return to;
}
template <class T, class F> inline T min(initializer_list<T> list, F less) {
    return *min_element(list.begin(), list.end(), less);
}
template <class T, class F> inline T max(initializer_list<T> list, F less) {
    return *max_element(list.begin(), list.end(), less);
}
template <class I, class F> inline I __last_max(I first, I last, F less) {
    I best = first;
    for (; first != last; ++first)
        if (!less(*first, *best)) best = first;
    return best;
}
template <class T> inline pair<T, T> minmax(initializer_list<T> list) {
    return pair<T, T>(*min_element(list.begin(), list.end()), *__last_max(list.begin(), list.end(), __less()));
}
template <class I, class F> inline pair<I, I> minmax_element(I first, I last, F less) {
    return pair<I, I>(min_element(first, last, less), __last_max(first, last, less));
}
template <class I> inline pair<I, I> minmax_element(I first, I last) { return minmax_element(first, last, __less()); }
template <class T, class F> inline const T &clamp(const T &value, const T &low, const T &high, F less) {
    return less(value, low) ? low : less(high, value) ? high : value;
}
template <class I, class N, class F> inline I for_each_n(I first, N count, F call) {
    for (; count > 0; --count) {
        call(*first);
        ++first;
    }
    return first;
}
template <class I, class F> inline I find_if_not(I first, I last, F takes) {
    while (first != last && takes(*first)) ++first;
    return first;
}
struct __equal {
    template <class T, class U> bool operator()(const T &a, const U &b) const { return a == b; }
};
template <class I, class J, class F> inline I search(I first, I last, J other, J end, F same) {
    for (;; ++first) {
        I at = first;
        for (J one = other;; ++one) {
            if (one == end) return first;
            if (at == last) return last;
            if (!same(*at, *one)) break;
            ++at;
        }
    }
}
template <class I, class J> inline I search(I first, I last, J other, J end) {
    return search(first, last, other, end, __equal());
}
template <class I, class J, class F> inline I find_end(I first, I last, J other, J end, F same) {
    if (other == end) return last;
    I best = last;
    for (;;) {
        I found = search(first, last, other, end, same);
        if (found == last) return best;
        best = found;
        first = found;
        ++first;
    }
}
template <class I, class J> inline I find_end(I first, I last, J other, J end) {
    return find_end(first, last, other, end, __equal());
}
template <class I, class J, class F> inline I find_first_of(I first, I last, J other, J end, F same) {
    for (; first != last; ++first)
        for (J one = other; one != end; ++one)
            if (same(*first, *one)) return first;
    return last;
}
template <class I, class J> inline I find_first_of(I first, I last, J other, J end) {
    return find_first_of(first, last, other, end, __equal());
}
template <class I, class F> inline I adjacent_find(I first, I last, F same) {
    if (first == last) return last;
    for (I next = first; ++next != last; first = next)
        if (same(*first, *next)) return first;
    return last;
}
template <class I> inline I adjacent_find(I first, I last) { return adjacent_find(first, last, __equal()); }
template <class I, class N, class T, class F> inline I search_n(I first, I last, N count, const T &value, F same) {
    for (; first != last; ++first) {
        I at = first;
        N found = 0;
        while (found < count && at != last && same(*at, value)) {
            ++found;
            ++at;
        }
        if (found >= count) return first;
    }
    return count <= 0 ? first : last;
}
template <class I, class N, class T> inline I search_n(I first, I last, N count, const T &value) {
    return search_n(first, last, count, value, __equal());
}
template <class I, class O> inline O move(I first, I last, O to) {
    for (; first != last; ++first) {
        *to = move(*first);
        ++to;
    }
    return to;
}
template <class I, class O, class F> inline O remove_copy_if(I first, I last, O to, F takes) {
    for (; first != last; ++first) {
        if (takes(*first)) continue;
        *to = *first;
        ++to;
    }
    return to;
}
template <class I, class O, class T> inline O remove_copy(I first, I last, O to, const T &value) {
    for (; first != last; ++first) {
        if (*first == value) continue;
        *to = *first;
        ++to;
    }
    return to;
}
template <class I, class F, class T> inline void replace_if(I first, I last, F takes, const T &value) {
    for (; first != last; ++first)
        if (takes(*first)) *first = value;
}
template <class I, class O, class T>
inline O replace_copy(I first, I last, O to, const T &old, const T &value) {
    for (; first != last; ++first) {
        if (*first == old) *to = value;
        else *to = *first;
        ++to;
    }
    return to;
}
template <class I, class O, class F, class T>
inline O replace_copy_if(I first, I last, O to, F takes, const T &value) {
    for (; first != last; ++first) {
        if (takes(*first)) *to = value;
        else *to = *first;
        ++to;
    }
    return to;
}
template <class I, class O> inline O reverse_copy(I first, I last, O to) {
    while (first != last) {
        *to = *--last;
        ++to;
    }
    return to;
}
template <class I, class O> inline O rotate_copy(I first, I middle, I last, O to) {
    return copy(first, middle, copy(middle, last, to));
}
template <class I, class F> inline I unique(I first, I last, F same) {
    if (first == last) return last;
    I end = first;
    while (++first != last)
        if (!same(*end, *first) && ++end != first) *end = move(*first);
    return ++end;
}
template <class I, class O, class F> inline O unique_copy(I first, I last, O to, F same) {
    if (first == last) return to;
    I kept = first;
    *to = *kept;
    while (++first != last) {
        if (same(*kept, *first)) continue;
        kept = first;
        *++to = *kept;
    }
    return ++to;
}
template <class I, class O> inline O unique_copy(I first, I last, O to) {
    return unique_copy(first, last, to, __equal());
}
template <class I, class F> inline bool is_partitioned(I first, I last, F takes) {
    while (first != last && takes(*first)) ++first;
    for (; first != last; ++first)
        if (takes(*first)) return false;
    return true;
}
// As GNU's library for iterators that go both ways.
template <class I, class F> inline I partition(I first, I last, F takes) {
    for (;;) {
        for (;; ++first) {
            if (first == last) return first;
            if (!takes(*first)) break;
        }
        for (;;) {
            --last;
            if (first == last) return first;
            if (takes(*last)) break;
        }
        iter_swap(first, last);
        ++first;
    }
}
template <class I, class F> inline I stable_partition(I first, I last, F takes) {
    I end = first;
    for (; first != last; ++first) {
        if (!takes(*first)) continue;
        for (I at = first; at != end;) {
            I before = at;
            --before;
            iter_swap(before, at);
            at = before;
        }
        ++end;
    }
    return end;
}
template <class I, class O, class P, class F>
inline pair<O, P> partition_copy(I first, I last, O yes, P no, F takes) {
    for (; first != last; ++first) {
        if (takes(*first)) {
            *yes = *first;
            ++yes;
        } else {
            *no = *first;
            ++no;
        }
    }
    return pair<O, P>(yes, no);
}
template <class I, class F> inline I partition_point(I first, I last, F takes) {
    while (first != last && takes(*first)) ++first;
    return first;
}
template <class I, class F> inline I is_sorted_until(I first, I last, F less) {
    if (first == last) return last;
    for (I next = first; ++next != last; first = next)
        if (less(*next, *first)) return next;
    return last;
}
template <class I> inline I is_sorted_until(I first, I last) { return is_sorted_until(first, last, __less()); }
template <class I, class F> inline bool is_sorted(I first, I last, F less) {
    return is_sorted_until(first, last, less) == last;
}
template <class I, class J, class F> inline J partial_sort_copy(I first, I last, J to, J end, F less) {
    J filled = to;
    for (; first != last; ++first) {
        J at = filled;
        if (filled != end) ++filled;
        else if (to == end || !less(*first, *--at)) continue;
        *at = *first;
        for (; at != to; --at) {
            J before = at;
            --before;
            if (!less(*at, *before)) break;
            iter_swap(before, at);
        }
    }
    return filled;
}
template <class I, class J> inline J partial_sort_copy(I first, I last, J to, J end) {
    return partial_sort_copy(first, last, to, end, __less());
}
template <class I, class T, class F> inline bool binary_search(I first, I last, const T &value, F less) {
    first = lower_bound(first, last, value, less);
    return first != last && !less(value, *first);
}
template <class I, class T, class F> inline pair<I, I> equal_range(I first, I last, const T &value, F less) {
    return pair<I, I>(lower_bound(first, last, value, less), upper_bound(first, last, value, less));
}
template <class I, class T> inline pair<I, I> equal_range(I first, I last, const T &value) {
    return equal_range(first, last, value, __less());
}
template <class I, class J, class O, class F> inline O merge(I first, I last, J other, J end, O to, F less) {
    while (first != last && other != end) {
        if (less(*other, *first)) {
            *to = *other;
            ++other;
        } else {
            *to = *first;
            ++first;
        }
        ++to;
    }
    return copy(other, end, copy(first, last, to));
}
template <class I, class F> inline void inplace_merge(I first, I, I last, F less) { stable_sort(first, last, less); }
template <class I> inline void inplace_merge(I first, I, I last) { stable_sort(first, last, __less()); }
template <class I, class J, class F> inline bool includes(I first, I last, J other, J end, F less) {
    for (; other != end; ++first) {
        if (first == last || less(*other, *first)) return false;
        if (!less(*first, *other)) ++other;
    }
    return true;
}
template <class I, class J> inline bool includes(I first, I last, J other, J end) {
    return includes(first, last, other, end, __less());
}
// Which elements of two sorted ranges a function keeps.
#define __WS_SET(NAME, ONE, BOTH, OTHER)                                                                   \
    template <class I, class J, class O, class F>                                                          \
    inline O NAME(I first, I last, J other, J end, O to, F less) {                                         \
        while (first != last || other != end) {                                                            \
            if (other == end || first != last && less(*first, *other)) {                                   \
                if (!ONE && other == end) break;                                                           \
                if (ONE) {                                                                                 \
                    *to = *first;                                                                          \
                    ++to;                                                                                  \
                }                                                                                          \
                ++first;                                                                                   \
            } else if (first == last || less(*other, *first)) {                                            \
                if (OTHER) {                                                                               \
                    *to = *other;                                                                          \
                    ++to;                                                                                  \
                }                                                                                          \
                ++other;                                                                                   \
            } else {                                                                                       \
                if (BOTH) {                                                                                \
                    *to = *first;                                                                          \
                    ++to;                                                                                  \
                }                                                                                          \
                ++first;                                                                                   \
                ++other;                                                                                   \
            }                                                                                              \
        }                                                                                                  \
        return to;                                                                                         \
    }                                                                                                      \
    template <class I, class J, class O> inline O NAME(I first, I last, J other, J end, O to) {            \
        return NAME(first, last, other, end, to, __less());                                                \
    }
__WS_SET(set_union, true, true, true)
__WS_SET(set_intersection, false, true, false)
__WS_SET(set_difference, true, false, false)
__WS_SET(set_symmetric_difference, true, false, true)
#undef __WS_SET
template <class I, class F> inline I is_heap_until(I first, I last, F less) {
    ptrdiff_t count = last - first;
    for (ptrdiff_t at = 1; at < count; ++at)
        if (less(first[(at - 1) / 2], first[at])) return first + at;
    return last;
}
template <class I> inline I is_heap_until(I first, I last) { return is_heap_until(first, last, __less()); }
template <class I, class F> inline bool is_heap(I first, I last, F less) {
    return is_heap_until(first, last, less) == last;
}
template <class I> inline bool is_heap(I first, I last) { return is_heap_until(first, last) == last; }
template <class I, class J, class F> inline bool is_permutation(I first, I last, J other, F same) {
    J end = other;
    for (I at = first; at != last; ++at) ++end;
    for (I at = first; at != last; ++at) {
        ptrdiff_t balance = 0;
        for (I one = first; one != last; ++one) balance += bool(same(*one, *at));
        for (J one = other; one != end; ++one) balance -= bool(same(*one, *at));
        if (balance != 0) return false;
    }
    return true;
}
template <class I, class J> inline bool is_permutation(I first, I last, J other) {
    return is_permutation(first, last, other, __equal());
}
// Of C++98: with `rand`, or with a function that returns a number below its argument.
template <class I, class F> inline void random_shuffle(I first, I last, F &&below) {
    if (first == last) return;
    for (I at = first + 1; at != last; ++at) {
        I other = first + below(at - first + 1);
        if (at != other) iter_swap(at, other);
    }
}
template <class I> inline void random_shuffle(I first, I last) {
    random_shuffle(first, last, [](long most) { return (long)rand() % most; });
}
template <class I, class F> inline bool next_permutation(I first, I last, F less) {
    if (first == last) return false;
    I at = last;
    for (--at; at != first;) {
        I next = at;
        --at;
        if (!less(*at, *next)) continue;
        I other = last;
        while (!less(*at, *--other)) {}
        iter_swap(at, other);
        reverse(next, last);
        return true;
    }
    reverse(first, last);
    return false;
}
template <class I> inline bool next_permutation(I first, I last) { return next_permutation(first, last, __less()); }
template <class I, class F> inline bool prev_permutation(I first, I last, F less) {
    return next_permutation(first, last, [&](const auto &a, const auto &b) { return less(b, a); });
}
template <class I> inline bool prev_permutation(I first, I last) { return prev_permutation(first, last, __less()); }
}
#include <iterator>
#if __cplusplus >= 202002L
#include <__ranges>
#endif
