#pragma once
// Writes one program from a stream of random numbers. What it writes is valid by construction: it keeps to what is in
// scope, and bends each value into the interval that its place asks for.

#include "generators/programs/range.hpp"
#include "generators/programs/weights.hpp"

#include <assay/generators/stream.hpp>
#include <functional>
#include <map>

namespace assay::gen::programs {

class Generator {
public:
  Generator(Stream stream, const Weights &weights) : stream_(stream), weights_(weights) {}
  Program write();

private:
  // The program (generate_program.cpp).
  void write_structures();
  void write_globals();
  void write_helper();
  void write_pair();
  void begin_function();
  void end_function();
  Type scalar_field();
  void write_union();
  void write_callback();
  void write_entry();
  void write_body(int statements, double allowed_work);
  void write_inputs();
  void set_globals_first();
  Type parameter_type();
  std::optional<Type> special_parameter_type();
  int add_parameter(Type type, bool constant);

  // Statements (generate_statements.cpp, generate_memory.cpp).
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
  void branch_to_partners(Node &block);
  void count_loop(Node &block);
  void fuel_loop(Node &block);
  void choose(Node &block);
  void enter_loop(Node &block);
  void leave(Node &block);
  void labelled_blocks(Node &block);
  void jump(Node &block);
  void call_for_effect(Node &block);
  std::optional<Node> recursive_call();
  void keep_result(Node &block, Node called);
  void copy(Node &block);
  void clear(Node &block);
  void copy_bits(Node &block);
  Node looping_block(int repetitions);

  // Complex numbers, vectors, unions (generate_numbers.cpp) and linked memory (generate_links.cpp).
  void declare_complex(Node &block);
  void assign_complex(Node &block);
  void declare_vector(Node &block);
  void assign_vector(Node &block);
  void declare_tagged(Node &block);
  void write_tagged(Node &block);
  void declare_list(Node &block);
  void change_list(Node &block);
  void walk_list(Node &block);
  void declare_rows(Node &block);
  void declare_pointers(Node &block);
  void swap_rows(Node &block);
  Type complex_type() { return complex_of(floating()); }
  Type vector_type();
  Type floating() { return likely(0.2, weights_.floats) ? real32() : real64(); }
  Node complex_value(const Type &type, int depth);
  Node complex_leaf(const Type &type);
  Node complex_call(const Type &type, int depth);
  Node fitted_complex(Node value, double bound);
  Node vector_value(const Type &type, int depth);
  Node vector_leaf(const Type &type);
  Node storable_number(const Type &type, int depth);
  std::optional<Node> real_of_parts(const Type &type, int depth);
  std::optional<int> some_list(bool owned);

  // Values (generate_values.cpp).
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
  Node literal_within(const Type &type, Interval range);

  // Choices.
  bool chance(double probability) { return stream_.uniform() < probability; }
  /// Of a kind that has a weight.
  bool likely(double probability, double weight) { return chance(std::min(0.9, probability * weight)); }
  int number(int low, int high) { return static_cast<int>(stream_.integer(low, high)); }
  template <class Container>
  auto &one_of(Container &&container) {
    return container[static_cast<std::size_t>(number(0, static_cast<int>(container.size()) - 1))];
  }
  Type some_structure() { return structure(number(0, plain_structures_ - 1)); }
  bool holds(const Type &type, Type::Kind kind) const;
  bool is_plain(const Type &type) const { return type.kind != Type::Kind::structure || type.id < plain_structures_; }
  int new_variable(const Variable &variable);
  Node use(int id) const;
  Node use_global(int id) const;
  Context context() const { return {&program_, &function_}; }
  bool is_counter(int id) const;
  bool may_write(const Node &place) const;

  Stream stream_;
  Weights weights_;
  Program program_;
  Function function_;
  std::vector<double> function_work_; ///< Of each function that is written.
  std::vector<int> visible_;          ///< Variables in scope.
  std::vector<int> counters_;         ///< Those among them that only their loop may change.
  std::vector<int> fixed_;            ///< Pointers that keep their targets.
  std::vector<int> growing_;          ///< Those that own memory to which nothing else points.
  std::vector<int> owned_lists_;
  std::map<int, double> list_lengths_; ///< At most.
  std::map<int, int> webs_;            ///< Labelled blocks around the current place: the counter, how many.
  double repetitions_ = 1;             ///< How often the current place runs, at most.
  double work_ = 0, allowed_work_ = 0;
  int plain_structures_ = 0; ///< Those without pointers come first.
  int statements_left_ = 0, nesting_ = 0, loops_ = 0, self_calls_ = 0, index_nesting_ = 0, walks_ = 0;
  int callable_ = 0; ///< Functions before this one.
  int own_index_ = 0;
  bool in_choice_ = false, has_variable_length_ = false, has_computed_jump_ = false;
};

/// Nodes with less to write.
Node node(Operation operation, Type type, std::vector<Node> children, int id = 0);
Node literal(const Type &type, double value);

} // namespace assay::gen::programs
