#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/support/type_options.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

namespace assay::engine {
namespace {

constexpr unsigned field_limit = 64;

BasicType type_of_name(llvm::StringRef name, llvm::LLVMContext &context) {
  if (name == "double")
    return {ByteKind::floating, llvm::Type::getDoubleTy(context)};
  if (name == "float")
    return {ByteKind::floating, llvm::Type::getFloatTy(context)};
  if (name == "long double")
    return {ByteKind::floating, llvm::Type::getX86_FP80Ty(context)};
  if (name == "_Float16")
    return {ByteKind::floating, llvm::Type::getHalfTy(context)};
  if (name == "__bf16")
    return {ByteKind::floating, llvm::Type::getBFloatTy(context)};
  if (name == "__float128")
    return {ByteKind::floating, llvm::Type::getFP128Ty(context)};
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

bool is_scalar_node(const llvm::MDNode &type) {
  if (type.getNumOperands() < 2) // The root of the tree.
    return true;
  if (type.getNumOperands() > 3)
    return false;
  const auto *parent = llvm::dyn_cast_or_null<llvm::MDNode>(type.getOperand(1));
  llvm::StringRef name = parent != nullptr ? name_of(*parent) : llvm::StringRef();
  return name == "omnipotent char" || name.starts_with("Simple ") || name.starts_with("any p") || name.empty();
}

/// A small type repeats up to the next field, or padding comes before that: its last elements may be either.
void add_elements(BasicType type, std::int64_t offset, std::int64_t next, const llvm::DataLayout &layout,
                  llvm::SmallVectorImpl<TaggedField> &fields) {
  constexpr std::int64_t widest_alignment = 8;
  const auto element = static_cast<std::int64_t>(byte_size(type, layout));
  const std::int64_t doubtful = std::max(offset + element, next - (widest_alignment - 1) / element * element);
  fields.push_back({offset, type, static_cast<std::uint64_t>(std::min(doubtful, next) - offset)});
  if (doubtful < next)
    fields.push_back({doubtful, type, static_cast<std::uint64_t>(next - doubtful), true});
}

/// A type node is (name, parent, offset) for a scalar or (name, field type, offset, field type, offset, ...) for a
/// struct. An array is told by its element alone: elements repeat up to the next field.
void collect(const llvm::MDNode &type, std::int64_t offset, std::optional<std::int64_t> next, unsigned depth,
             const llvm::DataLayout &layout, llvm::SmallVectorImpl<TaggedField> &fields) {
  if (depth == 0 || fields.size() > field_limit || type.getNumOperands() < 2)
    return;
  BasicType scalar = type_of_name(name_of(type), type.getContext());
  if (scalar.kind != ByteKind::unknown) {
    if (next)
      add_elements(scalar, offset, *next, layout, fields);
    else
      fields.push_back({offset, scalar});
    return;
  }
  if (is_scalar_node(type)) {
    // Enumerations have names of their own and no fields; characters may be anything.
    if (name_of(type).starts_with("_ZTS"))
      fields.push_back({offset, integer_type(), 0});
    return;
  }
  for (unsigned index = 1; index + 1 < type.getNumOperands(); index += 2) {
    const auto *field = llvm::dyn_cast_or_null<llvm::MDNode>(type.getOperand(index));
    if (field == nullptr)
      continue;
    std::optional<std::int64_t> end =
        index + 3 < type.getNumOperands() ? std::optional(offset + integer_operand(type, index + 3)) : std::nullopt;
    std::int64_t begin = offset + integer_operand(type, index + 1);
    if (end && *end <= begin)
      continue; // Members of a union.
    collect(*field, begin, is_scalar_node(*field) ? end : std::nullopt, depth - 1, layout, fields);
  }
}

void collect_pieces(const llvm::MDNode &pieces, std::optional<std::uint64_t> copied,
                    llvm::SmallVectorImpl<TaggedField> &fields) {
  std::int64_t covered = 0;
  auto fill_padding = [&](std::int64_t until) {
    std::int64_t begin = (covered + 3) / 4 * 4;
    if (begin < until)
      fields.push_back({begin, integer_type(), static_cast<std::uint64_t>(until - begin)});
  };
  for (unsigned index = 0; index + 2 < pieces.getNumOperands(); index += 3) {
    std::int64_t offset = integer_operand(pieces, index), size = integer_operand(pieces, index + 1);
    fill_padding(offset);
    covered = offset + size;
    const auto *tag = llvm::dyn_cast_or_null<llvm::MDNode>(pieces.getOperand(index + 2));
    const auto *type = tag != nullptr && tag->getNumOperands() >= 2
                           ? llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(1))
                           : nullptr;
    if (type == nullptr)
      continue;
    BasicType scalar = type_of_name(name_of(*type), type->getContext());
    if (scalar.kind != ByteKind::unknown)
      fields.push_back({offset, scalar, static_cast<std::uint64_t>(size)});
  }
  if (copied)
    fill_padding(static_cast<std::int64_t>(*copied));
}

} // namespace

BasicType tagged_type(const llvm::Instruction &access) {
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto *type =
      tag != nullptr && tag->getNumOperands() >= 3 ? llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(1)) : nullptr;
  return type != nullptr ? type_of_name(name_of(*type), access.getContext()) : BasicType{};
}

llvm::SmallVector<TaggedField, 8> fields_of_tag(const llvm::Instruction &access, std::optional<std::uint64_t> copied) {
  llvm::SmallVector<TaggedField, 8> fields;
  if (!type_options().strict_aliasing)
    return fields;
  if (const llvm::MDNode *pieces = access.getMetadata(llvm::LLVMContext::MD_tbaa_struct))
    collect_pieces(*pieces, copied, fields);
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3)
    return fields;
  const auto *base = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(0));
  if (base != nullptr)
    collect(*base, -integer_operand(*tag, 2), std::nullopt, type_options().depth, access.getDataLayout(), fields);
  return fields;
}

bool is_declared_integer(const llvm::Instruction &access) {
  return llvm::any_of(fields_of_tag(access), [](const TaggedField &field) {
    return field.offset == 0 && field.type.kind == ByteKind::integer;
  });
}

} // namespace assay::engine
