// The buffers of streams: closed files, exchanged buffers, streams without a buffer.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

static void state(const char *name, const std::ios &s)
{
    std::cout << name << ' ' << s.good() << s.eof() << s.fail() << s.bad() << '\n';
}

struct capture {
    std::ostringstream text;
    std::streambuf *old;
    capture() : old(std::cout.rdbuf(text.rdbuf())) {}
    ~capture() { std::cout.rdbuf(old); }
};

static void closed_files()
{
    std::ofstream never;
    never << "x";
    state("text", never);
    never.clear();
    never << 5;
    state("number", never);
    never.clear();
    never.put('c');
    state("put", never);
    never.clear();
    never.flush();
    state("flush", never);
    never.seekp(3);
    state("seek", never);
    never.clear();
    std::cout << (long)never.tellp() << '\n';
    state("tell", never);
    never.close();
    state("close", never);

    std::ofstream file("buffers.txt");
    file << "one two\n3 4\n";
    file.open("other.txt");
    state("open twice", file);
    file.clear();
    file.close();
    state("closed", file);
    file << std::setw(3) << 1.5;
    state("after close", file);

    std::ifstream in("buffers.txt");
    std::string word;
    in >> word;
    in.close();
    in >> word;
    state("read closed", in);
    std::ifstream none("missing/none.txt");
    none >> word;
    state("no file", none);

    std::fstream read("buffers.txt", std::ios::in);
    read << "x" << std::flush;
    state("write to read", read);

    std::ofstream throws;
    throws.exceptions(std::ios::failbit | std::ios::badbit);
    try {
        throws << "x";
        std::cout << "no exception\n";
    } catch (const std::ios_base::failure &) {
        std::cout << "failure\n";
    }
}

static void exchanged()
{
    std::string made;
    {
        capture c;
        std::cout << "captured " << 12 << ' ' << std::hex << 255 << std::dec << std::endl;
        made = c.text.str();
    }
    std::cout << made.size() << ' ' << made;

    std::ofstream file("buffers.txt");
    std::streambuf *old = std::cout.rdbuf(file.rdbuf());
    std::cout << "in the file\nline 2\n";
    std::cout.rdbuf(old);
    file.close();

    std::ifstream in("buffers.txt");
    old = std::cin.rdbuf(in.rdbuf());
    std::string line;
    while (std::getline(std::cin, line)) std::cout << '[' << line << "]\n";
    state("cin", std::cin);
    std::cin.rdbuf(old);
    state("cin", std::cin);

    std::istringstream numbers("1 2 3 x");
    std::istream reads(numbers.rdbuf());
    int value, sum = 0;
    while (reads >> value) sum += value;
    std::cout << sum << ' ' << (long)numbers.tellg() << '\n';
    state("reads", reads);
    state("numbers", numbers);

    std::ostream same(std::cout.rdbuf());
    same << std::hex << 255 << ' ';
    std::cout << 255 << ' ' << (same.rdbuf() == std::cout.rdbuf()) << '\n';

    std::ostringstream a, b;
    std::ostream &left = a;
    old = left.rdbuf(b.rdbuf());
    left << "to b";
    b << " and b";
    left.rdbuf(old);
    left << "to a";
    std::cout << a.str() << '|' << b.str() << '\n';

    std::stringstream both("alpha beta");
    std::iostream two(both.rdbuf());
    std::string word;
    two >> word;
    two.seekp(0);
    two << "ALPHA";
    std::cout << word << ' ' << both.str() << ' ' << (long)two.tellp() << '\n';

    std::istringstream text("some characters");
    std::string all((std::istreambuf_iterator<char>(text.rdbuf())), std::istreambuf_iterator<char>());
    std::cout << all << '\n';
    std::streambuf *to = std::cout.rdbuf();
    to->sputn("raw ", 4);
    to->sputc('!');
    to->sputc('\n');
    to->pubsync();
    std::ostreambuf_iterator<char> end(to);
    *end++ = 'z';
    *end++ = '\n';
    std::cout << end.failed() << '\n';
}

static void without()
{
    std::ostream null(nullptr);
    null << "nothing" << 5 << std::endl;
    state("null", null);
    null.clear();
    state("cleared", null);
    std::cout << (null.rdbuf() == nullptr) << '\n';
    null.rdbuf(std::cout.rdbuf());
    state("set", null);
    null << "visible\n";
    std::istream empty(nullptr);
    int value = 7;
    empty >> value;
    state("empty", empty);
    std::cout << value << '\n';
    std::streambuf *old = std::cout.rdbuf(nullptr);
    std::cout << "hidden\n" << std::flush;
    std::cout.rdbuf(old);
    state("cout", std::cout);

    std::ios st(nullptr);
    st.copyfmt(std::cout);
    std::cout << std::hex << std::showbase << std::setfill('*') << std::setprecision(2) << 255 << ' ' << 3.14159 << ' ';
    std::cout.copyfmt(st);
    std::cout << 255 << ' ' << 3.14159 << ' ' << std::setw(4) << 1 << '\n';
}

int main()
{
    closed_files();
    exchanged();
    without();
    std::remove("buffers.txt");
    std::remove("other.txt");
    return 0;
}
