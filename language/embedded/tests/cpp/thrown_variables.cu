// What is thrown is moved from where the exception ends it.
#include <cstdio>
#include <memory>
#include <string>
struct T {
    T() {}
    T(const T &) { printf("copied "); }
    T(T &&) { printf("moved "); }
};
void of_function() {
    T t;
    throw t;
}
void of_parameter(T &t) { throw t; }
int main() {
    T captured;
    auto by_reference = [&] { throw captured; };
    auto by_value = [captured] { throw captured; };
    printf("\n");
    try {
        by_reference();
    } catch (T &) {
        printf("g\n");
    }
    try {
        by_value();
    } catch (T &) {
        printf("h\n");
    }
    try {
        T t;
        throw t;
    } catch (T &) {
        printf("a\n");
    }
    T outside;
    try {
        throw outside;
    } catch (T &) {
        printf("b\n");
    }
    try {
        of_function();
    } catch (T &) {
        printf("c\n");
    }
    try {
        of_parameter(outside);
    } catch (T &) {
        printf("d\n");
    }
    try {
        try {
            T t;
            try {
                throw t;
            } catch (int) {
            }
        } catch (T &t) {
            printf("e ");
            throw;
        }
    } catch (T &) {
        printf("f\n");
    }
    try {
        std::unique_ptr<int> p(new int(5));
        throw p;
    } catch (std::unique_ptr<int> &q) {
        printf("%d\n", *q);
    }
}
