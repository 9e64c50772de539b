// Nodes that are a number, or lead to others: raw bytes that are copied whole, as enumerations of Rust are. Their
// addresses are looked at as integers before they are followed, and floats are computed with elsewhere.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

struct Node {
  alignas(8) char bytes[24];
};
enum Tag { number, product, sine };

template <class T>
T part(const Node &node, std::size_t place) {
  T value;
  std::memcpy(&value, node.bytes + place, sizeof(T));
  return value;
}
template <class T>
void set(Node &node, std::size_t place, T value) {
  std::memcpy(node.bytes + place, &value, sizeof(T));
}
int tag(const Node &node) {
  return part<int>(node, 0);
}
const Node &checked(const Node *node) {
  if (reinterpret_cast<std::uintptr_t>(node) & 7)
    std::abort();
  return *node;
}
Node *boxed(const Node &node, Node *place) {
  std::memcpy(place, &node, sizeof(Node));
  return place;
}
const Node &left(const Node &node) {
  return checked(part<const Node *>(node, 8));
}
const Node &right(const Node &node) {
  return checked(part<const Node *>(node, 16));
}
double value_of(const Node &node) {
  switch (tag(node)) {
  case number:
    return part<double>(node, 8);
  case product:
    return value_of(left(node)) * value_of(right(node));
  default:
    return std::sin(value_of(left(node)));
  }
}
double chain_of_nodes(const double *x, int n) {
  auto *const nodes = static_cast<Node *>(std::malloc(2 * std::size_t(n) * sizeof(Node)));
  Node whole, other, next;
  set(whole, 8, x[0]);
  set(whole, 0, int(number));
  for (int i = 1; i < n; ++i) {
    const Node moved = whole;
    set(next, 8, boxed(moved, nodes + 2 * i));
    if (i % 2) {
      set(other, 8, x[i]);
      set(other, 0, int(number));
      set(next, 16, boxed(other, nodes + 2 * i + 1));
      set(next, 0, int(product));
    } else {
      set(next, 0, int(sine));
    }
    whole = next;
  }
  double value;
  switch (tag(whole)) { // value_of, as it is inlined: the node stays in registers
  case number:
    value = part<double>(whole, 8);
    break;
  case product:
    value = value_of(left(whole)) * value_of(right(whole));
    break;
  default:
    value = std::sin(value_of(left(whole)));
  }
  std::free(nodes);
  return value;
}

void release(Node *node) {
  if (tag(*node) != number)
    release(const_cast<Node *>(&left(*node)));
  if (tag(*node) == product)
    release(const_cast<Node *>(&right(*node)));
  std::free(node);
}
Node *copy_of(const Node &node) {
  return boxed(node, static_cast<Node *>(std::malloc(sizeof(Node))));
}
/// The number of a node is loaded once, and goes on as an address as well.
double released_chain(const double *x, int n) {
  Node whole, other, next;
  set(whole, 8, x[0]);
  set(whole, 0, int(number));
  for (int i = 1; i < n; ++i) {
    const Node moved = whole;
    set(next, 8, copy_of(moved));
    if (i % 2) {
      set(other, 8, x[i]);
      set(other, 0, int(number));
      set(next, 16, copy_of(other));
      set(next, 0, int(product));
    } else {
      set(next, 0, int(sine));
    }
    whole = next;
  }
  Node *top = copy_of(whole);
  const double value = value_of(*top);
  release(top);
  return value;
}

/// The words of a node are no pairs of these.
[[gnu::noinline]] float scaled(const float *x, float *y) {
  *y = *x * 10.0F;
  return *y - 1.0F;
}

} // namespace

PLUGIN_TEST(TaggedNodes, LeadToOthersOrAreNumbers) {
  CHECK_FUNCTION(chain_of_nodes, 0.5, 1.1, 0.2, 0.9, 0.4, 1.2);
  float one = 0.5F, ten = 0;
  EXPECT_CLOSE_FLOAT(scaled(&one, &ten), 4.0F);
}
PLUGIN_TEST(TaggedNodes, AreReleasedByRecursion) {
  CHECK_FUNCTION(released_chain, 0.5, 1.1, 0.2, 0.9, 0.4, 1.2);
}
PLUGIN_TEST(TaggedNodes, HaveSecondDerivatives) {
  CHECK_SECOND_ORDER(chain_of_nodes, 0.5, 1.1, 0.2, 0.9);
}
