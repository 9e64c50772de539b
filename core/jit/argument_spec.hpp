#pragma once
// How a user describes one parameter of a function: `[const ]TYPE[=VALUE][:DOMAIN]`, `[const ]TYPE alias=PLACE` or
// `[const ][TYPE ]file=PATH`.
//
//   TYPE    double | float | int | long | bool | int8_t .. int64_t | uint8_t .. uint64_t, or C's name of one of these
//           (unsigned char, short, size_t, ..), with extents a pointer to that many elements: double[8], float[3x4],
//           double[0];
//           an extent may be a formula of integer parameters: double[n], double[n*lda], double[n x n]
//   VALUE   a number, or with extents a list of as many numbers as there are elements (one number fills all, and a
//           shorter list of integers repeats); lists with `;` between them are one point each. For an integer also a
//           range to draw from, int=1..40, a set, int={-2,1,n}, or a formula, int=2*n; all may name other integer
//           parameters
//   DOMAIN  for double and float: any | positive | nonzero | unit | (lo,hi) | log(lo,hi), a structure of
//   gen::Structure,
//           quantised(step), with commas between them, and *SCALE behind all
//   PLACE   in the memory of another parameter, which the parameter shares: x, its first element, x + 3, or x + n. A
//           parameter is named, or $1, $2, ... as the first, second, ... one

#include "core/jit/integer_formula.hpp"

#include <assay/generators/structure.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::jit {

enum class Scalar {
  real64,
  real32,
  integer32,
  integer64,
  integer16,
  integer8,
  unsigned64,
  unsigned32,
  unsigned16,
  unsigned8,
  boolean,
  real16, ///< IEEE binary16.
  brain16 ///< bfloat16.
};

bool is_real(Scalar type);
/// Half or bfloat16.
bool is_of_16_bits(Scalar type);
std::size_t size_of(Scalar type);
/// As a spec has it: one word.
std::string_view name_of(Scalar type);
/// `name`: as `name_of` has it, or as C does, with single blanks between the words.
std::optional<Scalar> scalar_named(std::string_view name);
/// Those that a spec can say, for messages.
inline constexpr std::string_view scalar_menu =
    "double, float, half, bfloat16, int, long, bool, int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t";

/// Whether an integer type has a value.
bool has_value(Scalar type, std::int64_t value);
/// `300 does not fit a uint8_t`
std::string misfit(Scalar type, std::int64_t value);

/// More would not fit the memory.
inline constexpr std::size_t most_elements = std::size_t{1} << 24;

/// The open interval that generated values lie in; `nonzero` also keeps away from 0.
struct Domain {
  enum class Kind { any, positive, nonzero, unit, interval, logarithmic };
  Kind kind = Kind::any;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  gen::Structure structure = gen::Structure::none;
  double step = 0;  ///< Not zero: all values are multiples of it.
  double scale = 1; ///< Of all that is drawn, the limits included.
  friend bool operator==(const Domain &, const Domain &) = default;
};

/// Whole numbers from `low` to `high`, both included.
struct IntegerRange {
  IntegerFormula low, high;
  friend bool operator==(const IntegerRange &, const IntegerRange &) = default;
};

/// A place in the memory of another parameter.
struct Alias {
  std::string of;                            ///< Its name, or `$2`.
  IntegerFormula offset = IntegerFormula(0); ///< In elements.
  friend bool operator==(const Alias &, const Alias &) = default;
};

struct ArgumentSpec {
  Scalar type = Scalar::real64;
  bool constant = false;                ///< Never differentiated.
  std::vector<std::size_t> extents;     ///< Empty for a value; else the parameter is a pointer to the product of these.
  std::vector<IntegerFormula> formulas; ///< Not empty: one for each extent, which is 0 until the integers are drawn.
  std::vector<double> reals;            ///< The fixed values: none, one, or one an element.
  std::vector<std::int64_t> integers;   ///< The same, but a shorter list repeats.
  std::optional<IntegerRange> range;    ///< Integers are drawn from it.
  std::vector<IntegerFormula> choices;  ///< Not empty: an integer is one of them.
  std::optional<IntegerFormula> computed;         ///< The value of an integer.
  std::optional<Alias> alias;                     ///< The memory is part of another parameter's.
  std::vector<std::vector<double>> further_reals; ///< Of further points.
  std::vector<std::vector<std::int64_t>> further_integers;
  std::string file; ///< Not empty: where type, extents and values are; see `has_type`.
  bool has_type = true;
  std::string object; ///< Not empty: the spec of the object, as it is written, whose numbers these are.
  Domain domain;

  bool is_pointer() const { return !extents.empty(); }
  std::size_t elements() const;
  bool is_fixed() const { return !reals.empty() || !integers.empty(); }
  /// How many points its values are for.
  std::size_t points() const { return 1 + further_reals.size() + further_integers.size(); }
  friend bool operator==(const ArgumentSpec &, const ArgumentSpec &) = default;
};

/// What is wrong with a spec and where: `what()` is one line that shows the spec with the place marked.
class SpecError : public std::runtime_error {
public:
  SpecError(std::string_view spec, std::size_t position, const std::string &problem);
  std::size_t position; ///< Of the first character that does not fit, counted from 0.
};

/// `integer_names`: those of the function's integer parameters, so that `nxn` is told from a name.
ArgumentSpec parse_argument_spec(std::string_view text, const std::vector<std::string> &integer_names = {});

/// The spec's text in its shortest form; `parse_argument_spec` gives the same spec back.
std::string to_string(const ArgumentSpec &spec);

} // namespace assay::jit
