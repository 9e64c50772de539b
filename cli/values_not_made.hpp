#pragma once
// Why values of a function's parameters cannot be made, in the user's words: clang's message for a generated program is
// about code that nobody wrote.

#include "cli/object_spec.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/source_parameters.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// A function whose parameters were to be made.
struct DescribedFunction {
  const std::string &name;
  const jit::SourceParameters &source;
  const std::vector<std::string> &specs;
  const std::vector<ObjectSpec> &shapes; ///< One for each parameter, `ShapeN` in the generated program.
};

/// One sentence for the compiler's message `error`; its own words stay where the sentence does not have them.
jit::BadRequest in_terms_of_user(const DescribedFunction &function, const jit::BadRequest &error, bool shows_details);

} // namespace assay::cli
