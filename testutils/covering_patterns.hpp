#pragma once
// Patterns of choices between two, in which every four choices occur in as many of their sixteen ways as rows allow.
//
// Built row by row: of some random candidates the one is taken that covers most that is not covered yet (the greedy
// algorithm of AETG: D. Cohen, S. Dalal, M. Fredman, G. Patton, "The AETG system: an approach to testing based on
// combinatorial design", IEEE Trans. Software Eng. 23, 1997).

#include <assay/generators/stream.hpp>

#include <vector>

namespace assay::testutils {

/// `rows` patterns of `choices` each; the same for the same stream. Of more than sixteen choices only the first sixteen
/// are looked at when candidates are compared.
std::vector<std::vector<bool>> covering_patterns(std::size_t choices, std::size_t rows, gen::Stream &stream);

} // namespace assay::testutils
