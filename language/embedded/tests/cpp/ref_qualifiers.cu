// Methods for objects that stay, and for those that may be moved from.
#include <cstdio>
#include <utility>
#include <string>
struct M {
    int v = 1;
    std::string name = "name";
    M &inc() & { ++v; return *this; }
    int get() const & { return v; }
    int get() && { return -v; }
    std::string take() && { return std::move(name); }
    const std::string &take() const & { return name; }
    int only() const && { return 7; }
};
int M2(const M &m) { return m.get(); }
int main() {
    M m;
    m.inc().inc();
    printf("%d %d %d %d\n", m.get(), M().get(), std::move(m).get(), M2(m));
    std::string taken = std::move(m).take();
    printf("%s <%s> %d\n", taken.c_str(), m.take().c_str(), M().only());
}
