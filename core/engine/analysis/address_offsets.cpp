#include "core/engine/analysis/address_offsets.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned index_depth = 6;

using Indices = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;

std::uint64_t magnitude(std::int64_t number) {
  return static_cast<std::uint64_t>(number < 0 ? -number : number);
}

/// Every product of an element of `set` and `factor`.
OffsetSet scaled(OffsetSet set, std::int64_t factor) {
  return {set.base * factor, set.stride * magnitude(factor)};
}

/// The start of an induction variable and what each step adds.
struct Induction {
  const llvm::Value *start;
  std::int64_t increment;
};

std::optional<Induction> induction(const llvm::PHINode &phi) {
  if (phi.getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned step = 0; step < 2; ++step) {
    const auto *next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(step));
    if (next == nullptr || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != &phi)
      continue;
    const auto *increment = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
    if (increment != nullptr && increment->getBitWidth() <= 64)
      return Induction{phi.getIncomingValue(1 - step), increment->getSExtValue()};
  }
  return std::nullopt;
}

OffsetSet index_values(const llvm::Value &index, unsigned depth);

/// What any of the values can be; no offset at all is nothing new.
template <class Values>
OffsetSet any_of_values(const Values &values, unsigned depth) {
  constexpr unsigned most_values = 4;
  std::optional<OffsetSet> joined;
  for (const llvm::Value *value : values) {
    const OffsetSet found = index_values(*value, depth);
    joined = joined ? joined->join(found) : found;
  }
  return joined && llvm::range_size(values) <= most_values ? *joined : OffsetSet::anywhere();
}

/// What the operation itself tells of the values that it can have.
OffsetSet values_of_operation(const llvm::Value &index, unsigned depth) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&index))
    return constant->getBitWidth() <= 64 ? OffsetSet{constant->getSExtValue(), 0} : OffsetSet::anywhere();
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&index);
  if (operation == nullptr || depth == 0)
    return OffsetSet::anywhere();
  const auto operand = [&](unsigned number) { return index_values(*operation->getOperand(number), depth - 1); };
  const auto times = [&](const llvm::APInt &factor) {
    return factor.getSignificantBits() > 32 ? OffsetSet::anywhere() : scaled(operand(0), factor.getSExtValue());
  };
  const auto *constant =
      operation->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1)) : nullptr;
  switch (operation->getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
    return operand(0);
  case llvm::Instruction::Add:
    return operand(0).plus(operand(1));
  case llvm::Instruction::Sub:
    return operand(0).plus(scaled(operand(1), -1));
  case llvm::Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint() ? operand(0).plus(operand(1))
                                                                           : OffsetSet::anywhere();
  case llvm::Instruction::Mul:
    return constant != nullptr ? times(constant->getValue()) : OffsetSet::anywhere();
  case llvm::Instruction::Shl:
    if (constant == nullptr || constant->getValue().uge(30))
      return OffsetSet::anywhere();
    return times(llvm::APInt(64, std::uint64_t{1} << constant->getZExtValue()));
  case llvm::Instruction::PHI:
    if (auto variable = induction(llvm::cast<llvm::PHINode>(*operation)))
      return index_values(*variable->start, depth - 1).plus({0, magnitude(variable->increment)});
    return any_of_values(llvm::cast<llvm::PHINode>(operation)->incoming_values(), depth - 1);
  case llvm::Instruction::Select:
    return operand(1).join(operand(2));
  default:
    return OffsetSet::anywhere();
  }
}

/// The values that an index can take, as base + k * stride.
OffsetSet index_values(const llvm::Value &index, unsigned depth) {
  const OffsetSet values = values_of_operation(index, depth);
  const std::uint64_t divisor = exact_divisor(index);
  return values.stride == 0 || values.stride >= divisor ? values : OffsetSet{0, divisor};
}

/// `offset` plus `index * scale`, where the latter is the distance in bytes between two pointers.
std::optional<PointerDifference> pointer_difference(const llvm::Value &index, std::uint64_t scale,
                                                    std::int64_t offset) {
  const llvm::Value *bytes = &index;
  if (scale != 1) {
    const auto *division = llvm::dyn_cast<llvm::PossiblyExactOperator>(&index);
    const auto *divisor = division != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(division->getOperand(1)) : nullptr;
    if (divisor == nullptr || !division->isExact())
      return std::nullopt;
    bool is_shift =
        division->getOpcode() == llvm::Instruction::AShr || division->getOpcode() == llvm::Instruction::LShr;
    std::uint64_t by = is_shift ? std::uint64_t{1} << (divisor->getZExtValue() % 64) : divisor->getZExtValue();
    if (by != scale)
      return std::nullopt;
    bytes = division->getOperand(0);
  }
  const auto *difference = llvm::dyn_cast<llvm::BinaryOperator>(bytes);
  if (difference == nullptr || difference->getOpcode() != llvm::Instruction::Sub)
    return std::nullopt;
  auto is_address = [](const llvm::Value *value) { return llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst>(value); };
  if (!is_address(difference->getOperand(0)) || !is_address(difference->getOperand(1)))
    return std::nullopt;
  return PointerDifference{llvm::cast<llvm::User>(difference->getOperand(0))->getOperand(0),
                           llvm::cast<llvm::User>(difference->getOperand(1))->getOperand(0), offset};
}

/// The constants of which `number` is one, if it is chosen among a few.
llvm::SmallVector<std::int64_t, 4> chosen_constants(const llvm::Value &number) {
  const auto *operation = llvm::dyn_cast<llvm::Instruction>(&number);
  if (operation == nullptr)
    return {};
  if (operation->getNumOperands() == 1 && operation->getOperand(0)->getType()->isIntegerTy(1)) {
    if (llvm::isa<llvm::ZExtInst>(operation))
      return {0, 1};
    return llvm::isa<llvm::SExtInst>(operation) ? llvm::SmallVector<std::int64_t, 4>{0, -1}
                                                : llvm::SmallVector<std::int64_t, 4>();
  }
  if (!llvm::isa<llvm::SelectInst, llvm::PHINode>(operation))
    return {};
  constexpr unsigned most_constants = 4;
  const unsigned first = llvm::isa<llvm::SelectInst>(operation) ? 1 : 0; // behind the condition
  llvm::SmallVector<std::int64_t, 4> found;
  for (const llvm::Use &choice : llvm::drop_begin(operation->operands(), first)) {
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(choice.get());
    if (constant == nullptr || constant->getBitWidth() > 64)
      return {};
    if (!llvm::is_contained(found, constant->getSExtValue()))
      found.push_back(constant->getSExtValue());
  }
  return found.size() <= most_constants ? found : llvm::SmallVector<std::int64_t, 4>();
}

} // namespace

OffsetSet integer_values(const llvm::Value &integer) {
  return index_values(integer, index_depth);
}

std::uint64_t exact_divisor(const llvm::Value &number) {
  std::uint64_t divisor = 0;
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(number))
    return divisor;
  for (const llvm::User *user : number.users()) {
    const auto *division = llvm::dyn_cast<llvm::PossiblyExactOperator>(user);
    if (division == nullptr || !division->isExact() || division->getOperand(0) != &number)
      continue;
    const auto *by = llvm::dyn_cast<llvm::ConstantInt>(division->getOperand(1));
    const bool is_division =
        division->getOpcode() == llvm::Instruction::SDiv || division->getOpcode() == llvm::Instruction::UDiv;
    if (by == nullptr || by->getBitWidth() > 64 || (!is_division && by->getZExtValue() >= 63))
      continue;
    divisor = std::gcd(divisor, is_division ? magnitude(by->getSExtValue()) : std::uint64_t{1} << by->getZExtValue());
  }
  return divisor;
}

namespace {

/// True when what is shifted left by so many bits becomes a multiple of `size`.
bool is_power_multiple(const llvm::Value &bits, std::uint64_t size) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&bits);
  return constant != nullptr && constant->getValue().ult(64) &&
         (std::uint64_t{1} << constant->getZExtValue()) % size == 0;
}

bool is_multiple(const llvm::Value &number, std::uint64_t size, unsigned depth) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&number))
    return constant->getZExtValue() % size == 0;
  if (const std::uint64_t divisor = exact_divisor(number); divisor != 0 && divisor % size == 0)
    return true;
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&number);
  if (operation == nullptr || depth == 0)
    return false;
  const auto operand = [&](unsigned index) { return is_multiple(*operation->getOperand(index), size, depth - 1); };
  switch (operation->getOpcode()) {
  case llvm::Instruction::Mul:
    return operand(0) || operand(1);
  case llvm::Instruction::Shl:
    return operand(0) || is_power_multiple(*operation->getOperand(1), size);
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return operand(0) && operand(1);
  case llvm::Instruction::Select:
    return operand(1) && operand(2);
  case llvm::Instruction::PHI:
    return llvm::all_of(operation->operands(),
                        [&](const llvm::Use &value) { return is_multiple(*value, size, depth - 1); });
  default:
    return false;
  }
}

} // namespace

bool is_multiple(const llvm::Value &number, std::uint64_t size) {
  constexpr unsigned operations = 4;
  return is_multiple(number, size, operations);
}

OffsetSet gep_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout) {
  Indices variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  if (!gep.collectOffset(layout, constant.getBitWidth(), variables, constant))
    return OffsetSet::anywhere();
  OffsetSet total{constant.getSExtValue(), 0};
  for (auto &[index, scale] : variables)
    total = total.plus(scaled(index_values(*index, index_depth), scale.getSExtValue()));
  return total;
}

std::optional<PointerDifference> gep_difference(const llvm::GEPOperator &gep, const llvm::DataLayout &layout) {
  Indices variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  if (!gep.collectOffset(layout, constant.getBitWidth(), variables, constant) || variables.size() != 1)
    return std::nullopt;
  auto &[index, scale] = *variables.begin();
  return pointer_difference(*index, scale.getZExtValue(), constant.getSExtValue());
}

llvm::SmallVector<std::int64_t, 4> chosen_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout) {
  Indices variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  if (!gep.collectOffset(layout, constant.getBitWidth(), variables, constant) || variables.size() != 1)
    return {};
  auto &[index, scale] = *variables.begin();
  llvm::SmallVector<std::int64_t, 4> offsets = chosen_constants(*index);
  for (std::int64_t &offset : offsets)
    offset = constant.getSExtValue() + offset * scale.getSExtValue();
  return offsets;
}

llvm::SmallVector<const llvm::Value *, 4> chosen_fields(const llvm::Value &pointer) {
  constexpr unsigned most_fields = 4;
  const auto *choice = llvm::dyn_cast<llvm::Instruction>(&pointer);
  if (choice == nullptr || !llvm::isa<llvm::SelectInst, llvm::PHINode>(choice) ||
      choice->getNumOperands() > most_fields)
    return {};
  const unsigned first = llvm::isa<llvm::SelectInst>(choice) ? 1 : 0; // behind the condition
  llvm::SmallVector<const llvm::Value *, 4> fields(llvm::drop_begin(choice->operand_values(), first));
  const auto object_of = [&](const llvm::Value *field) -> const llvm::Value * {
    const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(field);
    return gep != nullptr && gep->hasAllConstantIndices() && gep->getPointerOperand() != choice
               ? gep->getPointerOperand()
               : nullptr;
  };
  const auto is_field = [&](const llvm::Value *field) {
    const auto begins_with = [&](const llvm::Value *other) { return object_of(other) == field; }; // the first member
    return object_of(field) != nullptr || llvm::any_of(fields, begins_with);
  };
  return llvm::all_of(fields, is_field) ? fields : llvm::SmallVector<const llvm::Value *, 4>();
}

std::int64_t field_offset(const llvm::DataLayout &layout, llvm::Type *aggregate, llvm::ArrayRef<unsigned> path) {
  std::int64_t offset = 0;
  for (unsigned index : path) {
    if (auto *record = llvm::dyn_cast<llvm::StructType>(aggregate)) {
      offset += static_cast<std::int64_t>(layout.getStructLayout(record)->getElementOffset(index).getFixedValue());
      aggregate = record->getElementType(index);
    } else {
      aggregate = llvm::cast<llvm::ArrayType>(aggregate)->getElementType();
      offset += static_cast<std::int64_t>(index * layout.getTypeAllocSize(aggregate).getFixedValue());
    }
  }
  return offset;
}

} // namespace assay::engine
