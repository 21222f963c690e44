// Casts to references: conversion functions, base classes, and views of the object.
#include <cstdio>
#include <functional>
struct Box {
    int value;
    int other;
    operator int &() { return other; }
    operator double() { return 0.5; }
};
struct Base {
    int b;
};
struct First {
    int f;
};
struct Derived : First, Base {
    int d;
};
int main() {
    Box box{1, 2};
    (int &)box = 20;
    static_cast<int &>(box) += 1;
    std::printf("%d %d %g\n", box.value, box.other, (double)box);
    reinterpret_cast<int &>(box) = 7;
    std::printf("%d %d\n", box.value, box.other);
    Derived derived{{1}, {2}, 3};
    std::printf("%d %d\n", ((Base &)derived).b, static_cast<Derived &>((Base &)derived).d);
    int x = 4;
    std::reference_wrapper<int> wrapped(x);
    ((int &)wrapped)++;
    std::printf("%d %lX\n", x, (long)__cplusplus >= 201703L);
    return 0;
}
