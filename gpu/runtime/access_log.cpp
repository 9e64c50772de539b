// What code with the access log calls.

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/watch.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay::gpu {

namespace {

Watch *the_watch = nullptr;

/// The findings that are left, and their number as the last line of all.
void end_program(int, void *) {
  std::fflush(nullptr);
  the_watch->add_leaks();
  for (const Finding &finding : findings().take())
    std::fprintf(stderr, "assay: %s\n", finding.text.c_str());
  const std::uint64_t count = findings().count();
  std::fprintf(stderr, "assay: %llu %s\n", static_cast<unsigned long long>(count), count == 1 ? "finding" : "findings");
  if (count != 0)
    std::_Exit(1);
}

} // namespace

Watch *watch() {
  return the_watch;
}

void start_watch() {
  if (!the_watch)
    the_watch = new Watch; // Memory may be freed after all else.
}

Watch *exchange_watch(Watch *watch) {
  return std::exchange(the_watch, watch);
}

} // namespace assay::gpu

using namespace assay::gpu;

void assay_gpu_log_accesses() {
  if (!watch())
    ::on_exit(end_program, nullptr);
  start_watch();
}

void assay_gpu_access(const Site *site, const void *address, std::uint64_t bytes, std::uint32_t bits, const void *base,
                      const void *value) {
  if (!watch() || is_local(address))
    return;
  const AccessEvent event{site, static_cast<const char *>(address), bytes,
                          bits, static_cast<const char *>(base),    static_cast<const char *>(value)};
  if (!watch()->access(event, running_thread()))
    fail_launch();
}

void assay_gpu_fence(std::uint32_t is_of_block) {
  if (watch())
    watch()->fence(running_thread(), is_of_block != 0 ? ThreadClocks::Scope::block : ThreadClocks::Scope::device);
}

void assay_gpu_at(const Site *site) {
  if (watch())
    watch()->come_to(site);
}
