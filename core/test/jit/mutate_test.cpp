// Would catch: classes of faults that are planted nowhere, faults that leave the code as it is or break it, and sites
// that are counted differently the second time.

#include "core/jit/mutate/canonical_text.hpp"
#include "core/jit/mutate/registered_faults.hpp"
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
    assay::engine::TestHooks look;
    look.written = [&](llvm::Function &written) {
      for (Fault &fault : faults_of(written, wanted_.width))
        found.push_back(std::move(fault));
    };
    code_with(look);
    return found;
  }

  std::string code_with_fault(const Fault &fault) {
    assay::engine::TestHooks test_hooks;
    test_hooks.written = [&](llvm::Function &written) {
      if (plant(written, fault, wanted_.width))
        EXPECT_FALSE(llvm::verifyFunction(written, &llvm::errs())) << fault.text;
    };
    return code_with(test_hooks);
  }

  /// The derivative in which it is planted, right behind that.
  std::string planted_text(const Fault &fault) {
    std::string text;
    assay::engine::TestHooks test_hooks;
    test_hooks.written = [&](llvm::Function &written) {
      if (!plant(written, fault, wanted_.width))
        return;
      llvm::raw_string_ostream out(text);
      written.print(out);
    };
    code_with(test_hooks);
    return text;
  }

  std::string code_with(const assay::engine::TestHooks &test_hooks) {
    std::string code;
    program_.interfere({test_hooks, [&](const llvm::Module &module) { code = canonical_text(module); }});
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

const char *const branching = "#include <math.h>\n"
                              "double f(const double *x, double a, double b) { double s = 0.1 * a;\n"
                              "  if (x[0] < 2 * a) s += sin(a) * x[0] * b; else s -= x[0] * x[1] * b;\n"
                              "  return s > b ? s * a * a : a * s; }\n";
const char *const strided = "void f(const double *x, double *y, int stride, int leading, int n) {\n"
                            "  for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j)\n"
                            "    y[i * leading + j] = x[j * stride] * x[i]; }\n";
const char *const through_memory = "void f(double *x, double *y) { const double held = x[0]; y[0] = held * y[1];\n"
                                   "  y[1] = held * held; }\n";
const char *const counting = "int calls; double f(double x) { ++calls; return x * x; }\n";

/// Every class that may be in any derivative, and what is in its code then that was not there before.
struct Shown {
  FaultClass kind;
  const char *source;
  Derivative wanted;
  const char *fragment;
};

class GeneralFault : public testing::TestWithParam<Shown> {};

TEST_P(GeneralFault, ShowsInTheCode) {
  const auto &[kind, source, wanted, fragment] = GetParam();
  Subject subject(source, wanted);
  const std::string right = subject.code_with({});
  unsigned planted = 0, changed = 0;
  for (const Fault &fault : subject.faults())
    if (fault.kind == kind) {
      const std::string text = subject.planted_text(fault);
      ++planted;
      EXPECT_NE(text.find(fragment), std::string::npos) << fault.text << "\n" << text;
      changed += subject.code_with_fault(fault) != right;
    }
  EXPECT_GT(planted, 0U);
  EXPECT_GT(changed, 0U);
}

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

const Derivative of_branching = gradient({dup, active, active}), tangent_of_branching = tangents({dup, dup, dup}, 1),
                 of_matrix = {Mode::forward,
                              1,
                              Activity::constant,
                              PrimalResult::wanted,
                              {dup, dup, constant, constant, constant}};

INSTANTIATE_TEST_SUITE_P(
    Of, GeneralFault,
    testing::Values(Shown{FaultClass::zero_division, branching, of_branching, "fdiv"},
                    Shown{FaultClass::equal_division, branching, of_branching, "fsub"},
                    Shown{FaultClass::single_precision, branching, of_branching, ""},
                    Shown{FaultClass::tiny_sign, branching, of_branching, "0x3D719799812DEA11"},
                    Shown{FaultClass::magnitude, branching, of_branching, "@llvm.fabs.f64"},
                    Shown{FaultClass::detached, branching, of_branching, "call double @assay.mutant.detached.64("},
                    Shown{FaultClass::last_call, branching, of_branching, "@assay.mutant.kept"},
                    Shown{FaultClass::cached_address, branching, of_branching, "icmp eq ptr"},
                    Shown{FaultClass::call_counter, branching, of_branching, "add i32"},
                    Shown{FaultClass::changed_variable, counting, gradient({active}), "@calls"},
                    Shown{FaultClass::seed_of_one, branching, of_branching, "1.000000e+00"},
                    Shown{FaultClass::seed_zero, branching, of_branching, "fcmp oeq double"},
                    Shown{FaultClass::seed_tiny, branching, of_branching, "fcmp olt double"},
                    Shown{FaultClass::seed_huge, branching, of_branching, "1.000000e+10"},
                    Shown{FaultClass::length, strided, of_matrix, ""},
                    Shown{FaultClass::tail, strided, of_matrix, "and i"},
                    Shown{FaultClass::leading_dimension, strided, of_matrix, "mul"},
                    Shown{FaultClass::unit_stride, strided, of_matrix, "mul"},
                    Shown{FaultClass::read_late,
                          through_memory,
                          {Mode::forward, 1, Activity::constant, PrimalResult::wanted, {dup, dup}},
                          "load double"},
                    Shown{FaultClass::one_side, branching, of_branching, "5.000000e-01"},
                    Shown{FaultClass::threshold, branching, of_branching, "1.500000e+00"},
                    Shown{FaultClass::tie, branching, of_branching, "fcmp"},
                    Shown{FaultClass::rounding_mode, branching, of_branching, "call i32 @fesetround(i32 2048)"},
                    Shown{FaultClass::flush_to_zero, branching, of_branching, "@llvm.x86.sse.ldmxcsr"},
                    Shown{FaultClass::trap, branching, of_branching, "call i32 @feenableexcept(i32 4)"},
                    Shown{FaultClass::open_file, branching, of_branching, "call i32 @dup(i32 1)"},
                    Shown{FaultClass::early_release, heap, in_two_functions(of_series), "@free"},
                    Shown{FaultClass::mismatched_release, heap, in_two_functions(of_series), "@_ZdaPv"},
                    Shown{FaultClass::lane_seed, branching, batched(of_branching, 3), ""}),
    [](const testing::TestParamInfo<Shown> &info) {
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
      EXPECT_TRUE(fault.kind == FaultClass::lane_seed || fault.kind == FaultClass::lane_swapped ||
                  fault.kind == FaultClass::lane_dropped || (fault.kind == FaultClass::lane_broadcast && width > 2))
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

// --- registered rules ---

TEST(RegisteredFaults, AreInTheFunctionsOfARule) {
  const ScratchFile scratch("f.c",
                            "struct pair { double x, y; }; struct augmented { void *tape; double primal; };\n"
                            "double f(const double *x, double a) { return a * x[0]; }\n"
                            "struct augmented first(const double *x, double *dx, double a) {\n"
                            "  struct augmented r = {0, a * x[0]}; return r; }\n"
                            "double second(const double *x, double *dx, double a, double seed, void *tape) {\n"
                            "  dx[0] += a * seed; return x[0] * seed; }\n"
                            "void *__enzyme_register_gradient_f[] = {(void *)f, (void *)first, (void *)second};\n"
                            "double g(const double *x, double a) { return f(x, a); }\n");
  const ModuleFile file(scratch.path, {});
  Program program(file, file.function("g"));
  const std::vector<RegisteredRule> rules = program.rules();
  ASSERT_EQ(rules.size(), 1U);
  const Derivative wanted = gradient({dup, active});
  std::vector<Fault> faults;
  std::string right, wrong;
  const auto compile = [&](Interference interference) {
    program.interfere(std::move(interference));
    program.forget(wanted);
    EXPECT_TRUE(std::holds_alternative<Entry>(program.derivative(wanted)));
  };
  Interference look;
  look.simplified = [&](llvm::Module &module) { faults = faults_of_registered(module, rules.front()); };
  look.compiled = [&](const llvm::Module &module) { right = canonical_text(module); };
  compile(look);
  std::set<std::string> kinds;
  for (const Fault &fault : faults) {
    if (fault.place != "second")
      continue;
    kinds.emplace(name_of(fault.kind));
    Interference planting;
    planting.simplified = [&](llvm::Module &module) {
      EXPECT_TRUE(plant_in_registered(module, rules.front(), fault)) << fault.text;
      EXPECT_FALSE(llvm::verifyFunction(*module.getFunction(fault.place), &llvm::errs())) << fault.text;
    };
    planting.compiled = [&](const llvm::Module &module) { wrong = canonical_text(module); };
    compile(planting);
    EXPECT_NE(wrong, right) << name_of(fault.kind) << ": " << fault.text;
  }
  for (const char *kind :
       {"sign", "dropped-term", "zero-division", "single-precision", "last-call", "call-counter", "cached-address",
        "seed-of-one", "seed-zero", "seed-tiny", "seed-huge", "tiny-sign", "magnitude", "rounding-mode", "open-file"})
    EXPECT_TRUE(kinds.contains(kind)) << kind;
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
