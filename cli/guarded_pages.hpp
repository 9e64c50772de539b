#pragma once
// Memory between two pages that nobody may touch: a program that leaves it, reading or writing, crashes.

#include <cstddef>

namespace assay::cli {

class GuardedPages {
public:
  /// At least so many bytes; they end where the second forbidden page begins. Their content is whatever it is.
  explicit GuardedPages(std::size_t bytes);
  ~GuardedPages();
  GuardedPages(GuardedPages &&other) noexcept;
  GuardedPages &operator=(GuardedPages &&) = delete;

  std::byte *begin() const { return begin_; }
  std::byte *end() const { return begin_ + size_; }

  enum class Side { neither, before, behind };
  /// Which of the two forbidden pages holds an address.
  Side forbidden(const void *address) const;

  bool hold(const void *address) const;
  void let_write(bool may_write);

private:
  std::byte *begin_;
  std::size_t size_;
  bool may_write_ = true;
};

} // namespace assay::cli
