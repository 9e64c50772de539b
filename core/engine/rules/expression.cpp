#include "core/engine/rules/expression.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {

static NodePointer make(NodeKind kind, ArrayRef<NodePointer> children = {}) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->children.assign(children.begin(), children.end());
  return node;
}

static NodePointer make_constant(std::string decimal) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::constant;
  node->text = std::move(decimal);
  return node;
}

static Condition compare(CmpInst::Predicate predicate, const Expression &a, const Expression &b) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::compare;
  node->predicate = predicate;
  node->children = {a.node, b.node};
  return {std::move(node)};
}

static Integer offset(const Integer &value, int distance) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::offset;
  node->index = distance;
  node->children = {value.node};
  return {std::move(node)};
}

Expression::Expression(int value) : node(make_constant(std::to_string(value))) {}
Expression::Expression(const char *decimal) : node(make_constant(decimal)) {}

Expression result() {
  return Expression(make(NodeKind::result));
}
Expression seed() {
  return Expression(make(NodeKind::seed));
}
Expression dominance() {
  return Expression(make(NodeKind::dominance));
}
Expression unmultiplied(const Expression &value) {
  return Expression(make(NodeKind::unmultiplied, value.node));
}
Expression to_float(const Integer &value) {
  return Expression(make(NodeKind::to_float, value.node));
}

Expression operator-(const Expression &a) {
  return Expression(make(NodeKind::negate, a.node));
}
Expression operator+(const Expression &a, const Expression &b) {
  return Expression(make(NodeKind::add, {a.node, b.node}));
}
Expression operator-(const Expression &a, const Expression &b) {
  return Expression(make(NodeKind::subtract, {a.node, b.node}));
}
Expression operator*(const Expression &a, const Expression &b) {
  return Expression(make(NodeKind::multiply, {a.node, b.node}));
}
Expression operator/(const Expression &a, const Expression &b) {
  return Expression(make(NodeKind::divide, {a.node, b.node}));
}
Integer operator+(const Integer &a, int b) {
  return offset(a, b);
}
Integer operator-(const Integer &a, int b) {
  return offset(a, -b);
}

Condition operator<(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_OLT, a, b);
}
Condition operator<=(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_OLE, a, b);
}
Condition operator>(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_OGT, a, b);
}
Condition operator>=(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_OGE, a, b);
}
Condition equal(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_OEQ, a, b);
}
Condition is_number(const Expression &a) {
  return compare(CmpInst::FCMP_ORD, a, a);
}
Condition ordered_and_different(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_ONE, a, b);
}
Condition unordered_or_at_least(const Expression &a, const Expression &b) {
  return compare(CmpInst::FCMP_UGE, a, b);
}
Condition both(const Condition &a, const Condition &b) {
  return {make(NodeKind::both, {a.node, b.node})};
}

Expression select(const Condition &condition, const Expression &yes, const Expression &no) {
  return Expression(make(NodeKind::select, {condition.node, yes.node, no.node}));
}

Expression call(StringRef name, ArrayRef<NodePointer> arguments) {
  auto node = std::make_shared<Node>();
  node->kind = NodeKind::call;
  node->text = name.str();
  node->children.assign(arguments.begin(), arguments.end());
  return Expression(std::move(node));
}

bool is_constant(const Node &node, StringRef decimal) {
  return node.kind == NodeKind::constant && node.text == decimal;
}

bool mentions_seed(const Node &node) {
  return node.kind == NodeKind::seed ||
         any_of(node.children, [](const NodePointer &child) { return mentions_seed(*child); });
}

} // namespace assay::engine
