// launch = ["<<<"] extent "," extent ["," bytes] [">>>"]
// extent = number {"x" number} | ["dim3"] ("(" | "{") number {"," number} (")" | "}")

#include "core/jit/kernel_launch.hpp"

#include "core/jit/bad_request.hpp"
#include "gpu/runtime/launch.hpp"

#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace assay::jit {

namespace {

class LaunchParser {
public:
  explicit LaunchParser(std::string_view text) : text_(text) {}

  KernelLaunch parse() {
    KernelLaunch launch;
    const bool has_brackets = accepts("<<<");
    launch.grid = extent("the grid");
    expect(",", "',' and the threads of a block");
    launch.block = extent("the block");
    if (accepts(","))
      launch.shared_bytes = number<std::uint64_t>("the bytes of shared memory");
    if (has_brackets)
      expect(">>>", "'>>>'");
    skip_spaces();
    if (position_ != text_.size())
      fail("the end");
    return launch;
  }

private:
  [[noreturn]] void fail(const std::string &expected) {
    skip_spaces();
    const std::string found =
        position_ < text_.size() ? fmt::format("'{}'", text_.substr(position_)) : std::string("nothing more");
    throw BadRequest(fmt::format("the launch '{}' does not parse: {} expected where {} is; write it as <<<4,64>>> or "
                                 "<<<(4,2),(8,8),1024>>>: blocks, threads of a block, bytes of shared memory",
                                 text_, expected, found));
  }

  void skip_spaces() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
  }

  bool accepts(std::string_view token) {
    skip_spaces();
    if (!text_.substr(position_).starts_with(token))
      return false;
    position_ += token.size();
    return true;
  }

  void expect(std::string_view token, const std::string &name) {
    if (!accepts(token))
      fail(name);
  }

  template <class Number>
  Number number(const std::string &name) {
    skip_spaces();
    Number value = 0;
    const char *begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc())
      fail("a number for " + name);
    position_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::array<std::uint32_t, 3> extent(const std::string &name) {
    static_cast<void>(accepts("dim3"));
    const bool round = accepts("("), curly = !round && accepts("{");
    std::array<std::uint32_t, 3> all{1, 1, 1};
    std::size_t axis = 0;
    do {
      if (axis == all.size())
        fail("at most three extents of " + name);
      all[axis] = number<std::uint32_t>(name);
      if (all[axis] == 0)
        throw BadRequest(fmt::format("the launch '{}' has no thread: {} has an extent of 0", text_, name));
      ++axis;
    } while (accepts(round || curly ? "," : "x"));
    if (round)
      expect(")", "')'");
    if (curly)
      expect("}", "'}'");
    return all;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

std::string extent_text(const std::array<std::uint32_t, 3> &extent) {
  if (extent[1] == 1 && extent[2] == 1)
    return fmt::format("{}", extent[0]);
  return extent[2] == 1 ? fmt::format("({},{})", extent[0], extent[1])
                        : fmt::format("({},{},{})", extent[0], extent[1], extent[2]);
}

} // namespace

std::uint64_t KernelLaunch::threads() const {
  std::uint64_t count = 1;
  for (const std::uint32_t extent : grid)
    count *= extent;
  for (const std::uint32_t extent : block)
    count *= extent;
  return count;
}

KernelLaunch parse_launch(std::string_view text) {
  return LaunchParser(text).parse();
}

std::uint64_t dynamic_share(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = 16;
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t most_shared_bytes() {
  return gpu::most_shared_bytes;
}

std::string why_not(const KernelLaunch &launch) {
  const auto &[grid, block, shared_bytes] = launch;
  return gpu::why_not({}, {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared_bytes});
}

std::string to_string(const KernelLaunch &launch) {
  const std::string shared = launch.shared_bytes ? fmt::format(",{}", launch.shared_bytes) : std::string();
  return fmt::format("<<<{},{}{}>>>", extent_text(launch.grid), extent_text(launch.block), shared);
}

} // namespace assay::jit
