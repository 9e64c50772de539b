// Would catch: classes of faults that are planted nowhere, faults that leave the code as it is or break it, and sites
// that are counted differently the second time.

#include "core/jit/mutate/canonical_text.hpp"
#include "core/jit/mutate/rule_faults.hpp"
#include "core/jit/mutate/sites.hpp"
#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/Verifier.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace assay::jit;
using assay::engine::RuleTable;
using assay::test::ScratchFile;

/// A derivative that is compiled as often as there are faults to plant.
class Subject {
public:
  Subject(const std::string &source, Derivative wanted)
      : scratch_("f.c", source), file_(scratch_.path, {}), program_(file_, file_.function("f")),
        wanted_(std::move(wanted)) {}

  std::vector<Fault> faults() {
    std::vector<Fault> found;
    assay::engine::Alterations look;
    look.written = [&](llvm::Function &written) {
      for (Fault &fault : faults_of(written, wanted_.width))
        found.push_back(std::move(fault));
    };
    code_with(look);
    return found;
  }

  std::string code_with_fault(const Fault &fault) {
    assay::engine::Alterations alterations;
    alterations.written = [&](llvm::Function &written) {
      if (plant(written, fault, wanted_.width))
        EXPECT_FALSE(llvm::verifyFunction(written, &llvm::errs())) << fault.text;
    };
    return code_with(alterations);
  }

  std::string code_with(const assay::engine::Alterations &alterations) {
    std::string code;
    program_.interfere({alterations, [&](const llvm::Module &module) { code = canonical_text(module); }});
    program_.forget(wanted_);
    const auto compiled = program_.derivative(wanted_);
    if (const auto *refusal = std::get_if<NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    return code;
  }

private:
  ScratchFile scratch_;
  ModuleFile file_;
  Program program_;
  Derivative wanted_;
};

Derivative gradient(std::vector<Activity> arguments, Activity result = Activity::active) {
  return {Mode::reverse, 1, result, PrimalResult::omitted, std::move(arguments)};
}

constexpr Activity dup = Activity::duplicated, constant = Activity::constant, active = Activity::active;

const char *const series =
    "#include <math.h>\n"
    "double f(double *x, int n) { double s = 0;\n"
    "  for (int i = 0; i < n; ++i) { s = sin(s) * x[i] - x[i]; x[i] = s * s; if (s > 9) break; }\n"
    "  return s; }\n";
const char *const matrix = "double f(const double *a, const double *x, int n) { double s = 0;\n"
                           "  for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) s += s * a[j * n + i] * x[i];\n"
                           "  return s; }\n";
const char *const heap = "#include <stdlib.h>\n#include <math.h>\n"
                         "double f(const double *x, int n) { double *w = malloc(n * sizeof *w), s = 1;\n"
                         "  for (int i = 0; i < n; ++i) w[i] = s = sin(s) * x[i];\n"
                         "  for (int i = 1; i < n; ++i) s += w[i] * w[i - 1];\n"
                         "  free(w); return s; }\n";
const char *const recursive = "double f(double x, int n) { return n == 0 ? x : x * f(x * x, n - 1); }\n";

struct Case {
  FaultClass kind;
  const char *source;
  Derivative wanted;
};

Derivative in_two_functions(Derivative derivative) {
  derivative.form = Form::split;
  derivative.primal = PrimalResult::wanted;
  return derivative;
}

Derivative batched(Derivative derivative, unsigned width) {
  derivative.width = width;
  return derivative;
}

Derivative tangents(std::vector<Activity> arguments, unsigned width) {
  return {Mode::forward, width, Activity::duplicated, PrimalResult::wanted, std::move(arguments)};
}

class EveryClass : public testing::TestWithParam<Case> {};

TEST_P(EveryClass, IsPlantedAndChangesTheCode) {
  Subject subject(GetParam().source, GetParam().wanted);
  const std::string right = subject.code_with({});
  unsigned planted = 0, changed = 0;
  for (const Fault &fault : subject.faults())
    if (fault.kind == GetParam().kind) {
      ++planted;
      changed += subject.code_with_fault(fault) != right;
    }
  EXPECT_GT(planted, 0U);
  EXPECT_GT(changed, 0U);
}

const Derivative of_series = gradient({dup, constant});

INSTANTIATE_TEST_SUITE_P(
    OfFaults, EveryClass,
    testing::Values(Case{FaultClass::sign, series, of_series}, Case{FaultClass::dropped_term, series, of_series},
                    Case{FaultClass::overwritten_sum, matrix, gradient({dup, dup, constant})},
                    Case{FaultClass::wrong_operand, series, of_series}, Case{FaultClass::conjugate, series, of_series},
                    Case{FaultClass::wrong_iteration, series, of_series},
                    Case{FaultClass::missing_zeroing, series, of_series},
                    Case{FaultClass::tape_slot, series, of_series}, Case{FaultClass::primal_changed, series, of_series},
                    Case{FaultClass::argument_mutation, series, of_series},
                    Case{FaultClass::transposed_index, matrix, gradient({dup, dup, constant})},
                    Case{FaultClass::callable, recursive, gradient({active, constant})},
                    Case{FaultClass::tape_store, series, of_series},
                    Case{FaultClass::primal_return, series, in_two_functions(of_series)},
                    Case{FaultClass::missing_release, heap, in_two_functions(of_series)},
                    Case{FaultClass::double_release, heap, in_two_functions(of_series)},
                    Case{FaultClass::lane_swapped, series, batched(of_series, 2)},
                    Case{FaultClass::lane_broadcast, series, tangents({dup, constant}, 4)},
                    Case{FaultClass::lane_dropped, series, tangents({dup, constant}, 3)}),
    [](const testing::TestParamInfo<Case> &info) {
      std::string name(name_of(info.param.kind));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// In two functions each sweep has its own.
TEST(Mutate, PlantsInBothSweepsOfTheSplitForm) {
  Subject subject(series, in_two_functions(of_series));
  std::set<std::string> places;
  for (const Fault &fault : subject.faults())
    places.insert(fault.place);
  EXPECT_EQ(places, (std::set<std::string>{"augmented.f", "splitdiffe.f"}));
}

/// Whatever the loops are called, and also where the steps of an address are several instructions.
TEST(Mutate, ExchangesRowsAndColumnsOfManyKindsOfAddresses) {
  for (const char *body : {"s += a[i * n + j] * a[j];", "s += a[(i + 1) * n - j] * s;", "s *= a[j * n + i + 1];",
                           "s += ((double(*)[3])a)[i][j] * s;", "s += a[i * 4 + j] * s;"}) {
    Subject subject(
        "double f(double *a, int n) { double s = 1; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) { " +
            std::string(body) + " } return s; }",
        of_series);
    const std::string right = subject.code_with({});
    unsigned changed = 0;
    for (const Fault &fault : subject.faults())
      changed += fault.kind == FaultClass::transposed_index && subject.code_with_fault(fault) != right;
    EXPECT_GT(changed, 0U) << body;
  }
}

TEST(Mutate, ABatchHasOnlyFaultsOfItsLanes) {
  for (const unsigned width : {2U, 3U, 8U}) {
    Subject subject(series, batched(of_series, width));
    const std::vector<Fault> faults = subject.faults();
    EXPECT_FALSE(faults.empty());
    for (const Fault &fault : faults)
      EXPECT_TRUE(fault.kind == FaultClass::lane_swapped || fault.kind == FaultClass::lane_dropped ||
                  (fault.kind == FaultClass::lane_broadcast && width > 2))
          << name_of(fault.kind);
  }
}

TEST(Mutate, FindsTheSameFaultsEveryTime) {
  Subject subject(series, of_series);
  const std::vector<Fault> first = subject.faults(), second = subject.faults();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t index = 0; index < first.size(); ++index)
    EXPECT_EQ(first[index].text, second[index].text);
}

TEST(Mutate, LeavesTheCodeAloneWhereThereIsNoSuchPlace) {
  Subject subject(series, of_series);
  EXPECT_EQ(subject.code_with_fault({FaultClass::sign, "diffe.f", 1000, 0, ""}), subject.code_with({}));
  EXPECT_EQ(subject.code_with_fault({FaultClass::sign, "diffe.g", 0, 0, ""}), subject.code_with({}));
}

TEST(Mutate, NamesOfClassesReadBack) {
  for (const auto &[kind, name] : fault_classes)
    EXPECT_EQ(fault_class_named(name_of(kind)), kind);
  EXPECT_EQ(fault_class_named("nothing"), std::nullopt);
}

// --- rules ---

TEST(RuleFaults, EveryRuleWithAPartialHasFaults) {
  const RuleTable &table = RuleTable::get();
  for (const std::string &name : table.names()) {
    const auto *entry = table.find(name);
    const bool has_partial = entry->shape == assay::engine::Shape::elementwise &&
                             std::any_of(entry->partials.begin(), entry->partials.end(),
                                         [](const auto &partial) { return partial != nullptr; });
    EXPECT_EQ(has_partial, !faults_of_rule(table, name).empty()) << name;
  }
}

TEST(RuleFaults, ChangeTheDerivativesThatUseTheRule) {
  Subject subject("#include <math.h>\ndouble f(double x, double y) { return atan2(x, y) + sin(x) * y; }\n",
                  gradient({active, active}));
  const std::string right = subject.code_with({});
  for (const char *name : {"atan2", "sin"})
    for (const Fault &fault : faults_of_rule(RuleTable::get(), name)) {
      const RuleTable wrong = with_fault(RuleTable::get(), fault);
      EXPECT_TRUE(subject.code_with({&wrong, {}}) != right) << name << ": " << fault.text;
    }
}

TEST(RuleFaults, LeaveOtherRulesAlone) {
  Subject subject("#include <math.h>\ndouble f(double x) { return sin(x); }\n", gradient({active}));
  const RuleTable wrong = with_fault(RuleTable::get(), faults_of_rule(RuleTable::get(), "cos").front());
  EXPECT_EQ(subject.code_with({&wrong, {}}), subject.code_with({}));
}

} // namespace
