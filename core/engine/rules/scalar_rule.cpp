// Finding the rule of an instruction: spelling -> entry of the table -> check that the types are those the entry speaks
// of. The needs of a partial are read off its expression, the very one that is emitted.

#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/rules/dialect.hpp"
#include "core/engine/rules/expression_emitter.hpp"
#include "core/engine/rules/reduction.hpp"
#include "core/engine/rules/rule_table.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

static StringRef library_name(const Instruction &instruction, const FunctionInfo &function_info) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isIntrinsic())
    return "";
  // The device's library comes with bodies, unlike libm.
  if (callee->getName().starts_with(device_library_prefix))
    return callee->getName();
  // The parts of complex functions that `prepare` named: assay.complex.NAME.PART.TYPE.
  if (StringRef name = callee->getName(); name.starts_with("assay.complex.") && name.consume_front("assay."))
    return name.rsplit('.').first;
  if (callee->getName().starts_with("assay.linear."))
    return "assay.linear";
  return function_info.library_name(*callee);
}

static Value *operand_of(const Instruction &instruction, unsigned index) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return call->getArgOperand(index);
  return instruction.getOperand(index);
}

/// Operands that can be values: the metadata at the end of constrained intrinsics does not count.
static unsigned value_operands(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  unsigned count = call ? call->arg_size() : instruction.getNumOperands();
  while (isa<ConstrainedFPIntrinsic>(instruction) && call->getArgOperand(count - 1)->getType()->isMetadataTy())
    --count;
  return count;
}

static bool operand_matches(OperandKind kind, const Type *operand, const Instruction &instruction) {
  switch (kind) {
  case OperandKind::floating:
    return operand == instruction.getType() || operand->isFPOrFPVectorTy();
  case OperandKind::integer:
    return operand->isIntOrIntVectorTy();
  case OperandKind::ignored:
    return true;
  }
  llvm_unreachable("unknown kind of operand");
}

/// Only conversions and reductions have floating-point operands of another type than the result.
static bool has_uniform_type(const RuleEntry &entry, const Instruction &instruction) {
  if (entry.shape != Shape::elementwise)
    return isa<FixedVectorType>(operand_of(instruction, 1)->getType());
  for (auto [index, kind] : enumerate(entry.operands))
    if (kind == OperandKind::floating && entry.partials[index] && !is_constant(*entry.partials[index], "1") &&
        operand_of(instruction, index)->getType() != instruction.getType())
      return false;
  return true;
}

static bool matches(const RuleEntry &entry, const Instruction &instruction) {
  if (!instruction.getType()->isFPOrFPVectorTy() || value_operands(instruction) != entry.operands.size())
    return false;
  for (auto [index, kind] : enumerate(entry.operands))
    if (!operand_matches(kind, operand_of(instruction, index)->getType(), instruction))
      return false;
  return has_uniform_type(entry, instruction);
}

/// pow with an exponent whose predecessor is 0, 1, 2, -1 or 0.5: cheap without the result.
static bool has_simple_exponent(const Instruction &instruction) {
  const auto *exponent = dyn_cast<Constant>(operand_of(instruction, 1));
  if (exponent && exponent->getType()->isVectorTy())
    exponent = exponent->getSplatValue();
  const auto *number = dyn_cast_or_null<ConstantFP>(exponent);
  return number &&
         any_of(ArrayRef({0.0, 1.0, 1.5, 2.0, 3.0}), [&](double simple) { return number->isExactlyValue(simple); });
}

std::optional<ScalarRule> ScalarRule::find(const Instruction &instruction, const FunctionInfo &function_info) {
  const Spelling spelling = spelling_of(instruction, library_name(instruction, function_info));
  const RuleTable &table = function_info.test_hooks().rules ? *function_info.test_hooks().rules : RuleTable::get();
  const RuleEntry *entry = table.find(spelling.name);
  if (!entry || !matches(*entry, instruction))
    return std::nullopt;
  if (spelling.name == "pow" && has_simple_exponent(instruction))
    entry = table.find("pow.simple");
  ScalarRule rule;
  rule.instruction_ = &instruction;
  rule.entry_ = entry;
  rule.dialect_ = spelling.dialect;
  return rule;
}

unsigned ScalarRule::operand_count() const {
  return entry_->operands.size();
}

Value *ScalarRule::operand(unsigned index) const {
  return operand_of(*instruction_, index);
}

bool ScalarRule::has_partial(unsigned index) const {
  return entry_->shape != Shape::elementwise || entry_->partials[index] != nullptr;
}

bool ScalarRule::is_expensive() const {
  return entry_->cost == Cost::expensive;
}

static void collect_needs(const Node &node, PartialNeeds &needs) {
  if (node.kind == NodeKind::operand)
    needs.operands.set(node.index);
  if (node.kind == NodeKind::result)
    needs.result = true;
  for (const NodePointer &child : node.children)
    collect_needs(*child, needs);
}

PartialNeeds ScalarRule::needs(unsigned index) const {
  PartialNeeds needs;
  needs.operands.resize(operand_count());
  if (entry_->shape == Shape::product_reduction) {
    needs.operands.set(1);
    if (index == 1)
      needs.operands.set(0);
  } else if (entry_->shape == Shape::elementwise && entry_->partials[index]) {
    collect_needs(*entry_->partials[index], needs);
  }
  return needs;
}

/// The emitted code belongs to the primal's source line, where the emitter has not said otherwise.
static void carry_debug_location(IRBuilderBase &builder, const Instruction &instruction) {
  const DebugLoc &location = instruction.getDebugLoc();
  if (!location || builder.getCurrentDebugLocation())
    return;
  const DISubprogram *subprogram = builder.GetInsertBlock()->getParent()->getSubprogram();
  if (!subprogram || location->getInlinedAtScope()->getSubprogram() == subprogram)
    builder.SetCurrentDebugLocation(location);
}

static bool is_finite_rule(const RuleEntry &entry, unsigned index) {
  return entry.shape == Shape::elementwise ? is_finite_factor(*entry.partials[index])
                                           : entry.shape == Shape::sum_reduction;
}

/// A product that is looked at for NaN may be one.
static FastMathFlags flags_of_products(const Instruction &instruction, ZeroTimesInfinity zeros) {
  FastMathFlags flags = instruction.getFastMathFlags();
  if (zeros != ZeroTimesInfinity::undefined) {
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
  }
  return flags;
}

bool ScalarRule::takes_packed_seeds() const {
  if (entry_->shape != Shape::elementwise || instruction_->getType()->isVectorTy())
    return false;
  return all_of(entry_->partials, [](const auto &partial) { return !partial || !mentions_seed(*partial); });
}

Value *ScalarRule::emit_product(IRBuilderBase &builder, unsigned index, ArrayRef<Value *> operands, Value *result,
                                Value *seed, ZeroTimesInfinity zeros) const {
  return emit_products(builder, index, operands, result, {seed}, zeros).front();
}

SmallVector<Value *, 4> ScalarRule::emit_products(IRBuilderBase &builder, unsigned index, ArrayRef<Value *> operands,
                                                  Value *result, ArrayRef<Value *> seeds,
                                                  ZeroTimesInfinity zeros) const {
  IRBuilderBase::InsertPointGuard position(builder);
  IRBuilderBase::FastMathFlagGuard flags(builder);
  carry_debug_location(builder, *instruction_);
  if (!has_partial(index))
    return SmallVector<Value *, 4>(seeds.size(), Constant::getNullValue(operand(index)->getType()));
  if (zeros == ZeroTimesInfinity::undefined && entry_->has_vertical_tangent)
    zeros = ZeroTimesInfinity::zero_for_zero_seeds;
  if (isa<FPMathOperator>(instruction_))
    builder.setFastMathFlags(flags_of_products(*instruction_, zeros));

  const bool guard_zero = zeros != ZeroTimesInfinity::undefined && !is_finite_rule(*entry_, index);
  SmallVector<Value *, 4> products;
  if (entry_->shape != Shape::elementwise) {
    auto *vector = cast<FixedVectorType>(operand(1)->getType());
    for (Value *seed : seeds)
      products.push_back(emit_reduction_product(builder, entry_->shape, index, operands, vector, seed));
  } else {
    ExpressionEmitter emitter(builder, dialect_, {instruction_->getType(), operands, result}, zeros);
    products = emitter.products(*entry_->partials[index], seeds);
  }
  for (auto [product, seed] : zip(products, seeds)) {
    if (guard_zero && seed->getType() == product->getType())
      product = zero_times_infinity_is_zero(builder, *seed, *product);
    if (entry_->shape != Shape::elementwise)
      continue;
    if (seed->getType()->isVectorTy() && !instruction_->getType()->isVectorTy())
      product = builder.CreateFPCast(product, seed->getType()->getWithNewType(instruction_->getType()));
    else
      product = builder.CreateFPCast(product, seed->getType() == instruction_->getType() ? operand(index)->getType()
                                                                                         : instruction_->getType());
  }
  return products;
}

} // namespace assay::engine
