// The links of std::list: libstdc++ keeps what changes them in its library.
#include "core/engine/library/node.h"

typedef struct Node {
  struct Node *next, *previous;
} Node;

static inline void link(Node *first, Node *second) {
  first->next = second;
  second->previous = first;
}

void hook(Node *node, Node *position) BODY_OF(_ZNSt8__detail15_List_node_base7_M_hookEPS0_);
void hook(Node *node, Node *position) {
  Node *before = position->previous;
  link(before, node);
  link(node, position);
}

void unhook(Node *node) BODY_OF(_ZNSt8__detail15_List_node_base9_M_unhookEv);
void unhook(Node *node) {
  link(node->previous, node->next);
}

/// The nodes [first, last) of some list go before `position`.
void transfer(Node *position, Node *first, Node *last) BODY_OF(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_);
void transfer(Node *position, Node *first, Node *last) {
  if (position == last)
    return;
  Node *end = last->previous, *before = position->previous;
  link(first->previous, last);
  link(before, first);
  link(end, position);
}

void reverse(Node *list) BODY_OF(_ZNSt8__detail15_List_node_base10_M_reverseEv);
void reverse(Node *list) {
  Node *node = list;
  do {
    Node *next = node->next;
    node->next = node->previous;
    node->previous = next;
    node = next;
  } while (node != list);
}

static inline void take_over(Node *list, Node *next, Node *previous, const Node *old) {
  if (next == old) {
    link(list, list);
    return;
  }
  link(list, next);
  link(previous, list);
}

void swap(Node *one, Node *other) BODY_OF(_ZNSt8__detail15_List_node_base4swapERS0_S1_);
void swap(Node *one, Node *other) {
  Node *next = one->next, *previous = one->previous;
  take_over(one, other->next, other->previous, other);
  take_over(other, next, previous, one);
}
