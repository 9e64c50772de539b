#pragma once
// Random valid programs: program N of a seed is the same on every machine.

#include "generators/programs/program.hpp"
#include "generators/programs/weights.hpp"

namespace assay::gen::programs {

Program draw_program(std::uint64_t seed, std::uint32_t index, const Weights &weights = {});

} // namespace assay::gen::programs
