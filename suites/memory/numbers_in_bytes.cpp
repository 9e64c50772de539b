// Numbers that are cut into bytes, by shifts or by their address, which go one by one to buffers and containers, and
// are put together from there: serialisers of either byte order, queues and archives.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

[[gnu::noinline]] void put_low_first(std::uint8_t *buffer, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (int i = 0; i < 8; ++i)
    buffer[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

[[gnu::noinline]] double get_low_first(const std::uint8_t *buffer) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i)
    bits |= std::uint64_t{buffer[i]} << (8 * i);
  return std::bit_cast<double>(bits);
}

double by_shifts(const double *x, int n) {
  std::uint8_t buffer[256];
  for (int i = 0; i < n; ++i)
    put_low_first(buffer + 8 * i, x[i] * x[i]);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(get_low_first(buffer + 8 * i));
  return sum;
}

void push_high_first(Bytes &bytes, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (int i = 7; i >= 0; --i)
    bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

double read_high_first(const std::uint8_t *buffer) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i)
    bits = (bits << 8) | buffer[i];
  return std::bit_cast<double>(bits);
}

double in_network_order(const double *x, int n) {
  Bytes bytes;
  for (int i = 0; i < n; ++i)
    push_high_first(bytes, x[i] * x[i]);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(read_high_first(&bytes[8 * static_cast<std::size_t>(i)]));
  return sum;
}

/// Adjoints of bytes in the reversed order are added.
double in_network_order_read_twice(const double *x, int n) {
  Bytes bytes;
  for (int i = 0; i < n; ++i)
    push_high_first(bytes, x[i] * x[i]);
  double sum = 0;
  for (int turn = 1; turn <= 2; ++turn)
    for (int i = 0; i < n; ++i)
      sum += std::sin(turn * read_high_first(&bytes[8 * static_cast<std::size_t>(i)]));
  return sum;
}

/// The same number is written in each iteration.
double after_the_same_header(const double *x, int n) {
  Bytes bytes;
  const double header = x[0] * x[1];
  for (int i = 0; i < n; ++i) {
    push_high_first(bytes, header);
    push_high_first(bytes, x[i] * x[i]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 8)
    sum += std::sin(read_high_first(&bytes[i]));
  return sum;
}

double by_address(const double *x, int n) {
  std::vector<char> bytes;
  for (int i = 0; i < n; ++i) {
    bytes.push_back(static_cast<char>('a' + i));
    const double number = x[i] * x[i];
    const auto *first = reinterpret_cast<const char *>(&number);
    for (int k = 0; k < 8; ++k)
      bytes.push_back(first[k]);
  }
  double sum = 0;
  for (std::size_t place = 0; place < bytes.size(); place += 9) {
    double number;
    auto *first = reinterpret_cast<char *>(&number);
    for (std::size_t k = 0; k < 8; ++k)
      first[k] = bytes[place + 1 + k];
    sum += (bytes[place] - 'a' + 1) * std::sin(number);
  }
  return sum;
}

double in_a_string(const double *x, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    const auto bits = __builtin_bswap64(std::bit_cast<std::uint64_t>(x[i] * x[i]));
    for (int k = 0; k < 8; ++k)
      text += static_cast<char>(bits >> (8 * k) & 0xff);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    std::uint64_t bits = 0;
    for (int k = 0; k < 8; ++k)
      bits |= std::uint64_t{static_cast<unsigned char>(text[static_cast<std::size_t>(8 * i + k)])} << (8 * k);
    sum += std::sin(std::bit_cast<double>(__builtin_bswap64(bits)));
  }
  return sum;
}

std::string characters_of(double number) {
  std::string text;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (int k = 0; k < 8; ++k)
    text.push_back(static_cast<char>(bits >> (8 * k)));
  return text;
}

double in_appended_strings(const double *x, int n) {
  std::string all;
  for (int i = 0; i < n; ++i)
    all += characters_of(x[i] * x[i]) + ";";
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const std::string text = all.substr(9 * static_cast<std::size_t>(i), 8);
    sum += std::sin(get_low_first(reinterpret_cast<const std::uint8_t *>(text.data())));
  }
  return sum;
}

struct Message {
  std::uint8_t tag;
  std::uint8_t payload[8];
};

union Overlay {
  double number;
  std::uint8_t bytes[8];
};

double in_messages(const double *x, int n) {
  std::vector<Message> messages;
  for (int i = 0; i < n; ++i) {
    Overlay overlay;
    overlay.number = x[i] * x[i];
    Message message;
    message.tag = static_cast<std::uint8_t>(i + 1);
    for (int k = 0; k < 8; ++k)
      message.payload[k] = overlay.bytes[7 - k];
    messages.push_back(message);
  }
  double sum = 0;
  for (const Message &message : messages) {
    Overlay overlay;
    for (int k = 0; k < 8; ++k)
      overlay.bytes[k] = message.payload[7 - k];
    sum += message.tag * std::sin(overlay.number);
  }
  return sum;
}

double in_halves(const double *x, int n) {
  std::uint32_t halves[64];
  for (int i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(x[i] * x[i]);
    halves[2 * i] = static_cast<std::uint32_t>(bits >> 32);
    halves[2 * i + 1] = static_cast<std::uint32_t>(bits);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(std::bit_cast<double>(std::uint64_t{halves[2 * i]} << 32 | halves[2 * i + 1]));
  return sum;
}

template <class T>
void push(std::deque<std::uint8_t> &queue, T thing) {
  std::uint8_t bytes[sizeof thing];
  std::memcpy(bytes, &thing, sizeof thing);
  for (std::size_t i = 0; i < sizeof thing; ++i)
    queue.push_back(bytes[i]);
}

template <class T>
T pop(std::deque<std::uint8_t> &queue) {
  std::uint8_t bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = queue.front();
    queue.pop_front();
  }
  T thing;
  std::memcpy(&thing, bytes, sizeof thing);
  return thing;
}

double in_a_queue(const double *x, int n) {
  std::deque<std::uint8_t> queue;
  for (int i = 0; i < n; ++i) {
    push<int>(queue, i + 3);
    push(queue, x[i] * x[i]);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const int factor = pop<int>(queue);
    sum += factor * std::sin(pop<double>(queue));
  }
  return sum;
}

struct Sink {
  virtual void put(std::uint8_t byte) = 0;
  virtual ~Sink() = default;
};
struct Kept : Sink {
  Bytes bytes;
  void put(std::uint8_t byte) override { bytes.push_back(byte); }
};
struct Counted : Sink {
  int sum = 0;
  void put(std::uint8_t byte) override { sum += byte; }
};

void write(Sink &sink, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (int i = 0; i < 8; ++i)
    sink.put(static_cast<std::uint8_t>(bits >> (56 - 8 * i)));
}

double through_a_virtual_function(const double *x, int n) {
  Kept kept;
  Counted counted;
  for (int i = 0; i < n; ++i) {
    write(kept, x[i] * x[i]);
    write(i > 5 ? static_cast<Sink &>(counted) : static_cast<Sink &>(kept), x[i]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < kept.bytes.size(); i += 8)
    sum += std::sin(read_high_first(&kept.bytes[i]));
  return sum;
}

double reversed_in_place(const double *x, int n) {
  std::vector<double> numbers(x, x + n);
  Bytes bytes;
  for (double &number : numbers) {
    number *= number;
    auto *first = reinterpret_cast<unsigned char *>(&number);
    std::reverse(first, first + 8);
    std::copy(first, first + 8, std::back_inserter(bytes));
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    unsigned char own[8];
    std::reverse_copy(bytes.begin() + 8 * i, bytes.begin() + 8 * i + 8, own);
    double number;
    std::memcpy(&number, own, sizeof number);
    sum += std::sin(number);
  }
  return sum;
}

struct Ring {
  std::uint8_t *bytes;
  std::size_t capacity, head = 0, tail = 0;
  void push(std::uint8_t byte) { bytes[tail++ % capacity] = byte; }
  std::uint8_t pop() { return bytes[head++ % capacity]; }
};

double in_a_ring(const double *x, int n) {
  Ring ring{new std::uint8_t[24], 24};
  double sum = 0;
  for (int turn = 0; turn < 3; ++turn)
    for (int i = 0; i < n; ++i) {
      auto bits = std::bit_cast<std::uint64_t>(x[i] * x[i] + turn);
      for (int k = 0; k < 8; ++k, bits >>= 8)
        ring.push(static_cast<std::uint8_t>(bits & 0xff));
      bits = 0;
      for (int k = 0; k < 8; ++k)
        bits |= std::uint64_t{ring.pop()} << (8 * k);
      sum += std::sin(std::bit_cast<double>(bits));
    }
  delete[] ring.bytes;
  return sum;
}

class Output {
public:
  Output &operator<<(double number) { return raw(number); }
  Output &operator<<(std::uint32_t number) { return raw(number); }
  Output &operator<<(const std::string &text) {
    *this << static_cast<std::uint32_t>(text.size());
    for (const char character : text)
      put(static_cast<std::uint8_t>(character));
    return *this;
  }
  const Bytes &bytes() const { return bytes_; }

private:
  void put(std::uint8_t byte) { bytes_.push_back(byte); }
  template <class T>
  Output &raw(const T &thing) {
    const auto *first = reinterpret_cast<const std::uint8_t *>(&thing);
    for (std::size_t i = 0; i < sizeof thing; ++i)
      put(first[i]);
    return *this;
  }
  Bytes bytes_;
};

class Input {
public:
  explicit Input(const Bytes &bytes) : bytes_(bytes) {}
  Input &operator>>(double &number) { return raw(number); }
  Input &operator>>(std::uint32_t &number) { return raw(number); }
  Input &operator>>(std::string &text) {
    std::uint32_t size;
    *this >> size;
    text.clear();
    for (std::uint32_t i = 0; i < size; ++i)
      text += static_cast<char>(get());
    return *this;
  }

private:
  std::uint8_t get() { return bytes_[next_++]; }
  template <class T>
  Input &raw(T &thing) {
    auto *first = reinterpret_cast<std::uint8_t *>(&thing);
    for (std::size_t i = 0; i < sizeof thing; ++i)
      first[i] = get();
    return *this;
  }
  const Bytes &bytes_;
  std::size_t next_ = 0;
};

struct Person {
  std::string name;
  double weight;
  std::vector<double> marks;
};

double in_an_archive(const double *x, int n) {
  Output output;
  for (int i = 0; i < n; ++i) {
    const Person person{"name" + std::string(static_cast<std::size_t>(i), 'x'), x[i] * x[i], {x[i], x[0]}};
    output << person.name << person.weight << static_cast<std::uint32_t>(person.marks.size());
    for (const double mark : person.marks)
      output << mark;
  }
  Input input(output.bytes());
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Person person;
    std::uint32_t marks;
    input >> person.name >> person.weight >> marks;
    person.marks.resize(marks);
    for (double &mark : person.marks)
      input >> mark;
    sum += std::sin(person.weight) * static_cast<double>(person.name.size()) + person.marks[0] * person.marks[1];
  }
  return sum;
}

/// Bytes that are computed with become no number again.
double hashed(const double *x, int n) {
  std::uint8_t marks[64] = {};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(x[i]);
    std::uint64_t hash = 14695981039346656037U;
    for (int k = 0; k < 8; ++k)
      hash = (hash ^ (bits >> (8 * k) & 0xff)) * 1099511628211U;
    marks[hash & 63] = static_cast<std::uint8_t>(hash >> 57);
    marks[5] = static_cast<std::uint8_t>(bits >> 52);
    sum += x[i] * x[i] * x[i];
  }
  for (const std::uint8_t mark : marks)
    sum += mark > 250 ? 1e-30 : 0;
  return sum;
}

} // namespace

PLUGIN_TEST(NumbersInBytes, ShiftsCutThemAndPutThemTogether) {
  CHECK_FUNCTION(by_shifts, 0.7, 1.5, 2.25);
  CHECK_SECOND_ORDER(by_shifts, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, TheHighestByteGoesFirst) {
  CHECK_FUNCTION(in_network_order, 0.7, 1.5, 2.25);
  CHECK_SECOND_ORDER(in_network_order, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, ReversedOnesAreReadTwice) {
  CHECK_FUNCTION(in_network_order_read_twice, 0.7, 1.5, 2.25);
  CHECK_SECOND_ORDER(in_network_order_read_twice, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, OneIsWrittenAgainAndAgain) {
  CHECK_FUNCTION(after_the_same_header, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, TheirAddressIsThatOfBytes) {
  CHECK_FUNCTION(by_address, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, AStringKeepsThem) {
  CHECK_FUNCTION(in_a_string, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, StringsAreAppended) {
  CHECK_FUNCTION(in_appended_strings, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, MessagesKeepThem) {
  CHECK_FUNCTION(in_messages, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, HalvesAreExchanged) {
  CHECK_FUNCTION(in_halves, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, AQueueKeepsThemAmongIntegers) {
  CHECK_FUNCTION(in_a_queue, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, VirtualFunctionsTakeTheBytes) {
  CHECK_FUNCTION(through_a_virtual_function, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, AlgorithmsReverseThem) {
  CHECK_FUNCTION(reversed_in_place, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, ARingIsUsedAgain) {
  CHECK_FUNCTION(in_a_ring, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, AnArchiveKeepsThemAmongTexts) {
  CHECK_FUNCTION(in_an_archive, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(NumbersInBytes, HashesOfThemAreIntegers) {
  CHECK_FUNCTION(hashed, 0.7, 1.5, 2.25);
}
