// <sstream>: streams of texts in memory.
#include <ios>
namespace std {
class stringstream : public iostream {
public:
    int __mode;
    explicit stringstream(int mode = 0) : __mode(mode) { __memory = true; }
    explicit stringstream(const string &text, int mode = 0) : __mode(mode) {
        __memory = true;
        str(text);
    }
    stringstream(const stringstream &) = delete;
    stringstream &operator=(const stringstream &) = delete;
    ~stringstream() { free(__text); }
    string str() const { return string(__text ? __text : "", __size); }
    void str(const string &text) {
        __size = __at = __to = 0;
        __write(text.data(), text.size());
        if (!(__mode & (ate | app))) __to = 0;
    }
};
typedef stringstream ostringstream;
typedef stringstream istringstream;
}
