#pragma once
// Which derivative of a function is wanted, and how the compiled code is called. No LLVM here.
//
// Every entry is `void entry(void **slots)`. With n parameters and width W the slots are
//
//   [i]                  parameter i: the address of its value, or the buffer that the pointer parameter points to
//   [n + lane * n + i]   its shadow in that lane: tangent or accumulator, likewise; for an active parameter the address
//                        that receives the adjoint; unused for a constant one
//   [n + n * W]          receives the primal result
//   [n + n * W + 1 + lane]      receives the tangent of the result (forward)
//   [n + n * W + 1 + W + lane]  holds the seed of the result (reverse, active result)
//   [n + n * W + 1 + 2 W]       split form: a `void (*)(void *)` that is called between the two sweeps
//   [n + n * W + 2 + 2 W]       with this argument
//
// The entry of the function itself uses the first n slots and slot n (its W is 0).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::jit {

enum class Mode : std::uint8_t { forward, reverse };
enum class Activity : std::uint8_t { constant, active, duplicated, duplicated_no_need };
enum class PrimalResult : std::uint8_t { omitted, wanted };
/// Reverse: in one function, or as an augmented primal and a reverse function with a tape between them.
enum class Form : std::uint8_t { combined, split };
enum class RuntimeActivity : std::uint8_t { off, on };

struct Derivative {
  Mode mode = Mode::reverse;
  unsigned width = 1;
  Activity result = Activity::constant;
  PrimalResult primal = PrimalResult::omitted;
  std::vector<Activity> arguments = {};
  Form form = Form::combined;
  RuntimeActivity runtime_activity = RuntimeActivity::off;
  friend auto operator<=>(const Derivative &, const Derivative &) = default;
};

using Entry = void (*)(void **slots);

/// Why code that was asked for cannot be made: the engine's message, or the linker's.
struct NoDerivative {
  std::string message;
};

struct SlotLayout {
  std::size_t parameters = 0;
  std::size_t width = 0;

  std::size_t parameter(std::size_t index) const { return index; }
  std::size_t shadow(std::size_t index, std::size_t lane) const { return parameters + lane * parameters + index; }
  std::size_t result() const { return parameters + parameters * width; }
  std::size_t result_tangent(std::size_t lane) const { return result() + 1 + lane; }
  std::size_t result_seed(std::size_t lane) const { return result() + 1 + width + lane; }
  std::size_t between() const { return result() + 1 + 2 * width; }
  std::size_t between_argument() const { return between() + 1; }
  std::size_t count() const { return between() + 2; }
};

} // namespace assay::jit
