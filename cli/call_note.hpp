#pragma once
// The call that a child is about to make, in memory that its parent still reads when the child is gone.

#include <assay/testing/subject.hpp>

namespace assay::cli {

class CallNote {
public:
  /// Has room for `arguments` arguments with `numbers` numbers in all; of more inputs nothing is noted.
  CallNote(std::size_t arguments, std::size_t numbers);
  ~CallNote();
  CallNote(const CallNote &) = delete;
  CallNote &operator=(const CallNote &) = delete;

  void set_sample(unsigned sample);
  void set_inputs(const testutils::Arguments &inputs);
  /// Of the next child.
  void clear();

  unsigned sample() const;
  /// Empty: none were noted.
  testutils::Arguments inputs() const;

private:
  struct Content;

  std::size_t size_;
  Content *content_;
};

} // namespace assay::cli
