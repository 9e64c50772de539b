#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/request/diagnostics.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral linear_name = "assay.linear.", bits_name = "assay.bits.";
constexpr unsigned deepest = 24;

/// How an integer grows with the bits of a float.
struct Slope {
  Value *factor; ///< Of the type of the result.
  unsigned top;  ///< Where the highest bit of the mantissa is.
};
/// By float.
struct Slopes {
  MapVector<Value *, Slope> by_float;
  bool depends = false; ///< On the bits of any float, if only on those of its exponent.
};

enum class Unknown : std::uint8_t { leave, refuse }; ///< What is done with bits that cannot be followed.
enum class Root : std::uint8_t { bits, number };     ///< How an integer becomes a float.

bool has_plain_bits(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isDoubleTy() || scalar->isFloatTy() || scalar->isHalfTy() || scalar->isBFloatTy();
}

unsigned mantissa_bits(const Type *type) {
  return type->getScalarType()->getFPMantissaWidth() - 1;
}

bool is_elementwise(const Type *one, const Type *other) {
  return one->getScalarSizeInBits() == other->getScalarSizeInBits() && one->isVectorTy() == other->isVectorTy();
}

BitCastInst *as_bits_of_float(Value *value) {
  auto *cast = dyn_cast<BitCastInst>(value);
  return cast && has_plain_bits(cast->getSrcTy()) && is_elementwise(cast->getType(), cast->getSrcTy()) &&
                 !isa<Constant>(cast->getOperand(0))
             ? cast
             : nullptr;
}

/// False for what moves bytes from one place to another.
bool is_arithmetic(const Instruction &operation) {
  const APInt *constant = nullptr;
  const bool is_constant =
      isa<BinaryOperator>(operation) && PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(constant));
  switch (operation.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
    return !is_constant || constant->urem(16) != 0;
  case Instruction::And:
    return !is_constant || !constant->isShiftedMask() || constant->popcount() % 16 != 0;
  case Instruction::Or:
  case Instruction::Xor:
    return is_constant;
  default:
    return isa<BinaryOperator>(operation);
  }
}

bool is_reordering(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained({Intrinsic::bswap, Intrinsic::bitreverse, Intrinsic::fshl, Intrinsic::fshr},
                              call->getIntrinsicID());
}

/// Follows the integers that a float is made of back to the floats that they come from.
class Trace {
public:
  Trace(IRBuilder<> &builder, Type *type) : builder_(builder), type_(type) {}

  /// Nothing where an operation is not linear.
  std::optional<Slopes> of(Value *value, unsigned depth = deepest) {
    if (auto known = known_.find(value); known != known_.end())
      return known->second;
    std::optional<Slopes> slopes = find(value, depth);
    known_.insert({value, slopes});
    return slopes;
  }

  /// False where bits were only moved.
  bool has_arithmetic() const { return arithmetic_; }

private:
  Value *constant(double number) { return ConstantFP::get(type_, number); }

  std::optional<Slopes> find(Value *value, unsigned depth) {
    if (BitCastInst *bits = as_bits_of_float(value)) {
      Slopes own;
      own.by_float.insert({bits->getOperand(0), {constant(1), mantissa_bits(bits->getSrcTy()) - 1}});
      own.depends = true;
      return own;
    }
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !instruction->getType()->isIntOrIntVectorTy() || depth == 0)
      return Slopes{};
    arithmetic_ |= is_arithmetic(*instruction);
    switch (instruction->getOpcode()) {
    case Instruction::Add:
      return combined(*instruction, 1, depth);
    case Instruction::Sub:
      return combined(*instruction, -1, depth);
    case Instruction::Mul:
      return multiplied(*instruction, depth);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shifted(*instruction, depth);
    case Instruction::And:
      return masked(*instruction, depth);
    case Instruction::Or:
    case Instruction::Xor:
      return merged(*instruction, depth);
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
      return of(instruction->getOperand(0), depth - 1);
    case Instruction::Trunc:
      return truncated(*instruction, depth);
    case Instruction::Select:
      return selected(*cast<SelectInst>(instruction), depth);
    case Instruction::Call:
      return reordered(*instruction, depth);
    default:
      return Slopes{};
    }
  }

  /// Bits in another order are no linear function of the number.
  std::optional<Slopes> reordered(Instruction &call, unsigned depth) {
    if (!is_reordering(call))
      return Slopes{};
    arithmetic_ = true;
    for (Value *operand : call.operand_values())
      if (const std::optional<Slopes> slopes = of(operand, depth - 1); !slopes || slopes->depends)
        return std::nullopt;
    return Slopes{};
  }

  Value *sum(Value *one, Value *other, double sign) {
    return sign > 0 ? builder_.CreateFAdd(one, other) : builder_.CreateFSub(one, other);
  }

  std::optional<Slopes> combined(Instruction &operation, double sign, unsigned depth) {
    std::optional<Slopes> first = of(operation.getOperand(0), depth - 1);
    std::optional<Slopes> second = of(operation.getOperand(1), depth - 1);
    if (!first || !second)
      return std::nullopt;
    first->depends |= second->depends;
    for (auto &[source, slope] : second->by_float) {
      auto [place, fresh] = first->by_float.insert({source, {constant(0), slope.top}});
      if (place->second.top != slope.top)
        return std::nullopt;
      place->second.factor = sum(place->second.factor, slope.factor, sign);
    }
    return first;
  }

  std::optional<Slopes> multiplied(Instruction &operation, unsigned depth) {
    std::optional<Slopes> first = of(operation.getOperand(0), depth - 1);
    std::optional<Slopes> second = of(operation.getOperand(1), depth - 1);
    if (first && second && !first->depends && !second->depends)
      return first;
    const APInt *factor = nullptr;
    if (!first || !PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(factor)))
      return std::nullopt;
    return scaled(*first, factor->signedRoundToDouble());
  }

  std::optional<Slopes> scaled(Slopes slopes, double factor) {
    for (auto &[source, slope] : slopes.by_float)
      slope.factor = builder_.CreateFMul(slope.factor, constant(factor));
    return slopes;
  }

  /// The amount of a shift in one direction; what is shifted by a variable amount has no place to be followed to.
  std::optional<Slopes> shifted(Instruction &operation, unsigned depth) {
    std::optional<Slopes> slopes = of(operation.getOperand(0), depth - 1);
    if (!slopes || !slopes->depends)
      return slopes;
    const APInt *amount = nullptr;
    const unsigned width = operation.getType()->getScalarSizeInBits();
    if (!PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(amount)) || amount->uge(width))
      return std::nullopt;
    const bool left = operation.getOpcode() == Instruction::Shl;
    const auto distance = static_cast<int>(amount->getZExtValue());
    Slopes moved;
    moved.depends = true;
    for (auto &[source, slope] : slopes->by_float) {
      const int top = static_cast<int>(slope.top) + (left ? distance : -distance);
      if (top >= 0 && top < static_cast<int>(width))
        moved.by_float.insert({source, {slope.factor, static_cast<unsigned>(top)}});
    }
    return scaled(moved, std::ldexp(1.0, left ? distance : -distance));
  }

  std::optional<Slopes> truncated(Instruction &operation, unsigned depth) {
    std::optional<Slopes> slopes = of(operation.getOperand(0), depth - 1);
    if (slopes)
      slopes->by_float.remove_if(
          [&](auto &entry) { return entry.second.top >= operation.getType()->getScalarSizeInBits(); });
    return slopes;
  }

  KnownBits bits_of(Value *value) { return computeKnownBits(value, builder_.GetInsertBlock()->getDataLayout()); }

  /// x & m: the mantissa stays where the mask has its highest bit, and goes where it lacks it.
  std::optional<Slopes> masked(Instruction &operation, unsigned depth) {
    Slopes result;
    for (unsigned side : {0u, 1u}) {
      std::optional<Slopes> slopes = of(operation.getOperand(side), depth - 1);
      if (!slopes)
        return std::nullopt;
      const KnownBits mask = slopes->by_float.empty() ? KnownBits() : bits_of(operation.getOperand(1 - side));
      result.depends |= slopes->depends;
      for (auto &[source, slope] : slopes->by_float) {
        if (mask.Zero[slope.top])
          continue;
        if (!mask.One[slope.top] || !result.by_float.insert({source, slope}).second)
          return std::nullopt;
      }
    }
    return result;
  }

  /// x | m and x ^ m: a sum where m is known to be zero; a difference where ^ turns all bits over.
  std::optional<Slopes> merged(Instruction &operation, unsigned depth) {
    Slopes result;
    for (unsigned side : {0u, 1u}) {
      std::optional<Slopes> slopes = of(operation.getOperand(side), depth - 1);
      if (!slopes)
        return std::nullopt;
      const KnownBits mask = slopes->by_float.empty() ? KnownBits() : bits_of(operation.getOperand(1 - side));
      result.depends |= slopes->depends;
      for (auto &[source, slope] : slopes->by_float) {
        Value *factor = slope.factor;
        if (mask.One[slope.top] && operation.getOpcode() == Instruction::Or)
          continue;
        if (mask.One[slope.top])
          factor = builder_.CreateFNeg(factor);
        else if (!mask.Zero[slope.top])
          return std::nullopt;
        auto [place, fresh] = result.by_float.insert({source, {factor, slope.top}});
        if (!fresh && place->second.top != slope.top)
          return std::nullopt;
        if (!fresh)
          place->second.factor = builder_.CreateFAdd(place->second.factor, factor);
      }
    }
    return result;
  }

  std::optional<Slopes> selected(SelectInst &select, unsigned depth) {
    std::optional<Slopes> chosen = of(select.getTrueValue(), depth - 1);
    std::optional<Slopes> other = of(select.getFalseValue(), depth - 1);
    if (!chosen || !other)
      return std::nullopt;
    chosen->depends |= other->depends;
    if (chosen->depends && select.getCondition()->getType()->isVectorTy() && !type_->isVectorTy())
      return std::nullopt;
    for (auto &[source, slope] : other->by_float)
      chosen->by_float.insert({source, {constant(0), slope.top}});
    for (auto &[source, slope] : chosen->by_float) {
      auto *found = other->by_float.find(source);
      if (found != other->by_float.end() && found->second.top != slope.top)
        return std::nullopt;
      Value *otherwise = found != other->by_float.end() ? found->second.factor : constant(0);
      slope.factor = builder_.CreateSelect(select.getCondition(), slope.factor, otherwise);
    }
    return chosen;
  }

  bool arithmetic_ = false;
  IRBuilder<> &builder_;
  Type *type_;
  DenseMap<Value *, std::optional<Slopes>> known_;
};

void make_pure(Function &function) {
  function.setDoesNotAccessMemory();
  function.setWillReturn();
  function.addFnAttr(Attribute::NoInline);
}

Function *helper(Module &module, StringRef prefix, Type *result, ArrayRef<Type *> parameters) {
  std::string name = prefix.str();
  raw_string_ostream out(name);
  for (Type *parameter : parameters)
    out << *parameter << '.';
  out << *result;
  return own_function(module, name, FunctionType::get(result, parameters, false), [&](Function &function) {
    make_pure(function);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateRet(builder.CreateBitCast(function.getArg(0), result));
  });
}

/// A float without its mantissa, as a number of type `type`.
Value *without_mantissa(IRBuilder<> &builder, Value *number, Type *type) {
  Type *own = number->getType();
  const unsigned width = own->getScalarSizeInBits();
  Type *integer = own->getWithNewType(builder.getIntNTy(width));
  const APInt mask = APInt::getHighBitsSet(width, width - mantissa_bits(own));
  Value *bits = builder.CreateAnd(builder.CreateBitCast(number, integer), ConstantInt::get(integer, mask));
  return builder.CreateFPCast(builder.CreateBitCast(bits, own), type);
}

/// d result / d source, where the integer behind the result has the slope `factor` by the bits of the source.
Value *derivative(IRBuilder<> &builder, Value *factor, Value *result, Value *source, Root kind) {
  Type *type = result->getType();
  Value *unit = without_mantissa(builder, source, type);
  Value *height = kind == Root::number ? ConstantFP::get(type, 1) : without_mantissa(builder, result, type);
  const int exponent = static_cast<int>(mantissa_bits(source->getType())) -
                       (kind == Root::number ? 0 : static_cast<int>(mantissa_bits(type)));
  Value *ratio = builder.CreateFDiv(builder.CreateFMul(factor, height), unit);
  if (exponent != 0)
    ratio = builder.CreateFMul(ratio, ConstantFP::get(type, std::ldexp(1.0, exponent)));
  Value *zero = Constant::getNullValue(type);
  return builder.CreateSelect(builder.CreateFCmpOEQ(unit, zero), zero, ratio);
}

/// `plain` as calls of assay.linear, one for each float that it depends on.
Value *with_derivatives(IRBuilder<> &builder, Value *plain, const Slopes &slopes, Root kind) {
  Type *type = plain->getType();
  Module &module = *builder.GetInsertBlock()->getModule();
  Value *result = plain;
  for (auto &[source, slope] : slopes.by_float) {
    const auto *known = dyn_cast<Constant>(slope.factor);
    if (known && known->isNullValue())
      continue;
    Value *by_source = derivative(builder, slope.factor, plain, source, kind);
    Value *number = builder.CreateFPCast(source, type);
    result = builder.CreateCall(helper(module, linear_name, type, {type, type, type}), {result, by_source, number});
  }
  return result;
}

/// The call in a chain of assay.linear that takes `root` itself.
const User *first_call(Value *chain, const Instruction &root) {
  while (auto *call = dyn_cast<CallInst>(chain)) {
    if (call->getArgOperand(0) == &root)
      return call;
    if (!call->getCalledFunction()->getName().starts_with(linear_name))
      return nullptr;
    chain = call->getArgOperand(0);
  }
  return nullptr;
}

/// The floats whose bits an integer is computed from.
SmallVector<Value *, 4> floats_behind(Value &integer) {
  SmallSetVector<Value *, 16> pending;
  SmallVector<Value *, 4> found;
  pending.insert(&integer);
  for (std::size_t next = 0; next < pending.size() && next < 64; ++next) {
    auto *instruction = dyn_cast<Instruction>(pending[next]);
    if (BitCastInst *bits = as_bits_of_float(pending[next]))
      found.push_back(bits->getOperand(0));
    else if (instruction && instruction->getType()->isIntOrIntVectorTy() &&
             (isa<BinaryOperator, CastInst, SelectInst, FreezeInst>(instruction) || is_reordering(*instruction)))
      pending.insert_range(instruction->operand_values());
  }
  return found;
}

/// A call that stops the differentiation where the float carries a derivative.
bool refuse(Instruction &root) {
  IRBuilder<> builder(&root);
  SmallVector<Value *, 4> arguments{root.getOperand(0)};
  arguments.append(floats_behind(*root.getOperand(0)));
  SmallVector<Type *, 4> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  Function *opaque = helper(*root.getModule(), opaque_bits_name, root.getType(), types);
  root.replaceAllUsesWith(builder.CreateCall(opaque, arguments));
  return true;
}

/// No float's bits are in it: what is read as an integer of few bits was told apart from floats before.
bool has_no_float(Value &integer) {
  SmallSetVector<Value *, 16> pending;
  pending.insert(&integer);
  for (std::size_t next = 0; next < pending.size(); ++next) {
    Value *value = pending[next];
    auto *instruction = dyn_cast<Instruction>(value);
    if (isa<Constant>(value) || value->getType()->isIntegerTy(1) || isa<FPToSIInst, FPToUIInst>(value))
      continue;
    if (isa<PHINode, SelectInst, ZExtInst, SExtInst, TruncInst, FreezeInst, BinaryOperator>(value))
      pending.insert_range(instruction->operand_values());
    else if (!isa<Argument, LoadInst, CallBase>(value) || value->getType()->getScalarSizeInBits() > 32 || next == 64)
      return false;
  }
  return true;
}

/// A part of a number's bits; with the first ones it is a number of nearly the same size.
struct KeptBits {
  Value *number = nullptr;
  APInt mask;
  bool is_most = false;
};

std::optional<KeptBits> kept_bits(Value *integer, const Type *type) {
  using namespace PatternMatch;
  Value *number = nullptr;
  const APInt *mask = nullptr;
  if (!match(integer, m_And(m_BitCast(m_Value(number)), m_APInt(mask))) || number->getType() != type)
    return std::nullopt;
  const unsigned width = mask->getBitWidth(), most = width - mantissa_bits(type) + 1;
  const bool is_most = mask->countl_one() >= most;
  const bool is_least = !(*mask)[mantissa_bits(type) - 1];
  return is_most || is_least ? std::optional(KeptBits{number, *mask, is_most}) : std::nullopt;
}

/// What stands in the place that `kept` leaves free: bits of another number, an integer, or nothing.
std::optional<KeptBits> beside(const KeptBits &kept, Value *integer, const Type *type) {
  using namespace PatternMatch;
  Value *number = nullptr;
  if (match(integer, m_BitCast(m_Value(number))) && number->getType() == type)
    return KeptBits{number, ~kept.mask, !kept.is_most}; // all its other bits are zero
  return kept_bits(integer, type);
}

/// An integer of a union writes over a part of the double that was there, and the whole is moved as a double:
/// (x & mask) | integer. As a number it still grows with x where it keeps the mantissa's highest bit.
bool rewrite_written_over(Instruction &root, Unknown unknown) {
  using namespace PatternMatch;
  Type *type = root.getType();
  Value *integer = root.getOperand(0), *left = integer, *right = nullptr;
  if (match(integer, m_DisjointOr(m_Value(left), m_Value(right))) && !kept_bits(left, type))
    std::swap(left, right);
  const std::optional<KeptBits> kept = kept_bits(left, type);
  if (!kept)
    return false;
  const std::optional<KeptBits> other = right ? beside(*kept, right, type) : std::nullopt;
  const bool is_said = right && isa<Constant>(right); // no bits of a float that is cut
  if ((!is_said && unknown == Unknown::leave) || (right && !other && !has_no_float(*right)))
    return false;
  IRBuilder<> builder(&root);
  Module &module = *root.getModule();
  Value *result = builder.CreateCall(helper(module, bits_name, type, {integer->getType()}), {integer});
  for (const std::optional<KeptBits> &part : {kept, other})
    if (part && part->is_most)
      result = builder.CreateCall(helper(module, linear_name, type, {type, type, type}),
                                  {result, ConstantFP::get(type, 1), part->number});
  root.replaceAllUsesWith(result);
  return true;
}

/// `root` makes a float of an integer: a bitcast, or a conversion of the number.
bool rewrite(Instruction &root, Unknown unknown) {
  Type *type = root.getType();
  const Root kind = isa<BitCastInst>(root) ? Root::bits : Root::number;
  Value *integer = root.getOperand(0);
  if (!isa<Instruction>(integer) || (kind == Root::bits && as_bits_of_float(integer)))
    return false;
  if (kind == Root::bits && rewrite_written_over(root, unknown))
    return true;
  IRBuilder<> builder(&root);
  Trace trace(builder, type);
  const std::optional<Slopes> slopes = trace.of(integer);
  if (kind == Root::bits && !trace.has_arithmetic())
    return false;
  if (slopes && (kind == Root::number ? slopes->by_float.empty() : !slopes->depends))
    return false;
  if (!slopes)
    return kind == Root::bits && unknown == Unknown::refuse && refuse(root);
  const DebugLoc place = root.getDebugLoc();
  builder.SetInsertPoint(root.getNextNode());
  builder.SetCurrentDebugLocation(place);
  Module &module = *root.getModule();
  Value *plain = &root;
  if (kind == Root::bits)
    plain = builder.CreateCall(helper(module, bits_name, type, {integer->getType()}), {integer});
  Value *result = with_derivatives(builder, plain, *slopes, kind);
  if (result == &root)
    return false;
  root.replaceUsesWithIf(result, [&](const Use &use) { return use.getUser() != first_call(result, root); });
  return true;
}

bool is_rewritten(const Instruction &root) {
  return any_of(root.users(), [](const User *user) {
    const auto *call = dyn_cast<CallInst>(user);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(linear_name);
  });
}

bool makes_float(const Instruction &instruction) {
  if (instruction.use_empty() || !has_plain_bits(instruction.getType()) || is_rewritten(instruction))
    return false;
  if (isa<SIToFPInst, UIToFPInst>(instruction))
    return true;
  return isa<BitCastInst>(instruction) && instruction.getOperand(0)->getType()->isIntOrIntVectorTy() &&
         is_elementwise(instruction.getType(), instruction.getOperand(0)->getType());
}

bool rewrite_all(Function &function, Unknown unknown) {
  SmallVector<Instruction *, 8> roots;
  for (Instruction &instruction : instructions(function))
    if (makes_float(instruction))
      roots.push_back(&instruction);
  bool changed = false;
  for (Instruction *root : roots)
    changed |= rewrite(*root, unknown);
  return changed;
}

} // namespace

bool rewrite_float_bits(Function &function) {
  return rewrite_all(function, Unknown::leave);
}

bool refuse_float_bits(Function &function) {
  return rewrite_all(function, Unknown::refuse);
}

Value *without_derivative(IRBuilderBase &builder, Value *number) {
  Type *type = number->getType();
  Type *integer = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(helper(module, bits_name, type, {integer}), {builder.CreateBitCast(number, integer)});
}

Error opaque_bits(const CallBase &call) {
  return unsupported(call, "a float is made of the bits of another by integer operations whose derivative is not known",
                     "write it with floating-point operations, or register a derivative for the function");
}

void drop_float_bits(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || none_of(ArrayRef<StringRef>{linear_name, bits_name, opaque_bits_name},
                           [&](StringRef prefix) { return callee->getName().starts_with(prefix); }))
      continue;
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateBitCast(call->getArgOperand(0), call->getType()));
    call->eraseFromParent();
  }
}

} // namespace assay::engine
