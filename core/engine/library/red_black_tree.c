// The trees of std::map and std::set: libstdc++ keeps what changes their links in its library, so that a program has
// only declarations of it. Written after Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13, for
// libstdc++'s nodes: the header's parent is the root, its left and right are the first and the last node, and its
// colour is red, which tells it from the root.
#include "core/engine/library/node.h"

enum Colour { red, black };

typedef struct Node {
  enum Colour colour;
  struct Node *parent, *left, *right;
} Node;

static inline Node *first_in(Node *tree) {
  while (tree->left)
    tree = tree->left;
  return tree;
}

static inline Node *last_in(Node *tree) {
  while (tree->right)
    tree = tree->right;
  return tree;
}

static inline int is_black(const Node *node) {
  return !node || node->colour == black;
}

/// Where the parent of `node`, or the header, keeps it: now `other` is there.
static inline void replace_child(Node *header, Node *node, Node *other) {
  if (header->parent == node)
    header->parent = other;
  else if (node->parent->left == node)
    node->parent->left = other;
  else
    node->parent->right = other;
}

static inline void rotate_left(Node *header, Node *node) {
  Node *risen = node->right;
  node->right = risen->left;
  if (risen->left)
    risen->left->parent = node;
  risen->parent = node->parent;
  replace_child(header, node, risen);
  risen->left = node;
  node->parent = risen;
}

static inline void rotate_right(Node *header, Node *node) {
  Node *risen = node->left;
  node->left = risen->right;
  if (risen->right)
    risen->right->parent = node;
  risen->parent = node->parent;
  replace_child(header, node, risen);
  risen->right = node;
  node->parent = risen;
}

static inline Node *successor(Node *node) {
  if (node->right)
    return first_in(node->right);
  Node *above = node->parent;
  while (node == above->right) {
    node = above;
    above = above->parent;
  }
  return node->right == above ? node : above; // the root that is also the last node: on to the header
}

static inline Node *predecessor(Node *node) {
  if (node->colour == red && node->parent->parent == node) // the header: on to the last node
    return node->right;
  if (node->left)
    return last_in(node->left);
  Node *above = node->parent;
  while (node == above->left) {
    node = above;
    above = above->parent;
  }
  return above;
}

Node *increment(Node *node) BODY_OF(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base);
Node *increment(Node *node) {
  return successor(node);
}

Node *increment_constant(Node *node) BODY_OF(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base);
Node *increment_constant(Node *node) {
  return successor(node);
}

Node *decrement(Node *node) BODY_OF(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base);
Node *decrement(Node *node) {
  return predecessor(node);
}

Node *decrement_constant(Node *node) BODY_OF(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base);
Node *decrement_constant(Node *node) {
  return predecessor(node);
}

static inline void link_below(_Bool insert_left, Node *node, Node *parent, Node *header) {
  node->parent = parent;
  node->left = 0;
  node->right = 0;
  node->colour = red;
  if (insert_left) {
    if (parent == header) {
      header->parent = node;
      header->right = node;
      header->left = node;
    } else {
      parent->left = node;
      if (header->left == parent)
        header->left = node;
    }
  } else {
    parent->right = node;
    if (header->right == parent)
      header->right = node;
  }
}

/// The parent of `node` is red and the left child of its own parent. Returns from where to go on.
static inline Node *lift_red_left(Node *header, Node *node) {
  Node *parent = node->parent, *grandparent = parent->parent, *uncle = grandparent->right;
  if (!is_black(uncle)) {
    parent->colour = black;
    uncle->colour = black;
    grandparent->colour = red;
    return grandparent;
  }
  if (node == parent->right) {
    rotate_left(header, parent);
    node = parent;
    parent = node->parent;
  }
  parent->colour = black;
  grandparent->colour = red;
  rotate_right(header, grandparent);
  return node;
}

static inline Node *lift_red_right(Node *header, Node *node) {
  Node *parent = node->parent, *grandparent = parent->parent, *uncle = grandparent->left;
  if (!is_black(uncle)) {
    parent->colour = black;
    uncle->colour = black;
    grandparent->colour = red;
    return grandparent;
  }
  if (node == parent->left) {
    rotate_right(header, parent);
    node = parent;
    parent = node->parent;
  }
  parent->colour = black;
  grandparent->colour = red;
  rotate_left(header, grandparent);
  return node;
}

void insert_and_rebalance(_Bool insert_left, Node *node, Node *parent, Node *header)
    BODY_OF(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_);
void insert_and_rebalance(_Bool insert_left, Node *node, Node *parent, Node *header) {
  link_below(insert_left, node, parent, header);
  while (node != header->parent && node->parent->colour == red)
    node = node->parent == node->parent->parent->left ? lift_red_left(header, node) : lift_red_right(header, node);
  header->parent->colour = black;
}

/// The subtree at `node` (perhaps empty), which is `parent`'s left one, lacks a black node. Returns from where to go
/// on.
static inline Node *lift_lack_left(Node *header, Node *parent) {
  Node *sibling = parent->right;
  if (sibling->colour == red) {
    sibling->colour = black;
    parent->colour = red;
    rotate_left(header, parent);
    sibling = parent->right;
  }
  if (is_black(sibling->left) && is_black(sibling->right)) {
    sibling->colour = red;
    return parent;
  }
  if (is_black(sibling->right)) {
    sibling->left->colour = black;
    sibling->colour = red;
    rotate_right(header, sibling);
    sibling = parent->right;
  }
  sibling->colour = parent->colour;
  parent->colour = black;
  sibling->right->colour = black;
  rotate_left(header, parent);
  return header->parent;
}

static inline Node *lift_lack_right(Node *header, Node *parent) {
  Node *sibling = parent->left;
  if (sibling->colour == red) {
    sibling->colour = black;
    parent->colour = red;
    rotate_right(header, parent);
    sibling = parent->left;
  }
  if (is_black(sibling->right) && is_black(sibling->left)) {
    sibling->colour = red;
    return parent;
  }
  if (is_black(sibling->left)) {
    sibling->right->colour = black;
    sibling->colour = red;
    rotate_left(header, sibling);
    sibling = parent->left;
  }
  sibling->colour = parent->colour;
  parent->colour = black;
  sibling->left->colour = black;
  rotate_right(header, parent);
  return header->parent;
}

static inline void fill_lack(Node *header, Node *node, Node *parent) {
  while (node != header->parent && is_black(node)) {
    node = node == parent->left ? lift_lack_left(header, parent) : lift_lack_right(header, parent);
    parent = node->parent;
  }
  if (node)
    node->colour = black;
}

/// `heir`, the successor of `node` in its right subtree, takes its place and colour.
static inline void take_place(Node *header, Node *node, Node *heir) {
  heir->left = node->left;
  node->left->parent = heir;
  if (heir != node->right) {
    heir->parent->left = heir->right;
    if (heir->right)
      heir->right->parent = heir->parent;
    heir->right = node->right;
    node->right->parent = heir;
  }
  replace_child(header, node, heir);
  heir->parent = node->parent;
  const enum Colour colour = heir->colour;
  heir->colour = node->colour;
  node->colour = colour; // the colour that is lost
}

Node *rebalance_for_erase(Node *node, Node *header)
    BODY_OF(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_);
Node *rebalance_for_erase(Node *node, Node *header) {
  Node *raised, *parent;
  if (node->left && node->right) {
    Node *heir = first_in(node->right);
    raised = heir->right;
    parent = heir->parent == node ? heir : heir->parent;
    take_place(header, node, heir);
  } else {
    raised = node->left ? node->left : node->right;
    parent = node->parent;
    if (header->left == node)
      header->left = raised ? first_in(raised) : parent;
    if (header->right == node)
      header->right = raised ? last_in(raised) : parent;
    if (raised)
      raised->parent = parent;
    replace_child(header, node, raised);
  }
  if (node->colour == black)
    fill_lack(header, raised, parent);
  return node;
}
