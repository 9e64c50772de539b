#pragma once
// The numbers between inputs and outputs as flat vectors, so that the same finite differences serve them:
//
//   NumbersOfRun    x  ->  all numbers v_1, v_2, ... that the function computes at x
//   MovedNumbers    a  ->  <w, y> where a_n is added to the n-th number as it is computed
//
// The derivative of the first along the inputs' tangent is what the tangents of forward mode must be, the derivative of
// the second by a_n is what the adjoint of the n-th number must be. Where the function takes another way than in the
// run that was looked at first, both are NaN.

#include "testutils/point.hpp"
#include <assay/testing/trace.hpp>

namespace assay::testutils {

class NumbersOfRun : public Subject {
public:
  /// All of these must outlive it.
  NumbersOfRun(const Signature &original, Tracer &tracer, const Trace &plain);

  const Signature &signature() const override { return description; }
  PrimalOutcome evaluate(const Arguments &inputs) override;
  DerivativeOutcome differentiate(const DerivativeRequest &request) override;

  /// `original`, with the numbers as outputs.
  Point point_at(const Point &original) const;

private:
  Tracer &tracer;
  const Trace &plain;
  Signature description;
};

class MovedNumbers : public Subject {
public:
  MovedNumbers(const Signature &original, Tracer &tracer, const Trace &plain, const Point &point, Values weights);

  const Signature &signature() const override { return description; }
  PrimalOutcome evaluate(const Arguments &amounts) override;
  DerivativeOutcome differentiate(const DerivativeRequest &request) override;

  /// Nothing is moved.
  Point origin() const;

private:
  Tracer &tracer;
  const Trace &plain;
  const Point &point;
  Values weights;
  Signature description;
};

/// Whether two runs took the same way.
bool same_way(const Trace &left, const Trace &right);

} // namespace assay::testutils
