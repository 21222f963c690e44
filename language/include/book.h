/* The header of the folder `common`. */
#ifndef WARPCC_BOOK_H
#define WARPCC_BOOK_H

#include "common/book.h"

#endif
