#include <assay/testing/rule_subject.hpp>

#include "testutils/alike_calls.hpp"
#include "testutils/difference.hpp"
#include "testutils/interrupted_calls.hpp"
#include "testutils/numbers.hpp"
#include "testutils/successions.hpp"

#include <atomic>
#include <exception>
#include <semaphore>
#include <thread>

namespace assay::testutils {

namespace {

using Order = Succession::Order;
using Outcomes = std::pair<DerivativeOutcome, DerivativeOutcome>;

/// Both augmented primals before both reverse sweeps, in the same order: the second call has a thread of its own, which
/// waits where the first one has to go on.
Outcomes in_same_order(RuleSubject &subject, const DerivativeRequest &first, const DerivativeRequest &second) {
  Outcomes outcomes;
  std::binary_semaphore is_augmented{0}, may_go_on{0};
  std::exception_ptr failure;
  std::thread thread;
  const auto run_second = [&] {
    bool has_two_sweeps = false;
    try {
      outcomes.second = subject.differentiate_around(second, [&] {
        has_two_sweeps = true;
        is_augmented.release();
        may_go_on.acquire();
      });
    } catch (...) {
      failure = std::current_exception();
    }
    if (!has_two_sweeps)
      is_augmented.release();
  };
  const auto finish = [&] {
    may_go_on.release();
    if (thread.joinable())
      thread.join();
  };
  try {
    outcomes.first = subject.differentiate_around(first, [&] {
      thread = std::thread(run_second);
      is_augmented.acquire();
    });
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (failure)
    std::rethrow_exception(failure);
  return outcomes;
}

/// `depth` calls of `request`, each between the sweeps of the one before.
DerivativeOutcome nested(RuleSubject &subject, const DerivativeRequest &request, unsigned depth) {
  return subject.differentiate_around(request, [&] {
    if (depth > 1)
      static_cast<void>(nested(subject, request, depth - 1));
  });
}

/// Whether two calls of the function itself disturb each other.
bool function_is_disturbed(const RuleSubject &subject, const Arguments &first, const Arguments &second) {
  const auto differs = [&](const Arguments &inputs) {
    return [&subject, &inputs, alone = subject.evaluate_apart(inputs)] {
      const PrimalOutcome seen = subject.evaluate_apart(inputs);
      return !same_bits(seen.result, alone.result) || !same_bits(seen.contents, alone.contents);
    };
  };
  std::atomic<bool> is_disturbed = false;
  const auto noting = [&](const std::function<bool()> &call) {
    return [&is_disturbed, call] {
      if (call())
        is_disturbed = true;
      return is_disturbed.load();
    };
  };
  call_interrupted(noting(differs(first)), noting(differs(second)));
  return is_disturbed;
}

} // namespace

/// It has all the bits of a double: numbers of few digits, as people write them, hide a rule that rounds to `float`.
Arguments RuleSubject::nearby(Arguments inputs) const {
  constexpr double growth = 1 + 0x1.0f6ea98d7bd35p-6;
  return grown(signature(), std::move(inputs), growth);
}

std::vector<Rule> RuleSubject::rules(const Combination & /*combination*/) const {
  return rule_.empty() ? std::vector<Rule>() : std::vector<Rule>{{rule_, false}};
}

std::optional<std::pair<PrimalOutcome, PrimalOutcome>>
RuleSubject::evaluate_both(const Arguments &first, const Arguments &second, const Succession &succession) {
  if (rule_.empty() || !succession.put_back.empty())
    return std::nullopt;
  for (const Arguments &inputs : succession.before)
    static_cast<void>(evaluate(inputs));
  PrimalOutcome one = evaluate(first);
  return std::pair{std::move(one), evaluate(second)};
}

std::optional<std::pair<DerivativeOutcome, DerivativeOutcome>>
RuleSubject::differentiate_both(const DerivativeRequest &first, const DerivativeRequest &second,
                                const Succession &succession) {
  if (rule_.empty() || !succession.put_back.empty())
    return std::nullopt;
  for (const Arguments &inputs : succession.before) {
    DerivativeRequest before = first;
    before.inputs = inputs;
    static_cast<void>(differentiate(before));
  }
  Outcomes outcomes;
  switch (succession.order) {
  case Order::one_after_the_other:
    outcomes.first = differentiate(first);
    outcomes.second = differentiate(second);
    break;
  case Order::same_order:
    return in_same_order(*this, first, second);
  case Order::opposite_order:
    outcomes.first = differentiate_around(first, [&] { outcomes.second = differentiate(second); });
    break;
  case Order::between_sweeps:
    outcomes.second = differentiate_around(second, [&] { outcomes.first = differentiate(first); });
    break;
  case Order::nested:
    constexpr unsigned depth = 12;
    outcomes.second = differentiate_around(second, [&] { outcomes.first = nested(*this, first, depth); });
    break;
  }
  return outcomes;
}

std::vector<PrimalOutcome> RuleSubject::evaluate_in_a_row(const Arguments &inputs, unsigned calls) {
  std::vector<PrimalOutcome> outcomes;
  for (unsigned call = 0; call < calls && !rule_.empty(); ++call)
    outcomes.push_back(evaluate(inputs));
  return outcomes;
}

std::vector<DerivativeOutcome> RuleSubject::differentiate_in_a_row(const DerivativeRequest &request, unsigned calls,
                                                                   const std::string &put_back) {
  std::vector<DerivativeOutcome> outcomes;
  for (unsigned call = 0; call < calls && !rule_.empty() && put_back.empty(); ++call)
    outcomes.push_back(differentiate(request));
  return outcomes;
}

std::optional<Race> RuleSubject::race(const DerivativeRequest &first, const DerivativeRequest &second) {
  if (rule_.empty())
    return std::nullopt;
  struct Call {
    const DerivativeRequest &request;
    DerivativeOutcome alone, seen;
    std::exception_ptr failure = nullptr;
    bool is_disturbed = false;
  };
  Call calls[] = {{first, differentiate(first), {}}, {second, differentiate(second), {}}};
  const auto run = [&](Call &call) {
    return [&] {
      try {
        call.seen = differentiate(call.request);
        call.is_disturbed = !is_same(*this, call.seen, call.alone);
      } catch (...) {
        call.failure = std::current_exception();
      }
      return call.is_disturbed || call.failure != nullptr;
    };
  };
  call_interrupted(run(calls[0]), run(calls[1]));
  for (Call &call : calls) {
    if (call.failure)
      std::rethrow_exception(call.failure);
    if (call.is_disturbed && !function_is_disturbed(*this, first.inputs, second.inputs))
      return Race{std::move(call.seen), std::move(call.alone), {}, true};
  }
  return std::nullopt;
}

} // namespace assay::testutils
