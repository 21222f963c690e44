// Macros of the program do not reach into the headers of the library.
#define N 1024
#define T 3
#define A(x) ((x) + 1)
#define I other
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// A macro of the library that the program uses expands macros of the program.
#define STEP 4
#include <cassert>

template <int... J> int sum(std::integer_sequence<int, J...>) { return (J + ... + 0); }

int main() {
    std::vector<int> list{3, 1, 2};
    std::sort(list.begin(), list.end(), std::greater<int>());
    std::map<std::string, int> table;
    table["a"] = A(N);
    auto pointer = std::make_unique<int>(T);
    std::tuple<int, float> pair(T + 4, 2.0f);
    assert(STEP == 4);
    printf("%d %d %d %d %s\n", list[0], table["a"], *pointer, std::get<0>(pair), "text");
    printf("%d %d\n", std::stoi("12"), sum(std::make_integer_sequence<int, 5>()));
    return 0;
}
