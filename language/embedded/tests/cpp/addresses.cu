// Addresses of functions: casts, templates, and lambda expressions without captures.
#include <functional>
#include <map>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

typedef int (*Compare)(const void *, const void *);
typedef int (*Binary)(int, int);

struct Data {
    int value;
};
int add(int a, int b) { return a + b; }
float addf(float a, float b) { return a + b; }
int over(int a) { return a; }
float over(float a) { return a + 1; }
template <class T> T twice(T a) { return 2 * a; }
template <class T, int N = 3> T times(T a) { return N * a; }
void set(Data *data, int value) { data->value = value; }
void call(void (*function)(void *, int), void *data) { function(data, 7); }
int apply(int *(*function)(const float &, int), int n) {
    float x = 2;
    return *function(x, n);
}
int both(Binary function) { return function(17, 5); }
template <class F> int with_two(F function) { return function(2); }
template <class R> R of_three(R (*function)(int)) { return function(3); }

struct Entry {
    const char *name;
    Binary function;
};
static const Entry table[] = {
    {"+", add},
    {"-", [](int a, int b) { return a - b; }},
    {"*", [](int a, int b) -> int { return a * b; }},
};
Binary selected(char c) {
    if (c == '+') return add;
    return [](int a, int b) { return a % b; };
}
int global;

int main() {
    Data data;
    call((void (*)(void *, int))set, &data);
    printf("%d\n", data.value);
    void (*plain)() = (void (*)())add;
    printf("%d\n", ((Binary)plain)(3, 4));
    void *untyped = (void *)addf;
    printf("%g\n", ((float (*)(float, float))untyped)(1, 2.5f));
    uintptr_t number = (uintptr_t)add;
    printf("%d %d\n", ((Binary)number)(5, 6), reinterpret_cast<uintptr_t>(&add) == number);
    printf("%g %d\n", ((float (*)(float))over)(1), ((int (*)(int))over)(1));
    untyped = (void *)twice<int>;
    printf("%d %d\n", ((int (*)(int))untyped)(21), untyped == reinterpret_cast<void *>(&twice<int>));
    printf("%d %d\n", of_three(twice<int>), of_three(times<int>));

    int list[5] = {5, 3, 4, 1, 2};
    qsort(list, 5, sizeof(int), [](const void *a, const void *b) { return *(const int *)a - *(const int *)b; });
    printf("%d %d\n", list[0], list[4]);
    qsort(list, 5, sizeof(int), (Compare)[](const void *a, const void *b) { return *(int *)b - *(int *)a; });
    printf("%d\n", list[0]);
    for (int i = 0; i < 3; i++) printf("%s %d\n", table[i].name, table[i].function(7, 3));
    printf("%d %d\n", selected('+')(9, 4), selected('%')(9, 4));
    printf("%d\n", both([](int a, int b) { return a * 10 + b; }));
    printf("%d\n", apply([](const float &a, int n) {
               global = (int)a + n;
               return &global;
           }, 3));
    auto next = +[](int x) { return x + 1; };
    printf("%d\n", next(1));
    int (*function)(int);
    function = [](int x) { return x * x; };
    printf("%d\n", function(6));
    auto negative = [](int x) { return -x; };
    function = negative;
    printf("%d %d\n", function(6), negative(7));
    function = static_cast<int (*)(int)>(negative);
    printf("%d\n", function(8));
    printf("%d\n", with_two([](int x) { return x + 40; }));
    std::vector<int (*)(int)> functions;
    functions.push_back([](int x) { return x; });
    functions.push_back(negative);
    printf("%d %d\n", functions[0](3), functions[1](3));
    std::map<char, Binary> named;
    named['a'] = add;
    named['b'] = [](int a, int b) { return a | b; };
    printf("%d %d\n", named['a'](1, 2), named['b'](1, 2));
    std::function<int(int)> stored = [](int x) { return x + 2; };
    printf("%d\n", stored(2));
    return 0;
}
