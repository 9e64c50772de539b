// Boost before 1.79 asks whether an enumeration is unsigned in a way that clang no longer accepts (it casts -1 to an
// enumeration without such a value in a constant expression), and cpp_dec_float asks. Here is the same question put
// rightly.
#pragma once

#include <boost/version.hpp>

#if BOOST_VERSION < 107900

#include <boost/type_traits/is_signed.hpp>
#include <boost/type_traits/is_unsigned.hpp>

#include <type_traits>

namespace boost::detail {

template <class T>
  requires std::is_enum_v<T>
struct is_unsigned_values<T> {
  static constexpr auto minus_one = static_cast<std::underlying_type_t<T>>(-1);
  static constexpr auto zero = static_cast<std::underlying_type_t<T>>(0);
};

template <class T>
  requires std::is_enum_v<T>
struct is_signed_values<T> {
  static constexpr auto minus_one = static_cast<std::underlying_type_t<T>>(-1);
  static constexpr auto zero = static_cast<std::underlying_type_t<T>>(0);
};

} // namespace boost::detail

#endif
