#include "gpu/runtime/regions.hpp"

#include "gpu/runtime/findings.hpp"

#include <utility>

namespace assay::gpu {

std::string text_of(const Region &region) {
  const std::string bytes = " of " + std::to_string(region.bytes) + " bytes";
  switch (region.kind) {
  case Region::Kind::shared_array:
    return "shared array " + region.name + bytes;
  case Region::Kind::dynamic_shared:
    return "dynamic shared memory" + bytes;
  case Region::Kind::variable:
    return "variable " + region.name + bytes;
  case Region::Kind::heap:
    return "device heap memory" + bytes + (region.site ? ", allocated at " + text_of(region.site) : "");
  case Region::Kind::buffer:
    break;
  }
  return (region.name.empty() ? "buffer" : region.name) + bytes;
}

void Regions::add(Region region) {
  recent_ = {};
  auto next = all_.lower_bound(region.first);
  if (next != all_.begin() && std::prev(next)->second.last > region.first)
    --next;
  while (next != all_.end() && next->first < region.last)
    next = all_.erase(next);
  const char *first = region.first;
  all_.emplace(first, std::move(region));
}

void Regions::set_freed(const void *begin) {
  const auto found = all_.upper_bound(static_cast<const char *>(begin));
  if (found == all_.begin())
    return;
  Region &region = std::prev(found)->second;
  if (region.begin == begin)
    region.is_freed = true;
}

const Region *Regions::at(const void *address) const {
  const char *wanted = static_cast<const char *>(address);
  for (const Region *region : recent_)
    if (region && wanted >= region->first && wanted < region->last)
      return region;
  const auto found = all_.upper_bound(wanted);
  if (found == all_.begin())
    return nullptr;
  const Region &region = std::prev(found)->second;
  if (wanted >= region.last)
    return nullptr;
  recent_[next_++ % recent_count] = &region;
  return &region;
}

} // namespace assay::gpu
