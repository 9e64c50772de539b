#pragma once
// The call that a child is about to make, in memory that its parent still reads when the child is gone.

#include <assay/testing/subject.hpp>

#include <string_view>

namespace assay::cli {

class CallNote {
public:
  /// Has room for `arguments` arguments with `numbers` numbers in all; of more inputs nothing is noted.
  CallNote(std::size_t arguments, std::size_t numbers);
  ~CallNote();
  CallNote(const CallNote &) = delete;
  CallNote &operator=(const CallNote &) = delete;

  void set_sample(unsigned sample);
  /// Of a call that is made alone.
  void set_inputs(const testutils::Arguments &inputs);
  /// Of calls that are not: how they are made, in words that last.
  void set_way(const char *way);
  /// Of the next child.
  void clear();

  unsigned sample() const;
  /// Empty: alone.
  std::string_view way() const;
  /// Empty: none were noted.
  testutils::Arguments inputs() const;

private:
  struct Content;

  std::size_t size_;
  Content *content_;
};

} // namespace assay::cli
