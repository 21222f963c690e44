// <sstream>: streams of texts in memory.
#include <ios>
namespace std {
class stringstream : public iostream {
public:
    stringstream() { __init(0); }
    explicit stringstream(const string &text) {
        __init(0);
        __put(text.data(), text.size());
    }
    explicit stringstream(const string &text, int) {
        __init(0);
        __put(text.data(), text.size());
    }
    stringstream(const stringstream &) = delete;
    stringstream &operator=(const stringstream &) = delete;
    ~stringstream() { free(__text); }
    string str() const { return string(__text ? __text : "", __size); }
    void str(const string &text) {
        int state = __state;
        __state = 0;
        __size = __at = 0;
        __put(text.data(), text.size());
        __state = state;
    }
};
typedef stringstream ostringstream;
typedef stringstream istringstream;
}
