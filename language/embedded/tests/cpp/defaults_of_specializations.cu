// Default arguments that name the parameters of a template, for its explicit specializations, and
// exceptions that <iostream> declares.
#include <cstdio>
#include <iostream>

struct Config {
    template <typename T> T get(int key, T otherwise = T()) const { return otherwise + T(key); }
    template <typename T> int bytes(T, int n = sizeof(T)) const { return n; }
    template <typename T> T scaled(T value, T by = T(5)) const;
};
template <> double Config::get<double>(int key, double otherwise) const { return otherwise + key * 0.5; }
template <> int Config::bytes<char>(char, int n) const { return n + 100; }
template <typename T> T Config::scaled(T value, T by) const { return value + by; }
template <> short Config::scaled(short value, short by) const { return value * by; }

template <typename T> T sum(T x, T y = T(3)) { return x + y; }
template <> float sum<float>(float x, float y) { return x * y; }

int main() {
    Config c;
    printf("%d %g %g\n", c.get<int>(4), c.get<double>(1), c.get<double>(1, 7));
    printf("%d %d %d\n", c.bytes('a'), c.bytes(1.0), c.bytes('b', 2));
    printf("%d %d\n", c.scaled(1), c.scaled(short(2)));
    printf("%d %g\n", sum(1), sum(2.5f));
    try {
        throw std::bad_cast();
    } catch (std::bad_cast &e) {
        printf("%s\n", e.what());
    }
    return 0;
}
