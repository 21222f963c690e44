// Exceptions: handlers, ends of objects on the way, exceptions that are thrown again.
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Guard {
    std::string name;
    Guard(const std::string &name) : name(name) { std::cout << "+" << name << " "; }
    ~Guard() { std::cout << "-" << name << " "; }
};

struct Own {
    int code;
    Own(int code) : code(code) {}
    Own(const Own &other) : code(other.code) { std::cout << "copy "; }
    ~Own() { std::cout << "~own "; }
};

class Problem : public std::runtime_error {
public:
    int line;
    Problem(const std::string &text, int line) : std::runtime_error(text), line(line) {}
};

int deep(int n) {
    Guard guard("g" + std::to_string(n));
    if (n == 0) throw std::runtime_error("bottom");
    if (n == 100) throw 7;
    if (n == 200) throw Own(5);
    if (n == 300) throw Problem("problem", 12);
    if (n == 400) throw "text";
    return deep(n - 1) + 1;
}

int attempt(int n) {
    try {
        Guard inner("try");
        return deep(n);
    } catch (const Problem &problem) {
        std::cout << problem.what() << " at " << problem.line << " ";
        return 1;
    } catch (const std::exception &error) {
        std::cout << "caught " << error.what() << " ";
    } catch (int code) {
        std::cout << "int " << code << " ";
        return code;
    } catch (Own &own) {
        std::cout << "own " << own.code << " ";
    } catch (...) {
        std::cout << "other ";
    }
    return -1;
}

struct Fails {
    Guard first;
    Guard second;
    Fails(bool fails) : first("first"), second("second") {
        Guard local("local");
        if (fails) throw std::runtime_error("constructor");
    }
    ~Fails() { std::cout << "~fails "; }
};

void again() {
    try {
        deep(300);
    } catch (std::exception &) {
        std::cout << "again ";
        throw;
    }
}

int main() {
    int codes[] = {2, 100, 200, 300, 400};
    for (int code : codes) std::cout << "=> " << attempt(code) << std::endl;
    try {
        again();
    } catch (const std::runtime_error &error) {
        std::cout << "outer " << error.what() << std::endl;
    }
    try {
        Fails works(false);
        std::cout << "| ";
        Fails fails(true);
    } catch (const std::exception &error) {
        std::cout << error.what() << std::endl;
    }
    std::vector<int> list(3);
    try {
        list.at(5) = 1;
    } catch (std::out_of_range &error) {
        std::cout << error.what() << std::endl;
    }
    for (int i = 0; i < 3; ++i) {
        try {
            if (i == 1) continue;
            if (i == 2) break;
            throw std::string("first");
        } catch (const std::string &text) {
            std::cout << text << " " << i << std::endl;
            continue;
        }
    }
    try {
        try {
            throw std::invalid_argument("one");
        } catch (const std::logic_error &error) {
            Guard guard("handler");
            throw std::runtime_error(std::string(error.what()) + " two");
        }
    } catch (const std::exception &error) {
        std::cout << error.what() << std::endl;
    }
    std::string word = "abc";
    try {
        word.substr(10);
    } catch (const std::exception &error) {
        std::cout << error.what() << std::endl;
    }
    Guard kept("kept");
    std::cout << "end" << std::endl;
    throw std::runtime_error("nobody catches this");
}
