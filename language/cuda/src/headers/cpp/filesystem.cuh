// <filesystem>, below the folder of the program. Files have no time.
#include <string>
#include <system_error>
#include <vector>
#include <dirent.h>
#include <unistd.h>
#include <sys/stat.h>
namespace std {
namespace filesystem {
class path {
public:
    typedef char value_type;
    typedef string string_type;
    static constexpr char preferred_separator = '/';
    string __text;
    path() {}
    path(const string &text) : __text(text) {}
    path(const char *text) : __text(text) {}
    path &operator=(const string &text) {
        __text = text;
        return *this;
    }
    path &operator=(const char *text) {
        __text = text;
        return *this;
    }
    const string &native() const { return __text; }
    string string() const { return __text; }
    std::string generic_string() const { return __text; }
    const char *c_str() const { return __text.c_str(); }
    operator std::string() const { return __text; }
    bool empty() const { return __text.empty(); }
    void clear() { __text.clear(); }
    bool is_absolute() const { return !__text.empty() && __text[0] == '/'; }
    bool is_relative() const { return !is_absolute(); }
    // A root has no name. Behind its first `/` are the other parts.
    size_t __relative() const {
        size_t at = 0;
        while (at < __text.size() && __text[at] == '/') ++at;
        return at;
    }
    path root_name() const { return path(); }
    path root_directory() const { return is_absolute() ? path("/") : path(); }
    path root_path() const { return root_directory(); }
    path relative_path() const { return path(__text.substr(__relative())); }
    bool has_root_name() const { return false; }
    bool has_root_directory() const { return is_absolute(); }
    bool has_root_path() const { return is_absolute(); }
    bool has_relative_path() const { return __relative() < __text.size(); }
    path &operator/=(const path &other) {
        if (other.is_absolute()) {
            __text = other.__text;
        } else {
            if (!__text.empty() && __text.back() != '/') __text.push_back('/');
            __text += other.__text;
        }
        return *this;
    }
    path &operator+=(const path &other) {
        __text += other.__text;
        return *this;
    }
    path filename() const { return path(__text.substr(__name())); }
    path stem() const {
        std::string name = __text.substr(__name());
        return path(name.substr(0, __dot(name)));
    }
    path extension() const {
        std::string name = __text.substr(__name());
        size_t dot = __dot(name);
        return path(dot == std::string::npos ? std::string() : name.substr(dot));
    }
    path parent_path() const {
        size_t end = __name();
        while (end > 1 && __text[end - 1] == '/') --end;
        return path(__text.substr(0, end));
    }
    bool has_filename() const { return !filename().empty(); }
    bool has_stem() const { return !stem().empty(); }
    bool has_extension() const { return !extension().empty(); }
    bool has_parent_path() const { return !parent_path().empty(); }
    path &remove_filename() {
        __text.resize(__name());
        return *this;
    }
    path &replace_filename(const path &name) {
        remove_filename();
        return *this /= name;
    }
    path &replace_extension(const path &other = path()) {
        size_t name = __name(), dot = __dot(__text.substr(name));
        if (dot != std::string::npos) __text.resize(name + dot);
        if (!other.empty() && other.__text[0] != '.') __text.push_back('.');
        __text += other.__text;
        return *this;
    }
    int compare(const path &other) const { return __text.compare(other.__text); }
    size_t __name() const {
        size_t slash = __text.rfind('/');
        return slash == std::string::npos ? 0 : slash + 1;
    }
    static size_t __dot(const std::string &name) {
        size_t dot = name.rfind('.');
        return dot == 0 || name == ".." ? std::string::npos : dot;
    }
};
inline path operator/(const path &a, const path &b) {
    path made = a;
    made /= b;
    return made;
}
inline bool operator==(const path &a, const path &b) { return a.__text == b.__text; }
inline bool operator!=(const path &a, const path &b) { return a.__text != b.__text; }
// Texts are paths here: a path is a text, too.
#define __WS_SAME(OPERATOR)                                                                                \
    template <class T, class = decltype(path(declval<const T &>()))>                                       \
    inline bool operator OPERATOR(const path &a, const T &b) {                                             \
        return a OPERATOR path(b);                                                                         \
    }                                                                                                      \
    template <class T, class = decltype(path(declval<const T &>()))>                                       \
    inline bool operator OPERATOR(const T &a, const path &b) {                                             \
        return path(a) OPERATOR b;                                                                         \
    }
__WS_SAME(==)
__WS_SAME(!=)
#undef __WS_SAME
inline bool operator<(const path &a, const path &b) { return a.__text < b.__text; }
// Paths are shown in quotation marks.
template <class S> inline S &operator<<(S &to, const path &shown) {
    string text(1, '"');
    for (char c : shown.__text) {
        if (c == '"' || c == '\\') text.push_back('\\');
        text.push_back(c);
    }
    text.push_back('"');
    to << text;
    return to;
}
class filesystem_error : public system_error {
public:
    path __one;
    path __two;
    string __text;
    filesystem_error(const string &text, const path &one, error_code code)
        : system_error(code, text), __one(one), __text(__shown(text, code, one.__text)) {}
    filesystem_error(const string &text, const path &one, const path &two, error_code code)
        : system_error(code, text), __one(one), __two(two),
          __text(__shown(text, code, one.__text + "] [" + two.__text)) {}
    const path &path1() const { return __one; }
    const path &path2() const { return __two; }
    const char *what() const noexcept override { return __text.c_str(); }
    static string __shown(const string &text, const error_code &code, const string &paths) {
        return "filesystem error: " + text + ": " + code.message() + " [" + paths + "]";
    }
};
enum class file_type { none = 0, not_found = -1, regular = 1, directory = 2 };
class file_status {
public:
    file_type __type;
    explicit file_status(file_type type = file_type::none) : __type(type) {}
    file_type type() const { return __type; }
};
inline error_code __last_error() { return error_code(errno, generic_category()); }
inline file_status status(const path &at) {
    struct stat found;
    if (stat(at.c_str(), &found) != 0) return file_status(file_type::not_found);
    return file_status(S_ISDIR(found.st_mode) ? file_type::directory : file_type::regular);
}
inline bool exists(file_status found) { return found.type() != file_type::not_found; }
inline bool exists(const path &at) { return exists(status(at)); }
inline bool is_directory(file_status found) { return found.type() == file_type::directory; }
inline bool is_directory(const path &at) { return is_directory(status(at)); }
inline bool is_regular_file(file_status found) { return found.type() == file_type::regular; }
inline bool is_regular_file(const path &at) { return is_regular_file(status(at)); }
inline size_t file_size(const path &at, error_code &error) {
    struct stat found;
    error.clear();
    if (stat(at.c_str(), &found) != 0) error = __last_error();
    else if (S_ISDIR(found.st_mode)) error = error_code(EISDIR, generic_category());
    return error ? (size_t)-1 : (size_t)found.st_size;
}
inline bool create_directory(const path &at, error_code &error) {
    error.clear();
    if (mkdir(at.c_str(), 0777) == 0) return true;
    if (!is_directory(at)) error = __last_error();
    return false;
}
inline bool create_directories(const path &at, error_code &error) {
    error.clear();
    if (is_directory(at)) return false;
    path above = at.parent_path();
    if (!above.empty() && above != at) create_directories(above, error);
    return !error && !at.filename().empty() ? create_directory(at, error) : !error;
}
inline bool remove(const path &at, error_code &error) {
    error.clear();
    file_status found = status(at);
    if (!exists(found)) return false;
    int failed = is_directory(found) ? rmdir(at.c_str()) : unlink(at.c_str());
    if (failed) error = __last_error();
    return !failed;
}
inline void rename(const path &from, const path &to, error_code &error) {
    error.clear();
    if (::rename(from.c_str(), to.c_str()) != 0) error = __last_error();
}
inline path current_path() {
    char name[sizeof(__WS_FOLDER)];
    return path(getcwd(name, sizeof(name)));
}
inline path absolute(const path &at) { return at.is_absolute() ? at : current_path() / at; }
class directory_entry {
public:
    filesystem::path __path;
    directory_entry() {}
    explicit directory_entry(const filesystem::path &at) : __path(at) {}
    const filesystem::path &path() const { return __path; }
    operator const filesystem::path &() const { return __path; }
    bool exists() const { return filesystem::exists(__path); }
    bool is_directory() const { return filesystem::is_directory(__path); }
    bool is_regular_file() const { return filesystem::is_regular_file(__path); }
    size_t file_size() const;
    bool operator<(const directory_entry &other) const { return __path < other.__path; }
    bool operator==(const directory_entry &other) const { return __path == other.__path; }
};
// The entries of a folder, in the order of the bytes of their names; `D`: those of its folders, too.
template <bool D> class __directory_iterator : public __iterated<input_iterator_tag, const directory_entry> {
public:
    vector<directory_entry> __entries;
    size_t __at;
    __directory_iterator() : __at(0) {}
    explicit __directory_iterator(const path &folder) : __at(0) {
        char *names = __ws_list(folder.c_str());
        if (!names)
            throw filesystem_error(D ? "recursive directory iterator cannot open directory"
                                     : "directory iterator cannot open directory",
                                   folder, __last_error());
        for (char *name = names; *name; name += strlen(name) + 1) __add(folder / name);
        free(names);
    }
    void __add(const path &at) {
        __entries.push_back(directory_entry(at));
        if (!D || !is_directory(at)) return;
        __directory_iterator inner(at);
        __entries.insert(__entries.end(), inner.__entries.begin(), inner.__entries.end());
    }
    const directory_entry &operator*() const { return __entries[__at]; }
    const directory_entry *operator->() const { return &__entries[__at]; }
    __directory_iterator &operator++() {
        ++__at;
        return *this;
    }
    __directory_iterator begin() const { return *this; }
    __directory_iterator end() const { return __directory_iterator(); }
    bool operator==(const __directory_iterator &other) const { return __left() == other.__left(); }
    bool operator!=(const __directory_iterator &other) const { return __left() != other.__left(); }
    size_t __left() const { return __entries.size() - __at; }
};
typedef __directory_iterator<false> directory_iterator;
typedef __directory_iterator<true> recursive_directory_iterator;
inline directory_iterator begin(const directory_iterator &from) { return from; }
inline directory_iterator end(const directory_iterator &) { return directory_iterator(); }
inline bool is_empty(const path &at) {
    error_code error;
    return is_directory(at) ? directory_iterator(at) == directory_iterator() : file_size(at, error) == 0;
}
inline size_t remove_all(const path &at) {
    size_t count = 0;
    if (is_directory(at))
        for (const directory_entry &entry : directory_iterator(at)) count += remove_all(entry.path());
    error_code error;
    count += remove(at, error);
    if (error) throw filesystem_error("cannot remove all", at, error);
    return count;
}
#define __WS_OR_THROW(RESULT, NAME, TEXT)                                                                  \
    inline RESULT NAME(const path &at) {                                                                   \
        error_code error;                                                                                  \
        RESULT made = NAME(at, error);                                                                     \
        if (error) throw filesystem_error(TEXT, at, error);                                                \
        return made;                                                                                       \
    }
__WS_OR_THROW(size_t, file_size, "cannot get file size")
__WS_OR_THROW(bool, create_directory, "cannot create directory")
__WS_OR_THROW(bool, create_directories, "cannot create directories")
__WS_OR_THROW(bool, remove, "cannot remove")
#undef __WS_OR_THROW
inline void rename(const path &from, const path &to) {
    error_code error;
    rename(from, to, error);
    if (error) throw filesystem_error("cannot rename", from, to, error);
}
inline size_t directory_entry::file_size() const { return filesystem::file_size(__path); }
}
}
