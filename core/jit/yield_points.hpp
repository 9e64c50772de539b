#pragma once
// Places in compiled code where another thread might run: before each access to memory that is not on the stack. A call
// with such places can be left at any of them and entered again, so that every order in which two threads might run can
// be had at will, on one thread. What holds a lock is not left.

#include "llvm/IR/Module.h"
#include <string_view>
#include <utility>
#include <vector>

namespace assay::jit {

/// Adds them to all functions of `module`.
void insert_yield_points(llvm::Module &module);

/// Hears of them in the thread that runs the code, while it lives.
class YieldListener {
public:
  YieldListener();
  virtual ~YieldListener();
  YieldListener(const YieldListener &) = delete;
  YieldListener &operator=(const YieldListener &) = delete;

  enum class Access : std::uint8_t { read, write, atomic };
  virtual void before(Access access, const void *address) = 0;
  /// Around the time in which a lock is held. The first returns when no other call holds one.
  virtual void enter() = 0;
  virtual void leave() = 0;

private:
  YieldListener *outer_;
};

/// What the code is linked with.
std::vector<std::pair<std::string_view, void *>> yield_symbols();

} // namespace assay::jit
