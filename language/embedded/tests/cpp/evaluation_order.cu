// The right operand of an assignment is evaluated first, and seen by the left one.
#include <cstdio>

static int total = 1;
static int grown() {
    total *= 10;
    return 3;
}
static int log_of(int x) {
    printf("[%d]", x);
    return x & 7;
}
static int values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static int &place(int x) {
    printf("(%d)", x);
    return values[x & 7];
}
struct Bits {
    signed char a : 1;
    short b : 6;
    unsigned c : 15;
};
static int kind(unsigned long) { return 10; }
static int kind(unsigned long long) { return 12; }
static int kind(int) { return 7; }
struct Logged {
    int value;
    Logged &operator=(const Logged &other) {
        printf("<%d=%d>", value, other.value);
        value = other.value;
        return *this;
    }
    Logged &operator+=(int x) {
        value += x;
        return *this;
    }
    Logged operator,(const Logged &other) const { return {value * 10 + other.value}; }
};
static Logged objects[3] = {{1}, {2}, {3}};
static Logged &object(int at) { return objects[log_of(at)]; }
static Logged made(int x) { return {log_of(x)}; }
template <class T> int overload(T) { return 1; }
template <class T> int overload(T *) { return 2; }
template <> int overload(char *) { return 3; }

int main() {
    total += grown();
    printf("%d\n", total);
    int sum = 2;
    auto change = [&] {
        sum = 50;
        return 1;
    };
    sum += change();
    (sum -= change()) *= 2;
    printf("%d\n", sum);
    int &same = (sum += log_of(1));
    same = 4;
    printf("%d\n", sum);

    int i = 0;
    int list[4] = {9, 9, 9, 9};
    list[i] = i++;
    list[i++] = i;
    list[i] += i++;
    printf("%d %d %d %d, %d\n", list[0], list[1], list[2], list[3], i);
    i = i++ + 1;
    printf("%d\n", i);
    place(3) <<= log_of(1);
    place(4) = log_of(2);
    place(5) += log_of(3) + log_of(4);
    printf(" %d %d %d\n", values[3], values[4], values[5]);
    double d = 1.5;
    d *= grown();
    d += total++;
    printf("%g %d\n", d, total);
    int *pointer = values;
    pointer += log_of(2);
    printf("%d\n", *pointer);

    Bits bits = {};
    bits.a = -1;
    bits.b = 21;
    bits.c = 5;
    printf("%d %d %u\n", bits.a *= 6, bits.b += bits.b, bits.c -= log_of(7));
    printf("%d %d %d\n", kind((unsigned long long)(bits.c -= 2)), kind(7),
           kind(true ? 1ul : (unsigned long long)(bits.c += 1)));
    object(0) = made(5);
    object(1) = object(2);
    object(2) += log_of(4);
    Logged joined = (objects[0], objects[1], objects[2]);
    printf(" %d\n", joined.value);
    char text[2] = "a";
    printf("%d %d %d\n", overload(text + 0), overload(&i), overload(i));
    return 0;
}
