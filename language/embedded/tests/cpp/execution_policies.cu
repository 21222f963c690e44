// Algorithms with execution policies, and the logarithm of libstdc++.
#include <algorithm>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

int main()
{
    namespace ex = std::execution;
    std::vector<int> v{3, 1, 2, 5, 4}, w(5);
    std::sort(ex::par, v.begin(), v.end());
    std::sort(ex::par_unseq, v.begin(), v.end(), std::greater<int>());
    for (int one : v) std::printf("%d ", one);
    std::for_each(ex::seq, v.begin(), v.end(), [](int &one) { one *= 2; });
    std::transform(ex::par, v.begin(), v.end(), w.begin(), [](int one) { return one + 1; });
    std::transform(ex::par, v.begin(), v.end(), w.begin(), w.begin(), std::plus<>());
    for (int one : w) std::printf("%d ", one);
    std::printf("\n%d %d", std::reduce(ex::par, v.begin(), v.end()), std::reduce(ex::par, v.begin(), v.end(), 100));
    std::printf(" %d", std::transform_reduce(ex::par, v.begin(), v.end(), w.begin(), 0));
    std::printf(" %d", std::transform_reduce(ex::par_unseq, v.begin(), v.end(), 0, std::plus<>(), [](int a) { return a * a; }));
    std::printf(" %d", (int)std::count_if(ex::par, v.begin(), v.end(), [](int a) { return a > 4; }));
    std::printf(" %d", *std::max_element(ex::par, v.begin(), v.end()));
    std::printf(" %d\n", (int)(std::find(ex::par, v.begin(), v.end(), 6) - v.begin()));
    std::fill(ex::par, w.begin(), w.end(), 7);
    std::generate(ex::seq, w.begin() + 1, w.end(), [n = 0]() mutable { return n++; });
    std::copy(ex::par, v.begin(), v.begin() + 1, w.begin());
    std::inclusive_scan(ex::par, w.begin(), w.end(), w.begin());
    for (int one : w) std::printf("%d ", one);
    w.erase(std::remove_if(ex::par, w.begin(), w.end(), [](int a) { return a % 2; }), w.end());
    std::printf("%d %d %d\n", (int)w.size(), std::all_of(ex::par, w.begin(), w.end(), [](int a) { return a % 2 == 0; }),
                std::is_sorted(ex::par, w.begin(), w.end()));
    std::vector<std::string> texts{"b", "a", "c"};
    std::stable_sort(ex::par, texts.begin(), texts.end());
    std::reverse(ex::seq, texts.begin(), texts.end());
    std::printf("%s%s%s\n", texts[0].c_str(), texts[1].c_str(), texts[2].c_str());
    std::printf("%d %d\n", std::is_execution_policy_v<ex::parallel_policy>, std::is_execution_policy<int>::value);
    std::printf("%d %d %d %ld\n", std::__lg(1), std::__lg(31), std::__lg(32u), (long)std::__lg(1L << 40));
    return 0;
}
