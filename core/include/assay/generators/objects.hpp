// Generators of structs and choices, made of the generators of their parts.
#pragma once

#include <assay/generators/numbers.hpp>

#include <rapidcheck/gen/Container.h>
#include <rapidcheck/gen/Select.h>
#include <rapidcheck/gen/Transform.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace assay::gen {

/// T{parts...}: an aggregate, or anything with such a constructor. Shrinks part by part.
///
///     struct Layer { std::vector<double> weights; double bias; };
///     gen::object<Layer>(gen::vector(gen::real(-1, 1), 6), gen::nonzero())
template <class T, class... Parts>
rc::Gen<T> object(const rc::Gen<Parts> &...parts) {
  return rc::gen::map(tuple(parts...), [](std::tuple<Parts...> values) {
    return std::apply([](Parts &...part) { return T{std::move(part)...}; }, values);
  });
}

/// One of the generators, each as likely as the others.
template <class T, class... Others>
rc::Gen<T> one_of(const rc::Gen<T> &first, const rc::Gen<Others> &...others) {
  const std::vector<rc::Gen<T>> all{first, others...};
  return rc::gen::mapcat(integer<std::size_t>(0, all.size() - 1), [all](std::size_t index) { return all[index]; });
}

/// One of the values; shrinks to those before it.
template <class T>
rc::Gen<T> element_of(std::vector<T> values) {
  if (values.empty())
    throw std::invalid_argument("element_of needs values to choose from");
  const auto index = integer<std::size_t>(0, values.size() - 1);
  return rc::gen::map(index, [values = std::move(values)](std::size_t chosen) { return values[chosen]; });
}

/// Empty every fourth time; shrinks to empty.
template <class T>
rc::Gen<std::optional<T>> optional(const rc::Gen<T> &value) {
  constexpr int often = 3;
  return rc::gen::mapcat(integer(0, often), [value](int choice) {
    return choice == 0 ? fixed(std::optional<T>())
                       : rc::gen::map(value, [](T drawn) { return std::optional<T>(std::move(drawn)); });
  });
}

/// Lengths of arrays in [least, most], short ones more often: each doubling is as likely as the next.
rc::Gen<std::size_t> size(std::size_t least, std::size_t most);

} // namespace assay::gen
