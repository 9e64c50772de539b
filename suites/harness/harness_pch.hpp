#pragma once
// The harness, compiled once for each level.
#include <assay/testing.hpp>
