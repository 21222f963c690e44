// Functions, methods and constructors whose body is a `try` block.
#include <cstdio>
#include <stdexcept>
struct M { M(int x) { if (x < 0) throw std::runtime_error("neg"); printf("M %d\n", x); } ~M() {
    printf("~M\n"); } };
struct A { M a, b; 
  A(int x, int y) try : a(x), b(y) { printf("A\n"); if (y == 9) throw 5;
      } catch (const std::exception &e) { printf("ctor %s\n", e.what()); } catch (int i) {
      printf("int %d\n", i); }
  int get(int i) try { if (i > 3) throw i; return i; } catch (int k) { return -k; }
  void out(int);
  ~A() { printf("~A\n"); }
};
void A::out(int i) try { throw i; } catch (...) { printf("out %d\n", i); }
int main() try {
  { A a(1, 2); printf("%d %d\n", a.get(2), a.get(7)); a.out(4); }
  try { A a(1, -1); } catch (const std::runtime_error &e) { printf("again %s\n", e.what()); }
  try { A a(1, 9); } catch (int e) { printf("again %d\n", e); }
} catch (...) { return 1; }
