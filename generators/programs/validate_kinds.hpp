#pragma once
// Whether the statements about lists, tagged numbers and jumps are valid.

#include "generators/programs/validate_values.hpp"

namespace assay::gen::programs {

class KindChecker : protected ValueChecker {
protected:
  using ValueChecker::ValueChecker;

  void writable(const Node &place) {
    const Variable *root = root_of(place, context_);
    require(root && !root->constant, "a constant that is written");
    std::vector<const Node *> roots;
    collect_pointed(place, roots);
    const bool is_counter = roots[0]->operation == Operation::variable &&
                            std::find(counters_.begin(), counters_.end(), roots[0]->id) != counters_.end();
    const bool is_depth = function_.recursive && roots[0]->operation == Operation::variable && roots[0]->id == 0;
    require(!is_counter && !is_depth, "a counter that is written");
    const bool caller_sees = roots[0]->operation == Operation::global || is_caller_memory(roots[0]->id);
    require(!function_.pure || !caller_sees, "a pure function that writes");
  }

  /// Pointers in a pure function may point into the caller's memory.
  bool is_caller_memory(int id) const {
    return holds_pointers(program_, variable(id).type) && id < function_.parameters;
  }

  void write_tagged(const Node &node) {
    require(node.id >= 0 && node.id < 4 && node.children.size() == (node.id == 3 ? 3U : 2U), "no member of a union");
    value(node.children[0]);
    tagged_place(node.children[0]);
    writable(node.children[0]);
    const Type type = node.id == 1 ? real32() : node.id == 2 ? integer() : real64();
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      value(node.children[i]), pure(node.children[i]);
      storable(node.children[i], type, {-integer_bound, integer_bound});
    }
  }

  void owned_list(const Node &node) {
    require(scope_.contains(node.id) && owned_.contains(node.id) && variable(node.id).type.kind == Type::Kind::list,
            "a change of no list");
    require(walks_ == 0 || node.operation == Operation::push, "a list that changes under a walk");
  }

  void push(const Node &node) {
    owned_list(node);
    node_value(node, variable(node.id).type);
  }

  /// The content of a new node of a list; zeros where nothing is said.
  void node_value(const Node &node, const Type &list) {
    for (const Node &child : node.children) {
      value(child), pure(child);
      storable(child, list.element[0], {-integer_bound, integer_bound});
    }
  }

  void jump(const Node &node) {
    condition(node.children[0]);
    require(std::find(webs_.begin(), webs_.end(), node.id) != webs_.end() && node.value >= 0,
            "a jump from outside of its blocks");
  }

  void swap(const Node &node) {
    const Node &first = node.children[0], &second = node.children[1];
    value(first), value(second);
    require(first.type.kind == Type::Kind::pointer && first.type == second.type, "an exchange of no pointers");
    for (const Node *place : {&first, &second})
      require(place->operation == Operation::element && place->children[0].operation == Operation::variable &&
                  place->children[0].id == first.children[0].id && place->children[0].id >= function_.parameters &&
                  !variable(place->children[0].id).constant,
              "an exchange between variables");
  }

  std::vector<int> webs_; ///< Counters of the labelled blocks around the current place.
  int walks_ = 0;         ///< Walks over lists around it.
};

} // namespace assay::gen::programs
