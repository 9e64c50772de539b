#include "core/engine/rules/rule_table.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {

RuleTable::RuleTable() {
  add_arithmetic_rules(*this);
  add_piecewise_rules(*this);
  add_exponential_rules(*this);
  add_trigonometric_rules(*this);
  add_special_function_rules(*this);
  add_device_rules(*this);
  add_complex_rules(*this);
}

const RuleTable &RuleTable::get() {
  static const RuleTable table;
  return table;
}

const RuleEntry *RuleTable::find(StringRef name) const {
  auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.get();
}

std::vector<std::string> RuleTable::names() const {
  std::vector<std::string> names;
  for (const auto &entry : entries_)
    names.push_back(entry.first().str());
  llvm::sort(names);
  return names;
}

RuleTable RuleTable::with_partial(StringRef name, unsigned index, NodePointer partial) const {
  RuleTable altered = *this;
  const std::shared_ptr<const RuleEntry> original = entries_.lookup(name);
  auto entry = std::make_shared<RuleEntry>(*original);
  entry->partials[index] = std::move(partial);
  for (auto &known : altered.entries_)
    if (known.second == original)
      known.second = entry;
  return altered;
}

void RuleTable::reduction(StringRef name, Shape shape) {
  auto entry = std::make_shared<RuleEntry>();
  entry->cost = Cost::cheap;
  entry->shape = shape;
  entry->operands = {OperandKind::floating, OperandKind::floating};
  entries_[name] = std::move(entry);
}

void RuleTable::vertical_tangent(StringRef name) {
  auto entry = std::make_shared<RuleEntry>(*entries_.lookup(name));
  entry->has_vertical_tangent = true;
  entries_[name] = std::move(entry);
}

NodePointer RuleTable::operand_node(unsigned index) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::operand;
  node->index = static_cast<int>(index);
  return node;
}

} // namespace assay::engine
