#include "core/engine/analysis/address_arithmetic.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/pointer_carriers.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {
namespace {

constexpr unsigned flag_bits = 3;     ///< Which are zero in the addresses of words.
constexpr unsigned address_bits = 47; ///< Above them programs keep flags as well.
constexpr std::int64_t address_bytes = 8, half_address = 4;

/// True of bits that no address of an object of the program's makes use of.
bool are_flags(const llvm::APInt &bits) {
  return !bits.intersects(llvm::APInt::getBitsSet(bits.getBitWidth(), flag_bits, address_bits));
}

/// What is added: whole words, and flags. Half a word may be either.
OffsetSet words_of(std::int64_t added) {
  const std::int64_t flags = added % address_bytes;
  return {added - flags, flags == half_address || flags == -half_address ? std::uint64_t{half_address} : 0};
}

/// What an integer that is added moves an address by.
OffsetSet added_words(const llvm::Value &added, const llvm::DataLayout &layout) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&added))
    return words_of(constant->getSExtValue());
  if (are_flags(llvm::computeKnownBits(&added, layout).getMaxValue()))
    return {};
  return integer_values(added);
}

using Edges = std::vector<llvm::SmallVector<PlaceId, 2>>;

llvm::BitVector reach(const Edges &edges, llvm::ArrayRef<PlaceId> starts) {
  llvm::BitVector reached(static_cast<unsigned>(edges.size()));
  llvm::SmallVector<PlaceId, 64> pending(starts);
  while (!pending.empty()) {
    const PlaceId place = pending.pop_back_val();
    if (reached.test(place))
      continue;
    reached.set(place);
    pending.append(edges[place].begin(), edges[place].end());
  }
  return reached;
}

const llvm::BinaryOperator &operation_of(const FramedValue &value) {
  return *llvm::cast<llvm::BinaryOperator>(value.second);
}

bool is_shift(const FramedValue &operation) {
  return operation_of(operation).isShift();
}

/// True for what makes a word of an address that nothing but an address is kept as.
bool keeps_address(const FramedValue &operation) {
  return !operation_of(operation).isShift();
}

bool is_difference(const FramedValue &operation) {
  return operation_of(operation).getOpcode() == llvm::Instruction::Sub;
}

/// True where flags of an address are set or cleared, or a constant is added.
bool moves_by_constant(const llvm::BinaryOperator &operation) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  if (constant == nullptr)
    return false;
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return true;
  case llvm::Instruction::And:
    return are_flags(~constant->getValue());
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return are_flags(constant->getValue());
  default:
    return false;
  }
}

const llvm::Value &without_constants(const llvm::Value &word) {
  const llvm::Value *origin = &word;
  for (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(origin);
       operation != nullptr && moves_by_constant(*operation); operation = llvm::dyn_cast<llvm::BinaryOperator>(origin))
    origin = operation->getOperand(0);
  return *origin;
}

/// True of how far apart two words are that constants make of one: as far as those made of its shadow. Derivatives move
/// shadows by such distances (emit/address_shadows.hpp).
bool is_distance(const llvm::BinaryOperator &operation) {
  return operation.getOpcode() == llvm::Instruction::Sub &&
         &without_constants(*operation.getOperand(0)) == &without_constants(*operation.getOperand(1));
}

} // namespace

bool may_be_address_arithmetic(const llvm::Value &value) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr || !operation->getType()->isIntegerTy(pointer_bytes * 8) || takes_low_bits(*operation) ||
      is_distance(*operation))
    return false;
  return may_keep_address(*operation) ||
         (operation->isShift() && llvm::isa<llvm::ConstantInt>(operation->getOperand(1)));
}

bool computes_with_addresses(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    if (llvm::isa<llvm::IntToPtrInst>(instruction))
      return true;
    return may_be_address_arithmetic(instruction) && instruction.getOpcode() != llvm::Instruction::Sub &&
           llvm::any_of(instruction.operands(), [](const llvm::Use &operand) {
             return llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst>(operand);
           });
  });
}

OffsetSet address_shift(const llvm::BinaryOperator &operation, unsigned index, const llvm::DataLayout &layout) {
  const llvm::Value &other = *operation.getOperand(1 - index);
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&other);
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return added_words(other, layout);
  case llvm::Instruction::Sub: {
    const OffsetSet subtracted = added_words(other, layout);
    return {-subtracted.base, subtracted.stride};
  }
  case llvm::Instruction::And:
    return constant == nullptr || are_flags(~constant->getValue()) ? OffsetSet{} : OffsetSet::anywhere();
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return constant == nullptr || are_flags(constant->getValue()) ? OffsetSet{} : OffsetSet::anywhere();
  default:
    return {};
  }
}

void AddressArithmetic::add(FramedValue operation, PlaceId result, OptionalPlace left, OptionalPlace right) {
  operations_.push_back({operation, result, {left, right}});
}

/// Places whose content may get to an inttoptr.
llvm::BitVector AddressArithmetic::sources(const MemoryGraph &graph) const {
  Edges backward(graph.place_count());
  graph.for_each_flow([&](PlaceId from, PlaceId to) { backward[to].push_back(from); });
  for (const Operation &operation : operations_)
    for (const OptionalPlace &operand : operation.operands)
      if (operand)
        backward[operation.result].push_back(*operand);
  return reach(backward, uses_);
}

/// What is shared, and all memory that is reached from there.
std::vector<PlaceId> AddressArithmetic::shared_places(const MemoryGraph &graph) const {
  std::vector<PlaceId> found = shared_;
  llvm::DenseSet<NodeId> seen;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const NodeId node = graph.node(found[next]);
    if (!seen.insert(node).second)
      continue;
    for (const auto &[key, slot] : graph[node].slots)
      found.push_back(slot.place);
  }
  return found;
}

/// Places whose content somebody else may read, as it is.
llvm::BitVector AddressArithmetic::kept_by_others(const MemoryGraph &graph) const {
  Edges backward(graph.place_count());
  graph.for_each_flow([&](PlaceId from, PlaceId to) { backward[to].push_back(from); });
  return reach(backward, shared_places(graph));
}

/// Places that may hold a pointer, or what is computed from one. The distance of two pointers is none.
llvm::BitVector AddressArithmetic::reached_pointers(const MemoryGraph &graph) const {
  Edges forward(graph.place_count());
  graph.for_each_flow([&](PlaceId from, PlaceId to) { forward[from].push_back(to); });
  for (const Operation &operation : operations_)
    for (const OptionalPlace &operand : operation.operands)
      if (operand && !is_difference(operation.value))
        forward[*operand].push_back(operation.result);
  const llvm::BitVector without_differences = reach(forward, pointers_);
  for (const Operation &operation : operations_)
    if (const auto [left, right] = operation.operands;
        is_difference(operation.value) && left && !(right && without_differences.test(*right)))
      forward[*left].push_back(operation.result);
  return reach(forward, pointers_);
}

/// Places that may hold what others put there, as it is.
llvm::BitVector AddressArithmetic::foreign_words(const MemoryGraph &graph) const {
  Edges forward(graph.place_count());
  graph.for_each_flow([&](PlaceId from, PlaceId to) { forward[from].push_back(to); });
  return reach(forward, shared_places(graph));
}

bool AddressArithmetic::resolve(MemoryGraph &graph) {
  if (operations_.empty())
    return false;
  const llvm::BitVector wanted = sources(graph), kept = kept_by_others(graph);
  const llvm::BitVector pointers = reached_pointers(graph), foreign = foreign_words(graph);
  bool changed = false;
  for (Operation &operation : operations_) {
    const auto holds = [&](const llvm::BitVector &set, unsigned index) {
      return operation.operands[index] && set.test(*operation.operands[index]);
    };
    const bool is_of_pointers = holds(pointers, 0) || holds(pointers, 1);
    const bool is_wanted = wanted.test(operation.result) ||
                           (is_of_pointers && kept.test(operation.result) && keeps_address(operation.value));
    if (!is_wanted || (!is_of_pointers && is_shift(operation.value)))
      continue;
    for (unsigned index = 0; index < 2; ++index) {
      if (operation.flows[index] || !holds(is_of_pointers ? pointers : foreign, index))
        continue;
      operation.flows[index] = changed = true;
      found_[operation.value] = operation.flows;
      graph.add_flow(*operation.operands[index], operation.result,
                     address_shift(operation_of(operation.value), index, layout_));
    }
  }
  return changed;
}

} // namespace assay::engine
