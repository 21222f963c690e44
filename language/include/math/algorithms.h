/* Algorithms of the device math library, without its public names. Compiles for device and host. */
#ifndef WARPSIM_MATH_ALGORITHMS_H
#define WARPSIM_MATH_ALGORITHMS_H

#include "base.h"
#include "coefficients.h"
#include "basic.h"
#include "exp_log.h"
#include "trig.h"
#include "root.h"
#include "special.h"
#include "bessel.h"
#include "single.h"

#endif
