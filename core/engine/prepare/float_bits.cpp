#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/analysis/computed_bits.hpp"
#include "core/engine/prepare/bit_slopes.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/diagnostics.hpp"
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

enum class Unknown : std::uint8_t { leave, refuse }; ///< What is done with bits that cannot be followed.
enum class Root : std::uint8_t { bits, number };     ///< How an integer becomes a float.

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

/// `number`, or zero where the slope is: the bits that are read as an integer are one then, and so may be those of the
/// tangent, which would be no number.
Value *unless_integer(IRBuilder<> &builder, Value &number, Value &slope) {
  Value *zero = Constant::getNullValue(number.getType());
  return builder.CreateSelect(builder.CreateFCmpOEQ(&slope, zero), zero, &number);
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
    if (kind == Root::number)
      number = unless_integer(builder, *number, *by_source);
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

/// A call that stops the differentiation where one of the floats carries a derivative, or where memory that the integer
/// is read from keeps the bits of one that does.
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

/// The integer is computed from others, in memory that the program writes to.
bool is_of_written_integers(Value &integer) {
  return !isa<LoadInst>(integer) && any_of(computed_bits(integer).loads, [](const LoadInst *load) {
    const auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
    return load->getPointerAddressSpace() == 0 && !(global && global->isConstant());
  });
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
  BitSlopes trace(builder, type);
  const std::optional<Slopes> slopes = trace.of(integer);
  const bool is_refused = kind == Root::bits && unknown == Unknown::refuse;
  if (kind == Root::bits && !trace.has_arithmetic())
    return is_refused && is_of_written_integers(*integer) && refuse(root);
  if (slopes && (kind == Root::number ? slopes->by_float.empty() : !slopes->depends))
    return is_refused && is_of_written_integers(*integer) && refuse(root);
  if (!slopes)
    return is_refused && refuse(root);
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

Value *growing_as(IRBuilderBase &builder, Value *bits, Value *source) {
  Type *type = source->getType();
  Module &module = *builder.GetInsertBlock()->getModule();
  Value *number = builder.CreateCall(helper(module, bits_name, type, {bits->getType()}), {bits});
  return builder.CreateCall(helper(module, linear_name, type, {type, type, type}),
                            {number, ConstantFP::get(type, 1), source});
}

bool is_of_bits(const Function &function) {
  return function.getName().starts_with(bits_name);
}

Error opaque_bits(const CallBase &call) {
  return unsupported(call, "a float is made of the bits of another by integer operations whose derivative is not known",
                     "write it with floating-point operations, or register a derivative for the function");
}

/// A call that says a derivative of arithmetic on bits, or that there is none.
static bool stands_for_float_bits(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && any_of(ArrayRef<StringRef>{linear_name, bits_name, opaque_bits_name},
                          [&](StringRef prefix) { return callee->getName().starts_with(prefix); });
}

bool has_float_bits(const Function &function) {
  return any_of(instructions(function), stands_for_float_bits);
}

void drop_float_bits(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!stands_for_float_bits(instruction))
      continue;
    IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(builder.CreateBitCast(instruction.getOperand(0), instruction.getType()));
    instruction.eraseFromParent();
  }
}

} // namespace assay::engine
