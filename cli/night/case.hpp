#pragma once
// One case of a night, as its name says it. The name holds all that the case follows from, its own seed included, so
// that any night, on any machine, can run it again:
//
//   check/kernels/dot.c:dot@12        a marked function of the project, at random points of seed 12
//   check/kernels/dot.c:dot#2@12      its second mark
//   function/near-kink/float/17@12    a random function, as `assay sweep` draws it
//   program/17@12                     a random program, as `assay fuzz` draws it

#include "generators/functions/random_function.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace assay::cli {

/// A function of the project: `kernels/dot.c:dot`.
struct ProjectCase {
  std::string function;
};

struct ProgramCase {
  std::uint32_t number = 0;
};

struct NightCase {
  std::uint64_t seed = 0;
  std::variant<ProjectCase, gen::functions::FunctionName, ProgramCase> what;
};

std::string id_of(const NightCase &night_case);
/// Nothing where `id` names no case.
std::optional<NightCase> case_from_id(std::string_view id);

/// The same for all seeds that a function of the project is checked with: whether a failure is a new one depends on the
/// function. Other cases are their own subject.
std::string subject_of(std::string_view id);

} // namespace assay::cli
