#include "core/engine/plan/index_form.hpp"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr unsigned most_depth = 12;
constexpr std::int64_t most_factor = std::int64_t(1) << 24; // keeps all sums of products far from wrapping around

bool is_small(std::int64_t number) {
  return number <= most_factor && number >= -most_factor;
}

IndexForm atom_form(Atom atom) {
  IndexForm form;
  form.linear[atom] = 1;
  return form;
}

bool has_small_factors(const IndexForm &form) {
  return is_small(form.constant) && all_of(form.linear, [](const auto &entry) { return is_small(entry.second); }) &&
         all_of(form.products, [](const auto &entry) { return is_small(entry.second); });
}

/// Nothing for products of more than two atoms.
std::optional<IndexForm> multiply(const IndexForm &left, const IndexForm &right) {
  IndexForm product;
  product.add(left, right.constant);
  IndexForm rest = right;
  rest.constant = 0;
  product.add(rest, left.constant);
  if ((!left.is_linear() && !rest.linear.empty()) || !right.is_linear())
    return std::nullopt;
  for (const auto &[first, first_factor] : left.linear)
    for (const auto &[second, second_factor] : rest.linear) {
      const bool ordered = first.getOpaqueValue() <= second.getOpaqueValue();
      product.products[ordered ? std::pair(first, second) : std::pair(second, first)] += first_factor * second_factor;
    }
  return product;
}

std::optional<std::int64_t> small_constant(const Value &value) {
  const auto *constant = dyn_cast<ConstantInt>(&value);
  if (!constant || constant->getValue().getSignificantBits() > 24)
    return std::nullopt;
  return constant->getSExtValue();
}

} // namespace

void IndexForm::add(const IndexForm &other, std::int64_t factor) {
  constant += factor * other.constant;
  for (const auto &[atom, count] : other.linear)
    linear[atom] += factor * count;
  for (const auto &[atoms, count] : other.products)
    products[atoms] += factor * count;
  linear.remove_if([](const auto &entry) { return entry.second == 0; });
  products.remove_if([](const auto &entry) { return entry.second == 0; });
}

const Loop *IndexForms::home(Atom atom) const {
  if (const auto *loop = dyn_cast<const Loop *>(atom))
    return loop;
  const auto *instruction = dyn_cast<Instruction>(cast<const Value *>(atom));
  return instruction ? loops_.getLoopFor(instruction->getParent()) : nullptr;
}

/// A phi that a constant is added to in each iteration: start + step * counter.
std::optional<IndexForm> IndexForms::of_counter(const PHINode &phi, unsigned depth) {
  const Loop *loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopPreheader() || !loop->getLoopLatch())
    return std::nullopt;
  const Value *next = phi.getIncomingValueForBlock(loop->getLoopLatch()), *step = nullptr;
  if (!match(next, m_NSWAdd(m_Specific(&phi), m_Value(step))) || !small_constant(*step))
    return std::nullopt;
  IndexForm form = of_operation(*phi.getIncomingValueForBlock(loop->getLoopPreheader()), depth);
  form.add(atom_form(loop), *small_constant(*step));
  return form;
}

IndexForm IndexForms::of_operation(const Value &value, unsigned depth) {
  if (depth < most_depth)
    if (std::optional<IndexForm> form = taken_apart(value, depth); form && has_small_factors(*form))
      return *form;
  return atom_form(&value);
}

std::optional<IndexForm> IndexForms::taken_apart(const Value &value, unsigned depth) {
  const Value *left = nullptr, *right = nullptr;
  if (const std::optional<std::int64_t> constant = small_constant(value)) {
    IndexForm form;
    form.constant = *constant;
    return form;
  }
  if (match(&value, m_SExt(m_Value(left))) || match(&value, m_NNegZExt(m_Value(left))))
    return of_operation(*left, depth + 1);
  if (match(&value, m_NSWAdd(m_Value(left), m_Value(right))) ||
      match(&value, m_DisjointOr(m_Value(left), m_Value(right)))) {
    IndexForm form = of_operation(*left, depth + 1);
    form.add(of_operation(*right, depth + 1), 1);
    return form;
  }
  if (match(&value, m_NSWSub(m_Value(left), m_Value(right)))) {
    IndexForm form = of_operation(*left, depth + 1);
    form.add(of_operation(*right, depth + 1), -1);
    return form;
  }
  if (match(&value, m_NSWMul(m_Value(left), m_Value(right))))
    return multiply(of_operation(*left, depth + 1), of_operation(*right, depth + 1));
  if (match(&value, m_NSWShl(m_Value(left), m_Value(right))))
    if (const std::optional<std::int64_t> bits = small_constant(*right); bits && *bits >= 0 && *bits < 20) {
      IndexForm form;
      form.add(of_operation(*left, depth + 1), std::int64_t(1) << *bits);
      return form;
    }
  const auto *phi = dyn_cast<PHINode>(&value);
  return phi ? of_counter(*phi, depth + 1) : std::nullopt;
}

IndexForm IndexForms::of(const Value &value) {
  return of_operation(value, 0);
}

std::optional<IndexForms::Address> IndexForms::of_address(const Value &pointer, const DataLayout &layout) {
  Address address{&pointer, {}};
  while (const auto *step = dyn_cast<GEPOperator>(address.base)) {
    const unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(bits, 0);
    if (!step->isInBounds() || !step->collectOffset(layout, bits, variable, constant) ||
        constant.getSignificantBits() > 24)
      return std::nullopt;
    address.bytes.constant += constant.getSExtValue();
    for (const auto &[index, scale] : variable) {
      if (scale.getSignificantBits() > 24 || index->getType()->getIntegerBitWidth() > bits)
        return std::nullopt;
      address.bytes.add(of(*index), scale.getSExtValue());
    }
    address.base = step->getPointerOperand();
  }
  return has_small_factors(address.bytes) ? std::optional(address) : std::nullopt;
}

} // namespace assay::engine
