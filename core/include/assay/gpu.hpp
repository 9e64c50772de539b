#pragma once
// Derivatives of CUDA kernels.

#include "assay/gpu/device.hpp"
