#pragma once
// Where a part of a value stands, as a person would write it in source: `x.layers[1].weight(2, 0)`, `list.next->value`.

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::detail {

/// One step of a path.
struct Label {
  enum class Kind : unsigned char {
    field,  ///< .name
    index,  ///< [first]
    entry,  ///< (first, second)
    suffix, ///< name as it stands: .real()
    target  ///< the target of a pointer or an optional
  };
  Kind kind = Kind::target;
  std::string_view name = {};
  std::size_t first = 0, second = 0;

  static constexpr Label field(std::string_view name) { return {Kind::field, name}; }
  static constexpr Label index(std::size_t position) { return {Kind::index, {}, position}; }
  static constexpr Label entry(std::size_t row, std::size_t column) { return {Kind::entry, {}, row, column}; }
  static constexpr Label suffix(std::string_view text) { return {Kind::suffix, text}; }
  static constexpr Label target() { return {}; }
};

/// A list of labels that lives on the stack of the traversal; it becomes text only when it is asked for.
class Path {
public:
  explicit Path(std::string_view root) : label(Label::suffix(root)) {}
  Path(const Path &from, Label step) : parent(&from), label(step) {}

  std::string text() const {
    if (parent == nullptr)
      return std::string(label.name);
    return label.kind == Label::Kind::target ? "*" + parent->text() : stem() + step();
  }

private:
  /// The path that the step is appended to: a pointer that is followed is written with the step itself.
  std::string stem() const {
    if (parent->label.kind != Label::Kind::target || parent->parent == nullptr)
      return parent->text();
    return label.kind == Label::Kind::field ? parent->parent->text() + "->" : "(" + parent->text() + ")";
  }

  std::string step() const {
    switch (label.kind) {
    case Label::Kind::field:
      return (parent->label.kind == Label::Kind::target ? "" : ".") + std::string(label.name);
    case Label::Kind::index:
      return "[" + std::to_string(label.first) + "]";
    case Label::Kind::entry:
      return "(" + std::to_string(label.first) + ", " + std::to_string(label.second) + ")";
    case Label::Kind::suffix:
    case Label::Kind::target:
      break;
    }
    return std::string(label.name);
  }

  const Path *parent = nullptr;
  Label label;
};

} // namespace assay::detail
