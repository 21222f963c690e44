// <stdexcept>: errors with a text. <string> includes it, because the texts are strings.
namespace std {
#define __WS_ERROR(NAME, BASE)                                                                             \
    class NAME : public BASE {                                                                             \
    public:                                                                                                \
        explicit NAME(const char *text) : BASE(text) {}                                                    \
        explicit NAME(const string &text) : BASE(text) {}                                                  \
    };
class __text_error : public exception {
public:
    explicit __text_error(const char *text) { __copy(text); }
    explicit __text_error(const string &text) { __copy(text.c_str()); }
};
__WS_ERROR(logic_error, __text_error)
__WS_ERROR(runtime_error, __text_error)
__WS_ERROR(domain_error, logic_error)
__WS_ERROR(invalid_argument, logic_error)
__WS_ERROR(length_error, logic_error)
__WS_ERROR(out_of_range, logic_error)
__WS_ERROR(range_error, runtime_error)
__WS_ERROR(overflow_error, runtime_error)
__WS_ERROR(underflow_error, runtime_error)
#undef __WS_ERROR
}
