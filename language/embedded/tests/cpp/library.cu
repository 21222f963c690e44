// Maps, sets, pointers that own, random numbers, times.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

struct Node {
    int value;
    std::unique_ptr<Node> next;
    explicit Node(int value) : value(value) { std::cout << "+" << value << " "; }
    ~Node() { std::cout << "-" << value << " "; }
};

int main() {
    std::map<std::string, int> ages;
    ages["tom"] = 30;
    ages["ann"] = 25;
    ages["bob"]++;
    for (const auto &one : ages) std::cout << one.first << ":" << one.second << " ";
    std::cout << ages.size() << " " << ages.count("ann") << " " << (ages.find("zoe") == ages.end()) << "\n";
    ages.erase("bob");
    for (std::map<std::string, int>::iterator it = ages.begin(); it != ages.end(); ++it) std::cout << it->first << " ";
    std::map<int, std::vector<int> > lists = {{3, {1, 2}}, {1, {5}}};
    lists[3].push_back(7);
    for (auto &one : lists) std::cout << one.first << "/" << one.second.size() << " ";
    std::set<int> numbers = {5, 1, 3, 1};
    numbers.insert(2);
    for (int n : numbers) std::cout << n << " ";
    std::cout << "\n";
    {
        std::unique_ptr<Node> first(new Node(1));
        first->next = std::make_unique<Node>(2);
        std::unique_ptr<Node> other = std::move(first);
        std::cout << (first ? "full" : "empty") << " " << other->next->value << " ";
        std::unique_ptr<int[]> list(new int[3]);
        list[2] = 9;
        std::cout << list[2] << " ";
        std::vector<std::unique_ptr<Node> > nodes;
        nodes.push_back(std::move(other));
        nodes.emplace_back(new Node(3));
        std::shared_ptr<Node> shared = std::make_shared<Node>(4), copy = shared;
        std::cout << copy.use_count() << " ";
    }
    std::cout << "\n";
    std::mt19937 engine(42);
    std::cout << engine() << " " << engine() << "\n";
    std::uniform_int_distribution<int> dice(1, 6);
    for (int i = 0; i < 10; ++i) std::cout << dice(engine) << " ";
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    std::uniform_real_distribution<> wide(0, 10);
    std::normal_distribution<float> normal(0.0f, 1.0f);
    std::normal_distribution<double> normal2(5, 2);
    for (int i = 0; i < 3; ++i) std::cout << real(engine) << " " << wide(engine) << " " << normal(engine) << " " << normal2(engine) << "\n";
    std::default_random_engine simple(7);
    std::uniform_int_distribution<int> percent(0, 99);
    for (int i = 0; i < 5; ++i) std::cout << percent(simple) << " ";
    std::vector<int> cards(10);
    for (int i = 0; i < 10; ++i) cards[i] = i;
    std::shuffle(cards.begin(), cards.end(), engine);
    for (int c : cards) std::cout << c << " ";
    std::mt19937_64 big(1);
    std::cout << big() << " " << std::uniform_int_distribution<long>(0, 1000000000000L)(big) << "\n";
    auto start = std::chrono::high_resolution_clock::now();
    auto end = std::chrono::high_resolution_clock::now();
    std::chrono::duration<double> seconds = end - start;
    auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(end - start).count();
    std::cout << (seconds.count() >= 0) << " " << ms << " " << (std::chrono::duration<double, std::milli>(end - start).count() < 1000) << "\n";
    return 0;
}
