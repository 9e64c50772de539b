#pragma once
// A C program as a value: typed trees that can be drawn, checked, printed and made smaller.
//
// Every number that is kept in memory lies in fixed bounds (|real| <= real_bound, |integer| <= integer_bound, or what
// the variable declares), every index in the extent of what it indexes. `find_flaw` proves both by interval arithmetic,
// so that each program that passes it has defined behaviour and moderate numbers on every path.

#include <cstdint>
#include <string>
#include <vector>

namespace assay::gen::programs {

inline constexpr double real_bound = 4;
inline constexpr int integer_bound = 100;

struct Type {
  enum class Kind : std::uint8_t { none, real64, real32, integer, array, pointer, structure, callback };
  Kind kind = Kind::none;
  int count = 0;             ///< Elements of an array, or behind a pointer at least; bits of an integer.
  int id = 0;                ///< Which structure.
  std::vector<Type> element; ///< Of an array or pointer, exactly one.

  bool operator==(const Type &) const = default;
  bool is_real() const { return kind == Kind::real64 || kind == Kind::real32; }
  bool is_integer() const { return kind == Kind::integer; }
  bool is_scalar() const { return is_real() || is_integer(); }
  bool is_indexed() const { return kind == Kind::array || kind == Kind::pointer; }
};

Type real64();
Type real32();
Type integer(int bits = 32);
Type array_of(Type element, int count);
Type pointer_to(Type element, int count);
Type structure(int id);
/// `double (*)(double)`
Type callback();

enum class Operation : std::uint8_t {
  // Values. Children are operands unless said otherwise.
  literal,    ///< value
  variable,   ///< id, of the function
  global,     ///< id, of the program
  element,    ///< base (array or pointer), index
  field,      ///< structure, or pointer to one; id is the field
  address,    ///< base (array or pointer), index: a pointer into it
  address_of, ///< place: a pointer to one element
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder, ///< of an integer by the positive literal id
  wrap,      ///< an integer modulo id, never negative
  bit_and,
  bit_xor,
  shift_right, ///< by id
  convert,     ///< to the node's type
  math,        ///< id, in the table of mathematical functions
  less,
  greater_equal,
  equal,
  logical_and,
  logical_or,
  select,         ///< condition, value, other value
  call,           ///< id is the function; arguments
  call_callback,  ///< callback, argument
  function_name,  ///< id: a function as a callback
  depth_less_one, ///< in a recursive function: its first parameter less one, at least 0

  // Statements.
  block,      ///< statements
  declare,    ///< id is the variable; [initial value | one per element]; `form` says where it lives
  assign,     ///< place, value; `form` says which assignment
  evaluate,   ///< a call
  branch,     ///< condition, block, [block]
  count_loop, ///< id is the variable; from, to (exclusive), block; value is the step
  walk_loop,  ///< id is a pointer that goes over each element; array or pointer, block
  fuel_loop,  ///< id is the counter, value its start; condition, block; `form` says which loop
  choose,     ///< integer, blocks: one per case, the last is the default; id has a bit for each case that falls through
  enter_loop, ///< a switch into the middle of a loop; id is the counter, value its start; integer, blocks
  leave_loop,
  next_iteration,
  give_back, ///< [value]
  copy,      ///< to (pointer), from (pointer); id elements; `form`
  clear,     ///< pointer; id elements become zero
  copy_bits, ///< place, place: a real number carried by an integer
  grow,      ///< id is a variable on the heap: reallocated at the same size
};

/// Variants of an operation.
enum class Form : std::uint8_t {
  plain,
  // declare
  heap,
  heap_of_zeros,
  variable_length, ///< an array with 0 to 3 more elements, by the integer that is its child
  // assign
  plus,
  minus,
  times,
  // fuel_loop
  until,   ///< do ... while
  endless, ///< for (;;) with a break
  // copy
  overlapping, ///< memmove
};

struct Node {
  Operation operation = Operation::literal;
  Type type;
  int id = 0;
  double value = 0;
  Form form = Form::plain;
  std::vector<Node> children;

  bool operator==(const Node &) const = default;
};

struct Variable {
  Type type;
  int low = -integer_bound, high = integer_bound; ///< Of an integer, or of an array of them.
  bool constant = false;                          ///< A pointer to what must not be written, or a table.

  bool operator==(const Variable &) const = default;
};

struct Structure {
  std::vector<Type> fields;

  bool operator==(const Structure &) const = default;
};

struct Global {
  Variable variable;
  std::vector<double> values; ///< Empty for one that is not constant: the differentiated function sets it first.

  bool operator==(const Global &) const = default;
};

struct Function {
  enum class Linkage : std::uint8_t { internal, external, never_inlined };
  Type result;
  std::vector<Variable> variables; ///< The parameters first.
  int parameters = 0;
  Node body;
  Linkage linkage = Linkage::internal;
  bool recursive = false; ///< Its first parameter is the depth that is left.
  bool pure = false;      ///< It writes nothing that a caller sees.

  bool operator==(const Function &) const = default;
};

/// What is checked beside the gradient and the tangent.
enum class Mode : std::uint8_t { none, vector_forward, vector_reverse, split, runtime_activity };

struct Program {
  std::vector<Structure> structures;
  std::vector<Global> globals;
  std::vector<Function> functions;    ///< Callees first; the last one is differentiated.
  std::vector<double> inputs;         ///< For each real number that goes in.
  std::vector<double> output_weights; ///< For each that comes out.
  Mode mode = Mode::none;

  bool operator==(const Program &) const = default;
  const Function &entry() const { return functions.back(); }
  Function &entry() { return functions.back(); }
};

/// How many nodes a program has: what shrinking makes smaller.
std::size_t size_of(const Program &program);

} // namespace assay::gen::programs
