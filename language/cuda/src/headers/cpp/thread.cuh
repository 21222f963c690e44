// <thread>: a thread runs to its end when it is made.
#include <chrono>
#include <exception>
#include <functional>
#include <ostream>
#include <pthread.h>
#include <utility>
namespace std {
template <class T> inline T &&__thread_argument(T &value) { return (T &&)value; }
template <class T> inline T &__thread_argument(reference_wrapper<T> &value) { return value.get(); }
class thread;
template <class F> struct __not_thread : enable_if<!is_same<decay_t<F>, thread>::value> {};
class thread {
public:
    typedef unsigned long id;
    typedef unsigned long native_handle_type;
    unsigned long __id;
    thread() : __id(0) {}
    thread(const thread &) = delete;
    thread(thread &&other) noexcept : __id(other.__id) { other.__id = 0; }
    template <class F, class... A, class = typename __not_thread<F>::type> explicit thread(F &&call, A &&...arguments) {
        // The thread has copies of its arguments.
        __run(decay_t<F>((F &&)call), decay_t<A>((A &&)arguments)...);
    }
    template <class F, class... A> void __run(F call, A... arguments) {
        __ws_thread_before before;
        __id = __ws_begin_thread(&before);
        try {
            call(__thread_argument(arguments)...);
        } catch (...) {
            __ws_thread_threw();
        }
        __ws_end_thread(&before);
    }
    ~thread() {
        if (__id) terminate();
    }
    thread &operator=(const thread &) = delete;
    thread &operator=(thread &&other) noexcept {
        if (__id) terminate();
        __id = other.__id;
        other.__id = 0;
        return *this;
    }
    bool joinable() const { return __id != 0; }
    void join() { __id = 0; }
    void detach() { __id = 0; }
    id get_id() const { return __id; }
    void swap(thread &other) {
        unsigned long own = __id;
        __id = other.__id;
        other.__id = own;
    }
    static unsigned int hardware_concurrency() { return 1; }
};
namespace this_thread {
inline unsigned long get_id() { return pthread_self(); }
inline void yield() {}
template <class R, class P> inline void sleep_for(const chrono::duration<R, P> &time) {
    long us = (long)((double)time.count() * (double)P::num / (double)P::den * 1e6);
    while (us > 0) {
        usleep((unsigned int)(us > 1000000000 ? 1000000000 : us));
        us -= 1000000000;
    }
}
} // namespace this_thread
} // namespace std
