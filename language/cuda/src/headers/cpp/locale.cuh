// <locale>: the environment is empty, so that "C" is the only locale. It has no facets.
#include <ios>
#include <locale.h>
namespace std {
class locale {
public:
    locale() {}
    explicit locale(const char *name) {
        if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
            throw runtime_error("locale::facet::_S_create_c_locale name not valid");
    }
    explicit locale(const string &name) : locale(name.c_str()) {}
    string name() const { return "C"; }
    bool operator==(const locale &) const { return true; }
    bool operator!=(const locale &) const { return false; }
    static const locale &classic();
    static locale global(const locale &) { return locale(); }
};
inline const locale __classic = locale();
inline const locale &locale::classic() { return __classic; }
inline bool isalpha(char c, const locale &) { return isalpha((unsigned char)c) != 0; }
inline bool isdigit(char c, const locale &) { return isdigit((unsigned char)c) != 0; }
inline bool isalnum(char c, const locale &) { return isalnum((unsigned char)c) != 0; }
inline bool isspace(char c, const locale &) { return isspace((unsigned char)c) != 0; }
inline bool isupper(char c, const locale &) { return isupper((unsigned char)c) != 0; }
inline bool islower(char c, const locale &) { return islower((unsigned char)c) != 0; }
inline bool ispunct(char c, const locale &) { return ispunct((unsigned char)c) != 0; }
inline char toupper(char c, const locale &) { return (char)toupper((unsigned char)c); }
inline char tolower(char c, const locale &) { return (char)tolower((unsigned char)c); }
}
