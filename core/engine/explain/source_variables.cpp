#include "core/engine/explain/source_variables.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_reserved(StringRef name) {
  return name.starts_with("_");
}

/// Members whose names are reserved are only shown at the end of a path.
std::string joined(StringRef outer, std::string inner) {
  return outer.empty() || is_reserved(outer) ? inner : outer.str() + "." + inner;
}

} // namespace

const DIType *without_qualifiers(const DIType *type) {
  while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag != dwarf::DW_TAG_typedef && tag != dwarf::DW_TAG_const_type && tag != dwarf::DW_TAG_volatile_type &&
        tag != dwarf::DW_TAG_restrict_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

std::optional<SourceMember> member_at(const DIType *type, std::uint64_t bits) {
  const auto *structure = dyn_cast_or_null<DICompositeType>(without_qualifiers(type));
  if (!structure || structure->getTag() == dwarf::DW_TAG_array_type)
    return std::nullopt;
  for (const DINode *element : structure->getElements()) {
    const auto *member = dyn_cast_or_null<DIDerivedType>(element);
    if (!member || member->isStaticMember() ||
        (member->getTag() != dwarf::DW_TAG_member && member->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    const std::uint64_t begin = member->getOffsetInBits();
    const DIType *inner_type = without_qualifiers(member->getBaseType());
    const std::uint64_t size = inner_type ? inner_type->getSizeInBits() : 0;
    if (bits != begin && (bits < begin || bits >= begin + size))
      continue;
    const StringRef name = member->getTag() == dwarf::DW_TAG_member ? member->getName() : StringRef();
    if (std::optional<SourceMember> inner = member_at(inner_type, bits - begin))
      return SourceMember{joined(name, std::move(inner->path)), inner->type};
    if (bits == begin && !name.empty())
      return SourceMember{name.str(), member->getBaseType()};
  }
  return std::nullopt;
}

std::optional<SourceVariables::Variable> SourceVariables::variable_of(const DbgVariableRecord &record) {
  const DILocalVariable *source = record.getVariable();
  Variable variable{source->getName().str(), source->getType(), 0};
  if (variable.name.empty())
    return std::nullopt;
  const DIExpression *expression = record.getExpression();
  const std::optional<DIExpression::FragmentInfo> fragment = expression->getFragmentInfo();
  constexpr unsigned elements_of_fragment = 3;
  if (expression->getNumElements() != (fragment ? elements_of_fragment : 0))
    return std::nullopt;
  variable.rank = (is_reserved(variable.name) || source->isArtificial() ? 4 : 0) +
                  (record.getDebugLoc().getInlinedAt() ? 2 : 0) + (fragment ? 1 : 0);
  if (!fragment)
    return variable;
  const std::optional<SourceMember> member = member_at(source->getType(), fragment->OffsetInBits);
  if (!member)
    return std::nullopt;
  variable.name += "." + member->path;
  variable.type = member->type;
  return variable;
}

SourceVariables::SourceVariables(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    for (const DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
      const Value *value = record.getNumVariableLocationOps() == 1 ? record.getVariableLocationOp(0) : nullptr;
      if (!value || isa<Constant>(value))
        continue;
      std::optional<Variable> variable = variable_of(record);
      if (!variable)
        continue;
      const auto [known, is_new] = variables_.try_emplace(value, *variable);
      if (!is_new && variable->rank < known->second.rank)
        known->second = std::move(*variable);
    }
}

std::string SourceVariables::name(const Value &value) const {
  if (const auto known = variables_.find(&value); known != variables_.end())
    return known->second.name;
  return isa<Argument, AllocaInst, GlobalVariable>(value) ? value.getName().str() : std::string();
}

const DIType *SourceVariables::type(const Value &value) const {
  const auto known = variables_.find(&value);
  return known == variables_.end() || isa<AllocaInst>(value) ? nullptr : known->second.type;
}

} // namespace assay::engine
