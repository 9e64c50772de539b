// Exceptions that pass through functions which are called rather than inlined, as in recursion, and are caught above:
// what was written before the throw, in memory of any kind, is differentiated. Compiled with debug information, which
// follows assignments to variables into derivatives of derivatives.
#include "support/second_order.hpp"
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

double total = 0;
void add_to_global(const double *x, int n) {
  total += x[0] * n;
  if (n == 1)
    throw n;
  add_to_global(x + 1, n - 1);
}
double written_to_a_global(const double *x, int n) {
  total = x[0];
  try {
    add_to_global(x, n);
  } catch (int) {
    return total * total;
  }
  return 0;
}

struct Log {
  double *sum;
  std::vector<double> values;
};
void note(Log &log, double value, int n) {
  *log.sum += value * n;
  log.values.push_back(value * value);
  if (n == 0)
    throw std::runtime_error("deep enough");
  note(log, value * value * 0.9, n - 1);
  log.values.push_back(1);
}
double written_behind_pointers(const double *x, int n) {
  double sum = x[0];
  Log log{&sum, {}};
  try {
    note(log, x[1], n);
  } catch (const std::exception &) {
    sum *= x[2];
  }
  double result = sum;
  for (const double value : log.values)
    result += value * sum;
  return result;
}

double through_a_function_object(const double *x, int n) {
  std::vector<double> log;
  std::function<double(double, int)> recurse = [&](double y, int depth) -> double {
    log.push_back(y * x[depth]);
    if (depth == 0)
      throw depth;
    return y * recurse(y * y, depth - 1);
  };
  double result = x[1];
  try {
    result += recurse(x[0], n - 1);
  } catch (int) {
    result *= x[2];
  }
  for (const double value : log)
    result += value * value;
  return result;
}

/// Handlers on the way, some of which throw again.
double tree(const double *x, int n, double &sum) {
  if (n == 1) {
    if (x[0] > 1)
      throw 1.5F;
    sum += x[0];
    return x[0];
  }
  double left = 0;
  try {
    left = tree(x, n / 2, sum);
  } catch (float) {
    sum *= x[0];
    if (n > 3)
      throw;
    left = x[0] * x[1];
  }
  return left * tree(x + n / 2, n - n / 2, sum);
}
double caught_at_several_levels(const double *x, int n) {
  double sum = x[1], result = 0;
  for (int i = 0; i < n - 1; ++i)
    try {
      result += tree(x + i, n - i, sum);
    } catch (...) {
      result += sum;
    }
  return result * sum;
}

struct Node {
  double value;
  std::unique_ptr<Node> next;
};
double walk(const Node &node, double &sum) {
  sum += node.value * node.value;
  const std::vector<double> copies(3, node.value);
  if (!node.next)
    throw std::out_of_range("end");
  return walk(*node.next, sum) + copies[1];
}
double past_owners(const double *x, int n) {
  auto nodes = std::make_unique<Node>(Node{x[0], nullptr});
  for (int i = 1; i < n; ++i)
    nodes = std::make_unique<Node>(Node{x[i] * i, std::move(nodes)});
  double sum = 0;
  try {
    sum += walk(*nodes, sum);
  } catch (const std::logic_error &) {
    sum *= x[0];
  }
  return sum;
}

struct Result {
  double numbers[5];
};
Result grown(const double *x, double value, int n) {
  if (n == 0) {
    if (value > 2)
      throw 1;
    return {{value, 1, 2, 3, value}};
  }
  Result result = grown(x, value * 1.2, n - 1);
  result.numbers[1] *= x[n % 3];
  return result;
}
double returned_or_thrown(const double *x, int) {
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    try {
      const Result result = grown(x, x[0], i);
      sum += result.numbers[0] + result.numbers[1];
    } catch (int) {
      sum *= x[1];
    }
  return sum;
}

[[noreturn]] void square_and_throw(double &value, int n) {
  value *= value;
  if (n == 0)
    throw n;
  square_and_throw(value, n - 1);
}
double never_returned_from(const double *x, int) {
  double value = x[0] * x[1];
  try {
    square_and_throw(value, 2);
  } catch (int) {
  }
  return value * x[1];
}

struct Step {
  virtual ~Step() = default;
  virtual double run(const double *x, double &sum, int n) const = 0;
};
struct Adding : Step {
  const Step *other = nullptr;
  double run(const double *x, double &sum, int n) const override {
    sum += x[n];
    if (n == 0)
      throw n;
    return other->run(x, sum, n - 1) * x[1];
  }
};
struct Scaling : Step {
  const Step *other = nullptr;
  double run(const double *x, double &sum, int n) const override {
    sum *= x[n];
    if (n == 0)
      throw n;
    return other->run(x, sum, n - 1) + x[0];
  }
};
double through_virtual_functions(const double *x, int n) {
  Adding adding;
  Scaling scaling;
  adding.other = &scaling;
  scaling.other = &adding;
  double sum = 1;
  try {
    return adding.run(x, sum, n - 1);
  } catch (int) {
    return sum;
  }
}

} // namespace

#define CHECK_BOTH_ORDERS(program, ...)                                                                                \
  CHECK_FUNCTION(program, __VA_ARGS__);                                                                                \
  CHECK_SECOND_ORDER(program, __VA_ARGS__)

PLUGIN_TEST(ExceptionsThroughRecursion, KeepWhatWasWrittenToGlobals) {
  CHECK_BOTH_ORDERS(written_to_a_global, 0.7, 1.1, 0.6, 0.4);
}
PLUGIN_TEST(ExceptionsThroughRecursion, KeepWhatWasWrittenBehindPointers) {
  CHECK_BOTH_ORDERS(written_behind_pointers, 0.7, 1.1, 0.6, 0.4);
}
PLUGIN_TEST(ExceptionsThroughRecursion, MayPassFunctionObjects) {
  CHECK_BOTH_ORDERS(through_a_function_object, 0.7, 1.1, 0.6, 0.4);
}
PLUGIN_TEST(ExceptionsThroughRecursion, MayBeCaughtAtSeveralLevels) {
  CHECK_BOTH_ORDERS(caught_at_several_levels, 0.7, 1.2, 0.6, 1.3, 0.4, 0.9);
  CHECK_BOTH_ORDERS(caught_at_several_levels, 0.7, 0.2, 0.6, 0.3, 0.4, 0.9);
}
PLUGIN_TEST(ExceptionsThroughRecursion, RunDestructorsOnTheWay) {
  CHECK_BOTH_ORDERS(past_owners, 0.7, 1.1, 0.6, 0.4);
}
PLUGIN_TEST(ExceptionsThroughRecursion, TakeThePlaceOfResults) {
  CHECK_BOTH_ORDERS(returned_or_thrown, 1.1, 0.8, 1.2);
}
PLUGIN_TEST(ExceptionsThroughRecursion, MayLeaveFunctionsThatNeverReturn) {
  CHECK_BOTH_ORDERS(never_returned_from, 1.1, 0.8);
}
PLUGIN_TEST(ExceptionsThroughRecursion, MayPassVirtualFunctions) {
  CHECK_BOTH_ORDERS(through_virtual_functions, 0.7, 1.1, 0.6, 0.4);
}
