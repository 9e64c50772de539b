#include "testutils/environment_watch.hpp"

#include "testutils/arithmetic_state.hpp"
#include "testutils/surroundings.hpp"

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstring>
#include <fmt/format.h>
#include <iterator>

namespace assay::testutils {

namespace {

/// Before any code was watched: calls of which only the arithmetic is watched may have changed them since.
const Surroundings &first_surroundings() {
  static const Surroundings first;
  return first;
}

void append(std::vector<std::string> &all, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

} // namespace

std::vector<std::string> beyond(const std::vector<std::string> &seen, const std::vector<std::string> &usual) {
  std::vector<std::string> more;
  std::copy_if(seen.begin(), seen.end(), std::back_inserter(more),
               [&](const std::string &one) { return std::find(usual.begin(), usual.end(), one) == usual.end(); });
  return more;
}

struct EnvironmentWatch::State {
  std::fenv_t floating_point{};
  ArithmeticState arithmetic;
  int error = errno;
  std::unique_ptr<const Surroundings> surroundings; ///< Large, and most calls are watched without.
};

EnvironmentWatch::EnvironmentWatch(Watched watched) : before_(std::make_unique<State>()) {
  const Surroundings &first = first_surroundings();
  if (watched == Watched::everything)
    first.put_back();
  watch(watched);
}

EnvironmentWatch::EnvironmentWatch(const Surroundings &surroundings) : before_(std::make_unique<State>()) {
  if (!Surroundings().changes_since(surroundings).empty())
    surroundings.put_back();
  watch(Watched::everything);
}

void EnvironmentWatch::watch(Watched watched) {
  if (watched == Watched::everything)
    before_->surroundings = std::make_unique<const Surroundings>();
  const bool is_after_errors = watched == Watched::arithmetic_after_errors;
  std::fegetenv(&before_->floating_point);
  std::feclearexcept(FE_ALL_EXCEPT);
  if (is_after_errors)
    std::feraiseexcept(FE_ALL_EXCEPT);
  errno = is_after_errors ? ERANGE : 0;
}

EnvironmentReport EnvironmentWatch::report() const {
  const int error = errno;
  const int raised = std::fetestexcept(FE_INVALID | FE_DIVBYZERO);
  EnvironmentReport report;
  report.left_range = std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) != 0;
  report.changes = ArithmeticState().changes_since(before_->arithmetic);
  if (!before_->surroundings)
    return report;
  const Surroundings now;
  append(report.changes, now.changes_since(*before_->surroundings));
  report.remarks = now.remarks_since(*before_->surroundings);
  for (const auto &[bit, name] : floating_point_exceptions)
    if (raised & bit)
      report.remarks.push_back(fmt::format("raises the floating-point exception {}", name));
  if (error != 0)
    report.remarks.push_back(fmt::format("sets errno to {}", strerrorname_np(error) ? strerrorname_np(error) : "?"));
  return report;
}

EnvironmentWatch::~EnvironmentWatch() {
  if (before_->surroundings && !Surroundings().changes_since(*before_->surroundings).empty())
    before_->surroundings->put_back();
  std::fesetenv(&before_->floating_point);
  errno = before_->error;
}

} // namespace assay::testutils
