// <iostream>: the standard streams.
#include <ios>
namespace std {
static istream cin = {{stdin, 0, 0, 0, 0, ios_base::skipws | ios_base::dec, 0, 6, 0, ' ', 0}, 0};
static ostream cout = {{{stdout, 0, 0, 0, 0, ios_base::skipws | ios_base::dec, 0, 6, 0, ' ', 0}, 0}};
static ostream cerr = {{{stderr, 0, 0, 0, 0, ios_base::skipws | ios_base::dec | ios_base::unitbuf, 0, 6, 0, ' ', 0}, 0}};
static ostream clog = {{{stderr, 0, 0, 0, 0, ios_base::skipws | ios_base::dec, 0, 6, 0, ' ', 0}, 0}};
}
