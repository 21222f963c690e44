/* The name of `timer.h` in some courses. */
#ifndef WARPCC_GPUTIMER_H
#define WARPCC_GPUTIMER_H

#include "timer.h"

#endif
