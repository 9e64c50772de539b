#pragma once
// In place of the toolkit: all of it is in the stand-in for <cuda_runtime.h>.
#include "cuda_runtime.h"
