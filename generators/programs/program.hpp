#pragma once
// A C program as a value: typed trees that can be drawn, checked, printed and made smaller.
//
// Every number that is kept in memory lies in fixed bounds (|real| <= real_bound, |integer| <= integer_bound, or what
// the variable declares), every index in the extent of what it indexes. `validate` proves both by interval arithmetic,
// so that each program that passes it has defined behaviour and moderate numbers on every path.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay::gen::programs {

inline constexpr double real_bound = 4;
inline constexpr int integer_bound = 100;

struct Type {
  enum class Kind : std::uint8_t {
    none,
    real64,
    real32,
    integer,
    array,
    pointer,
    structure, ///< Or a union, where its `Structure` says so.
    callback,
    complex, ///< Of two real numbers.
    vector,  ///< Of `count` real numbers, for SIMD instructions.
    tagged,  ///< A union of numbers of several types, with the tag that says which one it holds.
    list,    ///< The first one of linked nodes, at least one.
  };
  Kind kind = Kind::none;
  int count = 0;             ///< Elements of an array or vector, or behind a pointer at least; bits of an integer.
  int id = 0;                ///< Which structure.
  std::vector<Type> element; ///< Of an array, pointer, complex number, vector or list, exactly one.

  bool operator==(const Type &) const = default;
  bool is_real() const { return kind == Kind::real64 || kind == Kind::real32; }
  bool is_integer() const { return kind == Kind::integer; }
  bool is_scalar() const { return is_real() || is_integer(); }
  bool is_complex() const { return kind == Kind::complex; }
  bool is_vector() const { return kind == Kind::vector; }
  /// The operands of computations.
  bool is_number() const { return is_scalar() || is_complex() || is_vector(); }
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
Type complex_of(Type element);
Type vector_of(Type element, int count);
Type tagged();
Type list_of(Type element);

enum class Operation : std::uint8_t {
  // Values. Children are operands unless said otherwise.
  literal,    ///< value
  variable,   ///< id, of the function
  global,     ///< id, of the program
  element,    ///< base (array or pointer), index
  field,      ///< structure, or pointer to one; id is the field
  address,    ///< base (array or pointer), index: a pointer into it
  address_of, ///< place: a pointer to one element
  item,       ///< list: what its first node holds; the second node's (if there is one) where id is 1
  lanes,      ///< array or pointer: its first elements as a vector
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
  make_complex,   ///< real part, imaginary part
  real_part,      ///< complex number; a place where that is one
  imaginary_part, ///< the same
  conjugate,
  scale,        ///< complex number, real number: their product
  complex_math, ///< id, in the table of complex functions
  make_vector,  ///< its elements
  splat,        ///< a real number in all elements
  shuffle,      ///< vector, vector of the same type; id has the number of each element, in `count * 2` as the base
  read_tagged,  ///< tagged place: its number, whichever it holds

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
  give_back,       ///< [value]
  copy,            ///< to (pointer), from (pointer); id elements; `form`
  clear,           ///< pointer; id elements become zero
  copy_bits,       ///< place, place: a real number carried by an integer
  grow,            ///< id is a variable on the heap: reallocated at the same size
  labelled_blocks, ///< id is the counter of jumps, value how many; integer (where to begin), blocks
  jump,            ///< id is the counter of labelled blocks around it, value the block to go to; condition
  write_tagged,    ///< tagged place, numbers; id is the member
  push,            ///< id is a list's variable; value
  pop,             ///< id is a list's variable; nothing happens where it has one node
  reverse,         ///< id is a list's variable: its links are turned round
  walk_list,       ///< id is a list that goes over each node; list, block
  swap,            ///< place, place: pointers of one variable
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
  // copy_bits
  by_union,
  // labelled_blocks
  computed, ///< Begins with a computed goto.
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
  bool overlay = false; ///< A union: every field is made of real numbers of one type, so that each may be read.

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
  int partner = -1;       ///< A recursive function with which it calls itself.
  bool pure = false;      ///< It writes nothing that a caller sees.

  bool operator==(const Function &) const = default;
};

/// The checks beside the gradient and the tangent.
enum class Mode : std::uint8_t {
  none,
  vector_forward,
  vector_reverse,
  split,
  runtime_activity,
  forward_over_reverse, ///< The last three are second derivatives.
  reverse_over_forward,
  reverse_over_reverse
};

/// As a test prints it.
constexpr const char *name_of(Mode mode) {
  constexpr const char *names[] = {"",
                                   "vector forward",
                                   "vector reverse",
                                   "split",
                                   "runtime activity",
                                   "forward over reverse",
                                   "reverse over forward",
                                   "reverse over reverse"};
  return names[static_cast<std::size_t>(mode)];
}

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

/// Every type that the program mentions, with the types in it.
void for_each_type(const Program &program, const std::function<void(const Type &)> &visit);

/// How many nodes a program has: shrinking makes it smaller.
std::size_t size_of(const Program &program);

} // namespace assay::gen::programs
