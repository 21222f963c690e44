// <future>, <mutex> and <shared_mutex>: tasks, several locks, and locks of readers.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

struct Account {
    int balance = 100;
    std::mutex m;
};
static void transfer(Account &from, Account &to, int amount) {
    std::scoped_lock both(from.m, to.m);
    from.balance -= amount;
    to.balance += amount;
}
// A pool, as many programs have it: the tasks have one type behind their results.
class Pool {
    std::queue<std::function<void()>> tasks;

public:
    template <class F, class... A>
    auto enqueue(F &&f, A &&...args) -> std::future<typename std::result_of<F(A...)>::type> {
        using R = typename std::result_of<F(A...)>::type;
        auto task = std::make_shared<std::packaged_task<R()>>(std::bind(std::forward<F>(f), std::forward<A>(args)...));
        std::future<R> result = task->get_future();
        tasks.emplace([task]() { (*task)(); });
        return result;
    }
    void run() {
        for (; !tasks.empty(); tasks.pop()) tasks.front()();
    }
};
class Cache {
    mutable std::shared_mutex m;
    std::string text;

public:
    void set(const std::string &value) {
        std::unique_lock<std::shared_mutex> lock(m);
        text = value;
    }
    std::string get() const {
        std::shared_lock<std::shared_mutex> one(m), two(m);
        return text;
    }
    bool is_free() const {
        bool got = m.try_lock();
        if (got) m.unlock();
        return got;
    }
};
int main() {
    Account a, b;
    std::thread t1(transfer, std::ref(a), std::ref(b), 30), t2(transfer, std::ref(b), std::ref(a), 10);
    t1.join();
    t2.join();
    std::lock(a.m, b.m);
    printf("%d ", std::try_lock(a.m, b.m));
    b.m.unlock();
    printf("%d ", std::try_lock(b.m, a.m));
    std::lock_guard<std::mutex> adopted(a.m, std::adopt_lock);
    printf("%d %d\n", a.balance, b.balance);
    Pool pool;
    auto sum = pool.enqueue([](int x, int y) { return x + y; }, 2, 3);
    auto nothing = pool.enqueue([] { printf("ran "); });
    pool.run();
    nothing.get();
    printf("%d\n", sum.get());
    std::packaged_task<std::string(int)> task([](int n) { return std::string(n, 'x'); });
    auto text = task.get_future();
    std::thread runner(std::move(task), 3);
    runner.join();
    printf("%s ", text.get().c_str());
    printf("%d\n", text.valid());
    std::shared_future<int> shared = std::async(std::launch::async | std::launch::deferred,
                                                [](int a, int b, int c, int d) { return a * b * c * d; }, 1, 2, 3, 4).share();
    auto copy = shared;
    printf("%d %d\n", shared.get(), copy.get());
    Cache cache;
    cache.set("kept");
    printf("%s %d\n", cache.get().c_str(), cache.is_free());
    std::once_flag once;
    for (int i = 0; i < 2; ++i) std::call_once(once, [](int x, const char *s) { printf("%d%s\n", x, s); }, 4, "th");
    std::timed_mutex timed;
    std::recursive_mutex again;
    again.lock();
    again.lock();
    timed.lock();
    auto before = std::chrono::steady_clock::now();
    bool got = false;
    std::thread other([&] { got = timed.try_lock_for(std::chrono::milliseconds(3)); });
    other.join();
    auto waited = std::chrono::steady_clock::now() - before;
    std::condition_variable cv;
    std::mutex cm;
    std::unique_lock<std::mutex> lock(cm);
    auto status = cv.wait_for(lock, std::chrono::milliseconds(2));
    printf("%d %d %d\n", got, waited >= std::chrono::milliseconds(3), status == std::cv_status::timeout);
    std::atomic<int> count(5);
    int old = std::atomic_fetch_add(&count, 2);
    std::atomic_store(&count, std::atomic_load(&count) * 2);
    printf("%d %d %d\n", old, count.load(), lock.release() == &cm);
    cm.unlock();
    return 0;
}
