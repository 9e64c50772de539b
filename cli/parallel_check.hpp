#pragma once
// Checks several functions, and both modes of each, in several processes at once. What comes out is what one process
// after the other gives.

#include "cli/check_function.hpp"
#include "cli/load_functions.hpp"
#include "core/jit/bad_request.hpp"

#include <deque>
#include <optional>

namespace assay::cli {

/// The findings of one function.
struct CheckedFunction {
  std::vector<reports::Record> records;
  std::size_t possible = 0;                    ///< How many combinations there are.
  std::optional<jit::BadRequest> refusal = {}; ///< Why there are none.
};

struct ParallelListener {
  /// Something has begun, described in words.
  std::function<void(const std::string &)> started = [](const std::string &) {};
  /// Called for each function, in order.
  std::function<void(std::size_t index, CheckedFunction)> finished = [](std::size_t, CheckedFunction) {};
};

/// Where the process is interrupted, the records so far of the functions that are left are handed over.
void check_in_parallel(const std::deque<FunctionToCheck> &functions, unsigned jobs, const ParallelListener &listener);

} // namespace assay::cli
