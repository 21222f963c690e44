// Objects whose constructors fail: the parts that exist end.
#include <cstdio>
#include <vector>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <stdexcept>
#include <typeinfo>
struct T { static int alive, made, limit; int id; T(int id = 0) : id(id) { if (made == limit) throw id; ++made; ++alive; } T(const T &o) : id(o.id) { if (made == limit) throw id + 1000; ++made; ++alive; } ~T() { --alive; }
 T &operator=(const T &o) { id = o.id; return *this; } };
int T::alive = 0, T::made = 0, T::limit = -1;
template <class F> void run(const char *name, F f) {
  for (int limit = 0; limit < 12; ++limit) { T::alive = T::made = 0; T::limit = limit; int caught = -1;
    try { f(); } catch (int e) { caught = e; }
    printf("%s %d: caught %d alive %d\n", name, limit, caught, T::alive); }
}
struct Two { T a[3]; T b; Two() : b(7) {} };
struct V {
    virtual ~V() {}
};
int main() {
  try { throw nullptr; } catch (int *p) { printf("pointer %d\n", p == nullptr); }
  try { throw nullptr; } catch (int V::*p) { printf("member %d\n", p == nullptr); }
  try { throw nullptr; } catch (...) { printf("any\n"); }
  try { V *p = nullptr; printf("%s\n", typeid(*p).name()); } catch (std::bad_typeid &e) { printf("%s\n", e.what()); }
  run("lists", [] { std::list<T> v(3); v.push_front(T(1)); std::list<T> w(v); });
  run("maps", [] { std::map<int, T> m; m[1]; m[2]; m[3]; auto n = m; });

  run("array", [] { T a[5]; });
  run("nested", [] { T a[2][3]; });
  run("new[]", [] { delete[] new T[6]; });
  run("new", [] { delete new Two; });
  run("member", [] { Two t; });
  run("copy", [] { Two t; Two u(t); });
  run("vector", [] { std::vector<T> v(5); });
  run("fill", [] { std::vector<T> v(5, T(3)); });
  run("push", [] { std::vector<T> v; for (int i = 0; i < 5; ++i) v.push_back(T(i)); });
  run("insert", [] { std::vector<T> v(2); v.insert(v.begin() + 1, 3, T(9)); });
  run("insert2", [] { std::vector<T> v; v.reserve(10); v.resize(3); v.insert(v.begin() + 1, 3, T(9)); });
  run("assign", [] { std::vector<T> v(2), w(3); v = w; });
  run("copyv", [] { std::vector<T> v(3); std::vector<T> w(v); });
  run("deque", [] { std::deque<T> v(3); v.push_front(T(1)); std::deque<T> w(v); });
  run("pair", [] { T x(1), y(2); std::pair<T, T> p(x, y); auto q = p; });
}
