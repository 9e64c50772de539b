#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/engine/support/inactive_functions.hpp"
#include "llvm/ADT/StringSwitch.h"
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

LibraryEffect named_effect(llvm::StringRef name) {
  using enum LibraryEffect;
  name.consume_front(device_library_prefix);
  if (name.starts_with("_Znw") || name.starts_with("_Zna"))
    return allocation;
  if (name.starts_with("_Zdl") || name.starts_with("_Zda"))
    return deallocation;
  return llvm::StringSwitch<LibraryEffect>(name)
      .Cases({"malloc", "calloc", "aligned_alloc", "memalign", "valloc", "pvalloc", "__cxa_allocate_exception"},
             allocation)
      .Cases({"realloc", "reallocf", "reallocarray", "strdup"}, reallocation)
      .Case("posix_memalign", out_allocation)
      .Cases({"free", "cfree"}, deallocation)
      .Cases({"memcpy", "memmove", "__memcpy_chk", "__memmove_chk"}, copy)
      .Cases({"memset", "__memset_chk", "bzero"}, fill)
      .Cases({"strchr", "strrchr", "memchr", "strstr", "strcpy", "strncpy", "strcat"}, identity)
      .Cases({"printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fwrite", "snprintf", "sprintf"}, none)
      .Cases({"vprintf", "vfprintf", "vsnprintf", "perror", "fflush", "__printf_chk", "__fprintf_chk"}, none)
      .Cases({"strlen", "strcmp", "strncmp", "memcmp", "bcmp", "atoi", "atof", "strtod", "strtol"}, none)
      .Case("malloc_usable_size", none)
      .Cases({"abort", "exit", "_exit", "__assert_fail", "rand", "srand", "time", "clock", "gettimeofday"}, none)
      .Cases({"clock_gettime", "__cxa_free_exception", "__cxa_throw", "__cxa_guard_acquire", "__cxa_guard_release"},
             none)
      .Cases({"_ZSt17__throw_bad_allocv", "_ZSt20__throw_length_errorPKc", "_ZSt9terminatev"}, none)
      .Cases({"_ZSt28__throw_bad_array_new_lengthv", "_ZSt24__throw_out_of_range_fmtPKcz"}, none)
      .Cases({"frexp", "frexpf", "frexpl", "modf", "modff", "modfl", "sincos", "sincosf", "sincosl"}, none)
      .Cases({"remquo", "remquof", "remquol", "lgamma_r", "lgammaf_r", "lgammal_r", "nan", "nanf", "nanl"}, none)
      .Default(unknown);
}

/// Functions that carry no derivative: strings, streams and such keep characters; what they return points into their
/// object.
LibraryEffect inactive_effect(const llvm::CallBase &call, llvm::StringRef name) {
  if (name.contains("basic_string") && name.contains("_M_create"))
    return LibraryEffect::allocation;
  bool is_member = name.starts_with("_ZN") || name.starts_with("_ZSt") || name == "__dynamic_cast";
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
  bool is_of_the_user =
      !callee->isDeclaration() && !callee->getName().starts_with("_Z") && !is_device_library_function(*callee);
  if (is_of_the_user) // It may only have the name of a library function.
    return LibraryEffect::unknown;
  LibraryEffect named = named_effect(callee->getName());
  if (named != LibraryEffect::unknown)
    return named;
  if (is_known_inactive(callee->getName()))
    return inactive_effect(call, callee->getName());
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
  return llvm::StringSwitch<ExceptionRole>(callee->getName())
      .Case("__cxa_allocate_exception", ExceptionRole::makes)
      .Cases({"__cxa_begin_catch", "__cxa_get_exception_ptr"}, ExceptionRole::catches)
      .Default(ExceptionRole::none);
}

bool writes_floating_result(llvm::StringRef name, unsigned argument) {
  if (name.starts_with("modf"))
    return argument == 1;
  return name.starts_with("sincos") && (argument == 1 || argument == 2);
}

bool writes_integer_result(llvm::StringRef name, unsigned argument) {
  name.consume_front(device_library_prefix);
  if (name.starts_with("frexp"))
    return argument == 1;
  return (name.starts_with("remquo") && argument == 2) || (name.starts_with("lgamma") && argument == 1);
}

} // namespace assay::engine
