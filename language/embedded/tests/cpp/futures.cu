// Futures: threads, deferred tasks, references, moves, errors.
#include <chrono>
#include <cstdio>
#include <future>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct A { int k = 3; int times(int n) const { return k * n; } };
struct NoDefault { int v; explicit NoDefault(int v) : v(v) {} };
int square(int x) { return x * x; }
void fill(std::vector<int> &v, int n) { for (int i = 0; i < n; i++) v.push_back(i); }
template <class It> long sum(It first, It last) {
    if (last - first < 100) return std::accumulate(first, last, 0L);
    It middle = first + (last - first) / 2;
    auto left = std::async(std::launch::async, sum<It>, first, middle);
    long right = sum(middle, last);
    return left.get() + right;
}
int main() {
    A a;
    std::vector<int> v;
    auto one = std::async(std::launch::async, square, 9);
    auto two = std::async(&A::times, &a, 4);
    auto three = std::async(std::launch::async, fill, std::ref(v), 5);
    auto four = std::async([](std::unique_ptr<int> p) { return std::make_unique<int>(*p + 1); }, std::make_unique<int>(6));
    three.get();
    printf("%d %d %zu %d\n", one.get(), two.get(), v.size(), *four.get());
    auto late = std::async(std::launch::deferred, [] { printf("[deferred]"); return NoDefault(8); });
    printf("before ");
    printf("%d ", late.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    printf("%d\n", late.get().v);
    std::vector<int> many(1000);
    std::iota(many.begin(), many.end(), 1);
    printf("%ld\n", sum(many.begin(), many.end()));
    auto fails = std::async([]() -> int { throw std::domain_error("from async"); });
    try { fails.get(); } catch (const std::domain_error &e) { printf("caught %s\n", e.what()); }
    std::promise<int &> ref;
    auto refers = ref.get_future();
    int x = 1;
    ref.set_value(x);
    refers.get() = 5;
    printf("%d\n", x);
    std::promise<std::string> text;
    std::shared_future<std::string> shared = text.get_future().share();
    auto copy = shared;
    std::thread waits([copy] { printf("%s ", copy.get().c_str()); });
    text.set_value("shared");
    waits.join();
    printf("%s %d\n", shared.get().c_str(), shared.valid());
    std::packaged_task<int(int)> task([p = std::make_unique<int>(10)](int n) { return *p + n; });
    auto result = task.get_future();
    std::thread runs(std::move(task), 5);
    runs.join();
    printf("%d ", result.get()); printf("%d\n", result.valid());
    int found[4] = {0};
    try { std::promise<int> p; p.set_value(1); p.set_value(2); } catch (const std::future_error &e) { found[0] = e.code() == std::future_errc::promise_already_satisfied; puts(e.what()); }
    std::future<int> broken; { std::promise<int> p; broken = p.get_future(); }
    try { broken.get(); } catch (const std::future_error &e) { found[1] = e.code() == std::make_error_code(std::future_errc::broken_promise); puts(e.what()); }
    try { std::future<int>().get(); } catch (const std::future_error &e) { found[2] = e.code().value(); puts(e.what()); }
    try { std::promise<void> p; p.get_future(); p.get_future(); } catch (const std::logic_error &e) { found[3] = 1; puts(e.what()); }
    printf("%d %d %d %d\n", found[0], found[1], found[2], found[3]);
    std::promise<void> go; auto gone = go.get_future();
    printf("%d ", gone.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout);
    go.set_value();
    printf("%d\n", gone.wait_for(std::chrono::milliseconds(5)) == std::future_status::ready);
    gone.get();
    { auto kept = std::async(std::launch::async, [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); puts("ended"); }); }
    puts("after");
    std::vector<std::future<int>> all;
    for (int i = 0; i < 5; i++) all.push_back(std::async(std::launch::async, [i] { std::this_thread::sleep_for(std::chrono::milliseconds(10 * (5 - i))); return i; }));
    for (auto &f : all) std::cout << f.get() << ' ';
    std::cout << '\n';
    return 0;
}
