#pragma once
// How a user describes one parameter of a function: `[const ]TYPE[=VALUE][:DOMAIN]`.
//
//   TYPE    double | float | int | long, with extents a pointer to that many elements: double[8], float[3x4]
//   VALUE   a number, or with extents a list of as many numbers as there are elements (one number fills all)
//   DOMAIN  positive | nonzero | unit | (lo,hi)

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::jit {

enum class Scalar { real64, real32, integer32, integer64 };

bool is_real(Scalar type);
std::size_t size_of(Scalar type);
std::string_view name_of(Scalar type);

/// The open interval that generated values lie in; `nonzero` also keeps away from 0.
struct Domain {
  enum class Kind { any, positive, nonzero, unit, interval };
  Kind kind = Kind::any;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  friend bool operator==(const Domain &, const Domain &) = default;
};

struct ArgumentSpec {
  Scalar type = Scalar::real64;
  bool constant = false;            ///< Never differentiated.
  std::vector<std::size_t> extents; ///< Empty for a value; else the parameter is a pointer to the product of these.
  std::vector<double> reals;        ///< The fixed values: none, one, or one an element.
  std::vector<std::int64_t> integers;
  Domain domain;

  bool is_pointer() const { return !extents.empty(); }
  std::size_t elements() const;
  bool is_fixed() const { return !reals.empty() || !integers.empty(); }
  friend bool operator==(const ArgumentSpec &, const ArgumentSpec &) = default;
};

/// What is wrong with a spec and where: `what()` is one line that shows the spec with the place marked.
class SpecError : public std::runtime_error {
public:
  SpecError(std::string_view spec, std::size_t position, const std::string &problem);
  std::size_t position; ///< Of the first character that does not fit, counted from 0.
};

ArgumentSpec parse_argument_spec(std::string_view text);

/// The spec's text in its shortest form; `parse_argument_spec` gives the same spec back.
std::string to_string(const ArgumentSpec &spec);

} // namespace assay::jit
