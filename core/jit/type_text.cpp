#include "core/jit/type_text.hpp"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/raw_ostream.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace assay::jit {

namespace dwarf = llvm::dwarf;

std::string text_of_function(const llvm::DIType *type, const char *symbol) {
  const auto *function = llvm::dyn_cast_or_null<llvm::DISubroutineType>(type);
  if (!function || function->getTypeArray().size() == 0)
    return {};
  std::vector<std::string> parameters;
  for (const llvm::DIType *each : function->getTypeArray())
    parameters.push_back(text_of(each));
  const std::string result = parameters.front();
  parameters.erase(parameters.begin());
  return fmt::format("{} ({})({})", result, symbol, fmt::join(parameters, ", "));
}

std::string text_of(const llvm::DIType *type) {
  if (!type)
    return "void";
  if (const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    const std::string base = text_of(derived->getBaseType());
    const std::string space = base.ends_with('*') ? "" : " ";
    const bool is_reference = derived->getTag() == dwarf::DW_TAG_reference_type;
    switch (derived->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
      if (std::string text = text_of_function(derived->getBaseType(), is_reference ? "&" : "*"); !text.empty())
        return text;
      return base + space + (is_reference ? "&" : "*");
    case dwarf::DW_TAG_rvalue_reference_type:
      return base + space + "&&";
    case dwarf::DW_TAG_const_type:
      return base.ends_with('*') ? base + "const" : "const " + base;
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
      return base;
    default:
      return derived->getName().empty() ? base : derived->getName().str();
    }
  }
  if (!type->getName().empty())
    return type->getName().str();
  if (type->getTag() == dwarf::DW_TAG_array_type) // Its pointer is one to the elements.
    return text_of(llvm::cast<llvm::DICompositeType>(type)->getBaseType());
  return llvm::isa<llvm::DISubroutineType>(type) ? "function" : "unnamed struct";
}

std::string text_of(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return "the LLVM type " + text;
}

} // namespace assay::jit
