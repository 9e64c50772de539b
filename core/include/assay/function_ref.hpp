// A reference to any callable, without owning it, as std::function_ref will be.
//
// Compiled code takes callables by it, so that it need not be a template. It must not outlive the callable it was made
// from.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace assay {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
  /// Makes the type of `call` one that functions of programs do not have: a derivative that calls through a pointer may
  /// call every function of the pointer's type, and the test harness, which has references of its own, is no candidate.
  enum class Tag : short { reference };

public:
  template <class Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_object_v<std::remove_reference_t<Callable>> &&
             std::is_invocable_r_v<Result, Callable &, Arguments...>)
  FunctionRef(Callable &&callable)
      : object(const_cast<void *>(static_cast<const void *>(std::addressof(callable)))),
        call([](Tag, void *object, Arguments... arguments) -> Result {
          return std::invoke(*static_cast<std::remove_reference_t<Callable> *>(object),
                             std::forward<Arguments>(arguments)...);
        }) {}

  FunctionRef(Result (*function)(Arguments...))
      : object(reinterpret_cast<void *>(function)), call([](Tag, void *object, Arguments... arguments) -> Result {
          return reinterpret_cast<Result (*)(Arguments...)>(object)(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call(Tag::reference, object, std::forward<Arguments>(arguments)...);
  }

private:
  void *object;
  Result (*call)(Tag, void *, Arguments...);
};

} // namespace assay
