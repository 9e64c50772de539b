#pragma once
// Shadows of variables of the device in derivatives with several tangents or adjoints at once. Kernels know one shadow
// of each variable, that of the first lane, so a launch in another lane exchanges the content of the two before it and
// after it. Lanes for which the program declares no shadow have one of our own, which is zero at first.

#include "assay/detail/gpu/device_variables.hpp"
#include <map>
#include <tuple>

namespace assay::rules::gpu {

/// Tangents and adjoints of such lanes do not meet: nobody clears them between two calls.
enum class LaneContent : char { tangents, adjoints };

inline char *own_shadow(const void *variable, std::size_t bytes, int lane, LaneContent content) {
  static std::map<std::tuple<const void *, int, LaneContent>, char *> shadows;
  char *&shadow = shadows[{variable, lane, content}];
  if (!shadow) {
    ::assay::rules::gpu::require(::cudaMalloc(reinterpret_cast<void **>(&shadow), bytes),
                                 "there is no memory for a shadow of a variable of the device");
    ::cudaMemset(static_cast<void *>(shadow), 0, bytes);
  }
  return shadow;
}

inline char *shadow_in_lane(const ShadowTable &table, int lane, LaneContent content) {
  const auto position = static_cast<std::size_t>(lane) + 1;
  return position < table.places.size() ? static_cast<char *>(table.places[position])
                                        : own_shadow(table.places.front(), table.bytes, lane, content);
}

/// Null where the program has declared none at all.
inline char *shadow_of_symbol(const void *symbol, int lane, LaneContent content) {
  const void *place = place_of_symbol(symbol);
  for (const ShadowTable &table : shadow_tables())
    if (table.places.front() == place && table.places.size() > 1)
      return shadow_in_lane(table, lane, content);
  return nullptr;
}

inline void exchange(char *left, char *right, std::size_t bytes) {
  std::vector<char> both(2 * bytes);
  const auto copy = [&](char *to, const char *from) {
    ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(from), bytes, cudaMemcpyDefault);
  };
  copy(both.data(), left);
  copy(both.data() + bytes, right);
  copy(left, both.data() + bytes);
  copy(right, both.data());
}

/// While it lives, kernels find the shadows of `lane` where they look for the first one's.
class ShadowsOfLane {
public:
  ShadowsOfLane(int lane, LaneContent content) : lane_(lane), content_(content) { exchange_all(); }
  ~ShadowsOfLane() { exchange_all(); }
  ShadowsOfLane(const ShadowsOfLane &) = delete;
  ShadowsOfLane &operator=(const ShadowsOfLane &) = delete;

private:
  void exchange_all() const {
    if (lane_ == 0 || shadow_tables().empty())
      return;
    ::cudaDeviceSynchronize();
    for (const ShadowTable &table : shadow_tables())
      if (table.places.size() > 1)
        exchange(static_cast<char *>(table.places[1]), shadow_in_lane(table, lane_, content_), table.bytes);
  }
  int lane_;
  LaneContent content_;
};

} // namespace assay::rules::gpu
