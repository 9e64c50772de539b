// Lane by lane: a vector operation is as many scalar ones.

#include "core/widen/function_widener.hpp"

#include "core/widen/functions.hpp"

namespace assay::widen {

llvm::Value *FunctionWidener::component(llvm::IRBuilder<> &builder, llvm::Value *value, const Leaf &leaf) const {
  llvm::ArrayRef<unsigned> path = leaf.path;
  for (; !path.empty() && !value->getType()->isVectorTy(); path = path.drop_front())
    value = builder.CreateExtractValue(value, path.front());
  return path.empty() ? value : builder.CreateExtractElement(value, path.front());
}

FunctionWidener::Primal FunctionWidener::widest(llvm::IRBuilder<> &builder, llvm::Value *number) const {
  llvm::Type *type = number->getType();
  return {type->isFP128Ty() ? number : builder.CreateFPExt(number, runtime_.wide()), false};
}

FunctionWidener::Primal FunctionWidener::primal(llvm::IRBuilder<> &builder, llvm::Value *number) const {
  llvm::Type *type = number->getType();
  if (type->isFP128Ty() || type->isX86_FP80Ty())
    return widest(builder, number);
  return {type->isDoubleTy() ? number : builder.CreateFPExt(number, builder.getDoubleTy()), true};
}

std::pair<FunctionWidener::Primal, FunctionWidener::Primal>
FunctionWidener::primals(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right) const {
  const Primal first = primal(builder, left), second = primal(builder, right);
  if (first.is_double == second.is_double)
    return {first, second};
  return {widest(builder, left), widest(builder, right)};
}

llvm::Value *FunctionWidener::term(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *twin) {
  if (kind_ == TwinKind::movement)
    return twin;
  return runtime_.call(builder, "corrected", runtime_.wide(), {widest(builder, number).value, twin});
}

llvm::Value *FunctionWidener::twin_of_term(llvm::IRBuilder<> &builder, llvm::Value *term, llvm::Value *number) {
  if (kind_ == TwinKind::movement)
    return term;
  return runtime_.call(builder, "correction", runtime_.wide(), {term, widest(builder, number).value});
}

FunctionWidener::Twins FunctionWidener::twins_of_terms(llvm::IRBuilder<> &builder, llvm::Value *result,
                                                       const Twins &terms) {
  Twins twins;
  const Leaves all = leaves(*result);
  for (std::size_t lane = 0; lane < terms.size(); ++lane)
    twins.push_back(twin_of_term(builder, terms[lane], component(builder, result, all[lane])));
  return twins;
}

llvm::Value *FunctionWidener::add(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right) {
  return runtime_.call(builder, "add", runtime_.wide(), {left, right});
}

llvm::Value *FunctionWidener::subtract(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right) {
  return runtime_.call(builder, "subtract", runtime_.wide(), {left, right});
}

llvm::Value *FunctionWidener::scale(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *twin,
                                    llvm::Value *exponent) {
  return runtime_.call(builder, "scale", runtime_.wide(), {term(builder, number, twin), exponent});
}

llvm::Value *FunctionWidener::product(llvm::IRBuilder<> &builder, llvm::StringRef verb, llvm::Value *left,
                                      llvm::Value *left_delta, llvm::Value *right, llvm::Value *right_delta) {
  if (kind_ == TwinKind::correction)
    return runtime_.call(builder, (verb + "_corrected").str(), runtime_.wide(),
                         {term(builder, left, left_delta), term(builder, right, right_delta)});
  const auto [first, second] = primals(builder, left, right);
  return runtime_.call(builder, (verb + first.suffix()).str(), runtime_.wide(),
                       {first.value, left_delta, second.value, right_delta});
}

llvm::Value *FunctionWidener::unary(llvm::IRBuilder<> &builder, unsigned function, llvm::Value *number,
                                    llvm::Value *delta, llvm::Value *site) {
  if (kind_ == TwinKind::correction)
    return runtime_.call(builder, "unary_corrected", runtime_.wide(),
                         {runtime_.number(function), widest(builder, number).value, delta});
  const Primal value = primal(builder, number);
  return runtime_.call(builder, std::string("unary") + value.suffix(), runtime_.wide(),
                       {runtime_.number(function), value.value, delta, site});
}

llvm::Value *FunctionWidener::binary(llvm::IRBuilder<> &builder, unsigned function, llvm::Value *left,
                                     llvm::Value *left_delta, llvm::Value *right, llvm::Value *right_delta,
                                     llvm::Value *site) {
  if (kind_ == TwinKind::correction)
    return runtime_.call(builder, "binary_corrected", runtime_.wide(),
                         {runtime_.number(function), widest(builder, left).value, left_delta,
                          widest(builder, right).value, right_delta});
  const auto [first, second] = primals(builder, left, right);
  return runtime_.call(builder, std::string("binary") + first.suffix(), runtime_.wide(),
                       {runtime_.number(function), first.value, left_delta, second.value, right_delta, site});
}

void FunctionWidener::compare(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *left_delta,
                              llvm::Value *right, llvm::Value *right_delta, llvm::Value *site) {
  const auto [first, second] = primals(builder, left, right);
  runtime_.call(builder, std::string("compare") + first.suffix(), runtime_.nothing(),
                {first.value, left_delta, second.value, right_delta, site});
}

/// Sums and differences tell as well where digits are lost.
llvm::Value *FunctionWidener::sum_of_corrected(llvm::IRBuilder<> &builder, llvm::BinaryOperator &operation,
                                               std::size_t lane, const Leaf &leaf) {
  const bool subtracts = operation.getOpcode() == llvm::Instruction::FSub;
  const auto value = [&](llvm::Value *whole) { return widest(builder, component(builder, whole, leaf)).value; };
  llvm::Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  return runtime_.call(
      builder, subtracts ? "subtract_numbers" : "add_numbers", runtime_.wide(),
      {value(left), twin(left, lane), value(right), twin(right, lane), value(&operation), runtime_.site(operation)});
}

llvm::Value *FunctionWidener::operate(llvm::IRBuilder<> &builder, llvm::BinaryOperator &operation, std::size_t lane,
                                      const Leaf &leaf) {
  const bool is_sum =
      operation.getOpcode() == llvm::Instruction::FAdd || operation.getOpcode() == llvm::Instruction::FSub;
  if (is_sum && kind_ == TwinKind::correction)
    return sum_of_corrected(builder, operation, lane, leaf);
  llvm::Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  llvm::Value *left_delta = twin(left, lane), *right_delta = twin(right, lane);
  const auto value = [&](llvm::Value *operand) { return component(builder, operand, leaf); };
  const auto settle = [&](llvm::Value *term) { return twin_of_term(builder, term, value(&operation)); };
  switch (operation.getOpcode()) {
  case llvm::Instruction::FAdd:
    return add(builder, left_delta, right_delta);
  case llvm::Instruction::FSub:
    return subtract(builder, left_delta, right_delta);
  case llvm::Instruction::FMul:
    return settle(product(builder, "multiply", value(left), left_delta, value(right), right_delta));
  case llvm::Instruction::FDiv:
    return settle(product(builder, "divide", value(left), left_delta, value(right), right_delta));
  default:
    return settle(binary(builder, *binary_function("fmod"), value(left), left_delta, value(right), right_delta,
                         runtime_.site(operation)));
  }
}

void FunctionWidener::visitBinaryOperator(llvm::BinaryOperator &operation) {
  if (!operation.getType()->isFPOrFPVectorTy()) {
    if (!visit_word_operation(operation))
      inspect_operands(operation);
    return;
  }
  llvm::IRBuilder<> builder = after(operation);
  builder.setFastMathFlags({});
  Twins twins;
  const Leaves all = leaves(operation);
  for (std::size_t lane = 0; lane < all.size(); ++lane)
    twins.push_back(operate(builder, operation, lane, all[lane]));
  note_precision(operation);
  set_twins(operation, std::move(twins));
}

/// Arithmetic on numbers below `double`, functions and intrinsics included, is no finer than they are, also where it
/// happens to be exact.
void FunctionWidener::note_precision(llvm::Instruction &operation) {
  constexpr int bits_of_double = 53;
  const llvm::Type *type = operation.getType()->getScalarType();
  const int bits = type->isFloatingPointTy() ? type->getFPMantissaWidth() : 0;
  if (kind_ != TwinKind::correction || bits <= 0 || bits >= bits_of_double)
    return;
  llvm::IRBuilder<> builder = after(operation);
  runtime_.call(builder, "compute_in", runtime_.nothing(), {runtime_.number(static_cast<std::uint32_t>(bits))});
}

namespace {

/// A mask of bits as a mask of bytes, if it is one.
std::optional<std::uint32_t> whole_bytes(const llvm::APInt &mask) {
  std::uint32_t bytes = 0;
  for (unsigned byte = 0; byte < mask.getBitWidth() / 8; ++byte) {
    const std::uint64_t bits = mask.extractBitsAsZExtValue(8, byte * 8);
    if (bits == 0xff)
      bytes |= std::uint32_t{1} << byte;
    else if (bits != 0)
      return std::nullopt;
  }
  return bytes;
}

} // namespace

/// Shifts by whole bytes, and words that are put together, move numbers. False where the bits are computed with.
bool FunctionWidener::visit_word_operation(llvm::BinaryOperator &operation) {
  if (operation.getType()->isVectorTy() || leaves(operation).empty() || !carriers_.contains(&operation))
    return false;
  llvm::IRBuilder<> builder = after(operation);
  llvm::Constant *site = runtime_.site(operation);
  const std::uint32_t size = leaves(operation).front().size;
  const auto part = [&](std::int64_t offset, std::uint32_t bytes) {
    return runtime_.call(builder, "part", runtime_.word(),
                         {twin(operation.getOperand(0)), runtime_.number(static_cast<std::uint32_t>(offset)),
                          runtime_.number(bytes), site});
  };
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case llvm::Instruction::Or:
    if (constant && !constant->isZero())
      return false;
    set_twins(operation, {runtime_.call(builder, "join", runtime_.word(),
                                        {twin(operation.getOperand(0)), twin(operation.getOperand(1))})});
    return true;
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr: {
    if (!constant || constant->getValue().urem(8) != 0 || constant->getValue().uge(size * 8))
      return false;
    const auto bytes = static_cast<std::int64_t>(constant->getZExtValue() / 8);
    set_twins(operation, {part(operation.getOpcode() == llvm::Instruction::Shl ? -bytes : bytes, size)});
    return true;
  }
  case llvm::Instruction::And: {
    const std::optional<std::uint32_t> bytes = constant ? whole_bytes(constant->getValue()) : std::nullopt;
    if (!bytes)
      return false;
    set_twins(operation, {runtime_.call(builder, "keep", runtime_.word(),
                                        {twin(operation.getOperand(0)), runtime_.number(*bytes), site})});
    return true;
  }
  default:
    return false;
  }
}

void FunctionWidener::visitUnaryOperator(llvm::UnaryOperator &operation) {
  llvm::IRBuilder<> builder = after(operation);
  Twins twins;
  for (std::size_t lane = 0; lane < leaves(operation).size(); ++lane)
    twins.push_back(builder.CreateFNeg(twin(operation.getOperand(0), lane)));
  set_twins(operation, std::move(twins));
}

void FunctionWidener::visitFCmpInst(llvm::FCmpInst &comparison) {
  if (kind_ == TwinKind::correction)
    return; // The decision is the program's.
  llvm::IRBuilder<> builder = after(comparison);
  llvm::Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  const Leaves all = leaves(*left);
  for (std::size_t lane = 0; lane < all.size(); ++lane)
    if (!llvm::isa<llvm::Constant>(twin(left, lane)) || !llvm::isa<llvm::Constant>(twin(right, lane)))
      compare(builder, component(builder, left, all[lane]), twin(left, lane), component(builder, right, all[lane]),
              twin(right, lane), runtime_.site(comparison));
}

// ---- casts ----

void FunctionWidener::visitCastInst(llvm::CastInst &cast) {
  switch (cast.getOpcode()) {
  case llvm::Instruction::FPExt:
    pass_on(cast, cast.getOperand(0));
    return note_coarse(cast);
  case llvm::Instruction::FPTrunc:
    return visit_narrowing(cast);
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: {
    if (kind_ == TwinKind::correction)
      return;
    llvm::IRBuilder<> builder = after(cast);
    llvm::Value *source = cast.getOperand(0);
    const Leaves all = leaves(*source);
    for (std::size_t lane = 0; lane < all.size(); ++lane)
      if (!llvm::isa<llvm::Constant>(twin(source, lane)))
        runtime_.call(
            builder, "to_integer", runtime_.nothing(),
            {widest(builder, component(builder, source, all[lane])).value, twin(source, lane), runtime_.site(cast)});
    return;
  }
  case llvm::Instruction::BitCast:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
    return visit_reinterpretation(cast);
  default:
    return inspect_operands(cast);
  }
}

/// A wider number with the rounding of a narrower one: what only ends in a narrow place has computed with none.
void FunctionWidener::note_coarse(llvm::CastInst &cast) {
  if (kind_ == TwinKind::movement)
    return; // visit_narrowing does.
  llvm::IRBuilder<> builder = after(cast);
  llvm::Value *source = cast.getOperand(0);
  const auto bits = static_cast<std::uint32_t>(source->getType()->getScalarType()->getFPMantissaWidth());
  for (std::size_t lane = 0; lane < leaves(*source).size(); ++lane)
    if (!llvm::isa<llvm::Constant>(twin(source, lane)))
      runtime_.call(builder, "narrow", runtime_.wide(), {twin(source, lane), runtime_.number(bits)});
}

void FunctionWidener::visit_narrowing(llvm::CastInst &cast) {
  const auto bits = static_cast<std::uint32_t>(cast.getType()->getScalarType()->getFPMantissaWidth());
  llvm::IRBuilder<> builder = after(cast);
  llvm::Value *source = cast.getOperand(0);
  Twins terms;
  const Leaves all = leaves(*source);
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    llvm::Value *wider = term(builder, component(builder, source, all[lane]), twin(source, lane));
    terms.push_back(kind_ == TwinKind::movement
                        ? runtime_.call(builder, "narrow", runtime_.wide(), {wider, runtime_.number(bits)})
                        : wider);
  }
  set_twins(cast, twins_of_terms(builder, &cast, terms));
}

/// The bits of `wanted` as they lie in a value of another type.
llvm::Value *FunctionWidener::part_of_bits(llvm::IRBuilder<> &builder, llvm::Value *source, const Leaf &wanted,
                                           llvm::Constant *site) {
  llvm::Value *word = runtime_.no_word();
  const Leaves all = leaves(*source);
  for (std::size_t leaf = 0; leaf < all.size(); ++leaf) {
    const Leaf &from = all[leaf];
    if (from.offset + from.size <= wanted.offset || wanted.offset + wanted.size <= from.offset)
      continue;
    if (from.offset == wanted.offset && from.size == wanted.size && from.kind == wanted.kind)
      return twin(source, leaf);
    const auto shift = static_cast<std::int64_t>(wanted.offset) - static_cast<std::int64_t>(from.offset);
    llvm::Value *bits =
        from.kind == Leaf::Kind::word
            ? twin(source, leaf)
            : runtime_.call(builder, "put", runtime_.word(),
                            {runtime_.no_word(), runtime_.number(0), runtime_.number(from.size), twin(source, leaf)});
    llvm::Value *part =
        runtime_.call(builder, "part", runtime_.word(),
                      {bits, runtime_.number(static_cast<std::uint32_t>(shift)), runtime_.number(wanted.size), site});
    word = word == runtime_.no_word() ? part : runtime_.call(builder, "join", runtime_.word(), {word, part});
  }
  if (wanted.kind == Leaf::Kind::word)
    return word;
  return runtime_.call(builder, "take", runtime_.wide(),
                       {word, runtime_.number(0), runtime_.number(wanted.size), site});
}

void FunctionWidener::visit_reinterpretation(llvm::CastInst &cast) {
  llvm::Value *source = cast.getOperand(0);
  if (cast.getOpcode() != llvm::Instruction::BitCast && cast.getType()->isVectorTy())
    return inspect_operands(cast);
  const bool moves = !leaves(cast).empty() && (cast.getType()->isFPOrFPVectorTy() || carriers_.contains(&cast));
  if (!moves)
    return inspect_operands(cast);
  llvm::IRBuilder<> builder = after(cast);
  Twins twins;
  const Leaves all = leaves(cast);
  for (const Leaf &leaf : all)
    twins.push_back(part_of_bits(builder, source, leaf, runtime_.site(cast)));
  set_twins(cast, std::move(twins));
}

} // namespace assay::widen
