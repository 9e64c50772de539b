#pragma once
// Checks all combinations of one function. The user's code runs in a child process: one that crashes or hangs costs the
// combination that it was at, not the command.

#include "cli/check_request.hpp"
#include "reports/record.hpp"
#include <assay/testing/check.hpp>

#include <functional>

namespace assay::cli {

struct CheckListener {
  /// A combination is about to run, described in words.
  std::function<void(const std::string &)> started = [](const std::string &) {};
  /// How many combinations there are, of which the budget may draw some.
  std::function<void(std::size_t)> counted = [](std::size_t) {};
  std::function<void(const reports::Record &)> decided = [](const reports::Record &) {};
};

/// How the gradient check is run for `request`.
testutils::CheckOptions check_options(const CheckRequest &request);

/// What is decided so far where the process was interrupted. Throws jit::BadRequest if the function cannot be compiled
/// or linked.
std::vector<reports::Record> check_function(const CheckRequest &request, const jit::ModuleFile &file,
                                            const CheckListener &listener);

} // namespace assay::cli
