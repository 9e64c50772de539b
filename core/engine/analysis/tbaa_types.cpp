#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/type_tree.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

namespace assay::engine {
namespace {

constexpr unsigned nesting_limit = 6;
constexpr unsigned field_limit = 64;

BasicType type_of_name(llvm::StringRef name, llvm::LLVMContext &context) {
  if (name == "double")
    return {ByteKind::floating, llvm::Type::getDoubleTy(context)};
  if (name == "float")
    return {ByteKind::floating, llvm::Type::getFloatTy(context)};
  if (name == "any pointer" || name == "vtable pointer" || name.starts_with("p1 ") || name.starts_with("p2 ") ||
      name.starts_with("p3 ") || name.starts_with("any p"))
    return pointer_type();
  bool is_integer = llvm::StringSwitch<bool>(name)
                        .Cases({"int", "long", "long long", "short", "bool", "_Bool", "__int128", "wchar_t"}, true)
                        .Cases({"unsigned int", "unsigned long", "unsigned long long", "unsigned short"}, true)
                        .Default(false);
  return is_integer ? integer_type() : BasicType{};
}

std::int64_t integer_operand(const llvm::MDNode &node, unsigned index) {
  const auto *constant = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node.getOperand(index));
  return constant != nullptr ? constant->getSExtValue() : 0;
}

llvm::StringRef name_of(const llvm::MDNode &node) {
  const auto *name = node.getNumOperands() > 0 ? llvm::dyn_cast_or_null<llvm::MDString>(node.getOperand(0)) : nullptr;
  return name != nullptr ? name->getString() : llvm::StringRef();
}

/// A type node is (name, parent, offset) for a scalar or (name, field type, offset, field type, offset, ...) for a struct.
void collect(const llvm::MDNode &type, std::int64_t offset, unsigned depth, llvm::SmallVectorImpl<TaggedField> &fields) {
  if (depth == 0 || fields.size() > field_limit || type.getNumOperands() < 2)
    return;
  BasicType scalar = type_of_name(name_of(type), type.getContext());
  if (scalar.kind != ByteKind::unknown) {
    fields.push_back({offset, scalar});
    return;
  }
  bool is_scalar_node = type.getNumOperands() <= 3 && name_of(type).starts_with("_ZTS") == false;
  for (unsigned index = 1; index + 1 < type.getNumOperands(); index += 2) {
    const auto *field = llvm::dyn_cast_or_null<llvm::MDNode>(type.getOperand(index));
    if (field == nullptr)
      continue;
    llvm::StringRef name = name_of(*field);
    if (is_scalar_node && (name == "omnipotent char" || name.starts_with("Simple ")))
      continue; // The parent of a scalar, not a field.
    collect(*field, offset + integer_operand(type, index + 1), depth - 1, fields);
  }
}

} // namespace

llvm::SmallVector<TaggedField, 8> fields_of_tag(const llvm::Instruction &access) {
  llvm::SmallVector<TaggedField, 8> fields;
  if (const llvm::MDNode *pieces = access.getMetadata(llvm::LLVMContext::MD_tbaa_struct))
    for (unsigned index = 0; index + 2 < pieces->getNumOperands(); index += 3) {
      const auto *tag = llvm::dyn_cast_or_null<llvm::MDNode>(pieces->getOperand(index + 2));
      const auto *type = tag != nullptr && tag->getNumOperands() >= 2
                             ? llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(1))
                             : nullptr;
      if (type == nullptr)
        continue;
      BasicType scalar = type_of_name(name_of(*type), access.getContext());
      if (scalar.kind != ByteKind::unknown)
        fields.push_back({integer_operand(*pieces, index), scalar});
    }
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3)
    return fields;
  const auto *base = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(0));
  if (base != nullptr)
    collect(*base, -integer_operand(*tag, 2), nesting_limit, fields);
  return fields;
}

} // namespace assay::engine
