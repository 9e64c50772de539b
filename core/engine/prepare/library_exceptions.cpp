#include "core/engine/prepare/library_exceptions.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::int64_t slot_of_what = 16; ///< Behind the two destructors (Itanium C++ ABI).
constexpr StringLiteral type_information = "_ZTI", of_library = "_ZTISt";

bool is_exception_of_library(StringRef name) {
  return name.consume_front(of_library) &&
         any_of(std::initializer_list<StringRef>{"exception", "error", "bad_", "failure"},
                [&](StringRef part) { return name.contains(part); });
}

/// The information of a class names those of its bases.
bool derives_from_exception(const GlobalVariable &information, unsigned depth) {
  if (!information.hasInitializer())
    return is_exception_of_library(information.getName());
  return depth > 0 && any_of(information.getInitializer()->operands(), [&](const Use &part) {
           const auto *base = dyn_cast<GlobalVariable>(part->stripPointerCasts());
           return base && base->getName().starts_with(type_information) && derives_from_exception(*base, depth - 1);
         });
}

bool has_exceptions(const Module &module) {
  constexpr unsigned most_generations = 8;
  return any_of(module.globals(), [](const GlobalVariable &table) {
    return table.getName().starts_with(type_information) && table.hasInitializer() &&
           derives_from_exception(table, most_generations);
  });
}

} // namespace

bool may_be_what_of_library(CallBase &call) {
  const FunctionType *type = call.getFunctionType();
  return type->getReturnType()->isPointerTy() && type->getNumParams() == 1 && type->getParamType(0)->isPointerTy() &&
         virtual_slot(call.getCalledOperand(), call.getDataLayout()) == slot_of_what &&
         has_exceptions(*call.getModule());
}

void mark_what(CallBase &call) {
  call.setOnlyReadsMemory();
  call.setDoesNotThrow();
}

} // namespace assay::engine
