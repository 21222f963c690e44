// Which swaps and moves of the library can throw.
#include <any>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct throws {
    throws() {}
    throws(throws &&) {}
    throws &operator=(throws &&) { return *this; }
};

template <class T> static void show(const char *name)
{
    using std::swap;
    typedef T &object;
    std::printf("%s %d %d %d %d\n", name, noexcept(std::declval<object>().swap(std::declval<object>())),
                noexcept(swap(std::declval<object>(), std::declval<object>())),
                noexcept(std::declval<object>() = std::move(std::declval<object>())),
                noexcept(T(std::move(std::declval<object>()))));
}

int main()
{
    show<std::vector<int>>("vector");
    show<std::string>("string");
    show<std::list<throws>>("list");
    show<std::forward_list<int>>("forward_list");
    show<std::map<int, std::string>>("map");
    show<std::set<int>>("set");
    show<std::unordered_map<int, int>>("unordered_map");
    show<std::unique_ptr<int>>("unique_ptr");
    show<std::shared_ptr<int>>("shared_ptr");
    show<std::weak_ptr<int>>("weak_ptr");
    show<std::pair<int, std::string>>("pair");
    std::printf("%d\n", noexcept(std::declval<std::pair<int, throws> &>().swap(std::declval<std::pair<int, throws> &>())));
    std::stack<int> stack;
    std::queue<int> queue;
    std::function<int()> call;
    std::any any;
    std::printf("%d %d %d %d\n", noexcept(stack.swap(stack)), noexcept(queue.swap(queue)), noexcept(call.swap(call)),
                noexcept(any.swap(any)));
    int a = 1, b = 2;
    throws c, d;
    std::printf("%d %d %d\n", noexcept(std::swap(a, b)), noexcept(std::swap(c, d)), noexcept(std::move(c)));
    std::printf("%d\n", noexcept(std::forward<int>(a)));
    return 0;
}
