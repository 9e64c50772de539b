#pragma once
// The functions that the JIT can call: those of numbers and of pointers to numbers.

#include "core/jit/argument_spec.hpp"
#include "core/jit/kernel_launch.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay::jit {

/// A parameter as the compiled function takes it.
struct ParameterType {
  enum class Kind { real64, real32, real16, brain16, integer, pointer };
  Kind kind = Kind::real64;
  unsigned bits = 0;                           ///< Of an integer.
  std::string name;                            ///< The source's, else `argument 1`, ...
  std::string source_type;                     ///< As the source writes it, where that is known: `const double *`.
  std::optional<Scalar> pointee;               ///< Of a pointer, where it is known.
  std::size_t numbers = 0;                     ///< Behind a pointer to an array, in the array; 0: not known.
  bool is_callable = false;                    ///< Stands for a pointer to a function; its number is not read.
  bool is_reference = false;                   ///< To one number, as Fortran passes numbers: a spec needs no extents.
  bool is_restrict = false;                    ///< Its memory is reached through no other parameter.
  std::vector<std::string> element_paths = {}; ///< Of an object's numbers: `net.weights[3]`; empty: by their index.
  std::vector<std::string> shared_as = {};     ///< Further parameters that get its memory: `y = x + 3`.
};

/// Where a parameter of the compiled function has its value or memory.
struct PassedParameter {
  std::size_t parameter = 0; ///< Among those that the caller has memory for.
  std::size_t offset = 0;    ///< In bytes.
};

/// The signed type of a parameter with so many bits; one bit is a bool.
Scalar integer_of(unsigned bits);

/// The targets that a signature's pointers may have: a function that is never called needs no numbers there.
enum class Pointees : std::uint8_t { numbers, anything };

/// The prefix of the symbols of functions of members (struct_parameters.hpp).
inline constexpr const char *members_prefix = "members.of.";

struct FunctionSignature {
  std::string linkage_name;
  std::string name; ///< As its author writes it.
  std::vector<ParameterType> parameters;
  std::optional<ParameterType> result; ///< Absent for void.
  /// It or what it calls says that memory is aligned more strictly than its numbers need.
  bool expects_alignment = false;
  /// Not empty: parameters of the compiled function, one entry for each, share memory (shared_memory.hpp), and
  /// `parameters` are those that have some of their own.
  std::vector<PassedParameter> passed = {};
  /// Of device code: each thread of this launch calls the function, with the same arguments.
  std::optional<KernelLaunch> launch = std::nullopt;

  /// `dot(double *x, double *y, int n)`
  std::string describe() const;
};

/// Of a parameter that is a floating-point number; nothing for others.
std::optional<Scalar> real_of(const ParameterType &type);

/// One spec for each parameter. With no specs given, parameters that are all floating-point scalars get plain ones.
/// Throws BadRequest where number or types do not fit.
std::vector<ArgumentSpec> bind_arguments(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs);

} // namespace assay::jit
