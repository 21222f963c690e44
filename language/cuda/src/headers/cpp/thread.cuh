// <thread>: a new thread runs at once, until it ends or waits.
#include <chrono>
#include <exception>
#include <functional>
#include <ostream>
#include <pthread.h>
#include <system_error>
#include <tuple>
#include <utility>
namespace std {
template <class T> inline T &&__thread_argument(T &value) { return (T &&)value; }
template <class T> inline T &__thread_argument(reference_wrapper<T> &value) { return value.get(); }
// A call of a thread.
template <class F, class... A> struct __thread_call {
    F __call;
    tuple<A...> __arguments;
    template <class G, class... B>
    explicit __thread_call(G &&call, B &&...arguments) : __call((G &&)call), __arguments((B &&)arguments...) {}
    static void *__start(void *object) {
        __thread_call *own = (__thread_call *)object;
        apply([own](A &...arguments) { invoke((F &&)own->__call, __thread_argument(arguments)...); }, own->__arguments);
        delete own;
        return 0;
    }
};
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
        typedef __thread_call<decay_t<F>, decay_t<A>...> made;
        if (!__ws_new_thread(&__id, &made::__start, new made((F &&)call, (A &&)arguments...)))
            throw system_error(make_error_code(errc::resource_unavailable_try_again));
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
    void join() {
        if (!__id) throw system_error(make_error_code(errc::invalid_argument));
        __WS_WAIT(__ws_thread_has_ended(__id), "std::thread::join");
        __id = 0;
    }
    void detach() {
        if (!__id) throw system_error(make_error_code(errc::invalid_argument));
        __id = 0;
    }
    // The first thread has the number 1; 0 is no thread.
    id get_id() const { return __id ? __id + 1 : 0; }
    native_handle_type native_handle() const { return __id; }
    void swap(thread &other) {
        unsigned long own = __id;
        __id = other.__id;
        other.__id = own;
    }
    static unsigned int hardware_concurrency() { return 1; }
};
namespace this_thread {
inline unsigned long get_id() { return pthread_self() + 1; }
inline void yield() { __ws_thread_yield(); }
template <class R, class P> inline void sleep_for(const chrono::duration<R, P> &time) {
    long us = (long)((double)time.count() * (double)P::num / (double)P::den * 1e6);
    while (us > 0) {
        usleep((unsigned int)(us > 1000000000 ? 1000000000 : us));
        us -= 1000000000;
    }
}
template <class T> inline void sleep_until(const T &time) { sleep_for(time - T::clock::now()); }
} // namespace this_thread
} // namespace std
