// A derivative as a function of its own.

#include "cli/announced.hpp"
#include "cli/jit_subject.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/derivative_function.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

CheckRequest request_for(const CheckRequest &request, const jit::Derivative &derivative) {
  CheckRequest first = request;
  first.function = jit::signature_of_derivative(request.function, derivative);
  first.arguments = jit::arguments_of_derivative(request.function, request.arguments, derivative);
  return first;
}

/// Owns what its subject needs, and says when its code may run.
class DerivativeSubject : public testutils::Subject {
public:
  DerivativeSubject(const CheckRequest &request, const jit::ModuleFile &file, const jit::Derivative &derivative,
                    const jit::LeftOut &left_out, std::function<void()> before, std::function<void()> after)
      : request_(request_for(request, derivative)), program_(file, request.function, derivative, left_out),
        subject_(request_, program_), before_(std::move(before)), after_(std::move(after)) {}

  const testutils::Signature &signature() const override { return subject_.signature(); }
  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override {
    const Announced announced(before_, after_);
    return subject_.evaluate(inputs);
  }
  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request) override {
    const Announced announced(before_, after_);
    return subject_.differentiate(request);
  }
  bool keeps_nothing() const override { return true; }

private:
  CheckRequest request_;
  jit::Program program_;
  JitSubject subject_;
  std::function<void()> before_, after_;
};

} // namespace

testutils::Subject *JitSubject::derivative_as_function(const testutils::Combination &combination) {
  if (!file)
    return nullptr;
  if (!no_trace.empty())
    throw testutils::SubjectError(no_trace);
  const auto [place, is_new] = derivatives_.try_emplace(testutils::describe(signature_, combination));
  if (is_new)
    try {
      const Announced announced(before_trace, after_trace);
      jit::Derivative derivative =
          derivative_of(combination, testutils::PrimalResult::omitted, signature_.result.has_value());
      derivative.primal = jit::PrimalResult::omitted;
      place->second = std::make_unique<DerivativeSubject>(request_, *file, derivative, program_.left_out(),
                                                          before_trace, after_trace);
    } catch (const jit::BadRequest &error) {
      place->second = std::string(error.what());
    }
  if (const auto *reason = std::get_if<std::string>(&place->second))
    throw testutils::SubjectError(*reason);
  return std::get<std::unique_ptr<testutils::Subject>>(place->second).get();
}

bool JitSubject::has_derivatives_as_functions() const {
  return !derivatives_.empty() && std::ranges::all_of(derivatives_, [](const auto &derivative) {
    return std::holds_alternative<std::unique_ptr<testutils::Subject>>(derivative.second);
  });
}

} // namespace assay::cli
