#include "core/widen/externals.hpp"
#include "core/widen/function_widener.hpp"
#include "core/widen/functions.hpp"

namespace assay::widen {

namespace {

/// The name under which functions.hpp knows an intrinsic.
llvm::StringRef library_name(llvm::Intrinsic::ID intrinsic) {
  using namespace llvm;
  switch (intrinsic) {
    // clang-format off
  case Intrinsic::sqrt: return "sqrt";
  case Intrinsic::sin: return "sin";
  case Intrinsic::cos: return "cos";
  case Intrinsic::tan: return "tan";
  case Intrinsic::asin: return "asin";
  case Intrinsic::acos: return "acos";
  case Intrinsic::atan: return "atan";
  case Intrinsic::atan2: return "atan2";
  case Intrinsic::sinh: return "sinh";
  case Intrinsic::cosh: return "cosh";
  case Intrinsic::tanh: return "tanh";
  case Intrinsic::exp: return "exp";
  case Intrinsic::exp2: return "exp2";
  case Intrinsic::exp10: return "exp10";
  case Intrinsic::log: return "log";
  case Intrinsic::log2: return "log2";
  case Intrinsic::log10: return "log10";
  case Intrinsic::pow: return "pow";
  case Intrinsic::fabs: return "fabs";
  case Intrinsic::floor: return "floor";
  case Intrinsic::ceil: return "ceil";
  case Intrinsic::trunc: return "trunc";
  case Intrinsic::rint: return "rint";
  case Intrinsic::nearbyint: return "nearbyint";
  case Intrinsic::round: return "round";
  case Intrinsic::roundeven: return "roundeven";
  case Intrinsic::copysign: return "copysign";
  case Intrinsic::minnum: case Intrinsic::minimum: case Intrinsic::minimumnum: return "fmin";
  case Intrinsic::maxnum: case Intrinsic::maximum: case Intrinsic::maximumnum: return "fmax";
  // clang-format on
  default:
    return "";
  }
}

bool changes_nothing(llvm::Intrinsic::ID intrinsic) {
  using namespace llvm;
  switch (intrinsic) {
  case Intrinsic::canonicalize:
  case Intrinsic::arithmetic_fence:
  case Intrinsic::ssa_copy:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
    return true;
  default:
    return false;
  }
}

/// A choice, or a number without its sign: no arithmetic.
bool is_exact(llvm::StringRef function) {
  return function == "fabs" || function == "copysign" || function == "fmin" || function == "fmax";
}

bool looks_at_nothing(llvm::Intrinsic::ID intrinsic) {
  using namespace llvm;
  switch (intrinsic) {
  case Intrinsic::is_fpclass:
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::prefetch:
    return true;
  default:
    return false;
  }
}

} // namespace

void FunctionWidener::call_intrinsic(llvm::IntrinsicInst &intrinsic) {
  if (intrinsic.isAssumeLikeIntrinsic() || looks_at_nothing(intrinsic.getIntrinsicID()))
    return;
  if (changes_nothing(intrinsic.getIntrinsicID()))
    return pass_on(intrinsic, intrinsic.getArgOperand(0));
  llvm::IRBuilder<> builder = before(intrinsic);
  llvm::Constant *site = runtime_.site(intrinsic);
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    runtime_.call(builder, "copy", runtime_.nothing(),
                  {transfer->getRawDest(), transfer->getRawSource(),
                   builder.CreateZExtOrTrunc(transfer->getLength(), builder.getInt64Ty()), site});
    return;
  }
  if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&intrinsic)) {
    runtime_.call(builder, "clear", runtime_.nothing(),
                  {fill->getRawDest(), builder.CreateZExtOrTrunc(fill->getLength(), builder.getInt64Ty())});
    return;
  }
  if (call_elementwise(intrinsic) || call_reduction(intrinsic) || call_twofold(intrinsic))
    return;
  const auto is_number = [](const Leaf &leaf) { return leaf.kind == Leaf::Kind::number; };
  const auto is_address = [](const llvm::Value *argument) {
    return argument->getType()->getScalarType()->isPointerTy();
  };
  if (llvm::any_of(leaves(intrinsic), is_number) && llvm::any_of(intrinsic.args(), is_address))
    runtime_.call(builder, "lose_always", runtime_.nothing(),
                  {runtime_.text(("the intrinsic " + intrinsic.getCalledFunction()->getName()).str())});
  lose_arguments(intrinsic, ("the intrinsic " + intrinsic.getCalledFunction()->getName()).str());
}

bool FunctionWidener::call_elementwise(llvm::IntrinsicInst &intrinsic) {
  using namespace llvm;
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  const StringRef name = library_name(id);
  const bool fused = id == Intrinsic::fma || id == Intrinsic::fmuladd;
  if (name.empty() && !fused && id != Intrinsic::powi && id != Intrinsic::ldexp)
    return false;
  IRBuilder<> builder = after(intrinsic);
  Constant *site = runtime_.site(intrinsic);
  const Leaves lanes = leaves(intrinsic);
  const auto unary_position = unary_function(name), binary_position = binary_function(name);
  Twins terms;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto value = [&](unsigned index) { return component(builder, intrinsic.getArgOperand(index), lanes[lane]); };
    const auto delta = [&](unsigned index) { return twin(intrinsic.getArgOperand(index), lane); };
    const auto whole = [&](unsigned index) {
      Value *operand = intrinsic.getArgOperand(index);
      return builder.CreateSExtOrTrunc(operand->getType()->isVectorTy() ? value(index) : operand, builder.getInt32Ty());
    };
    if (fused)
      terms.push_back(add(builder, product(builder, "multiply", value(0), delta(0), value(1), delta(1)),
                          term(builder, value(2), delta(2))));
    else if (id == Intrinsic::powi)
      terms.push_back(runtime_.call(builder,
                                    kind_ == TwinKind::movement ? "power_of_integer" : "power_of_integer_corrected",
                                    runtime_.wide(), {widest(builder, value(0)).value, delta(0), whole(1)}));
    else if (id == Intrinsic::ldexp)
      terms.push_back(scale(builder, value(0), delta(0), whole(1)));
    else if (unary_position)
      terms.push_back(unary(builder, *unary_position, value(0), delta(0), site));
    else
      terms.push_back(binary(builder, *binary_position, value(0), delta(0), value(1), delta(1), site));
  }
  if (!is_exact(name))
    note_precision(intrinsic);
  set_twins(intrinsic, twins_of_terms(builder, &intrinsic, terms));
  return true;
}

/// Those that return a struct of two.
bool FunctionWidener::call_twofold(llvm::IntrinsicInst &intrinsic) {
  using namespace llvm;
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  if ((id != Intrinsic::sincos && id != Intrinsic::modf && id != Intrinsic::frexp) ||
      !intrinsic.getArgOperand(0)->getType()->isFloatingPointTy())
    return false;
  IRBuilder<> builder = after(intrinsic);
  Constant *site = runtime_.site(intrinsic);
  Value *number = intrinsic.getArgOperand(0), *moved = twin(number);
  if (id == Intrinsic::sincos) {
    const Twins terms{unary(builder, *unary_function("sin"), number, moved, site),
                      unary(builder, *unary_function("cos"), number, moved, site)};
    set_twins(intrinsic, twins_of_terms(builder, &intrinsic, terms));
  } else if (id == Intrinsic::modf) {
    Value *whole = unary(builder, *unary_function("trunc"), number, moved, site);
    Value *fraction = kind_ == TwinKind::movement
                          ? moved
                          : fraction_twin(builder, number, moved, whole, builder.CreateExtractValue(&intrinsic, 0));
    set_twins(intrinsic, {fraction, twin_of_term(builder, whole, builder.CreateExtractValue(&intrinsic, 1))});
  } else {
    Value *exponent = builder.CreateExtractValue(&intrinsic, 1);
    Value *scaled = twin_of_term(builder, scale(builder, number, moved, builder.CreateNeg(exponent)),
                                 builder.CreateExtractValue(&intrinsic, 0));
    set_twins(intrinsic, {scaled, runtime_.no_word()});
  }
  return true;
}

bool FunctionWidener::call_reduction(llvm::IntrinsicInst &intrinsic) {
  using namespace llvm;
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  if (id != Intrinsic::vector_reduce_fadd && id != Intrinsic::vector_reduce_fmul)
    return false;
  IRBuilder<> builder = after(intrinsic);
  Value *vector = intrinsic.getArgOperand(1);
  Value *value = intrinsic.getArgOperand(0), *delta = twin(value), *sum = term(builder, value, delta);
  const Leaves lanes = leaves(*vector);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    Value *next = component(builder, vector, lanes[lane]);
    if (id == Intrinsic::vector_reduce_fadd) {
      sum = add(builder, sum, term(builder, next, twin(vector, lane)));
      continue;
    }
    sum = product(builder, "multiply", value, delta, next, twin(vector, lane));
    value = builder.CreateFMul(value, next);
    delta = twin_of_term(builder, sum, value);
  }
  note_precision(intrinsic);
  set_twins(intrinsic, {twin_of_term(builder, sum, &intrinsic)});
  return true;
}

} // namespace assay::widen
