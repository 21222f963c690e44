// <initializer_list>: the compiler makes the objects.
namespace std {
template <class T> class initializer_list {
public:
    typedef const T *iterator;
    typedef T value_type;
    const T *__first;
    size_t __count;
    size_t size() const { return __count; }
    const T *begin() const { return __first; }
    const T *end() const { return __first + __count; }
};
}
