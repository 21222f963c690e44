// <thread>: a thread runs to its end when it is made.
#include <chrono>
#include <exception>
#include <functional>
#include <ostream>
#include <pthread.h>
#include <utility>
namespace std {
template <class T> inline T &__thread_argument(T &value) { return value; }
template <class T> inline T &__thread_argument(reference_wrapper<T> &value) { return value.get(); }
class thread {
public:
    typedef unsigned long id;
    typedef unsigned long native_handle_type;
    unsigned long __id;
    thread() : __id(0) {}
    thread(const thread &) = delete;
    thread(thread &&other) : __id(other.__id) { other.__id = 0; }
    template <class F> explicit thread(F f) {
        __ws_thread_before before;
        __id = __ws_begin_thread(&before);
        try {
            f();
        } catch (...) {
            __ws_thread_threw();
        }
        __ws_end_thread(&before);
    }
#define __WS_A(N) __thread_argument(a##N)
#define __WS_THREAD(TYPES, PARAMETERS, CALL)                                                               \
    template <class F, TYPES> thread(F f, PARAMETERS) {                                                    \
        __ws_thread_before before;                                                                         \
        __id = __ws_begin_thread(&before);                                                                 \
        try {                                                                                              \
            f CALL;                                                                                        \
        } catch (...) {                                                                                    \
            __ws_thread_threw();                                                                           \
        }                                                                                                  \
        __ws_end_thread(&before);                                                                          \
    }
#define __WS_COMMA ,
    __WS_THREAD(class A, A a, (__WS_A()))
    __WS_THREAD(class A __WS_COMMA class B, A a __WS_COMMA B a1, (__WS_A(), __WS_A(1)))
    __WS_THREAD(class A __WS_COMMA class B __WS_COMMA class C, A a __WS_COMMA B a1 __WS_COMMA C a2,
                (__WS_A(), __WS_A(1), __WS_A(2)))
    __WS_THREAD(class A __WS_COMMA class B __WS_COMMA class C __WS_COMMA class D,
                A a __WS_COMMA B a1 __WS_COMMA C a2 __WS_COMMA D a3, (__WS_A(), __WS_A(1), __WS_A(2), __WS_A(3)))
    __WS_THREAD(class A __WS_COMMA class B __WS_COMMA class C __WS_COMMA class D __WS_COMMA class E,
                A a __WS_COMMA B a1 __WS_COMMA C a2 __WS_COMMA D a3 __WS_COMMA E a4,
                (__WS_A(), __WS_A(1), __WS_A(2), __WS_A(3), __WS_A(4)))
    __WS_THREAD(class A __WS_COMMA class B __WS_COMMA class C __WS_COMMA class D __WS_COMMA class E __WS_COMMA class G,
                A a __WS_COMMA B a1 __WS_COMMA C a2 __WS_COMMA D a3 __WS_COMMA E a4 __WS_COMMA G a5,
                (__WS_A(), __WS_A(1), __WS_A(2), __WS_A(3), __WS_A(4), __WS_A(5)))
    __WS_THREAD(class A __WS_COMMA class B __WS_COMMA class C __WS_COMMA class D __WS_COMMA class E __WS_COMMA class G
                __WS_COMMA class H,
                A a __WS_COMMA B a1 __WS_COMMA C a2 __WS_COMMA D a3 __WS_COMMA E a4 __WS_COMMA G a5 __WS_COMMA H a6,
                (__WS_A(), __WS_A(1), __WS_A(2), __WS_A(3), __WS_A(4), __WS_A(5), __WS_A(6)))
#undef __WS_THREAD
#undef __WS_COMMA
#undef __WS_A
    ~thread() {
        if (__id) terminate();
    }
    thread &operator=(const thread &) = delete;
    thread &operator=(thread &&other) {
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
