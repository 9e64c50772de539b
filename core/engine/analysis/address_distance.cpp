#include "core/engine/analysis/address_distance.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// An index, and as what it is extended to 64 bits.
using Index = std::pair<const Value *, unsigned>;

/// An index without the constant that is added to it: `zext(x + 8)`, where the sum does not wrap around, is `zext(x)`
/// and 8.
std::pair<Index, std::int64_t> without_constant(const Value &index) {
  const Value *number = &index;
  unsigned extension = 0;
  if (const auto *cast = dyn_cast<CastInst>(number); cast && isa<SExtInst, ZExtInst>(cast)) {
    extension = cast->getOpcode();
    number = cast->getOperand(0);
  }
  const Value *rest = nullptr;
  const APInt *constant = nullptr;
  if (!match(number, m_Add(m_Value(rest), m_APInt(constant))))
    return {{number, extension}, 0};
  const auto &sum = *cast<OverflowingBinaryOperator>(number);
  switch (extension) {
  case Instruction::ZExt:
    return sum.hasNoUnsignedWrap() ? std::pair(Index(rest, extension), std::int64_t(constant->getZExtValue()))
                                   : std::pair(Index(number, extension), std::int64_t(0));
  case Instruction::SExt:
    return sum.hasNoSignedWrap() ? std::pair(Index(rest, extension), constant->getSExtValue())
                                 : std::pair(Index(number, extension), std::int64_t(0));
  default:
    return {{rest, extension}, constant->getSExtValue()};
  }
}

/// `base + sum of scale * index + constant`.
struct Address {
  const Value *base = nullptr;
  MapVector<Index, std::int64_t> indices;
  std::int64_t constant = 0;
};

std::optional<Address> address_of(const Value &pointer) {
  Address address;
  address.base = &pointer;
  while (const auto *element = dyn_cast<GetElementPtrInst>(address.base)) {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    const DataLayout &layout = element->getDataLayout();
    if (layout.getIndexTypeSizeInBits(element->getType()) != 64 ||
        !cast<GEPOperator>(element)->collectOffset(layout, 64, variable, constant))
      return std::nullopt;
    address.constant += constant.getSExtValue();
    for (const auto &[value, scale] : variable) {
      const auto [index, added] = without_constant(*value);
      address.indices[index] += scale.getSExtValue();
      address.constant += added * scale.getSExtValue();
    }
    address.base = element->getPointerOperand();
  }
  return address;
}

bool are_alike(const Address &a, const Address &b) {
  return a.base == b.base && a.indices.size() == b.indices.size() && all_of(a.indices, [&](const auto &entry) {
           const auto *same = b.indices.find(entry.first);
           return same != b.indices.end() && same->second == entry.second;
         });
}

} // namespace

std::optional<std::int64_t> constant_distance(const Value &from, const Value &to, ScalarEvolution &evolution) {
  const auto scev_of = [&](const Value &pointer) { return evolution.getSCEV(const_cast<Value *>(&pointer)); };
  if (const auto *known = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(scev_of(to), scev_of(from))))
    return known->getAPInt().getSExtValue();
  const std::optional<Address> begin = address_of(from), end = address_of(to);
  if (!begin || !end || !are_alike(*begin, *end))
    return std::nullopt;
  return end->constant - begin->constant;
}

} // namespace assay::engine
