// Members of containers and streams that few programs use.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// Results that are `auto` behind a reference or a pointer, and captures with names of templates.
struct Cells {
    int one = 1;
    std::vector<int> list{1, 2};
    auto &get() { return one; }
    const auto &kept() const { return one; }
    auto *address() { return &one; }
    auto &at(int i) { return list[i]; }
    static auto &global() {
        static int g = 4;
        return g;
    }
    auto &&passed() { return std::move(one); }
};
static int letters[3] = {7, 8, 9};
static auto *first_letter() { return letters; }
template <class T> auto &first(T &c) { return c[0]; }
template <class T> struct Box {
    T t;
    auto &item(int i);
};
template <class T> auto &Box<T>::item(int i) { return t[i]; }
static void results() {
    using namespace std;
    Cells s;
    s.get() = 5;
    ++*s.address();
    s.at(1) = 9;
    first(s.list) = 8;
    Cells::global()++;
    Box<vector<int>> box{{1, 2}};
    box.item(0) = 6;
    int local = 3;
    auto self = [&]() -> auto & { return local; };
    self() = 4;
    *first_letter() = 1;
    auto sum = [less = local, plus = [](int a) { return a + 1; }](int a) { return less + plus(a); };
    printf("%d %d %d %d %d %d %d %d %d\n", s.kept(), s.list[0], s.list[1], Cells::global(), box.t[0], local, letters[0],
           s.passed(), sum(1));
}

struct Shape {
    virtual ~Shape() {}
};
struct Circle : Shape {};

static void nodes() {
    std::map<int, std::string> m{{1, "one"}, {2, "two"}, {5, "five"}};
    auto node = m.extract(1);
    node.key() = 7;
    node.mapped() += "!";
    auto placed = m.insert(std::move(node));
    printf("%d %s %d\n", placed.inserted, placed.position->second.c_str(), placed.node.empty());
    auto again = m.extract(m.find(2));
    again.key() = 5;
    auto refused = m.insert(std::move(again));
    printf("%d %s %d %s\n", refused.inserted, refused.position->second.c_str(), refused.node.empty(),
           refused.node.mapped().c_str());
    printf("%d\n", m.extract(99).empty());
    std::map<int, std::string> other{{5, "cinq"}, {9, "neuf"}};
    m.merge(other);
    for (auto &[key, value] : m) printf("%d=%s ", key, value.c_str());
    printf("| %zu %d\n", other.size(), other.begin()->first);
    std::multiset<int> a{3, 1, 3}, b{3, 2};
    a.merge(b);
    auto taken = a.extract(3);
    taken.value() = 8;
    a.insert(std::move(taken));
    for (int x : a) printf("%d ", x);
    printf("| %zu %d\n", b.size(), a.value_comp()(1, 2));
    printf("%d\n", m.value_comp()(*m.begin(), *m.rbegin()));
    std::unordered_map<std::string, int> table{{"k", 1}};
    auto range = table.equal_range("k");
    printf("%td %d %d\n", std::distance(range.first, range.second), table.key_eq()("k", "k"),
           table.equal_range("x").first == table.end());
}

static void texts() {
    std::string s = "7";
    s.insert(0, 2, '0');
    s.insert(0, 1, '#');
    s.insert(s.begin() + 1, 'x');
    s.insert(s.begin(), 2, '<');
    s.replace(0, 0, "a");
    s.erase(0, 1);
    s.erase(s.begin());
    printf("%s\n", s.c_str());
    s.erase(0);
    printf("[%s]\n", s.c_str());
    try {
        std::vector<int>().reserve(~(size_t)0);
    } catch (std::length_error &e) {
        printf("%s\n", e.what());
    }
}

static std::ofstream opened(const char *path) {
    std::ofstream made(path);
    made << "first\n";
    return made;
}

static void streams() {
    {
        std::ofstream out = opened("members.txt");
        out << std::unitbuf << "second\n";
        std::ifstream early("members.txt");
        std::string line;
        int lines = 0;
        while (std::getline(early, line)) ++lines;
        printf("%d\n", lines);
        std::ofstream moved;
        moved = std::move(out);
        moved << std::nounitbuf << "third\n";
    }
    std::vector<std::ifstream> files;
    files.push_back(std::ifstream("members.txt"));
    std::string word;
    while (files[0] >> word) std::cout << word << ' ';
    std::cout << std::endl;
    files.clear();
    remove("members.txt");
    std::stringstream both(std::ios::in | std::ios::out);
    both << 5;
    int five;
    both >> five;
    auto shared = std::make_shared<int>(1);
    std::ostringstream pointers;
    pointers << shared << ' ' << std::shared_ptr<int>();
    std::cout << five << pointers.str().substr(0, 2) << pointers.str().back() << std::endl;
}

int main() {
    results();
    nodes();
    texts();
    streams();
    std::array<std::array<int, 2>, 2> a{{{1, 2}, {3, 4}}}, b{{{1, 2}, {4, 0}}};
    printf("%d%d%d%d\n", a < b, a > b, a <= a, b >= a);
    std::bitset<70> bits;
    bits.set(3).set(66);
    printf("%zu %zu %zu\n", bits._Find_first(), bits._Find_next(3), bits._Find_next(66));
    std::map<std::type_index, const char *> names{{typeid(Circle), "circle"}, {typeid(int), "int"}};
    Circle circle;
    Shape &shape = circle;
    printf("%s %d\n", names[typeid(shape)], std::type_index(typeid(Shape)) == std::type_index(typeid(shape)));
    std::variant<int, std::string> v = 5, w = "text";
    v.swap(w);
    printf("%s %d\n", std::get<1>(v).c_str(), std::get<0>(w));
    std::mt19937 g(3), h(3);
    printf("%d ", g == h);
    g();
    printf("%d\n", g != h);
    std::vector<int> from{1, 2, 3, 4, 5, 6, 7, 8, 9}, some;
    std::sample(from.begin(), from.end(), std::back_inserter(some), 4, g);
    for (int x : some) printf("%d ", x);
    std::chi_squared_distribution<double> chi(3);
    std::student_t_distribution<double> student(4);
    double drawn[3] = {chi(g), student(g), student(g)};
    printf("| %.6f %.6f %.6f\n", drawn[0], drawn[1], drawn[2]);
    auto ends = std::mismatch(from.begin(), from.end(), some.begin(), some.end());
    printf("%td\n", ends.first - from.begin());
    std::unordered_map<std::shared_ptr<int>, int> owners;
    auto key = std::make_shared<int>(4);
    owners[key] = 6;
    printf("%d\n", owners[key]);
    using F = std::numeric_limits<float>;
    printf("%d %d %d %d %d\n", F::is_iec559, F::radix, F::min_exponent, F::max_exponent, std::numeric_limits<int>::has_infinity);
    printf("%d\n", std::this_thread::get_id() == std::thread::id());
    return 0;
}
