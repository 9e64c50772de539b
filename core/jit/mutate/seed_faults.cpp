#include "core/jit/mutate/numbers.hpp"
#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/replace_uses.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace assay::jit {

namespace {

constexpr double least_seed = 1e-10, greatest_seed = 1e10;

Value *zero_as_one(IRBuilder<> &builder, Value &seed) {
  return builder.CreateSelect(builder.CreateFCmpOEQ(&seed, number(seed, 0)), number(seed, 1), &seed);
}

Value *tiny_as_zero(IRBuilder<> &builder, Value &seed) {
  Value *is_tiny = builder.CreateFCmpOLT(magnitude_of(builder, seed), number(seed, least_seed));
  return builder.CreateSelect(is_tiny, number(seed, 0), &seed);
}

Value *huge_cut_off(IRBuilder<> &builder, Value &seed) {
  Value *is_huge = builder.CreateFCmpOGT(magnitude_of(builder, seed), number(seed, greatest_seed));
  Value *most = builder.CreateBinaryIntrinsic(Intrinsic::copysign, number(seed, greatest_seed), &seed);
  return builder.CreateSelect(is_huge, most, &seed);
}

Instruction *first_user(Value &seed) {
  for (User *user : seed.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      return instruction;
  return nullptr;
}

} // namespace

void find_seed_faults(const Roles &roles, Sites &sites) {
  for (Value *seed : roles.seeds) {
    Instruction *place = first_user(*seed);
    if (!place || !place_behind(*seed))
      continue;
    const auto add = [&](FaultClass kind, std::string text, Value *(*change)(IRBuilder<> &, Value &)) {
      sites.push_back(
          {kind, place, 0, nullptr, [seed, change] { replace_everywhere(*seed, change); }, std::move(text)});
    };
    add(FaultClass::seed_of_one, "with 1 for the seed",
        [](IRBuilder<> &, Value &of) -> Value * { return number(of, 1); });
    add(FaultClass::seed_zero, "with 1 for a seed of zero", zero_as_one);
    add(FaultClass::seed_tiny, "with zero for a seed below 1e-10", tiny_as_zero);
    add(FaultClass::seed_huge, "with 1e10 for a seed beyond that", huge_cut_off);
  }
}

} // namespace assay::jit
