#pragma once
// One function of a user's file, compiled and ready to be called, with as many of its derivatives as are asked for.

#include "core/jit/derivative.hpp"
#include "core/jit/module_file.hpp"

#include <memory>
#include <span>
#include <stdexcept>
#include <variant>

namespace assay::jit {

/// Why there is no derivative, or no widened function: the engine's message, one line.
struct NoDerivative {
  std::string message;
};

class Program {
public:
  /// `file` must outlive the program. Throws BadRequest if the function itself does not link.
  Program(const ModuleFile &file, const FunctionSignature &function);
  ~Program();
  Program(Program &&) noexcept;

  /// The function itself.
  Entry function() const;

  /// The function with wide movements beside its numbers (core/widen), compiled at the first call; to be called within
  /// a widen::Run. Where it cannot be made: why.
  std::variant<Entry, NoDerivative> widened();

  /// Puts every global variable back to what it held after loading: equal calls find equal state.
  void reset() const;

  /// Compiles all of these at once; those that cannot be are remembered with the reason.
  void compile(std::span<const Derivative> derivatives);

  /// Compiled before, or compiled now.
  std::variant<Entry, NoDerivative> derivative(const Derivative &derivative);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace assay::jit
