// Containers, algorithms and lambda expressions.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <stdio.h>
#include <string>
#include <utility>
#include <vector>

struct Item {
    std::string name;
    std::vector<int> values;
    double weight;
};

static std::vector<int> squares(int n) {
    std::vector<int> made;
    for (int i = 0; i < n; ++i) made.push_back(i * i);
    return made;
}

static int total(const std::vector<int> &list) {
    int sum = 0;
    for (int x : list) sum += x;
    return sum;
}

static int by_value(std::vector<int> list) {
    list.push_back(100);
    return (int)list.size();
}

template <typename F> void each(int n, F f) {
    for (int i = 0; i < n; ++i) f(i);
}

int main() {
    std::vector<int> v = squares(6);
    printf("%zu %d %d %d\n", v.size(), v[5], total(v), by_value(v));
    std::vector<float> zeros(4), ones(4, 1.5f);
    printf("%g %g %zu\n", zeros[3], ones[3], ones.size());
    std::vector<int> list = {5, 3, 9, 1, 7};
    std::sort(list.begin(), list.end());
    for (auto x : list) printf("%d ", x);
    std::sort(list.begin(), list.end(), [](int a, int b) { return a > b; });
    for (const auto &x : list) printf("%d ", x);
    std::sort(list.begin(), list.end(), std::greater<int>());
    printf("%d\n", std::accumulate(list.begin(), list.end(), 0));
    std::vector<std::vector<double> > grid(3, std::vector<double>(2, 0.5));
    grid[1][1] = 4;
    double sum = 0;
    for (auto &row : grid)
        for (double x : row) sum += x;
    printf("%g\n", sum);
    std::vector<std::string> words = {"one", "two", "three"};
    words.push_back("four");
    words.insert(words.begin() + 1, "inserted");
    words.erase(words.begin());
    std::string joined;
    for (const std::string &word : words) joined += word + ",";
    printf("%s %zu\n", joined.c_str(), joined.size());
    std::vector<Item> items;
    items.push_back(Item{"a", {1, 2, 3}, 2.5});
    items.push_back({"b", {4}, 1.5});
    Item copy = items[0];
    copy.name += "!";
    items.push_back(copy);
    items[1] = items[2];
    for (auto &item : items) printf("%s/%zu/%g ", item.name.c_str(), item.values.size(), item.weight);
    printf("\n");
    std::array<int, 4> array = {{4, 3, 2, 1}};
    std::sort(array.begin(), array.end());
    printf("%d %d %zu\n", array[0], array.back(), array.size());
    int offset = 10, calls = 0;
    auto add = [offset, &calls](int x) {
        ++calls;
        return x + offset;
    };
    printf("%d ", add(1));
    printf("%d %d\n", add(2), offset);
    int found = 0;
    each(5, [&](int i) { found += i; });
    printf("%d\n", found);
    std::generate(list.begin(), list.end(), [&calls]() { return calls++; });
    std::iota(v.begin(), v.end(), 3);
    std::transform(v.begin(), v.end(), v.begin(), [](int x) { return 2 * x; });
    std::reverse(v.begin(), v.end());
    for (int x : v) printf("%d ", x);
    for (int x : list) printf("%d ", x);
    printf("\n");
    std::pair<int, std::string> pair = std::make_pair(3, std::string("text"));
    auto other = pair;
    other.second += "!";
    printf("%d %s %s %d\n", pair.first, pair.second.c_str(), other.second.c_str(), pair < other);
    std::swap(pair, other);
    std::vector<int> moved = std::move(v);
    printf("%s %zu %zu\n", pair.second.c_str(), v.size(), moved.size());
    printf("%d %d\n", *std::max_element(moved.begin(), moved.end()), *std::min_element(list.begin(), list.end()));
    printf("%d %g\n", std::max(3, 4), std::min(2.5, 1.5));
    printf("%d %d\n", std::numeric_limits<int>::max(), std::numeric_limits<float>::max() > 1e38f);
    std::string s = "hello world";
    printf("%zu %s %s %d\n", s.find("wor"), s.substr(6).c_str(), (s + "!" + std::to_string(42)).c_str(), s == "hello world");
    printf("%d %g %zu\n", std::stoi("17"), std::stod("2.5"), s.rfind('o'));
    std::vector<std::pair<int, float> > pairs;
    for (int i = 0; i < 3; ++i) pairs.emplace_back(i, i * 0.5f);
    std::sort(pairs.begin(), pairs.end(), [](const std::pair<int, float> &a, const std::pair<int, float> &b) { return a.second > b.second; });
    for (auto p : pairs) printf("%d:%g ", p.first, p.second);
    for (int x : {7, 8, 9}) printf("%d ", x);
    printf("%d\n", std::max({3, 8, 5}));
    std::vector<int> part(moved.begin() + 1, moved.begin() + 3);
    std::fill(part.begin(), part.end(), 6);
    std::copy(part.begin(), part.end(), moved.begin());
    printf("%d %d %zu %ld\n", moved[0], moved[2], part.size(), (long)std::count(moved.begin(), moved.end(), 6));
    std::vector<int> to;
    std::copy(moved.begin(), moved.end(), std::back_inserter(to));
    to.resize(8);
    printf("%zu %d %d\n", to.size(), to[7], to == moved);
    auto it = std::find(to.begin(), to.end(), 10);
    printf("%ld %d\n", (long)(it - to.begin()), it != to.end());
    return 0;
}
