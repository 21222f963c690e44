// References outside of functions, static ones in functions and in classes.
#include <cstdio>
#include <string>
#include <vector>

struct Kernel {
    virtual int run() { return 1; }
    virtual ~Kernel() {}
};
struct Scale : Kernel {
    int factor = 3;
    int run() override { return factor; }
};

Scale scale;
Kernel &kernel = scale;
int numbers[4] = {1, 2, 3, 4};
int &second = numbers[1];
const int &third = second;
int (&all)[4] = numbers;
std::vector<int> list{5, 6, 7};
std::vector<int> &alias = list;
std::vector<int> &chosen() { return list; }
std::vector<int> &called = chosen();
auto &deduced = numbers[3];
int twice(int value) { return 2 * value; }
int (&function)(int) = twice;
extern int &later;
int read_later() { return later; }
int &later = numbers[2];
bool first_wanted = true;
int &picked = first_wanted ? numbers[0] : numbers[3];

class Registry {
public:
    static Registry &instance() {
        static Registry &one = *new Registry;
        return one;
    }
    static int &shared;
    int count = 0;
};
int &Registry::shared = numbers[0];

namespace inner {
const std::string text = "text";
const std::string &name = text;
}

int counter() {
    static int &slot = numbers[3];
    return ++slot;
}

int main() {
    int (&local)(int) = twice;
    second = 20;
    alias.push_back(8);
    Registry::instance().count++;
    Registry::instance().count++;
    Registry::shared = 9;
    printf("%d %d %d\n", kernel.run(), numbers[1], third);
    printf("%d %zu %d %zu\n", all[1], list.size(), called[3], sizeof(all));
    printf("%d %d\n", counter(), local(4));
    printf("%d %d %d %d\n", deduced, function(21), read_later(), picked);
    printf("%d %d %s\n", Registry::instance().count, numbers[0], inner::name.c_str());
    printf("%d\n", &second == &numbers[1] && &kernel == &scale);
    return 0;
}
