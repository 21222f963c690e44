// <atomic>: one thread runs at a time, so each access is atomic. A loop that waits for a value lets
// the other threads run.
#include <pthread.h>
namespace std {
inline unsigned int __atomic_looks = 0;
inline void __atomic_look() {
    if ((++__atomic_looks & 255) == 0) __ws_thread_yield();
}
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
    memory_order_acq_rel, memory_order_seq_cst
};
template <class T> class atomic {
public:
    typedef T value_type;
    T __value;
    atomic() : __value() {}
    atomic(T value) : __value(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T operator=(T value) { return __value = value; }
    operator T() const { return load(); }
    T load(memory_order = memory_order_seq_cst) const {
        __atomic_look();
        return __value;
    }
    void store(T value, memory_order = memory_order_seq_cst) { __value = value; }
    bool is_lock_free() const { return true; }
    T exchange(T value, memory_order = memory_order_seq_cst) {
        T old = __value;
        __value = value;
        return old;
    }
    bool compare_exchange_strong(T &expected, T value, memory_order = memory_order_seq_cst,
                                 memory_order = memory_order_seq_cst) {
        if (__value == expected) {
            __value = value;
            return true;
        }
        __atomic_look();
        expected = __value;
        return false;
    }
    bool compare_exchange_weak(T &expected, T value, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) {
        return compare_exchange_strong(expected, value);
    }
#define __WS_FETCH(NAME, OP)                                                                               \
    template <class __Number> T NAME(__Number value, memory_order = memory_order_seq_cst) {                \
        T old = __value;                                                                                   \
        __value = (T)(old OP value);                                                                       \
        return old;                                                                                        \
    }                                                                                                      \
    template <class __Number> T operator OP##=(__Number value) { return __value = (T)(__value OP value); }
    __WS_FETCH(fetch_add, +)
    __WS_FETCH(fetch_sub, -)
    __WS_FETCH(fetch_and, &)
    __WS_FETCH(fetch_or, |)
    __WS_FETCH(fetch_xor, ^)
#undef __WS_FETCH
    T operator++() { return ++__value; }
    T operator--() { return --__value; }
    T operator++(int) { return __value++; }
    T operator--(int) { return __value--; }
};
typedef atomic<bool> atomic_bool;
typedef atomic<char> atomic_char;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<long> atomic_long;
typedef atomic<unsigned long> atomic_ulong;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<unsigned long> atomic_size_t;
#define ATOMIC_FLAG_INIT std::atomic_flag()
#define ATOMIC_VAR_INIT(value) (value)
struct atomic_flag {
    bool __set;
    atomic_flag() : __set(false) {}
    bool test_and_set(memory_order = memory_order_seq_cst) {
        bool old = __set;
        __set = true;
        if (old) __atomic_look();
        return old;
    }
    void clear(memory_order = memory_order_seq_cst) { __set = false; }
};
inline void atomic_thread_fence(memory_order) {}
template <class T> inline T atomic_load(const atomic<T> *from) { return from->load(); }
template <class T> inline void atomic_store(atomic<T> *to, typename atomic<T>::value_type value) { to->store(value); }
template <class T> inline T atomic_exchange(atomic<T> *at, typename atomic<T>::value_type value) { return at->exchange(value); }
template <class T> inline T atomic_fetch_add(atomic<T> *at, typename atomic<T>::value_type value) {
    return at->fetch_add(value);
}
template <class T> inline T atomic_fetch_sub(atomic<T> *at, typename atomic<T>::value_type value) {
    return at->fetch_sub(value);
}
} // namespace std
