#pragma once
// Rules for functions of the host in sources that are compiled for a device, too: there they would be code for nobody,
// with calls that a device does not have.

#include "assay/rules.hpp"

#ifdef __CUDA_ARCH__
#define ASSAY_DETAIL_RULE_OF_HOST(...) static_assert(true)
#else
#define ASSAY_DETAIL_RULE_OF_HOST(...) ASSAY_RULE(__VA_ARGS__)
#endif
