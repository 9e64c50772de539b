// The parts of numbers.hpp that depend on a user's types.
#pragma once

#include <rapidcheck/gen/Create.h>
#include <rapidcheck/gen/Transform.h>

#include <algorithm>
#include <tuple>

namespace assay::gen {

namespace detail {
rc::Gen<std::int64_t> integer64(std::int64_t lower, std::int64_t upper);
}

template <std::integral T>
rc::Gen<T> integer(std::type_identity_t<T> lower, std::type_identity_t<T> upper) {
  return rc::gen::cast<T>(detail::integer64(static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper)));
}

template <class T>
rc::Gen<std::vector<T>> vector(const rc::Gen<T> &element, std::size_t count) {
  return rc::gen::container<std::vector<T>>(count, element);
}

template <class T>
rc::Gen<std::vector<T>> vector(const rc::Gen<T> &element, std::size_t least, std::size_t most) {
  const auto length = detail::integer64(static_cast<std::int64_t>(least), static_cast<std::int64_t>(most));
  return rc::gen::mapcat(length,
                         [element](std::int64_t count) { return vector(element, static_cast<std::size_t>(count)); });
}

template <std::size_t N, class T>
rc::Gen<std::array<T, N>> array(const rc::Gen<T> &element) {
  return rc::gen::map(vector(element, N), [](const std::vector<T> &elements) {
    std::array<T, N> result{};
    std::copy(elements.begin(), elements.end(), result.begin());
    return result;
  });
}

template <class T>
rc::Gen<T> fixed(T value) {
  return rc::gen::just(std::move(value));
}

} // namespace assay::gen
