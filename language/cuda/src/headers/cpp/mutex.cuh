// <mutex>, <condition_variable>, <shared_mutex>.
#include <chrono>
#include <functional>
#include <pthread.h>
#include <thread>
#include <tuple>
namespace std {
struct defer_lock_t {};
struct try_to_lock_t {};
struct adopt_lock_t {};
static const defer_lock_t defer_lock = defer_lock_t();
static const try_to_lock_t try_to_lock = try_to_lock_t();
static const adopt_lock_t adopt_lock = adopt_lock_t();
// A time of the clock of the program.
template <class R, class P> inline unsigned long __until(const chrono::duration<R, P> &time) {
    double left = (double)time.count() * (double)P::num / (double)P::den * 1e9;
    return __ws_thread_clock() + (left > 0 ? (unsigned long)left : 0ul) + 1;
}
class mutex {
public:
    int __held;
    mutex() : __held(0) {}
    mutex(const mutex &) = delete;
    mutex &operator=(const mutex &) = delete;
    bool try_lock() {
        if (__held) return false;
        __held = 1;
        return true;
    }
    void lock() {
        __WS_WAIT(try_lock(), "std::mutex::lock");
    }
    void unlock() { __held = 0; }
};
class recursive_mutex {
public:
    unsigned long __owner;
    int __held;
    recursive_mutex() : __owner(0), __held(0) {}
    recursive_mutex(const recursive_mutex &) = delete;
    recursive_mutex &operator=(const recursive_mutex &) = delete;
    bool try_lock() {
        if (__held && __owner != pthread_self()) return false;
        __owner = pthread_self();
        __held++;
        return true;
    }
    void lock() {
        __WS_WAIT(try_lock(), "std::recursive_mutex::lock");
    }
    void unlock() { __held--; }
};
template <class M> class __timed : public M {
public:
    template <class D> bool try_lock_for(const D &time) {
        unsigned long until = __until(time);
        for (int again = 0; !this->try_lock(); again = 1) {
            if (__ws_thread_clock() >= until) return false;
            __ws_thread_wait("try_lock_for", again, until);
        }
        return true;
    }
    template <class T> bool try_lock_until(const T &time) { return try_lock_for(time - T::clock::now()); }
};
typedef __timed<mutex> timed_mutex;
typedef __timed<recursive_mutex> recursive_timed_mutex;
template <class M> class lock_guard {
public:
    typedef M mutex_type;
    M &__mutex;
    explicit lock_guard(M &mutex) : __mutex(mutex) { __mutex.lock(); }
    lock_guard(M &mutex, adopt_lock_t) : __mutex(mutex) {}
    lock_guard(const lock_guard &) = delete;
    ~lock_guard() { __mutex.unlock(); }
};
// The number of the first mutex that another thread holds, or -1.
template <class M> inline int try_lock(M &mutex) { return mutex.try_lock() ? -1 : 0; }
template <class M, class... R> inline int try_lock(M &mutex, R &...others) {
    if (!mutex.try_lock()) return 0;
    int held = try_lock(others...);
    if (held < 0) return -1;
    mutex.unlock();
    return held + 1;
}
// Locks all mutexes, whatever the order in which other threads lock them.
template <class M> inline void lock(M &mutex) { mutex.lock(); }
template <class M, class... R> inline void lock(M &mutex, R &...others) {
    for (;;) {
        mutex.lock();
        if (try_lock(others...) < 0) return;
        mutex.unlock();
        __ws_thread_yield();
    }
}
template <class... M> class scoped_lock {
public:
    tuple<M &...> __mutexes;
    explicit scoped_lock(M &...mutexes) : __mutexes(mutexes...) {
        if constexpr (sizeof...(M) > 0) std::lock(mutexes...);
    }
    explicit scoped_lock(adopt_lock_t, M &...mutexes) : __mutexes(mutexes...) {}
    scoped_lock(const scoped_lock &) = delete;
    ~scoped_lock() {
        apply([](M &...mutexes) { (mutexes.unlock(), ...); }, __mutexes);
    }
};
template <class M> class unique_lock {
public:
    typedef M mutex_type;
    M *__mutex;
    bool __owns;
    unique_lock() : __mutex(0), __owns(false) {}
    explicit unique_lock(M &mutex) : __mutex(&mutex), __owns(false) { lock(); }
    unique_lock(M &mutex, defer_lock_t) : __mutex(&mutex), __owns(false) {}
    unique_lock(M &mutex, adopt_lock_t) : __mutex(&mutex), __owns(true) {}
    unique_lock(M &mutex, try_to_lock_t) : __mutex(&mutex), __owns(mutex.try_lock()) {}
    unique_lock(const unique_lock &) = delete;
    unique_lock(unique_lock &&other) noexcept : __mutex(other.__mutex), __owns(other.__owns) {
        other.__mutex = 0;
        other.__owns = false;
    }
    ~unique_lock() {
        if (__owns) __mutex->unlock();
    }
    void lock() {
        __mutex->lock();
        __owns = true;
    }
    bool try_lock() { return __owns = __mutex->try_lock(); }
    void unlock() {
        __mutex->unlock();
        __owns = false;
    }
    M *release() {
        M *held = __mutex;
        __mutex = 0;
        __owns = false;
        return held;
    }
    bool owns_lock() const { return __owns; }
    explicit operator bool() const { return __owns; }
    M *mutex() const { return __mutex; }
};
class shared_mutex : public mutex {
public:
    int __readers;
    shared_mutex() : __readers(0) {}
    bool try_lock() { return !__readers && mutex::try_lock(); }
    void lock() {
        __WS_WAIT(try_lock(), "std::shared_mutex::lock");
    }
    bool try_lock_shared() {
        if (__held) return false;
        ++__readers;
        return true;
    }
    void lock_shared() {
        __WS_WAIT(try_lock_shared(), "std::shared_mutex::lock_shared");
    }
    void unlock_shared() { --__readers; }
};
typedef shared_mutex shared_timed_mutex;
template <class M> class shared_lock {
public:
    typedef M mutex_type;
    M *__mutex;
    bool __owns;
    shared_lock() : __mutex(0), __owns(false) {}
    explicit shared_lock(M &mutex) : __mutex(&mutex), __owns(false) { lock(); }
    shared_lock(M &mutex, defer_lock_t) : __mutex(&mutex), __owns(false) {}
    shared_lock(const shared_lock &) = delete;
    ~shared_lock() {
        if (__owns) __mutex->unlock_shared();
    }
    void lock() {
        __mutex->lock_shared();
        __owns = true;
    }
    void unlock() {
        __mutex->unlock_shared();
        __owns = false;
    }
    bool owns_lock() const { return __owns; }
    explicit operator bool() const { return __owns; }
};
struct once_flag {
    int __state;
    once_flag() : __state(0) {}
    once_flag(const once_flag &) = delete;
};
template <class F, class... A> inline void call_once(once_flag &flag, F function, A &&...arguments) {
    __WS_WAIT(flag.__state != 1, "std::call_once");
    if (flag.__state) return;
    flag.__state = 1;
    try {
        invoke(function, (A &&)arguments...);
    } catch (...) {
        flag.__state = 0;
        throw;
    }
    flag.__state = 2;
}
enum class cv_status { no_timeout, timeout };
class condition_variable {
public:
    pthread_cond_t __condition;
    condition_variable() { pthread_cond_init(&__condition, 0); }
    condition_variable(const condition_variable &) = delete;
    void notify_one() { pthread_cond_signal(&__condition); }
    void notify_all() { pthread_cond_broadcast(&__condition); }
    template <class L> bool __wait(L &lock, const char *name, unsigned long until) {
        lock.unlock();
        bool comes = __ws_take_signal(&__condition, name, until);
        lock.lock();
        return comes;
    }
    template <class L> void wait(L &lock) { __wait(lock, "std::condition_variable::wait", 0); }
    template <class L, class P> void wait(L &lock, P is_ready) {
        while (!is_ready()) wait(lock);
    }
    template <class L> cv_status __wait_until(L &lock, unsigned long until) {
        bool comes = __wait(lock, "std::condition_variable::wait_until", until);
        return comes ? cv_status::no_timeout : cv_status::timeout;
    }
    template <class L, class P> bool __wait_until(L &lock, unsigned long until, P &is_ready) {
        while (!is_ready())
            if (__wait_until(lock, until) == cv_status::timeout) return is_ready();
        return true;
    }
    template <class L, class D, class P> bool wait_for(L &lock, const D &time, P is_ready) {
        return __wait_until(lock, __until(time), is_ready);
    }
    template <class L, class T, class P> bool wait_until(L &lock, const T &time, P is_ready) {
        return __wait_until(lock, __until(time - T::clock::now()), is_ready);
    }
    template <class L, class D> cv_status wait_for(L &lock, const D &time) { return __wait_until(lock, __until(time)); }
    template <class L, class T> cv_status wait_until(L &lock, const T &time) {
        return __wait_until(lock, __until(time - T::clock::now()));
    }
};
typedef condition_variable condition_variable_any;
} // namespace std
