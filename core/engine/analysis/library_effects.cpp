#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {
namespace {

LibraryEffect intrinsic_effect(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memmove:
    return LibraryEffect::copy;
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memset_inline:
    return LibraryEffect::fill;
  case llvm::Intrinsic::launder_invariant_group:
  case llvm::Intrinsic::strip_invariant_group:
  case llvm::Intrinsic::ptr_annotation:
  case llvm::Intrinsic::ptrmask:
  case llvm::Intrinsic::preserve_array_access_index:
  case llvm::Intrinsic::preserve_struct_access_index:
  case llvm::Intrinsic::threadlocal_address:
  case llvm::Intrinsic::ssa_copy:
    return LibraryEffect::identity;
  case llvm::Intrinsic::vacopy:
  case llvm::Intrinsic::masked_gather:
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
    return LibraryEffect::unknown;
  default:
    return LibraryEffect::none;
  }
}

/// Functions that carry no derivative: strings, streams and such keep characters; what they return points into their
/// object.
LibraryEffect inactive_effect(const llvm::CallBase &call) {
  bool is_member = call.getCalledFunction()->getName().starts_with("_Z");
  bool returns_pointer =
      call.getType()->isPointerTy() && call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy();
  return is_member && returns_pointer ? LibraryEffect::identity : LibraryEffect::none;
}

bool has_pointer(const llvm::CallBase &call) {
  if (call.getType()->isPtrOrPtrVectorTy() || call.getType()->isAggregateType())
    return true;
  return llvm::any_of(call.args(), [](const llvm::Use &argument) {
    return argument->getType()->isPtrOrPtrVectorTy() || argument->getType()->isAggregateType();
  });
}

} // namespace

LibraryEffect library_effect(const llvm::CallBase &call) {
  if (is_noreturn_path_call(call) || is_measured_search(call))
    return LibraryEffect::none;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic_effect(*intrinsic);
  const llvm::Function *callee = call.getCalledFunction();
  if (callee == nullptr)
    return is_unlikely_candidate(call) ? LibraryEffect::none : LibraryEffect::unknown;
  if (callee->getName().starts_with(primal_prefix)) // of the engine's own
    return call.getType()->isPointerTy() ? LibraryEffect::allocation : LibraryEffect::none;
  if (const TaggedCopy move = tagged_copy(*callee); move != TaggedCopy::none)
    return has_source(move) ? LibraryEffect::copy : LibraryEffect::fill;
  if (callee->hasFnAttribute(allocates_attribute))
    return LibraryEffect::allocation;
  if (callee->hasFnAttribute(releases_attribute))
    return LibraryEffect::deallocation;
  bool is_of_the_user = !callee->isDeclaration() && !is_mangled(callee->getName()) &&
                        !is_pool_function(callee->getName()) && !is_device_library_function(*callee);
  if (is_of_the_user) // It may only have the name of a library function.
    return LibraryEffect::unknown;
  if (const LibraryFunction *known = library_function(*callee)) {
    if (known->effect != LibraryEffect::unknown)
      return known->effect;
    if (known->is_inactive())
      return inactive_effect(call);
  }
  if (callee->hasFnAttribute(llvm::Attribute::AllocKind)) {
    auto kind = callee->getFnAttribute(llvm::Attribute::AllocKind).getAllocKind();
    if ((kind & llvm::AllocFnKind::Free) != llvm::AllocFnKind::Unknown)
      return LibraryEffect::deallocation;
    if ((kind & llvm::AllocFnKind::Alloc) != llvm::AllocFnKind::Unknown)
      return LibraryEffect::allocation;
  }
  return callee->isDeclaration() && !has_pointer(call) ? LibraryEffect::none : LibraryEffect::unknown;
}

bool is_allocation(const llvm::CallBase &call) {
  LibraryEffect effect = library_effect(call);
  return effect == LibraryEffect::allocation || effect == LibraryEffect::reallocation;
}

ExceptionRole exception_role(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration())
    return ExceptionRole::none;
  switch (library_role(*callee)) {
  case LibraryRole::make_exception:
    return ExceptionRole::makes;
  case LibraryRole::catch_exception:
    return ExceptionRole::catches;
  default:
    return ExceptionRole::none;
  }
}

bool writes_floating_result(const llvm::Function &function) {
  const LibraryFunction *known = library_function(function);
  return known != nullptr && llvm::any_of(known->results, [](const OutParameter &result) {
           return result.number == OutParameter::Number::like_argument_0;
         });
}

} // namespace assay::engine
