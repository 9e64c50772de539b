// Numbers in what is thrown carry derivatives to a handler of the same function, or of one that calls it.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Value {
  double value;
};
struct Other {
  double value;
};

/// x^3, or x
double in_a_struct(double x) {
  try {
    if (x > 1)
      throw Value{x * x};
    return x;
  } catch (const Value &caught) {
    return caught.value * x;
  }
}
double as_a_number(double x) {
  try {
    if (x > 1)
      throw x * x;
    return x;
  } catch (double caught) {
    return caught * x;
  }
}

double throws(double x) {
  if (x > 1)
    throw Value{x * x};
  return x;
}
/// x^3, or x + 1
double of_a_callee(double x) {
  try {
    return throws(x) + 1;
  } catch (const Value &caught) {
    return caught.value * x;
  }
}

/// x + (2 x)^2 + x + (4 x)^2
double changed_in_a_loop(double x) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    try {
      if (i % 2 == 1)
        throw Value{x * i};
      sum += x;
    } catch (Value &caught) {
      caught.value += x;
      sum += caught.value * caught.value;
    }
  }
  return sum;
}

int made = 0, destroyed = 0;
struct Counted {
  double value;
  explicit Counted(double x) : value(x) { ++made; }
  Counted(const Counted &other) : value(other.value) { ++made; }
  ~Counted() { ++destroyed; }
};
/// x^3, or x
double with_a_destructor(double x) {
  try {
    if (x > 1)
      throw Counted(x * x);
    return x;
  } catch (const Counted &caught) {
    return caught.value * x;
  }
}

/// A base of what is thrown: x^3, or x.
struct Derived : Value {
  double more;
  Derived(double a, double b) : Value{a}, more(b) {}
};
double as_its_base(double x) {
  try {
    if (x > 1)
      throw Derived(x * x, x);
    return x;
  } catch (const Value &caught) {
    return caught.value * x;
  }
}

/// Out of a handler, to the one around it: x + 3 x^2 + 3 x^3.
double out_of_a_handler(double x) {
  double sum = x;
  try {
    try {
      throw Value{x * x};
    } catch (Value caught) {
      caught.value *= 3;
      sum += caught.value;
      throw Other{caught.value * x};
    }
  } catch (const Other &caught) {
    sum += caught.value;
  }
  return sum;
}

/// Beside exceptions of the library, and what is destroyed on the way: 3 x^2.
double beside_others(double x) {
  const std::vector<double> numbers(3, x);
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    try {
      const auto factor = std::make_unique<double>(x * i);
      const std::string text = "long enough to be on the heap " + std::to_string(i);
      if (i == 2)
        throw std::out_of_range(text);
      sum += numbers.at(static_cast<std::size_t>(i)) * *factor;
    } catch (const std::out_of_range &) {
      sum += x * x;
    }
  }
  return sum;
}

double slope(void *function, double x) {
  return __enzyme_autodiff<double>(function, x);
}
double reverse_slope_of_a_struct(double x) {
  return __enzyme_autodiff<double>((void *)in_a_struct, x);
}

} // namespace

PLUGIN_TEST(ThrownNumbers, CarryDerivativesToTheirHandler) {
  for (void *function : {(void *)in_a_struct, (void *)as_a_number, (void *)as_its_base})
    EXPECT_CLOSE(slope(function, 2), 12);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)in_a_struct, 0.5), 1);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)in_a_struct, 2.0, 1.0), 12);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)as_a_number, 2.0, 1.0), 12);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_a_callee, 2.0), 12);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_a_callee, 2.0, 1.0), 12);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)changed_in_a_loop, 2.0), 82);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)changed_in_a_loop, 2.0, 1.0), 82);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)reverse_slope_of_a_struct, 2.0, 1.0), 12);
}
PLUGIN_TEST(ThrownNumbers, AreDestroyedOnceWithTheirObject) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)with_a_destructor, 2.0), 12);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)with_a_destructor, 2.0, 1.0), 12);
  EXPECT_HOLDS(made == 2 && destroyed == 2);
}
PLUGIN_TEST(ThrownNumbers, MayBeThrownOutOfAHandlerAndBesideOthers) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)out_of_a_handler, 2.0), 49);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)out_of_a_handler, 2.0, 1.0), 49);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)beside_others, 2.0), 12);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)beside_others, 2.0, 1.0), 12);
}
