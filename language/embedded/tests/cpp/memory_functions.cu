// operator new and operator delete of classes, with arguments of their own, and by name.
#include <cstdio>
#include <cstdlib>
#include <new>

struct Managed {
    static int live;
    void *operator new(size_t bytes) {
        ++live;
        printf("new %zu\n", bytes);
        return malloc(bytes);
    }
    void operator delete(void *memory) {
        --live;
        printf("delete\n");
        free(memory);
    }
    void *operator new[](size_t bytes) {
        printf("new[] %zu\n", bytes);
        return malloc(bytes);
    }
    void operator delete[](void *memory) {
        printf("delete[]\n");
        free(memory);
    }
};
int Managed::live = 0;

struct Point : Managed {
    int x, y;
    Point() : x(1), y(2) {}
    Point(int x, int y) : x(x), y(y) {}
};
struct Loud : Managed {
    int n = 7;
    ~Loud() { printf("~Loud %d\n", n); }
};
struct Shape : Managed {
    double d = 0.5;
    virtual int sides() { return 0; }
    virtual ~Shape() { printf("~Shape\n"); }
};
struct Front {
    long pad = 3;
    virtual ~Front() {}
};
struct Square : Front, Shape {
    int sides() override { return 4; }
    ~Square() { printf("~Square\n"); }
};

struct Sized {
    char c[24];
    static void *operator new(size_t n) { return malloc(n); }
    static void operator delete(void *memory, size_t n) {
        printf("sized %zu\n", n);
        free(memory);
    }
};

struct Pool {
    char bytes[256];
    size_t used = 0;
    void *take(size_t n) {
        void *result = bytes + used;
        used += (n + 15) / 16 * 16;
        return result;
    }
};
void *operator new(size_t n, Pool &pool) { return pool.take(n); }
void *operator new[](size_t n, Pool &pool) { return pool.take(n); }
void operator delete(void *, Pool &) {}
void operator delete[](void *, Pool &) {}

struct Nothing {
    void *operator new(size_t) = delete;
    int a = 5;
};

template <class T> struct Allocator {
    T *get(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T))); }
    void put(T *memory) { ::operator delete(memory); }
};

int main() {
    Point *p = new Point(3, 4);
    printf("%d %d live %d\n", p->x, p->y, Managed::live);
    delete p;
    Point *many = new Point[3];
    printf("%d\n", many[2].y);
    delete[] many;
    Loud *loud = new Loud[2];
    loud[1].n = 8;
    delete[] loud;
    Loud *none = nullptr;
    delete none;
    Square *square = new Square;
    Shape *shape = square;
    printf("%d\n", shape->sides());
    delete shape;
    delete new Sized;
    Point *global = ::new Point;
    printf("%d live %d\n", global->x, Managed::live);
    ::delete global;

    Pool pool;
    Front *front = new (pool) Front;
    int *v = new (pool) int[5]();
    Loud *w = ::new (pool) Loud[2];
    printf("%ld %d %d %d\n", front->pad, v[4], w[1].n, (int)pool.used);
    char room[64];
    Sized *in_room = ::new (room) Sized;
    printf("%d\n", (char *)in_room == room);
    int *zeros = new (room) int[4]();
    printf("%d %d\n", zeros[0], zeros[3]);
    Nothing *nothing = ::new Nothing;
    printf("%d\n", nothing->a);
    ::delete nothing;
    Allocator<double> allocator;
    double *d = allocator.get(4);
    d[3] = 2.5;
    printf("%g\n", d[3]);
    allocator.put(d);
    void *raw = operator new(8);
    operator delete(raw);
    return 0;
}
