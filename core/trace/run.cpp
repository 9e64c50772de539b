#include "core/trace/run.hpp"

namespace assay::trace {

static thread_local Run *current_run = nullptr;

Run::Run(std::size_t most_numbers) : outer_(current_run), most_numbers_(most_numbers) {
  current_run = this;
}

Run::~Run() {
  current_run = outer_;
}

Run *Run::current() {
  return current_run && !current_run->is_in_rule() ? current_run : nullptr;
}

void Run::enter(void **slots) {
  Run *run = current_run;
  if (setjmp(run->way_out_) == 0) // NOLINT(cert-err52-cpp): there is no way to throw through the program.
    run->program(slots);
}

std::size_t Run::note(std::uint32_t site, double value) {
  const std::size_t position = count_++;
  if (position < most_numbers_)
    numbers_.push_back({site, value, 0, false, address_});
  address_ = nullptr;
  if (count_ > most_counted)
    std::longjmp(way_out_, 1); // NOLINT(cert-err52-cpp)
  return position;
}

void Run::note_derivative(std::size_t position, double derivative) {
  if (position >= numbers_.size())
    return;
  numbers_[position].derivative += derivative;
  numbers_[position].has_derivative = true;
}

void Run::mark(std::uint32_t site) {
  if (count_ <= most_numbers_)
    marks_.push_back({site, count_});
}

namespace {

double assay_trace_number(double value, std::uint32_t site) {
  Run *run = Run::current();
  return run ? run->amount_at(run->note(site, value)) : 0;
}

void assay_trace_tangent(double value, double tangent, std::uint32_t site) {
  if (Run *run = Run::current())
    run->note_derivative(run->note(site, value), tangent);
}

std::uint64_t assay_trace_position(double value, std::uint32_t site) {
  Run *run = Run::current();
  return run ? run->note(site, value) : ~std::uint64_t{0};
}

void assay_trace_adjoint(std::uint64_t position, double adjoint) {
  if (Run *run = Run::current())
    run->note_derivative(position, adjoint);
}

void assay_trace_address(const void *address) {
  if (Run *run = Run::current())
    run->note_address(address);
}

void assay_trace_mark(std::uint32_t site) {
  if (Run *run = Run::current())
    run->mark(site);
}

void assay_trace_enter_rule() {
  if (current_run)
    current_run->enter_rule();
}

void assay_trace_leave_rule() {
  if (current_run)
    current_run->leave_rule();
}

} // namespace

NamedFunctions runtime_symbols() {
  return {
      named_function("assay_trace_address", assay_trace_address),
      named_function("assay_trace_adjoint", assay_trace_adjoint),
      named_function("assay_trace_enter_rule", assay_trace_enter_rule),
      named_function("assay_trace_leave_rule", assay_trace_leave_rule),
      named_function("assay_trace_mark", assay_trace_mark),
      named_function("assay_trace_number", assay_trace_number),
      named_function("assay_trace_position", assay_trace_position),
      named_function("assay_trace_tangent", assay_trace_tangent),
  };
}

} // namespace assay::trace
