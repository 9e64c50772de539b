#pragma once
// The call of a derivative that failed, as a reproducer repeats it: its form, and the variables that it gets.

#include "core/jit/shared_memory.hpp"
#include "reports/record.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// One parameter as variables of the program: `assay_0`, which the derivative gets as `c_assay_0` with the shadows
/// `s_assay_0`, one
/// row for each lane.
struct ReproducedVariable {
  std::string name, title, type, activity;
  std::size_t count = 1;
  bool is_pointer = false, is_real = false;
  std::vector<double> values;
  std::size_t first_weight = 0;

  bool is_constant() const { return activity == "Const"; }
  bool is_active() const { return activity == "Active"; }
  bool has_shadow() const { return activity == "Duplicated" || activity == "DuplicatedNoNeed"; }
  bool is_output() const { return is_pointer && has_shadow(); }
  /// As the function takes it from an array of this name, memory from an element on.
  std::string passed(const std::string &array, std::size_t offset) const;
};

/// A parameter of the function: memory of a variable from an element on.
struct PassedVariable {
  std::size_t variable = 0, offset = 0;
};

struct ReproducedCall {
  std::string function, result_type;
  unsigned width = 1;
  bool is_forward = false, is_split = false, is_runtime_activity = false;
  bool has_result = false, result_counts = false;
  jit::Scalar coarsest = jit::Scalar::real64; ///< Of all real numbers.
  bool loses_memory = false;
  std::vector<ReproducedVariable> variables;
  std::vector<PassedVariable> passed;

  /// True where the result has a seed in each lane.
  bool has_seeds() const { return !is_forward && result_counts; }
};

/// Parameters that share memory are one variable.
ReproducedCall reproduced_call(const jit::SharedCall &request, const reports::Record &record);

} // namespace assay::cli
