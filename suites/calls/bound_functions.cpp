// Functions that are bound, or erased, together with what they are called with: bind_front, mem_fn, and objects in
// small buffers beside tables of functions.
#include "support/vector_program.hpp"
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace {

double scaled(double one, double other, double factor) {
  return one * other + factor * factor * one;
}

struct Model {
  double slope, bias;
  virtual ~Model() = default;
  virtual double at(double x) const { return slope * x + bias; }
  double product(double factor) const { return slope * bias * factor; }
  void shift(double by) { bias += by * slope; }
};

struct SquareModel : Model {
  double at(double x) const override { return slope * x * x + bias; }
};

double bound_in_front(const double *x, int /*n*/) {
  const auto two = std::bind_front(scaled, x[0], x[1]);
  const std::function<double(double, double)> one = std::bind_front(scaled, x[2]);
  return two(x[2]) * one(x[0], x[1]);
}

double bound_object(const double *x, int /*n*/) {
  std::shared_ptr<Model> model = std::make_shared<SquareModel>();
  model->slope = x[0];
  model->bias = x[1];
  const auto at = std::bind_front(&Model::at, model);
  const auto product = std::bind_front(&Model::product, model.get());
  return at(x[2]) * product(x[1]);
}

double member_functions(const double *x, int n) {
  std::vector<std::unique_ptr<Model>> models;
  for (int i = 0; i < n; ++i) {
    models.push_back(i % 2 == 0 ? std::make_unique<Model>() : std::make_unique<SquareModel>());
    models[i]->slope = x[i];
    models[i]->bias = x[(i + 1) % n];
  }
  const auto at = std::mem_fn(&Model::at), product = std::mem_fn(&Model::product);
  const auto shift = std::mem_fn(&Model::shift);
  const auto bias = std::mem_fn(&Model::bias);
  double sum = 0;
  for (auto &model : models) {
    shift(*model, x[0]);
    sum += at(model, x[1]) * product(model, x[2]) + bias(*model);
  }
  return sum;
}

/// Anything with an area, in a buffer of its own.
class Shape {
public:
  template <class T>
  explicit Shape(T shape) : functions_(&table<T>) {
    new (buffer_) T(std::move(shape));
  }
  Shape(const Shape &other) : functions_(other.functions_) { functions_->copy(buffer_, other.buffer_); }
  Shape &operator=(const Shape &other) {
    functions_ = other.functions_;
    functions_->copy(buffer_, other.buffer_);
    return *this;
  }
  double area(double factor) const { return functions_->area(buffer_, factor); }

private:
  struct Functions {
    double (*area)(const void *, double);
    void (*copy)(void *, const void *);
  };
  template <class T>
  static constexpr Functions table = {
      [](const void *shape, double factor) { return static_cast<const T *>(shape)->area(factor); },
      [](void *target, const void *source) { new (target) T(*static_cast<const T *>(source)); }};

  const Functions *functions_;
  alignas(8) unsigned char buffer_[32];
};

struct Square {
  double side;
  double area(double factor) const { return side * side * factor; }
};

struct Prism {
  double a, b, c;
  int count;
  double area(double factor) const { return a * b * c * count + factor; }
};

double erased(const double *x, int /*n*/) {
  std::vector<Shape> shapes{Shape(Square{x[0]}), Shape(Prism{x[0], x[1], x[2], 3})};
  shapes.push_back(shapes[0]);
  Shape last = shapes[1];
  double sum = last.area(x[0]);
  last = Shape(Square{sum});
  for (const Shape &shape : shapes)
    sum += shape.area(x[1]);
  return sum * last.area(x[2]);
}

} // namespace

PLUGIN_TEST(BoundFunctions, BoundInFront) {
  CHECK_FUNCTION(bound_in_front, 0.3, 0.8, 0.5);
}
PLUGIN_TEST(BoundFunctions, BoundObject) {
  CHECK_FUNCTION(bound_object, 0.3, 0.8, 0.5);
}
PLUGIN_TEST(BoundFunctions, MemberFunctions) {
  CHECK_FUNCTION(member_functions, 0.3, 0.8, 0.5);
}
PLUGIN_TEST(BoundFunctions, ErasedShapes) {
  CHECK_FUNCTION(erased, 0.3, 0.8, 0.5);
}
