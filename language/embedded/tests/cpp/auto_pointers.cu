// Pointers that copies empty.
#include <cstdio>
#include <memory>

namespace moves {
struct T { int x; ~T() { printf("~T %d\n", x); } };
void run() { std::auto_ptr<T> a(new T{1}); std::auto_ptr<T> b = a;
    printf("%d %d %d\n", a.get() == 0, b->x, (*b).x); a.reset(new T{2}); b = a;
    delete b.release(); }
}

int main() {
    moves::run();
}
