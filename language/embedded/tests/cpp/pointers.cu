// <memory>: pointers that own their objects.
#include <iostream>
#include <memory>
#include <vector>
#include <string>
#include <map>
#include <cstdio>
using namespace std;
struct Node : enable_shared_from_this<Node> {
    string n;
    vector<shared_ptr<Node>> kids;
    weak_ptr<Node> parent;
    Node(const string &n) : n(n) { cout << "make " << n << endl; }
    ~Node() { cout << "end " << n << endl; }
    void add(shared_ptr<Node> k) {
        k->parent = shared_from_this();
        kids.push_back(k);
    }
};
struct Base {
    virtual ~Base() { cout << "~Base\n"; }
    virtual void f() { cout << "Base\n"; }
};
struct Derived : Base {
    int x;
    Derived(int x = 3) : x(x) {}
    ~Derived() { cout << "~Derived " << x << "\n"; }
    void f() override { cout << "Derived " << x << "\n"; }
};
struct Five {
    Five(int a, int b, int c, int d, int e) { cout << a + b + c + d + e << endl; }
};
struct Del {
    void operator()(int *p) const {
        cout << "del " << *p << endl;
        delete p;
    }
};
unique_ptr<Base> make(int x) { return make_unique<Derived>(x); }
int main() {
    auto root = make_shared<Node>("root");
    {
        auto k = make_shared<Node>("kid");
        root->add(k);
        cout << k.use_count() << " " << root.use_count() << endl;
    }
    cout << root->kids[0]->parent.lock()->n << endl;
    weak_ptr<Node> w = root->kids[0];
    cout << w.expired() << w.use_count() << endl;
    root->kids.clear();
    cout << w.expired() << endl;
    cout << (w.lock() == nullptr) << endl;
    unique_ptr<Base> b = make(7);
    b->f();
    b.reset(new Derived(8));
    (*b).f();
    unique_ptr<Base> c = move(b);
    cout << (b == nullptr) << (c != nullptr) << !b << endl;
    Base *raw = c.release();
    delete raw;
    make_unique<Five>(1, 2, 3, 4, 5);
    make_shared<Five>(1, 2, 3, 4, 6);
    unique_ptr<int[]> arr(new int[4]());
    arr[2] = 5;
    cout << arr[2] << endl;
    auto arr2 = make_unique<double[]>(3);
    cout << arr2[1] << endl;
    unique_ptr<int, Del> d(new int(4));
    unique_ptr<int, void (*)(int *)> e(new int(5), [](int *p) {
        cout << "fn " << *p << endl;
        delete p;
    });
    auto lam = [](FILE *f) {
        cout << "close\n";
        if (f)
            fclose(f);
    };
    unique_ptr<FILE, decltype(lam)> file(stdin, lam);
    file.release();
    cout << sizeof(unique_ptr<int>) << sizeof(unique_ptr<int, Del>)
         << sizeof(unique_ptr<int, void (*)(int *)>) << sizeof(shared_ptr<int>)
         << sizeof(weak_ptr<int>) << endl;
    shared_ptr<Base> s = make_shared<Derived>(1);
    shared_ptr<Derived> t = dynamic_pointer_cast<Derived>(s);
    cout << t->x << s.use_count() << endl;
    shared_ptr<Base> u = t;
    cout << u.use_count() << (u == s) << endl;
    shared_ptr<Base> v(move(u));
    cout << (u ? "set" : "null") << v.use_count() << v.unique() << endl;
    v.reset();
    t.reset();
    s = nullptr;
    shared_ptr<int> x(new int(3), [](int *p) {
        cout << "gone " << *p << endl;
        delete p;
    });
    x.reset(new int(9));
    cout << *x << endl;
    shared_ptr<int[]> li(new int[3]{1, 2, 3});
    cout << li[1] << endl;
    vector<unique_ptr<Base>> vs;
    vs.push_back(make_unique<Derived>(10));
    vs.emplace_back(new Derived(11));
    vs.push_back(unique_ptr<Base>(new Base));
    for (auto &p : vs)
        p->f();
    map<string, unique_ptr<int>> m;
    m["a"] = make_unique<int>(5);
    cout << *m["a"] << endl;
    swap(vs[0], vs[1]);
    vs[0]->f();
    shared_ptr<const int> ci = make_shared<int>(4);
    cout << *ci << endl;
    shared_ptr<void> vp = make_shared<Derived>(12);
    try {
        weak_ptr<int> wi;
        shared_ptr<int> bad(wi);
    } catch (const bad_weak_ptr &e) {
        cout << e.what() << endl;
    }
    pair<int, unique_ptr<int>> pr(1, make_unique<int>(2));
    auto pp = make_pair(3, make_unique<int>(4));
    cout << *pr.second << *pp.second << endl;
    allocator<int> al;
    int *q = al.allocate(3);
    uninitialized_fill_n(q, 3, 6);
    cout << q[2] << endl;
    al.deallocate(q, 3);
    unique_ptr<Base> up = make(13);
    shared_ptr<Base> sp = move(up);
    cout << sp.use_count() << endl;
    char buf[64];
    void *p = buf + 1;
    size_t space = 63;
    void *al2 = align(16, 8, p, space);
    cout << ((size_t)al2 % 16) << endl;
    return 0;
}
