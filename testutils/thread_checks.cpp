// An atomic sum has another rounding in another order. How far that can go depends on its terms, which nobody sees from
// outside; but in wide arithmetic the sum is the same in all orders to digits beyond those of double. So both orders
// are compared there. Where the derivative is not followed in wide arithmetic, a thousand roundings of the largest
// number are taken for those of a sum.

#include "testutils/thread_checks.hpp"

#include "testutils/difference.hpp"
#include "testutils/finding.hpp"
#include "testutils/numbers.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// While it lives, threads run in this order.
class ThreadsInOrder {
public:
  ThreadsInOrder(Subject &subject, std::size_t order) : subject_(subject) { subject_.set_thread_order(order); }
  ~ThreadsInOrder() { subject_.set_thread_order(0); }
  ThreadsInOrder(const ThreadsInOrder &) = delete;
  ThreadsInOrder &operator=(const ThreadsInOrder &) = delete;

private:
  Subject &subject_;
};

std::string first_of(const std::vector<std::string> &findings) {
  return findings.size() == 1 ? findings.front()
                              : fmt::format("{} (and {} more)", findings.front(), findings.size() - 1);
}

/// The two numbers are one but for the order of a sum. `noise`: what the largest number leaves uncertain.
bool is_reordered(double left, double right, double part, double noise) {
  return same_bits(left, right) || (std::isnan(left) && std::isnan(right)) ||
         std::abs(left - right) <= part * std::max(std::abs(left), std::abs(right)) + noise;
}

bool are_reordered(const DerivativeOutcome &left, const DerivativeOutcome &right, double part, double part_of_largest) {
  const NumbersOfDerivative one(left), other(right);
  double largest = 0;
  for (std::size_t index = 0; index < one.size(); ++index)
    if (std::isfinite(one[index]))
      largest = std::max(largest, std::abs(one[index]));
  for (std::size_t index = 0; index < one.size(); ++index)
    if (!is_reordered(one[index], other[index], part, part_of_largest * largest))
      return false;
  return true;
}

std::optional<WideOutcome> in_wide(Subject &subject, const DerivativeRequest &request) {
  try {
    std::optional<WideOutcome> wide = subject.differentiate_in_wide(request);
    return wide && wide->not_followed.empty() ? std::move(wide) : std::nullopt;
  } catch (const SubjectError &) {
    return std::nullopt;
  }
}

bool differ_by_order_of(ElementType type, const DerivativeOutcome &left, const DerivativeOutcome &right) {
  constexpr double roundings = 0x1p10, most = 0x1p-3; // Of numbers of 16 bits so many would be all.
  const double part = std::min(roundings * epsilon_of(type) / 2, most);
  return are_reordered(left, right, part, part);
}

/// Floats may be added up in a function of doubles.
ElementType coarsest_sum(Subject &subject, const DerivativeRequest &request) {
  const ElementType type = coarsest_element(subject.signature());
  const std::optional<ThreadReport> report = is_coarse(type) ? std::nullopt : subject.watch_threads(request);
  return report && report->has_narrow_atomics ? ElementType::single_precision : type;
}

/// `outcome` in the usual order and `seen` in this one differ by the rounding of sums only.
bool is_same_sum(Subject &subject, const DerivativeRequest &request, std::size_t order,
                 const DerivativeOutcome &outcome, const DerivativeOutcome &seen) {
  constexpr double part_in_wide = 1e-13, noise_in_wide = 1e-20;
  const std::optional<WideOutcome> usual = in_wide(subject, request);
  std::optional<WideOutcome> other;
  if (usual) {
    const ThreadsInOrder threads(subject, order);
    other = in_wide(subject, request);
  }
  if (usual && other)
    return are_reordered(usual->outcome, other->outcome, part_in_wide, noise_in_wide);
  return differ_by_order_of(coarsest_sum(subject, request), outcome, seen);
}

} // namespace

bool differ_by_order(const Signature &signature, const DerivativeOutcome &left, const DerivativeOutcome &right) {
  return differ_by_order_of(coarsest_element(signature), left, right);
}

bool differ_by_order(const Signature &signature, const PrimalOutcome &left, const PrimalOutcome &right) {
  const auto numbers_of = [](const PrimalOutcome &primal) {
    DerivativeOutcome numbers;
    numbers.result_tangents = {primal.result};
    numbers.shadows = {primal.contents};
    return numbers;
  };
  return differ_by_order(signature, numbers_of(left), numbers_of(right));
}

std::string trouble_of_threads(Subject &subject, const Arguments &inputs, const PrimalOutcome &usual, Depth depth) {
  const std::optional<ThreadReport> report = subject.watch_threads(inputs);
  if (!report)
    return "";
  if (!report->findings.empty())
    return first_of(report->findings);
  const std::vector<std::string> orders = subject.thread_orders();
  const bool tries_orders = depth == Depth::every_check && !report->has_atomics;
  for (std::size_t order = 1; tries_orders && order < orders.size(); ++order) {
    const ThreadsInOrder threads(subject, order);
    const PrimalOutcome outcome = subject.evaluate(inputs);
    if (!same_bits(outcome.contents, usual.contents))
      return fmt::format("the function itself gives other numbers with its threads {}, though nothing in it is atomic",
                         orders[order]);
  }
  return "";
}

Finding check_thread_accesses(Subject &subject, const DerivativeRequest &request) {
  Finding finding{Verdict::pass, "accesses of the threads", {}, {}, 0};
  const std::optional<ThreadReport> report = subject.watch_threads(request);
  if (!report)
    return finding;
  if (!report->findings.empty())
    return {Verdict::nondeterministic, finding.check, "in the derivative: " + first_of(report->findings), {}, 0};
  if (!report->leaks.empty() && subject.watch_threads(request.inputs)->leaks.empty())
    return {Verdict::wrong_release, finding.check, "in the derivative: " + first_of(report->leaks), {}, 0};
  return finding;
}

Finding check_thread_orders(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "order of the threads", {}, {}, 0};
  const std::vector<std::string> orders = subject.thread_orders();
  for (std::size_t order = 1; order < orders.size(); ++order) {
    DerivativeOutcome seen;
    {
      const ThreadsInOrder threads(subject, order);
      seen = subject.differentiate(request);
    }
    const Difference difference = compare_derivatives(subject.signature(), seen, outcome);
    finding.compared += difference.compared;
    if (!difference.row || is_same_sum(subject, request, order, outcome, seen))
      continue;
    return {Verdict::nondeterministic,
            finding.check,
            fmt::format("with its threads {} the derivative gives another {} than with its threads {}, and not by the "
                        "rounding of a sum",
                        orders[order], difference.row->path, orders.front()),
            {*difference.row},
            finding.compared};
  }
  return finding;
}

} // namespace assay::testutils
