// The unary operator & of classes, as method and as function, beside the binary one (C++17).
#include <cstdio>
#include <memory>
#include <vector>

struct Bits {
    int value;
    Bits operator&(Bits other) const { return {value & other.value}; }
};
struct Named {
    int value = 4;
    Named *operator&() {
        printf("asked ");
        return this;
    }
    const Named *operator&() const { return nullptr; }
};
struct Number {
    int value = 2;
};
int operator&(Number &number) { return number.value + 40; }
template <class T> T *where(T &object) { return &object; }

struct Later;
bool is_at(Later &object, Later *place) { return &object == place; }
struct Later {
    int value = 9;
};

int main() {
    Bits bits{6}, *pointer = &bits;
    printf("%d\n", (*pointer & Bits{3}).value);
    Named named;
    const Named constant;
    printf("%d\n", (&named)->value);
    printf("%d\n", &constant == nullptr);
    Number number;
    printf("%d\n", &number);
    std::vector<Named> list(3);
    list.push_back(named);
    printf("%d\n", list[3].value);
    Named *real = std::addressof(named);
    printf("%d\n", where(named) == real);
    Later later;
    printf("%d\n", is_at(later, std::addressof(later)));
}
