// digamma(x), after Abramowitz and Stegun 6.3.7, 6.3.5 and 6.3.18:
//   x <= 0:         reflection, digamma(1 - x) - pi / tan(pi x), with the fraction of x taken exactly; NaN at negative
//   integers 0 < x < bound:  recurrence, digamma(x + 1) - 1 / x, until the bound is passed bound <= x:     log x - 1 /
//   (2 x) - sum over k of B(2k) / (2 k x^2k), with Bernoulli numbers B

#include "core/engine/rules/digamma.hpp"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace assay::engine {

struct Rational {
  const char *numerator;
  const char *denominator;
};

/// B(2k) / (2 k).
static constexpr Rational asymptotic_terms[] = {{"1", "12"},         {"-1", "120"},          {"1", "252"},
                                                {"-1", "240"},       {"1", "132"},           {"-691", "32760"},
                                                {"1", "12"},         {"-3617", "8160"},      {"43867", "14364"},
                                                {"-174611", "6600"}, {"77683", "276"},       {"-236364091", "65520"},
                                                {"657931", "12"},    {"-3392780147", "3480"}};

/// From which x on how many terms give the precision of the type.
struct Reach {
  double bound;
  unsigned terms;
};

static Reach reach_of(const Type *type) {
  if (type->isDoubleTy())
    return {10, 8};
  if (type->isX86_FP80Ty())
    return {16, 11};
  return {40, 14};
}

class DigammaWriter {
public:
  DigammaWriter(Function &function, const Dialect &dialect)
      : function_(function), dialect_(dialect), type_(function.getReturnType()), builder_(function.getContext()) {}

  void write();

private:
  BasicBlock *block(const char *name) { return BasicBlock::Create(function_.getContext(), name, &function_); }
  Constant *number(double value) { return ConstantFP::get(type_, value); }
  Constant *ratio(const Rational &rational);
  Value *call(StringRef name, Value *x) { return emit_call(builder_, dialect_, name, type_, x); }
  Value *reflection_term(Value *x);
  Value *asymptotic(Value *x);

  Function &function_;
  const Dialect &dialect_;
  Type *type_;
  IRBuilder<> builder_;
};

Constant *DigammaWriter::ratio(const Rational &rational) {
  const fltSemantics &semantics = type_->getFltSemantics();
  APFloat value(semantics, rational.numerator);
  value.divide(APFloat(semantics, rational.denominator), APFloat::rmNearestTiesToEven);
  return ConstantFP::get(type_, value);
}

/// -pi / tan(pi x).
Value *DigammaWriter::reflection_term(Value *x) {
  Constant *pi = ConstantFP::get(type_, "3.14159265358979323846264338327950288419716939937510582");
  Value *is_zero = builder_.CreateFCmpOEQ(x, number(0));
  Value *fraction = builder_.CreateSelect(is_zero, x, builder_.CreateFSub(x, call("rint", x))); // keeps the sign of -0
  Value *term = builder_.CreateFDiv(builder_.CreateFNeg(pi), call("tan", builder_.CreateFMul(pi, fraction)));
  Value *pole = builder_.CreateAnd(builder_.CreateFCmpOEQ(fraction, number(0)), builder_.CreateNot(is_zero));
  return builder_.CreateSelect(pole, ConstantFP::getNaN(type_), term);
}

Value *DigammaWriter::asymptotic(Value *x) {
  Value *inverse = builder_.CreateFDiv(number(1), x);
  Value *square = builder_.CreateFMul(inverse, inverse);
  const auto terms = ArrayRef(asymptotic_terms).take_front(reach_of(type_).terms);
  Value *series = ratio(terms.back());
  for (const Rational &term : reverse(terms.drop_back()))
    series = builder_.CreateFAdd(builder_.CreateFMul(series, square), ratio(term));
  Value *correction =
      builder_.CreateFAdd(builder_.CreateFMul(number(0.5), inverse), builder_.CreateFMul(series, square));
  return builder_.CreateFSub(call("log", x), correction);
}

void DigammaWriter::write() {
  BasicBlock *entry = block("entry"), *reflect = block("reflect"), *start = block("start"), *test = block("test"),
             *step = block("step"), *finish = block("finish");
  Value *x = function_.getArg(0);

  builder_.SetInsertPoint(entry);
  builder_.CreateCondBr(builder_.CreateFCmpOLE(x, number(0)), reflect, start);

  builder_.SetInsertPoint(reflect);
  Value *term = reflection_term(x);
  Value *mirrored = builder_.CreateFSub(number(1), x);
  builder_.CreateBr(start);

  builder_.SetInsertPoint(start);
  PHINode *outside = builder_.CreatePHI(type_, 2), *inside = builder_.CreatePHI(type_, 2);
  outside->addIncoming(number(0), entry);
  outside->addIncoming(term, reflect);
  inside->addIncoming(x, entry);
  inside->addIncoming(mirrored, reflect);
  builder_.CreateBr(test);

  builder_.SetInsertPoint(test);
  PHINode *argument = builder_.CreatePHI(type_, 2), *sum = builder_.CreatePHI(type_, 2);
  argument->addIncoming(inside, start);
  sum->addIncoming(outside, start);
  builder_.CreateCondBr(builder_.CreateFCmpOLT(argument, number(reach_of(type_).bound)), step, finish);

  builder_.SetInsertPoint(step);
  sum->addIncoming(builder_.CreateFSub(sum, builder_.CreateFDiv(number(1), argument)), step);
  argument->addIncoming(builder_.CreateFAdd(argument, number(1)), step);
  builder_.CreateBr(test);

  builder_.SetInsertPoint(finish);
  builder_.CreateRet(builder_.CreateFAdd(sum, asymptotic(argument)));
}

void write_digamma(Function &function, const Dialect &dialect) {
  DigammaWriter(function, dialect).write();
}

} // namespace assay::engine
