// Classes and class templates inside class templates that are defined outside (C++17).
#include <cstdio>

template <class T> struct List {
    struct Node;
    class Walk;
    template <class U> struct Pair;
    Node *first = nullptr;
    void add(T value);
    Walk walk();
    ~List();
};
template <class X> struct List<X>::Node {
    X value;
    Node *next;
    Node(X value, Node *next) : value(value), next(next) {}
    int size() const { return sizeof(X); }
};
template <typename T> class List<T>::Walk {
    Node *at;

public:
    explicit Walk(Node *at) : at(at) {}
    bool more() const { return at; }
    T next();
};
template <class T> T List<T>::Walk::next() {
    T value = at->value;
    at = at->next;
    return value;
}
template <class A> template <class B> struct List<A>::Pair {
    A a;
    B b;
    static int sizes() { return sizeof(A) * 10 + sizeof(B); }
};
template <> template <class B> struct List<char>::Pair {
    static int sizes() { return -(int)sizeof(B); }
};
template <class T> void List<T>::add(T value) { first = new Node(value, first); }
template <class T> typename List<T>::Walk List<T>::walk() { return Walk(first); }
template <class T> List<T>::~List() {
    while (first) {
        Node *old = first;
        first = first->next;
        delete old;
    }
}
template <class T> struct Outer {
    template <class U> struct In {
        static int f() { return 1; }
    };
};
template <> template <class U> struct Outer<char>::In {
    static int f() { return -1; }
};

int main() {
    List<double> list;
    list.add(1.5);
    list.add(2.5);
    for (List<double>::Walk walk = list.walk(); walk.more();) printf("%g ", walk.next());
    List<int>::Node node(3, nullptr);
    List<int>::Pair<double> pair = {1, 2.5};
    printf("%d %d %d %g\n", list.first->size(), node.size(), pair.a, pair.b);
    printf("%d %d %d\n", List<int>::Pair<short>::sizes(), List<char>::Pair<short>::sizes(), List<double>::Pair<char>::sizes());
    printf("%d %d\n", Outer<int>::In<int>::f(), Outer<char>::In<int>::f());
}
