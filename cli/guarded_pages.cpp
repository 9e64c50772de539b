// A check calls functions many thousand times with buffers of few sizes. Pages are therefore kept for the next buffer
// of their size: asking the system for them takes longer than most of the calls.

#include "cli/guarded_pages.hpp"

#include <map>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace assay::cli {

namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::map<std::size_t, std::vector<std::byte *>> &unused_pages() {
  static thread_local std::map<std::size_t, std::vector<std::byte *>> pages;
  return pages;
}

std::byte *new_pages(std::size_t size) {
  const std::size_t whole = size + 2 * page_size();
  void *memory = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  std::byte *begin = static_cast<std::byte *>(memory) + page_size();
  if (::mprotect(begin, size, PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  return begin;
}

} // namespace

GuardedPages::GuardedPages(std::size_t bytes) : size_((bytes + page_size() - 1) / page_size() * page_size()) {
  std::vector<std::byte *> &unused = unused_pages()[size_];
  if (unused.empty()) {
    begin_ = new_pages(size_);
  } else {
    begin_ = unused.back();
    unused.pop_back();
  }
}

GuardedPages::~GuardedPages() {
  if (!begin_)
    return;
  let_write(true);
  unused_pages()[size_].push_back(begin_);
}

bool GuardedPages::hold(const void *address) const {
  const auto *byte = static_cast<const std::byte *>(address);
  return byte >= begin_ && byte < end();
}

/// In a signal handler, too.
void GuardedPages::let_write(bool may_write) {
  if (may_write != may_write_)
    ::mprotect(begin_, size_, may_write ? PROT_READ | PROT_WRITE : PROT_READ);
  may_write_ = may_write;
}

GuardedPages::Side GuardedPages::forbidden(const void *address) const {
  const auto *byte = static_cast<const std::byte *>(address);
  if (byte >= begin_ - page_size() && byte < begin_)
    return Side::before;
  return byte >= end() && byte < end() + page_size() ? Side::behind : Side::neither;
}

GuardedPages::GuardedPages(GuardedPages &&other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(other.size_), may_write_(other.may_write_) {}

} // namespace assay::cli
