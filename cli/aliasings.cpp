#include "cli/aliasings.hpp"

#include "cli/shapes.hpp"

#include <assay/generators/aliasing.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace assay::cli {

namespace {

using jit::ArgumentSpec;

constexpr std::size_t most_aliasings = 15;
/// Of more pointers the partitions are not listed.
constexpr std::size_t most_pointers = 8;

/// Parameters that are the same memory; one alone may be left out.
using Block = std::vector<std::size_t>;

/// Says nothing of its numbers.
bool is_plain(const ArgumentSpec &spec) {
  return !spec.is_fixed() && !spec.range && !spec.computed && spec.domain == jit::Domain();
}

bool has_same_numbers(ArgumentSpec left, const ArgumentSpec &right) {
  left.extents = right.extents;
  left.formulas = right.formulas;
  return left == right;
}

class Aliasings {
public:
  explicit Aliasings(const CheckRequest &request) : request_(request), shapes_(shapes_of(request)) {
    for (std::size_t index = 0; index < request.arguments.size(); ++index)
      if (request.arguments[index].is_pointer() && !request.function.parameters[index].is_restrict)
        pointers_.push_back(index);
  }

  std::vector<CheckRequest> run() {
    std::vector<CheckRequest> requests{request_};
    const auto has_alias = [](const ArgumentSpec &spec) { return spec.alias.has_value(); };
    if (pointers_.size() < 2 || std::ranges::any_of(request_.arguments, has_alias))
      return requests;
    for (const std::vector<Block> &blocks : partitions())
      if (std::optional<CheckRequest> shared = with(blocks))
        requests.push_back(*std::move(shared));
    if (const std::size_t all = requests.size(); all > most_aliasings) {
      requests.resize(most_aliasings);
      requests.front().notes.push_back(fmt::format("{} of {} ways to share memory were checked", most_aliasings, all));
    }
    if (pointers_.size() > most_pointers)
      requests.front().notes.push_back(
          "of all ways to share memory, those were checked in which two pointers share it");
    return requests;
  }

private:
  /// Those in which fewest pointers share come first, but for the one in which all do.
  std::vector<std::vector<Block>> partitions() const {
    std::vector<std::vector<Block>> all;
    if (pointers_.size() > most_pointers) {
      for (std::size_t left = 0; left < pointers_.size(); ++left)
        for (std::size_t right = left + 1; right < pointers_.size(); ++right)
          all.push_back({{pointers_[left], pointers_[right]}});
      return all;
    }
    const std::vector<gen::Aliasing> aliasings = gen::all_aliasings(pointers_.size(), 1);
    for (std::size_t buffers = pointers_.size(); buffers-- > 1;)
      for (const gen::Aliasing &aliasing : aliasings)
        if (aliasing.buffers() == buffers)
          all.push_back(blocks_of(aliasing));
    std::ranges::rotate(all, std::prev(all.end()));
    return all;
  }

  std::vector<Block> blocks_of(const gen::Aliasing &aliasing) const {
    std::vector<Block> blocks(aliasing.buffers());
    for (std::size_t view = 0; view < pointers_.size(); ++view)
      blocks[aliasing.buffer_of[view]].push_back(pointers_[view]);
    std::erase_if(blocks, [](const Block &block) { return block.size() < 2; });
    return blocks;
  }

  /// Nothing where some of them cannot share.
  std::optional<CheckRequest> with(const std::vector<Block> &blocks) const {
    CheckRequest shared = request_;
    for (const Block &block : blocks) {
      const auto owner = std::ranges::find_if(block, [&](std::size_t index) { return has_room(index, block); });
      if (owner == block.end())
        return std::nullopt;
      for (const std::size_t index : block)
        if (index != *owner)
          shared.arguments[index] = alias_of(index, *owner);
    }
    return shared;
  }

  ArgumentSpec alias_of(std::size_t index, std::size_t owner) const {
    const ArgumentSpec &given = request_.arguments[index];
    ArgumentSpec spec;
    spec.type = given.type;
    spec.constant = given.constant;
    spec.extents = given.extents;
    spec.formulas = given.formulas;
    spec.alias = jit::Alias{request_.function.parameters[owner].name};
    return spec;
  }

  bool has_room(std::size_t owner, const Block &block) const {
    return std::ranges::all_of(block, [&](std::size_t index) { return index == owner || can_hold(owner, index); });
  }

  bool can_hold(std::size_t owner, std::size_t index) const {
    const ArgumentSpec &memory = request_.arguments[owner], &other = request_.arguments[index];
    return memory.type == other.type && memory.constant == other.constant &&
           (is_plain(other) || has_same_numbers(memory, other)) &&
           std::ranges::all_of(shapes_, [&](const CheckRequest &shape) {
             return shape.arguments[index].elements() <= shape.arguments[owner].elements();
           });
  }

  const CheckRequest &request_;
  std::vector<CheckRequest> shapes_;
  std::vector<std::size_t> pointers_;
};

} // namespace

std::vector<CheckRequest> with_aliasings(const CheckRequest &request) {
  return Aliasings(request).run();
}

} // namespace assay::cli
