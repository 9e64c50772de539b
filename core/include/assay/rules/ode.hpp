#pragma once
// The solution at `end` of dx/dt = f(t, x, p) from x at `begin`, by equal steps of the classical Runge-Kutta method of
// order 4. Its adjoint is the discrete one: the states at the steps are kept, and each step is differentiated backwards
// with the adjoint of its result, from the last to the first (Hager 2000, "Runge-Kutta methods in optimal control and
// the transformed adjoint system"). It is the exact derivative of the computed solution, and of order 4 as well.

#include <assay/autodiff.hpp>
#include <assay/rules.hpp>

namespace assay::rules {

namespace detail {

/// x + h k, number by number.
template <class V>
V moved(const V &x, double h, const V &k) {
  V y = x;
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    y.data()[i] += h * k.data()[i];
  return y;
}

/// One step, from t to t + h.
template <class F>
struct RungeKuttaStep {
  const F &f;
  double t, h;

  template <class X, class P>
  X operator()(const X &x, const P &p) const {
    const X k1 = f(t, x, p);
    const X k2 = f(t + h / 2, moved(x, h / 2, k1), p);
    const X k3 = f(t + h / 2, moved(x, h / 2, k2), p);
    const X k4 = f(t + h, moved(x, h, k3), p);
    return moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
};

template <class F>
RungeKuttaStep<F> step_at(const F &f, double begin, double end, int steps, int step) {
  const double h = (end - begin) / steps;
  return {f, begin + step * h, h};
}

} // namespace detail

struct OdeRule {
  static auto forward(const auto &config, auto f, auto x, auto p, auto begin, auto end, auto steps) {
    using X = std::remove_cvref_t<decltype(x.value)>;
    const auto tangent = [&](int lane) {
      X y = x.value, dy = x.is_active() ? x.shadow(lane) : make_zero(x.value);
      for (int step = 0; step < steps.value; ++step) {
        const auto next = detail::step_at(f.value, begin.value, end.value, steps.value, step);
        dy = p.is_active() ? autodiff<Forward>(next, Duplicated{y, dy}, Duplicated{p.value, p.shadow(lane)}).derivative
                           : autodiff<Forward>(next, Duplicated{y, dy}, Const{p.value}).derivative;
        y = next(y, p.value);
      }
      return dy;
    };
    auto tangents = config.each_lane(tangent);
    return Duplicated<X, decltype(tangents)>{
        states(f.value, x.value, p.value, begin.value, end.value, steps.value).back(), std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto f, auto x, auto p, auto begin, auto end, auto steps) {
    auto kept = states(f.value, x.value, p.value, begin.value, end.value, steps.value);
    auto y = kept.back();
    return AugmentedReturn{std::move(y), None{},
                           std::pair{std::move(kept), p.overwritten() ? p.value : make_zero(p.value)}};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto f, auto x, auto p, auto begin,
                      auto end, auto steps) {
    const auto &parameters = p.overwritten() ? kept.second : p.value;
    for (const int lane : config.lanes()) {
      auto adjoint = dy(lane);
      auto sum = make_zero(parameters);
      for (int step = steps.value - 1; step >= 0; --step) {
        const auto next = detail::step_at(f.value, begin.value, end.value, steps.value, step);
        auto before = make_zero(adjoint);
        const auto &y = kept.first[static_cast<std::size_t>(step)];
        if (p.is_active())
          autodiff<Reverse>(next, assay::Seed{adjoint}, Duplicated{y, before}, Duplicated{parameters, sum});
        else
          autodiff<Reverse>(next, assay::Seed{adjoint}, Duplicated{y, before}, Const{parameters});
        adjoint = before;
      }
      for (decltype(sum.size()) i = 0; p.is_active() && i < sum.size(); ++i)
        p.shadow(lane).data()[i] += sum.data()[i];
      for (decltype(adjoint.size()) i = 0; x.is_active() && i < adjoint.size(); ++i)
        x.shadow(lane).data()[i] += adjoint.data()[i];
    }
  }
  /// Where f holds active numbers, or the times carry a derivative, the engine differentiates the steps.
  static bool applies(const auto &config) {
    return config.argument(0) == Activity::constant && config.argument(3) == Activity::constant &&
           config.argument(4) == Activity::constant;
  }

  /// The states at the beginning and after each step.
  template <class X>
  static std::vector<X> states(const auto &f, const X &x, const auto &p, double begin, double end, int steps) {
    std::vector<X> all{x};
    for (int step = 0; step < steps; ++step)
      all.push_back(detail::step_at(f, begin, end, steps, step)(all.back(), p));
    return all;
  }
};

/// `f(t, x, p)` is a function object that returns dx/dt, of the type of x; x and p have data() and size().
template <class F, class X, class P>
X ode(const F &f, const X &x, const P &p, double begin, double end, int steps) {
  ASSAY_RULE(OdeRule, (ode<F, X, P>));
  return OdeRule::states(f, x, p, begin, end, steps).back();
}

} // namespace assay::rules
