// Exceptions that pointers keep, nested exceptions, and the number of exceptions in flight (C++17).
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

struct Loud {
    int id;
    Loud(int id) : id(id) { printf("+%d ", id); }
    Loud(const Loud &other) : id(other.id + 100) { printf("+%d ", id); }
    ~Loud() { printf("-%d ", id); }
};
struct Guard {
    ~Guard() { printf("%d ", std::uncaught_exceptions()); }
};
struct Inner {
    ~Inner() {
        try {
            Guard guard;
            throw 2;
        } catch (int) {
            Guard guard;
        }
    }
};
static std::exception_ptr kept;
static void keep(int id) {
    try {
        throw Loud(id);
    } catch (const Loud &) {
        kept = std::current_exception();
        printf("in ");
    }
    printf("out ");
}
static int text(std::exception_ptr p) {
    try {
        if (p) std::rethrow_exception(p);
        puts("nothing");
    } catch (const std::exception &e) {
        puts(e.what());
        return 1;
    } catch (int i) {
        printf("int %d\n", i);
        return i;
    } catch (...) {
        puts("other");
    }
    return 0;
}
static void chain(const std::exception &e, int depth) {
    printf("%d %s\n", depth, e.what());
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
        chain(inner, depth + 1);
    }
}

int main() {
    keep(1);
    std::exception_ptr copy = kept, moved;
    puts("");
    kept = nullptr;
    try {
        std::rethrow_exception(copy);
    } catch (Loud &l) {
        l.id += 10;
        copy = nullptr;
        printf("caught %d ", l.id);
    }
    puts("end");
    keep(3);
    moved = std::move(kept);
    printf("%d %d ", (bool)kept, (bool)moved);
    moved = std::exception_ptr();
    puts("end");

    std::vector<std::exception_ptr> all;
    for (int i = 0; i < 4; ++i) {
        try {
            if (i == 0) throw std::runtime_error("run");
            if (i == 1) throw i;
            if (i == 2) std::vector<int>(2).at(5);
            all.push_back(std::make_exception_ptr(std::out_of_range("made")));
        } catch (...) {
            all.push_back(std::current_exception());
        }
    }
    all.push_back(nullptr);
    int sum = 0;
    for (auto &one : all) sum += text(one) + text(one);
    printf("%d %d %d\n", sum, all[0] == all[0], all[0] == all[1]);
    printf("%d\n", std::current_exception() == nullptr);
    try {
        try {
            throw 5;
        } catch (...) {
            std::exception_ptr now = std::current_exception();
            printf("%d\n", now == std::current_exception());
            throw;
        }
    } catch (int i) {
        printf("again %d\n", i);
    }

    try {
        Guard guard;
        Inner inner;
        throw 1;
    } catch (int) {
        Guard guard;
    }
    { Guard guard; }
    puts("");
    try {
        try {
            try {
                throw std::runtime_error("deep");
            } catch (...) {
                std::throw_with_nested(std::logic_error("middle"));
            }
        } catch (...) {
            std::throw_with_nested(std::out_of_range("top"));
        }
    } catch (const std::exception &e) {
        chain(e, 0);
    }
}
