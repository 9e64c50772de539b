#pragma once
// Tests of a function with arguments that share memory, in every way: each partition of its arguments of one type that
// are passed by reference, or as spans, into those that are the same memory.
//
//   test_forward_all_aliasings(axpy, 2.0, x, y);                          // as test_forward_all; then with y = x
//   test_reverse_all_aliasings({.names = {"a", "x", "y"}}, axpy, 2.0, x, y);
//
// Arguments that share memory are one variable: the test gives it the numbers, the activity and the name of the first
// of them that the function may write to, else of the first. Each way is code of its own, so there may be at most four
// such arguments. Where lengths differ, which the types do not tell, the way is left out, and the report says so.

#include <assay/detail/testing/shared_arguments.hpp>

namespace assay {

/// One report for each way, the one without shared memory first.
template <class... A>
static std::vector<testutils::Report> check_forward_all_aliasings(const A &...call) {
  return detail::with_options(detail::run_all_aliasings<detail::ThisFile, testutils::Mode::forward>, call...);
}
template <class... A>
static std::vector<testutils::Report> check_reverse_all_aliasings(const A &...call) {
  return detail::with_options(detail::run_all_aliasings<detail::ThisFile, testutils::Mode::reverse>, call...);
}
template <class... A>
static std::vector<testutils::Report> check_forward_all_aliasings(const TestOptions<> &options, const A &...call) {
  return detail::with_options(detail::run_all_aliasings<detail::ThisFile, testutils::Mode::forward>, options, call...);
}
template <class... A>
static std::vector<testutils::Report> check_reverse_all_aliasings(const TestOptions<> &options, const A &...call) {
  return detail::with_options(detail::run_all_aliasings<detail::ThisFile, testutils::Mode::reverse>, options, call...);
}

template <class... A>
static void test_forward_all_aliasings(const A &...call) {
  for (const testutils::Report &report : check_forward_all_aliasings(call...))
    detail::tell_googletest(report);
}
template <class... A>
static void test_reverse_all_aliasings(const A &...call) {
  for (const testutils::Report &report : check_reverse_all_aliasings(call...))
    detail::tell_googletest(report);
}
template <class... A>
static void test_forward_all_aliasings(const TestOptions<> &options, const A &...call) {
  for (const testutils::Report &report : check_forward_all_aliasings(options, call...))
    detail::tell_googletest(report);
}
template <class... A>
static void test_reverse_all_aliasings(const TestOptions<> &options, const A &...call) {
  for (const testutils::Report &report : check_reverse_all_aliasings(options, call...))
    detail::tell_googletest(report);
}

} // namespace assay
