/* Exceptions with the place of their origin, with the interface of NVIDIA's samples. */
#ifndef WARPCC_EXCEPTION_H
#define WARPCC_EXCEPTION_H

#include <stdlib.h>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

template <class Std_Exception>
class Exception : public Std_Exception {
public:
    static void throw_it(const char *file, const int line, const char *detailed = "-") {
        std::ostringstream s;
        s << "Exception in file '" << file << "' in line " << line << "\nDetailed description: " << detailed
          << "\n";
        throw Exception(s.str());
    }
    static void throw_it(const char *file, const int line, const std::string &detailed) {
        throw_it(file, line, detailed.c_str());
    }
    virtual ~Exception() throw() {}

private:
    explicit Exception(const std::string &text) : Std_Exception(text) {}
};

template <class E>
inline void handleException(const E &e) {
    std::cerr << e.what() << std::endl;
    exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)

#endif
