// <typeindex>: a type as a key.
#include <__hash>
#include <typeinfo>
namespace std {
class type_index {
    const type_info *__type;

public:
    type_index(const type_info &type) : __type(&type) {}
    const char *name() const { return __type->name(); }
    size_t hash_code() const { return __type->hash_code(); }
    bool operator==(const type_index &other) const { return *__type == *other.__type; }
    bool operator!=(const type_index &other) const { return *__type != *other.__type; }
    bool operator<(const type_index &other) const { return __type->before(*other.__type); }
    bool operator>(const type_index &other) const { return other < *this; }
};
template <> struct hash<type_index> {
    size_t operator()(const type_index &type) const { return type.hash_code(); }
};
}
