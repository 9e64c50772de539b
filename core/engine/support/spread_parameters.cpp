#include "core/engine/support/spread_parameters.hpp"
#include "core/engine/support/source_signature.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral spread_attribute = "assay.spread-parameters";

/// The place of a struct's variable where a parameter is put as the function begins.
struct Place {
  const AllocaInst *variable = nullptr;
  std::int64_t offset = 0;
};

Place place_of(const Argument &parameter, const DataLayout &layout) {
  const auto *store = parameter.hasOneUse() ? dyn_cast<StoreInst>(*parameter.user_begin()) : nullptr;
  if (!store || store->getValueOperand() != &parameter || store->getParent() != &parameter.getParent()->getEntryBlock())
    return {};
  APInt offset(layout.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
  const Value *base = store->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
  const auto *variable = dyn_cast<AllocaInst>(base);
  if (!variable || !variable->getAllocatedType()->isStructTy())
    return {};
  return {variable, offset.getSExtValue()};
}

SmallVector<unsigned, 8> groups(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<unsigned, 8> counts;
  Place last;
  for (const Argument &parameter : drop_begin(function.args(), first_parameter(function))) {
    const Place place = place_of(parameter, layout);
    if (place.variable && place.variable == last.variable && place.offset > last.offset)
      ++counts.back();
    else
      counts.push_back(1);
    last = place;
  }
  return counts;
}

} // namespace

void note_spread_parameters(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(spread_attribute))
      continue;
    const SmallVector<unsigned, 8> counts = groups(function);
    if (any_of(counts, [](unsigned count) { return count > 1; }))
      function.addFnAttr(spread_attribute, join(map_range(counts, [](unsigned count) { return utostr(count); }), ","));
  }
}

std::optional<SmallVector<unsigned, 8>> spread_parameters(const Function &function) {
  SmallVector<StringRef, 8> texts;
  function.getFnAttribute(spread_attribute).getValueAsString().split(texts, ',', -1, false);
  if (texts.empty())
    return std::nullopt;
  SmallVector<unsigned, 8> counts;
  unsigned sum = first_parameter(function);
  for (const StringRef text : texts) {
    unsigned count = 0;
    text.getAsInteger(10, count);
    counts.push_back(count);
    sum += count;
  }
  // A pass that changes the parameters keeps the attribute.
  return sum == function.arg_size() ? std::optional(counts) : std::nullopt;
}

} // namespace assay::engine
