// Both halves of a split derivative in one function that knows what is in the memory it passes: after the first half is
// written that function says other things of it, and yet the second half reads the tape of the first.
#include "support/plugin_test.hpp"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tapes_of_one_site {

struct Tensor {
  std::vector<double> numbers;
  int rows = 0, columns = 0;
  Tensor(int rows, int columns) : numbers(rows * columns), rows(rows), columns(columns) {}
};

struct Layer {
  virtual ~Layer() = default;
  virtual Tensor operator()(const Tensor &x) const = 0;
  virtual std::unique_ptr<Layer> zero() const = 0;
};

struct Scale : Layer {
  double slope = 0.7;
  Tensor operator()(const Tensor &x) const override {
    Tensor y = x;
    for (double &number : y.numbers)
      number *= slope;
    return y;
  }
  std::unique_ptr<Layer> zero() const override {
    auto made = std::make_unique<Scale>(*this);
    made->slope = 0;
    return made;
  }
};

struct Shift : Layer {
  std::map<std::string, double> parameters{{"gamma", 1.1}, {"beta", 0.2}};
  Tensor operator()(const Tensor &x) const override {
    Tensor y = x;
    for (int i = 0; i < x.rows * x.columns; ++i)
      y.numbers[i] = x.numbers[i] * parameters.at("gamma") + parameters.at("beta");
    return y;
  }
  std::unique_ptr<Layer> zero() const override {
    auto made = std::make_unique<Shift>(*this);
    for (auto &[name, parameter] : made->parameters)
      parameter = 0;
    return made;
  }
};

struct Net {
  std::vector<std::unique_ptr<Layer>> layers;
  Tensor operator()(Tensor x) const {
    for (const auto &layer : layers)
      x = (*layer)(x);
    return x;
  }
};

double first(const Net &net, const Tensor &x) {
  return net(x).numbers[0];
}

struct Augmented {
  void *tape;
  double value;
};

} // namespace tapes_of_one_site

extern int enzyme_dup, enzyme_nofree;
template <class Result, class... Arguments>
Result __enzyme_augmentfwd(void *, Arguments...);
template <class... Arguments>
void __enzyme_reverse(void *, Arguments...);

using namespace tapes_of_one_site;

PLUGIN_TEST(TapesOfOneSite, IsReadAsItWasWritten) {
  Net net, adjoint;
  net.layers.push_back(std::make_unique<Shift>());
  net.layers.push_back(std::make_unique<Scale>());
  Tensor x(2, 3), dx(2, 3);
  x.numbers[0] = 2;
  const double primal = first(net, x) + first(net, x);
  for (const auto &layer : net.layers)
    adjoint.layers.push_back(layer->zero());
  const Augmented forward =
      __enzyme_augmentfwd<Augmented>((void *)first, enzyme_dup, &net, &adjoint, enzyme_dup, &x, &dx);
  EXPECT_CLOSE(2 * forward.value, primal);
  __enzyme_reverse((void *)first, enzyme_nofree, enzyme_dup, &net, &adjoint, enzyme_dup, &x, &dx, 1.0, forward.tape);
  EXPECT_CLOSE(dx.numbers[0], 0.77);
  EXPECT_CLOSE(static_cast<Shift &>(*adjoint.layers[0]).parameters["gamma"], 1.4);
  __enzyme_reverse((void *)first, enzyme_dup, &net, &adjoint, enzyme_dup, &x, &dx, 2.0, forward.tape);
  EXPECT_CLOSE(dx.numbers[0], 3 * 0.77);
  EXPECT_CLOSE(static_cast<Scale &>(*adjoint.layers[1]).slope, 3 * 2.4);
}
