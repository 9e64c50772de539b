#include "core/engine/support/library_table.hpp"
#include "core/engine/support/library_families.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_of_kind(const Type &type, char kind) {
  switch (kind) {
  case 'p':
    return type.isPointerTy();
  case 'i':
    return type.isIntegerTy();
  case 'f':
    return type.isFloatingPointTy();
  case 'v':
    return type.isVoidTy();
  case '*':
    return true;
  default:
    return false;
  }
}

/// C's old declarations, `int f();`, say nothing of the parameters.
bool lists_no_parameters(const FunctionType &type) {
  return type.isVarArg() && type.getNumParams() == 0;
}

bool matches(const FunctionType &type, StringRef prototype) {
  if (prototype == "~" || lists_no_parameters(type))
    return true;
  if (prototype.empty() || !is_of_kind(*type.getReturnType(), prototype.front()))
    return false;
  StringRef parameters = prototype.drop_front(2).drop_back();
  return parameters.consume_back(".") == type.isVarArg() && parameters.size() == type.getNumParams() &&
         all_of(zip(type.params(), parameters),
                [](const auto &pair) { return is_of_kind(*std::get<0>(pair), std::get<1>(pair)); });
}

} // namespace

const OutParameter *LibraryFunction::result_through(unsigned argument) const {
  const auto *found = find_if(results, [&](const OutParameter &result) { return result.argument == argument; });
  return found == results.end() ? nullptr : found;
}

LibraryTable::LibraryTable() : target_library_(Triple("x86_64-unknown-linux-gnu")), by_number_(NumLibFuncs, nullptr) {
  add_memory_functions(*this);
  add_number_functions(*this);
  add_text_functions(*this);
  add_runtime_functions(*this);
  add_inactive_functions(*this);
  add_families(*this);
  sort(families_, [](const auto &first, const auto &second) { return first.name < second.name; });
}

void LibraryTable::add(LibraryFunction entry) {
  const auto [place, inserted] = by_name_.try_emplace(entry.name, nullptr);
  assert(inserted && "a library function has one entry");
  entry.name = place->getKey();
  functions_.push_back(std::move(entry));
  place->second = &functions_.back();
  LibFunc number = NotLibFunc;
  if (target_library_.getLibFunc(place->getKey(), number))
    by_number_[number] = place->second;
}

void LibraryTable::add_family(LibraryFunction entry) {
  families_.push_back(std::move(entry));
}

/// No name of a family starts with that of another, so the last one that is not behind `name` is the only one that
/// `name` can start with.
const LibraryFunction *LibraryTable::family_of(StringRef name) const {
  auto behind = upper_bound(families_, name, [](StringRef wanted, const auto &family) { return wanted < family.name; });
  if (behind != families_.begin() && name.starts_with(std::prev(behind)->name))
    return special_member(name, *std::prev(behind));
  return rust_function(name);
}

const LibraryFunction *LibraryTable::find(StringRef name) const {
  name.consume_front("\01");
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : family_of(name);
}

const LibraryFunction *LibraryTable::find(const Function &function) const {
  if (function.isIntrinsic() || !function.getParent())
    return nullptr;
  LibFunc number = NotLibFunc; // LLVM keeps it with the function
  if (target_library_.getLibFunc(function, number))
    return by_number_[number];
  const LibraryFunction *entry = find(function.getName());
  return entry && matches(*function.getFunctionType(), entry->prototype) ? entry : nullptr;
}

const LibraryFunction *LibraryTable::find_like(const Function &function, StringRef name) const {
  const FunctionType &type = *function.getFunctionType();
  LibFunc number = NotLibFunc;
  const bool is_known = target_library_.getLibFunc(name, number);
  if (is_known && TargetLibraryInfo(target_library_).isValidProtoForLibFunc(type, number, *function.getParent()))
    return by_number_[number];
  const LibraryFunction *entry = find(name);
  return entry && matches(type, entry->prototype) ? entry : nullptr;
}

const LibraryTable &library_table() {
  static const LibraryTable table;
  return table;
}

SmallVector<Function *, 4> declared_functions(const Module &module, LibraryRole role) {
  SmallVector<Function *, 4> result;
  for (const LibraryFunction &entry : library_table().functions())
    if (entry.role == role)
      if (Function *function = module.getFunction(entry.name); function && function->isDeclaration())
        result.push_back(function);
  return result;
}

} // namespace assay::engine
