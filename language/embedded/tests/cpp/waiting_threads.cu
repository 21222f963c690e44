// Threads that wait for each other.
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
#include <vector>
template <class T> class Channel {
    std::queue<T> items; std::mutex m; std::condition_variable full, empty; size_t room; bool closed = false;
public:
    explicit Channel(size_t room) : room(room) {}
    void put(T item) {
        std::unique_lock<std::mutex> lock(m);
        empty.wait(lock, [this] { return items.size() < room; });
        items.push(std::move(item));
        full.notify_one();
    }
    bool take(T &item) {
        std::unique_lock<std::mutex> lock(m);
        full.wait(lock, [this] { return !items.empty() || closed; });
        if (items.empty()) return false;
        item = std::move(items.front());
        items.pop();
        empty.notify_one();
        return true;
    }
    void close() { std::lock_guard<std::mutex> lock(m); closed = true; full.notify_all(); }
};
class Pool {
    std::vector<std::thread> workers; std::queue<std::function<void()>> tasks; std::mutex m; std::condition_variable cv; bool stop = false;
public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++)
            workers.emplace_back([this] {
                for (;;) {
                    std::function<void()> task;
                    {
                        std::unique_lock<std::mutex> lock(m);
                        cv.wait(lock, [this] { return stop || !tasks.empty(); });
                        if (stop && tasks.empty()) return;
                        task = std::move(tasks.front());
                        tasks.pop();
                    }
                    task();
                }
            });
    }
    template <class F> auto submit(F f) -> std::future<decltype(f())> {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(f);
        auto result = task->get_future();
        { std::lock_guard<std::mutex> lock(m); tasks.push([task] { (*task)(); }); }
        cv.notify_one();
        return result;
    }
    ~Pool() {
        { std::lock_guard<std::mutex> lock(m); stop = true; }
        cv.notify_all();
        for (auto &one : workers) one.join();
    }
};
struct Barrier {
    std::mutex m; std::condition_variable cv; int count, waiting = 0, round = 0;
    explicit Barrier(int n) : count(n) {}
    void wait() {
        std::unique_lock<std::mutex> lock(m);
        int own = round;
        if (++waiting == count) { waiting = 0; round++; cv.notify_all(); return; }
        cv.wait(lock, [&] { return own != round; });
    }
};
int main() {
    Channel<int> channel(2);
    long sum = 0;
    std::thread consumer([&] { int x; while (channel.take(x)) sum += x; });
    std::thread producer([&] { for (int i = 1; i <= 100; i++) channel.put(i); channel.close(); });
    producer.join(); consumer.join();
    printf("%ld\n", sum);
    {
        Pool pool(3);
        std::vector<std::future<int>> results;
        for (int i = 0; i < 8; i++) results.push_back(pool.submit([i] { return i * i; }));
        int all = 0;
        for (auto &one : results) all += one.get();
        printf("%d\n", all);
    }
    Barrier barrier(3);
    int cells[3] = {1, 2, 3}, next[3];
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++) threads.emplace_back([&, t] {
        for (int step = 0; step < 4; step++) {
            next[t] = cells[(t + 1) % 3] + cells[(t + 2) % 3];
            barrier.wait();
            cells[t] = next[t];
            barrier.wait();
        }
    });
    for (auto &one : threads) one.join();
    printf("%d %d %d\n", cells[0], cells[1], cells[2]);
    std::atomic<bool> go(false); std::atomic<int> count(0);
    std::thread spinner([&] { while (!go) ; count += 5; });
    std::thread flag([&] { while (!go.load(std::memory_order_acquire)) std::this_thread::yield(); count++; });
    go = true;
    spinner.join(); flag.join();
    printf("%d\n", count.load());
    std::promise<std::string> promise;
    auto future = promise.get_future();
    std::thread later([&] { printf("got %s\n", future.get().c_str()); });
    promise.set_value("text");
    later.join();
    std::mutex a, b;
    std::thread one([&] { for (int i = 0; i < 3; i++) { std::scoped_lock lock(a, b); std::this_thread::yield(); } });
    std::thread two([&] { for (int i = 0; i < 3; i++) { std::scoped_lock lock(b, a); std::this_thread::yield(); } });
    one.join(); two.join();
    auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> sleepers;
    std::mutex out;
    for (int i = 3; i > 0; i--) sleepers.emplace_back([&, i] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50 * i));
        std::lock_guard<std::mutex> lock(out);
        printf("slept %d\n", i);
    });
    for (auto &each : sleepers) each.join();
    long ms = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
    printf("%d\n", ms >= 150 && ms < 200);
    std::condition_variable cv; std::mutex m; std::unique_lock<std::mutex> lock(m);
    printf("%d\n", cv.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout);
    std::thread waker([&] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); std::lock_guard<std::mutex> held(m); cv.notify_all(); });
    printf("%d\n", cv.wait_for(lock, std::chrono::seconds(10)) == std::cv_status::no_timeout);
    lock.unlock();
    waker.join();
    std::thread detached([] { });
    detached.detach();
    std::thread moved([](std::unique_ptr<int> p, std::string s) { printf("%d %s\n", *p, s.c_str()); }, std::make_unique<int>(9), "moved");
    moved.join();
    struct Worker { int n = 0; void add(int k) { n += k; } } worker;
    std::thread member(&Worker::add, &worker, 7);
    member.join();
    printf("%d\n", worker.n);
    return 0;
}
