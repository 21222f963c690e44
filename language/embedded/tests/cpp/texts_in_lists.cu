// Lists without inner braces: texts in them, and the lengths of arrays that they give.
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Names {
    const char *list[2];
    int count;
};
struct Label {
    char text[4];
    int id;
};
struct Outer {
    Label label;
    const char *note;
};
struct Words {
    std::string words[2];
    int last;
};
static const Names table[] = {{"one", "two", 2}, {"three", nullptr, 1}};
static const Names flat[2] = {"a", "b", 3, "c", "d", 4};
static const Outer outer = {"abc", 7, "note"};
const char *const grid[2][2] = {"p", "q", "r", "s"};

struct Option {
    const char *name;
    int value;
    struct {
        char key;
        float weights[2];
    } more;
};
static const Option options[] = {"a", 1, 'x', 1.f, 2.f, "b", 2, 'y', 3.f, 4.f, "c"};
static struct {
    const char *name;
    int (*compute)(int);
} steps[] = {"twice", [](int x) { return 2 * x; }, "next", [](int x) { return x + 1; }};
struct Pair {
    int a, b;
};
struct Derived : Pair {
    int c;
};
union Number {
    int i;
    float f;
};
#define LENGTH(list) (sizeof(list) / sizeof *(list))

int main() {
    std::array<const char *, 2> a{"first", "second"};
    std::array<std::string, 3> b = {"x", "yy"};
    printf("%s %s %s %zu %zu\n", a[0], a[1], b[1].c_str(), b[1].size(), b[2].size());
    printf("%s\n", std::array<const char *, 2>{"red", "green"}[1]);
    auto c = std::array{"q", "r", "s"};
    printf("%s %zu\n", c[2], c.size());
    Names names{"x", "y", 3};
    printf("%s %d %s %d\n", names.list[1], names.count, Names{"v", "w", 5}.list[0], flat[1].count);
    printf("%s %d %s %s\n", table[0].list[1], table[1].count, flat[1].list[0], grid[1][0]);
    Label labels[] = {"ab", 1, "cd", 2};
    printf("%s %d %s %zu\n", labels[1].text, labels[1].id, outer.label.text, sizeof labels / sizeof *labels);
    printf("%d %s\n", outer.label.id, outer.note);
    Words words{"left", "right", 9};
    printf("%s %s %d\n", words.words[0].c_str(), words.words[1].c_str(), words.last);
    std::vector<std::array<const char *, 2>> pairs{{"k", "v"}, {"l", "w"}};
    std::map<int, std::array<const char *, 2>> map{{1, {"m", "n"}}};
    printf("%s %s\n", pairs[1][1], map[1][0]);

    Pair x = {1, 2};
    Pair whole[] = {x, x}, mixed[] = {1, 2, x, 3}, braced[] = {{1}, 2, 3, {4}}, placed[] = {x, 5};
    int rows[][3] = {1, 2, 3, 4}, blocks[][2][2] = {{1, 2, 3}, 4, 5, 6, 7, 8};
    char words_of[][4] = {"ab", "cd", {'e'}};
    Derived derived[] = {1, 2, 3, 4, 5, 6};
    Number numbers[] = {1, 2, 3};
    std::string strings[] = {"p", std::string("q"), "r"};
    std::array<int, 2> arrays[] = {1, 2, 3, 4};
    printf("%zu %zu %d %s\n", LENGTH(options), LENGTH(steps), steps[1].compute(4), options[2].name);
    printf("%zu %zu %zu %zu %d\n", LENGTH(whole), LENGTH(mixed), LENGTH(braced), LENGTH(placed), mixed[2].a);
    printf("%zu %zu %d %zu %zu\n", LENGTH(rows), LENGTH(blocks), blocks[1][1][0], LENGTH(words_of), LENGTH(derived));
    printf("%zu %zu %zu %d %g\n", LENGTH(numbers), LENGTH(strings), LENGTH(arrays), arrays[1][1], options[1].more.weights[1]);
    return 0;
}
