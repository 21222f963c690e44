// Elements of vectors of bool: objects that refer to them (C++17).
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

template <class T> static size_t filled(std::vector<T> &v, T value) {
    for (size_t i = 0; i < v.size(); ++i) v[i] = value;
    size_t count = 0;
    for (auto x : v) count += x == value;
    return count;
}
static void print(const std::vector<bool> &v) {
    for (bool b : v) printf("%d", b);
    printf(" %zu\n", v.size());
}

int main() {
    std::vector<bool> v(4, true), w = {true, false, true}, e;
    auto r = v[0];
    r = false;
    v[1] = v[0];
    auto q = v[1];
    v[1] = true;
    printf("%d %d\n", (int)v[0], (int)q);
    v[2].flip();
    std::vector<bool>::reference last = v.back();
    last = !last;
    bool plain = v[3], other = true;
    print(v);
    v.flip();
    print(v);
    swap(v[0], v[1]);
    swap(w[0], w[1]);
    std::vector<bool>::swap(w[1], w[2]);
    swap(w[0], other);
    printf("%d %d %d %d\n", plain, other, v[0] == v[1], (bool)w[0]);
    for (auto x : v) x = true;
    for (auto &&x : w) x.flip();
    print(v);
    print(w);
    v.push_back(false);
    v.emplace_back(true);
    v.insert(v.begin() + 1, false);
    v.insert(v.end(), 2, true);
    v.insert(v.begin(), w.begin(), w.end());
    print(v);
    v.erase(v.begin());
    v.erase(v.begin() + 1, v.begin() + 3);
    v.pop_back();
    print(v);
    v.resize(12);
    v.resize(14, true);
    print(v);
    printf("%zu %zu %zu\n", v.capacity(), std::vector<bool>(100).capacity(), e.capacity());
    e.assign(70, false);
    e[69] = v[0] | v[1];
    printf("%zu %d %d %d\n", e.capacity(), (int)e[69], e < v, v != w);
    printf("%d %d %d\n", (int)std::count(v.begin(), v.end(), true), std::accumulate(v.begin(), v.end(), 0),
           (int)(std::find(v.cbegin(), v.cend(), false) - v.cbegin()));
    std::fill(e.begin(), e.begin() + 3, true);
    std::reverse(v.begin(), v.end());
    std::rotate(w.begin(), w.begin() + 1, w.end());
    print(v);
    print(w);
    std::sort(v.begin(), v.end());
    print(v);
    std::cout << v[0] << ' ' << std::boolalpha << w[0] << ' ' << (v[1] ? "yes" : "no") << '\n';
    if (v[5] && !v[0]) puts("both");
    std::vector<std::vector<bool>> grid(3, std::vector<bool>(2));
    grid[1][0] = grid[2][1] = true;
    for (auto &row : grid) print(row);
    std::vector<int> ints(3);
    printf("%zu %zu\n", filled(ints, 4), filled<bool>(w, true));
    try {
        w.at(8) = true;
    } catch (const std::out_of_range &error) {
        puts(error.what());
    }
    std::vector<bool> moved = std::move(v), copy(moved);
    copy[0] = true;
    printf("%d %d %zu %d\n", (int)moved[0], (int)copy.front(), v.size(), (int)*copy.rbegin());
}
