// <any>, <forward_list>, <thread> and <iomanip>.
#include <iostream>
#include <iomanip>
#include <any>
#include <forward_list>
#include <thread>
#include <string>
#include <sstream>
#include <vector>
#include <ctime>
#include <functional>
using namespace std;
void add(int &out, int a, int b, int c, int d, int e, int f, int g, int h) {
    out = a + b + c + d + e + f + g + h;
}
int main() {
    any a = 1;
    cout << any_cast<int>(a) << a.has_value() << endl;
    a = string("text");
    cout << any_cast<string>(a) << any_cast<string &>(a).size() << (a.type() == typeid(string))
         << endl;
    try {
        any_cast<int>(a);
    } catch (const bad_any_cast &e) {
        cout << e.what() << endl;
    }
    any b = a;
    a.reset();
    cout << a.has_value() << any_cast<const string &>(b) << (any_cast<int>(&b) == nullptr)
         << *any_cast<string>(&b) << endl;
    vector<any> v = {1, 2.5, string("x"), 'c'};
    for (auto &x : v) {
        if (x.type() == typeid(int))
            cout << "int " << any_cast<int>(x);
        else if (x.type() == typeid(double))
            cout << "double " << any_cast<double>(x);
        else
            cout << "other";
        cout << ";";
    }
    cout << endl;
    auto m = make_any<string>(3, 'z');
    cout << any_cast<string>(m) << endl;
    forward_list<int> f = {3, 1, 2}, g(2, 7);
    f.push_front(0);
    f.insert_after(f.begin(), 9);
    f.sort();
    for (int x : f)
        cout << x;
    cout << endl;
    f.remove(9);
    f.reverse();
    f.splice_after(f.before_begin(), g);
    for (int x : f)
        cout << x;
    cout << f.front() << f.empty() << endl;
    f.unique();
    f.erase_after(f.begin());
    for (auto it = f.begin(); it != f.end(); ++it)
        cout << *it;
    cout << endl;
    f.remove_if([](int x) { return x > 2; });
    f.emplace_front(5);
    for (int x : f)
        cout << x;
    cout << endl;
    int out = 0;
    thread t(add, ref(out), 1, 2, 3, 4, 5, 6, 7, 8);
    t.join();
    cout << out << endl;
    vector<thread> ts;
    vector<int> res(4);
    for (int i = 0; i < 4; i++)
        ts.emplace_back([&res, i](int k) { res[i] = i * k; }, 10);
    for (auto &th : ts)
        th.join();
    for (int x : res)
        cout << x << " ";
    cout << endl;
    string s = "by ref";
    thread t2([](string &q) { q += "!"; }, ref(s));
    t2.join();
    cout << s << endl;
    thread t3([](string q) { cout << q << endl; }, "literal");
    t3.join();
    cout << t3.joinable() << endl;
    cout << quoted("a \"b\" \\c") << quoted(s, '\'') << setw(12) << quoted("w") << endl;
    stringstream ss;
    ss << quoted("two words") << " " << 5;
    string back;
    int n;
    ss >> quoted(back) >> n;
    cout << back << n << endl;
    tm tt = {};
    tt.tm_year = 126;
    tt.tm_mon = 10;
    tt.tm_mday = 29;
    tt.tm_hour = 8;
    cout << put_time(&tt, "%Y-%m-%d %H:%M:%S") << endl;
    stringstream hx("ff 10");
    int h1, h2;
    hx >> hex >> h1 >> dec >> h2;
    cout << h1 << h2 << endl;
    istringstream lim("abcdef");
    string lw;
    lim >> setw(3) >> lw;
    cout << lw << endl;
    cout << setbase(16) << 255 << setbase(10) << setfill('*') << left << setw(6) << 42 << '|'
         << internal << setw(6) << -42 << endl;
}
