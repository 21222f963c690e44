// An object keeps its address from its constructor to its destructor.
#include <iostream>
#include <vector>

struct Registered {
    static std::vector<Registered *> all;
    Registered *self;
    int id;
    explicit Registered(int id) : self(this), id(id) { all.push_back(this); }
    Registered(const Registered &other) : self(this), id(other.id + 1) { all.push_back(this); }
    ~Registered() {
        for (size_t i = 0; i < all.size(); ++i)
            if (all[i] == this) all.erase(all.begin() + i);
    }
    bool ok() const { return self == this; }
};
std::vector<Registered *> Registered::all;

struct Owner {
    Registered member;
    Registered other;
    Owner() : member(Registered(1)), other(make(2)) {}
    static Registered make(int id) { return Registered(id); }
};

struct Point {
    int x, y;
};

static bool by_reference(const Registered &one) { return one.ok(); }
static bool by_value(Registered one) { return one.ok(); }
static Registered named() {
    Registered one(3);
    return one;
}

int main() {
    Owner owner;
    std::cout << owner.member.ok() << owner.other.ok() << by_reference(Registered(4)) << by_value(Registered(5));
    std::cout << by_value(owner.member) << Registered(6).ok() << named().id;
    const Registered &kept = Registered(7);
    Registered variable = Registered(8);
    Registered *heap = new Registered(Owner::make(9));
    std::cout << kept.ok() << variable.ok() << heap->ok() << " " << Registered::all.size() << "\n";
    delete heap;
    Point p = {1, 2};
    p = {p.y, p.x};
    Point q = p;
    q = Point{q.y, q.x};
    std::cout << p.x << p.y << q.x << q.y << " " << Registered::all.size() << "\n";
    return 0;
}
