// The inputs stand one after the other, each argument's after their number. Their count is zero while they are written.

#include "cli/call_note.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace assay::cli {

struct CallNote::Content {
  unsigned sample = 0;
  const char *way = ""; // In the program's own memory, which each child has at the same place.
  std::size_t arguments = 0, room = 0;

  double *numbers() { return reinterpret_cast<double *>(this + 1); }
};

CallNote::CallNote(std::size_t arguments, std::size_t numbers)
    : size_(sizeof(Content) + (arguments + numbers) * sizeof(double)) {
  void *memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error("cannot share memory with a process");
  content_ = new (memory) Content;
  content_->room = arguments + numbers;
}

CallNote::~CallNote() {
  ::munmap(content_, size_);
}

void CallNote::set_sample(unsigned sample) {
  content_->sample = sample;
}

void CallNote::set_way(const char *way) {
  content_->way = way;
}

void CallNote::set_inputs(const testutils::Arguments &inputs) {
  content_->way = "";
  content_->arguments = 0;
  std::size_t needed = inputs.size();
  for (const testutils::Values &values : inputs)
    needed += values.size();
  if (needed > content_->room)
    return;
  double *next = content_->numbers();
  for (const testutils::Values &values : inputs) {
    *next++ = static_cast<double>(values.size());
    next = std::copy(values.begin(), values.end(), next);
  }
  content_->arguments = inputs.size();
}

void CallNote::clear() {
  content_->sample = 0;
  content_->way = "";
  content_->arguments = 0;
}

unsigned CallNote::sample() const {
  return content_->sample;
}

std::string_view CallNote::way() const {
  return content_->way;
}

testutils::Arguments CallNote::inputs() const {
  testutils::Arguments inputs;
  const double *next = content_->numbers();
  for (std::size_t argument = 0; argument < content_->arguments; ++argument) {
    const auto count = static_cast<std::size_t>(*next++);
    inputs.emplace_back(next, next + count);
    next += count;
  }
  return inputs;
}

} // namespace assay::cli
