// Functions that the program only declares: those of the mathematical library have wide versions, those that allocate
// and move memory take the movements along, some are known to touch no numbers. All others are losses when they run:
// with scalars alone, when one of these moves.

#include "core/widen/externals.hpp"
#include "core/widen/function_widener.hpp"
#include "core/widen/functions.hpp"
#include "core/widen/widen.hpp"

#include "llvm/Demangle/Demangle.h"

namespace assay::widen {

void FunctionWidener::call_external(llvm::CallBase &call, const llvm::Function &callee) {
  const ExternalKind kind = kind_of_external(callee);
  if (call_mathematical(call, kind))
    return note_precision(call);
  if (kind.kind == External::harmless || call_splitting(call, kind) || call_allocation(call, kind) ||
      call_memory(call, kind) || call_warp(call, kind))
    return;
  const std::string what = "a call of " + llvm::demangle(callee.getName().str());
  const bool sees_memory =
      llvm::any_of(call.args(), [](const llvm::Value *argument) { return argument->getType()->isPointerTy(); });
  if (!sees_memory)
    return lose_arguments(call, what);
  lose_call(call, what);
}

bool FunctionWidener::call_mathematical(llvm::CallBase &call, const ExternalKind &kind) {
  llvm::IRBuilder<> builder = after(call);
  llvm::Constant *site = runtime_.site(call);
  const auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  const auto settle = [&](llvm::Value *term) { set_twins(call, {twin_of_term(builder, term, &call)}); };
  switch (kind.kind) {
  case External::unary:
    settle(unary(builder, kind.operand, argument(0), twin(argument(0)), site));
    return true;
  case External::log_gamma_with_sign: {
    settle(unary(builder, *unary_function("lgamma"), argument(0), twin(argument(0)), site));
    return true;
  }
  case External::binary:
    settle(binary(builder, kind.operand, argument(0), twin(argument(0)), argument(1), twin(argument(1)), site));
    return true;
  case External::add:
    settle(add(builder, term(builder, argument(0), twin(argument(0))), term(builder, argument(1), twin(argument(1)))));
    return true;
  case External::subtract:
    settle(subtract(builder, term(builder, argument(0), twin(argument(0))),
                    term(builder, argument(1), twin(argument(1)))));
    return true;
  case External::multiply:
  case External::divide:
    settle(product(builder, kind.kind == External::multiply ? "multiply" : "divide", argument(0), twin(argument(0)),
                   argument(1), twin(argument(1))));
    return true;
  case External::reciprocal: {
    llvm::Value *one = llvm::ConstantFP::get(call.getType(), 1);
    llvm::Value *moved = twin(argument(0));
    settle(product(builder, "divide", one, llvm::Constant::getNullValue(moved->getType()), argument(0), moved));
    return true;
  }
  case External::narrow:
    settle(kind_ == TwinKind::correction
               ? term(builder, argument(0), twin(argument(0)))
               : runtime_.call(builder, "narrow", runtime_.wide(),
                               {term(builder, argument(0), twin(argument(0))),
                                runtime_.number(static_cast<std::uint32_t>(call.getType()->getFPMantissaWidth()))}));
    return true;
  case External::integer_power:
    settle(runtime_.call(builder, kind_ == TwinKind::movement ? "power_of_integer" : "power_of_integer_corrected",
                         runtime_.wide(),
                         {widest(builder, argument(0)).value, twin(argument(0)),
                          builder.CreateSExtOrTrunc(argument(1), builder.getInt32Ty())}));
    return true;
  case External::fused_multiply: {
    llvm::Value *moved = product(builder, "multiply", argument(0), twin(argument(0)), argument(1), twin(argument(1)));
    settle(add(builder, moved, term(builder, argument(2), twin(argument(2)))));
    return true;
  }
  case External::scale:
    inspect(builder, argument(1), site);
    settle(
        scale(builder, argument(0), twin(argument(0)), builder.CreateSExtOrTrunc(argument(1), builder.getInt32Ty())));
    return true;
  case External::bessel:
    settle(runtime_.call(
        builder, kind_ == TwinKind::movement ? "bessel" : "bessel_corrected", runtime_.wide(),
        {runtime_.number(kind.operand), argument(0), widest(builder, argument(1)).value, twin(argument(1))}));
    return true;
  case External::length:
    call_length(call, kind.operand == 1);
    return true;
  case External::neighbour:
    settle(term(builder, argument(0), twin(argument(0))));
    return true;
  case External::to_integer:
    if (kind_ == TwinKind::correction)
      return true;
    runtime_.call(builder, "to_integer", runtime_.nothing(),
                  {widest(builder, argument(0)).value, twin(argument(0)), site});
    return true;
  case External::complex_multiply:
  case External::complex_divide:
  case External::complex_unary:
  case External::complex_size:
  case External::complex_angle:
    call_complex(call, kind);
    return true;
  default:
    return false;
  }
}

/// The length of a vector of three or four numbers, or its reciprocal: coordinate by coordinate.
void FunctionWidener::call_length(llvm::CallBase &call, bool is_reciprocal) {
  llvm::IRBuilder<> builder = after(call);
  llvm::Constant *site = runtime_.site(call);
  llvm::Type *type = call.getType();
  const llvm::FunctionCallee hypot = call.getModule()->getOrInsertFunction(
      type->isFloatTy() ? "hypotf" : "hypot", llvm::FunctionType::get(type, {type, type}, false));
  const unsigned last = call.arg_size() - 1;
  llvm::Value *length = call.getArgOperand(0), *moved = twin(length);
  for (unsigned index = 1; index < last; ++index) {
    llvm::Value *coordinate = call.getArgOperand(index);
    llvm::CallInst *longer = builder.CreateCall(hypot, {length, coordinate});
    longer->addFnAttr(llvm::Attribute::get(builder.getContext(), no_numbers_attribute));
    moved = twin_of_term(
        builder, binary(builder, *binary_function("hypot"), length, moved, coordinate, twin(coordinate), site), longer);
    length = longer;
  }
  llvm::Value *coordinate = call.getArgOperand(last);
  const unsigned function = *binary_function(is_reciprocal ? "__nv_rhypot" : "hypot");
  llvm::Value *term = binary(builder, function, length, moved, coordinate, twin(coordinate), site);
  set_twins(call, {twin_of_term(builder, term, &call)});
}

/// Of x less its whole part, of which there is a term.
llvm::Value *FunctionWidener::fraction_twin(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *moved,
                                            llvm::Value *whole, llvm::Value *fraction) {
  return twin_of_term(builder, subtract(builder, term(builder, number, moved), whole), fraction);
}

/// A shuffle gives each lane the word of another one. What moves in that word is shuffled after it, in two halves: a
/// lane's result has 32 bits. The other operations look at the bits.
bool FunctionWidener::call_warp(llvm::CallBase &call, const ExternalKind &kind) {
  if (kind.kind != External::warp)
    return false;
  constexpr unsigned operation = 1, value = 3, first_shuffle = 1, last_shuffle = 4; // gpu/runtime/interface.hpp.
  const auto *which = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operation));
  llvm::IRBuilder<> builder = after(call);
  if (!which || which->getZExtValue() < first_shuffle || which->getZExtValue() > last_shuffle) {
    inspect(builder, call.getArgOperand(value), runtime_.site(call));
    return true;
  }
  llvm::Value *word = twin(call.getArgOperand(value));
  const auto shuffled = [&](llvm::Value *half) {
    llvm::SmallVector<llvm::Value *, 6> arguments(call.args());
    arguments[value] = builder.CreateAnd(half, 0xffffffff);
    llvm::CallInst *made = builder.CreateCall(call.getFunctionType(), call.getCalledOperand(), arguments);
    made->addFnAttr(llvm::Attribute::get(builder.getContext(), no_numbers_attribute));
    return builder.CreateAnd(made, 0xffffffff);
  };
  llvm::Value *low = shuffled(word), *high = shuffled(builder.CreateLShr(word, 32));
  llvm::Value *received = builder.CreateOr(low, builder.CreateShl(high, 32));
  llvm::Value *is_absent = builder.CreateICmpEQ(received, llvm::Constant::getAllOnesValue(received->getType()));
  set_twins(call, {builder.CreateSelect(is_absent, llvm::Constant::getNullValue(received->getType()), received)});
  return true;
}

/// Functions that give one part through a pointer.
bool FunctionWidener::call_splitting(llvm::CallBase &call, const ExternalKind &kind) {
  if (kind.kind != External::split_exponent && kind.kind != External::split_whole &&
      kind.kind != External::sine_and_cosine)
    return false;
  llvm::IRBuilder<> builder = after(call);
  llvm::Constant *site = runtime_.site(call);
  llvm::Value *number = call.getArgOperand(0), *moved = twin(number);
  const auto size = static_cast<std::uint32_t>(layout_.getTypeStoreSize(number->getType()).getFixedValue());
  const auto put = [&](unsigned position, llvm::Value *term) {
    llvm::Value *address = call.getArgOperand(position);
    llvm::Value *twin = twin_of_term(builder, term, builder.CreateLoad(number->getType(), address));
    runtime_.call(builder, "store", runtime_.nothing(), {address, runtime_.number(size), twin});
  };
  if (kind.kind == External::sine_and_cosine) {
    const bool in_half_turns = kind.operand == 1;
    put(1, unary(builder, *unary_function(in_half_turns ? "__nv_sinpi" : "sin"), number, moved, site));
    put(2, unary(builder, *unary_function(in_half_turns ? "__nv_cospi" : "cos"), number, moved, site));
  } else if (kind.kind == External::split_whole) {
    llvm::Value *whole = unary(builder, *unary_function("trunc"), number, moved, site);
    put(1, whole);
    set_twins(call, {kind_ == TwinKind::movement ? moved : fraction_twin(builder, number, moved, whole, &call)});
  } else {
    llvm::Value *exponent = builder.CreateLoad(builder.getInt32Ty(), call.getArgOperand(1));
    runtime_.call(builder, "clear", runtime_.nothing(), {call.getArgOperand(1), builder.getInt64(4)});
    set_twins(call, {twin_of_term(builder, scale(builder, number, moved, builder.CreateNeg(exponent)), &call)});
  }
  return true;
}

/// f(a + bi), (a + bi)(c + di), (a + bi) / (c + di).
void FunctionWidener::call_complex(llvm::CallBase &call, const ExternalKind &kind) {
  llvm::IRBuilder<> builder = after(call);
  llvm::Constant *site = runtime_.site(call);
  Twins values, deltas;
  for (llvm::Value *argument : call.args()) {
    const Leaves all = leaves(*argument);
    for (std::size_t leaf = 0; leaf < all.size(); ++leaf) {
      values.push_back(component(builder, argument, all[leaf]));
      deltas.push_back(twin(argument, leaf));
    }
  }
  const auto settle = [&](const Twins &terms) { set_twins(call, twins_of_terms(builder, &call, terms)); };
  const bool is_real = kind.kind == External::complex_size || kind.kind == External::complex_angle;
  const bool is_unary = is_real || kind.kind == External::complex_unary;
  if (values.size() != (is_unary ? 2 : 4) || leaves(call).size() != (is_real ? 1 : 2)) {
    llvm::IRBuilder<> ahead = before(call);
    runtime_.call(ahead, "lose_always", runtime_.nothing(), {runtime_.text("a call with complex numbers")});
    return;
  }
  const auto real = [&](llvm::StringRef function, unsigned first, unsigned second) {
    return binary(builder, *binary_function(function), values[first], deltas[first], values[second], deltas[second],
                  site);
  };
  if (kind.kind == External::complex_size)
    settle({real("hypot", 0, 1)});
  else if (kind.kind == External::complex_angle)
    settle({real("atan2", 1, 0)});
  else if (kind.kind == External::complex_multiply)
    settle(complex_product(builder, values, deltas));
  else
    settle(complex_parts(builder, kind, values, deltas));
}

FunctionWidener::Twins FunctionWidener::complex_product(llvm::IRBuilder<> &builder, const Twins &values,
                                                        const Twins &deltas) {
  const auto times = [&](unsigned left, unsigned right) {
    return product(builder, "multiply", values[left], deltas[left], values[right], deltas[right]);
  };
  return {subtract(builder, times(0, 2), times(1, 3)), add(builder, times(0, 3), times(1, 2))};
}

/// Functions whose real and imaginary part the runtime computes one by one.
FunctionWidener::Twins FunctionWidener::complex_parts(llvm::IRBuilder<> &builder, const ExternalKind &kind,
                                                      const Twins &values, const Twins &deltas) {
  llvm::SmallVector<llvm::Value *, 8> operands;
  for (std::size_t index = 0; index < values.size(); ++index)
    operands.append({widest(builder, values[index]).value, deltas[index]});
  const bool divides = kind.kind == External::complex_divide;
  const std::string suffix = kind_ == TwinKind::movement ? "" : "_corrected";
  Twins twins;
  for (const unsigned part : {0U, 1U}) {
    llvm::SmallVector<llvm::Value *, 10> arguments;
    if (!divides)
      arguments.push_back(runtime_.number(kind.operand));
    arguments.push_back(runtime_.number(part));
    arguments.append(operands.begin(), operands.end());
    twins.push_back(
        runtime_.call(builder, (divides ? "divide_complex" : "complex") + suffix, runtime_.wide(), arguments));
  }
  return twins;
}

bool FunctionWidener::call_allocation(llvm::CallBase &call, const ExternalKind &kind) {
  llvm::IRBuilder<> ahead = before(call), builder = after(call);
  const auto size = [&](unsigned index) {
    return builder.CreateZExtOrTrunc(call.getArgOperand(index), builder.getInt64Ty());
  };
  const auto clear = [&](llvm::Value *address, llvm::Value *bytes) {
    runtime_.call(builder, "clear", runtime_.nothing(), {address, bytes});
  };
  switch (kind.kind) {
  case External::allocate:
    clear(&call, size(kind.operand));
    return true;
  case External::allocate_array:
    clear(&call, builder.CreateMul(size(0), size(1)));
    return true;
  case External::allocate_at:
    clear(call.getArgOperand(0), builder.getInt64(8));
    clear(builder.CreateLoad(builder.getPtrTy(), call.getArgOperand(0)), size(kind.operand));
    return true;
  case External::allocate_rows: {
    llvm::Value *pitch = builder.CreateLoad(builder.getInt64Ty(), call.getArgOperand(1));
    clear(call.getArgOperand(0), builder.getInt64(8));
    clear(call.getArgOperand(1), builder.getInt64(8));
    clear(builder.CreateLoad(builder.getPtrTy(), call.getArgOperand(0)), builder.CreateMul(pitch, size(3)));
    return true;
  }
  case External::reallocate: {
    llvm::Value *usable = runtime_.call(ahead, "usable", runtime_.word(), {call.getArgOperand(0)});
    llvm::Value *wanted = size(1);
    llvm::Value *kept = builder.CreateSelect(builder.CreateICmpULT(usable, wanted), usable, wanted);
    runtime_.call(builder, "moved", runtime_.nothing(), {&call, call.getArgOperand(0), kept});
    return true;
  }
  default:
    return false;
  }
}

/// Where cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy to or from: the offset stands behind the number of bytes.
llvm::Value *FunctionWidener::symbol_address(llvm::IRBuilder<> &builder, llvm::CallBase &call, unsigned symbol) const {
  constexpr unsigned offset = 3;
  llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  llvm::Value *place = entry.CreateAlloca(builder.getPtrTy());
  builder.CreateCall(call.getModule()->getOrInsertFunction("cudaGetSymbolAddress", builder.getInt32Ty(),
                                                           builder.getPtrTy(), builder.getPtrTy()),
                     {place, call.getArgOperand(symbol)});
  return builder.CreatePtrAdd(builder.CreateLoad(builder.getPtrTy(), place), call.getArgOperand(offset));
}

bool FunctionWidener::call_memory(llvm::CallBase &call, const ExternalKind &kind) {
  llvm::IRBuilder<> ahead = before(call);
  llvm::Constant *site = runtime_.site(call);
  const auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  const auto size = [&](unsigned index) { return ahead.CreateZExtOrTrunc(argument(index), ahead.getInt64Ty()); };
  switch (kind.kind) {
  case External::release:
    runtime_.call(ahead, "release", runtime_.nothing(), {argument(0)});
    return true;
  case External::copy:
    runtime_.call(ahead, "copy", runtime_.nothing(), {argument(0), argument(1), size(2), site});
    return true;
  case External::copy_to_symbol:
    runtime_.call(ahead, "copy", runtime_.nothing(), {symbol_address(ahead, call, 0), argument(1), size(2), site});
    return true;
  case External::copy_from_symbol:
    runtime_.call(ahead, "copy", runtime_.nothing(), {argument(0), symbol_address(ahead, call, 1), size(2), site});
    return true;
  case External::copy_rows:
    runtime_.call(ahead, "copy_rows", runtime_.nothing(),
                  {argument(0), size(1), argument(2), size(3), size(4), size(5), site});
    return true;
  case External::fill_rows:
    runtime_.call(ahead, "clear_rows", runtime_.nothing(), {argument(0), size(1), size(3), size(4)});
    return true;
  case External::fill:
    runtime_.call(ahead, "clear", runtime_.nothing(), {argument(0), size(2)});
    return true;
  case External::sort:
    for (unsigned index = 0; index < call.arg_size(); ++index)
      inspect(ahead, argument(index), site);
    call.setCalledOperand(call.getModule()
                              ->getOrInsertFunction(call.arg_size() == 4 ? "assay_wide_sort" : "assay_wide_sort_r",
                                                    call.getFunctionType())
                              .getCallee());
    return true;
  case External::compare_memory:
    for (const unsigned index : {0U, 1U})
      runtime_.call(ahead, "inspect_memory", runtime_.nothing(), {argument(index), size(2), site});
    return true;
  default:
    return false;
  }
}

} // namespace assay::widen
