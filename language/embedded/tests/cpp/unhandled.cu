// The message of an exception without a handler, whose class overrides `what`.
#include <cstdio>
#include <exception>
#include <string>

struct Other {
    virtual int other() { return 1; }
};
class Problem : public Other, public std::exception {
    std::string text;

public:
    Problem(int code) : text("problem " + std::to_string(code)) {}
    ~Problem() throw() {}
    const char *what() const throw() { return text.c_str(); }
};

int main() {
    printf("before\n");
    fflush(stdout);
    throw Problem(42);
}
