#include "gpu/runtime/findings.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace assay::gpu {

namespace {

std::string numbers(const Extent &extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) + ")";
}

std::string demangled(const char *symbol) {
  if (!std::string_view(symbol).starts_with("_Z")) // `f` alone would be a type.
    return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         &std::free);
  return name ? name.get() : symbol;
}

} // namespace

void Findings::add(Finding finding) {
  const auto has_text = [&](const Finding &other) { return other.text == finding.text; };
  if (std::ranges::any_of(all_, has_text))
    return;
  all_.push_back(std::move(finding));
  ++count_;
}

std::vector<Finding> Findings::take() {
  return std::exchange(all_, {});
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

std::string source_name(const char *symbol) {
  const std::string whole = demangled(symbol);
  return whole.substr(0, whole.find('('));
}

std::string variable_name(const char *symbol) {
  const std::string whole = demangled(symbol);
  const std::size_t last = whole.rfind("::");
  return last == std::string::npos ? whole : whole.substr(last + 2);
}

} // namespace assay::gpu
