// `std::map` and `std::unordered_map`.
#include <cstdio>
#include <map>
#include <unordered_map>

int main() {
    std::map<int, int> tree;
    std::unordered_map<int, int> table;
    unsigned x = 1;
    for (int i = 0; i < 200000; i++) {
        x = x * 1103515245 + 12345;
        tree[(x >> 16) % 5000]++;
        table[(x >> 12) % 9000] += i % 3;
    }
    long sum = 0, other = 0;
    for (auto &pair : tree) sum += pair.first * (long)pair.second;
    for (auto &pair : table) other += pair.first * (long)pair.second;
    printf("%ld %ld\n", sum, other);
}
