#include "core/jit/struct_members.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/jit/callables.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DerivedTypes.h"

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;
using engine::without_qualifiers;

bool is_pointer(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_pointer_type;
}

bool is_array(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_array_type;
}

bool has_encoding(const llvm::DIType &type, unsigned encoding) {
  const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(&type);
  return basic && basic->getEncoding() == encoding;
}

bool is_complex(const llvm::DIType &type) {
  return has_encoding(type, dwarf::DW_ATE_complex_float);
}

bool is_real(const llvm::DIType &type) {
  const bool is_usual =
      has_encoding(type, dwarf::DW_ATE_float) && (type.getSizeInBits() == 32 || type.getSizeInBits() == 64);
  return is_usual || half_in(&type);
}

bool is_same_real(const llvm::DIType &left, const llvm::DIType &right) {
  return left.getSizeInBits() == right.getSizeInBits() && is_brain_float(left) == is_brain_float(right);
}

bool is_enumeration(const llvm::DIType &type) {
  return type.getTag() == dwarf::DW_TAG_enumeration_type;
}

bool is_number(const llvm::DIType &type) {
  const bool is_integer = llvm::isa<llvm::DIBasicType>(type) && !has_encoding(type, dwarf::DW_ATE_float) &&
                          !is_complex(type) && type.getSizeInBits() <= 64;
  return is_real(type) || is_integer || is_enumeration(type);
}

bool add_members(const llvm::DICompositeType &structure, const std::string &name, std::uint64_t offset,
                 Members &members);

/// Two numbers, of which debug information has no type of their own.
void add_parts(const llvm::DIType &complex, const std::string &name, std::uint64_t offset, Members &members) {
  const std::uint64_t bytes = complex.getSizeInBits() / 16;
  llvm::DIType *part =
      llvm::DIBasicType::get(complex.getContext(), dwarf::DW_TAG_base_type, bytes == sizeof(float) ? "float" : "double",
                             8 * bytes, 0, dwarf::DW_ATE_float, llvm::DINode::FlagZero);
  members.push_back({name + ".real", part, offset, bytes});
  members.push_back({name + ".imag", part, offset + bytes, bytes});
}

/// Of an array of structs that hold numbers of several types, or pointers: each is taken apart.
bool add_elements(const llvm::DICompositeType &array, const std::string &name, std::uint64_t offset, Members &members);

/// False for members of other kinds.
bool add_member(const llvm::DIType *source, const std::string &name, std::uint64_t offset, Members &members) {
  const llvm::DIType *type = without_qualifiers(source);
  if (!type)
    return false;
  const std::uint64_t bytes = type->getSizeInBits() / 8;
  if (is_number(*type) || is_pointer(*type)) {
    members.push_back({name, source, offset, bytes});
    return true;
  }
  if (is_complex(*type) && (bytes == 2 * sizeof(float) || bytes == 2 * sizeof(double))) {
    add_parts(*type, name, offset, members);
    return true;
  }
  const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (!composite)
    return false;
  if (!is_array(*type))
    return add_members(*composite, name, offset, members);
  const llvm::DIType *element = without_qualifiers(composite->getBaseType());
  if (!element || is_pointer(*element) || element->getSizeInBits() == 0)
    return false;
  if (llvm::isa<llvm::DICompositeType>(element) && !is_enumeration(*element) && !uniform_numbers(*element))
    return add_elements(*composite, name, offset, members);
  members.push_back({name, source, offset, bytes, true});
  return true;
}

bool add_elements(const llvm::DICompositeType &array, const std::string &name, std::uint64_t offset, Members &members) {
  constexpr std::uint64_t most_elements = 16;
  const auto &element = *llvm::cast<llvm::DICompositeType>(without_qualifiers(array.getBaseType()));
  const std::uint64_t bytes = element.getSizeInBits() / 8, count = array.getSizeInBits() / element.getSizeInBits();
  if (count > most_elements)
    return false;
  for (std::uint64_t index = 0; index < count; ++index)
    if (!add_member(&element, name + "[" + std::to_string(index) + "]", offset + index * bytes, members))
      return false;
  return true;
}

bool add_members(const llvm::DICompositeType &structure, const std::string &name, std::uint64_t offset,
                 Members &members) {
  if (structure.getTag() == dwarf::DW_TAG_union_type || structure.isForwardDecl())
    return false;
  for (const llvm::DIDerivedType *member : members_of(structure)) {
    if (member->isBitField() || member->isVirtual())
      return false;
    const std::string path = member->getName().empty() ? name : name + "." + member->getName().str();
    if (!add_member(member->getBaseType(), path, offset + member->getOffsetInBits() / 8, members))
      return false;
  }
  return true;
}

/// Of a member: an array's are those of its elements.
bool adds_numbers(const Member &member, const llvm::DIType *&common) {
  const llvm::DIType *type = without_qualifiers(member.type);
  if (member.is_array)
    type = without_qualifiers(llvm::cast<llvm::DICompositeType>(type)->getBaseType());
  if (const auto *structure = llvm::dyn_cast<llvm::DICompositeType>(type); structure && !half_in(type)) {
    Members inner;
    return add_member(structure, "", 0, inner) &&
           llvm::all_of(inner, [&](const Member &each) { return adds_numbers(each, common); });
  }
  if (!is_real(*type) || (common && !is_same_real(*common, *type)))
    return false;
  common = type;
  return true;
}

} // namespace

std::vector<const llvm::DIDerivedType *> members_of(const llvm::DICompositeType &structure) {
  std::vector<const llvm::DIDerivedType *> members;
  for (const llvm::DINode *element : structure.getElements())
    if (const auto *member = llvm::dyn_cast<llvm::DIDerivedType>(element);
        member && !member->isStaticMember() &&
        (member->getTag() == dwarf::DW_TAG_member || member->getTag() == dwarf::DW_TAG_inheritance))
      members.push_back(member);
  return members;
}

const llvm::DIType *half_in(const llvm::DIType *source) {
  constexpr std::uint64_t bits = 16;
  const llvm::DIType *type = without_qualifiers(source);
  if (!type || type->getSizeInBits() != bits)
    return nullptr;
  const bool is_of_cuda =
      llvm::isa<llvm::DICompositeType>(type) && (type->getName() == "__half" || type->getName() == "__nv_bfloat16");
  return is_of_cuda || has_encoding(*type, dwarf::DW_ATE_float) ? type : nullptr;
}

bool is_brain_float(const llvm::DIType &half) {
  return half.getName() == "__nv_bfloat16" || half.getName() == "__bf16";
}

bool is_of_c(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getUnit())
    return false;
  const llvm::DISourceLanguageName name = subprogram->getUnit()->getSourceLanguage();
  return dwarf::isC(static_cast<dwarf::SourceLanguage>(name.getUnversionedName()));
}

bool is_structure(const llvm::DIType *source) {
  const llvm::DIType *type = without_qualifiers(source);
  return type && ((llvm::isa<llvm::DICompositeType>(type) && !is_enumeration(*type)) || is_complex(*type));
}

const llvm::DIType *target_of(const llvm::DIType *pointer) {
  const llvm::DIType *type = without_qualifiers(pointer);
  return type && is_pointer(*type) ? without_qualifiers(llvm::cast<llvm::DIDerivedType>(type)->getBaseType()) : nullptr;
}

bool is_pointer_to_numbers(const llvm::DIType &type) {
  const llvm::DIType *number = target_of(&type);
  return number && is_number(*number);
}

bool is_pointer_to_const(const llvm::DIType &type) {
  const auto *pointer = llvm::dyn_cast<llvm::DIDerivedType>(without_qualifiers(&type));
  const llvm::DIType *target = pointer ? pointer->getBaseType() : nullptr;
  return target && target->getTag() == dwarf::DW_TAG_const_type;
}

bool is_real_number(const llvm::DIType &type) {
  return is_real(*without_qualifiers(&type));
}

std::uint64_t size_of_type(const llvm::DIType &type) {
  return without_qualifiers(&type)->getSizeInBits() / 8;
}

std::optional<Members> members_of_struct(const llvm::DIType &type, const std::string &name) {
  Members members;
  return add_member(&type, name, 0, members) ? std::optional(std::move(members)) : std::nullopt;
}

llvm::Type *type_of_member(const Member &member, llvm::LLVMContext &context) {
  const llvm::DIType &type = *without_qualifiers(member.type);
  if (is_pointer_to_function(type)) // A place among the parameters, which nothing reads.
    return llvm::Type::getInt32Ty(context);
  if (member.is_array || is_pointer(type))
    return llvm::PointerType::getUnqual(context);
  if (!is_real(type))
    return llvm::IntegerType::get(context, static_cast<unsigned>(8 * member.bytes));
  if (half_in(&type))
    return is_brain_float(type) ? llvm::Type::getBFloatTy(context) : llvm::Type::getHalfTy(context);
  return member.bytes == sizeof(float) ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

std::optional<UniformNumbers> uniform_numbers(const llvm::DIType &type) {
  const std::optional<Members> members = members_of_struct(type, "");
  UniformNumbers numbers;
  const auto adds = [&](const Member &member) { return adds_numbers(member, numbers.type); };
  if (!members || members->empty() || !llvm::all_of(*members, adds))
    return std::nullopt;
  numbers.count = size_of_type(type) / size_of_type(*numbers.type);
  return numbers;
}

} // namespace assay::jit
