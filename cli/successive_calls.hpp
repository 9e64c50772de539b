#pragma once
// Several calls of compiled code that find the variables as the calls before left them.

#include "cli/check_request.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/subject.hpp>

#include <utility>

namespace assay::cli {

using BothPrimals = std::pair<testutils::PrimalOutcome, testutils::PrimalOutcome>;
using BothDerivatives = std::pair<testutils::DerivativeOutcome, testutils::DerivativeOutcome>;

BothPrimals call_function_twice(const CheckRequest &request, const jit::Program &program,
                                const testutils::Arguments &first, const testutils::Arguments &second,
                                const testutils::Succession &succession);

/// With the same numbers in the same memory, which is filled anew before each call.
std::vector<testutils::PrimalOutcome> call_function_in_a_row(const CheckRequest &request, const jit::Program &program,
                                                             const testutils::Arguments &inputs, unsigned calls);

/// `put_back`: the symbol of a variable that is put back before each call, or empty.
std::vector<testutils::DerivativeOutcome> call_derivative_in_a_row(const CheckRequest &request,
                                                                   const jit::Program &program, jit::Entry entry,
                                                                   const testutils::DerivativeRequest &derivative,
                                                                   unsigned calls, const std::string &put_back);

/// Of the first and of the second call.
struct Entries {
  jit::Entry first = nullptr, second = nullptr;
};

/// Each request is of the combination of its entry.
BothDerivatives call_derivative_twice(const CheckRequest &request, const jit::Program &program, Entries entries,
                                      const testutils::DerivativeRequest &first,
                                      const testutils::DerivativeRequest &second,
                                      const testutils::Succession &succession);

/// Calls the function and then the derivative, and says what the second leaves otherwise than the first.
testutils::SideEffects side_effects_of(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const testutils::DerivativeRequest &derivative);

} // namespace assay::cli
