#pragma once
// What the derivatives of a subject are at a point, found without AD: columns of its Jacobian, and derivatives along
// directions. Columns are kept, since every activity combination is a weighted sum of the same columns.

#include "testutils/evaluation_memo.hpp"

#include <assay/fdm.hpp>

#include <map>

namespace assay::testutils {

/// Errors that an oracle estimates are estimates as well: they count this many times.
inline constexpr double error_margin = 3;

/// A number with what is known of its error.
struct Guess {
  double value = 0;
  double error = 0;
  double step = 0;
  double radius = 0; ///< How far from the point, in units of the line's parameter, the function was looked at.
  fdm::Trouble trouble = fdm::Trouble::none;
  bool coarse = false; ///< Numbers are rounded to float or less on the way: AD's own arithmetic is no better.

  /// Adds weight * other; the errors add up, the largest step and the first trouble stay.
  void add(double weight, const Guess &other);
};

/// Where a second look takes its points: within `range`, on both sides or on one.
struct Look {
  enum class Side : std::uint8_t { both, above, below };
  double range = std::numeric_limits<double>::infinity();
  Side side = Side::both;
};

/// The unit roundoff of the coarsest element that moves along `direction`, where that is coarser than double, else 0:
/// arithmetic on it may be as coarse, unseen.
double moved_roundoff(const Signature &signature, const Arguments &direction);

/// The rounding of numbers that are coarser than double, as often as AD's own arithmetic may collect it; part of an
/// oracle's error.
double collected_roundings(double roundoff, double value);

class Oracle {
public:
  Oracle(Subject &subject, const Point &point) : subject(subject), point(point) {}
  virtual ~Oracle() = default;
  Oracle(const Oracle &) = delete;
  Oracle &operator=(const Oracle &) = delete;

  const Point &at() const { return point; }
  const Signature &signature() const { return subject.signature(); }

  /// The derivatives of all flat outputs by one element of one parameter.
  const std::vector<Guess> &column(std::size_t parameter, std::size_t element);

  /// The derivatives of all flat outputs along a direction (empty Values: no movement).
  const std::vector<Guess> &along(const Arguments &direction);

  /// Whether <weights, y> is smooth along a direction within `radius` of the point.
  virtual fdm::Smoothness smoothness(const Arguments &direction, const Values &weights, double radius) = 0;

  /// Along a direction, from other points. Empty where the oracle has no second look, or the look no room: beside
  /// subnormal numbers a part of a range is zero.
  virtual std::vector<Guess> along_again(const Arguments & /*direction*/, const Look &) { return {}; }
  /// The same by one element of one parameter.
  virtual std::vector<Guess> column_again(std::size_t /*parameter*/, std::size_t /*element*/, const Look &) {
    return {};
  }

  /// How <weights, y> changes, by the function itself, when the point moves along the direction by a small part of its
  /// size: the change and the length of the movement. Nothing where it cannot be moved.
  std::optional<std::pair<double, double>> change_along(const Arguments &direction, const Values &weights) const;

  /// The central difference quotient of <weights, y> at one step, and what rounding may make of it. Nothing where the
  /// oracle has no second look, the step leaves the domain, or the function cannot be run there.
  struct Quotient {
    double value, noise;
  };
  virtual std::optional<Quotient> quotient_along(const Arguments & /*direction*/, const Values & /*weights*/,
                                                 double /*step*/) const {
    return std::nullopt;
  }

  /// `finite differences`.
  virtual std::string_view name() const = 0;
  /// Whether its own error in functions of float is that of float.
  virtual bool is_coarse_in_float() const { return false; }
  /// Why it cannot tell, where it knows more than the trouble of a single guess; else empty.
  virtual std::string excuse() const { return {}; }

protected:
  virtual std::vector<Guess> new_column(std::size_t parameter, std::size_t element) = 0;
  virtual std::vector<Guess> new_along(const Arguments &direction) = 0;

  Subject &subject;
  const Point &point;

private:
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Guess>> columns;
  std::map<Arguments, std::vector<Guess>> directions; ///< All combinations ask for the same few.
};

/// Finite differences of the function as it is.
class FiniteDifferenceOracle : public Oracle {
public:
  FiniteDifferenceOracle(Subject &subject, const Point &point, const fdm::FiniteDifferenceMethod &method);

  fdm::Smoothness smoothness(const Arguments &direction, const Values &weights, double radius) override;
  std::vector<Guess> along_again(const Arguments &direction, const Look &look) override;
  std::vector<Guess> column_again(std::size_t parameter, std::size_t element, const Look &look) override;
  std::optional<Quotient> quotient_along(const Arguments &direction, const Values &weights, double step) const override;
  std::string_view name() const override { return "finite differences"; }
  bool is_coarse_in_float() const override { return true; }
  std::string excuse() const override;

protected:
  std::vector<Guess> new_column(std::size_t parameter, std::size_t element) override;
  std::vector<Guess> new_along(const Arguments &direction) override;

private:
  enum class Precision : std::uint8_t { as_asked, of_float };
  /// Numbers of 16 bits are too far apart for differences of function values.
  bool sees_differences() const;
  /// `look`: null for the first one.
  fdm::FiniteDifferenceMethod method_for(Precision precision, const Look *look) const;
  template <class Differentiate>
  std::vector<Guess> by_precision(Differentiate &&differentiate);
  std::vector<Guess> column_by(std::size_t parameter, std::size_t element, const Look *look);
  std::vector<Guess> along_by(const Arguments &direction, const Look *look);

  fdm::FiniteDifferenceMethod method;       ///< As asked for, with the precision of the element that moves.
  fdm::FiniteDifferenceMethod method_float; ///< For doubles that pass through float, where there is float at all.
  EvaluationMemo evaluations;
};

/// The subject's own precise derivative.
class PreciseOracle : public Oracle {
public:
  using Oracle::Oracle;

  /// What is smooth on the scale that it looks at is smooth.
  fdm::Smoothness smoothness(const Arguments &, const Values &, double) override { return fdm::Smoothness::smooth; }
  std::string_view name() const override { return "wide arithmetic"; }
  std::string excuse() const override;

  /// Whether the subject has such a derivative, and it has covered all code that ran so far.
  bool covers() const { return offered && not_followed.empty(); }
  bool is_offered() const { return offered; }
  bool was_asked() const { return asked; }
  /// The unit roundoff of the coarsest numbers that were met.
  double roundoff() const { return met_roundoff; }
  /// A place where the chain rule may multiply zero by infinity; empty where there is none, or it is not known.
  const std::string &singularity() const { return met_singularity; }
  /// How many edges between branches were met in all directions so far; 0: not known.
  std::size_t edges() const { return met_edges; }
  /// Whether the point lies on the edge of decisions that the program itself makes, and of nothing else.
  bool is_at_decisions() const { return !crossings.empty() && only_decisions; }
  /// Of these, the first.
  const std::string &first_crossing() const { return crossings.front(); }
  /// The most edges that one direction has met at once, whether or not the function is smooth there, and which.
  std::size_t edges_together() const { return most_together; }
  const std::vector<std::string> &met() const { return met_together; }

protected:
  std::vector<Guess> new_column(std::size_t parameter, std::size_t element) override;
  std::vector<Guess> new_along(const Arguments &direction) override;
  virtual std::optional<PreciseDerivative> ask(const Arguments &direction) {
    return subject.precise_derivative(point.inputs, direction);
  }
  /// The rounding of the numbers that move; 0: it does not count.
  virtual double coarse_roundoff(const PreciseDerivative &derivative, const Arguments &direction) const;

private:
  bool offered = true;
  std::size_t met_edges = 0, most_together = 0;
  std::string met_singularity;
  double met_roundoff = 0x1p-53;
  bool asked = false, only_decisions = true;
  std::vector<std::string> not_followed;
  std::vector<std::string> crossings, met_together;
};

/// The function with all numbers wide from the inputs on, for a derivative whose code is computed in the same way:
/// both without rounding, so that they agree at any conditioning.
class WideOracle : public PreciseOracle {
public:
  using PreciseOracle::PreciseOracle;

  /// As `roundoff`; runs the function if it has not been run yet.
  double roundoff_of_function();

protected:
  std::optional<PreciseDerivative> ask(const Arguments &direction) override {
    return subject.derivative_in_wide(point.inputs, direction);
  }
  double coarse_roundoff(const PreciseDerivative &, const Arguments &) const override { return 0; }
};

} // namespace assay::testutils
