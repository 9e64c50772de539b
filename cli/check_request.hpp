#pragma once
// The request to `assay check`, after the command line and the file's marks have been read.

#include "cli/call_limits.hpp"
#include "cli/source_options.hpp"
#include "core/jit/module_file.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/check.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

/// In which ways pointer parameters share memory.
enum class Sharing : std::uint8_t { as_given, every_way };

/// Who chose a number: numbers that the user did not choose follow from the cost of a call.
enum class Chosen : std::uint8_t { by_default, by_user };

struct CheckSettings {
  std::uint64_t seed = 1;
  unsigned samples = 3;
  Chosen samples_chosen = Chosen::by_default, budget_chosen = Chosen::by_default;
  unsigned seconds = 20; ///< Of processor time, about, that the check of one function may take; 0: no limit.
  Sharing sharing = Sharing::as_given;
  std::optional<testutils::Mode> only_mode = {}; ///< Of the combinations that are chosen, those of this mode.
  testutils::Variations variations = testutils::Variations::one_each;
  std::size_t budget = 0; ///< Zero: no limit.
  std::vector<testutils::Mode> modes = {testutils::Mode::forward, testutils::Mode::reverse};
  std::optional<double> most_digits_lost; ///< Of a right derivative, to rounding.
  testutils::OracleChoice oracle = testutils::OracleChoice::automatic;
  jit::OptimizationLevel level = jit::OptimizationLevel::normal;
  std::optional<double> rtol, atol; ///< Absent: they follow from each element's type and scale.
  /// Of a kernel, as `--launch` has it.
  std::optional<jit::KernelLaunch> launch = std::nullopt;
  SourceOptions sources = {};
  std::string program = "assay"; ///< How replay commands call this program.
  CallLimits limits = {.seconds = 10, .memory = std::uint64_t(4) << 30U, .output = std::uint64_t(64) << 20U};
  /// A check that shows no progress for so long is given up.
  unsigned patience_seconds = 300;
  /// Where values of a class cannot be made: the compiler's message.
  bool shows_compiler_text = false;
};

/// One function with one spec for each of its parameters.
struct CheckRequest {
  std::filesystem::path file;
  jit::FunctionSignature function;
  std::string name; ///< Under which --function finds it again.
  std::vector<jit::ArgumentSpec> arguments;
  jit::CheckMark::Expectation expectation = jit::CheckMark::Expectation::passes;
  CheckSettings settings;
  /// Not empty: specs of all parameters of the compiled function, some of which share memory; `function` and
  /// `arguments` have those that own some (jit::join_aliases).
  std::vector<jit::ArgumentSpec> written = {};
  std::vector<std::string> notes = {};      ///< Parts of the request that are not checked, one sentence each.
  bool uses_rules = false;                  ///< Registered ones.
  std::vector<std::int64_t> constants = {}; ///< That the code of its rules counts with.
  bool is_brief = false;       ///< A shape that is only looked at where everything is active, at one point.
  std::string asked_rule = {}; ///< --rule, as the user names it.
  std::vector<std::string> asked_tables = {}; ///< The symbols of its tables.
  /// Of a function of C++ values (cpp_adapter.hpp), or of members of structs of C: the generated program around it.
  std::string adapter = {};
  std::vector<std::string> unused_rules = {}; ///< Registered in the file and used by none of its checked functions.
};

/// The spec of a parameter that nobody describes: it takes a result, or those numbers of an object that have another
/// type than the first.
inline constexpr std::string_view result_object = "result";

/// Little for a function of few numbers, none of them a large integer: its loops are short.
jit::Repetition repetition_of(const CheckRequest &request);

/// As the user would write them: none for a result that is an object, which the compiled function has a parameter for.
std::vector<std::string> spec_texts(const CheckRequest &request);

/// One for each parameter of the compiled function.
const std::vector<jit::ArgumentSpec> &written_specs(const CheckRequest &request);

/// One word for a POSIX shell.
std::string shell_word(const std::string &text);

/// `auto`, `fd`, `wide`.
std::string_view name_of(testutils::OracleChoice oracle);

/// `rule` in words.
std::string unused_rule_note(const std::string &rule);

/// The command line that repeats `request` with another seed.
std::string replay_command(const CheckRequest &request, std::uint64_t seed);

} // namespace assay::cli
