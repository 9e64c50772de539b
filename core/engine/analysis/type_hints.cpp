#include "core/engine/analysis/type_hints.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/types_implementation.hpp"
#include "core/engine/analysis/units.hpp"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned most_nodes = 64;
constexpr std::int64_t most_bytes = 4096; ///< Of which unused words are looked for.

class Export {
public:
  Export(TypeHints &hints, const TypeAnalysis::Implementation &from)
      : hints_(hints), from_(from), context_(from.memory.root().getContext()) {}

  unsigned node(NodeId id) {
    auto [found, inserted] = known_.try_emplace(id, static_cast<unsigned>(hints_.nodes.size()));
    const unsigned made = found->second;
    if (!inserted)
      return made;
    hints_.nodes.emplace_back();
    hints_.nodes[made].fields = fields_of(id);
    if (hints_.nodes.size() < most_nodes)
      for (auto [offset, pointee] : from_.memory.pointees(id)) {
        const unsigned target = node(pointee);
        hints_.nodes[made].pointees.push_back({offset, target});
      }
    return made;
  }

private:
  llvm::SmallVector<TypeHints::Field, 8> fields_of(NodeId id) {
    llvm::SmallVector<TypeHints::Field, 8> fields;
    const TypeTree &tree = from_.types.tree(id);
    const bool is_mixture = from_.memory.graph().is_mixture(id); // An integer of one object may be a float of another.
    auto add = [&](OffsetSet at, const Evidence &evidence) {
      const BasicType type = evidence.resolve(context_);
      const bool tells_little = type.kind == ByteKind::integer || (type.kind == ByteKind::pointer && from_.only_double);
      if (evidence.excludes(evidence))
        return add_parts(fields, at, evidence);
      if (type.kind == ByteKind::unknown || (is_mixture && type.kind == ByteKind::integer) ||
          (tells_little && may_be_float_of_another(id, at)))
        return;
      const bool is_seen = type.kind == ByteKind::floating && !is_mixture && !evidence.only(Rank::access).empty();
      fields.push_back({at, type, is_seen ? Rank::access : Rank::layout});
      if (type.kind == ByteKind::floating && keeps_addresses(id, at))
        fields.push_back({at, pointer_type(), fields.back().rank});
    };
    for (const auto &[key, entry] : tree.strided())
      add({entry.base, key.first}, entry.evidence);
    std::int64_t end = 0;
    for (const auto &[offset, evidence] : tree.exact()) {
      add({offset, 0}, evidence);
      end = std::max(end, offset);
    }
    for (std::int64_t offset = 0; offset < std::min(end, most_bytes); offset += static_cast<std::int64_t>(word_bytes))
      if (from_.types.is_unused({id, {offset, 0}}))
        fields.push_back({{offset, 0}, integer_type(), Rank::hint});
    if (tree.strided().empty() && tree.exact().empty() && from_.types.is_unused({id, OffsetSet::anywhere()}))
      fields.push_back({OffsetSet::anywhere(), integer_type(), Rank::hint}); // as of a vector that stays empty
    return fields;
  }

  /// A number at one time and an address at another: both count as seen, whoever may have seen them.
  void add_parts(llvm::SmallVector<TypeHints::Field, 8> &fields, OffsetSet at, const Evidence &evidence) const {
    for (const BasicType part : evidence.parts(context_))
      fields.push_back({at, part, Rank::access});
  }

  /// Objects that lie in one another, as the head of a map does among its nodes, were taken for one, wherever each
  /// begins: a float that was seen anywhere may stand where another object has an integer, or an address, which the
  /// bits tell from a double.
  bool may_be_float_of_another(NodeId id, OffsetSet at) const {
    const std::uint64_t modulus = from_.memory.graph()[id].modulus;
    return modulus != 0 && llvm::any_of(from_.types.tree(id).strided(), [&](const auto &entry) {
             const auto &[key, array] = entry;
             const std::uint64_t stride = std::gcd(std::gcd(key.first, at.stride), modulus);
             return floor_modulo(at.base - array.base, stride) == 0 && array.evidence.mentions_floating();
           });
  }

  /// Objects that were taken for one may keep addresses of other memory where one of them was seen to keep a number.
  bool keeps_addresses(NodeId id, OffsetSet at) const {
    const MemoryGraph &graph = from_.memory.graph();
    const MemoryGraph::Node &node = graph[id];
    const std::uint64_t stride = std::gcd(node.modulus, at.stride);
    return llvm::any_of(node.slots, [&](const auto &slot) {
      const bool is_there = stride == 0 ? slot.first == at.base : floor_modulo(slot.first - at.base, stride) == 0;
      return is_there && !from_.types.tree(graph.node(slot.second.place)).everything(OffsetSet::anywhere()).empty();
    });
  }

  TypeHints &hints_;
  const TypeAnalysis::Implementation &from_;
  llvm::LLVMContext &context_;
  llvm::DenseMap<NodeId, unsigned> known_;
};

} // namespace

std::vector<TypeHints::Float> TypeHints::floats() const {
  std::vector<Float> found;
  for (unsigned node = 0; node < nodes.size(); ++node)
    for (const Field &field : nodes[node].fields)
      if (field.rank == Rank::access)
        found.emplace_back(node, field.at.base, field.at.stride, field.type.floating);
  llvm::sort(found);
  return found;
}

void add_hints(TypeHints &hints, const TypeAnalysis &caller, FrameId frame, const llvm::Value &actual,
               unsigned formal) {
  const TypeAnalysis::Implementation &from = caller.implementation();
  if (auto at = from.memory.location(actual, frame))
    hints.actuals.push_back({formal, Export(hints, from).node(at->node), at->at});
}

void add_hints_of_frames(TypeHints &hints, const TypeAnalysis &analysis, const llvm::Function &callee) {
  const CallTree &calls = analysis.implementation().memory.calls();
  for (FrameId frame = root_frame; frame < calls.size(); ++frame)
    if (&calls.function(frame) == &callee)
      for (const llvm::Argument &argument : callee.args())
        add_hints(hints, analysis, frame, argument, argument.getArgNo());
}

} // namespace assay::engine
