// printf of kernels: clang packs the arguments behind the format into one buffer, each at the alignment of its type.

#include "gpu/runtime/interface.hpp"

#include <cstdio>
#include <cstring>
#include <string>

namespace {

class PackedArguments {
public:
  explicit PackedArguments(const char *buffer) : begin_(buffer) {}

  template <class T>
  T take() {
    offset_ = (offset_ + alignof(T) - 1) / alignof(T) * alignof(T);
    T value;
    std::memcpy(&value, begin_ + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }

private:
  const char *begin_;
  std::size_t offset_ = 0;
};

template <class T>
void print_one(std::string &text, const std::string &conversion, T value) {
  const int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (length < 0)
    return;
  std::string piece(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(piece.data(), piece.size(), conversion.c_str(), value);
  piece.pop_back();
  text += piece;
}

/// A conversion from `%` to its letter. A `*` takes its number from the arguments.
std::string conversion_at(const char *&format, PackedArguments &arguments) {
  std::string conversion(1, *format++);
  while (*format && !std::strchr("diouxXeEfFgGaAcspn%", *format)) {
    if (*format == '*')
      conversion += std::to_string(arguments.take<int>());
    else
      conversion += *format;
    ++format;
  }
  if (*format)
    conversion += *format++;
  return conversion;
}

bool is_long(const std::string &conversion) {
  return conversion.find_first_of("ljztq") != std::string::npos;
}

} // namespace

int assay_gpu_vprintf(const char *format, const char *buffer) {
  PackedArguments arguments(buffer);
  std::string text;
  int count = 0;
  while (*format) {
    if (*format != '%') {
      text += *format++;
      continue;
    }
    const std::string conversion = conversion_at(format, arguments);
    if (conversion.back() == '%') {
      text += '%';
      continue;
    }
    ++count;
    switch (conversion.back()) {
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      print_one(text, conversion, arguments.take<double>());
      break;
    case 's':
      print_one(text, conversion, arguments.take<const char *>());
      break;
    case 'p':
      print_one(text, conversion, arguments.take<const void *>());
      break;
    default:
      if (is_long(conversion))
        print_one(text, conversion, arguments.take<long long>());
      else
        print_one(text, conversion, arguments.take<int>());
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return count;
}
