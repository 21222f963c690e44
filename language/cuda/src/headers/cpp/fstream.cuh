// <fstream>: streams of files.
#include <ios>
namespace std {
inline FILE *__open_file(const char *path, int mode) {
    const char *text = mode & ios_base::app                                    ? "ab"
                       : mode & ios_base::in && mode & ios_base::out           ? mode & ios_base::trunc ? "w+b" : "r+b"
                       : mode & ios_base::out                                  ? "wb"
                                                                               : "rb";
    FILE *file = fopen(path, text);
    if (file && mode & ios_base::ate) fseek(file, 0, SEEK_END);
    return file;
}
#define __WS_FILE(NAME, BASE, MODE, ALWAYS)                                                                \
    class NAME : public BASE {                                                                             \
    public:                                                                                                \
        NAME() {}                                                                                          \
        explicit NAME(const char *path, int mode = MODE) {                                                 \
            open(path, mode);                                                                              \
        }                                                                                                  \
        template <class P, class = decltype(declval<const P &>().c_str())>                                 \
        explicit NAME(const P &path, int mode = MODE) {                                                    \
            open(path.c_str(), mode);                                                                      \
        }                                                                                                  \
        NAME(const NAME &) = delete;                                                                       \
        NAME &operator=(const NAME &) = delete;                                                            \
        NAME(NAME &&other) : BASE(other) { other.__file = 0; }                                             \
        NAME &operator=(NAME &&other) {                                                                    \
            if (__file) fclose(__file);                                                                    \
            BASE::operator=(other);                                                                        \
            other.__file = 0;                                                                              \
            return *this;                                                                                  \
        }                                                                                                  \
        ~NAME() {                                                                                          \
            if (__file) fclose(__file);                                                                    \
        }                                                                                                  \
        void open(const char *path, int mode = MODE) {                                                     \
            FILE *file = __file ? 0 : __open_file(path, mode | ALWAYS);                                    \
            if (file) __file = file;                                                                       \
            if (file) clear();                                                                             \
            else setstate(failbit);                                                                        \
        }                                                                                                  \
        void open(const string &path, int mode = MODE) { open(path.c_str(), mode); }                       \
        bool is_open() const { return __file != 0; }                                                       \
        void close() {                                                                                     \
            if (__file) fclose(__file);                                                                    \
            else setstate(failbit);                                                                        \
            __file = 0;                                                                                    \
        }                                                                                                  \
    };
__WS_FILE(ifstream, istream, ios_base::in, ios_base::in)
__WS_FILE(ofstream, ostream, ios_base::out, ios_base::out)
__WS_FILE(fstream, iostream, ios_base::in | ios_base::out, 0)
#undef __WS_FILE
}
