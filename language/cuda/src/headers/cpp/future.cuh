// <future>: a task runs to its end when it is started.
#include <memory>
#include <thread>
#include <stdexcept>
#include <utility>
namespace std {
enum class launch { async = 1, deferred = 2 };
enum class future_status { ready, timeout, deferred };
template <class T> struct __future_state {
    T value;
    bool is_ready;
    __future_state() : value(), is_ready(false) {}
};
template <> struct __future_state<void> {
    bool is_ready;
    __future_state() : is_ready(false) {}
};
template <class T> class future {
public:
    shared_ptr<__future_state<T> > __state;
    bool valid() const { return __state.get() != 0; }
    void wait() const {
        if (!__state->is_ready) __ws_waits("std::future::wait");
    }
    template <class D> future_status wait_for(const D &) const {
        return __state->is_ready ? future_status::ready : future_status::timeout;
    }
    T get() {
        wait();
        T value = __state->value;
        __state.reset();
        return value;
    }
};
template <> class future<void> {
public:
    shared_ptr<__future_state<void> > __state;
    bool valid() const { return __state.get() != 0; }
    void wait() const {
        if (!__state->is_ready) __ws_waits("std::future::wait");
    }
    void get() {
        wait();
        __state.reset();
    }
};
template <class T> class promise {
public:
    shared_ptr<__future_state<T> > __state;
    promise() : __state(new __future_state<T>()) {}
    future<T> get_future() {
        future<T> made;
        made.__state = __state;
        return made;
    }
    void set_value(const T &value) {
        __state->value = value;
        __state->is_ready = true;
    }
};
template <> class promise<void> {
public:
    shared_ptr<__future_state<void> > __state;
    promise() : __state(new __future_state<void>()) {}
    future<void> get_future() {
        future<void> made;
        made.__state = __state;
        return made;
    }
    void set_value() { __state->is_ready = true; }
};
template <class R> struct __run_task {
    template <class F> static future<R> of(F f) {
        promise<R> made;
        made.set_value(f());
        return made.get_future();
    }
    template <class F, class A> static future<R> of(F f, A &a) {
        promise<R> made;
        made.set_value(f(__thread_argument(a)));
        return made.get_future();
    }
    template <class F, class A, class B> static future<R> of(F f, A &a, B &b) {
        promise<R> made;
        made.set_value(f(__thread_argument(a), __thread_argument(b)));
        return made.get_future();
    }
    template <class F, class A, class B, class C> static future<R> of(F f, A &a, B &b, C &c) {
        promise<R> made;
        made.set_value(f(__thread_argument(a), __thread_argument(b), __thread_argument(c)));
        return made.get_future();
    }
};
template <> struct __run_task<void> {
    template <class F> static future<void> of(F f) {
        f();
        promise<void> made;
        made.set_value();
        return made.get_future();
    }
    template <class F, class A> static future<void> of(F f, A &a) {
        f(__thread_argument(a));
        promise<void> made;
        made.set_value();
        return made.get_future();
    }
    template <class F, class A, class B> static future<void> of(F f, A &a, B &b) {
        f(__thread_argument(a), __thread_argument(b));
        promise<void> made;
        made.set_value();
        return made.get_future();
    }
    template <class F, class A, class B, class C> static future<void> of(F f, A &a, B &b, C &c) {
        f(__thread_argument(a), __thread_argument(b), __thread_argument(c));
        promise<void> made;
        made.set_value();
        return made.get_future();
    }
};
template <class F, class... A> inline auto async(launch, F f, A... a) -> future<decltype(f(a...))> {
    return __run_task<decltype(f(a...))>::of(f, a...);
}
template <class F, class... A>
inline auto async(F f, A... a) -> future<enable_if_t<!is_same<F, launch>::value, decltype(f(a...))>> {
    return async(launch::async, f, a...);
}
} // namespace std
