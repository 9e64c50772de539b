#include "core/engine/support/shadow_name.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral of_adjoints = ".assay_shadow", of_tangents = ".assay_tangent";

} // namespace

std::string ShadowSet::suffix() const {
  std::string text = (tangents ? of_tangents : of_adjoints).str();
  if (order > 0)
    text += std::to_string(order + 1);
  if (lane > 0)
    text += "." + std::to_string(lane);
  return text;
}

ShadowSet shadow_set(const Request &request, unsigned lane) {
  return {request.mode == Mode::forward, request.options.order, lane};
}

std::optional<ShadowName> shadow_name(const GlobalVariable &global) {
  const StringRef name = global.getName();
  const auto place = [&](StringRef what) {
    const std::size_t at = name.rfind(what);
    return at == StringRef::npos ? 0 : at;
  };
  const std::size_t split = std::max(place(of_adjoints), place(of_tangents));
  if (split == 0)
    return std::nullopt;
  return ShadowName{name.take_front(split), name.drop_front(split)};
}

} // namespace assay::engine
