// Texts and streams of texts.
#include <iostream>
#include <string>
#include <vector>
#include <sstream>
#include <cstring>
using namespace std;
int main() {
    string line;
    stringstream ss("one two\nthree,four;five\n\nlast");
    while (getline(ss, line))
        cout << '[' << line << ']';
    cout << endl;
    stringstream cs("a,b,,c");
    vector<string> parts;
    while (getline(cs, line, ','))
        parts.push_back(line);
    cout << parts.size() << parts[2].empty() << endl;
    istringstream is("10 20.5 word x");
    int i;
    double d;
    string w;
    char c;
    is >> i >> d >> w >> c;
    cout << i << d << w << c << is.eof() << is.fail() << endl;
    is >> i;
    cout << is.fail() << i << endl;
    ostringstream os;
    os << "n=" << 5 << ' ' << 2.5;
    cout << os.str() << os.str().size() << endl;
    os.str("");
    os << "again";
    cout << os.str() << endl;
    ss.clear();
    ss.str("7 8");
    int a, b;
    ss >> a >> b;
    cout << a + b << endl;
    string z = "abc";
    for (char &ch : z)
        ch = toupper(ch);
    cout << z << strlen(z.c_str()) << endl;
    for (auto it = z.rbegin(); it != z.rend(); ++it)
        cout << *it;
    cout << endl;
    string big;
    for (int k = 0; k < 100; k++)
        big += char('a' + k % 26);
    cout << big.size() << big.substr(90) << endl;
    char buf[10] = {0};
    big.copy(buf, 5, 2);
    cout << buf << endl;
    z.resize(5, '*');
    cout << z << endl;
    z.resize(2);
    cout << z << endl;
    z.clear();
    cout << z.empty() << endl;
    z.assign(3, 'q');
    z.push_back('r');
    z.pop_back();
    cout << z << endl;
    z.swap(big);
    cout << z.size() << endl;
    swap(z, big);
    cout << z << (z != big) << endl;
    char *p = &big[0];
    p[0] = 'Z';
    cout << big[0] << big.data()[1] << endl;
    const string cst = "const";
    cout << cst[2] << cst.at(3) << *cst.begin() << endl;
    string raw = R"(a\n"b")";
    cout << raw << endl;
    string esc = "tab\tq\"uote\\";
    cout << esc << endl;
    cout << string("abc").append("def").find("cd") << endl;
    string n("a\0b", 3);
    cout << n.size() << endl;
    string ml = "x"
                "y";
    cout << ml << endl;
    unsigned long h = 0;
    for (unsigned char q : big)
        h = h * 31 + q;
    cout << h << endl;
    return 0;
}
