// The plan as text.
#include "core/engine/plan/plan.hpp"
#include "core/engine/plan/value_text.hpp"

using namespace llvm;

namespace assay::engine {

StringRef name_of(Storage storage) {
  switch (storage) {
  case Storage::direct:
    return "direct";
  case Storage::recompute:
    return "recompute";
  case Storage::closed_form:
    return "closed form";
  case Storage::iteration:
    return "iteration";
  case Storage::frame:
    return "frame";
  case Storage::tape:
    return "tape";
  }
  llvm_unreachable("unknown storage");
}

namespace {

void print_overlaps(raw_ostream &out, ArrayRef<unsigned> unless) {
  for (const unsigned check : unless)
    out << " unless overlap " << check;
  out << '\n';
}

} // namespace

static const char *redo_text(Redo redo) {
  switch (redo) {
  case Redo::none:
    return "";
  case Redo::log:
    return ", done again from a log";
  case Redo::slots:
    return ", done again from registers";
  }
  llvm_unreachable("unknown way to do a store again");
}

void Plan::print(raw_ostream &out) const {
  SmallVector<std::pair<std::string, std::string>, 16> lines;
  for (const auto &[value, how] : storage)
    lines.emplace_back(text_of(*value), name_of(how).str());
  for (const Argument *argument : arguments_read)
    lines.emplace_back(text_of(*argument), "argument");
  for (const RestoredStore &entry : restored)
    lines.emplace_back(text_of(*entry.store),
                       (entry.check ? "restored on overlap " + std::to_string(*entry.check) : "restored") +
                           redo_text(entry.redo));
  sort(lines);
  for (const auto &[text, how] : lines)
    out << how << ": " << text << '\n';
  for (const auto &[index, check] : enumerate(overlap_checks)) {
    out << "overlap " << index << ": ";
    check.print(out);
    out << '\n';
  }
  tape.print(out);
  for (const auto &[load, accumulation] : accumulations) {
    out << "sum of " << name_of(*load) << " over " << name_of(*accumulation.loop->getHeader());
    print_overlaps(out, accumulation.unless);
  }
  SmallVector<const Loop *, 4> ordered;
  for (const auto &[loop, order] : order_independent_loops)
    ordered.push_back(loop);
  sort(ordered, [](const Loop *a, const Loop *b) { return name_of(*a->getHeader()) < name_of(*b->getHeader()); });
  for (const Loop *loop : ordered) {
    out << "any order of " << name_of(*loop->getHeader());
    print_overlaps(out, order_independent_loops.at(loop).unless);
  }
  sum_groups.print(out);
}

} // namespace assay::engine
