#pragma once
// The derivative of a reproduced call in the C convention: the text of its declarations and of its calls, in which
// variables have the names of ReproducedVariable and the tape is `assay_tape`.

#include "cli/reproduced_call.hpp"

#include <string>
#include <vector>

namespace assay::cli {

class ConventionText {
public:
  /// `call` must outlive the text.
  explicit ConventionText(const ReproducedCall &call);

  /// Of the structure that the derivative returns, if it is one, and of the functions.
  std::string declarations() const;

  /// `double assay_g = __enzyme_autodiff_reproduced(...)`, in the split form only the reverse sweep.
  std::string derivative() const;
  /// The augmented primal of the split form.
  std::string augmented_primal() const;

  /// A number that the derivative returns, called `assay_0_1` for lane 1 of assay_0, `tangent_1` for that of the
  /// result.
  std::string returned(const std::string &name) const;

private:
  using Words = std::vector<std::string>;
  struct ReturnedNumber {
    std::string type, name;
  };

  std::vector<ReturnedNumber> returned_numbers() const;
  std::string declaration(const std::string &result, const char *name, const Words &before, const Words &behind) const;
  std::string call_of(const char *name, const Words &before, const Words &behind) const;
  const char *name() const;

  const ReproducedCall &call_;
  std::vector<ReturnedNumber> returned_;
  std::string type_ = "void"; ///< That the derivative returns.
};

} // namespace assay::cli
