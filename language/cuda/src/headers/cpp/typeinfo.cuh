// <typeinfo>: the names of types. An object of `type_info` begins what the compiler knows of a type.
#include <exception>
namespace std {
class type_info {
    const char *__name;
    type_info(const type_info &);
    type_info &operator=(const type_info &);

public:
    const char *name() const {
        if (strstr(__name, "3std")) {
            fprintf(stderr, "error: the name of a type with a class of the C++ library is not supported\n");
            abort();
        }
        return __name;
    }
    bool operator==(const type_info &other) const { return strcmp(__name, other.__name) == 0; }
    bool operator!=(const type_info &other) const { return strcmp(__name, other.__name) != 0; }
    bool before(const type_info &other) const { return strcmp(__name, other.__name) < 0; }
    size_t hash_code() const {
        size_t hash = 14695981039346656037u;
        for (const char *at = __name; *at; ++at) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
        return hash;
    }
};
class bad_typeid : public exception {
public:
    bad_typeid() { __text = "std::bad_typeid"; }
};
class bad_cast : public exception {
public:
    bad_cast() { __text = "std::bad_cast"; }
};
}
template <class T> inline T *__ws_typeid_object(T *object) {
    if (!object) throw std::bad_typeid();
    return object;
}
