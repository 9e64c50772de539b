#include "cli/coroutine.hpp"

#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace assay::cli {

/// As much as a process usually has; what is not touched costs nothing.
static constexpr std::size_t stack_size = std::size_t(16) << 20;

Coroutine::Coroutine(std::function<void()> work)
    : work_(std::move(work)), stack_(::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
  if (stack_ == MAP_FAILED)
    throw std::bad_alloc();
  ::getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_;
  inside_.uc_stack.ss_size = stack_size;
  inside_.uc_link = &outside_;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  // makecontext passes ints.
  ::makecontext(&inside_, reinterpret_cast<void (*)()>(&Coroutine::begin), 2, static_cast<unsigned>(self >> 32U),
                static_cast<unsigned>(self));
}

Coroutine::~Coroutine() {
  ::munmap(stack_, stack_size);
}

void Coroutine::begin(unsigned high, unsigned low) {
  reinterpret_cast<Coroutine *>(std::uintptr_t(high) << 32U | low)->work_();
}

void Coroutine::resume() {
  ::swapcontext(&outside_, &inside_);
}

void Coroutine::leave() {
  ::swapcontext(&inside_, &outside_);
}

} // namespace assay::cli
