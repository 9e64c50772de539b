#include "core/jit/integer_constants.hpp"

#include "core/jit/registered_rules.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <optional>
#include <set>

namespace assay::jit {

namespace {

constexpr std::int64_t least = 2, most = std::int64_t{1} << 20U;

class Collector {
public:
  void read(const llvm::Function &start) {
    llvm::SmallVector<const llvm::Function *, 16> pending{&start};
    while (!pending.empty()) {
      const llvm::Function *function = pending.pop_back_val();
      if (!seen_.insert(function).second)
        continue;
      for (const llvm::Instruction &instruction : llvm::instructions(*function)) {
        read(instruction);
        for (const llvm::Value *operand : instruction.operands())
          if (const auto *callee = llvm::dyn_cast<llvm::Function>(operand))
            pending.push_back(callee);
      }
    }
  }

  std::vector<std::int64_t> found() const { return {found_.begin(), found_.end()}; }

private:
  void add(std::int64_t number) {
    if (number >= least && number <= most)
      found_.insert(number);
  }

  void add_power_of_two(std::int64_t exponent) {
    if (exponent > 0 && exponent < 20)
      add(std::int64_t{1} << static_cast<unsigned>(exponent));
  }

  static std::optional<std::int64_t> constant(const llvm::Value *value) {
    const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value);
    return number && number->getValue().isSignedIntN(64) ? std::optional(number->getSExtValue()) : std::nullopt;
  }

  void add_array(const llvm::Type *type) {
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      add(static_cast<std::int64_t>(array->getNumElements()));
  }

  void read(const llvm::Instruction &instruction) {
    read_memory(instruction);
    if (const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      for (const llvm::Value *operand : comparison->operands())
        add(constant(operand).value_or(0));
    } else if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      for (const auto &one : choice->cases())
        add(constant(one.getCaseValue()).value_or(0));
    } else if (const auto *narrowed = llvm::dyn_cast<llvm::TruncInst>(&instruction)) {
      add_power_of_two(narrowed->getType()->getScalarSizeInBits());
    } else if (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      if (const std::optional<std::int64_t> number = constant(operation->getOperand(1)))
        read(operation->getOpcode(), *number);
    }
  }

  void read(llvm::Instruction::BinaryOps operation, std::int64_t number) {
    switch (operation) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return add(number);
    case llvm::Instruction::And: // A mask, from below or from above.
      add(number + 1);
      return add(-number);
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return add_power_of_two(number);
    default:
      break;
    }
  }

  void read_memory(const llvm::Instruction &instruction) {
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      add_array(local->getAllocatedType());
    for (const llvm::Value *operand : instruction.operands())
      if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(operand->stripInBoundsOffsets()))
        add_array(variable->getValueType());
  }

  llvm::DenseSet<const llvm::Function *> seen_;
  std::set<std::int64_t> found_;
};

} // namespace

std::vector<std::int64_t> integer_constants_of_rules(const llvm::Module &module, std::string_view checked) {
  Collector collector;
  for (const RegisteredRule &rule : registered_rules(module, checked))
    for (const std::string &part : rule.is_reached ? rule.part_symbols : std::vector<std::string>())
      if (const llvm::Function *function = module.getFunction(part))
        collector.read(*function);
  return collector.found();
}

} // namespace assay::jit
