// Matrices, lists, timers, shapes: a program of a course.
#include <iostream>
#include <vector>
#include <string>
#include <cmath>
#include <cstdlib>
#include <algorithm>
#include <memory>
#include <chrono>
#include <iomanip>
#include <random>
#include <fstream>
#include <sstream>
using namespace std;
// linked structures, matrices, file output, timers
template <typename T> class Matrix2 {
    size_t rows_, cols_;
    T *data_;
public:
    Matrix2(size_t r, size_t c, T v = T()) : rows_(r), cols_(c), data_(new T[r * c]) { std::fill(data_, data_ + r * c, v); }
    Matrix2(const Matrix2 &o) : rows_(o.rows_), cols_(o.cols_), data_(new T[o.rows_ * o.cols_]) { std::copy(o.data_, o.data_ + rows_ * cols_, data_); }
    Matrix2(Matrix2 &&o) : rows_(o.rows_), cols_(o.cols_), data_(o.data_) { o.data_ = nullptr; o.rows_ = o.cols_ = 0; }
    Matrix2 &operator=(Matrix2 o) { std::swap(rows_, o.rows_); std::swap(cols_, o.cols_); std::swap(data_, o.data_); return *this; }
    ~Matrix2() { delete[] data_; }
    T *operator[](size_t r) { return data_ + r * cols_; }
    const T *operator[](size_t r) const { return data_ + r * cols_; }
    size_t rows() const { return rows_; }
    size_t cols() const { return cols_; }
    static Matrix2 identity(size_t n) { Matrix2 m(n, n); for (size_t i = 0; i < n; ++i) m[i][i] = 1; return m; }
    friend Matrix2 operator*(const Matrix2 &a, const Matrix2 &b) {
        if (a.cols() != b.rows()) throw std::invalid_argument("shape");
        Matrix2 c(a.rows(), b.cols());
        for (size_t i = 0; i < a.rows(); ++i) for (size_t j = 0; j < b.cols(); ++j) { T s = 0; for (size_t k = 0; k < a.cols(); ++k) s += a[i][k] * b[k][j]; c[i][j] = s; }
        return c;
    }
};
template <typename T> ostream &operator<<(ostream &os, const Matrix2<T> &m) {
    for (size_t i = 0; i < m.rows(); ++i) { for (size_t j = 0; j < m.cols(); ++j) os << setw(5) << m[i][j]; os << '\n'; }
    return os;
}
class ListNode { public: int v; ListNode *next; ListNode(int v, ListNode *n = NULL) : v(v), next(n) {} };
class List {
    ListNode *head; int n;
public:
    List() : head(NULL), n(0) {}
    ~List() { while (head) { ListNode *t = head; head = head->next; delete t; } cout << "freed " << n << endl; }
    void push(int v) { head = new ListNode(v, head); n++; }
    class iterator { ListNode *p; public: iterator(ListNode *p) : p(p) {} int &operator*() const { return p->v; } iterator &operator++() { p = p->next; return *this; } bool operator!=(const iterator &o) const { return p != o.p; } };
    iterator begin() const { return iterator(head); }
    iterator end() const { return iterator(NULL); }
};
class ScopedTimer {
    string label; chrono::steady_clock::time_point t0;
public:
    ScopedTimer(const string &l) : label(l), t0(chrono::steady_clock::now()) {}
    ~ScopedTimer() { auto us = chrono::duration_cast<chrono::microseconds>(chrono::steady_clock::now() - t0).count(); cout << label << (us >= 0 ? " ok" : " bad") << endl; }
};
struct Shape { string kind; double (*area)(double); };
static double circle(double r) { return 3 * r * r; }
static double sq(double r) { return r * r; }
static string describe(int argc, char **argv) { ostringstream o; o << argc << ":" << (argc > 0); return o.str(); }
int main(int argc, char *argv[]) {
    ScopedTimer timer("total");
    Matrix2<double> a = Matrix2<double>::identity(3), b(3, 3, 2.5);
    a[0][2] = 4;
    cout << a * b;
    Matrix2<double> c = a; c = b; c = a * c;
    cout << c[0][0] << " " << c.rows() << endl;
    try { Matrix2<double> bad(2, 3); cout << bad * bad; } catch (const exception &e) { cout << "caught " << e.what() << endl; }
    List list; for (int i = 0; i < 4; ++i) list.push(i * i);
    int sum = 0; for (int v : list) sum += v; cout << sum << endl;
    for (int &v : list) v += 1; for (auto v : list) cout << v << " "; cout << endl;
    vector<Shape> shapes = {{"circle", circle}, {"square", sq}};
    for (const Shape &s : shapes) cout << s.kind << "=" << s.area(2) << " ";
    cout << describe(argc, argv) << endl;
    vector<int> idx(5); for (int i = 0; i < 5; ++i) idx[i] = i;
    vector<double> key = {3, 1, 2, 5, 4};
    sort(idx.begin(), idx.end(), [&key](int i, int j) { return key[i] < key[j]; });
    for (int i : idx) cout << i; cout << endl;
    mt19937 gen(1); uniform_real_distribution<double> U(0, 1); double acc = 0; for (int i = 0; i < 1000; ++i) acc += U(gen); cout << fixed << setprecision(6) << acc << endl;
    normal_distribution<> N(0, 1); cout << N(gen) << endl;
    { ofstream out("nonexistent/x.txt"); if (!out) cout << "no file" << endl; }
    istringstream in("3 4\n1.5 2.5"); int r0, c0; double d0, d1; if (in >> r0 >> c0 >> d0 >> d1) cout << r0 * c0 << " " << d0 + d1 << endl;
    unique_ptr<Matrix2<int>> up(new Matrix2<int>(2, 2, 7)); cout << (*up)[1][1] << endl;
    vector<unique_ptr<List>> lists; lists.push_back(unique_ptr<List>(new List)); lists[0]->push(1);
    auto cmp = [](const string &x, const string &y) { return x.size() < y.size(); };
    vector<string> w = {"ccc", "a", "bb"}; cout << *max_element(w.begin(), w.end(), cmp) << *min_element(w.begin(), w.end(), cmp) << endl;
    double total = 0; for_each(key.begin(), key.end(), [&](double x) { total += x; }); cout << total << endl;
    string msg = "Total: " + to_string(3) + string(", ") + 'x'; cout << msg << endl;
    if (msg.compare(0, 5, "Total") == 0) cout << "prefix" << endl;
    switch (w.size()) { case 3: { string t = "three"; cout << t << endl; break; } default: cout << "?"; }
    do { string t("once"); cout << t << endl; if (t.size() == 4) break; } while (true);
    return argc == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
