// Objects end where C++ ends them.
#include <stdio.h>

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    Noisy(const Noisy &other) : id(other.id + 100) { printf("c%d ", id); }
    Noisy(Noisy &&other) : id(other.id + 1000) { printf("m%d ", id); }
    Noisy &operator=(const Noisy &other) {
        printf("=%d<-%d ", id, other.id);
        id = other.id;
        return *this;
    }
    ~Noisy() { printf("-%d ", id); }
    int value() const { return id; }
};

struct Pair {
    Noisy a, b;
    int tail;
    Pair(int x) : a(x), b(x + 1), tail(7) { printf("pair "); }
    ~Pair() { printf("~pair "); }
};

struct Holder {
    Pair pair;
    Noisy last;
    Holder() : pair(50), last(60) {}
};

struct Derived : Noisy {
    Noisy own;
    Derived() : Noisy(70), own(71) {}
    ~Derived() { printf("~derived "); }
};

Noisy make(int id) { return Noisy(id); }
Noisy named(int id) {
    Noisy local(id);
    printf("in ");
    return local;
}
Noisy either(bool first) {
    Noisy one(8), two(9);
    if (first) return one;
    return two;
}
Noisy passed(Noisy n) { return n; }
int by_value(Noisy n) { return n.value(); }
int by_reference(const Noisy &n) { return n.value(); }

int early(int n) {
    Noisy first(1);
    if (n == 0) return 10;
    Noisy second(2);
    for (int i = 0; i < 3; ++i) {
        Noisy loop(10 + i);
        if (i == n) continue;
        if (i == 2) break;
        Noisy inner(20 + i);
        if (n == 5) goto out;
    }
    {
        Noisy block(3);
    }
    return by_value(4) + by_reference(Noisy(5));
out:
    printf("out ");
    return 0;
}

int pick(int n) {
    switch (n) {
        case 0: {
            Noisy zero(80);
            return 1;
        }
        case 1: {
            Noisy one(81);
            break;
        }
        default:
            Noisy other(82);
            printf("default ");
    }
    return 2;
}

static Noisy global(90);

int counter() {
    static Noisy once(91);
    return ++once.id;
}

int main() {
    printf("main\n");
    {
        Noisy a(1);
        Noisy b = a;
        b = a;
        Noisy c = make(6);
        Noisy d = named(7);
        printf("%d %d\n", by_value(a), by_reference(c));
    }
    printf("\n");
    for (int n = 0; n < 6; n += 5) printf("[%d]\n", early(n));
    printf("[%d]\n", early(1));
    for (int n = 0; n < 3; ++n) printf("<%d>\n", pick(n));
    {
        Holder h;
        Holder copy = h;
        printf("\n");
    }
    printf("\n");
    {
        Derived d;
        Noisy list[3] = {Noisy(30), Noisy(31), Noisy(32)};
        const Noisy &kept = make(33);
        printf("kept %d ", kept.value());
    }
    printf("\n");
    Noisy *p = new Noisy(40);
    delete p;
    Noisy *q = 0;
    delete q;
    struct Plain {
        int x;
        Plain() : x(5) {}
    };
    Plain *plain = new Plain[3];
    printf("%d ", plain[2].x);
    delete[] plain;
    int *ints = new int[4]();
    printf("%d ", ints[3]);
    delete[] ints;
    Pair *pair = new Pair(45);
    delete pair;
    printf("\n%d %d\n", counter(), 0);
    Noisy chosen = either(true);
    Noisy through = passed(make(12));
    bool yes = true;
    printf("%d\n", (yes ? make(61) : make(62)).value());
    printf("%d\n", yes && make(63).value() > 5 || make(64).value() > 5);
    if (make(65).value() == 65) printf("condition ");
    while (make(66).value() == 0) {
    }
    printf("\nend ");
    return 0;
}
