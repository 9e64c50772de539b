#pragma once
// What the interface says where it refuses arguments.

#include <stdexcept>
#include <string>

/// The sentence with which `call` is refused; empty where it is not.
template <class F>
std::string refusal(F call) {
  try {
    call();
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "";
}
