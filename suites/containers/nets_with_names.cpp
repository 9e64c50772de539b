// A struct of layers and of numbers by name that is constant beside an active argument. The child of a node that the
// search goes to is read at an offset that is chosen: the fields before it were taken for children, and constant memory
// for active.
#include "support/vector_program.hpp"
#include <map>
#include <string>
#include <vector>

namespace nets_with_names {

struct Net {
  std::vector<std::vector<double>> layers;
  std::map<std::string, double> numbers;
};

static double value(const Net &net, const std::vector<double> &x) {
  std::vector<double> input = x;
  for (const std::vector<double> &layer : net.layers) {
    std::vector<double> output = layer;
    for (std::size_t i = 0; i < output.size(); ++i)
      output[i] = std::tanh(output[i] * input[i]);
    input = std::move(output);
  }
  double sum = 0;
  for (const double number : input)
    sum += number * number;
  return sum * net.numbers.at("rate") + net.numbers.at("bias");
}

} // namespace nets_with_names

using namespace nets_with_names;

PLUGIN_TEST(NetsWithNames, AreConstantBesideActiveInputs) {
  Net net{{{0.3, 0.7}, {1.4, 0.5}}, {{"rate", 0.5}, {"bias", 0.1}, {"another", 2}}};
  std::vector<double> x = {0.4, -0.6}, gradient(2);
  __enzyme_autodiff<void>((void *)value, enzyme_const, &net, enzyme_dup, &x, &gradient);
  for (int i = 0; i < 2; ++i) {
    std::vector<double> tangent(2);
    tangent[i] = 1;
    const double forward = __enzyme_fwddiff<double>((void *)value, enzyme_const, &net, enzyme_dup, &x, &tangent);
    const double expected = assay::suites::central_difference([&](double change) {
      std::vector<double> moved = x;
      moved[i] += change;
      return value(net, moved);
    });
    assay::suites::expect_near(forward, expected, 1e-9, "tangent", __FILE__, __LINE__);
    assay::suites::expect_near(gradient[i], expected, 1e-9, "gradient", __FILE__, __LINE__);
  }
}
