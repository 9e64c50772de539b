#pragma once
// In place of the toolkit: all of it is in the stand-in for <cuda_pipeline.h>.
#include "cuda_pipeline.h"
