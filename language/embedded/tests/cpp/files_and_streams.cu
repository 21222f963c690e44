// <iostream>, <fstream> and <sstream>.
#include <iostream>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include <iomanip>
#include <cstdio>
using namespace std;
struct P {
    int x;
    double y;
};
ostream &operator<<(ostream &o, const P &p) { return o << '(' << p.x << ',' << p.y << ')'; }
istream &operator>>(istream &i, P &p) {
    char c;
    return i >> c >> p.x >> c >> p.y >> c;
}
int main() {
    {
        ofstream o("t_s.txt");
        o << "line one\nline two\n" << 42 << ' ' << 2.5 << endl;
        o << P{1, 2.5} << '\n';
    }
    ifstream in("t_s.txt");
    cout << in.is_open() << endl;
    string l;
    while (getline(in, l))
        cout << '[' << l << ']';
    cout << in.eof() << in.fail() << endl;
    in.clear();
    in.seekg(0);
    stringstream all;
    all << in.rdbuf();
    cout << all.str().size() << endl;
    in.close();
    in.open("t_s.txt");
    in.ignore(1000, '\n');
    string w;
    in >> w;
    cout << w << in.tellg() << endl;
    in.seekg(-8, ios::end);
    P p;
    in >> p;
    cout << p << in.good() << endl;
    ifstream bad("nope.txt");
    cout << bad.is_open() << !bad << bad.fail() << endl;
    {
        ofstream a("t_s.txt", ios::app);
        a << "more";
    }
    ifstream again("t_s.txt");
    int lines = 0;
    while (getline(again, l))
        lines++;
    cout << lines << l << endl;
    fstream f("t_s.bin", ios::in | ios::out | ios::binary | ios::trunc);
    int data[3] = {1, 2, 3};
    f.write((char *)data, sizeof data);
    f.seekg(4);
    int v;
    f.read((char *)&v, 4);
    cout << v << f.gcount() << endl;
    f.close();
    remove("t_s.txt");
    remove("t_s.bin");
    ifstream ex;
    ex.exceptions(ifstream::failbit | ifstream::badbit);
    try {
        ex.open("missing");
        cout << "opened";
    } catch (const ifstream::failure &e) {
        cout << "failure" << endl;
    }
    istringstream num("12 abc 7");
    int x;
    num >> x;
    cout << x;
    if (!(num >> x)) {
        cout << " bad " << x;
        num.clear();
        string junk;
        num >> junk;
        num >> x;
        cout << junk << x << endl;
    }
    istringstream e2("3.5e2 -7 0x1f 077 1e400 99999999999 -1 true");
    double d;
    unsigned u;
    e2 >> d >> x;
    cout << d << x;
    e2 >> hex >> x;
    cout << x;
    e2 >> oct >> x;
    cout << x << dec << endl;
    e2 >> d;
    cout << e2.fail() << (d > 1e300) << endl;
    e2.clear();
    e2 >> dec >> x;
    cout << e2.fail() << x;
    e2.clear();
    e2 >> u;
    cout << u << e2.fail();
    bool b;
    e2 >> boolalpha >> b;
    cout << b << endl;
    char buf[20];
    istringstream cs("hello world line\nrest");
    cs >> setw(4) >> buf;
    cout << buf << '|';
    cs.get(buf, 5);
    cout << buf << '|';
    cs.getline(buf, 20);
    cout << buf << '|' << cs.peek() << (char)cs.get() << cs.get() << endl;
    cs.putback('e');
    cs.unget();
    cout << cs.good() << endl;
    ostringstream os;
    os << setw(5) << 1 << hex << 255 << uppercase << 255 << oct << 8;
    cout << os.str() << endl;
    ostringstream cp;
    cp.copyfmt(os);
    cp << 255;
    cout << cp.str() << endl;
    stringstream both;
    both << 1 << ' ' << 2;
    int q, r;
    both >> q >> r;
    cout << q + r << both.eof() << endl;
    cout.precision(3);
    cout << 3.14159 << cout.precision() << cout.width() << cout.fill() << endl;
    cout.setf(ios::fixed, ios::floatfield);
    cout << 2.0 << endl;
    cout.unsetf(ios::fixed);
    cout << 2.0 << endl;
    auto old = cout.flags();
    cout << hex << 255;
    cout.flags(old);
    cout << 255 << endl;
    cout << boolalpha << true << noboolalpha << true << endl;
    cout << string("abc").c_str() << (const void *)0 << nullptr << endl;
    cout.put('x').write("yz", 2) << '\n';
    clog << "log" << endl;
    cerr << "err" << flush << endl;
    vector<int> nums;
    istringstream many("1 2 3 4");
    for (int n; many >> n;)
        nums.push_back(n);
    cout << nums.size() << endl;
    string s1, s2;
    istringstream two("a b");
    two >> s1 >> s2 >> ws;
    cout << s1 << s2 << two.eof() << endl;
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
}
