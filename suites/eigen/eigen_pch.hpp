#pragma once
// What most programs of this suite include, compiled once for each level.
#include "support/vector_program.hpp"
#include <Eigen/Dense>
