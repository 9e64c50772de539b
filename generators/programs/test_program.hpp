#pragma once
// A C program that checks the derivatives of drawn programs by itself.
//
// It has three parts, and declarations that each of them starts with. The derivatives: each drawn program with calls of
// the C convention, to be compiled with the plugin. The oracle: the same programs in long double, for finite
// differences that are exact to about 1e-13. The checks: what compares them, and runs each program in a process of its
// own. Together in one file they are a program that returns 0 where all is right.

#include "generators/programs/program.hpp"

#include <span>

namespace assay::gen::programs {

/// The head of each part.
std::string declarations();
/// The programs, numbered from `first`, their derivatives and the table `subjects`.
std::string derivatives_of(std::span<const Program> programs, std::size_t first);
/// The programs in long double, numbered from 0.
std::string oracle_of(std::span<const Program> programs);
/// `main`, and what it needs. It prints a line `NUMBER VERDICT DETAIL` for each subject; the exit code is 0 when no
/// verdict is a failure.
std::string checks();

/// All of it in one file.
std::string whole_test_of(const Program &program);

} // namespace assay::gen::programs
