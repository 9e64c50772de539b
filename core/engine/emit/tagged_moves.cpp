#include "core/engine/emit/tagged_moves.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/support/library_bodies.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// The operands of a call of a helper; memory without a shadow is its own.
struct TaggedMove {
  TaggedCopy kind;
  const Value *target, *source; ///< The source is null where there is none.
  const Value *length, *bits;   ///< The bits are null but for moves of shadows.

  explicit TaggedMove(const CallBase &call) : kind(tagged_copy(call)), target(call.getArgOperand(0)) {
    source = has_source(kind) ? call.getArgOperand(1) : nullptr;
    length = call.getArgOperand(source ? 2 : 1);
    bits = kind == TaggedCopy::shadow ? call.getArgOperand(3) : nullptr;
  }
  /// Numbers go on to memory that has no adjoints: they end.
  bool ends(const ForwardSweep &sweep) const {
    return kind == TaggedCopy::adjoint && !sweep.activity.has_shadow(*source);
  }
  bool has_record(const ForwardSweep &sweep) const {
    return kind == TaggedCopy::shadow || kind == TaggedCopy::clear || (kind == TaggedCopy::adjoint && !ends(sweep));
  }
};

} // namespace

bool is_tagged_move(const ForwardSweep &sweep, const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && tagged_copy(*call) != TaggedCopy::none && sweep.activity.has_shadow(*call->getArgOperand(0));
}

Error write_tagged_move(ForwardSweep &sweep, const CallBase &call) {
  const TaggedMove move(call);
  if (move.ends(sweep) || move.kind == TaggedCopy::clear_adjoint)
    return Error::success();
  Expected<Lanes> targets = shadow_of(sweep, move.target, call);
  if (!targets)
    return targets.takeError();
  Lanes sources(sweep.width, move.source ? sweep.primal(move.source) : nullptr);
  if (move.source && sweep.activity.has_shadow(*move.source)) {
    Expected<Lanes> shadow = shadow_of(sweep, move.source, call);
    if (!shadow)
      return shadow.takeError();
    sources = *shadow;
  }
  Module &module = *sweep.function.getParent();
  const Function &callee = *call.getCalledFunction();
  const bool has_record = move.has_record(sweep);
  Function *helper = library_helper(module, has_record ? reverse_form_name("augmented", callee) : tangent_name(callee));
  auto *primal = cast<CallBase>(sweep.primal(&call));
  IRBuilder<> builder(primal);
  Lanes records;
  for (unsigned lane = 0; lane < sweep.width; ++lane) {
    Value *length = sweep.primal(move.length), *none = builder.getInt64(0);
    length = unless_own_shadow(sweep, builder, (*targets)[lane], sweep.primal(move.target), none, length);
    if (move.kind == TaggedCopy::adjoint)
      length = unless_own_shadow(sweep, builder, sources[lane], sweep.primal(move.source), none, length);
    SmallVector<Value *, 6> arguments;
    if (move.kind != TaggedCopy::adjoint)
      arguments.push_back((*targets)[lane]);
    if (move.source)
      arguments.push_back(sources[lane]);
    arguments.push_back(length);
    if (move.bits)
      arguments.push_back(sweep.primal(move.bits));
    arguments.push_back(sweep.primal(move.target));
    if (move.source)
      arguments.push_back(sweep.primal(move.source));
    records.push_back(builder.CreateCall(helper, arguments));
  }
  if (has_record)
    sweep.kinds_of_moved_words[&call] = std::move(records);
  return Error::success();
}

void tagged_move_needs(ForwardSweep &sweep, const CallBase &call, function_ref<void(Value *)> need) {
  const TaggedMove move(call);
  const auto need_all = [&](const Lanes &lanes) {
    for (Value *value : lanes)
      need(value);
  };
  const auto need_shadow = [&](const Value *pointer) {
    if (Expected<Lanes> shadow = shadow_of(sweep, pointer, call))
      need_all(*shadow);
    else
      consumeError(shadow.takeError()); // told when the sweep was written
    if (sweep.request.options.runtime_activity)
      need(sweep.primal(pointer));
  };
  need(sweep.primal(move.length));
  need_shadow(move.target);
  if (move.kind == TaggedCopy::adjoint && !move.ends(sweep))
    need_shadow(move.source);
  if (const auto records = sweep.kinds_of_moved_words.find(&call); records != sweep.kinds_of_moved_words.end())
    need_all(records->second);
}

Error emit_tagged_move_adjoint(ReverseEmitter &emitter, const CallBase &call) {
  ForwardSweep &sweep = emitter.sweep();
  const TaggedMove move(call);
  Module &module = *sweep.function.getParent();
  IRBuilder<> &builder = emitter.builder();
  Value *none = builder.getInt64(0);
  Function *clear = library_helper(module, clearing_name(*call.getCalledFunction()));
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> target = emitter.lookup_shadow(move.target, lane, call);
    if (!target)
      return target.takeError();
    const auto unless_own = [&](Value *shadow, const Value *pointer, Value *when_own, Value *otherwise) {
      if (!sweep.request.options.runtime_activity)
        return otherwise;
      return unless_own_shadow(sweep, builder, shadow, emitter.lookup_primal(pointer), when_own, otherwise);
    };
    Value *length = unless_own(*target, move.target, none, emitter.lookup_primal(move.length));
    if (!move.has_record(sweep)) {
      builder.CreateCall(clear, {*target, length});
      continue;
    }
    Value *record = emitter.lookup(sweep.kinds_of_moved_words[&call][lane]);
    Function *helper = library_helper(module, reverse_form_name("reverse", *call.getCalledFunction()));
    if (move.kind != TaggedCopy::adjoint) {
      builder.CreateCall(helper, {*target, length, record});
      continue;
    }
    Expected<Value *> source = emitter.lookup_shadow(move.source, lane, call);
    if (!source)
      return source.takeError();
    Value *moved = unless_own(*source, move.source, none, length);
    builder.CreateCall(helper, {*target, *source, moved, record});
    if (sweep.request.options.runtime_activity)
      builder.CreateCall(clear, {*target, builder.CreateSub(length, moved)});
  }
  return Error::success();
}

} // namespace assay::engine
