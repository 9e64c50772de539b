#include "core/engine/analysis/type_tree.hpp"
#include "core/engine/analysis/units.hpp"
#include <algorithm>
#include <numeric>

namespace assay::engine {
namespace {

/// Where the entry of `key` is in a sorted row, or belongs.
template <class Entries, class Key>
auto place_of(Entries &entries, const Key &key) {
  return std::lower_bound(entries.begin(), entries.end(), key,
                          [](const auto &entry, const Key &other) { return entry.first < other; });
}

/// What was seen or declared, not what a layout or a name of integers suggests.
Evidence told(const Evidence &evidence) {
  Evidence result = evidence.only(Rank::access);
  result.merge(evidence.only(Rank::declaration));
  return result;
}

} // namespace

bool TypeTree::add(OffsetSet at, Evidence evidence) {
  if (evidence.empty())
    return false;
  mentioned_.merge(evidence);
  const bool changed = at.stride == 0 ? add_exact(at.base, evidence) : add_strided(at, evidence);
  version_ += changed ? 1 : 0;
  return changed;
}

bool TypeTree::add_exact(std::int64_t offset, const Evidence &evidence) {
  auto found = place_of(exact_, offset);
  if (found == exact_.end() || found->first != offset)
    found = exact_.insert(found, {offset, Evidence{}});
  return found->second.merge(evidence);
}

bool TypeTree::add_strided(OffsetSet at, Evidence evidence) {
  const ArrayKey key{at.stride, floor_modulo(at.base, at.stride)};
  auto found = place_of(strided_, key);
  const bool inserted = found == strided_.end() || found->first != key;
  if (inserted)
    found = strided_.insert(found, {key, Strided{at.base, Evidence{}}});
  bool lower = at.base < found->second.base;
  found->second.base = std::min(found->second.base, at.base);
  // A stride may be less than that of the struct: a number that was seen and an address that is declared need not be in
  // one place.
  Evidence &known = found->second.evidence;
  if (told(known).excludes(told(evidence)))
    evidence.merge(known.together_with(evidence));
  return known.merge(evidence) || inserted || lower;
}

Evidence TypeTree::look_up_strided(OffsetSet at) const {
  Evidence result;
  for (const auto &[key, entry] : strided_) {
    std::uint64_t common = std::gcd(key.first, at.stride);
    if (floor_modulo(at.base - key.second, common) == 0)
      result.merge(entry.evidence);
  }
  return result;
}

/// An array of floats of which the first place holds a pointer, or the other way round: structs and arrays are in this
/// memory in turn, and nothing says where the array ends.
bool TypeTree::begins_as_something_else(ArrayKey key, const Strided &array) const {
  const std::int64_t lowest = std::max<std::int64_t>(array.base, 0);
  const Evidence *found = find_exact(lowest + floor_modulo(key.second - lowest, key.first));
  return found != nullptr && found->excludes(array.evidence);
}

namespace {

/// The first of many structs has a float here, and something else was seen in its place: a container's own head, say,
/// which is linked with its nodes.
bool begins_array_of_structs(std::int64_t place, std::uint64_t stride, const TypeTree::Strided &field,
                             const Evidence &seen) {
  constexpr std::uint64_t widest_element = 8;
  return stride > widest_element && field.base == place && !seen.mentions_floating() &&
         field.evidence.mentions_floating();
}

} // namespace

Evidence TypeTree::look_up(OffsetSet at) const {
  constexpr std::size_t small = 8; // what is looked through as fast as it is found again
  if (exact_.size() + strided_.size() <= small)
    return find_out(at);
  Found &found = found_[{at.base, at.stride}];
  if (found.version != version_)
    found = {find_out(at), version_};
  return found.evidence;
}

const Evidence *TypeTree::find_exact(std::int64_t offset) const {
  const auto found = place_of(exact_, offset);
  return found != exact_.end() && found->first == offset ? &found->second : nullptr;
}

/// Of a place of which `known` was seen.
Evidence TypeTree::find_exact_place(std::int64_t offset, const Evidence &known) const {
  Evidence result = known;
  const auto is_element = [&](ArrayKey key, const Strided &array) {
    return array.base <= offset && floor_modulo(offset - key.second, key.first) == 0;
  };
  for (const auto &[key, entry] : strided_) { // a name of integers says less than what the whole array is used as
    if (result.tells_floating())
      break;
    if (entry.evidence.tells_floating() && !result.excludes(entry.evidence) && result.is_weaker_than(entry.evidence) &&
        is_element(key, entry))
      result = entry.evidence;
  }
  for (const auto &[key, entry] : strided_) {
    const bool begins_structs = begins_array_of_structs(offset, key.first, entry, result);
    if ((begins_structs || result.excludes(entry.evidence)) && is_element(key, entry) &&
        (begins_structs || begins_as_something_else(key, entry)))
      result = result.together_with(entry.evidence);
  }
  return result;
}

Evidence TypeTree::find_out(OffsetSet at) const {
  if (at.stride == 0)
    if (const Evidence *known = find_exact(at.base))
      return find_exact_place(at.base, *known);
  // A struct may end in an array: k >= 0 is meant, so that nothing is strided before where it was first seen.
  // Divisions take most of the time of large trees, so they come last: of entries that would change something.
  Evidence result;
  std::uint64_t stride = 0, common = 0;
  for (const auto &[key, entry] : strided_) {
    const bool is_excluded = result.excludes(entry.evidence);
    if ((entry.base > at.base && at.stride == 0) || (!is_excluded && result.includes(entry.evidence)))
      continue;
    if (key.first != stride)
      stride = key.first, common = std::gcd(stride, at.stride);
    if (floor_modulo(at.base - key.second, common) != 0)
      continue;
    // Other places than this one, all of which may be meant: a rank decides between names of the same place alone.
    if (common < key.first && is_excluded)
      result = result.together_with(entry.evidence);
    else
      result.merge(entry.evidence);
  }
  if (at.stride == 0)
    return result;
  result = with_elements(at, result);
  return at.stride == 1 ? with_all(result) : result;
}

/// `result` was found in arrays.
Evidence TypeTree::with_elements(OffsetSet at, Evidence result) const {
  const bool is_open = result == result.only(Rank::hint); // names of integer types do not speak against what is there
  if (is_open) {
    for (auto element = exact_.begin(); element != exact_.end() && !result.includes(mentioned_); ++element)
      if (!result.includes(element->second) && floor_modulo(element->first - at.base, at.stride) == 0)
        result.merge(element->second);
  } else if (at.stride % pointer_bytes == 0 && result.may_exclude() && mentioned_.mentions_pointers() &&
             mentioned_.mentions_floating()) {
    const Evidence &all = best_of_all().exact;
    bool is_whole = result.includes_best_of(all);
    for (auto element = place_of(exact_, at.base); element != exact_.end() && !is_whole; ++element)
      if (result.is_contradicted_by(element->second) && floor_modulo(element->first - at.base, at.stride) == 0) {
        result = result.together_with(element->second);
        is_whole = result.includes_best_of(all);
      }
  }
  return result;
}

/// `result` was found where any byte is meant: bytes that are declared integers stand beside the numbers and addresses
/// of other objects in the same memory, and a rank decides between names of the same place alone.
Evidence TypeTree::with_all(Evidence result) const {
  if (result == result.only(Rank::hint))
    return result;
  return result.together_with(best_of_all().anywhere);
}

const TypeTree::BestOfAll &TypeTree::best_of_all() const {
  if (best_of_all_.version == version_)
    return best_of_all_;
  best_of_all_ = {{}, {}, version_};
  const auto tells = [](const Evidence &evidence) {
    return evidence.mentions_floating() || evidence.mentions_pointers();
  };
  for (const auto &[offset, evidence] : exact_)
    if (tells(evidence))
      best_of_all_.exact.join_best(evidence);
  best_of_all_.anywhere = best_of_all_.exact;
  for (const auto &[key, entry] : strided_)
    if (tells(entry.evidence))
      best_of_all_.anywhere.join_best(entry.evidence);
  return best_of_all_;
}

Evidence TypeTree::look_up_anywhere(OffsetSet at) const {
  Evidence result = look_up(at);
  return result.empty() ? look_up_strided(at) : result;
}

Evidence TypeTree::everything(OffsetSet at) const {
  Evidence result;
  for (const auto &[offset, evidence] : exact_)
    if (at.stride != 0 || offset >= at.base)
      result.merge(evidence);
  for (const auto &[key, entry] : strided_)
    result.merge(entry.evidence);
  return result;
}

} // namespace assay::engine
