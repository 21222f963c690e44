// <system_error>: codes of errors of the host's library.
#include <stdexcept>
#include <string>
#include <errno.h>
namespace std {
class error_code;
class error_category {
public:
    virtual ~error_category() {}
    virtual const char *name() const noexcept = 0;
    virtual string message(int code) const = 0;
    bool operator==(const error_category &other) const { return this == &other; }
    bool operator!=(const error_category &other) const { return this != &other; }
};
class __error_numbers : public error_category {
public:
    const char *__name;
    explicit __error_numbers(const char *name) : __name(name) {}
    const char *name() const noexcept { return __name; }
    string message(int code) const { return strerror(code); }
};
inline const __error_numbers __generic("generic");
inline const __error_numbers __system("system");
inline const error_category &generic_category() { return __generic; }
inline const error_category &system_category() { return __system; }
enum class errc {
    operation_not_permitted = 1,
    no_such_file_or_directory = 2,
    io_error = 5,
    bad_file_descriptor = 9,
    resource_unavailable_try_again = 11,
    not_enough_memory = 12,
    permission_denied = 13,
    file_exists = 17,
    not_a_directory = 20,
    is_a_directory = 21,
    invalid_argument = 22,
    too_many_files_open = 24,
    file_too_large = 27,
    no_space_on_device = 28,
    read_only_file_system = 30,
    argument_out_of_domain = 33,
    result_out_of_range = 34,
    resource_deadlock_would_occur = 35,
    directory_not_empty = 39,
    value_too_large = 75,
    timed_out = 110
};
class error_condition {
public:
    int __value;
    const error_category *__of;
    error_condition() : __value(0), __of(&__generic) {}
    error_condition(errc value) : __value((int)value), __of(&__generic) {}
    error_condition(int value, const error_category &of) : __value(value), __of(&of) {}
    int value() const { return __value; }
    const error_category &category() const { return *__of; }
    string message() const { return __of->message(__value); }
    explicit operator bool() const { return __value != 0; }
};
class error_code {
public:
    int __value;
    const error_category *__of;
    error_code() : __value(0), __of(&__system) {}
    error_code(int value, const error_category &of) : __value(value), __of(&of) {}
    void assign(int value, const error_category &of) {
        __value = value;
        __of = &of;
    }
    void clear() { *this = error_code(); }
    int value() const { return __value; }
    const error_category &category() const { return *__of; }
    string message() const { return __of->message(__value); }
    explicit operator bool() const { return __value != 0; }
};
inline error_code make_error_code(errc value) { return error_code((int)value, generic_category()); }
inline bool operator==(const error_code &a, const error_code &b) { return a.__value == b.__value && a.__of == b.__of; }
inline bool operator!=(const error_code &a, const error_code &b) { return !(a == b); }
inline bool operator==(const error_code &a, errc b) { return a.__value == (int)b; }
inline bool operator!=(const error_code &a, errc b) { return a.__value != (int)b; }
template <class S> inline S &operator<<(S &to, const error_code &code) {
    to << code.category().name() << ':' << code.value();
    return to;
}
class system_error : public runtime_error {
public:
    error_code __code;
    system_error(error_code code, const string &text) : runtime_error(text + ": " + code.message()), __code(code) {}
    system_error(error_code code) : runtime_error(code.message()), __code(code) {}
    system_error(int value, const error_category &of, const string &text) : system_error(error_code(value, of), text) {}
    system_error(int value, const error_category &of) : system_error(error_code(value, of)) {}
    const error_code &code() const { return __code; }
};
}
