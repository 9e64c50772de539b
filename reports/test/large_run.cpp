#include "reports/test/large_run.hpp"

#include "reports/test/sample_run.hpp"
#include <cmath>
#include <fmt/format.h>

namespace assay::reports::test {

namespace {

constexpr std::size_t functions = 40, nights = 12;

struct Form {
  unsigned width;
  bool split, runtime_activity;
};

/// A part of the records is of random functions.
Record record_number(std::size_t number, const Run &samples) {
  constexpr Form forms[] = {{1, false, false}, {1, true, false}, {2, false, false}, {4, true, false}, {8, false, true}};
  constexpr const char *activities[] = {"Const", "Duplicated", "DuplicatedNoNeed"};
  const std::size_t function = number % (functions + 20);
  const bool is_random = function >= functions, fails = number % 173 == 7, is_unsure = number % 211 == 5;
  Record record = samples.records[fails ? 1 : is_unsure ? 2 : 0];
  const std::size_t choice = number / (functions + 20);
  const Form form = forms[choice / 18 % 5];
  record.mode = choice % 2 == 0 ? "forward" : "reverse";
  record.width = form.width;
  record.split = form.split && record.mode == "reverse";
  record.runtime_activity = form.runtime_activity;
  record.function = is_random ? fmt::format("random_{}", number) : fmt::format("kernel_{:02}", function);
  record.file = is_random ? "" : fmt::format("src/kernel_{:02}.c", function);
  record.case_id = is_random
                       ? fmt::format("function/{}/double/{}@7", number % 2 == 0 ? "smooth" : "near-kink", number)
                       : fmt::format("check/src/kernel_{:02}.c:kernel_{:02}@{}", function, function, 1000 + function);
  record.parameters = {"x", "y", "n"};
  record.argument_specs = {"double[2]", "double[2]", "int=2"};
  record.activities = {activities[choice / 2 % 3], activities[choice / 6 % 3], "Const"};
  record.result_activity = record.mode == "forward" ? "Duplicated" : "Active";
  const double size = std::pow(10.0, -static_cast<double>(number * 7 % 60) / 10 - 9);
  Element &worst = record.worst.front();
  worst.absolute_error = fails ? 0.2 : size;
  worst.relative_error = size / 3;
  worst.ulp_error = size * 4e15;
  worst.tolerance = 1e-8;
  if (number % 3 == 0) {
    worst.second = worst.expected * (1 + size);
    worst.second_error = size;
    record.second_oracle = "finite differences";
  }
  record.oracle = "wide arithmetic";
  record.digits_lost = static_cast<double>(number % 9);
  if (number % 9 == 0 && !fails)
    record.lost_digits.clear();
  const double cost = 1.5 + static_cast<double>(number % 13);
  record.times = {{15, 1950, 2000, 2100}, {15, 1950 * cost, 2000 * cost, 2100 * cost}};
  record.steps->rows.clear();
  for (int exponent = 1; exponent <= 43; exponent += 2) {
    const double step = std::ldexp(1, -exponent), noise = 1e-16 / step * (1 + number % 5);
    record.steps->rows.push_back({step, 0.3 + step * 0.7 + noise, 0.3 + step * step * 0.5 + noise});
  }
  record.steps->derivative = fails ? 0.1 : 0.3;
  if (!fails && choice > 1)
    record.steps.reset();
  return record;
}

} // namespace

LargeRun large_run(std::size_t records) {
  const Run samples = sample_run();
  LargeRun large;
  large.now = samples;
  large.now.records.clear();
  for (std::size_t number = 0; number < records; ++number)
    large.now.records.push_back(record_number(number, samples));
  large.before = large.now;
  std::size_t failure = 0;
  for (std::size_t number = 0; number < records; ++number) {
    Record &record = large.before.records[number];
    if (record.outcome == Outcome::failed && failure++ % 2 == 0)
      record.outcome = Outcome::passed;
    else if (record.outcome == Outcome::passed && number % 401 == 0)
      record.worst.front().relative_error *= 1e-4;
    else if (record.outcome == Outcome::passed && number % 307 == 0)
      record.times->derivative = {15, 800, 1000, 1100};
  }
  for (std::size_t night = 0; night < nights; ++night)
    large.past.nights.push_back(
        {fmt::format("2031-02-{:02}", night + 1), night, 900, {10000, 9940 - night % 5 * 10, 20 + night % 5 * 10, 40}});
  for (const Record &record : large.now.records)
    if (!record.file.empty())
      large.past.letters.try_emplace(record.case_id, record.function < "kernel_20" ? "pppufpp.nppf" : "..pppppppppf");
  return large;
}

} // namespace assay::reports::test
