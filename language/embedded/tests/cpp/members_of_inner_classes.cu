// Members of classes inside class templates, defined outside of the classes.
#include <cstdio>

template <class T>
class List {
public:
    struct Node {
        T value;
        Node *next;
        static int made;
        Node(T value, Node *next);
        ~Node();
        int length() const;
        struct Inner { static int n; int twice(int by); };
    };
    class iterator {
        Node *at;
    public:
        explicit iterator(Node *at);
        T &operator*();
        iterator &operator++();
        bool operator!=(const iterator &other) const;
        template <class F> void each(F call);
    };
    List();
    ~List();
    void push(T value);
    iterator begin();
    iterator end();
    Node *first;
};
template <class T>
class List<T *> {
public:
    struct Node { static int made; int length() const; };
};

template <class T> int List<T>::Node::made = 0;
template <class T> int List<T *>::Node::made = 77;
template <class T> List<T>::Node::Node(T value, Node *next) : value(value), next(next) { made++; }
template <class T> List<T>::Node::~Node() { delete next; }
template <class T> int List<T>::Node::length() const { return 1 + (next ? next->length() : 0); }
template <class T> int List<T *>::Node::length() const { return -1; }
template <class T> int List<T>::Node::Inner::n = sizeof(T);
template <class T> int List<T>::Node::Inner::twice(int by) { return 2 * by + n; }
template <class T> List<T>::iterator::iterator(Node *at) : at(at) {}
template <class T> T &List<T>::iterator::operator*() { return at->value; }
template <class T> typename List<T>::iterator &List<T>::iterator::operator++() { at = at->next; return *this; }
template <class T> bool List<T>::iterator::operator!=(const iterator &other) const { return at != other.at; }
template <class T>
template <class F>
void List<T>::iterator::each(F call) { for (Node *one = at; one; one = one->next) call(one->value); }
template <class T> List<T>::List() : first(nullptr) {}
template <class T> List<T>::~List() { delete first; }
template <class T> void List<T>::push(T value) { first = new Node(value, first); }
template <class T> typename List<T>::iterator List<T>::begin() { return iterator(first); }
template <class T> typename List<T>::iterator List<T>::end() { return iterator(nullptr); }

namespace shapes {
template <class T, int N> struct Grid { struct Cell { T v[N]; T sum() const; static const int size; }; Cell cell; };
}
template <class T, int N> T shapes::Grid<T, N>::Cell::sum() const { T s = 0; for (T x : v) s += x; return s; }
template <class T, int N> const int shapes::Grid<T, N>::Cell::size = N * sizeof(T);

int main() {
    List<int> list;
    for (int i = 0; i < 4; i++)
        list.push(i * i);
    for (int &one : list)
        one += 100;
    for (int one : list)
        printf("%d ", one);
    int sum = 0;
    list.begin().each([&](int one) { sum += one; });
    printf("%d %d\n", sum, list.first->length());
    List<char *>::Node node;
    List<double>::Node::Inner inner;
    printf("%d %d %d\n", List<int>::Node::made, List<char *>::Node::made, node.length());
    printf("%d %d %d\n", List<int>::Node::Inner::n, List<double>::Node::Inner::n, inner.twice(5));
    shapes::Grid<double, 3> grid = {{1.5, 2.5, 3}};
    printf("%g %d\n", grid.cell.sum(), shapes::Grid<double, 3>::Cell::size);
}
