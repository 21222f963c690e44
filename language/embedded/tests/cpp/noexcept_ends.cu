// An exception that leaves a `noexcept` function ends the program.
#include <cstdio>
#include <stdexcept>

static int checked(int x) {
    if (x > 2) throw std::out_of_range("too large");
    return x;
}
static int safe(int x) noexcept {
    try {
        return checked(x);
    } catch (std::exception &) {
        return -1;
    }
}
static int ends(int x) noexcept { return checked(x) * 2; }

int main() {
    printf("%d %d %d\n", safe(1), safe(3), ends(2));
    fflush(stdout);
    try {
        printf("%d\n", ends(3));
    } catch (...) {
        printf("not here\n");
    }
    return 0;
}
