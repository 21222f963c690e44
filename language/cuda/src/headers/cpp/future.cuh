// <future>: `async` starts a thread; a deferred task runs in the first wait for it.
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
namespace std {
enum class launch { async = 1, deferred = 2 };
inline constexpr launch operator|(launch a, launch b) { return (launch)((int)a | (int)b); }
inline constexpr launch operator&(launch a, launch b) { return (launch)((int)a & (int)b); }
enum class future_status { ready, timeout, deferred };
enum class future_errc { future_already_retrieved = 1, promise_already_satisfied, no_state, broken_promise };
class __future_category : public error_category {
public:
    const char *name() const noexcept { return "future"; }
    string message(int value) const {
        switch (value) {
        case 1: return "Future already retrieved";
        case 2: return "Promise already satisfied";
        case 3: return "No associated state";
        case 4: return "Broken promise";
        default: return "Unknown error";
        }
    }
};
inline __future_category __of_futures;
inline const error_category &future_category() { return __of_futures; }
inline error_code make_error_code(future_errc value) { return error_code((int)value, __of_futures); }
inline bool operator==(const error_code &a, future_errc b) { return a == make_error_code(b); }
inline bool operator!=(const error_code &a, future_errc b) { return !(a == b); }
class future_error : public logic_error {
public:
    error_code __code;
    explicit future_error(future_errc value)
        : logic_error("std::future_error: " + __of_futures.message((int)value)), __code(make_error_code(value)) {}
    const error_code &code() const { return __code; }
};
// What a future and the task or promise share.
struct __shared_task {
    exception_ptr failure;
    bool is_ready, is_taken;
    // The thread of `async`, and the task that is deferred.
    unsigned long thread;
    void (*run)(void *, bool);
    void *task;
    __shared_task() : is_ready(false), is_taken(false), thread(0), run(0), task(0) {}
    __shared_task(const __shared_task &) = delete;
    ~__shared_task() {
        if (run) run(task, false);
    }
    void __wait(const char *name) {
        if (void (*deferred)(void *, bool) = run) {
            run = 0;
            deferred(task, true);
        }
        __WS_WAIT(is_ready, name);
    }
    future_status __wait_until(unsigned long until) {
        if (run) return future_status::deferred;
        for (int again = 0; !is_ready; again = 1) {
            if (__ws_thread_clock() >= until) return future_status::timeout;
            __ws_thread_wait("std::future::wait_for", again, until);
        }
        return future_status::ready;
    }
    void __end(exception_ptr error) {
        if (is_ready) throw future_error(future_errc::promise_already_satisfied);
        failure = error;
        is_ready = true;
    }
};
template <class T> struct __future_state : __shared_task {
    T *value;
    __future_state() : value(0) {}
    ~__future_state() { delete value; }
    template <class U> void __put(U &&made) {
        if (is_ready) throw future_error(future_errc::promise_already_satisfied);
        value = new T((U &&)made);
        is_ready = true;
    }
    T __take() { return (T &&)*value; }
    const T &__look() { return *value; }
};
template <class T> struct __future_state<T &> : __shared_task {
    T *value;
    void __put(T &object) {
        __end(exception_ptr());
        value = &object;
    }
    T &__take() { return *value; }
    T &__look() { return *value; }
};
template <> struct __future_state<void> : __shared_task {
    void __put() { __end(exception_ptr()); }
    void __take() {}
    void __look() {}
};
// A reference to a state. The last one to the state of `async` waits for the thread.
template <class T> class __future_base {
public:
    typedef shared_ptr<__future_state<T> > __states;
    __states __state;
    __future_base() {}
    explicit __future_base(const __states &state) : __state(state) {}
    __future_base(const __future_base &) = default;
    __future_base(__future_base &&other) noexcept : __state((__states &&)other.__state) {}
    ~__future_base() { __leave(); }
    void __leave() {
        if (__state && __state->thread && __state.use_count() <= 2)
            __WS_WAIT(__ws_thread_has_ended(__state->thread), "the destructor of a future of std::async");
    }
    void __set(__states state) {
        __leave();
        __state = state;
    }
    __future_state<T> &__need() const {
        if (!__state) throw future_error(future_errc::no_state);
        return *__state;
    }
    bool valid() const noexcept { return (bool)__state; }
    void wait() const { __need().__wait("std::future::wait"); }
    template <class D> future_status wait_for(const D &time) const { return __need().__wait_until(__until(time)); }
    template <class P> future_status wait_until(const P &time) const {
        return __need().__wait_until(__until(time - P::clock::now()));
    }
    void __wait_for_value() const {
        wait();
        exception_ptr failure = __state->failure;
        if (failure) rethrow_exception(failure);
    }
};
template <class T> class shared_future;
template <class T> class future : public __future_base<T> {
public:
    future() noexcept {}
    explicit future(const shared_ptr<__future_state<T> > &state) : __future_base<T>(state) {}
    future(const future &) = delete;
    future(future &&other) noexcept = default;
    future &operator=(const future &) = delete;
    future &operator=(future &&other) noexcept {
        this->__set((shared_ptr<__future_state<T> > &&)other.__state);
        other.__state.reset();
        return *this;
    }
    T get() {
        this->wait();
        // It is without a state afterwards.
        future own((future &&)*this);
        own.__wait_for_value();
        return own.__state->__take();
    }
    shared_future<T> share() noexcept { return shared_future<T>((future &&)*this); }
};
template <class T> class shared_future : public __future_base<T> {
public:
    shared_future() noexcept {}
    shared_future(const shared_future &other) = default;
    shared_future(shared_future &&other) noexcept = default;
    shared_future(future<T> &&other) noexcept : __future_base<T>((future<T> &&)other) {}
    shared_future &operator=(const shared_future &other) {
        this->__set(other.__state);
        return *this;
    }
    shared_future &operator=(shared_future &&other) noexcept {
        this->__set((shared_ptr<__future_state<T> > &&)other.__state);
        other.__state.reset();
        return *this;
    }
    decltype(auto) get() const {
        this->__wait_for_value();
        return this->__state->__look();
    }
};
template <class T> class __promise_base {
public:
    shared_ptr<__future_state<T> > __state;
    __promise_base() : __state(new __future_state<T>()) {}
    __promise_base(__promise_base &&other) noexcept = default;
    ~__promise_base() { __break(); }
    void __break() {
        if (__state && !__state->is_ready && __state.use_count() > 1)
            __state->__end(make_exception_ptr(future_error(future_errc::broken_promise)));
    }
    __future_state<T> &__need() {
        if (!__state) throw future_error(future_errc::no_state);
        return *__state;
    }
    future<T> get_future() {
        if (__need().is_taken) throw future_error(future_errc::future_already_retrieved);
        __state->is_taken = true;
        return future<T>(__state);
    }
    void set_exception(exception_ptr failure) { __need().__end(failure); }
};
#define __WS_PROMISE                                                                                       \
    promise() {}                                                                                           \
    promise(promise &&other) noexcept = default;                                                           \
    promise &operator=(promise &&other) noexcept {                                                         \
        this->__break();                                                                                   \
        this->__state = (decltype(this->__state) &&)other.__state;                                         \
        other.__state.reset();                                                                             \
        return *this;                                                                                      \
    }                                                                                                      \
    void swap(promise &other) noexcept { this->__state.swap(other.__state); }
template <class T> class promise : public __promise_base<T> {
public:
    __WS_PROMISE
    void set_value(const T &value) { this->__need().__put(value); }
    void set_value(T &&value) { this->__need().__put((T &&)value); }
};
template <class T> class promise<T &> : public __promise_base<T &> {
public:
    __WS_PROMISE
    void set_value(T &value) { this->__need().__put(value); }
};
template <> class promise<void> : public __promise_base<void> {
public:
    __WS_PROMISE
    void set_value() { __need().__put(); }
};
#undef __WS_PROMISE
// Stores what a call returns or throws.
template <class R, class F> inline void __run_task(__future_state<R> &state, F &&call) {
    try {
        if constexpr (is_void<R>::value) {
            call();
            state.__put();
        } else {
            state.__put(call());
        }
    } catch (...) {
        state.__end(current_exception());
    }
}
template <class R, class F, class... A> struct __async_call {
    __future_state<R> *__of;
    // The thread keeps the state.
    shared_ptr<__future_state<R> > __state;
    F __call;
    tuple<A...> __arguments;
    template <class G, class... B>
    __async_call(__future_state<R> *of, G &&call, B &&...arguments)
        : __of(of), __call((G &&)call), __arguments((B &&)arguments...) {}
    void __run() {
        __run_task(*__of, [this]() -> R {
            return apply([this](A &...arguments) -> R { return invoke((F &&)__call, __thread_argument(arguments)...); },
                         __arguments);
        });
    }
    static void *__start(void *object) {
        __async_call *own = (__async_call *)object;
        own->__run();
        delete own;
        return 0;
    }
    static void __deferred(void *object, bool runs) {
        __async_call *own = (__async_call *)object;
        if (runs) own->__run();
        delete own;
    }
};
template <class F, class... A>
inline auto async(launch how, F &&f, A &&...a) -> future<invoke_result_t<decay_t<F>, decay_t<A>...>> {
    typedef invoke_result_t<decay_t<F>, decay_t<A>...> result;
    typedef __async_call<result, decay_t<F>, decay_t<A>...> made;
    shared_ptr<__future_state<result> > state(new __future_state<result>());
    made *task = new made(state.get(), (F &&)f, (A &&)a...);
    if ((int)how & (int)launch::async) {
        task->__state = state;
        if (!__ws_new_thread(&state->thread, &made::__start, task))
            throw system_error(make_error_code(errc::resource_unavailable_try_again));
    } else {
        state->run = &made::__deferred;
        state->task = task;
    }
    return future<result>(state);
}
template <class F, class... A, class = enable_if_t<!is_same<decay_t<F>, launch>::value>>
inline auto async(F &&f, A &&...a) -> future<invoke_result_t<decay_t<F>, decay_t<A>...>> {
    return async(launch::async, (F &&)f, (A &&)a...);
}
template <class T> class packaged_task;
template <class R, class... A> class packaged_task<R(A...)> {
public:
    function<R(A...)> __call;
    promise<R> __result;
    packaged_task() noexcept {}
    template <class F, class = enable_if_t<!is_same<decay_t<F>, packaged_task>::value>>
    explicit packaged_task(F &&call) {
        // The task may be movable only.
        shared_ptr<decay_t<F> > own(new decay_t<F>((F &&)call));
        __call = [own](A... arguments) -> R { return invoke(*own, (A &&)arguments...); };
    }
    packaged_task(const packaged_task &) = delete;
    packaged_task(packaged_task &&other) noexcept = default;
    packaged_task &operator=(packaged_task &&other) noexcept = default;
    bool valid() const noexcept { return (bool)__call; }
    future<R> get_future() { return __result.get_future(); }
    void operator()(A... arguments) {
        if (!__call) throw future_error(future_errc::no_state);
        if (__result.__state->is_ready) throw future_error(future_errc::promise_already_satisfied);
        __run_task(*__result.__state, [&]() -> R { return __call((A &&)arguments...); });
    }
    void reset() { __result = promise<R>(); }
    void swap(packaged_task &other) noexcept {
        __call.swap(other.__call);
        __result.swap(other.__result);
    }
};
} // namespace std
