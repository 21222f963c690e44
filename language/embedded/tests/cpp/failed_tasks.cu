// Futures throw the exceptions of their tasks (C++17).
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>

static int task(int i) {
    if (i > 1) throw std::runtime_error("task");
    return i;
}

int main() {
    auto value = std::async(std::launch::async, task, 1);
    auto failed = std::async(std::launch::async, task, 2);
    auto nothing = std::async(std::launch::async, [] { throw 4; });
    printf("%d\n", value.get());
    try {
        failed.get();
    } catch (const std::exception &e) {
        printf("%s %d\n", e.what(), (int)failed.valid());
    }
    try {
        nothing.get();
    } catch (int i) {
        printf("%d\n", i);
    }
    std::promise<int> promise;
    promise.set_exception(std::make_exception_ptr(7));
    std::shared_future<int> shared = promise.get_future().share();
    for (int i = 0; i < 2; ++i) {
        try {
            shared.get();
        } catch (int code) {
            printf("shared %d\n", code);
        }
    }
    std::packaged_task<int(int)> packed(task);
    std::future<int> result = packed.get_future();
    packed(3);
    try {
        result.get();
    } catch (const std::runtime_error &e) {
        puts(e.what());
    }
}
