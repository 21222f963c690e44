// Unordered containers have the order of libstdc++.
#include <iostream>
#include <string>
#include <unordered_map>
#include <unordered_set>

struct Cell {
    int x, y;
    bool operator==(const Cell &other) const { return x == other.x && y == other.y; }
};

struct CellHash {
    size_t operator()(const Cell &cell) const { return (size_t)cell.x * 31 + cell.y; }
};

int main() {
    std::unordered_map<std::string, int> count;
    std::string words[] = {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "the", "end"};
    for (const auto &word : words) count[word]++;
    for (const auto &one : count) std::cout << one.first << ":" << one.second << " ";
    std::cout << count.size() << " " << count.count("fox") << " " << (count.find("cat") == count.end()) << "\n";
    count.erase("fox");
    std::unordered_map<std::string, int> copy = count;
    for (auto it = copy.begin(); it != copy.end(); ++it) std::cout << it->first << " ";
    std::unordered_map<int, double> numbers;
    for (int i = 0; i < 100; ++i) numbers[(i * 37) % 101] = i;
    for (int i = 0; i < 100; i += 3) numbers.erase(i);
    for (const auto &one : numbers) std::cout << one.first << " ";
    std::cout << numbers.bucket_count() << "\n";
    std::unordered_set<Cell, CellHash> cells;
    for (int i = 0; i < 20; ++i) cells.insert(Cell{i % 5, i % 3});
    for (const Cell &cell : cells) std::cout << cell.x << cell.y << " ";
    std::unordered_set<long> few = {5, 3, 100, 5, 18};
    for (long n : few) std::cout << n << " ";
    try {
        copy.at("none");
    } catch (const std::out_of_range &error) {
        std::cout << error.what() << "\n";
    }
    return 0;
}
