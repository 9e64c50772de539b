#include "testutils/kernel_memory.hpp"

#include <assay/detail/half_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t guard_bytes = 256;
constexpr std::byte canary{0xa5};

template <class Number>
void write_as(std::byte *place, double value) {
  const auto number = static_cast<Number>(value);
  std::memcpy(place, &number, sizeof(Number));
}
template <class Number>
double read_as(const std::byte *place) {
  Number number;
  std::memcpy(&number, place, sizeof(Number));
  return static_cast<double>(number);
}

void write(const KernelNumber &number, std::byte *bytes, double value) {
  if (number.type == ElementType::single_precision)
    write_as<float>(bytes + number.offset, value);
  else if (number.type == ElementType::half_precision)
    write_as<detail::Binary16>(bytes + number.offset, value);
  else if (number.type == ElementType::brain_float)
    write_as<detail::BrainFloat>(bytes + number.offset, value);
  else if (number.type == ElementType::double_precision)
    write_as<double>(bytes + number.offset, value);
}

double read_integer(const KernelNumber &number, const std::byte *place) {
  switch (number.size) {
  case 1:
    return number.is_signed ? read_as<std::int8_t>(place) : read_as<std::uint8_t>(place);
  case 2:
    return number.is_signed ? read_as<std::int16_t>(place) : read_as<std::uint16_t>(place);
  case 4:
    return number.is_signed ? read_as<std::int32_t>(place) : read_as<std::uint32_t>(place);
  default:
    return number.is_signed ? read_as<std::int64_t>(place) : read_as<std::uint64_t>(place);
  }
}

double read(const KernelNumber &number, const std::byte *bytes) {
  const std::byte *place = bytes + number.offset;
  if (number.type == ElementType::single_precision)
    return read_as<float>(place);
  if (number.type == ElementType::half_precision)
    return read_as<detail::Binary16>(place);
  if (number.type == ElementType::brain_float)
    return read_as<detail::BrainFloat>(place);
  return number.type == ElementType::double_precision ? read_as<double>(place) : read_integer(number, place);
}

/// Integers keep what they hold.
std::vector<std::byte> with_numbers(const KernelArgument &argument, std::vector<std::byte> bytes,
                                    const Values &values) {
  for (std::size_t index = 0; index < argument.numbers.size() && index < values.size(); ++index)
    write(argument.numbers[index], bytes.data(), values[index]);
  return bytes;
}

std::vector<NumberPlace> places_at(const KernelArgument &argument, const void *begin) {
  std::vector<NumberPlace> places;
  for (const KernelNumber &number : argument.numbers)
    if (number.type != ElementType::integer)
      places.push_back({static_cast<const std::byte *>(begin) + number.offset, number.size});
  return places;
}

template <class T>
std::vector<std::byte> bytes_of(const T &value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

} // namespace

std::vector<std::byte> image_of(const KernelArgument &argument, const Values &values) {
  return with_numbers(argument, argument.bytes, values);
}

std::vector<std::byte> shadow_image_of(const KernelArgument &argument, const Values &values) {
  return with_numbers(argument, std::vector<std::byte>(argument.bytes.size()), values);
}

Values numbers_in(const KernelArgument &argument, const std::vector<std::byte> &bytes) {
  Values values;
  for (const KernelNumber &number : argument.numbers)
    values.push_back(read(number, bytes.data()));
  return values;
}

DeviceMemory::~DeviceMemory() {
  for (const auto &[bytes, blocks] : free_)
    for (void *block : blocks)
      runtime.release(block);
}

void *DeviceMemory::take(std::size_t bytes) {
  std::vector<void *> &blocks = free_[bytes];
  if (blocks.empty())
    return runtime.allocate(bytes);
  void *block = blocks.back();
  blocks.pop_back();
  return block;
}

DeviceBuffer::DeviceBuffer(DeviceMemory &memory, const std::vector<std::byte> &bytes, Guards guards)
    : memory_(memory), size_(bytes.size()), guard_(guards == Guards::canaries ? guard_bytes : 0) {
  std::vector<std::byte> whole(std::max<std::size_t>(size_, 1) + 2 * guard_, canary);
  std::copy(bytes.begin(), bytes.end(), whole.begin() + static_cast<std::ptrdiff_t>(guard_));
  block_ = memory.take(whole.size());
  begin_ = static_cast<std::byte *>(block_) + guard_;
  memory.runtime.copy(block_, whole.data(), whole.size());
}

DeviceBuffer::~DeviceBuffer() {
  memory_.give_back(block_, std::max<std::size_t>(size_, 1) + 2 * guard_);
}

std::vector<std::byte> DeviceBuffer::read() const {
  std::vector<std::byte> bytes(size_);
  if (size_ != 0)
    memory_.runtime.copy(bytes.data(), begin_, size_);
  return bytes;
}

bool DeviceBuffer::guards_are_intact() const {
  std::vector<std::byte> before(guard_), behind(guard_);
  if (guard_ == 0)
    return true;
  memory_.runtime.copy(before.data(), block_, guard_);
  memory_.runtime.copy(behind.data(), begin_ + size_, guard_);
  const auto is_canary = [](std::byte byte) { return byte == canary; };
  return std::ranges::all_of(before, is_canary) && std::ranges::all_of(behind, is_canary);
}

// ---- The kernel itself ----

KernelCall::KernelCall(const KernelSetting &setting, DeviceMemory &memory, const Arguments &inputs,
                       DeviceBuffer::Guards guards)
    : setting_(setting) {
  for (std::size_t index = 0; index < setting.arguments.size(); ++index) {
    const KernelArgument &argument = setting.arguments[index];
    const std::vector<std::byte> image = image_of(argument, inputs[index]);
    if (argument.is_pointer)
      values_.push_back(bytes_of(buffers_.emplace_back(memory, image, guards).data()));
    else
      values_.push_back(image);
    pointers_.push_back(values_.back().data());
  }
}

Arguments KernelCall::contents() const {
  Arguments contents;
  auto buffer = buffers_.begin();
  for (std::size_t index = 0; index < setting_.arguments.size(); ++index) {
    const KernelArgument &argument = setting_.arguments[index];
    contents.push_back(numbers_in(argument, argument.is_pointer ? (buffer++)->read() : values_[index]));
  }
  return contents;
}

std::vector<std::vector<NumberPlace>> KernelCall::places() const {
  std::vector<std::vector<NumberPlace>> places;
  auto buffer = buffers_.begin();
  for (std::size_t index = 0; index < setting_.arguments.size(); ++index) {
    const KernelArgument &argument = setting_.arguments[index];
    places.push_back(places_at(argument, argument.is_pointer ? (buffer++)->data() : values_[index].data()));
  }
  return places;
}

void KernelCall::add_memory_to(gpu::KernelWatch &watch) const {
  auto buffer = buffers_.begin();
  for (const KernelArgument &argument : setting_.arguments)
    if (argument.is_pointer) {
      watch.add_memory(buffer->data(), buffer->size(), argument.parameter.name);
      ++buffer;
    }
}

std::vector<std::string> KernelCall::violations() const {
  std::vector<std::string> found;
  auto buffer = buffers_.begin();
  for (const KernelArgument &argument : setting_.arguments)
    if (argument.is_pointer && !(buffer++)->guards_are_intact())
      found.push_back(fmt::format("memory beside {} was written", argument.parameter.name));
  return found;
}

// ---- A derivative ----

KernelDerivativeCall::KernelDerivativeCall(const KernelSetting &setting, DeviceMemory &memory, std::uint64_t symbol,
                                           const DerivativeRequest &request, DeviceBuffer::Guards guards)
    : setting_(setting), memory_(memory), request_(request),
      layout_{setting.arguments.size(), request.combination.width}, guards_(guards), placed_(layout_.count(), nullptr),
      symbol_(symbol) {
  for (std::size_t index = 0; index < setting.arguments.size(); ++index) {
    const KernelArgument &argument = setting.arguments[index];
    place(layout_.parameter(index), image_of(argument, request.inputs[index]), argument.parameter.name);
    for (unsigned lane = 0; lane < request.combination.width; ++lane)
      if (request.combination.arguments[index] != Activity::constant)
        place_shadow(index, lane);
  }
  place(layout_.between(), bytes_of(std::uint32_t{0}), "a flag of the test");
  std::vector<void *> addresses;
  for (const DeviceBuffer *buffer : placed_)
    addresses.push_back(buffer ? buffer->data() : nullptr);
  std::vector<std::byte> image(addresses.size() * sizeof(void *));
  std::memcpy(image.data(), addresses.data(), image.size());
  slots_.emplace(memory, image, DeviceBuffer::Guards::none);
  slots_address_ = slots_->data();
  pointers_ = {&symbol_, static_cast<void *>(&slots_address_)};
}

const DeviceBuffer &KernelDerivativeCall::place(std::size_t slot, const std::vector<std::byte> &bytes,
                                                std::string name) {
  const DeviceBuffer &buffer = buffers_.emplace_back(memory_, bytes, guards_);
  names_.push_back(std::move(name));
  placed_[slot] = &buffer;
  return buffer;
}

void KernelDerivativeCall::place_shadow(std::size_t index, unsigned lane) {
  const KernelArgument &argument = setting_.arguments[index];
  const bool is_adjoint = request_.combination.arguments[index] == Activity::active; // Which starts at zero.
  std::string name = fmt::format("the shadow of {}", argument.parameter.name);
  if (request_.combination.width > 1)
    name += fmt::format(" in lane {}", lane);
  place(layout_.shadow(index, lane),
        shadow_image_of(argument, is_adjoint ? Values(argument.numbers.size()) : request_.shadows[lane][index]),
        std::move(name));
}

bool KernelDerivativeCall::is_missing() const {
  const std::vector<std::byte> flag = at(layout_.between())->read();
  return std::ranges::any_of(flag, [](std::byte byte) { return byte != std::byte{0}; });
}

Values KernelDerivativeCall::numbers_at(std::size_t index, std::size_t slot) const {
  return numbers_in(setting_.arguments[index], at(slot)->read());
}

bool KernelDerivativeCall::has_shadow(std::size_t index) const {
  return request_.combination.arguments[index] != Activity::constant;
}

DerivativeOutcome KernelDerivativeCall::outcome() const {
  DerivativeOutcome outcome;
  const std::size_t count = setting_.arguments.size();
  for (std::size_t index = 0; index < count; ++index)
    outcome.contents.push_back(numbers_at(index, layout_.parameter(index)));
  for (unsigned lane = 0; lane < request_.combination.width; ++lane) {
    outcome.result_tangents.emplace_back();
    Arguments &shadows = outcome.shadows.emplace_back();
    for (std::size_t index = 0; index < count; ++index)
      shadows.push_back(has_shadow(index) ? numbers_at(index, layout_.shadow(index, lane)) : Values());
  }
  for (std::size_t index = 0; index < buffers_.size(); ++index)
    if (!buffers_[index].guards_are_intact())
      outcome.violations.push_back(fmt::format("memory beside {} was written", names_[index]));
  return outcome;
}

DerivativePlaces KernelDerivativeCall::places() const {
  DerivativePlaces places;
  for (unsigned lane = 0; lane < request_.combination.width; ++lane) {
    places.result_tangents.emplace_back();
    std::vector<std::vector<NumberPlace>> &shadows = places.shadows.emplace_back();
    for (std::size_t index = 0; index < setting_.arguments.size(); ++index)
      shadows.push_back(has_shadow(index)
                            ? places_at(setting_.arguments[index], at(layout_.shadow(index, lane))->data())
                            : std::vector<NumberPlace>());
  }
  return places;
}

void KernelDerivativeCall::add_memory_to(gpu::KernelWatch &watch) const {
  for (std::size_t index = 0; index < buffers_.size(); ++index)
    watch.add_memory(buffers_[index].data(), buffers_[index].size(), names_[index]);
  watch.add_memory(slots_->data(), slots_->size(), "the slots of the test");
}

} // namespace assay::testutils
