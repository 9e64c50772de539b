#pragma once
// All numbers of a value, each once: memory that is reached twice is visited once, and cycles end.

#include "assay/detail/traverse/walk.hpp"

#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace assay::detail {

template <class T>
inline constexpr char type_tag = 0;

/// Remembers the objects entered, and keeps long chains of pointers off the stack: objects deeper than `deepest`
/// pointers is visited at the end.
class Frontier {
public:
  /// Goes into the target of a reference, unless it was there before.
  template <class E, class Visitor>
  void follow(const Target<E> &target, Visitor &visitor, const Path &path) {
    if (target.count == 0 || !entered.insert({target.begin, &type_tag<E>, target.count}).second)
      return;
    if (depth == deepest) {
      postponed.push_back({target.begin, target.count, target.step, abbreviated(path.text()), &resume<E, Visitor>});
      return;
    }
    ++depth;
    walk_target(target, visitor, path);
    --depth;
  }

  template <class Visitor>
  void finish(Visitor &visitor) {
    for (std::size_t next = 0; next < postponed.size(); ++next) {
      const Postponed work = postponed[next]; // More may be appended.
      work.run(work, &visitor, Signature());
    }
  }

private:
  /// A derivative that calls a function through a pointer considers all functions that take the same: none takes this.
  using Signature = signed char;

  struct Postponed {
    void *begin;
    std::size_t count;
    Label::Kind step;
    std::string path;
    void (*run)(const Postponed &, void *visitor, Signature);
  };

  template <class E, class Visitor>
  static void resume(const Postponed &work, void *visitor, Signature /*unused*/) {
    walk_target(Target<E>{static_cast<E *>(work.begin), work.count, work.step}, *static_cast<Visitor *>(visitor),
                Path(work.path));
  }

  /// The path through a long list is as long as the list.
  static std::string abbreviated(const std::string &text) {
    constexpr std::size_t longest = 120;
    return text.size() <= longest ? text : "..." + text.substr(text.size() - longest);
  }

  static constexpr int deepest = 256;
  int depth = 0;
  std::set<std::tuple<const void *, const void *, std::size_t>> entered;
  std::vector<Postponed> postponed;
};

enum class Wanted { numbers, integers };

/// Calls `use(number, path)`. Types that cannot refer to shared memory need no book-keeping.
template <class Use, Wanted Which, bool Refers>
class NumberVisitor {
public:
  explicit NumberVisitor(Use &each) : use(each) {}

  template <class T>
  void number(T &x, const Path &path) {
    if constexpr (Which == Wanted::numbers)
      visit(x, path);
  }
  template <class T>
  void integer(T &x, const Path &path) {
    if constexpr (Which == Wanted::integers)
      visit(x, path);
  }
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> &target, const Path &path) {
    if constexpr (kind_of<R>() != Kind::weak && !nothing_inside<E>)
      frontier.follow(target, *this, path);
  }
  void finish() { frontier.finish(*this); }

private:
  struct Nothing {};

  template <class T>
  void visit(T &x, const Path &path) {
    if constexpr (Refers)
      if (!seen.insert(&x).second)
        return;
    use(x, path);
  }

  Use &use;
  [[no_unique_address]] std::conditional_t<Refers, std::unordered_set<const void *>, Nothing> seen;
  Frontier frontier;
};

/// Each number of `x` (or each integer) once, with its path from `root`. A constant `x` is visited all the same; it is
/// for the caller not to write to it.
template <Wanted Which = Wanted::numbers, class T, class Use>
void for_each_number(T &x, Use &&use, std::string_view root = {}) {
  auto &mutable_x = const_cast<std::remove_const_t<T> &>(x);
  NumberVisitor<std::remove_reference_t<Use>, Which, SummaryOf<T>::refers> visitor(use);
  walk(mutable_x, visitor, Path(root));
  if constexpr (SummaryOf<T>::refers)
    visitor.finish();
}

/// Finds the constant fields of structs and sets the numbers in them to zero.
class ConstantVisitor {
public:
  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> &target, const Path &path) {
    if constexpr (kind_of<R>() != Kind::weak && Summary<E>::constants)
      frontier.follow(target, *this, path);
  }
  template <class T>
  void constant(T &x, const Path & /*path*/) {
    if constexpr (HasNumbers<T>)
      for_each_number(x, []<class Number>(Number &number, const Path &) { number = Number(0); });
  }
  void finish() { frontier.finish(*this); }

private:
  Frontier frontier;
};

/// In a shadow, constant fields are zero: a field that cannot vary has no tangent. (For the compiler they are a part of
/// an object like others; only the language forbids to assign them.)
template <class T>
void zero_constants(T &x) {
  if constexpr (SummaryOf<T>::constants) {
    ConstantVisitor visitor;
    walk(x, visitor, Path(""));
    visitor.finish();
  }
}

} // namespace assay::detail
