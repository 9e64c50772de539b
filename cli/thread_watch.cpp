// A kernel and its derivatives with their threads watched, and in other orders; kernels that code of the host launches,
// watched.

#include "cli/jit_subject.hpp"
#include "cli/primal_call.hpp"
#include "gpu/runtime/thread_orders.hpp"
#include "testutils/watched_call.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

jit::Entry entry_of(const std::variant<jit::Entry, jit::NoDerivative> &compiled) {
  if (const auto *none = std::get_if<jit::NoDerivative>(&compiled))
    throw testutils::SubjectError(none->message);
  return std::get<jit::Entry>(compiled);
}

} // namespace

std::optional<testutils::ThreadReport> JitSubject::watch_threads(const testutils::Arguments &inputs) {
  const std::variant<jit::Entry, jit::NoDerivative> compiled = program_.watched();
  if (!request_.function.launch && std::holds_alternative<jit::NoDerivative>(compiled))
    return std::nullopt;
  if (before_run)
    before_run(nullptr, inputs);
  return testutils::watch_function([&](gpu::AbsentLanes absent_lanes) {
    PrimalCall call(request_, program_, entry_of(compiled), inputs);
    program_.reset();
    gpu::WatchOfEntries watch(absent_lanes);
    call.frame().add_memory_to(watch);
    const testutils::ThreadReport report = testutils::watched(watch, [&] { call.run(); });
    return testutils::WatchedFunction{report, watch.absent_lanes_read(), call.outcome().contents};
  });
}

std::optional<testutils::ThreadReport> JitSubject::watch_threads(const testutils::DerivativeRequest &request) {
  if (!request_.function.launch)
    return std::nullopt;
  if (before_run)
    before_run(&request.combination, request.inputs);
  const jit::Derivative derivative = derivative_of(request.combination, request.primal, signature_.result.has_value());
  DerivativeCall call(request_, program_, entry_of(program_.watched(derivative)), request);
  program_.reset();
  gpu::WatchOfEntries watch;
  call.frame().add_memory_to(watch);
  return testutils::watched(watch, [&] { call.run(); });
}

std::vector<std::string> JitSubject::thread_orders() const {
  std::vector<std::string> phrases;
  if (request_.function.launch)
    std::ranges::transform(gpu::named_orders, std::back_inserter(phrases), &gpu::NamedOrder::phrase);
  return phrases;
}

void JitSubject::set_thread_order(std::size_t order) {
  order_.reset();
  if (order != 0)
    order_.emplace(gpu::named_orders[order].order);
}

} // namespace assay::cli
