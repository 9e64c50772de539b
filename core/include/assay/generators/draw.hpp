// RapidCheck without its global state: a value of a generator is drawn from a stream of ours, and shrunk by a loop of
// ours.
#pragma once

#include <assay/generators/stream.hpp>

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>
#include <rapidcheck/Shrinkable.h>

#include <cstddef>
#include <utility>

namespace assay::gen {

/// A value with the ways to shrink it. The generator's own randomness is rc::Random seeded with the stream's next 64
/// bits.
template <class T>
rc::Shrinkable<T> draw(const rc::Gen<T> &generator, Stream &stream, int size = rc::kNominalSize) {
  return generator(rc::Random(stream.next()), size);
}

template <class T>
rc::Shrinkable<T> draw(const rc::Gen<T> &generator, Stream &&stream, int size = rc::kNominalSize) {
  return draw(generator, stream, size);
}

template <class T>
struct Minimal {
  T value;
  std::size_t shrinks = 0; ///< how many simplifications still failed, and were kept
  std::size_t tries = 0;   ///< how often `still_fails` was asked
};

/// The simplest failing value that greedy descent finds: the first simplification that still fails is taken, until none
/// does or until `most_tries` questions were asked. `failing` itself is taken to fail.
template <class T, class Predicate>
Minimal<T> shrink_to_minimal(const rc::Shrinkable<T> &failing, Predicate &&still_fails, std::size_t most_tries = 2000) {
  Minimal<T> minimal{failing.value()};
  auto candidates = failing.shrinks();
  while (minimal.tries < most_tries) {
    const auto candidate = candidates.next();
    if (!candidate)
      break;
    ++minimal.tries;
    T value = candidate->value();
    if (!still_fails(std::as_const(value)))
      continue;
    minimal.value = std::move(value);
    ++minimal.shrinks;
    candidates = candidate->shrinks();
  }
  return minimal;
}

} // namespace assay::gen
