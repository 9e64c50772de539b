#pragma once
// Values, types and signatures as C.

#include "generators/programs/print.hpp"

namespace assay::gen::programs {

std::string print_value(const Node &node, const Dialect &dialect);
/// The same text where an operator around it cannot take it apart.
std::string without_parentheses(std::string text);
/// `static double f0(double *v0, int v1)`
std::string signature(const Program &program, std::size_t function, const Dialect &dialect);

} // namespace assay::gen::programs
