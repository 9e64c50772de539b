// Two threads may call the derivative at once, each with memory of its own, where the function itself allows that. The
// subject tries fixed orders of the two calls, so that what it finds it always finds. A variable that a call fills
// before it reads it holds nothing from call to call, and being shared is a fault of it. One that is read first is kept
// on purpose, as a cache is; that the derivative is for one thread then is worth a note.

#include "testutils/difference.hpp"
#include "testutils/earlier_calls.hpp"
#include "testutils/finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static std::string in_words(const std::vector<std::string> &variables) {
  return variables.empty()
             ? "memory that both reach"
             : fmt::format("the {} {}", variables.size() == 1 ? "variable" : "variables", fmt::join(variables, ", "));
}

static Finding check_new_thread(Subject &subject, const DerivativeRequest &request) {
  Finding finding{Verdict::pass, "a thread that has just begun", {}, {}, 0};
  const std::optional<DerivativeOutcome> seen = subject.differentiate_in_new_thread(request);
  if (!seen)
    return finding;
  const Difference difference = compare_derivatives(subject.signature(), *seen, subject.differentiate(request));
  finding.compared = difference.compared;
  if (!difference.row)
    return finding;
  finding.verdict = Verdict::wrong_state;
  finding.detail = "called from a thread that has just begun, the derivative gives other numbers than in the main "
                   "thread, whose thread-local variables were set before main";
  finding.worst.push_back(*difference.row);
  return finding;
}

Finding check_threads(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request, std::string &note) {
  Finding finding{Verdict::pass, "two threads at once", {}, {}, 0};
  if (!is_plainest(subject.signature(), request.combination) || subject.rules(request.combination).empty())
    return finding;
  if (Finding alone = check_new_thread(subject, request); alone.verdict != Verdict::pass)
    return alone;
  DerivativeRequest other = request;
  other.inputs = earlier.elsewhere();
  std::optional<Race> race;
  try {
    race = subject.race(request, other);
  } catch (const SubjectError &error) {
    note = fmt::format("the derivative was not called from two threads at once: {}", error.what());
  }
  if (!race)
    return finding;
  if (!race->fills_before_reading) {
    note = fmt::format("the derivative cannot be called from two threads at once, though the function can: they share "
                       "{}, which keeps something from call to call",
                       in_words(race->variables));
    return finding;
  }
  finding.verdict = Verdict::wrong_state;
  finding.detail =
      fmt::format("called from two threads at once, each with its own arguments, the derivative gives other "
                  "numbers than alone: they share {}, which each call fills before it reads it",
                  in_words(race->variables));
  const Difference difference = compare_derivatives(subject.signature(), race->seen, race->alone);
  finding.compared = difference.compared;
  if (difference.row)
    finding.worst.push_back(*difference.row);
  return finding;
}

} // namespace assay::testutils
