// What makes a kernel of functions: of a function of the input alone, of one with constant data and extents, or of a
// primal with derivatives written out.
#pragma once

#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <algorithm>
#include <source_location>

namespace assay::bench {

/// A kernel with derivatives written out. Where only primals are compiled, to compare compile times, nothing refers to
/// the derivatives, so that the compiler leaves them out.
template <double (*primal)(Problem &), void (*gradient)(Problem &), double (*forward)(Problem &)>
Kernel kernel_of(const Setup &setup, std::source_location place = std::source_location::current()) {
#ifdef ASSAY_BENCH_PRIMAL_ONLY
  return {setup, place.file_name(), primal, nullptr, nullptr};
#else
  return {setup, place.file_name(), primal, gradient, forward};
#endif
}

/// What a call with several tangents returns.
template <std::size_t width>
struct Lanes {
  double tangent[width];
};

template <std::size_t width>
Tangents tangents_of(const Lanes<width> &lanes) {
  Tangents tangents{};
  std::copy(lanes.tangent, lanes.tangent + width, tangents.begin());
  return tangents;
}

template <double (*value)(const double *)>
struct FunctionOfInput {
  static double primal(Problem &problem) { return value(problem.input.data()); }
  static void gradient(Problem &problem) {
    __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data());
  }
  static double forward(Problem &problem) {
    return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                    problem.direction.data());
  }
  static Tangents forward4(Problem &problem) {
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<4>>(reinterpret_cast<void *>(value), enzyme_width, 4, enzyme_dup,
                                                  problem.input.data(), d[0].data(), d[1].data(), d[2].data(),
                                                  d[3].data()));
  }
  static Tangents forward8(Problem &problem) {
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<8>>(reinterpret_cast<void *>(value), enzyme_width, 8, enzyme_dup,
                                                  problem.input.data(), d[0].data(), d[1].data(), d[2].data(),
                                                  d[3].data(), d[4].data(), d[5].data(), d[6].data(), d[7].data()));
  }
};

template <double (*value)(const double *, const double *, int, int, int)>
struct FunctionWithData {
  static double primal(Problem &problem) {
    const auto &n = problem.sizes;
    return value(problem.input.data(), problem.data.data(), n[0], n[1], n[2]);
  }
  static void gradient(Problem &problem) {
    const auto &n = problem.sizes;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data(),
                            enzyme_const, problem.data.data(), n[0], n[1], n[2]);
  }
  static double forward(Problem &problem) {
    const auto &n = problem.sizes;
    return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                    problem.direction.data(), enzyme_const, problem.data.data(), enzyme_const, n[0],
                                    enzyme_const, n[1], enzyme_const, n[2]);
  }
  static Tangents forward4(Problem &problem) {
    const auto &n = problem.sizes;
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<4>>(reinterpret_cast<void *>(value), enzyme_width, 4, enzyme_dup,
                                                  problem.input.data(), d[0].data(), d[1].data(), d[2].data(),
                                                  d[3].data(), enzyme_const, problem.data.data(), enzyme_const, n[0],
                                                  enzyme_const, n[1], enzyme_const, n[2]));
  }
  static Tangents forward8(Problem &problem) {
    const auto &n = problem.sizes;
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<8>>(
        reinterpret_cast<void *>(value), enzyme_width, 8, enzyme_dup, problem.input.data(), d[0].data(), d[1].data(),
        d[2].data(), d[3].data(), d[4].data(), d[5].data(), d[6].data(), d[7].data(), enzyme_const, problem.data.data(),
        enzyme_const, n[0], enzyme_const, n[1], enzyme_const, n[2]));
  }
};

/// The function overwrites `scratch` before it reads it.
template <double (*value)(const double *, double *, int, int)>
struct FunctionInPlace {
  static double primal(Problem &problem) {
    return value(problem.input.data(), problem.scratch.data(), problem.sizes[0], problem.sizes[1]);
  }
  static double *shadow(Problem &problem, std::size_t lane) {
    return problem.scratch_shadow.data() + lane * problem.scratch.size();
  }
  static void gradient(Problem &problem) {
    std::fill_n(problem.scratch_shadow.begin(), problem.scratch.size(), 0.0);
    __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data(),
                            enzyme_dup, problem.scratch.data(), shadow(problem, 0), problem.sizes[0], problem.sizes[1]);
  }
  static double forward(Problem &problem) {
    return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                    problem.direction.data(), enzyme_dup, problem.scratch.data(), shadow(problem, 0),
                                    enzyme_const, problem.sizes[0], enzyme_const, problem.sizes[1]);
  }
  static Tangents forward4(Problem &problem) {
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<4>>(
        reinterpret_cast<void *>(value), enzyme_width, 4, enzyme_dup, problem.input.data(), d[0].data(), d[1].data(),
        d[2].data(), d[3].data(), enzyme_dup, problem.scratch.data(), shadow(problem, 0), shadow(problem, 1),
        shadow(problem, 2), shadow(problem, 3), enzyme_const, problem.sizes[0], enzyme_const, problem.sizes[1]));
  }
  static Tangents forward8(Problem &problem) {
    auto &d = problem.directions;
    return tangents_of(__enzyme_fwddiff<Lanes<8>>(
        reinterpret_cast<void *>(value), enzyme_width, 8, enzyme_dup, problem.input.data(), d[0].data(), d[1].data(),
        d[2].data(), d[3].data(), d[4].data(), d[5].data(), d[6].data(), d[7].data(), enzyme_dup,
        problem.scratch.data(), shadow(problem, 0), shadow(problem, 1), shadow(problem, 2), shadow(problem, 3),
        shadow(problem, 4), shadow(problem, 5), shadow(problem, 6), shadow(problem, 7), enzyme_const, problem.sizes[0],
        enzyme_const, problem.sizes[1]));
  }
};

template <class Functions>
Kernel kernel_of_functions(const Setup &setup, std::source_location place = std::source_location::current()) {
#ifdef ASSAY_BENCH_PRIMAL_ONLY
  return {setup, place.file_name(), Functions::primal, nullptr, nullptr};
#else
  return {setup,
          place.file_name(),
          Functions::primal,
          Functions::gradient,
          Functions::forward,
          Functions::forward4,
          Functions::forward8};
#endif
}

/// A kernel that is a function of the input alone.
template <double (*value)(const double *)>
Kernel kernel_of(const Setup &setup, std::source_location place = std::source_location::current()) {
  return kernel_of_functions<FunctionOfInput<value>>(setup, place);
}

/// A kernel that is a function of the input, of constant data and of extents.
template <double (*value)(const double *, const double *, int, int, int)>
Kernel kernel_of(const Setup &setup, std::source_location place = std::source_location::current()) {
  return kernel_of_functions<FunctionWithData<value>>(setup, place);
}

/// A kernel that works in memory of its own, and takes two extents.
template <double (*value)(const double *, double *, int, int)>
Kernel kernel_of(const Setup &setup, std::source_location place = std::source_location::current()) {
  return kernel_of_functions<FunctionInPlace<value>>(setup, place);
}

} // namespace assay::bench
