#pragma once
// In place of CUB's header.
#include "../../detail/cub_not_emulated.h"
