// Smart pointers call the operators new and delete of a class; containers make objects in their memory.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>
struct Managed {
    void *operator new(size_t n) { puts("new"); return (char *)malloc(n + 16) + 16; }
    void operator delete(void *p) { puts("delete"); free((char *)p - 16); }
};
struct Config : Managed { int n; };
int main() {
    { std::unique_ptr<Config> p(new Config); }
    puts("1");
    { std::shared_ptr<Config> s(new Config); }
    puts("2");
    { auto q = std::make_unique<Config>(); }
    puts("end");
}
struct Counted {
    static int made, ended;
    int v = 1;
    static void *operator new(size_t n) { made++; return malloc(n); }
    static void operator delete(void *p) { ended++; free(p); }
    static void *operator new[](size_t n) { made += 10; return malloc(n); }
    static void operator delete[](void *p) { ended += 10; free(p); }
};
int Counted::made, Counted::ended;
struct More {
    More() {
        {
            std::unique_ptr<Counted[]> list(new Counted[2]);
            auto one = std::make_unique<Counted>();
            one.reset(new Counted);
            std::shared_ptr<Counted> shared(new Counted), beside = std::make_shared<Counted>();
            std::vector<Counted> all(3);
            all.push_back(Counted());
            std::map<int, Counted> by;
            by[1].v = 2;
        }
        printf("%d %d\n", Counted::made, Counted::ended);
    }
} more;
