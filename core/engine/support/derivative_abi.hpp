#pragma once
// The calling convention of the functions that the engine writes. One place decides it; the emitters, the lowering of
// call sites and calls between derivative functions all ask here.
//
//   parameters:  for each parameter of f: the primal, then `width` shadows if it is duplicated;
//                then `width` seeds if the result is active and the mode is reverse or split_reverse;
//                then the tape (ptr) if the mode is split_reverse;
//                then the list of shadows to release (ptr, may be null; emit/deferred_frees.hpp) if the mode is
//                augmented.
//   result:      a literal struct, or void when it would be empty, of
//                  the tape (ptr)                     augmented only
//                  the primal result                  if primal_return is keep and f returns a value
//                  `width` tangents or shadows        if the result is duplicated (forward, augmented, reverse)
//                  per active argument `width` adjoints   reverse and split_reverse
//
// A seed, tangent, shadow or adjoint has the LLVM type of the value it belongs to. A by-value argument that is `active`
// may be an aggregate; so may an active result.

#include "core/engine/support/request.hpp"
#include "llvm/IR/DerivedTypes.h"
#include <optional>

namespace assay::engine {

class DerivativeAbi {
public:
  explicit DerivativeAbi(const Request &request);

  llvm::FunctionType *type() const { return type_; }
  unsigned primal_parameter(unsigned argument) const { return primal_parameter_[argument]; }
  /// Only for duplicated arguments.
  unsigned shadow_parameter(unsigned argument, unsigned lane) const { return primal_parameter_[argument] + 1 + lane; }
  std::optional<unsigned> seed_parameter(unsigned lane) const;
  std::optional<unsigned> tape_parameter() const { return tape_parameter_; }
  std::optional<unsigned> deferred_frees_parameter() const { return deferred_frees_parameter_; }

  std::optional<unsigned> tape_result() const { return tape_result_; }
  std::optional<unsigned> primal_result() const { return primal_result_; }
  /// Tangent (forward) or shadow (reverse modes) of the result.
  std::optional<unsigned> shadow_result(unsigned lane) const;
  /// Only for active arguments.
  unsigned gradient_result(unsigned argument, unsigned lane) const { return gradient_result_[argument] + lane; }

private:
  llvm::FunctionType *type_ = nullptr;
  llvm::SmallVector<unsigned, 4> primal_parameter_;
  llvm::SmallVector<unsigned, 4> gradient_result_;
  std::optional<unsigned> first_seed_, tape_parameter_, deferred_frees_parameter_, tape_result_, primal_result_,
      first_shadow_result_;
};

bool is_duplicated(Activity activity);

} // namespace assay::engine
