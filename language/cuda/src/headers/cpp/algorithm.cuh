// <algorithm>.
#include <__algobase>
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
// A stable merge sort in memory of its own: elements move as bytes.
template <class T, class F> inline void __merge_sort(T *list, T *work, size_t count, F &less) {
    if (count < 2) return;
    if (count <= 8) {
        for (size_t i = 1; i < count; ++i)
            for (size_t j = i; j > 0 && less(list[j], list[j - 1]); --j) {
                memcpy((void *)work, (void *)(list + j), sizeof(T));
                memcpy((void *)(list + j), (void *)(list + j - 1), sizeof(T));
                memcpy((void *)(list + j - 1), (void *)work, sizeof(T));
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
        if (b < count && less(list[b], work[a])) {
            memcpy((void *)(list + to), (void *)(list + b), sizeof(T));
            ++b;
        } else {
            memcpy((void *)(list + to), (void *)(work + a), sizeof(T));
            ++a;
        }
        ++to;
    }
}
template <class T, class F> inline void stable_sort(T *first, T *last, F less) {
    size_t count = last - first;
    T *work = (T *)__ws_malloc((count / 2 + 1) * sizeof(T));
    __merge_sort(first, work, count, less);
    free((void *)work);
}
template <class T> inline void stable_sort(T *first, T *last) { stable_sort(first, last, __less()); }
template <class T, class F> inline void sort(T *first, T *last, F less) { stable_sort(first, last, less); }
template <class T> inline void sort(T *first, T *last) { stable_sort(first, last, __less()); }
template <class T, class F> inline void sort(reverse_iterator<T *> first, reverse_iterator<T *> last, F less) {
    reverse(last.base(), first.base());
    stable_sort(last.base(), first.base(), less);
    reverse(last.base(), first.base());
}
template <class T> inline void sort(reverse_iterator<T *> first, reverse_iterator<T *> last) {
    sort(first, last, __less());
}
template <class T> inline void partial_sort(T *first, T *, T *last) { stable_sort(first, last, __less()); }
template <class T, class F> inline void partial_sort(T *first, T *, T *last, F less) {
    stable_sort(first, last, less);
}
template <class T> inline void nth_element(T *first, T *, T *last) { stable_sort(first, last, __less()); }
template <class T, class F> inline void nth_element(T *first, T *, T *last, F less) {
    stable_sort(first, last, less);
}
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
    ptrdiff_t count = last - first;
    while (count > 0) {
        ptrdiff_t half = count / 2;
        if (!less(value, first[half])) {
            first = first + half + 1;
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
}
#include <iterator>
