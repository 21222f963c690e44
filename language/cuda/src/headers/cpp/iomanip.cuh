// <iomanip>.
#include <ios>
namespace std {
struct __setw {
    int value;
};
struct __setprecision {
    int value;
};
struct __setfill {
    char value;
};
struct __setbase {
    int value;
};
struct __setflags {
    int value;
    int mask;
};
inline __setw setw(int value) {
    __setw made = {value};
    return made;
}
inline __setprecision setprecision(int value) {
    __setprecision made = {value};
    return made;
}
inline __setfill setfill(char value) {
    __setfill made = {value};
    return made;
}
inline __setbase setbase(int value) {
    __setbase made = {value};
    return made;
}
inline __setflags setiosflags(int value) {
    __setflags made = {value, value};
    return made;
}
inline __setflags resetiosflags(int mask) {
    __setflags made = {0, mask};
    return made;
}
inline ostream &operator<<(ostream &to, __setw made) {
    to.width(made.value);
    return to;
}
inline ostream &operator<<(ostream &to, __setprecision made) {
    to.precision(made.value);
    return to;
}
inline ostream &operator<<(ostream &to, __setfill made) {
    to.fill(made.value);
    return to;
}
inline ostream &operator<<(ostream &to, __setbase made) {
    int base = made.value == 16 ? ios_base::hex : made.value == 8 ? ios_base::oct : ios_base::dec;
    to.setf(base, ios_base::basefield);
    return to;
}
inline ostream &operator<<(ostream &to, __setflags made) {
    to.setf(made.value, made.mask);
    return to;
}
}
