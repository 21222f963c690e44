// <iostream>: the standard streams.
#include <ios>
namespace std {
static istream cin(stdin, 0);
static ostream cout(stdout, 0);
static ostream cerr(stderr, ios_base::unitbuf);
static ostream clog(stderr, 0);
}
