#pragma once
// One planted fault, and its outcome.

#include "core/jit/mutate/fault.hpp"
#include <assay/testing/subject.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

/// A derivative that faults are planted in.
struct Variant {
  testutils::Mode mode = testutils::Mode::forward;
  testutils::Form form = testutils::Form::combined;
  unsigned width = 1;
  friend bool operator==(const Variant &, const Variant &) = default;
};

/// `forward`, `reverse-split`, `reverse-4`.
std::string name_of(const Variant &variant);

/// A fault in one derivative, or in a rule that all use.
struct Mutant {
  std::size_t function = 0;       ///< Which of the functions under test.
  std::optional<Variant> variant; ///< Absent: a rule.
  jit::Fault fault;
};

enum class MutantFate {
  killed,
  same_code,    ///< Equivalent, proved: the optimised code is that of the right derivative.
  same_numbers, ///< Equivalent as far as can be seen: the same numbers at many points, also at edges.
  survived,
  not_planted, ///< The code that it is about is not there, or could not be compiled with the fault.
};

std::string_view name_of(MutantFate fate);

struct JudgedMutant {
  Mutant mutant;
  MutantFate fate = MutantFate::not_planted;
  std::string detail; ///< Which check killed it; where a survivor's numbers differ.
};

/// `reverse/diffe.f/sign/3`, `forward-4/fwddiffe.f/lane-dropped/0`, `rule/atan2/constant/0`: what --only takes.
std::string id_of(const Mutant &mutant);

/// The fault that `id` names, without its line and text. Throws BadRequest.
Mutant mutant_from_id(const std::string &id);

/// One line without the function, and back.
std::string to_line(const Mutant &mutant);
Mutant mutant_from_line(std::string_view line);

} // namespace assay::cli
