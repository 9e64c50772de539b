#pragma once
// Words that are only moved and compared, between places that hold an address at one time and an integer at another:
// the result of a function that returns a block of memory or the size that it failed to get. Where all is in one place,
// as elements of a hash table are that lie at unknown distances, no evidence of the memory says which of the two a word
// is, and a comparison with the mark of the other case is no evidence that it never is an address. Where numbers are
// seen, too, nothing is known of the word.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "core/engine/analysis/type_tree.hpp"

namespace assay::engine {

/// Marks those words. To be called once all evidence is exchanged.
void find_possible_addresses(const std::vector<TypeTree> &trees, IntegerProvenance &bits,
                             const std::vector<MemoryMove> &moves);

} // namespace assay::engine
