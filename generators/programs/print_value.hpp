#pragma once
// Values, types and signatures as C.

#include "generators/programs/print.hpp"

namespace assay::gen::programs {

std::string print_value(const Node &node, const Dialect &dialect);
/// The same text where an operator around it cannot take it apart.
std::string without_parentheses(std::string text);
/// Whether the declaration says so: C has no way to say it of a pointer to pointers.
bool is_constant(const Variable &variable);
/// The struct of a list's nodes.
std::string list_name(const Type &list, const Dialect &dialect);
/// `static double f0(double *v0, int v1)`
std::string signature(const Program &program, std::size_t function, const Dialect &dialect);

} // namespace assay::gen::programs
