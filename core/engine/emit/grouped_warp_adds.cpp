#include "core/engine/emit/grouped_warp_adds.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

/// What a lane has at one point of the code: sums of the numbers from `first` on, and whether it adds them to memory.
struct Held {
  SmallVector<Value *, most_grouped_sums> numbers;
  Value *first = nullptr, *adds = nullptr;
};
/// By how many numbers are held: what comes in, from which blocks.
using States = std::map<std::size_t, SmallVector<std::pair<Held, BasicBlock *>, 3>>;

class GroupCode {
public:
  GroupCode(Function &function, ArrayRef<std::int64_t> offsets)
      : function_(function), offsets_(offsets), builder_(block_of(function, "")) {}

  void write() {
    auto *whole = block_of(function_, "whole"), *uniform = block_of(function_, "uniform"),
         *grouped = block_of(function_, "grouped"), *part = block_of(function_, "part"),
         *few = block_of(function_, "few"), *alone = block_of(function_, "alone");
    Value *members = builder_.CreateCall(lanes_together_function(*function_.getParent()));
    Value *all = builder_.getInt32(~0U);
    builder_.CreateCondBr(builder_.CreateICmpEQ(members, all), whole, part);

    begin(whole, all);
    Value *one_place = code_->all_equal_after(address_, [&](Value *word) { return code_->broadcast_first(word); });
    builder_.CreateCondBr(one_place, uniform, grouped);
    builder_.SetInsertPoint(uniform);
    Held held = given();
    for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2)
      held = joined(held, distance);
    add(held);
    builder_.SetInsertPoint(grouped);
    write_grouped();

    builder_.SetInsertPoint(part);
    builder_.CreateCondBr(builder_.CreateICmpNE(members, builder_.getInt32(0)), few, alone);
    begin(few, members);
    write_grouped();
    builder_.SetInsertPoint(alone);
    for (std::size_t index = 0; index < offsets_.size(); ++index)
      add_for_device(builder_, place(builder_.getInt64(offsets_[index])), function_.getArg(index + 1));
    builder_.CreateRetVoid();
  }

private:
  void begin(BasicBlock *block, Value *members) {
    builder_.SetInsertPoint(block);
    code_.emplace(builder_, function_, members);
    address_ = code_->address_words();
    lane_ = code_->lane();
  }

  /// Numbers up to a power of two, so that they can be halved.
  Held given() {
    Held held;
    for (std::size_t index = 0; index < offsets_.size(); ++index)
      held.numbers.push_back(function_.getArg(index + 1));
    held.numbers.resize(PowerOf2Ceil(held.numbers.size()), ConstantFP::getZero(held.numbers.front()->getType()));
    held.first = builder_.getInt32(0);
    held.adds = builder_.getTrue();
    return held;
  }

  /// With those of the lane `distance` beside this one, which means the same place.
  Held joined(const Held &held, unsigned distance) {
    Held result = held;
    Value *has_lane_bit = code_->has_lane_bit(lane_, distance);
    if (held.numbers.size() == 1) {
      result.numbers.front() = code_->plus_butterfly(held.numbers.front(), distance);
      result.adds = builder_.CreateAnd(held.adds, builder_.CreateNot(has_lane_bit));
      return result;
    }
    const std::size_t half = held.numbers.size() / 2;
    result.numbers.resize(half);
    for (std::size_t index = 0; index < half; ++index) {
      Value *low = held.numbers[index], *high = held.numbers[index + half];
      Value *beside = code_->butterfly(builder_.CreateSelect(has_lane_bit, low, high), distance);
      result.numbers[index] = builder_.CreateFAdd(builder_.CreateSelect(has_lane_bit, high, low), beside);
    }
    result.first = builder_.CreateAdd(
        held.first, builder_.CreateSelect(has_lane_bit, builder_.getInt32(half), builder_.getInt32(0)));
    return result;
  }

  /// Lanes may mean several places: those `distance` apart join where all pairs of them mean one.
  void write_grouped() {
    SmallVector<std::pair<unsigned, Value *>, 5> pairs_agree;
    for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2)
      pairs_agree.emplace_back(
          distance, builder_.CreateAnd(code_->has_lane(distance), code_->all_equal_after(address_, [&](Value *word) {
            return code_->butterfly_word(word, distance);
          })));
    const Held start = given();
    States states;
    states[start.numbers.size()].emplace_back(start, builder_.GetInsertBlock());
    for (const auto &[distance, agree] : pairs_agree)
      states = after(std::move(states), distance, agree);
    for (const auto &[size, incoming] : states) {
      const Held held = merged(incoming);
      add(held);
    }
  }

  States after(States before, unsigned distance, Value *agree) {
    States result;
    for (const auto &[size, incoming] : before) {
      const Held held = merged(incoming);
      BasicBlock *here = builder_.GetInsertBlock(), *join = block_of(function_, "join"),
                 *apart = block_of(function_, "apart");
      builder_.CreateCondBr(agree, join, apart);
      builder_.SetInsertPoint(join);
      const Held with_beside = joined(held, distance);
      result[with_beside.numbers.size()].emplace_back(with_beside, join);
      result[size].emplace_back(held, apart);
      builder_.SetInsertPoint(here);
    }
    return result;
  }

  /// Goes on in a block of its own.
  Held merged(ArrayRef<std::pair<Held, BasicBlock *>> incoming) {
    auto *block = block_of(function_, "held");
    for (const auto &[held, from] : incoming)
      IRBuilder<>(from).CreateBr(block);
    builder_.SetInsertPoint(block);
    const auto merge = [&](auto value_of) {
      Value *first = value_of(incoming.front().first);
      PHINode *phi = builder_.CreatePHI(first->getType(), incoming.size());
      for (const auto &[held, from] : incoming)
        phi->addIncoming(value_of(held), from);
      return phi;
    };
    Held result;
    for (std::size_t index = 0; index < incoming.front().first.numbers.size(); ++index)
      result.numbers.push_back(merge([&](const Held &held) { return held.numbers[index]; }));
    result.first = merge([](const Held &held) { return held.first; });
    result.adds = merge([](const Held &held) { return held.adds; });
    return result;
  }

  void add(const Held &held) {
    for (std::size_t index = 0; index < held.numbers.size(); ++index) {
      Value *number = builder_.CreateAdd(held.first, builder_.getInt32(index));
      Value *adds = builder_.CreateAnd(held.adds, builder_.CreateICmpULT(number, builder_.getInt32(offsets_.size())));
      auto *sum = block_of(function_, "sum"), *next = block_of(function_, "next");
      builder_.CreateCondBr(adds, sum, next);
      builder_.SetInsertPoint(sum);
      add_for_device(builder_, place(offset_of(number)), held.numbers[index]);
      builder_.CreateBr(next);
      builder_.SetInsertPoint(next);
    }
    code_->wait();
    builder_.CreateRetVoid();
  }

  Value *place(Value *offset) { return builder_.CreatePtrAdd(function_.getArg(0), offset); }

  Value *offset_of(Value *number) {
    const std::int64_t step = offsets_[1] - offsets_[0];
    const auto is_regular = [&](std::size_t index) {
      return offsets_[index] - offsets_[0] == step * static_cast<std::int64_t>(index);
    };
    if (all_of(seq(offsets_.size()), is_regular))
      return builder_.CreateAdd(
          builder_.CreateMul(builder_.CreateZExt(number, builder_.getInt64Ty()), builder_.getInt64(step)),
          builder_.getInt64(offsets_[0]));
    Value *offset = builder_.getInt64(offsets_[0]);
    for (std::size_t index = 1; index < offsets_.size(); ++index)
      offset = builder_.CreateSelect(builder_.CreateICmpEQ(number, builder_.getInt32(index)),
                                     builder_.getInt64(offsets_[index]), offset);
    return offset;
  }

  Function &function_;
  ArrayRef<std::int64_t> offsets_;
  IRBuilder<> builder_;
  std::optional<WarpCode> code_; ///< Of the lanes that are together where code is written.
  SmallVector<Value *, 2> address_;
  Value *lane_ = nullptr;
};

} // namespace

Function *grouped_warp_add_function(Module &module, Type *type, PointerType *address, ArrayRef<std::int64_t> offsets) {
  assert(offsets.size() > 1 && offsets.size() <= most_grouped_sums);
  return warp_add_of_several(module, grouped_warp_add_prefix, type, address, offsets,
                             [&](Function &function) { GroupCode(function, offsets).write(); });
}

} // namespace assay::engine
