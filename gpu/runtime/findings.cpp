#include "gpu/runtime/findings.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace assay::gpu {

namespace {

std::string numbers(const Extent &extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) + ")";
}

} // namespace

void Findings::add(std::string sentence) {
  if (std::ranges::find(sentences_, sentence) == sentences_.end())
    sentences_.push_back(std::move(sentence));
}

std::vector<std::string> Findings::take() {
  return std::exchange(sentences_, {});
}

Findings &findings() {
  static Findings all;
  return all;
}

std::string text_of(const Site *site) {
  if (!site)
    return "an unknown place";
  if (site->line == 0)
    return site->function;
  return std::filesystem::path(site->file).filename().string() + ":" + std::to_string(site->line);
}

std::string text_of(const Extent &thread, const Extent &block) {
  return "thread " + numbers(thread) + " of block " + numbers(block);
}

} // namespace assay::gpu
