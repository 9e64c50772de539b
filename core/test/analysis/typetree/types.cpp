// Types whose bytes the library lists by their layout (`typetree`), each with a function that touches all of them.
#include <assay/typetree.hpp>

#include <array>
#include <complex>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace assay::detail;

template <class T>
void touch(T &x) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (std::is_const_v<T>) {
    return;
  } else if constexpr (kind == Kind::number) {
    x = x * x;
  } else if constexpr (std::is_same_v<T, bool>) {
    x = !x;
  } else if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(static_cast<int>(x) + 1);
  } else if constexpr (kind == Kind::integer) {
    x = static_cast<T>(x * 3);
  } else if constexpr (kind == Kind::complex) {
    x = {x.imag(), x.real() * 2};
  } else if constexpr (std::is_bounded_array_v<T>) {
    for (auto &element : x)
      touch(element);
  } else if constexpr (std::is_pointer_v<T>) {
    touch(x[0]);
  } else if constexpr (kind == Kind::unique) {
    touch(*x);
  } else if constexpr (kind == Kind::optional) {
    if (x)
      touch(*x);
  } else if constexpr (kind == Kind::tuple && !requires { x[0]; }) {
    std::apply([](auto &...element) { (touch(element), ...); }, x);
  } else if constexpr (kind == Kind::plain_struct) {
    with_fields(x, [](auto &...field) { (touch(field), ...); });
  } else {
    for (auto &element : x)
      touch(element);
    if constexpr (requires { x.reserve(1); })
      x.reserve(x.size() * 2);
  }
}

enum class Colour { red, green };
struct Layer {
  double bias;
  int order;
  std::vector<double> weights;
  float scale[2];
};
struct Node {
  double value;
  Node *next;
};
struct Small {
  bool on;
  char letter;
  short number;
  Colour colour;
  float weight;
};
struct Nested {
  std::array<std::pair<int, double>, 2> pairs;
  std::complex<float> phase;
  Small small;
  long double precise;
};

template <class T>
void print(const char *name) {
  for (const auto &entry : assay::typetree<T>().entries)
    std::printf("%s %zu %zu %s\n", name, sizeof(T), entry.offset, entry.kind.c_str());
}

} // namespace

#define TYPES(EACH)                                                                                                    \
  EACH(number, double)                                                                                                 \
  EACH(numbers, std::array<float, 3>)                                                                                  \
  EACH(complex, std::complex<double>)                                                                                  \
  EACH(tuple, std::tuple<int, double, std::pair<float, double>>)                                                       \
  EACH(optional, std::optional<double>)                                                                                \
  EACH(span, std::span<double>)                                                                                        \
  EACH(vector, std::vector<float>)                                                                                     \
  EACH(unique, std::unique_ptr<double>)                                                                                \
  EACH(small, Small)                                                                                                   \
  EACH(nested, Nested)                                                                                                 \
  EACH(layer, Layer)                                                                                                   \
  EACH(layers, std::pair<Layer, std::vector<Layer>>)                                                                   \
  EACH(pointers, std::array<double *, 2>)

#define TOUCH(name, ...)                                                                                               \
  extern "C" void touch_##name(__VA_ARGS__ *x) {                                                                       \
    touch(*x);                                                                                                         \
  }
#define PRINT(name, ...) print<__VA_ARGS__>(#name);

TYPES(TOUCH)
extern "C" void touch_node(Node *x) {
  for (; x != nullptr; x = x->next)
    touch(x->value);
}

int main() {
  TYPES(PRINT)
  print<Node>("node");
}
