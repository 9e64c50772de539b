#pragma once
// Writes one program from a stream of random numbers. What it writes is valid by construction: it keeps to what is in
// scope, and bends each value into the interval that its place asks for.

#include "generators/programs/range.hpp"

#include <assay/generators/stream.hpp>
#include <functional>

namespace assay::gen::programs {

class Author {
public:
  explicit Author(Stream stream) : stream_(stream) {}
  Program write();

private:
  // The program (author_program.cpp).
  void write_structures();
  void write_globals();
  void write_helper();
  void write_callback();
  void write_entry();
  void write_body(int statements, double allowed_work);
  void write_inputs();
  void set_globals_first();
  Type parameter_type();
  int add_parameter(Type type, bool constant);

  // Statements (author_statements.cpp, author_memory.cpp).
  Node block(int statements);
  void statement(Node &block);
  void declare_number(Node &block);
  void declare_array(Node &block);
  void declare_structure(Node &block);
  void declare_pointer(Node &block);
  void declare_heap(Node &block);
  void declare_callback(Node &block);
  void declare_view(Node &block, const Type &type);
  void grow(Node &block);
  void walk_loop(Node &block);
  void assign_real(Node &block);
  void assign_integer(Node &block);
  void assign_structure(Node &block);
  void assign_pointer(Node &block);
  void branch(Node &block);
  void count_loop(Node &block);
  void fuel_loop(Node &block);
  void choose(Node &block);
  void enter_loop(Node &block);
  void leave(Node &block);
  void call_for_effect(Node &block);
  void copy(Node &block);
  void clear(Node &block);
  void copy_bits(Node &block);
  Node looping_block(int repetitions);

  // Values (author_values.cpp).
  Node real(const Type &type, int depth);
  Node real_leaf(const Type &type);
  Node real_operation(const Type &type, int depth);
  Node call_of_math(const Type &type, int depth);
  Node integer_value(int depth);
  Node integer_leaf();
  Node condition(int depth);
  Node index(int count);
  std::optional<Node> pure_call(const Type &type, int depth);
  std::optional<Node> call(int function, int depth);
  std::optional<Node> argument(const Variable &parameter, int depth);
  std::optional<Node> readable(bool (*fits)(const Type &));
  std::optional<Node> writable(bool (*fits)(const Type &));
  std::optional<Node> descend(Node base, bool (*fits)(const Type &));
  std::optional<Node> pointer(const Type &type, bool constant);
  Node fitted(Node value, Interval target);
  Node fitted_integer(Node value, Interval target);
  Node as(const Type &type, Node value);
  Node moderate(Node value, const Type &type);
  Node storable_real(const Type &type, int depth);
  Node real_literal(const Type &type, Interval range);

  // Choices.
  bool chance(double probability) { return stream_.uniform() < probability; }
  int number(int low, int high) { return static_cast<int>(stream_.integer(low, high)); }
  template <class Container>
  auto &one_of(Container &&container) {
    return container[static_cast<std::size_t>(number(0, static_cast<int>(container.size()) - 1))];
  }
  Type some_structure() { return structure(number(0, plain_structures_ - 1)); }
  bool is_plain(const Type &type) const { return type.kind != Type::Kind::structure || type.id < plain_structures_; }
  int new_variable(const Variable &variable);
  Node use(int id) const;
  Node use_global(int id) const;
  Context context() const { return {&program_, &function_}; }
  bool is_counter(int id) const;
  bool may_write(const Node &place) const;

  Stream stream_;
  Program program_;
  Function function_;
  std::vector<double> function_work_; ///< Of each function that is written.
  std::vector<int> visible_;          ///< Variables in scope.
  std::vector<int> counters_;         ///< Those among them that only their loop may change.
  std::vector<int> fixed_;            ///< Pointers that keep what they point to.
  std::vector<int> growing_;          ///< Those that own memory to which nothing else points.
  double repetitions_ = 1;            ///< How often the current place runs, at most.
  double work_ = 0, allowed_work_ = 0;
  int plain_structures_ = 0; ///< Those without pointers come first.
  int statements_left_ = 0, nesting_ = 0, loops_ = 0, self_calls_ = 0, index_nesting_ = 0;
  bool in_choice_ = false;
};

/// Nodes with less to write.
Node node(Operation operation, Type type, std::vector<Node> children, int id = 0);
Node literal(const Type &type, double value);

} // namespace assay::gen::programs
