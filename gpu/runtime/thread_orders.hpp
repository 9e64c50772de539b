#pragma once
// The orders of its threads in which a derivative is compared with itself.

#include "gpu/runtime/launch.hpp"

#include <array>

namespace assay::gpu {

struct NamedOrder {
  const char *phrase;
  Order order;
};

/// The usual one first. Two random orders: in one of them, two given threads stand in either order with equal chance.
inline constexpr std::array<NamedOrder, 4> named_orders{{{"in ascending order", {}},
                                                         {"in descending order", {Order::Kind::descending, 1}},
                                                         {"in a random order (seed 1)", {Order::Kind::random, 1}},
                                                         {"in a random order (seed 2)", {Order::Kind::random, 2}}}};

} // namespace assay::gpu
