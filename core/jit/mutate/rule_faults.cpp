// A fault replaces one node of a partial derivative by another; the expression around it is made again.

#include "core/jit/mutate/rule_faults.hpp"

#include "core/engine/rules/dialect.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>

using namespace llvm;

namespace assay::jit {

using engine::Node;
using engine::NodeKind;
using engine::NodePointer;

namespace {

struct RuleSite {
  FaultClass kind;
  unsigned partial; ///< The operand whose partial derivative it is in.
  const Node *node;
  NodePointer other;
  std::string text;
};

NodePointer make(NodeKind kind, ArrayRef<NodePointer> children) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->children.assign(children.begin(), children.end());
  return node;
}

NodePointer make_constant(std::string text) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::constant;
  node->text = std::move(text);
  return node;
}

/// A whole number becomes the next one, a decimal fraction changes in its seventh digit.
NodePointer off_by_a_little(const Node &constant) {
  const StringRef text = constant.text;
  if (!text.contains('.'))
    return make_constant(std::to_string(std::atoi(constant.text.c_str()) + 1));
  std::string changed = constant.text;
  const std::size_t point = changed.find('.');
  changed.resize(std::max(changed.size(), point + 8), '0');
  char &digit = changed[point + 7];
  digit = digit == '9' ? '8' : char(digit + 1);
  return make_constant(changed);
}

/// The decimal as a float has it; empty where that is the same number.
std::string in_single_precision(const Node &constant) {
  const double exact = std::strtod(constant.text.c_str(), nullptr), rounded = static_cast<float>(exact);
  if (exact == rounded)
    return "";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded).ptr;
  return {digits.data(), end};
}

NodePointer make_operand(int index) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::operand;
  node->index = index;
  return node;
}

/// Expressions of which a part is not a factor of the seed cannot be multiplied as a whole.
bool is_factor(const Node &node) {
  return node.kind != NodeKind::unmultiplied && node.kind != NodeKind::seed &&
         all_of(node.children, [](const NodePointer &child) { return is_factor(*child); });
}

class RuleFinder {
public:
  RuleFinder(StringRef name, const engine::RuleEntry &entry)
      : is_complex_(name.starts_with("complex.")), entry_(entry) {}

  std::vector<RuleSite> run() {
    for (partial_ = 0; partial_ < entry_.partials.size(); ++partial_) {
      const NodePointer &root = entry_.partials[partial_];
      if (!root)
        continue;
      seen_.clear();
      if (root->kind != NodeKind::negate && root->kind != NodeKind::select)
        add(FaultClass::sign, *root, make(NodeKind::negate, {root}), "with the other sign");
      visit(*root);
      if (is_factor(*root) && is_floating(int(partial_)))
        visit_factor(root);
    }
    return std::move(sites_);
  }

private:
  void add(FaultClass kind, const Node &node, NodePointer other, std::string text) {
    sites_.push_back({kind, partial_, &node, std::move(other), std::move(text)});
  }

  bool is_floating(int index) const {
    return index >= 0 && std::size_t(index) < entry_.operands.size() &&
           entry_.operands[index] == engine::OperandKind::floating;
  }

  /// What is wrong at some values of its operand alone.
  void visit_factor(const NodePointer &root) {
    const NodePointer x = make_operand(int(partial_));
    add(FaultClass::zero_division, *root, make(NodeKind::multiply, {root, make(NodeKind::divide, {x, x})}),
        "times x / x");
    for (int other = 0; other < int(entry_.operands.size()); ++other)
      if (other != int(partial_) && is_floating(other)) {
        const NodePointer apart = make(NodeKind::subtract, {x, make_operand(other)});
        add(FaultClass::equal_division, *root, make(NodeKind::multiply, {root, make(NodeKind::divide, {apart, apart})}),
            "times (x - y) / (x - y)");
      }
    if (is_complex_) // has no order
      return;
    const NodePointer square = make(NodeKind::multiply, {x, x});
    add(FaultClass::magnitude, *root, halved_where(CmpInst::FCMP_OGT, square, "1000000", root),
        "halved where its operand is above 1000");
    add(FaultClass::magnitude, *root, halved_where(CmpInst::FCMP_OLT, square, "0.000001", root),
        "halved where its operand is below 1/1000");
  }

  static NodePointer halved(const NodePointer &node) { return make(NodeKind::multiply, {node, make_constant("0.5")}); }

  static NodePointer halved_where(CmpInst::Predicate predicate, const NodePointer &value, const char *threshold,
                                  const NodePointer &root) {
    auto condition = std::make_shared<Node>(*make(NodeKind::compare, {value, make_constant(threshold)}));
    condition->predicate = predicate;
    return make(NodeKind::select, {condition, halved(root), root});
  }

  void visit_comparison(const Node &node) {
    if (!is_order(node.predicate))
      return;
    const Node &threshold = *node.children[1];
    const bool is_zero = threshold.kind == NodeKind::constant && std::strtod(threshold.text.c_str(), nullptr) == 0;
    auto moved = std::make_shared<Node>(node);
    moved->children[1] =
        is_zero ? make_constant("0.25") : make(NodeKind::multiply, {node.children[1], make_constant("1.5")});
    add(FaultClass::threshold, node, moved, "a comparison with another threshold");
    auto other = std::make_shared<Node>(node);
    other->predicate = CmpInst::Predicate(node.predicate ^ CmpInst::FCMP_OEQ);
    add(FaultClass::tie, node, other, "a comparison that takes equal numbers for the other side");
  }

  static bool is_order(CmpInst::Predicate predicate) {
    const auto without_equality = predicate & ~(CmpInst::FCMP_OEQ | CmpInst::FCMP_UNO);
    return without_equality == CmpInst::FCMP_OGT || without_equality == CmpInst::FCMP_OLT;
  }

  void visit_side(const Node &node, unsigned side) {
    if (!is_factor(*node.children[side]))
      return;
    auto other = std::make_shared<Node>(node);
    other->children[side] = halved(node.children[side]);
    add(FaultClass::one_side, node, other, side == 1 ? "half of what it is if so" : "half of what it is if not");
  }

  void visit(const Node &node) {
    if (!seen_.insert(&node).second)
      return;
    visit_one(node);
    for (const NodePointer &child : node.children)
      if (node.kind != NodeKind::compare)
        visit(*child);
  }

  void visit_one(const Node &node) {
    switch (node.kind) {
    case NodeKind::constant:
      add(FaultClass::constant, node, off_by_a_little(node), node.text + " changed");
      if (const std::string rounded = in_single_precision(node); !rounded.empty())
        add(FaultClass::single_precision, node, make_constant(rounded), node.text + " rounded to float");
      return;
    case NodeKind::compare:
      return visit_comparison(node);
    case NodeKind::operand:
      return visit_operand(node);
    case NodeKind::negate:
      return add(is_complex_ ? FaultClass::conjugate : FaultClass::sign, node, node.children[0], "a negation left out");
    case NodeKind::add:
      add(FaultClass::dropped_term, node, node.children[0], "a sum without its second term");
      add(FaultClass::dropped_term, node, node.children[1], "a sum without its first term");
      return;
    case NodeKind::subtract:
      add(is_complex_ ? FaultClass::conjugate : FaultClass::sign, node, make(NodeKind::add, node.children),
          "a difference made a sum");
      add(FaultClass::dropped_term, node, node.children[0], "a difference without its second term");
      return;
    case NodeKind::multiply:
      add(FaultClass::wrong_operand, node, node.children[0], "a product without its second factor");
      add(FaultClass::wrong_operand, node, node.children[1], "a product without its first factor");
      return;
    case NodeKind::divide:
      return add(FaultClass::wrong_operand, node, node.children[0], "a quotient without its denominator");
    case NodeKind::select:
      visit_side(node, 1);
      visit_side(node, 2);
      return add(FaultClass::wrong_operand, node,
                 make(NodeKind::select, {node.children[0], node.children[2], node.children[1]}), "branches exchanged");
    default:
      return;
    }
  }

  void visit_operand(const Node &node) {
    for (unsigned index = 0; index < entry_.operands.size(); ++index)
      if (int(index) != node.index && entry_.operands[index] == engine::OperandKind::floating &&
          entry_.operands[node.index] == engine::OperandKind::floating) {
        auto other = std::make_shared<Node>(node);
        other->index = int(index);
        return add(FaultClass::wrong_operand, node, std::move(other), "another operand");
      }
  }

  bool is_complex_;
  const engine::RuleEntry &entry_;
  unsigned partial_ = 0;
  DenseSet<const Node *> seen_;
  std::vector<RuleSite> sites_;
};

std::vector<RuleSite> sites_of(const engine::RuleTable &table, const std::string &name) {
  const engine::RuleEntry *entry = table.find(name);
  if (!entry || entry->shape != engine::Shape::elementwise)
    return {};
  return RuleFinder(name, *entry).run();
}

using Copies = DenseMap<const Node *, NodePointer>;

NodePointer replaced(const NodePointer &node, const Node &old, const NodePointer &other, Copies &copies) {
  if (node.get() == &old)
    return other;
  if (node->children.empty())
    return node;
  if (NodePointer known = copies.lookup(node.get()))
    return known;
  auto copy = std::make_shared<Node>(*node);
  bool changed = false;
  for (NodePointer &child : copy->children) {
    NodePointer inner = replaced(child, old, other, copies);
    changed |= inner != child;
    child = std::move(inner);
  }
  return copies[node.get()] = changed ? NodePointer(copy) : node;
}

} // namespace

std::vector<Fault> faults_of_rule(const engine::RuleTable &table, const std::string &name) {
  std::vector<Fault> faults;
  std::map<FaultClass, unsigned> counts;
  for (const RuleSite &site : sites_of(table, name))
    faults.push_back({site.kind, name, counts[site.kind]++, 0,
                      "partial by operand " + std::to_string(site.partial + 1) + ": " + site.text});
  return faults;
}

engine::RuleTable with_fault(const engine::RuleTable &table, const Fault &fault) {
  unsigned number = 0;
  for (const RuleSite &site : sites_of(table, fault.place))
    if (site.kind == fault.kind && number++ == fault.number) {
      Copies copies;
      const NodePointer &root = table.find(fault.place)->partials[site.partial];
      return table.with_partial(fault.place, site.partial, replaced(root, *site.node, site.other, copies));
    }
  return table;
}

/// As the engine names it when it looks for a rule (rules/scalar_rule.cpp).
static StringRef library_name(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isIntrinsic())
    return "";
  StringRef name = callee->getName();
  if (name.starts_with("assay.complex.") && name.consume_front("assay."))
    return name.rsplit('.').first;
  return name;
}

void collect_rules(const Function &written, const engine::RuleTable &table, std::set<std::string> &names) {
  for (const Instruction &instruction : instructions(written)) {
    if (!instruction.getType()->isFPOrFPVectorTy())
      continue;
    const std::string name = engine::spelling_of(instruction, library_name(instruction)).name;
    if (table.find(name))
      names.insert(name);
    if (name == "pow")
      names.insert("pow.simple");
  }
}

} // namespace assay::jit
