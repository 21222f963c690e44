// Virtual functions: constructors, destructors, copies, templates and containers.
#include <cstdio>
#include <string>
#include <vector>
#include <memory>
#include <stdexcept>
#include <map>
struct Log { static int n; const char *s; Log(const char *s) : s(s) { printf("+%s ", s); n++; } ~Log() { printf("-%s ", s); } };
int Log::n = 0;
class Shape {
protected:
  std::string nm; Log l;
public:
  Shape(const std::string &n) : nm(n), l("shape") { printf("[ctor %s %g] ", who(), 0.0); }
  Shape(const Shape &o) : nm(o.nm + "'"), l("copy") {}
  virtual ~Shape() { printf("[dtor %s] ", who()); }
  virtual const char *who() const { return "Shape"; }
  virtual double area(double k = 2) const { return k; }
  virtual void grow(int n) { nm += std::to_string(n); }
  void grow(double) { nm += "d"; }
  const std::string &name() const { return nm; }
  double twice() const { return 2 * area(); }
  virtual Shape *clone() const { return new Shape(*this); }
  virtual bool operator<(const Shape &o) const { return area() < o.area(); }
};
class Sq : public Shape {
  double s; Log m;
public:
  Sq(double s) : Shape("sq"), s(s), m("sq") { printf("[ctor %s] ", who()); }
  ~Sq() { printf("[dtor %s] ", who()); }
  const char *who() const override { return "Sq"; }
  double area(double k = 5) const override { return k * s * s; }
  Sq *clone() const override { return new Sq(*this); }
};
struct Big final : Sq {
  std::vector<int> v;
  Big() : Sq(3), v(2, 7) {}
  const char *who() const override { return "Big"; }
  virtual int extra() { return v[0]; }
  void grow(int n) override { Shape::grow(n); v.push_back(n); }
};
template <class T> struct Node { T val; Node(T v) : val(v) {} virtual ~Node() {} virtual T eval() = 0; virtual int kind() { return 0; } };
template <class T> struct Lit : Node<T> { Lit(T v) : Node<T>(v) {} T eval() { return this->val; } };
template <class T> struct Add : Node<T> { Node<T> *a, *b; Add(Node<T> *a, Node<T> *b) : Node<T>(T()), a(a), b(b) {} ~Add() { delete a; delete b; } T eval() { return a->eval() + b->eval(); } int kind() { return 1; } };
namespace io { struct Sink { virtual void put(char c) = 0; virtual ~Sink() = default; void text(const char *s) { while (*s) put(*s++); } }; struct Count : Sink { int n = 0; void put(char) override { n++; } }; }
struct Err : std::runtime_error { int code; Err(int c) : std::runtime_error("err"), code(c) {} const char *what() const noexcept override { return code == 1 ? "one" : "other"; } };
struct Err2 : std::logic_error { Err2() : std::logic_error("logic!") {} };
static Sq global(2);
struct A { int x; virtual int f() { return x; } };
struct B : A { int y; int f() override { return x + y; } };
void take(Shape s) { printf("{%s %s %g} ", s.who(), s.name().c_str(), s.area()); }
int main() {
  printf("\n1: "); { Sq q(2); Shape &r = q; Shape *p = &q; printf("%g %g %g %g %s ", q.area(), r.area(), p->area(1), q.twice(), p->who()); take(q); Shape c = q; printf("%s ", c.who()); c = q; printf("%s %s ", c.who(), c.name().c_str()); }
  printf("\n2: "); { std::unique_ptr<Shape> p(new Big); p->grow(4); p->grow(1.5); printf("%s %s %d ", p->who(), p->name().c_str(), (int)static_cast<Big *>(p.get())->v.size()); std::unique_ptr<Shape> c(p->clone()); printf("%s ", c->who()); }
  printf("\n3: "); { std::vector<std::shared_ptr<Shape>> v; v.push_back(std::make_shared<Sq>(1)); v.push_back(std::make_shared<Shape>("plain")); for (auto &s : v) printf("%s %d ", s->who(), *s < *v[0]); }
  printf("\n4: "); { Node<int> *n = new Add<int>(new Lit<int>(3), new Add<int>(new Lit<int>(4), new Lit<int>(5))); printf("%d %d ", n->eval(), n->kind()); delete n; Node<double> *d = new Lit<double>(2.5); printf("%g ", d->eval()); delete d; }
  printf("\n5: "); { io::Count c; io::Sink &s = c; s.text("hello"); printf("%d ", c.n); }
  printf("\n6: "); for (int i = 0; i < 3; i++) try { if (i == 2) throw Err2(); throw Err(i); } catch (const std::runtime_error &e) { printf("%s ", e.what()); } catch (std::exception &e) { printf("std %s ", e.what()); }
  printf("\n7: "); { B b; b.x = 1; b.y = 2; A a = b; A *p = &b; printf("%d %d %d ", a.f(), p->f(), (int)sizeof(B)); A arr[3]; arr[1].x = 5; printf("%d ", arr[1].f()); B *bs = new B[2]; bs[1].x = 8; bs[1].y = 1; printf("%d ", bs[1].f()); delete[] bs; A z = A(); B b2(b); B b3 = std::move(b); b3 = b2; printf("%d %d ", b2.f(), b3.f()); p = &b3; *p = a; printf("%d ", p->f()); (void)z; }
  printf("\n8: "); { std::map<std::string, std::shared_ptr<Shape>> m; m["a"].reset(new Sq(4)); m["b"].reset(new Shape("b")); for (auto &e : m) printf("%s=%s ", e.first.c_str(), e.second->who()); Shape &(*f)(Shape &) = 0; (void)f; Sq t = Sq(7); printf("%g ", t.area(1)); }
  printf("\n%s %d\n", global.who(), Log::n);
  return 0;
}
