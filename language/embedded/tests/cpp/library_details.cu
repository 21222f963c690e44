// Details of the library: orders of texts, ends of ranges, numbered values of formats (C++17).
#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
using namespace std;

struct Number {
    int value;
    operator int &() { return value; }
};
static int written(const char *format, ...) {
    char text[64];
    va_list list;
    va_start(list, format);
    int size = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    puts(text);
    return size;
}

int main(int count, char **) {
    printf("%d %d\n", (int)is_lvalue_reference<int &>::value, (int)is_same<remove_const<const int>::type, int>::value);
    string a = "ab", b = "AC";
    auto less = [](char x, char y) { return tolower(x) < tolower(y); };
    printf("%d %d\n", (int)lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less),
           (int)lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()));
    char hello[9] = "Hello", other[9] = "a";
    if (count > 9) hello[0] = 'x';
    printf("%d %d %d %d\n", strcmp(hello, other), memcmp(hello, other, 2), string(hello).compare(other),
           string("abc").compare("abcde"));
    printf("%d %d\n", string_view(hello).compare("Help"), strncmp(hello, "Help", 3));

    int x = 1;
    auto r = ref(x);
    r += 100;
    ++r;
    r *= 2;
    int old = r--;
    Number n = {5};
    n += 2;
    n++;
    printf("%d %d %d\n", x, old, n.value);
    vector<int> v(3, 3);
    v[1] = 4;
    printf("%d %c %d\n", *--v.end(), *--a.end(), *++v.begin());

    int at = 0, later = 0;
    short half = 0;
    long whole = 0;
    printf("%2$s %1$s %3$d %2$s\n", "b", "a", 9);
    printf("%3$*1$d|%3$-*1$d|%2$.*1$f|%2$g\n", 5, 2.5, 42);
    printf("abc%n %d%n %hn%ln.\n", &at, 17, &later, &half, &whole);
    printf("%d %d %d %ld $ 100%%\n", at, later, half, whole);
    printf("%d\n", written("%2$c%1$c %3$s", 'x', 'y', "z"));
}
