// <exception>, <new> and <stdexcept>.
namespace std {
class exception {
public:
    const char *__text;
    bool __owned;
    exception() : __text("std::exception"), __owned(false) {}
    exception(const exception &other) : __text(other.__text), __owned(false) {
        if (other.__owned) __copy(other.__text);
    }
    exception &operator=(const exception &other) {
        if (this != &other) {
            if (__owned) free((void *)__text);
            __text = other.__text;
            __owned = false;
            if (other.__owned) __copy(other.__text);
        }
        return *this;
    }
    virtual ~exception() {
        if (__owned) free((void *)__text);
    }
    void __copy(const char *text) {
        __text = strdup(text);
        __owned = true;
    }
    virtual const char *what() const { return __text; }
};
class bad_alloc : public exception {
public:
    bad_alloc() { __text = "std::bad_alloc"; }
};
class bad_function_call : public exception {
public:
    bad_function_call() { __text = "bad_function_call"; }
};
struct nothrow_t {
    int __unused;
};
static const nothrow_t nothrow = {0};
inline void terminate() { abort(); }
}
