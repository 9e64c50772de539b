#include "core/engine/rules/expression_emitter.hpp"

using namespace llvm;

namespace assay::engine {

bool is_finite_factor(const Node &factor) {
  switch (factor.kind) {
  case NodeKind::constant:
  case NodeKind::unmultiplied:
    return true;
  case NodeKind::select:
    return is_finite_factor(*factor.children[1]) && is_finite_factor(*factor.children[2]);
  case NodeKind::negate:
    return is_finite_factor(*factor.children[0]);
  default:
    return mentions_seed(factor);
  }
}

Value *zero_times_infinity_is_zero(IRBuilderBase &builder, Value &factor, Value &product) {
  IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  Value *is_zero = builder.CreateFCmpOEQ(&factor, Constant::getNullValue(factor.getType()));
  Value *is_undefined = builder.CreateFCmpUNO(&product, &product);
  Value *guarded = builder.CreateSelect(builder.CreateAnd(is_zero, is_undefined),
                                        Constant::getNullValue(product.getType()), &product);
  if (auto *select = dyn_cast<SelectInst>(guarded))
    select->setMetadata(zero_guard, MDNode::get(builder.getContext(), {}));
  return guarded;
}

static bool is_reciprocal(const Node &node) {
  return node.kind == NodeKind::divide && node.children[0]->kind == NodeKind::constant;
}

SmallVector<Value *, 4> ExpressionEmitter::products(const Node &factor, ArrayRef<Value *> seeds) {
  is_alone_ = seeds.size() == 1 && seeds.front()->getType() == primal_.type;
  SmallVector<Value *, 4> results;
  for (Value *seed : seeds) {
    seed_ = seed;
    for (auto place = emitted_.begin(); place != emitted_.end(); ++place)
      if (mentions_seed(*place->first))
        emitted_.erase(place);
    results.push_back(product(factor));
  }
  return results;
}

Value *ExpressionEmitter::product(const Node &factor) {
  if (factor.kind == NodeKind::unmultiplied)
    return like_seed(value(*factor.children[0]));
  if (mentions_seed(factor))
    return value(factor);
  if (is_constant(factor, "0"))
    return like_seed(Constant::getNullValue(primal_.type));
  if (is_constant(factor, "1"))
    return seed_;
  if (is_constant(factor, "-1"))
    return builder_.CreateFNeg(seed_);
  if (factor.kind == NodeKind::negate)
    return builder_.CreateFNeg(product(*factor.children[0]));
  if (factor.kind == NodeKind::select) {
    Value *yes = product(*factor.children[1]);
    return emit_select(*factor.children[0], yes, product(*factor.children[2]));
  }
  if (is_alone_ && is_reciprocal(factor)) {
    Value *numerator = product(*factor.children[0]);
    return divide_by_reciprocal(numerator, value(*factor.children[1]));
  }
  // The seed comes first: the quotient of a large result by a small divisor may overflow where the seed is zero. The
  // quotient of the seed by the divisor is the adjoint of the dividend as well.
  if ((is_alone_ || zeros_ != ZeroTimesInfinity::zero) && factor.kind == NodeKind::multiply &&
      is_reciprocal(*factor.children[0])) {
    Value *quotient = product(*factor.children[0]);
    return builder_.CreateFMul(quotient, like_seed(value(*factor.children[1])));
  }
  return times_seed(factor);
}

Value *ExpressionEmitter::times_seed(const Node &factor) {
  Value *multiplier = like_seed(value(factor));
  Value *product = builder_.CreateFMul(seed_, multiplier);
  if (zeros_ != ZeroTimesInfinity::zero || factor.kind == NodeKind::constant)
    return product;
  return zero_times_infinity_is_zero(builder_, *multiplier, *product);
}

/// A seed may be several tangents of one number.
Value *ExpressionEmitter::like_seed(Value *number) {
  auto *seeds = dyn_cast<VectorType>(seed_->getType());
  return seeds && !primal_.type->isVectorTy() ? builder_.CreateVectorSplat(seeds->getElementCount(), number) : number;
}

Value *ExpressionEmitter::value(const Node &node) {
  if (Value *known = emitted_.lookup(&node))
    return known;
  Value *emitted = emit(node);
  emitted_[&node] = emitted;
  return emitted;
}

Value *ExpressionEmitter::emit(const Node &node) {
  switch (node.kind) {
  case NodeKind::constant:
    return constant(node.text);
  case NodeKind::dominance:
    return dominance();
  case NodeKind::operand:
    assert(primal_.operands[node.index] && "an operand that needs() asks for is missing");
    return primal_.operands[node.index];
  case NodeKind::result:
    assert(primal_.result && "the result, which needs() asks for, is missing");
    return primal_.result;
  case NodeKind::seed:
    return seed_;
  case NodeKind::unmultiplied:
    llvm_unreachable("a value that is not multiplied can only be selected");
  case NodeKind::negate:
    return builder_.CreateFNeg(value(*node.children[0]));
  case NodeKind::add:
  case NodeKind::subtract:
  case NodeKind::multiply:
  case NodeKind::divide:
    return emit_binary(node);
  case NodeKind::compare:
    return emit_compare(node);
  case NodeKind::both: {
    Value *first = value(*node.children[0]);
    return builder_.CreateAnd(first, value(*node.children[1]));
  }
  case NodeKind::select: {
    Value *yes = value(*node.children[1]);
    return emit_select(*node.children[0], yes, value(*node.children[2]));
  }
  case NodeKind::to_float:
    return emit_to_float(node);
  case NodeKind::offset: {
    Value *base = value(*node.children[0]);
    return builder_.CreateAdd(base, ConstantInt::getSigned(base->getType(), node.index));
  }
  case NodeKind::call:
    return emit_function(node);
  }
  llvm_unreachable("unknown kind of node");
}

Value *ExpressionEmitter::emit_binary(const Node &node) {
  Value *left = value(*node.children[0]);
  Value *right = value(*node.children[1]);
  switch (node.kind) {
  case NodeKind::add:
    return builder_.CreateFAdd(left, right);
  case NodeKind::subtract:
    return builder_.CreateFSub(left, right);
  case NodeKind::multiply:
    return builder_.CreateFMul(left, right);
  default:
    return is_reciprocal(node) ? divide_by_reciprocal(left, right) : builder_.CreateFDiv(left, right);
  }
}

/// Several of one denominator may share the division. Other quotients may not: the reciprocal of a subnormal number is
/// infinite, where the quotient of two of them is a number like any other.
Value *ExpressionEmitter::divide_by_reciprocal(Value *numerator, Value *denominator) {
  Value *quotient = builder_.CreateFDiv(numerator, denominator);
  if (auto *operation = dyn_cast<Instruction>(quotient))
    operation->setHasAllowReciprocal(true);
  return quotient;
}

/// Without the flags of the primal: the operand that is not selected may well be infinite or NaN, and the comparison
/// asks.
Value *ExpressionEmitter::emit_select(const Node &condition, Value *yes, Value *no) {
  Value *decided = value(condition);
  IRBuilderBase::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();
  return builder_.CreateSelect(decided, yes, no);
}

Value *ExpressionEmitter::emit_compare(const Node &node) {
  Value *left = value(*node.children[0]);
  Value *right = value(*node.children[1]);
  IRBuilderBase::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();
  return builder_.CreateFCmp(node.predicate, left, right);
}

Value *ExpressionEmitter::emit_to_float(const Node &node) {
  Value *integer = value(*node.children[0]);
  auto *vector = dyn_cast<VectorType>(primal_.type);
  if (!vector || integer->getType()->isVectorTy())
    return builder_.CreateSIToFP(integer, primal_.type);
  return builder_.CreateVectorSplat(vector->getElementCount(),
                                    builder_.CreateSIToFP(integer, vector->getElementType()));
}

Value *ExpressionEmitter::emit_function(const Node &node) {
  SmallVector<Value *, 3> arguments;
  for (const NodePointer &child : node.children)
    arguments.push_back(value(*child));
  return emit_call(builder_, dialect_, node.text, primal_.type, arguments);
}

Constant *ExpressionEmitter::constant(StringRef decimal) const {
  return ConstantFP::get(primal_.type, APFloat(primal_.type->getScalarType()->getFltSemantics(), decimal));
}

Constant *ExpressionEmitter::dominance() const {
  const fltSemantics &semantics = primal_.type->getScalarType()->getFltSemantics();
  const int exponent = static_cast<int>(APFloat::semanticsPrecision(semantics) + 2) / 2;
  const APFloat power = scalbn(APFloat::getOne(semantics), exponent, APFloat::rmNearestTiesToEven);
  return ConstantFP::get(primal_.type, power);
}

} // namespace assay::engine
