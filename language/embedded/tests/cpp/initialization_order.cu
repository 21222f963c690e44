// Variables are initialized in the order of their definitions.
#include <cstdio>
extern int late;
int early = late + 1;
int copy = early;
int count() { return copy + 100; }
int late = count();
struct Log {
    const char *name;
    explicit Log(const char *name) : name(name) { printf("+%s ", name); }
    ~Log() { printf("-%s ", name); }
};
struct Holder {
    static Log member;
    static int calls;
    static const int size = 4;
};
int called() {
    printf("called ");
    return 7;
}
Log first("first");
Log Holder::member("member");
int Holder::calls = called();
Log last("last");
int main() { printf("%d %d %d %d ", early, late, copy, Holder::size); }
