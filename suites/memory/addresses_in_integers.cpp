// Addresses that are kept in memory as integers and computed with there: with flags in their low or high bits, as the
// exclusive or of two, moved by some bits. What is read through them must carry its derivative, and what is released
// through them must release the shadow.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <atomic>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace {

struct Reference {
  std::uintptr_t bits;
};
void refer(Reference &reference, double *cell, int flags) {
  reference.bits = reinterpret_cast<std::uintptr_t>(cell) | std::uintptr_t(flags);
}
double *cell_of(const Reference &reference) {
  return reinterpret_cast<double *>(reference.bits & ~std::uintptr_t(7));
}
double flags_in_low_bits(const double *x, int n) {
  std::vector<Reference> references(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    refer(references[std::size_t(i)], new double(x[i] * x[i]), i % 4);
  for (Reference &reference : references)
    if (*cell_of(reference) > 0.3)
      reference.bits |= 4;
  double sum = 0;
  for (const Reference &reference : references)
    sum += *cell_of(reference) * double(1 + (reference.bits & 7));
  for (const Reference &reference : references)
    delete cell_of(reference);
  return sum;
}

double flags_in_high_bits(const double *x, int n) {
  constexpr int shift = 48;
  std::uint64_t words[8];
  for (int i = 0; i < n; ++i)
    words[i] = reinterpret_cast<std::uint64_t>(new double(x[i] * x[i])) | std::uint64_t(i + 1) << shift;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *cell = reinterpret_cast<double *>(words[i] & 0xFFFFFFFFFFFF);
    sum += *cell * double(words[i] >> shift);
    delete cell;
  }
  return sum;
}

struct Packed {
  std::uint64_t tag : 3, address : 61;
};
double packed_in_bit_fields(const double *x, int n) {
  Packed packed[8];
  for (int i = 0; i < n; ++i) {
    packed[i].address = reinterpret_cast<std::uint64_t>(new double(x[i] * x[i])) >> 3;
    packed[i].tag = unsigned(i) & 7U;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *cell = reinterpret_cast<double *>(std::uint64_t(packed[i].address) << 3);
    sum += *cell * double(packed[i].tag + 1);
    delete cell;
  }
  return sum;
}

/// A list that can be walked in both directions with one word for both links.
struct Node {
  double value;
  std::uintptr_t links;
};
double list_of_exclusive_ors(const double *x, int n) {
  Node *first = nullptr, *last = nullptr;
  for (int i = 0; i < n; ++i) {
    auto *node = new Node{x[i] * x[i], reinterpret_cast<std::uintptr_t>(last)};
    if (last)
      last->links ^= reinterpret_cast<std::uintptr_t>(node);
    else
      first = node;
    last = node;
  }
  double sum = 0, factor = 1;
  std::uintptr_t before = 0;
  for (Node *node = last; node;) {
    sum += factor++ * node->value;
    auto *next = reinterpret_cast<Node *>(node->links ^ before);
    before = reinterpret_cast<std::uintptr_t>(node);
    node = next;
  }
  before = 0;
  for (Node *node = first; node;) {
    sum += node->value * node->value;
    auto *next = reinterpret_cast<Node *>(node->links ^ before);
    before = reinterpret_cast<std::uintptr_t>(node);
    delete node;
    node = next;
  }
  return sum;
}

/// A search tree whose nodes keep a flag beside the link to their parent, by functions that call themselves.
struct TreeNode {
  double key, value;
  std::uintptr_t parent;
  TreeNode *children[2];
};
void insert(TreeNode **place, TreeNode *parent, TreeNode *node) {
  if (!*place) {
    node->parent = reinterpret_cast<std::uintptr_t>(parent) | std::uintptr_t(node->key > 0.5);
    *place = node;
  } else {
    insert(&(*place)->children[node->key > (*place)->key], *place, node);
  }
}
double upwards(const TreeNode *node) {
  if (!node)
    return 0;
  const auto *parent = reinterpret_cast<const TreeNode *>(node->parent & ~std::uintptr_t(1));
  return node->value + (node->parent & 1 ? 1.0 : 0.5) * upwards(parent);
}
double sum_of(const TreeNode *node) {
  return node ? 0.5 * sum_of(node->children[0]) + upwards(node) * node->value + sum_of(node->children[1]) : 0;
}
void release(TreeNode *node) {
  if (!node)
    return;
  release(node->children[0]);
  release(node->children[1]);
  delete node;
}
double flagged_parents(const double *x, int n) {
  TreeNode *root = nullptr;
  for (int i = 0; i < n; ++i)
    insert(&root, nullptr, new TreeNode{x[i], x[i] * x[0], 0, {nullptr, nullptr}});
  const double sum = sum_of(root);
  release(root);
  return sum;
}

/// A value that is an integer or the address of a pair, as interpreters have it.
using Value = std::uintptr_t;
struct Pair {
  double number;
  Value rest;
};
double sum_of(Value value) {
  if ((value & 3) == 1)
    return double(std::int64_t(value) >> 2);
  const auto *pair = reinterpret_cast<Pair *>(value - 2);
  return 2 * pair->number + sum_of(pair->rest);
}
void release(Value value) {
  if ((value & 3) == 1)
    return;
  auto *pair = reinterpret_cast<Pair *>(value - 2);
  release(pair->rest);
  delete pair;
}
double integers_or_pairs(const double *x, int n) {
  Value value = 7 << 2 | 1;
  for (int i = 0; i < n; ++i)
    value = reinterpret_cast<Value>(new Pair{x[i] * x[i], value}) | 2;
  const double sum = sum_of(value);
  release(value);
  return sum;
}

std::uintptr_t key = 0x5A5A5A5A5A5A;
double hidden_by_a_key(const double *x, int n) {
  std::uintptr_t words[8];
  for (int i = 0; i < n; ++i)
    words[i] = reinterpret_cast<std::uintptr_t>(new double(x[i] * x[i])) ^ key;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *cell = reinterpret_cast<double *>(words[i] ^ key);
    sum += double(i + 1) * *cell;
    delete cell;
  }
  return sum;
}

double atomic_stack(const double *x, int n) {
  std::atomic<std::uintptr_t> top{0};
  for (int i = 0; i < n; ++i)
    top.store(reinterpret_cast<std::uintptr_t>(new Node{x[i] * x[i], top.load()}) | (unsigned(i) & 1U));
  double sum = 0, factor = 1;
  while (const std::uintptr_t word = top.load()) {
    auto *node = reinterpret_cast<Node *>(word & ~std::uintptr_t(1));
    sum += node->value * (factor++ + double(word & 1));
    top.store(node->links);
    delete node;
  }
  return sum;
}

/// Addresses that are only compared and hashed are integers like others.
double counted_addresses(const double *x, int n) {
  std::unordered_set<std::uintptr_t> seen;
  std::vector<double *> cells;
  for (int i = 0; i < n; ++i) {
    cells.push_back(new double(x[i] * x[i]));
    seen.insert(reinterpret_cast<std::uintptr_t>(cells.back()) >> 4 ^ 0x55);
  }
  double sum = 0;
  for (double *cell : cells) {
    sum += *cell * double(seen.count(reinterpret_cast<std::uintptr_t>(cell) >> 4 ^ 0x55));
    delete cell;
  }
  return sum;
}

} // namespace

PLUGIN_TEST(AddressesInIntegers, flags_in_low_bits) {
  CHECK_FUNCTION(flags_in_low_bits, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, flags_in_high_bits) {
  CHECK_FUNCTION(flags_in_high_bits, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, bit_fields) {
  CHECK_FUNCTION(packed_in_bit_fields, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, exclusive_or_of_two) {
  CHECK_FUNCTION(list_of_exclusive_ors, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, flags_by_functions_that_call_themselves) {
  CHECK_FUNCTION(flagged_parents, 0.3, 0.7, 1.1, 0.4, 0.6);
}
PLUGIN_TEST(AddressesInIntegers, integers_or_addresses) {
  CHECK_FUNCTION(integers_or_pairs, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, hidden_by_a_key) {
  CHECK_FUNCTION(hidden_by_a_key, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, atomic) {
  CHECK_FUNCTION(atomic_stack, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, that_are_only_compared) {
  CHECK_FUNCTION(counted_addresses, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesInIntegers, have_second_derivatives) {
  CHECK_SECOND_ORDER(flags_in_low_bits, 0.3, 0.7, 1.1, 0.4);
  CHECK_SECOND_ORDER(list_of_exclusive_ors, 0.3, 0.7, 1.1, 0.4);
  CHECK_SECOND_ORDER(integers_or_pairs, 0.3, 0.7, 1.1, 0.4);
}
