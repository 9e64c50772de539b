#include "core/engine/support/derivative_abi.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::engine {

bool is_duplicated(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
}

DerivativeAbi::DerivativeAbi(const Request &request) {
  Function &function = *request.function;
  LLVMContext &context = function.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *returned = function.getReturnType();
  const bool takes_seed = request.mode == Mode::reverse || request.mode == Mode::split_reverse;

  SmallVector<Type *, 8> parameters;
  for (Argument &argument : function.args()) {
    primal_parameter_.push_back(parameters.size());
    const bool dup = is_duplicated(request.argument_activity[argument.getArgNo()]);
    parameters.append(dup ? 1 + request.width : 1, argument.getType());
  }
  if (takes_seed && request.return_activity == Activity::active) {
    first_seed_ = parameters.size();
    parameters.append(request.width, returned);
  }
  if (request.mode == Mode::split_reverse) {
    tape_parameter_ = parameters.size();
    parameters.push_back(pointer);
  }
  if (request.mode == Mode::augmented) {
    deferred_frees_parameter_ = parameters.size();
    parameters.push_back(pointer);
  }

  SmallVector<Type *, 8> results;
  if (request.mode == Mode::augmented) {
    tape_result_ = results.size();
    results.push_back(pointer);
  }
  if (request.primal_return == PrimalReturn::keep && !returned->isVoidTy() && request.mode != Mode::split_reverse) {
    primal_result_ = results.size();
    results.push_back(returned);
  }
  if (is_duplicated(request.return_activity) && request.mode != Mode::split_reverse) {
    first_shadow_result_ = results.size();
    results.append(request.width, returned);
  }
  gradient_result_.resize(function.arg_size());
  if (takes_seed)
    for (Argument &argument : function.args())
      if (request.argument_activity[argument.getArgNo()] == Activity::active) {
        gradient_result_[argument.getArgNo()] = results.size();
        results.append(request.width, argument.getType());
      }

  Type *result = results.empty() ? Type::getVoidTy(context) : StructType::get(context, results);
  type_ = FunctionType::get(result, parameters, false);
}

std::optional<unsigned> DerivativeAbi::seed_parameter(unsigned lane) const {
  return first_seed_ ? std::optional(*first_seed_ + lane) : std::nullopt;
}

std::optional<unsigned> DerivativeAbi::shadow_result(unsigned lane) const {
  return first_shadow_result_ ? std::optional(*first_shadow_result_ + lane) : std::nullopt;
}

std::string fingerprint(const Request &request) {
  static constexpr char letters[] = {'c', 'a', 'd', 'n'};
  std::string text;
  raw_string_ostream out(text);
  out << request.function << ' ' << unsigned(request.mode) << ' ' << request.width << ' '
      << letters[unsigned(request.return_activity)] << unsigned(request.primal_return) << unsigned(request.caller);
  for (Activity activity : request.argument_activity)
    out << letters[unsigned(activity)];
  // Taken apart, so that the compiler asks for an option that is new.
  const auto &[runtime_activity, strong_zero, free_tape, loose_types, strict_aliasing, type_warning, order] =
      request.options;
  out << runtime_activity << strong_zero << free_tape << loose_types << strict_aliasing << type_warning << order;
  for (const unsigned parameter : request.not_overwritten.set_bits())
    out << 'k' << parameter;
  for (const GlobalVariable *variable : request.active_behind)
    out << 'g' << variable;
  return text;
}

} // namespace assay::engine
