#pragma once
// The lines that a checking child sends, one for each event, and the plan that it follows. A line that ends in a space
// here is followed by a JSON record, a number or a sentence.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

namespace check_event {

inline constexpr std::string_view compiling = "compiling", widening = "widening", widened = "widened",
                                  tracing = "tracing", traced = "traced", searching = "searching",
                                  searched = "searched", trying = "trying", tried = "tried";
/// With the record that a crash would leave.
inline constexpr std::string_view about_to_run = "run ";
/// With the number of an earlier such event of this child.
inline constexpr std::string_view about_to_run_again = "again ";
inline constexpr std::string_view decided = "record ", refused = "refused ", counted = "counted ", at_shape = "shape ";

} // namespace check_event

enum class Compilation { all_at_once, one_by_one };

/// Lessons of earlier children of the same check.
struct CheckPlan {
  std::vector<std::set<std::string>> left_out; ///< For each shape, combinations that need not be checked at it.
  Compilation compilation = Compilation::all_at_once;
  std::string no_trace;                 ///< Not empty: why nothing is run with probes.
  std::string no_precise;               ///< Not empty: why the widened function is not used.
  std::string no_search;                ///< Not empty: why no inputs are searched for.
  std::set<std::string> modes_given_up; ///< "forward", "reverse": their derivatives give no answer.
  std::string no_trial; ///< Not empty: why the function is not run where it may not have been made for the inputs.
};

} // namespace assay::cli
