#pragma once
// One call of a compiled function, or of one of its derivatives, with flat numbers.

#include "cli/check_request.hpp"
#include "core/jit/program.hpp"
#include <assay/function_ref.hpp>
#include <assay/testing/subject.hpp>

namespace assay::cli {

class CallFrame;

/// The derivative that `combination` asks for, of a function that `returns` a value or none.
jit::Derivative derivative_of(const testutils::Combination &combination, testutils::PrimalResult primal, bool returns);

/// `entry` is one of `program`, whose global variables are put back first.
testutils::PrimalOutcome call_function(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const testutils::Arguments &inputs);

testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative);

/// With derivatives as `read` finds them in their slots when the call is over.
using ReadSlot = FunctionRef<testutils::Values(const CallFrame &frame, std::size_t slot)>;
testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative, ReadSlot read);

} // namespace assay::cli
