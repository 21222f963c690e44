// <mutex>, <condition_variable>: threads run one after the other, so a lock is free or held by the
// thread itself. A wait that only another thread could end stops the program.
#include <chrono>
#include <pthread.h>
namespace std {
struct defer_lock_t {};
struct try_to_lock_t {};
struct adopt_lock_t {};
static const defer_lock_t defer_lock = defer_lock_t();
static const try_to_lock_t try_to_lock = try_to_lock_t();
static const adopt_lock_t adopt_lock = adopt_lock_t();
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
        if (!try_lock()) __ws_waits("std::mutex::lock");
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
        if (!try_lock()) __ws_waits("std::recursive_mutex::lock");
    }
    void unlock() { __held--; }
};
typedef mutex timed_mutex;
typedef recursive_mutex recursive_timed_mutex;
template <class M> class lock_guard {
public:
    typedef M mutex_type;
    M &__mutex;
    explicit lock_guard(M &mutex) : __mutex(mutex) { __mutex.lock(); }
    lock_guard(M &mutex, adopt_lock_t) : __mutex(mutex) {}
    lock_guard(const lock_guard &) = delete;
    ~lock_guard() { __mutex.unlock(); }
};
template <class M> class scoped_lock {
public:
    typedef M mutex_type;
    M &__mutex;
    explicit scoped_lock(M &mutex) : __mutex(mutex) { __mutex.lock(); }
    scoped_lock(const scoped_lock &) = delete;
    ~scoped_lock() { __mutex.unlock(); }
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
    bool owns_lock() const { return __owns; }
    explicit operator bool() const { return __owns; }
    M *mutex() const { return __mutex; }
};
struct once_flag {
    bool __done;
    once_flag() : __done(false) {}
    once_flag(const once_flag &) = delete;
};
template <class F> inline void call_once(once_flag &flag, F function) {
    if (flag.__done) return;
    function();
    flag.__done = true;
}
class condition_variable {
public:
    condition_variable() {}
    condition_variable(const condition_variable &) = delete;
    void notify_one() {}
    void notify_all() {}
    template <class L> void wait(L &) { __ws_waits("std::condition_variable::wait"); }
    template <class L, class P> void wait(L &, P is_ready) {
        if (!is_ready()) __ws_waits("std::condition_variable::wait");
    }
    template <class L, class D, class P> bool wait_for(L &, const D &, P is_ready) { return is_ready(); }
};
typedef condition_variable condition_variable_any;
} // namespace std
