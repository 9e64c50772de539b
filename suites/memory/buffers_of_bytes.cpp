// Things of several sizes are written to a buffer of bytes one after the other, as programs do that store or send
// their state: numbers begin at any place of it, and what is copied when it grows ends within one.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

class Writer {
public:
  template <class T>
  void put(const T &thing) {
    const auto *first = reinterpret_cast<const unsigned char *>(&thing);
    bytes_.insert(bytes_.end(), first, first + sizeof thing);
  }
  const std::vector<unsigned char> &bytes() const { return bytes_; }

private:
  std::vector<unsigned char> bytes_;
};

class Reader {
public:
  explicit Reader(const std::vector<unsigned char> &bytes) : next_(bytes.data()) {}
  template <class T>
  T get() {
    T thing;
    std::memcpy(&thing, next_, sizeof thing);
    next_ += sizeof thing;
    return thing;
  }

private:
  const unsigned char *next_;
};

/// Every adjoint is a number of few bits, of which some bytes are zero.
double after_characters(const double *x, int n) {
  Writer writer;
  for (int i = 0; i < 2 * n; ++i) {
    writer.put(static_cast<char>(i + 1));
    writer.put(x[i % n]);
  }
  Reader reader(writer.bytes());
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    const char factor = reader.get<char>();
    sum += factor * reader.get<double>();
  }
  return sum;
}

double among_others(const double *x, int n) {
  Writer writer;
  for (int i = 0; i < 2 * n; ++i) {
    writer.put(static_cast<char>(i + 1));
    writer.put(x[i % n] * x[(i + 1) % n]);
    writer.put(static_cast<std::uint16_t>(7 * i));
    writer.put(static_cast<float>(i) * 0.5F);
  }
  Reader reader(writer.bytes());
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    const char factor = reader.get<char>();
    const double number = reader.get<double>();
    const std::uint16_t offset = reader.get<std::uint16_t>();
    sum += factor * number + number * number * (offset + reader.get<float>());
  }
  return sum;
}

struct Buffer {
  unsigned char *bytes = nullptr;
  std::size_t size = 0, capacity = 0;
};

void append(Buffer &buffer, const void *thing, std::size_t size) {
  if (buffer.size + size > buffer.capacity) {
    const std::size_t capacity = 2 * buffer.capacity + size;
    auto *bytes = static_cast<unsigned char *>(std::malloc(capacity));
    if (buffer.size != 0)
      std::memcpy(bytes, buffer.bytes, buffer.size);
    std::free(buffer.bytes);
    buffer.bytes = bytes;
    buffer.capacity = capacity;
  }
  std::memcpy(buffer.bytes + buffer.size, thing, size);
  buffer.size += size;
}

double by_hand(const double *x, int n) {
  Buffer buffer;
  for (int i = 0; i < 2 * n; ++i) {
    const char kind = static_cast<char>(i % 3);
    append(buffer, &kind, sizeof kind);
    append(buffer, &x[i % n], sizeof x[0]);
  }
  double sum = 0;
  for (std::size_t place = 0; place < buffer.size; place += 1 + sizeof(double)) {
    double number;
    std::memcpy(&number, buffer.bytes + place + 1, sizeof number);
    sum += number * (buffer.bytes[place] + 1);
  }
  std::free(buffer.bytes);
  return sum;
}

double squares_after_characters(const double *x, int n) {
  Writer writer;
  for (int i = 0; i < 2 * n; ++i) {
    writer.put(static_cast<char>(i + 1));
    writer.put(x[i % n] * x[i % n]);
  }
  Reader reader(writer.bytes());
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    const char factor = reader.get<char>();
    const double number = reader.get<double>();
    sum += factor * number * number;
  }
  return sum;
}

/// A number in each nine bytes, in the buffer and in its copy.
double records_read_twice(const double *x, int n) {
  std::vector<unsigned char> bytes;
  const auto put = [&](const auto &value) {
    const auto *first = reinterpret_cast<const unsigned char *>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  };
  for (int i = 0; i < n; ++i) {
    put(static_cast<char>(i + 1));
    put(x[i]);
  }
  const auto copy = bytes;
  double sum = 0;
  for (std::size_t place = 0; place < bytes.size(); place += 9) {
    double number;
    std::memcpy(&number, bytes.data() + place + 1, sizeof number);
    sum += number * number;
    std::memcpy(&number, copy.data() + place + 1, sizeof number);
    sum += 3 * number;
  }
  return sum;
}

double read_twice(const double *x, int n) {
  Writer writer;
  for (int i = 0; i < n; ++i)
    writer.put(x[i] * x[i]);
  const std::vector<unsigned char> copy = writer.bytes();
  Reader one(writer.bytes()), other(copy);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += one.get<double>() * (i + 1) + 0.5 * other.get<double>();
  return sum;
}

} // namespace

PLUGIN_TEST(BuffersOfBytes, NumbersFollowCharacters) {
  CHECK_FUNCTION(after_characters, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(BuffersOfBytes, NumbersOfSeveralSizesFollowOneAnother) {
  CHECK_FUNCTION(among_others, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(BuffersOfBytes, SquaresFollowCharacters) {
  CHECK_FUNCTION(squares_after_characters, 0.7, 1.5, 2.25);
  CHECK_SECOND_ORDER(squares_after_characters, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(BuffersOfBytes, TheBufferIsGrownByHand) {
  CHECK_FUNCTION(by_hand, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(BuffersOfBytes, TheBufferAndItsCopyAreRead) {
  CHECK_FUNCTION(read_twice, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(BuffersOfBytes, RecordsOfTheBufferAndItsCopyAreRead) {
  CHECK_FUNCTION(records_read_twice, 0.7, 1.5, 2.25);
}
