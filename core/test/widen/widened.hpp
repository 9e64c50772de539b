#pragma once
// A function of a source text, widened, and its derivatives by the difference of widened runs.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"
#include "core/widen/difference.hpp"
#include "core/widen/run.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace assay::test {

/// `double f(double *x)`, or `double f(double x)`, in C or C++.
class Widened {
public:
  Widened(const std::string &file_name, const std::string &source,
          jit::OptimizationLevel level = jit::OptimizationLevel::normal)
      : scratch_(file_name, source), file_(scratch_.path, {level, {}, jit::CompileOptions::Emit::used}),
        program_(file_, file_.function("f")) {
    const auto compiled = program_.widened();
    if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    entry_ = std::get<jit::Entry>(compiled);
  }

  double value(std::vector<double> x) {
    double result = 0;
    void *slots[] = {x.data(), &result};
    program_.function()(slots);
    return result;
  }

  /// The result's reaction when the variables move.
  widen::Reaction react(std::vector<double> x, const std::vector<widen::Wide> &movements) {
    double result = 0;
    void *slots[] = {x.data(), &result};
    program_.reset();
    widen::Run run;
    for (std::size_t index = 0; index < x.size(); ++index)
      run.move(&x[index], sizeof(double), movements[index]);
    entry_(slots);
    widened_value = result;
    fewest_bits = run.fewest_bits;
    return {{run.movement(&result, sizeof result)},
            run.losses(),
            run.crossings(),
            run.kinks(),
            run.edges(),
            {},
            run.has_absorbed,
            run.singularities()};
  }

  widen::Difference derivative(const std::vector<double> &x, std::size_t variable = 0) {
    const auto move = [&](widen::Wide step) {
      std::vector<widen::Wide> movements(x.size(), 0);
      movements[variable] = step;
      return react(x, movements);
    };
    return widen::differentiate(move, 1, std::abs(x[variable]));
  }

  double widened_value = 0; ///< What the widened program returned in its last run.
  unsigned fewest_bits = 0;

private:
  ScratchFile scratch_;
  jit::ModuleFile file_;
  jit::Program program_;
  jit::Entry entry_ = nullptr;
};

/// Expects df/dx to be right to full precision, with an error estimate that says so, and the value to be the program's.
inline void expect_derivative(Widened &program, const std::vector<double> &x, std::size_t variable, double expected) {
  const widen::Difference difference = program.derivative(x, variable);
  for (const std::string &loss : difference.losses)
    ADD_FAILURE() << "lost: " << loss;
  for (const std::string &crossing : difference.crossings)
    ADD_FAILURE() << "crossed: " << crossing;
  const widen::Estimate &estimate = difference.outputs.front();
  EXPECT_EQ(estimate.trouble, widen::Trouble::none);
  EXPECT_LE(std::abs(estimate.value - expected), 1e-15 * std::abs(expected))
      << estimate.value << " is not " << expected;
  EXPECT_LE(estimate.error, 1e-15 * std::abs(expected));
  EXPECT_EQ(program.widened_value, program.value(x));
}

/// The same at -O0 and -O2.
inline void expect_derivative(const std::string &file_name, const std::string &source, const std::vector<double> &x,
                              std::size_t variable, double expected) {
  for (const jit::OptimizationLevel level : {jit::OptimizationLevel::none, jit::OptimizationLevel::normal}) {
    SCOPED_TRACE(static_cast<int>(level));
    Widened program(file_name, source, level);
    expect_derivative(program, x, variable, expected);
  }
}

} // namespace assay::test
