// `std::span` (C++20).
#include <array>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>
#include <algorithm>
#include <vector>

int total(std::span<const int> list) {
    int sum = 0;
    for (int value : list) sum += value;
    return sum;
}
void scale(std::span<float> list, float by) {
    for (float &value : list) value *= by;
}
template <std::size_t N> std::size_t extent(std::span<int, N>) { return N; }
template <class T> T last(std::span<T> list) { return list.back(); }
struct Point { int x, y; };

int main() {
    int plain[5] = {1, 2, 3, 4, 5};
    std::array<int, 3> array = {10, 20, 30};
    std::vector<int> vector = {7, 8, 9, 10};
    const std::vector<int> constant = {1, 1, 1};
    std::printf("%d %d %d %d\n", total(plain), total(array), total(vector), total(constant));
    std::printf("%d %d\n", total({plain + 1, 3}), total(std::span(vector).subspan(1, 2)));
    std::span<int> all(plain);
    std::span<int, 3> three(array);
    std::span fixed = plain;
    std::span dynamic(vector);
    std::span range(vector.begin(), vector.end());
    std::span counted(vector.data(), 2);
    std::printf("%zu %zu %zu %zu %zu %zu\n", all.size(), three.size(), fixed.size(), dynamic.size(), range.size(), counted.size());
    std::printf("%zu %zu %zu\n", sizeof(all), sizeof(three), sizeof(fixed));
    std::printf("%d %d %d\n", decltype(fixed)::extent == 5, decltype(dynamic)::extent == std::dynamic_extent, three.extent == 3);
    std::printf("%zu %zu\n", extent(three), extent(fixed));
    fixed[2] = 33;
    dynamic.front() = 70;
    std::printf("%d %d %d\n", plain[2], vector[0], last(dynamic));
    std::printf("%d %d %zu\n", fixed.first(2)[1], fixed.last(2)[0], fixed.subspan(3).size());
    std::printf("%zu %zu %zu\n", decltype(fixed.first<2>())::extent, decltype(fixed.last<1>())::extent, decltype(fixed.subspan<1>())::extent);
    std::printf("%zu %d\n", fixed.subspan<1, 3>().size(), fixed.subspan<1, 3>()[0]);
    std::printf("%zu %d %d\n", fixed.size_bytes(), fixed.empty(), std::span<int>().empty());
    float values[3] = {1, 2, 3};
    scale(values, 2.5f);
    scale(std::span(values).subspan(1), 2);
    std::printf("%g %g %g\n", values[0], values[1], values[2]);
    std::sort(dynamic.begin(), dynamic.end());
    for (auto at = dynamic.rbegin(); at != dynamic.rend(); ++at) std::printf("%d ", *at);
    std::printf("%d\n", std::accumulate(range.begin(), range.end(), 0));
    auto bytes = std::as_bytes(std::span(plain, 1));
    std::printf("%zu %d\n", bytes.size(), std::to_integer<int>(bytes[0]));
    auto writable = std::as_writable_bytes(fixed);
    writable[4] = std::byte{9};
    std::printf("%d %zu\n", plain[1], writable.size());
    std::span<const int> read = dynamic;
    std::span<const int, 5> exact = fixed;
    std::printf("%d %d %d\n", read[1], exact[4], read.data() == vector.data());
    Point points[2] = {{1, 2}, {3, 4}};
    for (auto &[x, y] : std::span<Point>(points)) std::printf("%d,%d ", x, y);
    std::string text = "text";
    std::span<char> letters(text);
    letters[0] = 'T';
    std::printf("%s %d\n", text.c_str(), std::is_same_v<decltype(letters)::value_type, char>);
    std::vector<std::vector<int>> rows = {{1, 2}, {3}};
    int sum = 0;
    for (std::span<int> row : rows) sum += total(row);
    std::printf("%d\n", sum);
}
